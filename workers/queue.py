"""The queue of jobs in Redis, managed by RQ. It can be lost: the relay derives all jobs from the log again."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Literal

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry as Reconnect
from rq import Queue, Retry
from rq.executions import Execution, ExecutionRegistry
from rq.job import Job
from rq.serializers import JSONSerializer

from workers.cache import open_pool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from events.event import Head
    from workers.results import Results

logger = logging.getLogger(__name__)

JOB_TIMEOUT = 60
"""The most seconds of processor time of a snapshot, about a thousand times the usual."""

ANALYSIS_TIMEOUT = 600
"""The most seconds of processor time of an analysis job. The longest unit, `luck-counts`, takes five."""

RETRIES = Retry(max=3, interval=[0, 2, 10])
"""Seconds from a temporary failure, or the death of a worker, until another try of the job."""

LEASE = 3
"""Seconds after the last heartbeat of a worker until another worker gets its job."""

MAINTENANCE = 3
"""The most seconds of taking over abandoned jobs."""


QueueName = Literal["", "asked", "spare"]
QUEUES: tuple[QueueName, ...] = ("", "asked", "spare")
"""The queues by priority: short jobs derived from the log, requested jobs, and jobs for spare time."""
SPARE: QueueName = "spare"

ANALYSE = "workers.jobs.analyse"
"""The function of the job that continues an analysis."""


PROVE = "workers.jobs.prove"
"""The job of the self-audit. There is at most one at a time."""
PROVE_ID = "prove"


BACKFILL = "workers.jobs.backfill"
"""The job that finds finished games without analyses. There is at most one at a time."""
BACKFILL_ID = "backfill"


class Leases(ExecutionRegistry):
    """The leases of a job, by name.

    RQ keeps a name for a minute longer than its lease, and a lease that was renewed too late has half of its fields. RQ
    reads each of them to end a job, and fails at these. The names are enough to forget them all.
    """

    def get_executions(self, start: int = 0, end: int = -1) -> list[Execution]:
        """The leases with a name, unread."""
        return [Execution(name, self.job_id, self.connection) for name in self.get_execution_ids(start, end)]


class LeasedJob(Job):
    """A job that can end normally even if its worker was paused for longer than its lease."""

    @property
    def execution_registry(self) -> Leases:
        """The leases of this job."""
        return Leases(self.id, self.connection)


class WorkQueue(Queue):
    """A queue that gets a job back within seconds after its worker died.

    A job that a worker took but did not begin is in no list of RQ: the relay queues it again.
    """

    job_class = LeasedJob

    def acquire_maintenance_lock(self) -> bool:
        """Take the lock for taking over abandoned jobs, if it is free. RQ's own lock lasts for 15 minutes."""
        return bool(self.connection.set(self.registry_cleaning_key, 1, nx=True, ex=MAINTENANCE))


def connect(url: str, timeout: float = 2.0) -> Redis:
    """A client of Redis that gives up after `timeout` seconds, and never retries by itself."""
    return Redis.from_pool(open_pool(url, timeout, retry=Reconnect(NoBackoff(), retries=1)))


def open_queue(results: Results, redis: Redis, name: QueueName = "") -> WorkQueue:
    """A queue of one data folder. Several data folders can share a Redis."""
    whole = f"kifu-{results.identity}" + (f"-{name}" if name else "")
    return WorkQueue(whole, connection=redis, serializer=JSONSerializer, default_timeout=JOB_TIMEOUT)


def open_queues(results: Results, redis: Redis, names: Iterable[QueueName] = QUEUES) -> list[WorkQueue]:
    """Queues of one data folder, by priority."""
    return [open_queue(results, redis, name) for name in names]


def job_id(game: str, version: int) -> str:
    """The id of the job that makes a snapshot, one per game and version."""
    return f"snapshot-{game}-{version}"


def enqueue(queue: Queue, folder: Path, heads: Iterable[Head]) -> None:
    """Queue the snapshot jobs of some games. Raises `redis.RedisError`."""
    jobs = [
        Queue.prepare_data(
            "workers.jobs.snapshot",
            args=(str(folder), head.game, head.version),
            job_id=job_id(head.game, head.version),
            description=f"snapshot of {head.game} at version {head.version}",
            result_ttl=0,
            failure_ttl=0,
            retry=RETRIES,
        )
        for head in heads
    ]
    if jobs:
        queue.enqueue_many(jobs)


def enqueue_analyses(queue: Queue, folder: Path, ids: Iterable[tuple[str, int]]) -> None:
    """Queue jobs that continue analyses: one for each id and slot. Raises `redis.RedisError`."""
    jobs = [
        Queue.prepare_data(
            ANALYSE,
            args=(str(folder), analysis, slot),
            job_id=analysis_job_id(analysis, slot),
            description=f"analysis {analysis}",
            timeout=ANALYSIS_TIMEOUT,
            result_ttl=0,
            failure_ttl=0,
            retry=RETRIES,
        )
        for analysis, slot in ids
    ]
    if jobs:
        queue.enqueue_many(jobs)


def enqueue_proof(queue: Queue, folder: Path) -> None:
    """Queue a proof of the self-audit. Raises `redis.RedisError`."""
    _enqueue_spare(queue, folder, PROVE, PROVE_ID, "self-audit")


def enqueue_backfill(queue: Queue, folder: Path) -> None:
    """Queue a search for finished games without analyses. Raises `redis.RedisError`."""
    _enqueue_spare(queue, folder, BACKFILL, BACKFILL_ID, "back-fill of analyses")


def _enqueue_spare(queue: Queue, folder: Path, function: str, id_: str, description: str) -> None:
    job = Queue.prepare_data(
        function, args=(str(folder),), job_id=id_, description=description, result_ttl=0, failure_ttl=0
    )
    queue.enqueue_many([job])


def analysis_job_id(analysis: str, slot: int) -> str:
    """The id of the job that continues an analysis in a slot."""
    return f"analysis-{analysis}-{slot}"


def under_way(queue: Queue) -> set[str]:
    """The ids of the jobs that wait, run, or wait for another try. Raises `redis.RedisError`.

    A job of a dead worker counts as running until its lease ends. One that was taken and not begun counts as none of
    these, also while its worker is about to begin it: at worst it is done twice.
    """
    started: list[str] = queue.started_job_registry.get_job_ids(cleanup=False)
    return {*queue.job_ids, *queue.scheduled_job_registry.get_job_ids(cleanup=False), *started}


def wait_until_up(redis: Redis) -> None:
    """Return as soon as Redis answers."""
    told = False
    while True:
        try:
            redis.ping()
            return
        except RedisError as error:
            if not told:
                logger.warning("waiting for Redis: %s", error)
                told = True
            time.sleep(0.2)
