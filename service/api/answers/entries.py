"""Stored entries, and the answers to recording them."""

from __future__ import annotations

from typing import Any

import msgspec

from events.event import Event, timestamp
from events.types import Origin
from projections.timeline import Erased
from service.recording.judging import RecordedEntry


class StoredEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event in the log."""

    game: str
    version: int
    id: str
    type: str
    schema: int
    recorded_at: str
    happened_at: str | None
    recorder: str
    data: dict[str, Any]
    prev: str
    hash: str


class StoredEvents(msgspec.Struct, frozen=True):
    """Entries of a game in the log; `next` is the `after` of the next page.

    `recorders` are the names, by id, of the people and programs that recorded them.
    """

    game: str
    version: int
    events: list[StoredEvent]
    recorders: dict[str, str]
    next: int | None


class FeedEntry(msgspec.Struct, frozen=True):
    """An event of any game, and the `cursor` to continue after it."""

    cursor: str
    event: StoredEvent


class DamagedGame(msgspec.Struct, frozen=True):
    """A game with missing entries in the feed from a `version` on, because they are damaged."""

    game: str
    version: int


class Feed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Events of all games in commit order; ask again with `after=next` for what comes.

    Send cursors back unchanged. `recorders` are the names, by id, of the people and programs that recorded
    the entries. `damaged` are the games with entries that are left out because they are damaged. Once a game is mended,
    its missing entries are read at its own address.
    """

    items: list[FeedEntry]
    recorders: dict[str, str]
    next: str
    damaged: list[DamagedGame] = []


class Embedded(msgspec.Struct, frozen=True):
    """The answer of an address: its `ETag`, and its JSON, or its text if it is a picture."""

    tag: str | None
    body: Any


class RecordedEntries(msgspec.Struct, frozen=True):
    """The recorded entries of a request. After a dry run nothing is stored, and `version` is what it would be.

    `receipt` is where the receipt of the last one is found, which proves that all of it was recorded. `look` are the
    answers to what is asked for next from a point of view, by their addresses, if that was asked for.
    """

    game: str
    version: int
    entries: list[RecordedEntry]
    receipt: str | None = None
    look: dict[str, Embedded] | msgspec.UnsetType = msgspec.UNSET


class Forked(msgspec.Struct, frozen=True):
    """A fork of a game, and the version up to which it has the entries of the original."""

    game: str
    version: int
    origin: Origin


class Erasures(msgspec.Struct, frozen=True):
    """All erased parts of an entry."""

    game: str
    entry: int
    erased: list[Erased]


def public_event(event: Event) -> StoredEvent:
    """An event in the form of the API."""
    return StoredEvent(
        game=event.game,
        version=event.version,
        id=event.id,
        type=event.type,
        schema=event.schema,
        recorded_at=timestamp(event.recorded_at),
        happened_at=event.happened_at,
        recorder=event.recorder,
        data=event.data,
        prev=event.prev,
        hash=event.hash,
    )
