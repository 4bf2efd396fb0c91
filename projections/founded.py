"""Records of clubs, seasons and tournaments. Each is read whole, and its current state is cached."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from events.erasures import without_erased
from events.errors import BadEventError, DamagedError, LogNewerError, UnreadableError
from events.schemas import SCHEMAS
from events.types import EntryErased

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from events.event import Event
    from events.log import LogReader
    from events.types import EventData

T = TypeVar("T")

BROKEN = BadEventError, DamagedError, LogNewerError, UnreadableError
"""Why a record cannot be read by anybody."""


class _Withdrawal(Protocol):
    @property
    def entry(self) -> int: ...


class FoundedRecords(Generic[T]):
    """The current records of one kind in a log. Safe to share between threads."""

    def __init__(self, log: LogReader, founding: str, fold: Callable[[Sequence[Event]], T]) -> None:
        self._log, self._founding, self._fold = log, founding, fold
        self._known: dict[str, tuple[str, T]] = {}
        self._others: set[str] = set()
        self._lock = threading.Lock()

    def find(self, record: str) -> T | None:
        """A record; None if there is no record of this id and kind. Raises `DamagedError`."""
        if record in self._others:
            return None
        head = self._log.head(record)
        known = self._known.get(record)
        if head is None or (known and known[0] == head.hash):
            return known[1] if head and known else None
        first = self._log.find(record, record)
        if first is None or first.type != self._founding:
            if first is not None:
                self._others.add(record)
            return None
        folded = self._fold(list(self._log.read(record, 0, head.version)))
        with self._lock:
            self._known[record] = head.hash, folded
        return folded

    def as_of(self, record: str, version: int) -> T:
        """A record as it was at a version. Raises `DamagedError`."""
        return self._fold(list(self._log.read(record, 0, version)))

    def readable(self, records: Iterable[str], sees: Callable[[T], bool]) -> Iterator[T]:
        """The records of this kind among some ids that somebody `sees`, without damaged ones."""
        for record in records:
            with suppress(*BROKEN):
                if (found := self.find(record)) and sees(found):
                    yield found


class FoundedEntries(NamedTuple):
    """The entries of a record: the first one, those that are `withdrawn`, and the others with their places.

    `named` are all people in them, with the last entry that names each, also where it does not count.
    An erased text is gone as soon as the entry that erased it is there, and that entry says nothing more.
    """

    opened: EventData
    withdrawn: frozenset[int]
    named: dict[str, int]
    counting: list[tuple[int, EventData]]


def read_entries(events: Sequence[Event], withdrawal: type[_Withdrawal]) -> FoundedEntries:
    """The entries of a record with withdrawals of this kind. Raises `BadEventError` for a wrong one."""
    found = [SCHEMAS.read(event) for event in without_erased(events, events)]
    withdrawn = _withdrawn(found, withdrawal)
    counting = [
        (index, data)
        for index, data in enumerate(found[1:], 1)
        if index + 1 not in withdrawn and not isinstance(data, EntryErased)
    ]
    named = {player: version for version, data in enumerate(found, 1) for player in _people(data)}
    return FoundedEntries(found[0], withdrawn, named, counting)


def _people(data: EventData) -> list[str]:
    one = (getattr(data, name, None) for name in ("founder", "player"))
    return [*filter(None, one), *getattr(data, "players", ())]


def _withdrawn(found: Sequence[EventData], withdrawal: type[_Withdrawal]) -> frozenset[int]:
    """The entries that do not count. A withdrawn withdrawal has no effect."""
    out = set[int]()
    for index in range(len(found) - 1, -1, -1):
        data = found[index]
        if isinstance(data, withdrawal) and index + 1 not in out:
            if index == 1:
                raise BadEventError(index, "data.entry", "no entry can be withdrawn yet")
            if not 1 < data.entry <= index:
                raise BadEventError(index, "data.entry", f"choose one of entries 2 to {index}")
            if isinstance(found[data.entry - 1], EntryErased):
                raise BadEventError(index, "data.entry", "erased content cannot be restored")
            if data.entry in out:
                raise BadEventError(index, "data.entry", f"entry {data.entry} does not count already")
            out.add(data.entry)
    return frozenset(out)
