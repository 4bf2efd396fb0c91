"""The back-fill: finished games get the analyses that were not there yet when they ended, in spare time.

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
"""How much of an hour is worked in spare time when no more games are taken."""

SECONDS = 1.0
"""How long is looked for one at a time."""

PAGE = 200
"""How many finished games are listed together."""

logger = logging.getLogger(__name__)


class Backfill:
    """Goes through the finished games of one data folder, again and again; each is looked at once as it is."""

    def __init__(self, results: Results) -> None:
        self._results, self._analyses = results, Analyses(results)
        self._looked: dict[str, int] = {}

    def step(self, folds: Folds) -> bool:
        """Have the next game analysed that was not; whether one was found within the time."""
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
        """Have a game analysed unless it is; whether it was not."""
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
