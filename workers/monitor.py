"""The monitor: how the work derived from the log gets along, in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from redis.exceptions import RedisError

from workers.queue import connect, open_queue

if TYPE_CHECKING:
    from events.log import LogReader
    from workers.results import Results

TIMEOUT = 0.3
"""Seconds that Redis has for an answer."""


class Progress(msgspec.Struct, frozen=True):
    """How far the work has come.

    `redis` is whether Redis answers; `queued` how many jobs wait there, None if it does not answer; `lag` how many
    events of the feed lie behind the relay's cursor, so that work may follow from them; `dead_letters` how many games
    have work that failed.
    """

    redis: bool
    queued: int | None
    lag: int
    dead_letters: int


class Monitor:
    """Looks at the work of one data folder. Safe to share between threads."""

    def __init__(self, log: LogReader, results: Results, redis_url: str) -> None:
        self._log, self._results = log, results
        self._queue = open_queue(results, connect(redis_url, TIMEOUT))

    def look(self) -> Progress:
        """The figures of this moment."""
        queued = self._queued()
        position, _ = self._results.cursor()
        return Progress(
            redis=queued is not None,
            queued=queued,
            lag=max(self._log.position() - position, 0),
            dead_letters=self._results.count_letters(),
        )

    def close(self) -> None:
        """Let go of Redis."""
        self._queue.connection.close()

    def _queued(self) -> int | None:
        try:
            return int(self._queue.count)
        except RedisError:
            return None
