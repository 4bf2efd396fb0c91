"""The event: one immutable entry of the log, and what a client sends to make one."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from events import seals


class NewEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event as a client sends it, without the server's fields.

    `id` is a UUID made by the client (version 7 by preference, any is taken), canonical lower-case text. It is the
    idempotency key and is kept for ever. `data` is the JSON object that the event type's schema describes;
    `happened_at` is the table's clock (RFC 3339 with an offset), if anybody looked at it.
    """

    id: str
    type: str
    data: dict[str, Any]
    happened_at: str | None = None


class Event(msgspec.Struct, frozen=True, gc=False):
    """One stored entry. `body` is the canonical JSON of what its line holds of `data`: the very bytes that were hashed.

    `sealed` is what lies beside the line, as `events.seals` packs it: None if the line holds all there is.
    `recorded_at` is the server's clock in milliseconds since 1970 (never decreasing in a game). `prev` is the hash of
    the game's entry before (64 zeros for version 1), `hash` the SHA-256 of `canonical(event)`; both are hex.
    `schema`, `body` and `sealed` are as stored unless the event came through `Schemas.upcast`.
    """

    game: str
    version: int
    id: str
    type: str
    schema: int
    recorded_at: int
    happened_at: str | None
    recorder: str
    body: bytes
    prev: str
    hash: str
    sealed: bytes | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The event's data as it is stored, in any schema, and as far as its seals are open.

        `Schemas.read` interprets it. Raises `BadSealsError`.
        """
        decoded: dict[str, Any] = msgspec.json.decode(seals.opened_data(self.body, self.sealed))
        return decoded


class LogEnd(NamedTuple):
    """How far a log is: the feed position of its newest event, and the number of its newest erasure."""

    position: int
    erasure: int = 0


class SkimmedEntry(NamedTuple):
    """An entry of the feed as it is stored, without its content: nothing is proved of it."""

    position: int
    game: str
    type: str
    hash: str


class Head(msgspec.Struct, frozen=True):
    """The end of a game's chain: its highest version and that entry's hash."""

    game: str
    version: int
    hash: str


class Appended(msgspec.Struct, frozen=True):
    """The answer to an append: the stored events of the request, in order, and how many of them were new.

    A repeated request gets the same events again with `new == 0`.
    """

    events: tuple[Event, ...]
    new: int


def now_ms() -> int:
    """This machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def timestamp(milliseconds: int) -> str:
    """`1763722851123` as `2025-11-21T11:00:51.123Z`, the form of every time in exports and answers."""
    return _second(milliseconds // 1000) + _FRACTIONS[milliseconds % 1000]


def optional_timestamp(milliseconds: int | None) -> str | None:
    """As `timestamp`, and None for None."""
    return None if milliseconds is None else timestamp(milliseconds)


_FRACTIONS = tuple(f".{fraction:03d}Z" for fraction in range(1000))


@lru_cache(maxsize=1024)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]  # `strftime` writes years before 1000 without zeros


class StandbyState(msgspec.Struct, frozen=True):
    """The state of a standby that the log is read from.

    `why` is the reason why it is not used. `lag` is the number of bytes of changes that it was behind at the last look,
    null if unknown. `pages` counts the pages that it gave.
    """

    name: str
    why: str | None
    lag: float | None
    pages: int
