"""Erasures as entries: what `entry.erased` says, held against what is open and what is marked as erased.

The marks beside the lines are in no hash. The entries are. So a mark that was put there, taken away, or laid on another
entry or person contradicts them. Games that were opened before erasures were entries can have bare marks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from events import seals
from events.kinds import ERASING, FOUNDINGS
from events.schemas import ERASURES_RECORDED, SCHEMAS
from events.types import GAME_OPENED, EntryErased

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from events.event import Event
    from events.seals import Erasure, Part

_Where = tuple[int, "Part"]


class Finding(NamedTuple):
    """What is wrong with a part of an entry: it was brought back, or marked by nobody who is recorded."""

    kind: Literal["unerased", "unrecorded"]
    version: int
    why: str


def erasure_of(events: Iterable[Event], version: int, what: Part) -> Event | None:
    """The first of some entries that erased this part of that entry."""
    for event in events:
        if event.type in ERASING:
            data = SCHEMAS.read(event)
            if isinstance(data, EntryErased) and (data.entry, data.what) == (version, what):
                return event
    return None


def without_erased(events: Iterable[Event], record: Iterable[Event]) -> Iterator[Event]:
    """Some entries of a game, each without the parts that an entry of the game's `record` erased."""
    erased: dict[int, list[tuple[Part, Erasure]]] = {}
    for each in record:
        data = SCHEMAS.read(each) if each.type in ERASING else None
        if isinstance(data, EntryErased):
            erased.setdefault(data.entry, []).append((data.what, seals.Erasure(each.recorder, each.recorded_at)))
    for event in events:
        sealed = event.sealed
        for what, erasure in erased.get(event.version, ()):
            sealed = seals.erase(sealed, what, erasure)
        yield event if sealed is event.sealed else msgspec.structs.replace(event, sealed=sealed)


class ErasureCheck:
    """Walks one game's entries in their order. Raises what `SCHEMAS.read` and `seals.unpack` raise."""

    def __init__(self) -> None:
        self.bare = 0
        self.open = self.erased = self.shut = 0
        self._recorded = False
        self._first: int | None = None
        self._open: set[_Where] = set()
        self._marks: dict[_Where, set[Erasure]] = {}
        self._erased: dict[_Where, list[Event]] = {}

    def add(self, event: Event) -> None:
        """Take the next entry."""
        if event.type == GAME_OPENED:
            self._recorded = event.schema >= ERASURES_RECORDED
        elif event.type in FOUNDINGS:
            self._recorded = True
        if event.type in ERASING:
            data = SCHEMAS.read(event)
            if isinstance(data, EntryErased):
                self._erased.setdefault((data.entry, data.what), []).append(event)
                self._first = self._first or event.recorded_at
        if seals.holds_nothing(event.sealed):
            self._open.add((event.version, "hidden"))
            self.open += 1
            return
        for seal in seals.unpack(event.sealed):
            where = event.version, seals.part_of(seal.name)
            if seal.erased:
                self.erased += 1
                self._marks.setdefault(where, set()).add(seal.erased)
            elif seal.content is not None:
                self.open += 1
                self._open.add(where)
            else:
                self.shut += 1

    def findings(self) -> Iterator[Finding]:
        """All findings. Call it once, after the last entry."""
        for (version, what), events in self._erased.items():
            if version >= events[0].version:
                yield Finding("unrecorded", events[0].version, f"it erases entry {version}, which is not before it")
            elif (version, what) in self._open:
                why = f"its {_NAMES[what]} is open, although entry {events[0].version} erased it; erase it again"
                yield Finding("unerased", version, why)
        for (version, what), marks in self._marks.items():
            for mark in marks:
                if why := self._contradiction(mark, self._erased.get((version, what), [])):
                    yield Finding("unrecorded", version, f"its {_NAMES[what]} is marked as erased, {why}")

    def _contradiction(self, mark: Erasure, events: list[Event]) -> str:
        """Why no entry made this mark; empty if one did, or if it is older than such entries."""
        if any((mark.by, mark.at) == (event.recorder, event.recorded_at) for event in events):
            return ""
        older = not self._recorded and (self._first is None or mark.at < self._first)
        if older and not any(event.recorded_at <= mark.at for event in events):
            self.bare += 1
            return ""
        if events:
            return f"but not by the person and at the time of entry {events[0].version}, which erased it"
        return "and no entry erased it"


_NAMES: dict[Part, str] = {"text": "text", "hidden": "hidden part"}
