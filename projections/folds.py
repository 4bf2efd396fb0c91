"""The states of all games: the newest ones in memory, old ones from the nearest checkpoint."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from events.errors import GameUnknownError
from projections.checkpoints import load_checkpoint
from projections.errors import VersionUnknownError
from projections.fold import Fold
from projections.history import advance, voided

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.event import Event
    from events.log import LogReader
    from projections.views import Views


class Folds:
    """Folds by game and version. Those handed out are shared: copy before playing on one."""

    def __init__(self, log: LogReader, views: Views, capacity: int = 4096) -> None:
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

    def history(self, game: str, start: int, until: int) -> tuple[Fold, list[Event], dict[int, int]]:
        """What is needed to replay a game from `start`, as its record stands at version `until`.

        Returns a fold of one's own at `start` or before, the entries after it up to `until`, and which entries of the
        record are void. Nothing that a correction up to `until` takes out is in the fold.
        """
        return self._history(game, start, until, None)

    def _fold(self, game: str, version: int, known: Fold | None) -> Fold:
        fold, events, void = self._history(game, version, version, known)
        advance(fold, events, void)
        return fold

    def _history(
        self, game: str, start: int, until: int, known: Fold | None
    ) -> tuple[Fold, list[Event], dict[int, int]]:
        while True:
            fold = known.copy() if known else load_checkpoint(self._views.db, game, start)
            events = list(self._log.read(game, fold.version if fold else 0, until))
            void = voided(events)
            if fold is None:
                return Fold.start(events[0]), events[1:], void
            if events and events[0].prev != fold.hash:
                known, start = None, 0  # saved of another past: the record was cut short or restored since
            elif fold.version >= min(void, default=until + 1):
                known, start = None, min(void) - 1
            else:
                return fold, events, void
