"""Flattening: a record by its final version, in the order of play, without corrections."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, cast

import msgspec

from events.schemas import SCHEMAS
from events.types import (
    CORRECTIONS,
    MOVES,
    Correction,
    EventData,
    GameClosed,
    GameReopened,
    MoveMade,
    Override,
    RulingGiven,
)
from projections.fold import move_in
from projections.retracing import RetracedEntry, start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from events.event import Event
    from games.contract import Viewpoint
    from projections.history import Segment

NAMING = ("entry", "after", "ruling", "version")
"""The fields that name one entry."""


def flatten(record: Sequence[Event], viewpoint: Viewpoint) -> Iterator[RetracedEntry]:
    """The entries of a whole record after its opening, numbered anew, seen from a viewpoint.

    A move stands at its place, with what counts for it. Corrections, entries that no longer count, and closings before
    a reopening are `past`. Raises `FoldError` for an entry that counts and cannot be carried out.
    """
    segment = start(record, viewpoint)
    if segment.fold.blocked_by:
        raise segment.fold.blocked_by
    reopened = max((event.version for event in record if event.type == "game.reopened"), default=0)
    numbers, following = {1: 1}, count(2)
    for event in segment.in_play_order():
        numbers[event.version] = next(following)
        yield _numbered(_entry_at(segment, event, reopened), numbers[event.version], numbers)
        segment.apply_entry(event)
        if event.type == "entry.inserted" and segment.corrections.counts(event) and (why := _correction(event)).reason:
            yield _numbered(RetracedEntry(event, why, segment.fold, past=True), next(following), numbers)


def _entry_at(segment: Segment, event: Event, reopened: int) -> RetracedEntry:
    """An entry at its place. One that no longer counts may be unreadable, so its data is left out."""
    fold, corrections = segment.fold, segment.corrections
    if not corrections.counts(event):
        return RetracedEntry(event, EventData(), fold, past=True)
    if event.type in MOVES:
        move = move_in(fold.read(corrections.content(event)))
        why = segment.override_reason(event) or corrections.kept.get(event.version)
        return RetracedEntry(
            event, MoveMade(move, Override(why) if why else None), fold, list(fold.state.breaches(move))
        )
    if event.type in CORRECTIONS and event.type != "ruling.given":
        return RetracedEntry(event, _correction(event), fold, past=True)
    data = fold.read(event)
    if isinstance(data, RulingGiven):
        return RetracedEntry(event, msgspec.structs.replace(data, after=None, keep=[], withdraw=[]), fold)
    return RetracedEntry(
        event, data, fold, past=isinstance(data, GameClosed | GameReopened) and event.version <= reopened
    )


def _correction(event: Event) -> Correction:
    """The entry and the reason of a correction, without its move and its choices."""
    data = cast("Correction", SCHEMAS.read(event))
    hidden = {"move": None} if data.ruleset_field == "move" else {}
    return msgspec.structs.replace(data, keep=[], withdraw=[], **hidden)


def _numbered(met: RetracedEntry, number: int, numbers: Mapping[int, int]) -> RetracedEntry:
    """The entry with its new number, and the new numbers of the entries that it names."""
    named = {field: getattr(met.data, field, None) for field in NAMING}
    changed = {field: numbers.get(entry, entry) for field, entry in named.items() if entry is not None}
    return met._replace(
        event=msgspec.structs.replace(met.event, version=number), data=msgspec.structs.replace(met.data, **changed)
    )
