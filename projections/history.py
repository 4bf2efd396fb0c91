"""History: the entries of a game that count after its corrections, their order, and their content.

Nothing is ever deleted. A correction counts unless a later one that counts takes it out, so the newest are read first.
If a correction is withdrawn, everything that it changed is as it was before.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, cast

from events.errors import UnreadableError
from events.schemas import SCHEMAS
from events.types import CORRECTIONS, MOVES, REVISION_ADOPTED, MoveRevealed, RevisionAdopted, RulingGiven
from games.errors import ImpossibleError
from projections.errors import FoldError
from projections.fold import Adoption, Fold

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from events.event import Event
    from events.types import Correction, EventData, GameOpened, MoveData
    from games.contract import State
    from projections.fold import Applied


NO_REASON = "It stands in the record."
"""The reason for an irregular move without a recorded reason, perhaps from an import."""


class Corrections:
    """The effects of the corrections among some entries.

    `taken_out` maps entries that no longer count to the version of the correction that took them out. `replacements`
    maps entries to the entry with the move that counts in their place. `adopted` says how the game was moved on to a
    newer revision of its rules, if it was. `kept` maps entries that stand against the rules by a correction to its
    reason, and `kept_by` to its version.
    """

    __slots__ = (
        "_by",
        "_inserts",
        "_moved",
        "_named",
        "_own",
        "_told",
        "adopted",
        "kept",
        "kept_by",
        "replacements",
        "taken_out",
    )

    def __init__(self, events: Iterable[Event]) -> None:
        self.taken_out: dict[int, int] = {}
        self.replacements: dict[int, Event] = {}
        self.kept: dict[int, str] = {}
        self._told: dict[int, list[Event]] = {}
        self.adopted: Adoption | None = None
        self.kept_by: dict[int, int] = {}
        self._inserts: dict[int, list[Event]] = {}
        self._moved: set[int] = set()
        found = [(event, cast("Correction", SCHEMAS.read(event))) for event in events if event.type in CORRECTIONS]
        self._by = [event.version for event, _ in found]
        self._own = [_earliest(event, correction) for event, correction in found]
        self._named = self._own.copy()
        for at in reversed(range(len(found) - 1)):  # the earliest that this correction or a later one names
            self._named[at] = min(self._named[at], self._named[at + 1])
        for event, correction in found:
            if correction.inserted_after is not None:
                self._inserts.setdefault(correction.inserted_after, []).append(event)
                self._moved.add(event.version)
        for event, correction in reversed(found):
            if event.version not in self.taken_out:
                self._correct(event, correction)

    def _correct(self, event: Event, correction: Correction) -> None:
        if isinstance(correction, RevisionAdopted):
            self.adopted = self.adopted or Adoption(event.version, correction.revision)
        elif correction.corrected_entry is not None:
            self.replacements.setdefault(correction.corrected_entry, event)
            self._told.setdefault(correction.corrected_entry, []).append(event)
        elif correction.withdrawn_entry is not None:
            self.taken_out[correction.withdrawn_entry] = event.version
        self.taken_out |= dict.fromkeys(correction.withdraw, event.version)
        self.kept |= dict.fromkeys(correction.keep, correction.reason)
        self.kept_by |= dict.fromkeys(correction.keep, event.version)

    @property
    def is_empty(self) -> bool:
        """Whether there are no corrections."""
        return not self._by

    @property
    def in_order(self) -> bool:
        """Whether the order of play is the order of recording."""
        return not self._moved

    def unchanged_since(self, version: int) -> bool:
        """Whether no entry after `version` changes entries up to it."""
        later = bisect_right(self._by, version)
        return later == len(self._by) or self._named[later] > version

    def changing(self, version: int) -> list[int]:
        """The counting corrections after `version` that change entries up to it."""
        later = range(bisect_right(self._by, version), len(self._by))
        return [self._by[at] for at in later if self._own[at] <= version and self._by[at] not in self.taken_out]

    def earliest(self) -> int | None:
        """The earliest entry that any of the corrections names."""
        return self._named[0] if self._named else None

    def counts(self, event: Event) -> bool:
        """Whether an entry counts."""
        return event.version not in self.taken_out

    def content(self, event: Event) -> Event:
        """The entry with the move that counts for this one: another entry, or this one."""
        return self.replacements.get(event.version, event)

    def contents(self, event: Event) -> Sequence[Event]:
        """The entries with moves for this one, the newest first and this one last."""
        return *self._told.get(event.version, ()), event

    def in_play_order(self, version: int, events: Iterable[Event]) -> Iterator[Event]:
        """The entries after `version` in the order of play, with inserted ones at their places."""
        if not self._moved:
            yield from events
            return
        yield from self._inserted(version)
        for event in events:
            if event.version not in self._moved:
                yield event
                yield from self._inserted(event.version)

    def _inserted(self, version: int) -> Iterator[Event]:
        """The insertions after an entry, each followed by the insertions after it."""
        waiting = self._inserts.get(version, [])[::-1]
        while waiting:
            event = waiting.pop()
            yield event
            waiting += self._inserts.get(event.version, [])[::-1]


def _earliest(event: Event, correction: Correction) -> int:
    """The earliest entry that a correction names, else its own. Raises `FoldError` for a later one."""
    named = correction.changed_entries
    for entry in (*named, *correction.keep):
        if not 1 <= entry < event.version:
            raise FoldError(event.game, event.version, f"it names entry {entry}, which is not before it")
    return min(named, default=event.version)


def refuse_older_revision(events: Sequence[Event]) -> None:
    """Raise `FoldError` for an entry that moved a game to rules that are not newer than its own at that time.

    No service records one; a file can hold it.
    """
    corrections = [event for event in events if event.type in CORRECTIONS]
    opened = cast("GameOpened", SCHEMAS.read(events[0]))
    for at, event in enumerate(corrections):
        if event.type == REVISION_ADOPTED:
            before = Corrections(corrections[:at]).adopted
            goes_by = before.revision if before else opened.revision
            adopted = cast("RevisionAdopted", SCHEMAS.read(event))
            if adopted.revision <= max(goes_by, adopted.from_):
                raise FoldError(
                    event.game,
                    event.version,
                    f"it moves the game to revision {adopted.revision} of its rules, from {goes_by}",
                )


class Segment(NamedTuple):
    """A game from some version on: its own fold of the beginning, the entries after it, and their corrections.

    >>> from pathlib import Path
    >>> from events.ndjson import parse_event
    >>> header, *lines = Path("sunday.ndjson").read_bytes().splitlines()
    >>> segment = Segment.of_game([parse_event(line) for line in lines])
    >>> for event in segment.in_play_order():
    ...     applied = segment.apply_entry(event)
    ...     print(event.version, [effect.kind for effect in applied.effects], segment.fold.state.totals())
    2 ['cards.dealt'] [0, 0]
    3 ['cards.played', 'bridge.built'] [0, 0]
    4 ['card.taken', 'turn.passed'] [0, 0]
    5 ['cards.played', 'bridge.built'] [0, 0]
    """

    fold: Fold
    events: Sequence[Event]
    corrections: Corrections

    @classmethod
    def of_game(cls, events: Sequence[Event]) -> Segment:
        """A game from its opening on. Raises `FoldError`."""
        return cls.from_opening(events[0], events[1:], Corrections(events))

    @classmethod
    def from_opening(cls, opening: Event, events: Sequence[Event], corrections: Corrections) -> Segment:
        """A game from its opening on, under the effective revision of its rules after its corrections."""
        return cls(Fold.start(opening, corrections.adopted), events, corrections)

    def in_play_order(self) -> Iterator[Event]:
        """The entries in the order of play, counting or not."""
        return self.corrections.in_play_order(self.fold.version, self.events)

    def apply_entry(self, event: Event) -> Applied | None:
        """Fold one of the entries, if it counts. Returns its effects. Raises `FoldError`."""
        corrections = self.corrections
        return self.fold.apply_entry(event, corrections.content(event)) if corrections.counts(event) else None

    def states(self) -> Iterator[tuple[Event, State]]:
        """The counting entries in the order of play, each with the state after it.

        The state is the same object each time, and changes in place: copy it to keep it. Raises `FoldError`.
        """
        for event in self.in_play_order():
            if self.apply_entry(event) is not None:
                yield event, self.fold.state

    def replay(self, events: Iterable[Event]) -> None:
        """As `apply_entry` for each, without returning effects."""
        corrections = self.corrections
        self.fold.replay((event, corrections.content(event)) for event in events if corrections.counts(event))

    def run_to_end(self) -> Fold:
        """The fold of all counting entries. Raises `FoldError`."""
        fold, events = self.fold, self.events
        if fold.blocked_by:
            raise fold.blocked_by
        if self.corrections.is_empty:
            fold.replay(zip(events, events, strict=True))
        else:
            self.replay(self.in_play_order())
        if events:
            fold.advance(events[-1])
        return fold

    def blocked_at(self, error: FoldError) -> Fold:
        """The fold right before an entry that cannot be carried out, with who sits where and what is closed today."""
        fold = self.fold
        for event in self.replay_until(error.version):
            if self.corrections.counts(event):
                with suppress(UnreadableError, ImpossibleError):
                    fold.observe(fold.read(event))
        fold.blocked_by = error
        if self.events:
            fold.advance(self.events[-1])
        return fold

    def effective_moves(self) -> Iterator[tuple[Event, EventData]]:
        """The counting moves and rulings in the order of play, each with the entry that counts for it."""
        for event in self.in_play_order():
            if self.corrections.counts(event):
                data = self.fold.read(self.corrections.content(event))
                if event.type in MOVES or isinstance(data, RulingGiven):
                    yield event, data

    def override_reason(self, event: Event, data: MoveData | None = None) -> str | None:
        """The recorder's reason why the move of an entry may break rules.

        A later reveal is the same move: the earlier excuse still holds. `data` is what the entry holds, if it was read.
        """
        for content in self.corrections.contents(event):
            made: MoveData = data if data and content is event else self.fold.read(content)
            if made.override or not isinstance(made, MoveRevealed):
                return made.override.reason if made.override else None
        return None

    def reason(self, event: Event, irregular: Container[int]) -> str | None:
        """The reason why a move stands against the rules, from the person who recorded or kept it."""
        said = self.override_reason(event) if event.type in MOVES else None
        said = said or self.corrections.kept.get(event.version)
        return said or (NO_REASON if event.version in irregular else None)

    def replay_until(self, entry: int) -> Iterator[Event]:
        """Fold everything before `entry`. Yields the entries from there on.

        Raises `FoldError`.
        """
        reached = entry <= self.fold.version
        for event in self.in_play_order():
            reached = reached or event.version == entry
            if reached:
                yield event
            else:
                self.replay((event,))
