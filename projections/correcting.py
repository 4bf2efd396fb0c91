"""Correcting: whether a correction can stand, and its effects on everything after it.

A game is folded twice: without the correction, and with it. Later entries that no longer fit are
conflicts, unless the sender chose to keep them as irregular or to withdraw them.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from events.errors import UnreadableError
from events.schemas import SCHEMAS
from events.types import (
    MOVES,
    TYPES,
    Correction,
    EntryReplaced,
    EntryWithdrawn,
    MoveRevealed,
    RulingGiven,
    RulingRevoked,
)
from games.errors import BadMoveError, ImpossibleError, RuleBrokenError
from projections.errors import BadCorrectionError, Conflict, ConflictError, FoldError
from projections.fold import Applied, Fold, adjustments_in, move_in
from projections.history import Corrections

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from events.event import Event
    from events.types import EventData, MoveData
    from games.contract import Adjustment, Effect, Move
    from projections.errors import Choice
    from projections.history import Segment

LEGAL_MOVES_SHOWN = 12
"""The number of legal moves in a conflict, and of conflicts that have them."""

KEPT_SECONDS, KEPT_ENTRIES = 60.0, 5000
"""How long what a game did without a correction is kept in memory, and for how many entries at most."""


class Choices(NamedTuple):
    """The choices for entries that no longer fit: the named ones, or all possible ones for None."""

    keep: frozenset[int] | None = frozenset()
    withdraw: frozenset[int] | None = frozenset()

    def choice_for(self, version: int, possible: Sequence[Choice]) -> Choice | None:
        """The choice for an entry. A named entry counts before None, and `keep` before `withdraw`."""
        for named in (True, False):
            for choice in possible:
                chosen: frozenset[int] | None = getattr(self, choice)
                if (chosen is not None and version in chosen) if named else chosen is None:
                    return choice
        return None

    def check_named(self, record: Sequence[Event]) -> None:
        """Check that the named entries exist, that none is both kept and withdrawn, and that these can be withdrawn.

        Raises `BadCorrectionError`.
        """
        keep, withdraw = self.keep or frozenset(), self.withdraw or frozenset()
        for version in sorted(keep & withdraw):
            raise BadCorrectionError(f"entry {version} is named in `keep` and in `withdraw`: choose one")
        for version in sorted(keep | withdraw):
            form = TYPES[_find(record, version).type]
            if version in withdraw and form.undo_hint and form is not RulingGiven:
                raise BadCorrectionError(f"entry {version} {form.undo_hint}")

    def check_used(self, correction: Correction, void: Container[int], irregular: Container[int]) -> None:
        """Check that a correction, which takes out `void`, used every choice: each named entry was kept or withdrawn.

        A choice for an entry that fits anyway would surprise readers of the record. `irregular` entries stand already,
        as everybody sees: somebody has said so. Raises `BadCorrectionError`.
        """
        used = {*correction.keep, *correction.withdraw}
        for choice, named in (("keep", self.keep), ("withdraw", self.withdraw)):
            for version in sorted((named or frozenset()) - used):
                why, advice = "still fits", f"there is nothing to {choice}"
                if version in void:
                    why = "does not count after it"
                elif version in irregular:
                    why = "already counts although it breaks a rule"
                    advice = "withdraw it by itself" if choice == "withdraw" else advice
                raise BadCorrectionError(f"entry {version} {why}: {advice}")


class Criteria(NamedTuple):
    """The criteria for a correction.

    `subject` is the entry with the new move or ruling: it must fit by itself. `broken_before` maps versions to the
    rules that their entries broke in the record that returns when a correction is taken out. They were accepted there.
    """

    choices: Choices
    subject: int | None
    broken_before: Mapping[int, Sequence[str]]


class Change(msgspec.Struct, frozen=True):
    """An entry with other effects than before; None if it does not count."""

    version: int
    before: Applied | None
    after: Applied | None


class Corrected(msgspec.Struct):
    """A corrected game: its fold, the effects of the subject, the kept and withdrawn entries, and all changes."""

    fold: Fold
    step: Applied | None
    keep: list[int]
    withdraw: list[int]
    changes: list[Change]


# Whether it can be corrected at all


def check(record: Sequence[Event], correction: Correction) -> None:
    """Check that a correction fits the entries that it names. Raises `BadCorrectionError`."""
    match correction:
        case EntryWithdrawn(entry=version):
            if undone := _counting_entry(record, version).undo_hint:
                raise BadCorrectionError(f"entry {version} {undone}")
        case EntryReplaced(entry=version) | MoveRevealed(entry=version):
            data = _counting_entry(record, version)
            if isinstance(data, Correction) and data.corrected_entry:
                raise BadCorrectionError(f"entry {version} corrects entry {data.corrected_entry}: name that entry")
            if not data.is_played_here:
                raise BadCorrectionError(f"entry {version} is not a move: withdraw it and record another one")
        case RulingRevoked(ruling=version):
            if not isinstance(_counting_entry(record, version), RulingGiven):
                raise BadCorrectionError(f"entry {version} is not a ruling")
        case _:
            _find(record, correction.inserted_after or 1)


def _counting_entry(record: Sequence[Event], version: int) -> EventData:
    """The data of an entry that counts. Raises `BadCorrectionError`."""
    entry = _find(record, version)
    by = Corrections(record).taken_out.get(version)
    if by is not None:
        raise BadCorrectionError(f"entry {version} was withdrawn already, by entry {by}")
    return SCHEMAS.read(entry)


def _find(record: Sequence[Event], version: int) -> Event:
    if version > len(record):
        raise BadCorrectionError(f"there is no entry {version}; the last one is {len(record)}")
    return record[version - 1]


def check_revealed(known: Move, told: Move, unknown_fields: Sequence[str], *, erased: bool = False) -> None:
    """Check that a revealed move is the recorded one with more known facts. Raises `BadCorrectionError`.

    An unknown part of the `unknown_fields` (None, or a card that a list did not name) can have any value now. All other
    fields must stay as recorded. With `erased`, known facts can be missing: they may have been erased since.
    """
    if type(told) is not type(known):
        raise _contradiction("type", known.__struct_config__.tag, told.__struct_config__.tag)
    for field in known.__struct_fields__:
        one, other = getattr(known, field), getattr(told, field)
        fits = one == other or (
            field in unknown_fields and (_filled_in(one, other) or (erased and _filled_in(other, one)))
        )
        if not fits:
            raise _contradiction(field, one, other)


def _filled_in(known: Any, told: Any) -> bool:
    if known is None or known == told:
        return True
    if not isinstance(known, tuple) or not isinstance(told, tuple):
        return False
    if len(known) == len(told):
        return all(map(_filled_in, known, told))
    return len(known) < len(told) and not Counter(filter(None, known)) - Counter(told)


def _contradiction(field: str, known: object, told: object) -> BadCorrectionError:
    one, other = (msgspec.json.encode(each).decode() for each in (known, told))
    return BadCorrectionError(f"move.{field} was recorded as {one}, not {other}: what was seen cannot be changed")


# What it changes


class Uncorrected:
    """A game without a correction: the effects of its entries after version `start`, and all irregular entries.

    Those that an earlier correction kept are left out: they stand as long as that one counts.
    """

    def __init__(self, segment: Segment) -> None:
        self.start = segment.fold.version
        self.steps = _steps(segment)
        kept = segment.corrections.kept
        self.irregular = {version: rules for version, rules in segment.fold.irregular.items() if version not in kept}


class _Kept(NamedTuple):
    game: str
    hash: str
    until: float
    uncorrected: Uncorrected


class LastUncorrected:
    """The cache of the last game to correct, without its correction.

    A correction is usually tried before it is sent, so the game without it would be folded twice. It is kept for a
    minute. Safe to share between threads.
    """

    def __init__(self) -> None:
        self.kept: _Kept | None = None

    def find(self, game: str, hash_: str, start: int) -> Uncorrected | None:
        """The cached game with this hash of its newest entry, if it begins at version `start` or earlier."""
        self.drop_old()
        kept = self.kept
        if kept and (kept.game, kept.hash) == (game, hash_) and kept.uncorrected.start <= start:
            return kept.uncorrected
        return None

    def keep(self, game: str, hash_: str, uncorrected: Uncorrected) -> None:
        """Cache a game instead of the one before, unless it is too long."""
        if len(uncorrected.steps) <= KEPT_ENTRIES:
            self.kept = _Kept(game, hash_, time.monotonic() + KEPT_SECONDS, uncorrected)

    def drop_old(self) -> None:
        """Drop a game that was cached for long enough."""
        kept = self.kept
        if kept and time.monotonic() > kept.until:
            self.kept = None

    def forget(self, game: str) -> None:
        """Drop a game from the cache."""
        kept = self.kept
        if kept and kept.game == game:
            self.kept = None


def correct(before: Uncorrected, after: Segment, criteria: Criteria) -> Corrected:
    """Replay a game with a correction, and compare it with the game without it, which starts no later.

    Raises `ConflictError`, and for their subject `RuleBrokenError` or `ImpossibleError`.
    """
    return _Correcting(before, after, criteria).run()


class _Correcting:
    def __init__(self, before: Uncorrected, after: Segment, criteria: Criteria) -> None:
        self._was = before.steps
        self._known = before.irregular, criteria.broken_before
        self._after, self._fold, self._choices, self._subject = after, after.fold, criteria.choices, criteria.subject
        self._conflicts: list[Conflict] = []
        self._changes: list[Change] = []
        self._step: Applied | None = None
        self._chosen: dict[Choice, list[int]] = {"keep": [], "withdraw": []}

    def run(self) -> Corrected:
        for event in self._after.in_play_order():
            step = self._take(event) if self._after.corrections.counts(event) else None
            self._compare(event.version, step)
        self._fold.advance(self._after.events[-1])
        chosen = self._chosen
        corrected = Corrected(self._fold, self._step, chosen["keep"], chosen["withdraw"], self._changes)
        if self._conflicts:
            raise ConflictError(self._conflicts, corrected)
        return corrected

    def _take(self, event: Event) -> Applied | None:
        content = self._after.corrections.content(event)
        try:
            data = self._fold.read(content)
            if event.type in MOVES:
                return self._move(event, move_in(data), data)
            if isinstance(data, RulingGiven):
                return self._ruling(event, adjustments_in(data))
            return self._after.apply_entry(event)
        except (UnreadableError, BadMoveError, FoldError) as error:
            why = error.why if isinstance(error, FoldError) else f"it cannot be read: {error}"
            self._conflict(event.version, Conflict(event.version, why, None, ("withdraw",)))
            return None

    def _move(self, event: Event, move: Move, made: MoveData) -> Applied | None:
        fold, version = self._fold, event.version
        breaches = list(fold.state.breaches(move))
        broken = self._breach_without_override(event, breaches, made) if breaches else None
        if broken:
            impossible = self._impossible(move)
            if version == self._subject:
                raise broken from impossible
            possible: tuple[Choice, ...] = ("withdraw",) if impossible else ("keep", "withdraw")
            chosen = self._conflict(version, self._unfit(version, move, broken, possible))
            if chosen == "withdraw" or impossible:
                return None
        try:
            return fold.play_judged(version, move, breaches)
        except ImpossibleError as error:
            if version == self._subject:
                raise
            self._conflict(version, self._unfit(version, move, error, ("withdraw",)))
            return None

    def _impossible(self, move: Move) -> ImpossibleError | None:
        """Why a move that breaks a rule is also impossible; None if it is possible."""
        try:
            self._fold.state.copy().apply(move)
        except ImpossibleError as error:
            return error
        return None

    def _ruling(self, event: Event, adjustments: Sequence[Adjustment]) -> Applied | None:
        try:
            return self._fold.apply_ruling(event.version, adjustments)
        except ImpossibleError as error:
            if event.version == self._subject:
                raise
            self._conflict(event.version, Conflict(event.version, error.why, error.rule, ("withdraw",)))
            return None

    def _breach_without_override(
        self, event: Event, breaches: list[RuleBrokenError], made: MoveData
    ) -> RuleBrokenError | None:
        """The first rule that the move newly breaks without an excuse."""
        version = event.version
        is_subject = version == self._subject
        excuse = made.override if is_subject else self._after.override_reason(event)
        if version in self._after.corrections.kept or excuse is not None:
            return None
        fresh = is_subject and not isinstance(made, MoveRevealed)
        known = () if fresh else [rule for irregular in self._known for rule in irregular.get(version, ())]
        return next((breach for breach in breaches if breach.rule not in known), None)

    def _conflict(self, version: int, conflict: Conflict) -> Choice | None:
        chosen = self._choices.choice_for(version, conflict.choices)
        if chosen:
            self._chosen[chosen].append(version)
        else:
            self._conflicts.append(conflict)
        return chosen

    def _unfit(
        self, version: int, move: Move, error: RuleBrokenError | ImpossibleError, possible: tuple[Choice, ...]
    ) -> Conflict:
        """The conflict about a move that does not fit. The first conflicts have its notation and legal moves."""
        conflict = Conflict(version, error.why, error.rule, possible)
        if len(self._conflicts) >= LEGAL_MOVES_SHOWN or self._choices.choice_for(version, possible):
            return conflict
        state = self._fold.state
        legal = [state.notation(other) for other in islice(state.legal_moves(), LEGAL_MOVES_SHOWN)]
        return msgspec.structs.replace(conflict, notation=state.notation(move), legal=legal)

    def _compare(self, version: int, step: Applied | None) -> None:
        if version == self._subject:
            self._step = step
        was = self._was.get(version)
        if _done(was) != _done(step):
            self._changes.append(Change(version, was, step))


def _steps(segment: Segment) -> dict[int, Applied]:
    """The effects of each entry with any, up to the first that cannot be applied."""
    steps = {}
    with suppress(FoldError):
        for event in segment.in_play_order():
            if step := segment.apply_entry(event):
                steps[event.version] = step
    return steps


def _done(step: Applied | None) -> tuple[list[Effect], list[str]] | None:
    """The effects of an entry, for comparison."""
    return None if step is None else (step.effects, [breach.rule for breach in step.breaches])
