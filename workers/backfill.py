"""The back-fill: in spare time, finished games get the analyses that did not exist when they ended.

Those that were recorded, or imported, before there were analyses; and all of them, once an analysis has a new revision.
It takes a part of the time alone, so that a machine with many old games does not work on them day and night.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from events.errors import LogError
from projections.errors import ProjectionError
from workers.analyses import Analyses
from workers.analysing import ask_in_spare_time
from workers.differences import HOUR
from workers.digests import Digests

if TYPE_CHECKING:
    from projections.folds import Folds
    from workers.results import Results

SHARE = 0.25
"""The share of an hour of work in spare time after which no more games begin."""

SECONDS = 1.0
"""The most seconds of one search for a game."""

PAGE = 200
"""The number of finished games that are read together."""

logger = logging.getLogger(__name__)


class Backfill:
    """Goes through the finished games of one data folder, again and again. Checks each version once."""

    def __init__(self, results: Results) -> None:
        self._results, self._analyses = results, Analyses(results)
        self._looked: dict[str, int] = {}

    def step(self, folds: Folds) -> bool:
        """Request the analyses of the next game without them. Returns whether one was found in time."""
        if self._analyses.spent_in_spare_time(HOUR * 1000) >= SHARE * HOUR:
            return False
        after, deadline = "", time.monotonic() + SECONDS
        while page := self._results.finished(after, PAGE):
            for game, version in page:
                after = game
                if self._looked.get(game) == version:
                    continue
                if self._ask(folds, game, version):
                    return True
                if time.monotonic() >= deadline:
                    return False
        return False

    def _ask(self, folds: Folds, game: str, version: int) -> bool:
        """Request the missing analyses of a game. Returns whether any were missing."""
        self._looked[game] = version
        try:
            fold = folds.current(game)
        except (ProjectionError, LogError) as error:
            logger.info("not analysed: %s", error)
            return False
        if fold.outcome() is None:
            return False
        Digests(self._results, folds).find({game: fold.version}, SECONDS)
        return ask_in_spare_time(self._analyses, fold)
