"""Ladders that are kept for a while: one for each view of the games, made anew when games changed."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from projections.statistics.ratings import Ladder

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from projections.statistics.results import Result

KEPT = 16
"""How many ladders are kept."""

PATIENCE = 4
"""A ladder of changed games is made anew at the earliest after this many times the seconds that it took."""


class _Kept(NamedTuple):
    ladder: Ladder
    stamp: Hashable
    made_at: float
    took: float


class Ladders:
    """Ladders by what they are about. Safe to share between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, about: Hashable, stamp: Hashable, results: Callable[[], Iterable[Result]]) -> Ladder:
        """The ladder about some games; they are the same as long as the `stamp` is. Raises what `results` raises."""
        with self._lock:
            found, now = self._kept.get(about), time.monotonic()
            if found is None or (found.stamp != stamp and now - found.made_at > PATIENCE * found.took):
                ladder = Ladder.of(results())
                found = self._kept[about] = _Kept(ladder, stamp, time.monotonic(), time.monotonic() - now)
            self._kept.move_to_end(about)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return found.ladder
