"""Writing the catalogue: the rows of games, who may see them, and the rulesets that list them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from games.rulesets import RULESETS
from projections.catalogue.rows import COLUMNS, UNREADABLE, checksum_of, fits, row_of, search_checksum
from projections.views import CATALOGUE, PLAYERS_TABLE, PUBLIC_TABLE, RULESETS_TABLE, SEARCH_TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlite_utils import Database

    from projections.fold import Fold

_LASTING = ("ruleset", "played_at", "status")
"""Columns that hardly change after the opening: to write them again would touch each index of theirs."""
_CHANGING = [name for name in COLUMNS if name not in {"game", *_LASTING}]
_PUT = (
    f"insert into {CATALOGUE} ({', '.join(COLUMNS)}, shown) values ({', '.join(f':{name}' for name in COLUMNS)},"
    f" exists (select 1 from {PUBLIC_TABLE} where game = :game))"
    f" on conflict (game) do update set {', '.join(f'{name} = excluded.{name}' for name in _CHANGING)}"
)
_THERE, _NEW = ", ".join(_LASTING), ", ".join(f":{name}" for name in _LASTING)
_RENEW = f"update {CATALOGUE} set ({_THERE}) = ({_NEW}) where game = :game and ({_THERE}) is not ({_NEW})"
_SAY = (
    f"insert into {SEARCH_TABLE} (game, text) values (:game, :text)"
    " on conflict (game) do update set text = excluded.text where text <> excluded.text"
)
_SEAT = f"insert or ignore into {PLAYERS_TABLE} (game, player) select :game, value from json_each(:sat)"
_UNSEAT = f"delete from {PLAYERS_TABLE} where game = :game and player not in (select value from json_each(:sat))"

_UNREAD: dict[str, Any] = {
    **dict.fromkeys(("ruleset", "title", "place", "day"), ""),
    **dict.fromkeys(("played_at", "opened_at", "last_at", "version", "together", "irregular", "hashes_public"), 0),
    **dict.fromkeys(("winners", "scores", "ranks", "teams", "markers", "seats"), "[]"),
    **dict.fromkeys(("game_name", "deciding"), "null"),
    "origin": None,
    "found_by": search_checksum("", "[]"),
}
"""The row of a game that could never be folded, without its id and the cause."""


def list_folds(db: Database, folds: Iterable[Fold], projected: int) -> None:
    """Write the rows of some games from their folds. Then the read models are at `projected`.

    This runs after every entry, so the statements are written out: what hardly changes after the opening is only
    looked at again.
    """
    rows = [row_of(fold, projected) for fold in folds]
    db.conn.executemany(_PUT, rows)
    db.conn.executemany(_RENEW, rows)
    db.conn.executemany(_SAY, rows)
    db.conn.executemany(_SEAT, rows)
    db.conn.executemany(_UNSEAT, rows)


def list_unreadable(db: Database, game: str, why: str, projected: int) -> None:
    """Mark a game that cannot be folded, with its cause; its older row stays."""
    known = _UNREAD
    for row in db.table(CATALOGUE).rows_where("game = ?", [game]):
        known = row if fits(row) else known
    row = known | {"game": game, "status": UNREADABLE, "reason": why, "projected": projected}
    row["checksum"] = checksum_of(row)
    db.execute(_PUT, row)
    db.execute(_RENEW, row)


def changed_rulesets(db: Database) -> set[str]:
    """The rulesets that changed since the games were listed: new, gone, or of another revision."""
    then = dict(db.execute(f"select name, revision from {RULESETS_TABLE}").fetchall())
    now = {name: ruleset.revision for name, ruleset in RULESETS.items()}
    return {name for name in then.keys() | now.keys() if then.get(name) != now.get(name)}


def games_of(db: Database, rulesets: Iterable[str]) -> list[str]:
    """The listed games of some rulesets."""
    names = msgspec.json.encode(sorted(rulesets)).decode()
    sql = f"select game from {CATALOGUE} where ruleset in (select value from json_each(?)) order by game"
    return [game for (game,) in db.execute(sql, [names]).fetchall()]


def record_rulesets(db: Database) -> None:
    """Note that all games are listed by the current rulesets."""
    db.execute(f"delete from {RULESETS_TABLE}")
    db.table(RULESETS_TABLE).insert_all({"name": name, "revision": each.revision} for name, each in RULESETS.items())


def set_public(db: Database, changes: Iterable[tuple[str, bool]]) -> None:
    """Make games public, or no longer public."""
    for game, shown in changes:
        if shown:
            db.execute(f"insert or ignore into {PUBLIC_TABLE} (game) values (?)", [game])
        else:
            db.execute(f"delete from {PUBLIC_TABLE} where game = ?", [game])
        db.execute(f"update {CATALOGUE} set shown = ? where game = ?", [int(shown), game])


def clear_public(db: Database) -> None:
    """Show no game to everybody."""
    db.execute(f"delete from {PUBLIC_TABLE}")
    db.execute(f"update {CATALOGUE} set shown = 0 where shown <> 0")
