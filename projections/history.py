"""History: which entries of a game count after its corrections, in which order, and with which content.

Nothing is ever deleted. A correction counts unless a later one that counts takes it out, so the newest are looked at
first; what a correction changes is as it was before when the correction itself is withdrawn.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from projections.errors import FoldError
from projections.fold import MOVES, Fold, override_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from events.event import Event
    from projections.fold import Step


UNSAID = "It stands in the record."
"""Why a move stands that broke a rule where nobody said it: one of an imported record, perhaps."""


class _Points(msgspec.Struct):
    """The entries that a correction names, whatever its type."""

    entry: int | None = None
    ruling: int | None = None
    after: int | None = None
    keep: tuple[int, ...] = ()
    withdraw: tuple[int, ...] = ()
    reason: str = ""


_points = msgspec.json.Decoder(_Points)

CORRECTING = frozenset(
    {"entry.withdrawn", "entry.replaced", "entry.inserted", "move.revealed", "ruling.given", "ruling.revoked"}
)
"""The types of the entries that change what an earlier one counts for, or stand elsewhere than they were recorded."""

_REPLACING = frozenset({"entry.replaced", "move.revealed"})


class Corrections:
    """What the corrections among some entries do to the record.

    `void` are the entries that count no more, each with the version of the correction that took it out; `instead` the
    entries whose move is that of another one; `kept` those that stand against the rules by a correction, with its
    reason.
    """

    __slots__ = ("_behind", "_by", "_moved", "_named", "instead", "kept", "void")

    def __init__(self, events: Iterable[Event]) -> None:
        self.void: dict[int, int] = {}
        self.instead: dict[int, Event] = {}
        self.kept: dict[int, str] = {}
        self._behind: dict[int, list[Event]] = {}
        self._moved: set[int] = set()
        found = [(event, _points.decode(event.body)) for event in events if event.type in CORRECTING]
        self._by = [event.version for event, _ in found]
        self._named = [_earliest(event, points) for event, points in found]
        for at in reversed(range(len(found) - 1)):  # the earliest that this correction or a later one names
            self._named[at] = min(self._named[at], self._named[at + 1])
        for event, points in found:
            if points.after is not None:
                self._behind.setdefault(points.after, []).append(event)
                self._moved.add(event.version)
        for event, points in reversed(found):
            if event.version not in self.void:
                self._correct(event, points)

    def _correct(self, event: Event, points: _Points) -> None:
        if event.type in _REPLACING:
            self.instead.setdefault(points.entry or 0, event)
        elif taken := points.entry or points.ruling:
            self.void[taken] = event.version
        self.void |= dict.fromkeys(points.withdraw, event.version)
        self.kept |= dict.fromkeys(points.keep, points.reason)

    @property
    def none(self) -> bool:
        """Whether nothing is corrected."""
        return not self._by

    def settled(self, version: int) -> bool:
        """Whether nothing recorded behind `version` changes what was recorded up to it."""
        later = bisect_right(self._by, version)
        return later == len(self._by) or self._named[later] > version

    def earliest(self) -> int | None:
        """The earliest entry that any of the corrections names."""
        return self._named[0] if self._named else None

    def counts(self, event: Event) -> bool:
        """Whether an entry counts."""
        return event.version not in self.void

    def content(self, event: Event) -> Event:
        """The entry whose move counts in the place of this one: another one, or itself."""
        return self.instead.get(event.version, event)

    def in_place(self, version: int, events: Iterable[Event]) -> Iterator[Event]:
        """The entries behind `version`, in the order in which they happened: inserted ones where they belong."""
        if not self._moved:
            yield from events
            return
        yield from self._inserted(version)
        for event in events:
            if event.version not in self._moved:
                yield event
                yield from self._inserted(event.version)

    def _inserted(self, version: int) -> Iterator[Event]:
        """What was inserted behind an entry, each followed by what was inserted behind that."""
        waiting = self._behind.get(version, [])[::-1]
        while waiting:
            event = waiting.pop()
            yield event
            waiting += self._behind.get(event.version, [])[::-1]


def _earliest(event: Event, points: _Points) -> int:
    """The earliest entry that a correction names, else its own. Raises `FoldError` for one that is not before it."""
    named = [entry for entry in (points.entry, points.ruling, points.after, *points.withdraw) if entry is not None]
    for entry in (*named, *points.keep):
        if not 1 <= entry < event.version:
            raise FoldError(event.game, event.version, f"it names entry {entry}, which is not before it")
    return min(named, default=event.version)


class Stretch(NamedTuple):
    """A game on from some version: a fold of one's own of its beginning, the entries behind it, their corrections."""

    fold: Fold
    events: Sequence[Event]
    corrections: Corrections

    @classmethod
    def whole(cls, events: Sequence[Event]) -> Stretch:
        """A game from its opening on. Raises `RulesetUnknownError`, `FoldError`."""
        return cls(Fold.start(events[0]), events[1:], Corrections(events))

    def in_place(self) -> Iterator[Event]:
        """The entries in the order in which they happened, whether they count or not."""
        return self.corrections.in_place(self.fold.version, self.events)

    def take(self, event: Event) -> Step | None:
        """Fold one of the entries, if it counts: what it did. Raises `FoldError`."""
        corrections = self.corrections
        return self.fold.take(event, corrections.content(event)) if corrections.counts(event) else None

    def pass_over(self, event: Event) -> None:
        """As `take`, without saying what it did."""
        if self.corrections.counts(event):
            self.fold.pass_over(event, self.corrections.content(event))

    def to_the_end(self) -> Fold:
        """The fold of all entries that count. Raises `FoldError`."""
        fold, corrections = self.fold, self.corrections
        if corrections.none:
            for event in self.events:
                fold.pass_over(event, event)
        else:
            for event in self.in_place():
                self.pass_over(event)
        if self.events:
            fold.reach(self.events[-1])
        return fold

    def deeds(self) -> Iterator[tuple[Event, Event]]:
        """The moves and rulings that count, in the order in which they happened, each with the entry that it is in."""
        for event in self.in_place():
            if self.corrections.counts(event) and (event.type in MOVES or event.type == "ruling.given"):
                yield event, self.corrections.content(event)

    def reason(self, event: Event, irregular: Container[int]) -> str | None:
        """Why a move stands against the rules, if it does: in the words of whoever recorded or kept it."""
        content = self.corrections.content(event)
        said = override_of(content) or self.corrections.kept.get(event.version)
        return said or (UNSAID if event.version in irregular else None)

    def up_to(self, entry: int) -> Iterator[Event]:
        """Fold what happened before `entry`; the entries from there on are those that are yielded.

        Raises `FoldError`.
        """
        reached = False
        for event in self.in_place():
            reached = reached or event.version == entry
            if reached:
                yield event
            else:
                self.pass_over(event)
