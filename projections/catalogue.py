"""The catalogue: one row a game, searchable, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from games.contract import PUBLIC
from projections.fold import STATUSES
from projections.views import CATALOGUE, END, SAT, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlite_utils import Database

    from projections.fold import Fold

UNREADABLE = "unreadable"
LISTED = (*STATUSES, UNREADABLE)
"""Every status that a game in a list can have."""

TRIGRAM = 3
"""Characters from which on the search index serves."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the catalogue lists it. Times are milliseconds since 1970; `seats` are player ids or None.

    `status` is one of `LISTED` (`reason` says why a game is `unreadable`, or how it ended), `irregular` counts the
    entries that everybody can see to have broken a rule, and `origin` is the game that a fork went off from.
    """

    game: str
    ruleset: str
    title: str
    place: str
    opened_at: int
    last_at: int
    version: int
    status: str
    reason: str | None
    winners: list[int]
    scores: list[int]
    irregular: int
    origin: str | None
    seats: list[str | None]


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """What to list: games whose title, place or ruleset holds `text`, or in which one of `players` ever sat.

    `id` is the beginning or the end of an id, `origin` the game whose forks are wanted; `forks` says whether any are.
    """

    text: str = ""
    players: frozenset[str] = frozenset()
    id: str = ""
    ruleset: str | None = None
    status: str | None = None
    origin: str | None = None
    forks: bool = True


def list_folds(db: Database, folds: Iterable[Fold]) -> None:
    """Put the rows of some games as their folds have them.

    This runs after every entry, so the statements are written out: what never changes after the opening is only
    looked at again.
    """
    rows = [_row(fold) for fold in folds]
    db.conn.executemany(_PUT, rows)
    db.conn.executemany(f"insert or ignore into {WORDS} (game, text) values (:game, :text)", rows)
    db.conn.executemany(_SEAT, rows)
    db.conn.executemany(_UNSEAT, rows)


def list_unreadable(db: Database, game: str, why: str) -> None:
    """Mark a game that cannot be folded, with its cause; what was known of it before stays."""
    known = {"ruleset": "", "title": "", "place": "", "opened_at": 0, "last_at": 0, "version": 0}
    known |= {"winners": "[]", "scores": "[]", "seats": "[]", "irregular": 0}
    db.table(CATALOGUE).insert({"game": game, "status": UNREADABLE, "reason": why} | known, ignore=True)
    db.table(CATALOGUE).update(game, {"status": UNREADABLE, "reason": why})


def _row(fold: Fold) -> dict[str, Any]:
    outcome, opened, title = fold.outcome(), fold.opened, fold.ruleset.title
    return {
        "game": fold.game,
        "ruleset": opened.ruleset,
        "title": opened.title,
        "place": opened.place,
        "opened_at": fold.started_at,
        "last_at": fold.recorded_at,
        "version": fold.version,
        "status": fold.status,
        "reason": outcome.reason if outcome else None,
        "winners": msgspec.json.encode(outcome.winners if outcome else ()).decode(),
        "scores": msgspec.json.encode(fold.totals()).decode(),
        "irregular": len(fold.irregular_from(PUBLIC)),
        "text": "\n".join((opened.title, opened.place, opened.ruleset, title.en, title.ja)),
        "origin": opened.origin.game if opened.origin else None,
        "seats": msgspec.json.encode(fold.players).decode(),
        "sat": msgspec.json.encode(sorted(fold.sat)).decode(),
    }


_COLUMNS = Listed.__struct_fields__
_PUT = (
    f"insert into {CATALOGUE} ({', '.join(_COLUMNS)}) values ({', '.join(f':{name}' for name in _COLUMNS)})"
    f" on conflict (game) do update set {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS if name != 'game')}"
)


_SEAT = f"insert or ignore into {SAT} (game, player) select :game, value from json_each(:sat)"
_UNSEAT = f"delete from {SAT} where game = :game and player not in (select value from json_each(:sat))"


def find_games(db: Database, query: Query, before: tuple[int, str] | None, limit: int) -> list[Listed]:
    """The games that `query` asks for, the last recorded first, from behind the place `before` (`last_at, game`)."""
    where, values = _conditions(query)
    if before:
        where.append("(game.last_at, game.game) < (:last_at, :game)")
        values |= {"last_at": before[0], "game": before[1]}
    sql = f"select game.* from {CATALOGUE} game where {' and '.join(where) or '1'} order by last_at desc, game desc"
    return [_from_row(row) for row in db.query(f"{sql} limit :limit", values | {"limit": limit})]


def find_game(db: Database, game: str) -> Listed | None:
    """One game's row, if it is listed."""
    return next((_from_row(row) for row in db.table(CATALOGUE).rows_where("game = ?", [game])), None)


def _conditions(query: Query) -> tuple[list[str], dict[str, Any]]:
    where: list[str] = []
    values: dict[str, Any] = {}
    for column in ("ruleset", "status", "origin"):
        wanted = getattr(query, column)
        if wanted is not None:
            where.append(f"game.{column} = :{column}")
            values[column] = wanted
    if query.id:
        begins = "game between :id and :id || 'g'"  # behind every digit that could follow
        ends = "game like '%' || :id"
        if len(query.id) >= END:
            ends += f" and substr(game, -{END}) = substr(:id, -{END})"
        found = f"select game from {CATALOGUE} where {begins} union select game from {CATALOGUE} where {ends}"
        where.append(f"game.game in ({found})")
        values["id"] = query.id
    if not query.forks:
        where.append("game.origin is null")
    if query.text:
        index = f"{WORDS}_fts" if len(query.text) >= TRIGRAM else WORDS
        words = f"select rowid from {index} where text like :text"
        found = f"game.game in (select game from {WORDS} where rowid in ({words}))"
        sat = f"game.game in (select game from {SAT} where player in (select value from json_each(:players)))"
        where.append(f"({found} or {sat})")
        pattern = query.text.replace(
            "%", "_"
        )  # "_" stands for any one character: near enough, and the index still serves
        values |= {"text": f"%{pattern}%", "players": msgspec.json.encode(sorted(query.players)).decode()}
    return where, values


def _from_row(row: dict[str, Any]) -> Listed:
    for name in ("winners", "scores", "seats"):
        row[name] = msgspec.json.decode(row[name])
    return Listed(**row)
