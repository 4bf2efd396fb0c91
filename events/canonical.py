"""The canonical bytes of an event: what is hashed, exported, and never changes.

They are one line of compact UTF-8 JSON with its members in a fixed order, the keys of `data` sorted, and the hash of
the entry before as the last member. An exported line is these bytes with the entry's own hash as one member more, so
that anybody can verify an export with SHA-256 alone.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from events.event import timestamp

if TYPE_CHECKING:
    from events.event import Event

GENESIS = "0" * 64
"""What stands for the hash before version 1."""

encode_data = msgspec.json.Encoder(order="sorted").encode
"""The canonical JSON of an event's data."""


def canonical(event: Event, tail: str = "") -> bytes:
    """The bytes that `event.hash` is the SHA-256 of; with a `tail` more members behind them."""
    return render(
        event.game,
        event.version,
        event.id,
        event.type,
        event.schema,
        event.recorded_at,
        event.happened_at,
        event.recorder,
        event.body,
        event.prev,
        tail,
    )


def exported(event: Event) -> bytes:
    """An event as a line of an export, without its line end: its canonical bytes with its own hash behind them."""
    return canonical(event, f',"hash":"{event.hash}"')


def render(  # noqa: PLR0913 - one parameter a member
    game: str,
    version: int,
    event_id: str,
    event_type: str,
    schema: int,
    recorded_at: int,
    happened_at: str | None,
    recorder: str,
    body: bytes,
    prev: str,
    tail: str = "",
) -> bytes:
    """The canonical bytes from an event's members; the event need not exist yet. `tail` is what an export adds."""
    happened = "null" if happened_at is None else f'"{happened_at}"'
    return (
        f'{{"game":"{game}","version":{version},"id":"{event_id}","type":"{event_type}","schema":{schema},'
        f'"recorded_at":"{timestamp(recorded_at)}","happened_at":{happened},"recorder":{_quoted(recorder)},'
        f'"data":{body.decode()},"prev":"{prev}"{tail}}}'
    ).encode()


def digest(line: bytes) -> str:
    """The SHA-256 of canonical bytes, in hex."""
    return sha256(line).hexdigest()


@lru_cache(maxsize=1024)
def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
