"""The states of all games: the newest ones in memory, old ones from the nearest checkpoint."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from events.errors import GameUnknownError
from projections.checkpoints import load_checkpoint
from projections.errors import VersionUnknownError
from projections.history import Corrections, Stretch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events.event import Event
    from events.log import LogReader
    from projections.fold import Fold
    from projections.views import Views


KEPT = 1024
"""How many games' newest states are kept: each takes some kilobytes, and is folded again from its checkpoint."""


class Folds:
    """Folds by game and version. Those handed out are shared: copy before playing on one."""

    def __init__(self, log: LogReader, views: Views, capacity: int = KEPT) -> None:
        self._log, self._views, self._capacity = log, views, capacity
        self._newest: OrderedDict[str, Fold] = OrderedDict()
        self._lock = threading.Lock()

    def current(self, game: str) -> Fold:
        """The newest state of a game. Raises `GameUnknownError`, `DamagedError`, `FoldError`."""
        head = self._log.head(game)
        if head is None:
            raise GameUnknownError(game)
        fold = self._newest.get(game)
        if fold is None or fold.hash != head.hash:
            fold = self._fold(game, head.version, fold if fold and fold.version < head.version else None)
            self.put(fold)
        return fold

    def at(self, game: str, version: int) -> Fold:
        """The state as it was at `version`. Raises `VersionUnknownError` and what `current` raises."""
        head = self._log.head(game)
        if head is None:
            raise GameUnknownError(game)
        if version == head.version:
            return self.current(game)
        if not 1 <= version < head.version:
            raise VersionUnknownError(game, version, head.version)
        return self._fold(game, version, None)

    def read(self, game: str, after: int, until: int) -> Iterator[Event]:
        """The stored entries `after < version <= until`, whether they count or not."""
        return self._log.read(game, after, until)

    def put(self, fold: Fold) -> None:
        """Remember `fold` as the newest of its game."""
        with self._lock:
            self._newest[fold.game] = fold
            self._newest.move_to_end(fold.game)
            if len(self._newest) > self._capacity:
                self._newest.popitem(last=False)

    def stretch(self, game: str, start: int, until: int, pending: Sequence[Event] = ()) -> Stretch:
        """What is needed to replay a game from `start`, as its record stands at version `until`.

        `pending` are entries behind `until` that are not stored yet. The stretch begins at `start` or before: nothing
        that a correction changes is in its fold.
        """
        return self._stretch(game, start, until, None, pending)

    def behind(self, game: str, entry: int) -> tuple[Fold, int]:
        """The state right after an entry, as the record counts today, later corrections and all; and today's version.

        Raises `VersionUnknownError` and what `current` raises.
        """
        head = self.current(game).version
        if not 1 <= entry <= head:
            raise VersionUnknownError(game, entry, head)
        stretch = self.stretch(game, max(entry - 1, 1), head)
        fold = stretch.fold
        if entry > 1:
            found = next(stretch.up_to(entry))
            stretch.pass_over(found)
            fold.reach(found)
        return fold, head

    def _fold(self, game: str, version: int, known: Fold | None) -> Fold:
        return self._stretch(game, version, version, known).to_the_end()

    def _stretch(self, game: str, start: int, until: int, known: Fold | None, pending: Sequence[Event] = ()) -> Stretch:
        while True:
            fold = known.copy() if known else load_checkpoint(self._views.db, game, start)
            stored = list(self._log.read(game, fold.version if fold else 0, until))
            events = [*stored, *pending]
            if fold is None:
                return Stretch.whole(events)
            corrections = Corrections(events)
            earliest = corrections.earliest()
            if stored and stored[0].prev != fold.hash:
                known, start = None, 0  # saved of another past: the record was cut short or restored since
            elif earliest is not None and earliest <= fold.version:
                known, start = None, earliest - 1
            else:
                return Stretch(fold, events, corrections)
