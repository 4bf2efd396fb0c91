"""Turns: whoever is about to change the same thing waits for whoever is at it."""

from __future__ import annotations

import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Iterator


class Turns:
    """A queue for every key that somebody is at, for the threads of this process."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, _Turn] = WeakValueDictionary()
        self._looking = threading.Lock()

    @contextmanager
    def of(self, *keys: str) -> Iterator[None]:
        """Wait for all others that are at one of these keys, and keep them waiting meanwhile."""
        with self._looking:
            turns = [self._locks.setdefault(key, _Turn()) for key in sorted(set(keys))]
        with ExitStack() as stack:
            for turn in turns:  # in one order for all, so that no two wait for each other
                stack.enter_context(turn.lock)
            yield


class _Turn:
    """A lock that is forgotten when nobody waits for it any more."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
