"""Rebuilding: all read models are made again from the log and proved, while the old ones are still read."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import msgspec

from projections.catalogue.lookups import find_game
from projections.catalogue.writing import list_unreadable, record_rulesets
from projections.clubs import clubs_in
from projections.errors import ViewsDamagedError
from projections.rebuild_games import MOST, make_games, make_games_together, usable_processors
from projections.views import connect, set_cursor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlite_utils import Database

    from events.log import LogReader
    from projections.catalogue.rows import Listed
    from projections.rebuild_games import Made
    from projections.views import Views


class Rebuilt(msgspec.Struct, frozen=True):
    """The scope of a rebuild, the games with wrong rows, and the unreadable games with the reasons."""

    games: int
    events: int
    drifted: list[str]
    unreadable: dict[str, str]
    clubs: int = 0


POOL_FROM = 100_000
"""A log with so many entries is worth the start of other processes."""


def rebuild(
    log: LogReader,
    views: Views,
    progress: Callable[[int], None] | None = None,
    open_log: Callable[[], LogReader] | None = None,
) -> Rebuilt:
    """Rebuild all read models, prove them, and replace the old ones.

    `progress` gets the number of folded events. With `open_log`, which opens the log in another process, the games of a
    long log are shared among the processors. Raises `ProofError`, `HelperLostError`.
    """
    path = views.prepare()
    fresh = connect(path)
    try:
        rebuilt = _fill(fresh, views.db, log, progress, open_log)
    except BaseException:
        fresh.conn.close()
        views.discard(path)
        raise
    fresh.conn.close()
    views.install(path)
    return rebuilt


def _fill(
    fresh: Database,
    old: Database,
    log: LogReader,
    progress: Callable[[int], None] | None,
    open_log: Callable[[], LogReader] | None,
) -> Rebuilt:
    position, hash_ = _newest(log)
    games, events, drifted, unreadable = 0, 0, list[str](), dict[str, str]()
    for made in _made(fresh, log, position, open_log):
        games, events, unreadable = games + len(made.games), events + made.entries, unreadable | made.unreadable
        drifted += (game for game in made.games if _known(old, game) != find_game(fresh, game))
        if progress:
            progress(events)
    for game, damage in log.damage.items():
        unreadable[game] = str(damage)
        list_unreadable(fresh, game, str(damage), position)
    with fresh.atomic():
        record_rulesets(fresh)
        set_cursor(fresh, position, hash_)
    clubs = len(clubs_in(fresh))
    return Rebuilt(games - clubs, events, drifted, unreadable, clubs)


def _made(fresh: Database, log: LogReader, position: int, open_log: Callable[[], LogReader] | None) -> Iterator[Made]:
    """Make the games one by one, or shared among processes if that is worth it."""
    count = min(usable_processors(), MOST)
    if open_log and count > 1 and position >= POOL_FROM:
        yield from make_games_together(fresh, open_log, log.heads(), position, count)
    else:
        for head in list(log.heads()):
            yield make_games(fresh, log, [head], position)


def _known(db: Database, game: str) -> Listed | None:
    """The row of a game in the used read models; None if it is not reliable."""
    try:
        return find_game(db, game)
    except (ViewsDamagedError, sqlite3.DatabaseError):
        return None


def _newest(log: LogReader) -> tuple[int, str]:
    position = log.position()
    for reached, event in log.feed(max(position - 1, 0), 1):
        return reached, event.hash
    return 0, ""
