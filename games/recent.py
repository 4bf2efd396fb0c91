"""Caches of what was used last. Threads share them without locks, as rulesets have none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


class Recent(Generic[T]):
    """The items that were used last, the newest first. Several threads may use it at the same time.

    It keeps `most` items. With `size`, the items after the first `always` have at most `most_size` together.
    """

    def __init__(
        self, most: int, *, always: int = 1, most_size: int = 0, size: Callable[[T], int] | None = None
    ) -> None:
        self._items: list[T] = []
        self._most, self._always, self._most_size, self._size = most, always, most_size, size

    def __iter__(self) -> Iterator[T]:
        """The items now. What other threads add meanwhile does not come."""
        return iter(self._items[:])

    def add(self, item: T) -> None:
        """Add the newest item, and drop the oldest ones."""
        self._items.insert(0, item)
        del self._items[self._count_kept() :]  # one more, if another thread adds an item now

    def take(self, item: T) -> bool:
        """Take an item out, to change it. False if another thread has it."""
        try:
            self._items.remove(item)
        except ValueError:
            return False
        return True

    def clear(self) -> None:
        """Drop all items."""
        self._items.clear()

    def _count_kept(self) -> int:
        """The number of items to keep."""
        total = 0
        for number, item in enumerate(self._items[: self._most] if self._size else ()):
            total += self._size(item) if self._size and number >= self._always else 0
            if total > self._most_size:
                return number
        return self._most
