"""Judging: a client's entry is checked as the next entry of a game, by its rules and its record.

Nothing is stored here: a dry run, a first attempt and every repetition of it are judged by the same code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union, cast

import msgspec

from events import signing
from events.entries import check_event
from events.errors import BadEventError
from events.event import Event, NewEvent
from events.explaining import FIELD, explain_value
from events.schemas import SCHEMAS
from events.signing import BadSignatureError
from events.types import (
    CORRECTIONS,
    REVISION_ADOPTED,
    TYPES,
    Correction,
    GameClosed,
    GameReopened,
    MoveMade,
    MoveRevealed,
    NoteAdded,
    RecordSigned,
    RevisionAdopted,
    RulingGiven,
    ScoreClaimed,
    SeatChanged,
)
from games import adjustments
from games.contract import RECORD, Outcome
from games.errors import BadMoveError, ImpossibleError, RulesetError
from projections import correcting
from projections.correcting import Choices, Criteria, Uncorrected, correct
from projections.errors import BadCorrectionError, ConflictError, FoldError, GameClosedError, ProjectionError
from projections.fold import reader_of
from projections.history import Corrections
from projections.timeline import Breach, EffectInfo, described

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from events.entries import CheckedEvent
    from events.schemas import Reader
    from events.types import EventData
    from games.contract import Adjustment, Move, Ruleset, Viewpoint
    from projections.archive import Archive
    from projections.correcting import Change, Corrected
    from projections.fold import Applied, Fold
    from projections.history import Segment

CONSEQUENCES = 200
"""How many entries that a correction changes are told."""

ALL = "all"
"""What stands for every entry that no longer fits, in the `keep` or `withdraw` of a correction that is sent."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An entry from a client: an event in which notation may stand for moves, adjustments and choices."""

    id: str
    type: str = "move.made"
    data: dict[str, Any]
    happened_at: str | None = None


class WrittenDraft(Draft, frozen=True, kw_only=True):
    """An entry of a written record. Something may have been erased from it since.

    Its `keep` and `withdraw` were chosen at the table, and stand as they are written: an entry in them may fit by now.
    A reveal may lack facts.
    """


class Consequence(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry with other effects after a correction; None if it does not count."""

    version: int
    before: list[EffectInfo] | None
    after: list[EffectInfo] | None
    irregular: list[Breach] = []


class RecordedEntry(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The result of recording one entry. A dry run has neither `recorded_at` nor `hash`.

    A correction tells its consequences, the first ones if there are many, and the scores and the outcome before it.
    """

    version: int
    id: str
    type: str
    recorded_at: str | None = None
    hash: str | None = None
    data: dict[str, Any]
    seat: int | None = None
    notation: str | None = None
    adjustments: list[str] = []
    effects: list[EffectInfo] = []
    irregular: list[Breach] = []
    consequences: list[Consequence] = []
    consequences_left_out: int = 0
    scores_before: list[int] | None = None
    outcome_before: Outcome | None = None
    scores: list[int]
    outcome: Outcome | None = None


class EntryRejectedError(Exception):
    """An entry of the request was refused, and so nothing is stored. The cause has the reason.

    `would` is the result of a correction with open conflicts, if all entries were kept that can be kept.
    """

    def __init__(self, index: int, cause: Exception, would: RecordedEntry | None = None) -> None:
        super().__init__(f"entry {index}: {cause}")
        self.index, self.cause, self.would = index, cause, would


class Judge:
    """Judges entries one after the other on its own fold, as if the ones before were stored.

    Every accepted entry has been read back from the bytes that are stored, by the code that reads them later. `record`
    is the record up to `base`, if the log does not have it.
    """

    def __init__(self, archive: Archive, base: Fold, record: list[Event] | None = None) -> None:
        self.entries: list[CheckedEvent] = []
        self.fold = base.copy()
        self._archive, self._base = archive, base
        self._reader = reader_of(base.ruleset)
        self._stored = record

    def judge(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge `draft` as the next entry. Raises `EntryRejectedError`."""
        form = TYPES[draft.type]
        corrects = issubclass(form, Correction) and (form is not RulingGiven or draft.data.get("after") is not None)
        try:
            if self.fold.closed and not form.allowed_when_closed:
                raise GameClosedError(self.fold.game)
            if self.fold.blocked_by and not (
                form.allowed_when_closed or (corrects and self.fold.blocked_by.correctable)
            ):
                raise self.fold.blocked_by
            if corrects:
                return self._correction(index, draft)
            if form is MoveMade:
                return self._move(index, draft)
            if form is RulingGiven:
                return self._ruling(index, draft)
            return self._other(index, draft)
        except (RulesetError, ProjectionError, BadEventError, BadSignatureError) as error:
            raise EntryRejectedError(index, error) from error

    def _move(self, index: int, draft: Draft) -> RecordedEntry:
        fold, version = self.fold, self._next_version
        entry, data = self._check_move(index, draft, read_move(fold, draft.data.get("move")))
        made = cast("MoveMade[Move]", entry.data)
        notation = fold.state.notation(made.move)
        step = self._play(version, made)
        fold.version = version
        self.entries.append(entry)
        return _recorded(fold, draft, data, seat=made.move.seat, notation=notation, **described(fold.ruleset, step))

    def _check_move(self, index: int, draft: Draft, move: Move) -> tuple[CheckedEvent, dict[str, Any]]:
        """The draft with this move as a checked entry, and its data with the move as JSON."""
        data = {"move": move}
        if draft.data.keys() == data.keys():  # as usual; there is nothing else in it that could be wrong
            new = NewEvent(id=draft.id, type=draft.type, data=data, happened_at=draft.happened_at)
            if found := self._reader.check_typed(new):
                return check_event(index, new, self._reader, found), data
        data = draft.data | {"move": self.fold.ruleset.move_data(move)}
        return self._check(index, draft, data), data

    def _play(self, version: int, made: MoveMade[Move]) -> Applied:
        """Raises `RuleBrokenError`, from the `ImpossibleError` where an override would not help; or that, with one."""
        fold = self.fold
        breaches = list(fold.state.breaches(made.move))
        refused = breaches[0] if breaches and not made.override else None
        try:
            step = fold.play_judged(version, made.move, breaches)
        except ImpossibleError as error:
            if refused:
                raise refused from error
            raise
        if refused:
            raise refused
        return step

    def _ruling(self, index: int, draft: Draft) -> RecordedEntry:
        self._check(index, draft, _without_words(draft.data), SCHEMAS.plain)
        ruleset = self.fold.ruleset
        data = draft.data | _adjustments_data(ruleset, _read_adjustments(ruleset, index, draft.data))
        entry = self._check(index, draft, data)
        ruled = cast("RulingGiven[Adjustment]", entry.data).adjustments
        step = self.fold.apply_ruling(self._next_version, ruled)
        self._accept(entry)
        return _recorded(self.fold, draft, data, **_written(ruleset, ruled), **described(ruleset, step))

    def _other(self, index: int, draft: Draft) -> RecordedEntry:
        entry = self._check(index, draft, draft.data)
        event = self._as_next(entry)
        _examine(self.fold, index, entry.data)
        if isinstance(entry.data, RecordSigned):
            self._check_signature(index, entry.data)
        self.fold.apply_entry(event, event)
        self._accept(entry)
        return _recorded(self.fold, draft, draft.data)

    def _check_signature(self, index: int, signed: RecordSigned) -> None:
        """Check that a signature is valid for the current record. Raises `BadSignatureError`, `BadEventError`."""
        fold = self.fold
        if signed.seat is not None:
            _check_seat(fold, index, "data.seat", signed.seat)
        if self.entries or (signed.version, signed.hash) != (fold.version, fold.hash):
            raise BadSignatureError(f"it signs version {signed.version}, and the record is at version {fold.version}")
        signing.check(fold.game, signed)

    def _correction(self, index: int, draft: Draft) -> RecordedEntry:
        """Fold the game anew with the correction, and check that all later entries still fit."""
        given = draft.data
        if draft.type == REVISION_ADOPTED:
            given = {"from": self.fold.revision} | given
        sketch = self._check(index, draft, _without_words(given), SCHEMAS.plain)
        correction = cast("Correction", sketch.data)
        if isinstance(correction, RevisionAdopted):
            _check_adoption(self.fold, index, correction)
        record = self._record
        correcting.check(record, correction)
        data = {name: value for name, value in given.items() if name not in {"keep", "withdraw"}}
        subject, notation = None, dict[str, Any]()
        if correction.ruleset_field:
            subject = correction.corrected_entry or len(record) + 1
            content, notation = self._content(index, draft, data, subject)
            data |= content
        criteria = Criteria(_choices(draft.data), subject, self._broken_before(record, correction))
        criteria.choices.check_named(record)
        try:
            entry, corrected = self._with_choices(index, draft, data, criteria)
        except ConflictError as error:
            raise EntryRejectedError(index, error, self._answer(draft, data, notation, error.corrected)) from error
        event = self._as_next(entry)
        void, fold = Corrections([*record, event]).taken_out, corrected.fold
        criteria.choices.check_used(
            cast("Correction", entry.data), void, fold.irregular.keys() - fold.hidden_irregular.keys()
        )
        recorded = self._answer(draft, event.data, notation, corrected)
        self.fold = corrected.fold
        self._accept(entry)
        return recorded

    @property
    def _record(self) -> list[Event]:
        """The record up to the next entry. Its stored part is read and proved once."""
        if self._stored is None:
            self._stored = list(self._archive.log.read(self._base.game, 0, self._base.version))
        first = self._base.version + 1
        judged = (pending_event(self._base.game, version, entry) for version, entry in enumerate(self.entries, first))
        return [*self._stored, *judged]

    def _answer(
        self, draft: Draft, data: dict[str, Any], notation: dict[str, Any], corrected: Corrected
    ) -> RecordedEntry:
        """The effects of a correction, compared with the game without it."""
        fold, ruleset = corrected.fold, corrected.fold.ruleset
        step = described(ruleset, corrected.step) if corrected.step else {}
        return _recorded(fold, draft, data, **notation, **step, **_consequences(self.fold, fold, corrected.changes))

    def _broken_before(self, record: Sequence[Event], correction: Correction) -> Mapping[int, Sequence[str]]:
        """The irregular entries, by version, before the correction that this one withdraws, if it does."""
        taken = correction.withdrawn_entry
        if taken is None or record[taken - 1].type not in CORRECTIONS:
            return {}
        try:
            return self._segment(taken - 1, record[: taken - 1]).run_to_end().irregular
        except FoldError:  # it healed a game that could not be replayed before
            return {}

    def _with_choices(
        self, index: int, draft: Draft, data: dict[str, Any], criteria: Criteria
    ) -> tuple[CheckedEvent, Corrected]:
        """The correction with all entries chosen to be kept or withdrawn, and the game with it.

        A withdrawn correction may itself have kept or withdrawn entries, which then have to fit again: so the game is
        folded until nothing more has to be withdrawn. What is kept is carried out all the same.
        """
        chosen = _written_choices(criteria.choices) if isinstance(draft, WrittenDraft) else {"keep": [], "withdraw": []}
        before: Uncorrected | None = None
        while True:
            event = self._as_next(self._check(index, draft, data | _chosen_data(chosen)))
            after = self._segment(event.version - 1, [*self._record, event])
            if before is None or before.start > after.fold.version:
                before = self._uncorrected(after.fold.version)
            corrected = correct(before, after, criteria)
            chosen["keep"] += corrected.keep
            chosen["withdraw"] += corrected.withdraw
            if not corrected.withdraw:
                return self._check(index, draft, data | _chosen_data(chosen)), corrected

    def _uncorrected(self, start: int) -> Uncorrected:
        """The game without the correction, from version `start` or earlier. It is cached for the next try."""
        base, last = self._base, self._archive.folds.last_uncorrected
        is_stored = bool(base.hash) and not self.entries
        found = last.find(base.game, base.hash, start) if is_stored else None
        if found is None:
            found = Uncorrected(self._segment(start, self._record))
            if is_stored:
                last.keep(base.game, base.hash, found)
        return found

    def revealed(self, index: int, draft: Draft, viewpoint: Viewpoint) -> dict[str, Any]:
        """The data of a `move.revealed`, if it reveals more than is known from `viewpoint`.

        Nothing else is judged. Raises `EntryRejectedError`.
        """
        try:
            sketch = self._check(index, draft, _without_words(draft.data), SCHEMAS.plain)
            correction = cast("Correction", sketch.data)
            correcting.check(self._record, correction)
            content, _ = self._content(index, draft, draft.data, correction.corrected_entry or 1, viewpoint)
        except (RulesetError, ProjectionError, BadEventError) as error:
            raise EntryRejectedError(index, error) from error
        return draft.data | content

    def _content(
        self, index: int, draft: Draft, data: dict[str, Any], subject: int, viewpoint: Viewpoint = RECORD
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The move or the adjustments of a correction, read at their place: as data, and in notation.

        Later entries have no part in that, and no choice among them is made yet.
        """
        sketch = self._as_next(self._check(index, draft, _without_words(data), SCHEMAS.plain))
        segment = self._segment(subject - 1, [*self._record, sketch])
        next(segment.replay_until(subject))
        fold, ruleset = segment.fold, segment.fold.ruleset
        if viewpoint != RECORD:
            fold = fold.seen_from(viewpoint)
        form = TYPES[draft.type]
        if form is RulingGiven:
            ruled = _read_adjustments(ruleset, index, draft.data)
            return _adjustments_data(ruleset, ruled), _written(ruleset, ruled)
        move = read_move(fold, draft.data.get("move"))
        if form is MoveRevealed:
            known = _recorded_move(fold, Corrections(self._record), self._record[subject - 1]).seen(viewpoint)
            unknown = ruleset.unknown_fields.get(type(move), ())
            correcting.check_revealed(known, move, unknown, erased=isinstance(draft, WrittenDraft))
        return {"move": ruleset.move_data(move)}, {"seat": move.seat, "notation": fold.state.notation(move)}

    def _segment(self, start: int, record: Sequence[Event]) -> Segment:
        """The game of a record, from version `start` or earlier."""
        stored = min(start, self._base.version)
        return self._archive.folds.segment(self._base.game, stored, len(record), record=record)

    def _check(self, index: int, draft: Draft, data: dict[str, Any], reader: Reader | None = None) -> CheckedEvent:
        """The draft with this data as a checked entry. Raises `BadEventError`."""
        new = NewEvent(id=draft.id, type=draft.type, data=data, happened_at=draft.happened_at)
        try:
            return check_event(index, new, reader or self._reader)
        except BadEventError as error:
            raise _of_words(error) from error

    @property
    def _next_version(self) -> int:
        return self._base.version + len(self.entries) + 1

    def _as_next(self, entry: CheckedEvent) -> Event:
        """The entry as the next event."""
        return pending_event(self._base.game, self._next_version, entry)

    def _accept(self, entry: CheckedEvent) -> None:
        self.fold.version = self._next_version
        self.entries.append(entry)


def _of_words(error: BadEventError) -> BadEventError | BadMoveError:
    """The ruleset's own error for a wrong move, instead of the general one."""
    field, dot, path = error.path.partition("data.move.")
    return BadMoveError(path, error.why) if dot and not field else error


def _recorded_move(fold: Fold, corrections: Corrections, event: Event) -> Move:
    """The move of an entry with everything known so far. Raises `BadCorrectionError`."""
    try:
        return fold.move_of(corrections.content(event))
    except BadMoveError as error:
        raise BadCorrectionError(f"entry {event.version} cannot be read: replace it") from error


def pending_event(game: str, version: int, entry: CheckedEvent) -> Event:
    """The entry as an event without time and hash, which the log adds."""
    return Event(
        game=game,
        version=version,
        id=entry.id,
        type=entry.type,
        schema=entry.schema,
        recorded_at=0,
        happened_at=entry.happened_at,
        recorder="",
        body=entry.body,
        prev="",
        hash="",
    )


# Words in the place of data


def _without_words(data: dict[str, Any]) -> dict[str, Any]:
    """The data without notation, so that the form of the rest can be checked."""
    plain = data.copy()
    if isinstance(data.get("move"), str):
        plain["move"] = {}
    if isinstance(data.get("adjustments"), list):
        plain["adjustments"] = [{} if isinstance(each, str) else each for each in data["adjustments"]]
    for name in ("keep", "withdraw"):
        if data.get(name) == ALL:
            del plain[name]
    return plain


def read_move(fold: Fold, value: Any) -> Move:
    """The move of this value, in notation or as data. Raises `RulesetError`."""
    ruleset = fold.ruleset
    move: Move = (
        fold.state.parse(value) if isinstance(value, str) else _read_data(ruleset.read_move, ruleset.move_types, value)
    )
    return move


def _read_data(read: Callable[[Any], Any], kinds: Sequence[type[msgspec.Struct]], data: Any) -> Any:
    """A move or an adjustment of its JSON. Raises `BadMoveError` with the words or fields that are possible."""
    try:
        return read(data)
    except BadMoveError as error:
        tag = data.get("type") if isinstance(data, dict) else None
        of_tag = [kind for kind in kinds if kind.__struct_config__.tag == tag]
        field = FIELD.fullmatch(error.why)
        place = f".{error.path}".removesuffix(f".{field[1]}" if field else "")
        raise BadMoveError(error.path, explain_value(Union[tuple(of_tag or kinds)], place, error.why)) from None  # noqa: UP007  made of a tuple


def _read_adjustments(ruleset: Ruleset, index: int, data: dict[str, Any]) -> tuple[Adjustment, ...]:
    found = []
    for number, value in enumerate(data.get("adjustments", ())):
        try:
            found.append(
                adjustments.parse(ruleset, value)
                if isinstance(value, str)
                else _read_data(ruleset.read_adjustment, ruleset.adjustments, value)
            )
        except BadMoveError as error:
            raise BadEventError(index, f"data.adjustments[{number}].{error.path}".rstrip("."), error.why) from error
    return tuple(found)


def _adjustments_data(ruleset: Ruleset, ruled: Sequence[Adjustment]) -> dict[str, Any]:
    return {"adjustments": [ruleset.adjustment_data(adjustment) for adjustment in ruled]} if ruled else {}


def _written(ruleset: Ruleset, ruled: Sequence[Adjustment]) -> dict[str, Any]:
    return {"adjustments": [adjustments.write(ruleset, adjustment) for adjustment in ruled]}


def _choices(data: dict[str, Any]) -> Choices:
    keep, withdraw = (
        None if data.get(name) == ALL else frozenset[int](data.get(name, ())) for name in ("keep", "withdraw")
    )
    return Choices(keep, withdraw)


def _written_choices(choices: Choices) -> dict[str, list[int]]:
    return {"keep": [*(choices.keep or ())], "withdraw": [*(choices.withdraw or ())]}


def _chosen_data(chosen: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    return {name: sorted(entries) for name, entries in chosen.items() if entries}


# What is asked of entries of each type


def _examine(fold: Fold, index: int, data: EventData) -> None:
    """Check that an entry that is neither a move nor a correction fits the game. Raises `BadEventError`."""
    match data:
        case NoteAdded():
            _check_entry(fold, index, data)
        case ScoreClaimed():
            _check_claim(fold, index, data)
        case SeatChanged():
            _check_sitting(fold, index, data)
        case GameClosed():
            _check_closing(fold, index, data)
        case GameReopened() if not fold.closed:
            raise BadEventError(index, "type", "the game is not closed")


def _check_entry(fold: Fold, index: int, data: NoteAdded | ScoreClaimed) -> None:
    if data.entry is not None and data.entry > fold.version:
        raise BadEventError(index, "data.entry", f"there is no entry {data.entry}; the last one is {fold.version}")


def _check_claim(fold: Fold, index: int, data: ScoreClaimed) -> None:
    _check_entry(fold, index, data)
    if data.empty:
        raise BadEventError(index, "data", "a claim has scores, or lines, or both")
    if data.scores and len(data.scores) != fold.seats:
        raise BadEventError(index, "data.scores", f"the game has {fold.seats} seats, and these are {len(data.scores)}")
    for number, line in enumerate(data.lines):
        _check_seat(fold, index, f"data.lines[{number}].seat", line.seat)


def _check_adoption(fold: Fold, index: int, adopted: RevisionAdopted) -> None:
    """Check that a game can move on to a revision of its rules. Raises `BadEventError`."""
    name, present = fold.ruleset.name, fold.revision
    if adopted.from_ != present:
        raise BadEventError(index, "data.from", f"the game uses revision {present} of {name}")
    if adopted.revision > fold.ruleset.revision:
        why = f"there is no revision {adopted.revision} of {name} here; the newest one is {fold.ruleset.revision}"
        raise BadEventError(index, "data.revision", why)
    if adopted.revision == present:
        raise BadEventError(index, "data.revision", f"the game uses revision {present} of {name} already")
    if adopted.revision < present:
        why = f"the game uses revision {present} of {name} and cannot go back; withdraw the entry that moved it on"
        raise BadEventError(index, "data.revision", why)


def _check_seat(fold: Fold, index: int, field: str, seat: int) -> None:
    if seat >= fold.seats:
        raise BadEventError(index, field, f"the game has seats 0 to {fold.seats - 1}")


def _check_sitting(fold: Fold, index: int, data: SeatChanged) -> None:
    """Whether there is the seat that somebody takes; in some games a move adds one."""
    if data.seat < fold.seats:
        return
    last, adding = fold.seats - 1, fold.ruleset.adding_a_seat.format(number=fold.seats + 1)
    if adding:
        raise BadEventError(index, "data.seat", f"the game has seats 0 to {last}; the move {adding} adds one")
    why = f"the game has seats 0 to {last}; {fold.ruleset.name} is played by those who began"
    raise BadEventError(index, "data.seat", why)


def _check_closing(fold: Fold, index: int, data: GameClosed) -> None:
    how = fold.ending
    if data.how != how:
        why = {
            "abandoned": "the game has not come to an end: it can be abandoned, or decided by a ruling first",
            "adjudicated": "the game was decided by a ruling: it is adjudicated",
            "finished": "the game came to its end by the rules: it is finished",
        }
        raise BadEventError(index, "data.how", why[how])


# Answers


def _consequences(was: Fold, fold: Fold, changes: Sequence[Change]) -> dict[str, Any]:
    ruleset = fold.ruleset

    def consequence(change: Change) -> Consequence:
        before, after = (described(ruleset, step) if step else {} for step in (change.before, change.after))
        return Consequence(change.version, before.get("effects"), after.get("effects"), after.get("irregular", []))

    return {
        "consequences": [consequence(change) for change in changes[:CONSEQUENCES]],
        "consequences_left_out": max(len(changes) - CONSEQUENCES, 0),
        "scores_before": was.totals(),
        "outcome_before": was.outcome(),
    }


def _recorded(fold: Fold, draft: Draft, data: dict[str, Any], **more: Any) -> RecordedEntry:
    state = fold.state
    return RecordedEntry(
        version=fold.version,
        id=draft.id,
        type=draft.type,
        data=data,
        scores=state.totals(),
        outcome=state.outcome(),
        **more,
    )


def opening_answer(fold: Fold, draft: Draft, event: Event) -> RecordedEntry:
    """The answer to a `game.opened`: the stored form, with completed fields."""
    return _recorded(fold, draft, event.data)
