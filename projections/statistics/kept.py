"""Figures that take long to make, kept for a while: one for each view of the games, made anew when games changed."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

KEPT = 16
"""How many figures are kept."""

PATIENCE = 4
"""Figures of changed games are made anew at the earliest after this many times the seconds that they took."""

T = TypeVar("T")


class _Kept(NamedTuple):
    figures: Any
    stamp: Hashable
    made_at: float
    took: float


class KeptFigures:
    """Figures by what they are about. Safe to share between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self, about: Hashable, stamp: Hashable, make: Callable[[], T], whole: Callable[[T], bool] = lambda _: True
    ) -> T:
        """The figures about some games; they are the same as long as the `stamp` is. Raises what `make` raises.

        Only `whole` ones are kept.
        """
        with self._lock:
            found, now = self._kept.get(about), time.monotonic()
            if found is None or (found.stamp != stamp and now - found.made_at > PATIENCE * found.took):
                made = make()
                if not whole(made):
                    self._kept.pop(about, None)
                    return made
                found = self._kept[about] = _Kept(made, stamp, time.monotonic(), time.monotonic() - now)
            self._kept.move_to_end(about)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return cast("T", found.figures)
