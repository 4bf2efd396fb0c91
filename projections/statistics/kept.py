"""A cache of slow figures: one for each view of the games, made anew after changes of games."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

KEPT = 16
"""How many figures are kept at the most."""

PATIENCE = 0.05
"""Seconds that somebody waits for new figures in the making, if there are older ones."""

T = TypeVar("T")


class _Kept(Generic[T]):
    """Figures, and the stamp of their games."""

    def __init__(self, figures: T | None) -> None:
        self.figures = figures
        self.stamp: object = self
        self.lock = threading.Lock()


class KeptFigures(Generic[T]):
    """Cached figures by their subject. Safe to share between threads.

    Figures are never changed: `make` gets the older ones, and makes others of them. All figures that are kept have
    together no more than the `most` size, apart from those that were made last.
    """

    def __init__(self, size: Callable[[T], int] = lambda _: 0, most: int = 0) -> None:
        self._size, self._most = size, most
        self._kept: OrderedDict[Hashable, _Kept[T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self,
        about: Hashable,
        stamp: object,
        make: Callable[[T | None], T],
        long: Callable[[T], bool] = lambda _: False,
        whole: Callable[[T], bool] = lambda _: True,
        like: Hashable = None,
    ) -> T:
        """The figures about some games. They stay valid as long as the `stamp` stays.

        Where it takes `long` to make the new ones of the older ones, that is done in the background, and the older ones
        are told meanwhile. The first ones are made of those about games `like` these. What is not `whole` is made
        further each time. Raises what `make` raises.
        """
        kept = self._place_of(about, like)
        if kept.figures is not None and kept.stamp == stamp and whole(kept.figures):
            return kept.figures
        older = kept.figures
        if not kept.lock.acquire(timeout=-1 if older is None else PATIENCE):
            assert older is not None  # noqa: S101 - for the types only
            return older
        if kept.figures is not None and long(kept.figures):
            older = kept.figures
            threading.Thread(target=self._remake, args=(kept, stamp, make, whole), name="figures", daemon=True).start()
            return older
        return self._remake(kept, stamp, make, whole)

    def is_current(self, about: Hashable, stamp: object, figures: T) -> bool:
        """Whether these figures have this stamp, and are not older."""
        kept = self._place_of(about)
        return kept.stamp == stamp and kept.figures is figures

    def cached(self, about: Hashable) -> T | None:
        """The cached figures about some games, of any age."""
        with self._lock:
            return self._cached_copy(about)

    def _cached_copy(self, about: Hashable) -> T | None:
        if about not in self._kept:
            return None
        self._kept.move_to_end(about)
        return self._kept[about].figures

    def _place_of(self, about: Hashable, like: Hashable = None) -> _Kept[T]:
        with self._lock:
            if about not in self._kept:
                self._kept[about] = _Kept(self._cached_copy(like))
            kept = self._kept[about]
            self._kept.move_to_end(about)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return kept

    def _remake(self, kept: _Kept[T], stamp: object, make: Callable[[T | None], T], whole: Callable[[T], bool]) -> T:
        """Make the figures anew, unless others did meanwhile. The caller holds the lock."""
        try:
            if kept.figures is None or kept.stamp != stamp or not whole(kept.figures):
                kept.figures, kept.stamp = make(kept.figures), stamp
                self._forget()
            return kept.figures
        finally:
            kept.lock.release()

    def _forget(self) -> None:
        """Drop the least recently used figures until the rest is within the limit."""
        with self._lock:
            while self._most and len(self._kept) > 1:
                found = {id(each.figures): each.figures for each in self._kept.values()}
                if sum(self._size(each) for each in found.values() if each is not None) <= self._most:
                    return
                self._kept.popitem(last=False)
