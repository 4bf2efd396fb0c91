"""Undo and redo: the entry that undo would take back, the one that redo would bring back, and the request that does it.

An entry is taken back by another one: a withdrawal, or the revocation of a ruling. If such an entry is taken back, the
entry behind it counts again. So a chain of undo and redo is a chain of entries, and nothing is ever deleted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from events.errors import UnreadableError
from events.schemas import SCHEMAS
from events.types import Correction, RulingGiven
from projections.history import Corrections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.event import Event
    from events.types import EventData
    from projections.folds import Folds

WINDOW = 16
"""The number of entries that are read first, from the newest on. More are read only if these do not decide."""


class Reversal(msgspec.Struct, frozen=True):
    """The request to take `entry` back, or to bring it back: append an entry of this `type` with this `data`."""

    entry: int
    type: str
    data: dict[str, int]


class Reversals(NamedTuple):
    """The entries that undo and redo would append now; None if there is nothing to undo or redo."""

    undo: Reversal | None = None
    redo: Reversal | None = None


def undo_of(version: int, data: EventData | None) -> Reversal | None:
    """The request that takes back an entry that counts; None if it cannot be taken back.

    `data` is None where it cannot be read: such an entry is withdrawn like any other.
    """
    if isinstance(data, RulingGiven):
        return Reversal(version, "ruling.revoked", {"ruling": version})
    return None if data and data.undo_hint else Reversal(version, "entry.withdrawn", {"entry": version})


def redo_of(version: int, by: int) -> Reversal:
    """The request that brings an entry back that the correction `by` took out."""
    return Reversal(version, "entry.withdrawn", {"entry": by})


def reversals(folds: Folds, game: str, head: int) -> Reversals:
    """The effects of undo and redo in a game at version `head`.

    Undo takes back the last recorded entry that counts and does anything. Redo brings back the entry that undo took
    last, as long as nothing was done since. An older entry that was withdrawn can be brought back right after that.
    Once undo took anything else, redo leaves it alone. Mostly a few entries at the end decide both.
    """
    size = WINDOW
    while True:
        start = max(head - size, 0)
        found = _told_by(list(folds.read(game, start, head)))
        if found:
            return found
        size *= 8


def _told_by(recent: Sequence[Event]) -> Reversals | None:
    """The answer from the last entries of a game; None if it depends on earlier ones."""
    corrections, first, newest = Corrections(recent), recent[0].version, recent[-1].version
    taken: tuple[Correction, int] | None = None  # what took an entry out last, and its version
    for event in reversed(recent):
        data = _read(event)
        undo = undo_of(event.version, data)
        if undo is None or not corrections.counts(event):
            continue
        named = (data.withdrawn_entry or data.corrected_entry) if isinstance(data, Correction) else None
        if named is not None and isinstance(data, Correction):
            if named < first:
                return None
            other = recent[named - first]
            if data.withdrawn_entry:
                if taken is None and not _takes_out(other):
                    taken = data, event.version
                continue
            if not corrections.counts(other) and not (data.keep or data.withdraw):
                continue  # the move that it replaced is taken back: it does nothing
        return Reversals(undo, _redo(taken, event.version, newest))
    return Reversals(None, _redo(taken, first, newest)) if first == 1 else None


def _redo(taken: tuple[Correction, int] | None, last: int, newest: int) -> Reversal | None:
    """The request that brings back the withdrawn entry, if undo withdrew it, or if it was withdrawn just now.

    Undo takes what was recorded after all that counts, up to the entry `last`; what is withdrawn along with it counted
    as well. `newest` is the last entry of the record.
    """
    if taken is None:
        return None
    correction, by = taken
    entry = correction.withdrawn_entry or 0
    return redo_of(entry, by) if by == newest or entry > max(last, *correction.withdraw, 0) else None


def _takes_out(event: Event) -> bool:
    data = _read(event)
    return isinstance(data, Correction) and data.withdrawn_entry is not None


def _read(event: Event) -> EventData | None:
    try:
        return SCHEMAS.read(event)
    except UnreadableError:
        return None
