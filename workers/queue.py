"""The queue: jobs in Redis, as RQ keeps them. It is a hint of what is to be done; the log is the truth."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry as Reconnect
from rq import Queue, Retry
from rq.serializers import JSONSerializer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from events.event import Head
    from workers.results import Results

logger = logging.getLogger(__name__)

JOB_TIMEOUT = 60
"""Seconds that a snapshot may take: some thousand times what it does take."""

RETRIES = Retry(max=3, interval=[0, 2, 10])
"""When a job that failed for a passing cause, or whose worker died, is tried again: seconds after the failure."""

MAINTENANCE = 3
"""Seconds that looking after the jobs that were left behind can take."""


class WorkQueue(Queue):
    """A queue whose maintenance is not held up for long by a worker that died over it."""

    def acquire_maintenance_lock(self) -> bool:
        """Whether this worker is to look after the jobs that were left behind. RQ's own lock lasts for 15 minutes."""
        return bool(self.connection.set(self.registry_cleaning_key, 1, nx=True, ex=MAINTENANCE))


def connect(url: str, timeout: float = 2.0) -> Redis:
    """A client of Redis that gives up after `timeout` seconds and leaves waiting and trying again to its user."""
    return Redis.from_url(
        url, socket_timeout=timeout, socket_connect_timeout=timeout, retry=Reconnect(NoBackoff(), retries=1)
    )


def open_queue(results: Results, redis: Redis) -> WorkQueue:
    """The queue of one data folder: several of them can share a Redis."""
    return WorkQueue(
        f"kifu-{results.identity}", connection=redis, serializer=JSONSerializer, default_timeout=JOB_TIMEOUT
    )


def job_id(game: str, version: int) -> str:
    """The id of the job that makes a snapshot: there is one a game and version."""
    return f"snapshot-{game}-{version}"


def enqueue(queue: Queue, folder: Path, heads: Iterable[Head]) -> None:
    """Put the snapshots of some games into the queue. Raises `redis.RedisError`."""
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


def under_way(queue: Queue) -> set[str]:
    """The ids of the jobs that wait, run, or wait to be tried again. Raises `redis.RedisError`.

    A job whose worker died counts as running until the workers take it up again.
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
