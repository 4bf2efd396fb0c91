"""Correcting: whether a correction can stand, and what it changes in everything that came after.

A game is folded twice, side by side: as it counts without the correction, and as it would count with it. Later entries
that no longer fit are conflicts, unless it was chosen that they stand irregular or count no more.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from games.errors import ImpossibleError, RuleBrokenError
from projections.errors import BadCorrectionError, Conflict, ConflictError
from projections.fold import MOVES, Fold, Step, override_of
from projections.history import Corrections
from projections.undoing import taking_back

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from events.event import Event
    from events.types import EntryInserted, EntryReplaced, EntryWithdrawn, MoveRevealed, RulingGiven, RulingRevoked
    from games.contract import Effect, Move
    from projections.history import Stretch

LEGAL = 12
"""How many moves that would be legal a conflict tells, and how many conflicts tell them."""

Choice = Literal["keep", "withdraw"]


class Choices(NamedTuple):
    """What is to become of entries that no longer fit: of these, or, if None, of all that can be dealt with so."""

    keep: frozenset[int] | None = frozenset()
    withdraw: frozenset[int] | None = frozenset()

    def of(self, version: int, possible: Sequence[Choice]) -> Choice | None:
        """What was chosen for an entry; to name it comes before all, and to keep before to withdraw."""
        for named in (True, False):
            for choice in possible:
                chosen: frozenset[int] | None = getattr(self, choice)
                if (chosen is not None and version in chosen) if named else chosen is None:
                    return choice
        return None

    def check_named(self, record: Sequence[Event]) -> None:
        """Whether what is named is there, and nothing is to be both kept and withdrawn. Raises `BadCorrectionError`."""
        keep, withdraw = self.keep or frozenset(), self.withdraw or frozenset()
        for version in sorted(keep & withdraw):
            raise BadCorrectionError(f"entry {version} is named in `keep` and in `withdraw`: choose one")
        for version in sorted(keep | withdraw):
            _find(record, version)

    def check_used(self, data: dict[str, Any], void: Container[int]) -> None:
        """Whether a correction, after which the `void` do not count, kept or withdrew all that was named.

        A choice for an entry that fits all the same would surprise whoever reads the record. Raises
        `BadCorrectionError`.
        """
        used = {*data.get("keep", ()), *data.get("withdraw", ())}
        for choice, named in (("keep", self.keep), ("withdraw", self.withdraw)):
            for version in sorted((named or frozenset()) - used):
                why = "does not count after it" if version in void else "fits all the same"
                raise BadCorrectionError(f"entry {version} {why}: there is nothing to {choice}")


class Terms(NamedTuple):
    """What a correction is judged by.

    `subject` is the entry whose own move or ruling is new: it has to fit by itself. `stood` are the rules that entries
    broke, by version, in the record that is brought back by taking a correction out: there they stood all the same.
    """

    choices: Choices
    subject: int | None
    stood: Mapping[int, Sequence[str]]


class Change(msgspec.Struct, frozen=True):
    """An entry that does something else than before; None where it does not count."""

    version: int
    before: Step | None
    after: Step | None


class Corrected(msgspec.Struct):
    """A game with a correction: its fold, what the subject does, what was kept or withdrawn by choice, all changes."""

    fold: Fold
    step: Step | None
    keep: list[int]
    withdraw: list[int]
    changes: list[Change]


# Whether it can be corrected at all

_ELSEWISE = {
    "game.opened": "opened the game and cannot be withdrawn",
    "ruling.given": "is a ruling: revoke it",
    "game.closed": "closed the game: reopen it",
    "game.reopened": "reopened the game: close it again",
}


def check_withdrawal(record: Sequence[Event], correction: EntryWithdrawn) -> None:
    """Whether the entry can be withdrawn from the record. Raises `BadCorrectionError`."""
    entry = _counting(record, correction.entry)
    reversal = taking_back(entry)
    if reversal is None or reversal.type != "entry.withdrawn":
        raise BadCorrectionError(f"entry {entry.version} {_ELSEWISE[entry.type]}")


def check_replacement(record: Sequence[Event], correction: EntryReplaced | MoveRevealed) -> None:
    """Whether the entry is a move that counts. Raises `BadCorrectionError`."""
    entry = _counting(record, correction.entry)
    if entry.type in {"entry.replaced", "move.revealed"}:
        original = entry.data["entry"]
        raise BadCorrectionError(f"entry {entry.version} stands for entry {original}: name that one")
    if entry.type not in MOVES:
        raise BadCorrectionError(f"entry {entry.version} is no move: withdraw it and record another one")


def check_insertion(record: Sequence[Event], correction: EntryInserted | RulingGiven) -> None:
    """Whether there is the entry behind which something is to stand. Raises `BadCorrectionError`."""
    _find(record, correction.after or 1)


def check_revocation(record: Sequence[Event], correction: RulingRevoked) -> None:
    """Whether the entry is a ruling that stands. Raises `BadCorrectionError`."""
    if _counting(record, correction.ruling).type != "ruling.given":
        raise BadCorrectionError(f"entry {correction.ruling} is no ruling")


def _counting(record: Sequence[Event], version: int) -> Event:
    entry = _find(record, version)
    by = Corrections(record).void.get(version)
    if by is not None:
        raise BadCorrectionError(f"entry {version} was withdrawn already, by entry {by}")
    return entry


def _find(record: Sequence[Event], version: int) -> Event:
    if version > len(record):
        raise BadCorrectionError(f"there is no entry {version}; the last one is {len(record)}")
    return record[version - 1]


def check_revealed(known: Move, told: Move, open_facts: Sequence[str]) -> None:
    """Whether a move that is told later is the recorded one with more known. Raises `BadCorrectionError`.

    What was open in the fields `open_facts` (None, or a card that a list of known ones did not name) can be anything
    now; all else must be as it was recorded.
    """
    if type(told) is not type(known):
        raise _told_anew("type", known.__struct_config__.tag, told.__struct_config__.tag)
    for field in known.__struct_fields__:
        one, other = getattr(known, field), getattr(told, field)
        if one != other and not (field in open_facts and _filled_in(one, other)):
            raise _told_anew(field, one, other)


def _filled_in(known: Any, told: Any) -> bool:
    if known is None or known == told:
        return True
    if not isinstance(known, tuple) or not isinstance(told, tuple):
        return False
    if len(known) == len(told):
        return all(map(_filled_in, known, told))
    return len(known) < len(told) and not Counter(filter(None, known)) - Counter(told)


def _told_anew(field: str, known: object, told: object) -> BadCorrectionError:
    one, other = (msgspec.json.encode(each).decode() for each in (known, told))
    return BadCorrectionError(f"move.{field} was recorded as {one}, not {other}: what was seen cannot be told anew")


# What it changes


def correct(before: Stretch, after: Stretch, terms: Terms) -> Corrected:
    """Replay a game with a correction beside the game without it, both from the same version on.

    Raises `ConflictError`, and for the terms' subject `RuleBrokenError` or `ImpossibleError`.
    """
    return _Correcting(before, after, terms).run()


class _Correcting:
    def __init__(self, before: Stretch, after: Stretch, terms: Terms) -> None:
        self._was = _steps(before)
        self._known = before.fold.irregular, terms.stood
        self._after, self._fold, self._choices, self._subject = after, after.fold, terms.choices, terms.subject
        self._conflicts: list[Conflict] = []
        self._changes: list[Change] = []
        self._step: Step | None = None
        self._chosen: dict[Choice, list[int]] = {"keep": [], "withdraw": []}

    def run(self) -> Corrected:
        for event in self._after.in_place():
            step = self._take(event) if self._after.corrections.counts(event) else None
            self._compare(event.version, step)
        self._fold.reach(self._after.events[-1])
        chosen = self._chosen
        corrected = Corrected(self._fold, self._step, chosen["keep"], chosen["withdraw"], self._changes)
        if self._conflicts:
            raise ConflictError(self._conflicts, corrected)
        return corrected

    def _take(self, event: Event) -> Step | None:
        if event.type in MOVES:
            return self._move(event)
        if event.type == "ruling.given":
            return self._ruling(event)
        return self._after.take(event)

    def _move(self, event: Event) -> Step | None:
        fold, version = self._fold, event.version
        content = self._after.corrections.content(event)
        move = fold.move_of(content)
        breaches = list(fold.ruleset.breaches(fold.state, move))
        broken = self._unexcused(version, breaches, content) if breaches else None
        if broken and version == self._subject:
            raise broken
        if broken:
            possible: tuple[Choice, ...] = ("keep", "withdraw") if self._can_be(move) else ("withdraw",)
            if self._conflict(version, broken, possible, content) == "withdraw" or "keep" not in possible:
                return None
        try:
            return fold.play_judged(version, move, breaches)
        except ImpossibleError as error:
            if version == self._subject:
                raise error if not breaches else breaches[0] from error
            self._conflict(version, error, ("withdraw",), content)
            return None

    def _can_be(self, move: Move) -> bool:
        """Whether a move that breaks a rule can be carried out all the same."""
        ruleset = self._fold.ruleset
        try:
            ruleset.apply(ruleset.copy(self._fold.state), move)
        except ImpossibleError:
            return False
        return True

    def _ruling(self, event: Event) -> Step | None:
        try:
            return self._fold.rule(event.version, self._fold.adjustments_of(event))
        except ImpossibleError as error:
            if event.version == self._subject:
                raise
            self._conflict(event.version, error, ("withdraw",), event)
            return None

    def _unexcused(self, version: int, breaches: list[RuleBrokenError], content: Event) -> RuleBrokenError | None:
        """The first rule that the move must not break: it did not before, and nobody said why it stands."""
        if version in self._after.corrections.kept or override_of(content) is not None:
            return None
        fresh = version == self._subject and content.type != "move.revealed"
        known = () if fresh else [rule for irregular in self._known for rule in irregular.get(version, ())]
        return next((breach for breach in breaches if breach.rule not in known), None)

    def _conflict(
        self, version: int, error: RuleBrokenError | ImpossibleError, possible: tuple[Choice, ...], content: Event
    ) -> Choice | None:
        chosen = self._choices.of(version, possible)
        if chosen:
            self._chosen[chosen].append(version)
        else:
            told = len(self._conflicts) < LEGAL
            self._conflicts.append(
                Conflict(
                    version,
                    error.why,
                    error.rule,
                    possible,
                    self._notation(content) if told else None,
                    self._legal(content) if told else [],
                )
            )
        return chosen

    def _notation(self, content: Event) -> str | None:
        if content.type == "ruling.given":
            return None
        ruleset, state = self._fold.ruleset, self._fold.state
        return ruleset.notation(state, self._fold.move_of(content))

    def _legal(self, content: Event) -> list[str]:
        """Moves that would be legal in the place of one that does not fit."""
        if content.type == "ruling.given":
            return []
        ruleset, state = self._fold.ruleset, self._fold.state
        return [ruleset.notation(state, move) for move in islice(ruleset.legal_moves(state), LEGAL)]

    def _compare(self, version: int, step: Step | None) -> None:
        if version == self._subject:
            self._step = step
        was = self._was.get(version)
        if _done(was) != _done(step):
            self._changes.append(Change(version, was, step))


def _steps(stretch: Stretch) -> dict[int, Step]:
    steps = {event.version: stretch.take(event) for event in stretch.in_place()}
    return {version: step for version, step in steps.items() if step}


def _done(step: Step | None) -> tuple[list[Effect], list[str]] | None:
    """What an entry did, to compare."""
    return None if step is None else (step.effects, [breach.rule for breach in step.breaches])
