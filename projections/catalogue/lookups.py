"""Single answers from the catalogue: a game, its seats and people, and what is public."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from projections.catalogue.queries import CatalogueViewer, Query, conditions_of, seen_conditions
from projections.catalogue.rows import Listed, to_listed
from projections.views import CATALOGUE, PLAYERS_TABLE, PUBLIC_TABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database


def find_game(db: Database, game: str) -> Listed | None:
    """One game's row, if it is listed. Raises `ViewsDamagedError`."""
    return next((to_listed(row) for row in db.table(CATALOGUE).rows_where("game = ?", [game])), None)


def changed_results(db: Database, position: int) -> Iterator[Listed]:
    """All games that were listed at a position of the read models or later. Raises `ViewsDamagedError`."""
    yield from map(to_listed, db.query(f"select * from {CATALOGUE} where projected >= ?", [position]))


def shown_games(db: Database) -> set[str]:
    """All public games, listed or not yet."""
    return {game for (game,) in db.execute(f"select game from {PUBLIC_TABLE}").fetchall()}


def find_unsealed(db: Database) -> str | None:
    """A game with secret hashes, if there is one. A game that was never read counts as such."""
    (found,) = db.execute(f"select min(game) from {CATALOGUE} where not hashes_public").fetchone()
    return None if found is None else str(found)


def own_games(db: Database, viewer: CatalogueViewer) -> list[str]:
    """The viewer's own games beside the public ones."""
    if not viewer.people:
        return []
    where, values = conditions_of(Query(seen_by=viewer))
    sql = f"select game from {CATALOGUE} game where {' and '.join([*where, *seen_conditions(viewer)[-1]])}"
    return [game for (game,) in db.execute(sql, values).fetchall()]


def seats_of(db: Database, game: str, people: frozenset[str]) -> frozenset[int] | None:
    """The seats in which one of these people sits now, by the listing; None if none ever sat there."""
    sql = f"select 1 from {PLAYERS_TABLE} where game = ? and player in ({', '.join('?' * len(people))})"
    if not db.execute(sql, [game, *people]).fetchone():
        return None
    ((seats,),) = db.execute(f"select seats from {CATALOGUE} where game = ?", [game]).fetchall() or (("[]",),)
    return frozenset(seat for seat, player in enumerate(msgspec.json.decode(seats)) if player in people)


def titles_of(db: Database, people: frozenset[str]) -> dict[str, str]:
    """The title and the place of each game with one of these people in a seat at any time."""
    ids = msgspec.json.encode(sorted(people)).decode()
    sat = f"select game from {PLAYERS_TABLE} where player in (select value from json_each(?))"
    sql = f"select game, title || char(10) || place from {CATALOGUE} where game in ({sat})"
    return dict(db.execute(sql, [ids]).fetchall())


def has_played(db: Database, person: str) -> bool:
    """Whether a person ever sat in a game that is listed."""
    return db.execute(f"select 1 from {PLAYERS_TABLE} where player = ?", [person]).fetchone() is not None


def players_of(db: Database, game: str) -> tuple[str, frozenset[str]] | None:
    """The ruleset of a game, and everybody who ever sat there; None if it is not listed."""
    row = db.execute(f"select ruleset from {CATALOGUE} where game = ?", [game]).fetchone()
    if row is None:
        return None
    return row[0], frozenset(
        player for (player,) in db.execute(f"select player from {PLAYERS_TABLE} where game = ?", [game])
    )
