"""History: which entries of a game count, after its corrections.

Nothing is ever deleted: an `entry.withdrawn` makes the entry that it names count no more, and a later withdrawal of
that withdrawal brings it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from events.types import EntryWithdrawn
from games.errors import ImpossibleError
from projections.errors import BadCorrectionError, Conflict, ConflictError, FoldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from events.event import Event
    from projections.fold import Fold

_withdrawn = msgspec.json.Decoder(EntryWithdrawn)


def voided(events: Iterable[Event]) -> dict[int, int]:
    """The entries that count no more, each with the version of the correction that took it out.

    A correction counts unless a later one that counts takes it out: so the newest are looked at first.
    """
    void: dict[int, int] = {}
    corrections = [event for event in events if event.type == "entry.withdrawn"]
    for event in reversed(corrections):
        if event.version not in void:
            void[_withdrawn.decode(event.body).entry] = event.version
    return void


def advance(fold: Fold, events: Sequence[Event], void: dict[int, int]) -> None:
    """Fold the entries that count; `events` follow the fold's version. Raises `FoldError`."""
    for event in events:
        if event.type == "move.made" and event.version not in void:
            fold.take(event)
    if events:
        fold.reach(events[-1])


def check_withdrawal(events: Sequence[Event], correction: EntryWithdrawn) -> None:
    """Whether `correction` can come after `events`, the whole record. Raises `BadCorrectionError`."""
    entry = correction.entry
    if entry > len(events):
        raise BadCorrectionError(f"there is no entry {entry}; the last one is {len(events)}")
    if entry == 1:
        raise BadCorrectionError("entry 1 opened the game and cannot be withdrawn")
    by = voided(events).get(entry)
    if by is not None:
        raise BadCorrectionError(f"entry {entry} was withdrawn already, by entry {by}")


def advance_checked(
    fold: Fold, events: Sequence[Event], void: dict[int, int], known: dict[int, tuple[str, ...]]
) -> None:
    """Fold as `advance` does, and see whether every entry still fits as it did before.

    `known` are the irregular entries before the correction: they broke their rules then and may do so now. Raises
    `ConflictError` with all entries that do not fit.
    """
    found: list[Conflict] = []
    for event in events:
        if event.type != "move.made" or event.version in void:
            continue
        try:
            step = fold.take(event)
        except FoldError as error:
            cause = error.__cause__
            found.append(Conflict(event.version, error.why, cause.rule if isinstance(cause, ImpossibleError) else None))
            continue
        broken = [breach for breach in step.breaches if breach.rule not in known.get(event.version, ())]
        if broken:
            found.append(Conflict(event.version, broken[0].why, broken[0].rule))
    if found:
        raise ConflictError(found)
    if events:
        fold.reach(events[-1])


def last_counting(events: Sequence[Event]) -> Event | None:
    """The newest move or note that counts: what an undo takes back."""
    void = voided(events)
    for event in reversed(events):
        if event.type in {"move.made", "note.added"} and event.version not in void:
            return event
    return None
