"""Entries as they stand, and what recording them answers."""

from __future__ import annotations

from typing import Any

import msgspec

from events.event import Event, timestamp
from events.types import Origin
from projections.timeline import Erased
from service.recording.judging import Recorded


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """An event as it stands in the log."""

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
    """Entries of a game as they stand in the log; `next` is the `after` of the next page.

    `recorders` are the names, by id, of the people and programs that recorded them.
    """

    game: str
    version: int
    events: list[Stored]
    recorders: dict[str, str]
    next: int | None


class FeedEntry(msgspec.Struct, frozen=True):
    """An event of any game, and the `cursor` after which the feed goes on."""

    cursor: str
    event: Stored


class DamagedGame(msgspec.Struct, frozen=True):
    """A game with missing entries in the feed from a `version` on, because they are damaged."""

    game: str
    version: int


class Feed(msgspec.Struct, frozen=True, omit_defaults=True):
    """Events of all games in commit order; ask again with `after=next` for what comes.

    Cursors are to be sent back as they are. `recorders` are the names, by id, of the people and programs that recorded
    the entries. `damaged` are the games with entries that are left out because they are damaged. Once a game is mended,
    its missing entries are read at its own address.
    """

    items: list[FeedEntry]
    recorders: dict[str, str]
    next: str
    damaged: list[DamagedGame] = []


class Embedded(msgspec.Struct, frozen=True):
    """The answer that an address would give: its `ETag`, and its JSON, or its text where it is a picture."""

    tag: str | None
    body: Any


class RecordedEntries(msgspec.Struct, frozen=True):
    """What became of the entries of a request. In a dry run nothing was stored and `version` is what it would be.

    `receipt` is where the receipt of the last one is found, which proves that all of it was recorded. `look` are the
    answers to what is asked for next from a point of view, by their addresses, if that was asked for.
    """

    game: str
    version: int
    entries: list[Recorded]
    receipt: str | None = None
    look: dict[str, Embedded] | msgspec.UnsetType = msgspec.UNSET


class Forked(msgspec.Struct, frozen=True):
    """A game that went off from another one, and the version up to which it was given its entries."""

    game: str
    version: int
    origin: Origin


class Erasures(msgspec.Struct, frozen=True):
    """What was ever erased of an entry."""

    game: str
    entry: int
    erased: list[Erased]


def public_event(event: Event) -> Stored:
    """The event as the API shows it."""
    return Stored(
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
