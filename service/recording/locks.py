"""Locks: those who change the same thing wait for each other."""

from __future__ import annotations

import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from service.languages import gettext
from service.problems.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Iterator


LOCK_TIMEOUT = 1.0
"""Seconds that somebody waits for his turn. More would be for a store that does not answer, with a thread for each."""


class LockTimeoutError(ServiceError):
    """Somebody else is at the same, and has not ended in time."""

    kind, seconds = "overloaded", 1


class KeyedLocks:
    """A queue for every key that somebody is at, for the threads of this process."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, _KeyLock] = WeakValueDictionary()
        self._looking = threading.Lock()

    @contextmanager
    def of(self, *keys: str) -> Iterator[None]:
        """Hold the locks of these keys. Raises `LockTimeoutError`."""
        with self._looking:
            turns = [self._locks.setdefault(key, _KeyLock()) for key in sorted(set(keys))]
        with ExitStack() as stack:
            for turn in turns:  # in one order for all, so that no two wait for each other
                if not turn.lock.acquire(timeout=LOCK_TIMEOUT):
                    raise LockTimeoutError(
                        gettext("somebody else has been changing the same for %(time)g s", time=LOCK_TIMEOUT)
                    )
                stack.callback(turn.lock.release)
            yield


class _KeyLock:
    """A lock that is forgotten when nobody waits for it any more."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
