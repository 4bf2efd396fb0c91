"""The jobs of workers. Every job is idempotent."""

from __future__ import annotations

import logging
import os
import time
from functools import lru_cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from events.errors import DamagedError, GameUnknownError, LogFullError, LogUnreachableError
from events.stores import DATABASE_URL, REPLICA_URL
from projections.archive import ReadingArchive
from projections.audit import audit
from projections.errors import ProjectionError
from workers.analyses import Analyses
from workers.analysing import Analyst, ask_in_spare_time
from workers.backfill import Backfill
from workers.digests import Digests
from workers.queue import ANALYSE, BACKFILL, PROVE, RETRIES
from workers.rest import is_recording
from workers.results import Results
from workers.selfaudit import SelfAuditor

if TYPE_CHECKING:
    from collections.abc import Callable

    from rq.job import Job

    from projections.folds import Folds

logger = logging.getLogger(__name__)

SPARE_TIME = "KIFU_SPARE"
"""The environment variable for analysing finished games in spare time: `on` or `off`."""
ON = "on"

FOLDER = "KIFU_DATA"
"""The environment variable that names the data folder of this host."""

POISON = (ProjectionError, DamagedError, GameUnknownError)
"""The errors of a record itself: another try would not help."""


PAUSE = 2.0
"""Seconds between two tries of a job for which there is no room on the disk, or no database."""


def retry_later(job: Callable[..., None]) -> Callable[..., None]:
    """A job that waits while the disk is full or the database is away: that is no failure, and ends no worker."""

    @wraps(job)
    def run(*args: Any) -> None:
        told = False
        while True:
            try:
                return job(*args)
            except (LogFullError, LogUnreachableError) as error:
                if not told:
                    logger.warning("%s waits: %s", job.__name__, error)
                told = True
                time.sleep(PAUSE)

    return run


@retry_later
def snapshot(folder: str, game: str, version: int) -> None:
    """Store the score audit of a game at a version, or a dead letter with the cause of failure."""
    results = _results(folder)
    try:
        make_snapshot(results, _folds(folder), game, version)
    except POISON as error:
        results.put_dead_letter(game, version, str(error))
        logger.warning("no snapshot: %s", error)
        if isinstance(error, DamagedError):  # an open reader keeps the error, but the game can become readable
            _let_go(folder)


def make_snapshot(results: Results, folds: Folds, game: str, version: int) -> None:
    """Store the score audit of a game at a version. Raises the errors of its record."""
    fold = folds.at(game, version)
    results.keep_snapshot(audit(fold), fold.state.round)
    if fold.outcome():
        Digests(results, folds).make(game, version)
    if fold.outcome() and _has_spare_time():
        ask_in_spare_time(Analyses(results), fold)


@retry_later
def analyse(folder: str, analysis: str, slot: int) -> None:
    """Continue an analysis for some seconds, or record why it cannot be made."""
    _folds(folder)
    analyst, analyses = _analyst(folder), Analyses(_results(folder))
    try:
        analyst.run_for(analysis, slot=slot)
    except POISON as error:
        analyses.fail(analysis, str(error))
        logger.warning("no analysis: %s", error)
        if isinstance(error, DamagedError):
            _let_go(folder)


@retry_later
def backfill(folder: str) -> None:
    """Request missing analyses of finished games, if there is time to spare."""
    if _has_spare_time() and not is_recording(_archive(folder).log):
        _backfill(folder).step(_folds(folder))


@retry_later
def prove(folder: str) -> None:
    """Prove a random recorded game or ruleset, and store the differences."""
    _folds(folder)
    if is_recording(_archive(folder).log):
        return
    found = SelfAuditor(_archive(folder), _results(folder)).step()
    for difference in found:
        logger.warning("self-audit, %s: %s", difference.kind, difference.why)
    if any(difference.kind == "chain" for difference in found):
        _let_go(folder)


def record_failure(job: Job, kind: type[BaseException], error: BaseException, _trace: Any) -> None:
    """Record the final failure of a job, as a dead letter or at its analysis (an exception handler of RQ)."""
    if job.should_retry or job.func_name in {PROVE, BACKFILL}:
        return  # the relay queues these again
    folder, subject, number = job.args
    cause = f"{kind.__name__}: {error}" if str(error) else kind.__name__
    if job.func_name == ANALYSE:
        Analyses(_results(folder)).fail(subject, cause)
    else:
        _results(folder).put_dead_letter(subject, number, cause, RETRIES.max + 1)


def _own_folder(folder: str) -> str:
    """The data folder of this host. With a shared database, the host that queued the job may have another one."""
    return os.environ.get(FOLDER, folder) if os.environ.get(DATABASE_URL) else folder


@lru_cache(maxsize=4)
def _results(folder: str) -> Results:
    return Results(Path(folder), os.environ.get(DATABASE_URL, ""))


@lru_cache(maxsize=4)
def _analyst(folder: str) -> Analyst:
    archive = _archive(folder)
    return Analyst(Analyses(_results(folder)), archive.folds, archive.log)


@lru_cache(maxsize=4)
def _backfill(folder: str) -> Backfill:
    return Backfill(_results(folder))


def _has_spare_time() -> bool:
    return os.environ.get(SPARE_TIME, ON) == ON


def _let_go(folder: str) -> None:
    _archive(folder).close()
    _archive.cache_clear()
    _analyst.cache_clear()


def _folds(folder: str) -> Folds:
    """The folds of games, without content erased since the last job."""
    folds = _archive(folder).folds
    if folds.forget_erased():
        _analyst.cache_clear()
    return folds


@lru_cache(maxsize=4)
def _archive(folder: str) -> ReadingArchive:
    database_url, replica_url = (os.environ.get(name, "") for name in (DATABASE_URL, REPLICA_URL))
    return ReadingArchive(Path(_own_folder(folder)), database_url, replica_url)
