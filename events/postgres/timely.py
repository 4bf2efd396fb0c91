"""Connections with a time limit for each answer, even if the other side accepts everything and never answers.

So does a server that was halted, and so does a commit that waits for a synchronous standby, which may be away for days.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from psycopg import Connection, OperationalError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from psycopg.abc import PQGen

LOCK_TIMEOUT = 5.0
"""Seconds to wait for what somebody else has locked."""

ANSWER_TIMEOUT = LOCK_TIMEOUT + 2.0
"""Seconds that an answer may take."""

MIN_ENTRIES_PER_SECOND = 1000
"""Entries that are stored in a second, at least."""

T = TypeVar("T")


class AnswerTimeoutError(OperationalError):
    """An answer did not come in time. Nobody knows whether the statement was run, or will be."""


class TimedConnection(Connection[Any]):
    """A connection that waits at most `patience` seconds for each answer."""

    patience = ANSWER_TIMEOUT
    _ends = threading.local()

    @classmethod
    @contextmanager
    def time_limit(cls, seconds: float) -> Iterator[float]:
        """Limit the time of all answers to this thread. Yields the end of that time."""
        before = getattr(cls._ends, "at", None)
        cls._ends.at = ends = time.monotonic() + seconds
        try:
            yield ends
        finally:
            cls._ends.at = before

    def wait(self, gen: PQGen[T], *args: Any, **more: Any) -> T:
        """Wait for an answer. Raises `AnswerTimeoutError`."""
        now = time.monotonic()
        ends = getattr(self._ends, "at", None) or now + self.patience
        try:
            return super().wait(gen, *args, **more | {"timeout": None if ends == inf else max(ends - now, 0.0)})
        except OperationalError as error:
            if time.monotonic() < ends:
                raise
            self.close()
            raise AnswerTimeoutError("it does not answer in time") from error


def without_time_limit() -> AbstractContextManager[float]:
    """Lift the time limit, for statements that read all that is stored."""
    return TimedConnection.time_limit(inf)


def time_for_storing(entries: int) -> AbstractContextManager[float]:
    """Limit the time of answers to the time that storing this number of entries may take."""
    return TimedConnection.time_limit(ANSWER_TIMEOUT + entries / MIN_ENTRIES_PER_SECOND)
