"""The monitor: the progress of derived work in figures. It also starts urgent jobs."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from redis.exceptions import RedisError

from workers.analyses import SLOTS
from workers.queue import analysis_job_id, connect, enqueue_analyses, open_queue, open_queues, under_way

if TYPE_CHECKING:
    from pathlib import Path

    from events.log import LogReader
    from workers.results import Results

TIMEOUT = 0.3
"""The most seconds for an answer of Redis."""


class Progress(msgspec.Struct, frozen=True):
    """The progress of derived work.

    `redis` is whether Redis answers; `queued` how many jobs wait there, None if it does not answer. `lag` is how many
    events of the feed the relay has not seen. `dead_letters` is how many games have work that failed.
    """

    redis: bool
    queued: int | None
    lag: int
    dead_letters: int


class Monitor:
    """Looks at the work of one data folder. Safe to share between threads."""

    def __init__(self, log: LogReader, results: Results, redis_url: str) -> None:
        self._log, self._results = log, results
        self._redis = connect(redis_url, TIMEOUT)
        self._queues = open_queues(results, self._redis)
        self._asked = open_queue(results, self._redis, "asked")

    def look(self) -> Progress:
        """The current figures."""
        queued = self._queued()
        position, _ = self._results.cursor()
        return Progress(
            redis=queued is not None,
            queued=queued,
            lag=max(self._log.position() - position, 0),
            dead_letters=self._results.count_letters(),
        )

    def begin(self, folder: Path, analysis: str) -> None:
        """Queue an analysis at once, without waiting for the relay, if Redis answers."""
        with suppress(RedisError):
            known = under_way(self._asked)
            slots = [(analysis, slot) for slot in range(SLOTS) if analysis_job_id(analysis, slot) not in known]
            enqueue_analyses(self._asked, folder, slots)

    def close(self) -> None:
        """Close the connections to Redis."""
        self._redis.close()

    def _queued(self) -> int | None:
        try:
            return sum(int(queue.count) for queue in self._queues)
        except RedisError:
            return None
