"""Ratings that all requests of a process share, and reading ahead for statistics."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from events.errors import LogError
from events.folding import same_name
from projections.errors import ViewsDamagedError
from projections.statistics.known import VisibleResults
from projections.statistics.ratings import Ladder
from service.api.sums import all_games, games_at, moves_of, year_of_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.statistics.results import Result
    from service.api.context import Context

SOON = 2000
"""Ratings of more games than these are made anew in the background."""

KINDS_AHEAD = 4
"""How many kinds of games are rated before somebody asks, at the most: those with the most games."""

PLACES_AHEAD = 4
"""The games at how many places are summed up before somebody asks, at the most: of those with the most games."""

READY_INTERVAL = 1.0
"""Seconds between two looks at whether the lists can be believed, or the service ends."""

logger = logging.getLogger(__name__)


def newest_ladder(context: Context, seen: VisibleResults, kind: str | None) -> tuple[Ladder, bool]:
    """The ladder of some games, of one kind or of all, and whether it is up to date."""

    @cache
    def games() -> Sequence[Result]:
        return [each for each in seen.rated_results() if kind in (None, each.kind)]

    ladders, about, stamp = context.ladders, (kind, seen.everything, seen.own), seen.known.stamp
    ladder = ladders.get(
        about,
        stamp,
        lambda older: (older or ladders.cached((None, seen.everything, frozenset())) or Ladder()).following(games()),
        lambda older: len(games()) - older.equal_games(games()) > SOON,
        like=(kind, seen.everything, frozenset()),
    )
    return ladder, ladders.is_current(about, stamp, ladder)


def start_reading_ahead(context: Context) -> threading.Thread:
    """Start a thread that reads ahead as soon as the lists are complete."""
    ending = threading.Event()
    context.at_close(ending.set)

    def run() -> None:
        while not context.projector.wait(READY_INTERVAL):
            if ending.is_set():
                return
        try:
            read_ahead(context)
        except (ViewsDamagedError, LogError, sqlite3.Error) as error:
            logger.info("results are read when somebody asks for them: %s", error)

    thread = threading.Thread(target=run, name="results", daemon=True)
    thread.start()
    return thread


def read_ahead(context: Context) -> None:
    """Read, rate and sum the results of all games, for those who see all games and for strangers.

    Raises `ViewsDamagedError`, `LogError`.
    """
    archive = context.archive
    known = context.known.read_ahead(archive.views.db, archive.log.people.merges(), context.access)
    for everything in (True, False):
        seen = VisibleResults(known, everything, frozenset())
        for kind in (None, *_kinds_of_many(seen)):
            newest_ladder(context, seen, kind)
        year_of_many(context, all_games(seen), None)
        for selection in (all_games(seen), *(games_at(seen, place) for place in _large_places(seen))):
            moves_of(context, selection, 0).by_kind  # noqa: B018 - it is made now


def _large_places(seen: VisibleResults) -> list[str]:
    """The places with so many games that their sums take long."""
    places = Counter[str]()
    for name, games in Counter(each.place for each in seen.all()).items():
        places[same_name(name)] += games
    del places[""]
    return [place for place, games in places.most_common(PLACES_AHEAD) if games > SOON]


def _kinds_of_many(seen: VisibleResults) -> list[str]:
    """The kinds with so many games that their ratings take long."""
    kinds = Counter(each.kind for each in seen.rated_results()).most_common(KINDS_AHEAD)
    return [kind for kind, games in kinds if games > SOON]
