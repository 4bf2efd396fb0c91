"""Locks: requests that change the same thing wait for each other."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from service.languages import gettext
from service.problems.errors import ServiceError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager


LOCK_TIMEOUT = 1.0
"""Seconds that somebody waits for a lock. More would be for a store that does not answer, with a thread for each."""

ATTEMPTS = 8
"""How often an append without an expected version is judged anew when others write to the same record meanwhile.

Within this process everybody waits for his turn; another process that writes to the same log does not.
"""


class LockTimeoutError(ServiceError):
    """Somebody else holds the lock, and did not release it in time."""

    kind, seconds = "overloaded", 1


class OvertakenError(ServiceError):
    """Other processes wrote to the same record at each attempt. The sender named no version, and can send it again."""

    kind, seconds = "overloaded", 1

    def __init__(self) -> None:
        super().__init__(gettext("others were faster %(attempts)d times in a row", attempts=ATTEMPTS))


class KeyedLocks:
    """A lock for every key, for the threads of this process. An unused one is removed."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
        self._looking = threading.Lock()

    def holding(self, *keys: str) -> AbstractContextManager[None]:
        """A context that holds the locks of these keys. Entering it raises `LockTimeoutError`."""
        with self._looking:  # in one order for all, so that no two wait for each other
            return _HeldLocks([self._locks.setdefault(key, threading.Lock()) for key in sorted(set(keys))])


class _HeldLocks:
    """Some locks, taken one after the other. All of them are held, or none."""

    __slots__ = ("_held", "_wanted")

    def __init__(self, wanted: Sequence[threading.Lock]) -> None:
        self._wanted, self._held = wanted, list[threading.Lock]()

    def __enter__(self) -> None:
        for each in self._wanted:
            if not each.acquire(timeout=LOCK_TIMEOUT):
                self.__exit__()
                raise LockTimeoutError(
                    gettext("somebody else has been changing the same for %(time)g s", time=LOCK_TIMEOUT)
                )
            self._held.append(each)

    def __exit__(self, *_: object) -> None:
        while self._held:
            self._held.pop().release()
