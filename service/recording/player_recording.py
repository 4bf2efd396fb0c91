"""Recording by somebody who may not see the whole record: a player of a seat, or a program with the public view.

Their entries are judged twice. First they are judged as far as the player can know, and that is all the player is told.
Then they are judged on the record itself, like all entries. If only the record knows that a rule is broken, the entry
is recorded all the same, and flagged for those who may know it. If the record cannot take it at all, the player is told
no more than that.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from events.errors import BadEventError
from games.errors import RuleBrokenError, RulesetError
from projections.errors import GameClosedError
from service.problems.errors import ServiceError
from service.recording.judging import Draft, EntryRejectedError, Judge, RecordedEntry, read_move

if TYPE_CHECKING:
    from events.entries import CheckedEvent
    from games.contract import Viewpoint
    from projections.archive import Archive
    from projections.fold import Fold

UNSEEN = "whoever recorded it could not see which rule it broke"
"""The reason of a move that stands although it breaks a rule by facts that its recorder could not know."""


class ContradictionError(ServiceError):
    """The entry contradicts something in the record that the sender may not know."""

    kind = "contradiction"

    def __init__(self) -> None:
        super().__init__("it contradicts something else in the record: ask somebody who may see the whole record")


class OthersError(ServiceError):
    """An entry that only somebody else may record."""

    kind = "not-yours"


class PlayerJudge:
    """A judge who tells what can be known from `viewpoint`, of what `seats` do; of any seat, if there are none.

    It takes moves, what is told later of them, notes, signatures, and taking back what one of `recorders`, who are all
    the same, recorded last. In a `dry_run` the record is not asked: its answer would reveal what
    is hidden, without a trace. `asked` says whether it was asked.
    """

    def __init__(
        self,
        archive: Archive,
        base: Fold,
        viewpoint: Viewpoint,
        seats: frozenset[int],
        recorders: frozenset[str],
        *,
        dry_run: bool = False,
    ) -> None:
        self._judge = Judge(archive, base)
        self._seen = Judge(archive, base.seen_from(viewpoint))
        self._log, self._base = archive.log, base
        self._viewpoint, self._seats, self._recorders = viewpoint, seats, recorders
        self._dry_run, self.asked = dry_run, False

    @property
    def entries(self) -> list[CheckedEvent]:
        """The judged entries in the form to store."""
        return self._judge.entries

    @property
    def fold(self) -> Fold:
        """The game with all judged entries."""
        return self._judge.fold

    def judge(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge `draft`, from the sender's viewpoint. Raises `EntryRejectedError`."""
        try:
            match draft.type:
                case "move.made":
                    return self._move(index, draft)
                case "note.added":
                    return self._plain(index, self._open(index, draft))
                case "record.signed":
                    return self._signed(index, draft)
                case "move.revealed":
                    return self._revealed(index, draft)
                case "entry.withdrawn":
                    return self._taken_back(index, draft)
                case _:
                    raise OthersError(f"only people who may see the whole record can record {draft.type}")
        except (OthersError, ContradictionError) as error:
            raise EntryRejectedError(index, error) from error

    def _move(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge a move from the viewpoint, then on the record. There, facts that nobody could see do not refuse it."""
        with suppress(RulesetError):  # which the judge raises, too
            if self._seats and read_move(self._seen.fold, draft.data.get("move")).seat not in self._seats:
                raise OthersError("this is not a move of your seat")
        told = self._seen.judge(index, draft)
        told.version = self._base.version + index + 1
        if self._dry_run:
            return told
        taken = msgspec.structs.replace(draft, data=draft.data | {"move": told.data["move"]})
        try:
            stored = self._on_record(index, taken)
        except EntryRejectedError as error:
            if not isinstance(error.cause, RuleBrokenError):
                raise ContradictionError from error
            excused = msgspec.structs.replace(taken, data=taken.data | {"override": {"reason": UNSEEN}})
            try:
                stored = self._on_record(index, excused)
            except EntryRejectedError as impossible:
                raise ContradictionError from impossible
        told.scores, told.outcome = stored.scores, stored.outcome
        return told

    def _on_record(self, index: int, draft: Draft) -> RecordedEntry:
        self.asked = True
        return self._judge.judge(index, draft)

    def _open(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge an entry once: hidden facts play no part in it."""
        return (self._seen if self._dry_run else self._judge).judge(index, draft)

    def _signed(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge a signature. It signs a hash, which reveals nothing sealed."""
        seat = draft.data.get("seat")
        if self._seats and seat is not None and seat not in self._seats:
            raise OthersError("this is not your seat")
        if self._base.hash_from(self._viewpoint) is None:
            raise OthersError("only people who may see the whole record know its hashes")
        return self._plain(index, self._open(index, draft))

    def _revealed(self, index: int, draft: Draft) -> RecordedEntry:
        entry = draft.data.get("entry")
        if self._seats and not (isinstance(entry, int) and self._seat_of(entry) in self._seats):
            raise OthersError("this is not an entry of your seat")
        _refuse_choices(draft.data)
        if not self._dry_run:
            self.asked = True
            return self._judge_silently(index, draft)
        return self._plain(index, self._judge_reveal(index, draft))

    def _judge_reveal(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge facts that are told later about a move, against what is known of it."""
        data = self._judge.revealed(index, draft, self._viewpoint)
        fold = self._seen.fold
        return RecordedEntry(
            version=0, id=draft.id, type=draft.type, data=data, scores=fold.totals(), outcome=fold.outcome()
        )

    def _taken_back(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge a withdrawal of the last entry. Withdrawing an earlier one could reveal hidden facts."""
        entry = draft.data.get("entry")
        last = self._base.version
        own = entry == last and index == 0 and next(iter(self._log.read(self._base.game, last - 1, last))).recorder
        if own not in self._recorders:
            raise OthersError("a player can take back only their own last entry")
        _refuse_choices(draft.data)
        return self._judge_silently(index, draft)

    def _judge_silently(self, index: int, draft: Draft) -> RecordedEntry:
        """Judge a correction without telling its effects, or why it is impossible."""
        try:
            stored = self._judge.judge(index, draft)
        except EntryRejectedError as error:
            if isinstance(error.cause, (BadEventError, GameClosedError)):
                raise
            raise ContradictionError from error
        self._seen.fold = self._judge.fold.seen_from(self._viewpoint)
        return self._plain(index, stored)

    def _seat_of(self, entry: int) -> int | None:
        """The seat of an entry's move, if any. It is public."""
        if not 1 <= entry <= self._base.version:
            return None
        event = next(iter(self._log.read(self._base.game, entry - 1, entry)))
        move = self._base.read(event)
        return getattr(getattr(move, "move", None), "seat", None)

    def _plain(self, index: int, stored: RecordedEntry) -> RecordedEntry:
        """The recorded entry, without its consequences except the scores, which are public."""
        return RecordedEntry(
            version=self._base.version + index + 1,
            id=stored.id,
            type=stored.type,
            data=stored.data,
            scores=stored.scores,
            outcome=stored.outcome,
        )


def _refuse_choices(data: dict[str, Any]) -> None:
    if data.get("keep") or data.get("withdraw"):
        raise OthersError("only people who may see the whole record can decide about other entries")
