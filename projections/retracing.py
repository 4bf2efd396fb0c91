"""Retracing: the entries of a record in the order of recording, each with the state before it.

A correction changes the states from its place on. Until it was recorded, the entries before it met other ones.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from events.errors import UnreadableError
from events.types import CORRECTIONS, Correction, MoveRevealed, RulingGiven
from games.contract import RECORD
from games.errors import BadMoveError, ImpossibleError
from projections.errors import FoldError
from projections.fold import adjustments_in, move_in
from projections.history import Corrections, Segment

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from events.event import Event
    from events.types import EventData
    from games.contract import Viewpoint
    from games.errors import RuleBrokenError
    from projections.fold import Fold

SPAN = 256
"""How many entries lie between two states that are kept for the corrections to come."""


class RetracedEntry(NamedTuple):
    """An entry, its known data, and the state at its place.

    `breaches` are the rules that its move breaks there. `excused` says that the move broke the same rules before this
    entry told more of it. `kept` are the entries that it keeps against the rules, and those that break more of them
    since then without a reason: it was erased, perhaps. `past` says that the entry changes nothing any more.
    """

    event: Event
    data: EventData
    fold: Fold
    breaches: Sequence[RuleBrokenError] = ()
    excused: bool = False
    kept: Collection[int] = ()
    past: bool = False


def seen(data: EventData, viewpoint: Viewpoint) -> EventData:
    """The data without the parts of its move or adjustments that a viewpoint cannot know."""
    if isinstance(data, RulingGiven):
        ruled = [adjustment.seen(viewpoint) for adjustment in adjustments_in(data)]
        return msgspec.structs.replace(data, adjustments=ruled)
    if data.ruleset_field == "move":
        changed: EventData = msgspec.structs.replace(data, move=move_in(data).seen(viewpoint))
        return changed
    return data


def start(record: Sequence[Event], viewpoint: Viewpoint) -> Segment:
    """A record from its opening on, seen from a viewpoint."""
    segment = Segment.of_game(record)
    if viewpoint != RECORD:
        read = segment.fold.read
        segment.fold.read = lambda event: seen(read(event), viewpoint)
    return segment


def retrace(record: Sequence[Event], viewpoint: Viewpoint) -> Iterator[RetracedEntry]:
    """The entries of a whole record after its opening, seen from a viewpoint.

    The states follow from what is known there alone, so that nothing else can be told of them. Raises `FoldError` for
    an entry that could not be carried out. Without corrections it takes one fold; each correction folds anew from the
    place that it changes.
    """
    yield from _Retracing(record, viewpoint).run()


class _Retracing:
    def __init__(self, record: Sequence[Event], viewpoint: Viewpoint) -> None:
        self._record, self._viewpoint = record, viewpoint
        self._fold = start(record[:1], viewpoint).fold
        self._kept: list[Fold] = []
        corrections = [event.version for event in record if event.type in CORRECTIONS]
        self._last = max(corrections, default=0)

    def run(self) -> Iterator[RetracedEntry]:
        if self._fold.blocked_by:
            raise self._fold.blocked_by
        for event in self._record[1:]:
            try:
                yield from self._meet(event)
            except (UnreadableError, BadMoveError, ImpossibleError) as error:
                raise FoldError(event.game, event.version, str(error)) from error
            if event.version % SPAN == 0 and event.version < self._last:
                self._kept.append(self._fold.copy())

    def _meet(self, event: Event) -> Iterator[RetracedEntry]:
        data = self._fold.read(event)
        if isinstance(data, Correction) and (not isinstance(data, RulingGiven) or data.after is not None):
            yield self._correct(event, data)
        else:
            yield from self._add(event, data)

    def _add(self, event: Event, data: EventData) -> Iterator[RetracedEntry]:
        fold = self._fold
        if data.is_played_here:
            move = move_in(data)
            breaches = list(fold.state.breaches(move))
            yield RetracedEntry(event, data, fold, breaches)
        else:
            yield RetracedEntry(event, data, fold)
        fold.apply_entry(event, event)
        fold.advance(event)

    def _correct(self, event: Event, correction: Correction) -> RetracedEntry:
        """The entry with the state at the place of what it brings; the game goes on from what it made of the record."""
        segment = self._segment(event, correction)
        met: dict[str, Any] = {}
        before = place = self._fold
        if correction.ruleset_field:
            subject = correction.corrected_entry or event.version
            rest = segment.replay_until(subject)
            first = next(rest, None)
            place = segment.fold.copy()
            if correction.ruleset_field == "move":
                met = self._retraced_move(event, before.irregular.get(subject, ()), place)
            segment.replay(chain([first] if first else [], rest))
        else:
            segment.run_to_end()
        self._fold = segment.fold
        self._fold.advance(event)
        kept = {each for each in correction.keep if self._viewpoint == RECORD or each in self._fold.irregular}
        kept |= self._newly_broken(segment, event, correction, before)
        return RetracedEntry(event, self._fold.read(event), place, kept=sorted(kept), **met)

    def _retraced_move(self, event: Event, known: Collection[str], place: Fold) -> dict[str, Any]:
        """The rules that the move of a correction breaks, and whether a revealed one broke them before."""
        data = place.read(event)
        breaches = list(place.state.breaches(move_in(data)))
        excused = isinstance(data, MoveRevealed) and all(breach.rule in known for breach in breaches)
        return {"breaches": breaches, "excused": excused}

    def _newly_broken(self, segment: Segment, event: Event, correction: Correction, before: Fold) -> set[int]:
        """The entries after a correction that break more rules than before, and nobody says why."""
        known, subject = before.irregular, {event.version, correction.corrected_entry}
        taken = correction.withdrawn_entry
        takes_correction = taken is not None and self._record[taken - 1].type in CORRECTIONS
        if takes_correction and known:  # what that one kept stands no longer by its word
            kept = Corrections(self._record[: event.version - 1]).kept
            known = {version: rules for version, rules in known.items() if version not in kept}
        broken = {
            version: set(rules).difference(known.get(version, ()))
            for version, rules in segment.fold.irregular.items()
            if rules != known.get(version) and version not in subject and not self._may_stand(segment, version)
        }
        if broken and taken and takes_correction:
            returned = self._broken_until(taken - 1)
            broken = {version: rules.difference(returned.get(version, ())) for version, rules in broken.items()}
        return {version for version, rules in broken.items() if rules}

    def _may_stand(self, segment: Segment, version: int) -> bool:
        """Whether an entry is kept against the rules, or has its own reason that everybody may know."""
        if version in segment.corrections.kept:
            return True
        return self._viewpoint == RECORD and segment.override_reason(self._record[version - 1]) is not None

    def _broken_until(self, version: int) -> Mapping[int, Collection[str]]:
        """The irregular entries of the record up to a version."""
        try:
            return start(self._record[:version], self._viewpoint).run_to_end().irregular
        except FoldError:  # a later correction healed it
            return {}

    def _segment(self, event: Event, correction: Correction) -> Segment:
        """The record up to and with a correction, from a state that it does not change."""
        record = self._record[: event.version]
        earliest = min((*correction.changed_entries, *correction.keep), default=event.version)
        while self._kept and self._kept[-1].version >= earliest:
            self._kept.pop()
        if not self._kept:
            return start(record, self._viewpoint)
        later = record[self._kept[-1].version :]
        return Segment(self._kept[-1].copy(), later, Corrections(later))
