"""The jobs: what a worker does for a game. Every job can be done any number of times; its effect is there once."""

from __future__ import annotations

import logging
import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from events.errors import DamagedError, GameUnknownError
from events.stores import DATABASE_URL
from projections.archive import ReadingArchive
from projections.audit import audit
from projections.errors import ProjectionError
from workers.queue import RETRIES
from workers.results import Results

if TYPE_CHECKING:
    from rq.job import Job

    from projections.folds import Folds

logger = logging.getLogger(__name__)

POISON = (ProjectionError, DamagedError, GameUnknownError)
"""What is wrong with a record itself: to try again would not help."""


def snapshot(folder: str, game: str, version: int) -> None:
    """Store the score audit of a game at a version, or a dead letter that says why there is none."""
    results = _results(folder)
    try:
        make_snapshot(results, _archive(folder).folds, game, version)
    except POISON as error:
        results.put_letter(game, version, str(error))
        logger.warning("no snapshot: %s", error)
        if isinstance(error, DamagedError):  # an open reader stays with it, and the game can become readable
            _archive(folder).close()
            _archive.cache_clear()


def make_snapshot(results: Results, folds: Folds, game: str, version: int) -> None:
    """Store the score audit of a game at a version. Raises what is wrong with its record."""
    fold = folds.at(game, version)
    results.keep_snapshot(audit(fold), fold.state.round)


def bury(job: Job, kind: type[BaseException], error: BaseException, _trace: Any) -> None:
    """Turn a job that has failed for the last time into a dead letter (an exception handler of RQ)."""
    if not job.should_retry:
        folder, game, version = job.args
        cause = f"{kind.__name__}: {error}" if str(error) else kind.__name__
        _results(folder).put_letter(game, version, cause, RETRIES.max + 1)


@lru_cache(maxsize=4)
def _results(folder: str) -> Results:
    return Results(Path(folder))


@lru_cache(maxsize=4)
def _archive(folder: str) -> ReadingArchive:
    return ReadingArchive(Path(folder), os.environ.get(DATABASE_URL, ""))
