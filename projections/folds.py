"""The states of all games: the newest in memory, older ones from the nearest checkpoint."""

from __future__ import annotations

import threading
from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from events.canonical import GENESIS
from events.errors import GameUnknownError
from events.types import CORRECTIONS
from projections.checkpoints import load_checkpoint
from projections.correcting import LastUncorrected
from projections.errors import FoldError, VersionUnknownError
from projections.history import Corrections, Segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from events.event import Event
    from events.log import LogReader
    from projections.fold import Fold
    from projections.views import Views


KEPT_FOLDS = 1024
"""How many games' newest states are kept: each takes some 20 kB, and is folded again from its checkpoint."""

KEPT_ENTRIES = 250_000
"""How many entries the games in memory have together. An entry takes some 300 bytes of a state."""

KEPT_CORRECTIONS = 1024
"""The number of games with corrections in memory: the corrections alone, which are few."""

KEPT_PAGES = 128
"""The number of games with folds in memory at the ends of pages: reading goes on from there."""

ENDS = 2
"""The number of these folds of one game: those who read it side by side are not all equally far."""


T = TypeVar("T")


class _Kept(NamedTuple, Generic[T]):
    what: T
    entries: int


class GameMemory(Generic[T]):
    """A cache with one value for each game. The oldest value is dropped first.

    It holds at most `games`. Each value says how many entries it grew with, and all have at most `entries` together, as
    memory grows with these. The newest value stays, however large it is. Not safe to share between threads without a
    lock, apart from `get`.
    """

    def __init__(self, games: int, entries: int) -> None:
        self._most_games, self._most_entries = games, entries
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._entries = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, game: str) -> T | None:
        """The value of a game, if it is cached."""
        kept = self._kept.get(game)
        return None if kept is None else kept.what

    def put(self, game: str, what: T, entries: int) -> None:
        """Cache a value instead of the game's old one."""
        before = self._kept.get(game)
        self._kept[game] = _Kept(what, entries)
        self._kept.move_to_end(game)
        self._entries += entries - (before.entries if before else 0)
        while len(self._kept) > 1 and (len(self._kept) > self._most_games or self._entries > self._most_entries):
            self.forget(next(iter(self._kept)))

    def forget(self, game: str) -> None:
        """Drop a game from the cache."""
        kept = self._kept.pop(game, None)
        if kept is not None:
            self._entries -= kept.entries


class _Corrected(NamedTuple):
    """The corrections of a game up to a version; the entry there has `hash`."""

    version: int
    hash: str
    events: tuple[Event, ...]
    corrections: Corrections


_NOTHING_READ = _Corrected(0, GENESIS, (), Corrections(()))


class _PageEnd(NamedTuple):
    """The fold at the end of a page, and the corrections that it was folded with."""

    fold: Fold
    corrections: Corrections


class Folds:
    """Folds by game and version. They are shared: copy a fold before you play on it."""

    def __init__(self, log: LogReader, views: Views, capacity: int = KEPT_FOLDS) -> None:
        self._log, self._views = log, views
        self._newest: GameMemory[Fold] = GameMemory(capacity, KEPT_ENTRIES)
        self._corrected: GameMemory[_Corrected] = GameMemory(KEPT_CORRECTIONS, KEPT_ENTRIES)
        self._pages: GameMemory[tuple[_PageEnd, ...]] = GameMemory(KEPT_PAGES, KEPT_ENTRIES)
        self.last_uncorrected = LastUncorrected()
        self._lock = threading.Lock()
        self._erasure = 0

    def current(self, game: str) -> Fold:
        """The newest state of a game. Raises `GameUnknownError`, `DamagedError`, `LogNewerError`, `FoldError`."""
        return _whole(self.fold_until_error(game))

    def fold_until_error(self, game: str, version: int | None = None) -> Fold:
        """The state of a game, now or at `version`, up to the first entry that cannot be carried out.

        One with `blocked_by` stands before the first that cannot be. Raises as `at`, but no `FoldError` for an entry
        after the first.
        """
        head = self._log.head(game)
        if head is None:
            raise GameUnknownError(game)
        if version is not None and version != head.version:
            if not 1 <= version < head.version:
                raise VersionUnknownError(game, version, head.version)
            return self._as_far(game, version, None)
        fold = self._newest.get(game)
        if fold is None or fold.hash != head.hash:
            goes_on = fold is not None and fold.version < head.version and not fold.blocked_by
            fold = self._as_far(game, head.version, fold if goes_on else None)
            self.put(fold)
        return fold

    def at(self, game: str, version: int) -> Fold:
        """The state as it was at `version`. Raises `VersionUnknownError` and what `current` raises."""
        return _whole(self.fold_until_error(game, version))

    def at_each(self, game: str, versions: Iterable[int]) -> Iterator[Fold]:
        """The states at several versions, each after the one before it, without those that could not be replayed."""
        fold: Fold | None = None
        for version in versions:
            try:
                fold = self._segment(game, version, version, fold).run_to_end()
            except FoldError:
                continue
            yield fold

    def read(self, game: str, after: int, until: int) -> Iterator[Event]:
        """The stored entries `after < version <= until`, counting or not."""
        return self._log.read(game, after, until)

    def put(self, fold: Fold) -> None:
        """Remember `fold` as the newest of its game."""
        if self.last_uncorrected.kept:
            self.last_uncorrected.drop_old()
        with self._lock:
            self._newest.put(fold.game, fold, fold.version)

    def forget(self, game: str) -> None:
        """Remove a game from memory."""
        self.last_uncorrected.forget(game)
        with self._lock:
            self._newest.forget(game)
            self._corrected.forget(game)
            self._pages.forget(game)

    def forget_erased(self) -> bool:
        """Drop games with new erasures by any process from memory. True if there were any."""
        erased = self._log.erasures(self._erasure)
        for number, game in erased:
            self.forget(game)
            self._erasure = number
        return bool(erased)

    def segment(
        self,
        game: str,
        start: int,
        until: int,
        pending: Sequence[Event] = (),
        record: Sequence[Event] | None = None,
    ) -> Segment:
        """The segment for a replay from `start`, with the record at version `until`.

        `pending` are entries after `until` that are not stored yet, and `record` the stored ones, if they have been
        read already. The segment begins at `start` or before: nothing that a correction changes is in its fold.
        """
        return self._segment(game, start, until, None, pending, record)

    def page(self, game: str, after: int, last: int, head: int, read: Sequence[Event] = ()) -> Segment:
        """The segment for the entries `after < version <= last`, with the corrections of the record at `head`.

        It ends at `last`: of the entries after it, those are known that correct what is before. Entries that were
        `read` already are not read again if they follow the page before.
        """
        corrections, first = self._corrections_at(game, head, last if after <= 1 else 0)
        fold = self._page_end(game, after, corrections)
        if fold and read and (read[0].prev, read[-1].version - len(read), read[-1].version) == (fold.hash, after, last):
            return Segment(fold, list(read), corrections)
        fold = fold or self._checkpoint(game, after, corrections)
        before = fold.version - 1 if fold else 0
        events = first[before:] or list(self._log.read(game, before, last))
        if fold is not None and events[0].hash != fold.hash:  # saved of another past
            fold, events = None, first or list(self._log.read(game, 0, last))
        own, *rest = events
        return Segment(fold, rest, corrections) if fold else Segment.from_opening(own, rest, corrections)

    def keep_page(self, segment: Segment) -> None:
        """Cache the fold of a finished segment for the next page. Nobody else may play on it."""
        fold, corrections = segment.fold, segment.corrections
        if not segment.events or not corrections.in_order:
            return
        fold.advance(segment.events[-1])
        with self._lock:
            others = (each for each in self._pages.get(fold.game) or () if each.fold.version != fold.version)
            ends = (_PageEnd(fold, corrections), *islice(others, ENDS - 1))
            self._pages.put(fold.game, ends, sum(end.fold.version for end in ends))

    def _page_end(self, game: str, version: int, corrections: Corrections) -> Fold | None:
        """The cached fold at the end of the page before, if it fits today's corrections."""
        found = next((each for each in self._pages.get(game) or () if each.fold.version == version), None)
        if found is None:
            return None
        if found.corrections is not corrections and not corrections.unchanged_since(version):
            return None
        return found.fold.copy()

    def _checkpoint(self, game: str, version: int, corrections: Corrections) -> Fold | None:
        """The newest checkpoint up to a version that no correction changes."""
        fold = load_checkpoint(self._views.db, game, version)
        while fold is not None and not corrections.unchanged_since(fold.version):
            fold = load_checkpoint(self._views.db, game, fold.version - 1)
        return fold

    def _corrections_at(self, game: str, head: int, wanted: int = 0) -> tuple[Corrections, list[Event]]:
        """The corrections of a game up to version `head`. They need one reading of the whole game.

        If that is now, its entries up to version `wanted` come along.
        """
        first: list[Event] = []
        known = self._corrected.get(game) or _NOTHING_READ
        if known.version > head:
            known = _NOTHING_READ
        if known.version < head:
            known, first = self._read_corrections(game, known, head, wanted)
        with self._lock:
            self._corrected.put(game, known, len(known.events))
        return known.corrections, first

    def _read_corrections(self, game: str, known: _Corrected, head: int, wanted: int) -> tuple[_Corrected, list[Event]]:
        """The corrections up to version `head`, and the entries up to `wanted` if nothing was known before."""
        found = list(known.events)
        first: list[Event] = []
        last: Event | None = None
        for event in self._log.read(game, known.version, head):
            if last is None and event.prev != known.hash:  # of another past
                return self._read_corrections(game, _NOTHING_READ, head, wanted)
            if event.type in CORRECTIONS:
                found.append(event)
            if known is _NOTHING_READ and event.version <= wanted:
                first.append(event)
            last = event
        if last is not None:
            known = _Corrected(last.version, last.hash, tuple(found), Corrections(found))
        return known, first

    def right_after(self, game: str, entry: int, version: int | None = None) -> tuple[Fold, int]:
        """The state right after an entry, as the record counts today or counted at a version; and that version.

        Raises `VersionUnknownError` and what `current` raises.
        """
        head = self.fold_until_error(game, version).version
        if not 1 <= entry <= head:
            raise VersionUnknownError(game, entry, head)
        segment = self.segment(game, max(entry - 1, 1), head)
        fold = _whole(segment.fold)
        if entry > 1:
            found = next(segment.replay_until(entry))
            segment.replay((found,))
            fold.advance(found)
        return fold, head

    def _as_far(self, game: str, version: int, known: Fold | None) -> Fold:
        try:
            return self._segment(game, version, version, known).run_to_end()
        except FoldError as error:
            segment = self._segment(game, 1, version, None)
            if not segment.fold.blocked_by and not any(event.version == error.version for event in segment.events):
                raise
            return segment.blocked_at(error)

    def _segment(
        self,
        game: str,
        start: int,
        until: int,
        known: Fold | None,
        pending: Sequence[Event] = (),
        record: Sequence[Event] | None = None,
    ) -> Segment:
        while True:
            fold = known.copy() if known else load_checkpoint(self._views.db, game, start)
            before = fold.version - 1 if fold else 0
            stored = list(self._log.read(game, before, until)) if record is None else list(record[before:until])
            if fold is None:
                return Segment.of_game([*stored, *pending])
            own, events = stored[:1], [*stored[1:], *pending]
            corrections = Corrections(events)
            earliest = corrections.earliest()
            if not own or own[0].hash != fold.hash:
                known, start = None, 0  # saved of another past: the record was cut short or restored since
            elif earliest is not None and earliest <= fold.version:
                known, start = None, earliest - 1
            else:
                return Segment(fold, events, corrections)


def _whole(fold: Fold) -> Fold:
    """The fold, if all entries up to its version could be carried out. Raises `FoldError`."""
    if fold.blocked_by:
        raise fold.blocked_by
    return fold
