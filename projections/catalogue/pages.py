"""The games of a query, page by page: the last recorded or the last played first."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from projections.catalogue.queries import Order, Query, conditions_of, seen_conditions
from projections.catalogue.rows import Listed, to_listed
from projections.errors import ViewsDamagedError
from projections.views import CATALOGUE, PLAYERS_TABLE, cursor

if TYPE_CHECKING:
    from sqlite_utils import Database

NaturalNumber = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]


class Place(NamedTuple):
    """The end of a page of the list, for a reader who began when the read models were at `since`.

    Games move to the front of the list while somebody goes through it. After its end those follow that have `moved`
    since, in the order in which they did: one of them can come twice, but none is passed over. `key` is the time of the
    last game by the `order` of the list or, for one that moved, when it did.
    """

    since: NaturalNumber
    key: Annotated[int, msgspec.Meta(ge=-(1 << 62), lt=1 << 62)]
    game: str
    moved: bool
    order: Order = "recorded"


def find_page(db: Database, query: Query, place: Place | None, limit: int) -> tuple[list[Listed], Place | None]:
    """A page of the games of `query`, in its order, the last first, and the place after it if more follow.

    Raises `ViewsDamagedError`.
    """
    since = cursor(db)[0] if place is None else place.since  # asked before the rows, which are never behind it
    rows: list[dict[str, Any]] = []
    if place is None or not place.moved:
        rows = _rows(db, query, (place.key, place.game) if place else None, limit + 1)
    key = _KEYS[query.order]
    places = [Place(since, row[key], row["game"], False, query.order) for row in rows]
    if place is not None and len(rows) <= limit:
        after = (place.key, place.game) if place.moved else (since, _BEHIND)
        moved = _moved(db, query, after, limit + 1 - len(rows))
        rows += moved
        places += [Place(since, row["projected"], row["game"], True, query.order) for row in moved]
    return [to_listed(row) for row in rows[:limit]], places[limit - 1] if len(rows) > limit else None


_KEYS: dict[Order, str] = {"recorded": "last_at", "played": "played_at"}
"""The column with the time of each order."""
_BEHIND = "g"
"""After every id."""


def find_by_id(db: Database, query: Query, after: str, limit: int, since: int = 0) -> list[Listed]:
    """The games of `query`, ordered by id, after an id. That order never changes.

    Raises `ViewsDamagedError`.
    """
    where, values = conditions_of(query)
    where += ["game.game > :after", "game.last_at >= :since"]
    rows = db.query(_ordered(query, where, "game"), values | {"after": after, "since": since, "limit": limit})
    return [to_listed(row) for row in rows]


def find_games(db: Database, query: Query, before: tuple[int, str] | None, limit: int) -> list[Listed]:
    """The games of `query`, in its order, the last first, after the place `before` (time, id).

    Raises `ViewsDamagedError`.
    """
    return [to_listed(row) for row in _rows(db, query, before, limit)]


def _rows(db: Database, query: Query, before: tuple[int, str] | None, limit: int) -> list[dict[str, Any]]:
    where, values = conditions_of(query)
    key = _KEYS[query.order]
    if before:
        where.append(f"(game.{key}, game.game) < (:before, :game)")
        values |= {"before": before[0], "game": before[1]}
    try:
        rows = list(db.query(_ordered(query, where, f"{key} desc, game desc"), values | {"limit": limit}))
    except UnicodeDecodeError as error:  # the name of a column
        raise ViewsDamagedError("the table of the catalogue is not what was created") from error
    for row, following in pairwise(rows):
        if (row[key], row["game"]) <= (following[key], following["game"]):
            raise ViewsDamagedError("the index of the catalogue is wrong")
    return rows


def _moved(db: Database, query: Query, after: tuple[int, str], limit: int) -> list[dict[str, Any]]:
    """The rows that were written after a place (`projected, game`), in that order."""
    where, values = conditions_of(query)
    where.append("(game.projected, game.game) > (:projected, :game)")
    sql = _ordered(query, where, "projected, game")
    return list(db.query(sql, values | {"projected": after[0], "game": after[1], "limit": limit}))


def _ordered(query: Query, where: list[str], order: str) -> str:
    """The first `limit` rows in an order. Public games and own games are each found by an index."""
    parts = [
        f"select game.* from {CATALOGUE} game where {' and '.join([*where, *seen]) or '1'} order by {order}"
        " limit :limit"
        for seen in seen_conditions(query.seen_by)
    ]
    if len(parts) == 1:
        return parts[0]
    either = " union ".join(f"select * from ({part})" for part in parts)
    return f"{either} order by {order} limit :limit"


class Extent(NamedTuple):
    """The extent of a query: its numbers of games, entries and people."""

    games: int
    entries: int
    people: int


def extent_of(db: Database, query: Query, since: int = 0) -> Extent:
    """The extent of `query`, for games with entries at `since` or later."""
    where, values = conditions_of(query)
    parts = [
        "select game.game, game.version"
        f" from {CATALOGUE} game where {' and '.join(['game.last_at >= :since', *where, *seen])}"
        for seen in seen_conditions(query.seen_by)
    ]
    found = " union ".join(parts)
    sql = (
        f"with found as ({found}) select (select count(*) from found) games,"
        " (select coalesce(sum(version), 0) from found) entries,"
        f" (select count(distinct player) from {PLAYERS_TABLE} where game in (select game from found)) people"
    )
    return Extent(**next(db.query(sql, values | {"since": since})))
