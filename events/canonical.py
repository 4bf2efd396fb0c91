"""The canonical bytes of an event: what is hashed, exported, and never changes.

They are one line of compact UTF-8 JSON with its members in a fixed order, the keys of `data` sorted, and the hash of
the entry before as the last member. An exported line is these bytes with the entry's own hash as one member more, so
that anybody can verify an export with SHA-256 alone.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from events.event import Event

GENESIS = "0" * 64
"""What stands for the hash before version 1."""

encode_data = msgspec.json.Encoder(order="sorted").encode
"""The canonical JSON of an event's data."""


def canonical(event: Event) -> bytes:
    """The bytes that `event.hash` is the SHA-256 of."""
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
    )


def render(  # noqa: PLR0913, PLR0917 - one parameter a member
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
) -> bytes:
    """The canonical bytes from an event's members; the event itself need not exist yet."""
    happened = "null" if happened_at is None else f'"{happened_at}"'
    return b'%b%b,"prev":"%b"}' % (
        (
            f'{{"game":"{game}","version":{version},"id":"{event_id}","type":"{event_type}","schema":{schema},'
            f'"recorded_at":"{_second(recorded_at // 1000)}{recorded_at % 1000:03d}Z","happened_at":{happened},'
            f'"recorder":{_quoted(recorder)},"data":'
        ).encode(),
        body,
        prev.encode(),
    )


def digest(line: bytes) -> str:
    """The SHA-256 of canonical bytes, in hex."""
    return sha256(line).hexdigest()


def exported(line: bytes, own_hash: str) -> bytes:
    """Canonical bytes as a line of an export, without its line end."""
    return b'%b,"hash":"%b"}' % (line[:-1], own_hash.encode())


@lru_cache(maxsize=4096)
def _second(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.")


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


def same_json(body: bytes, data: dict[str, Any]) -> bool:
    """Whether canonical bytes say exactly what `data` holds: false for NaN, keys that are no text, dates …"""
    decoded: Any = msgspec.json.decode(body)
    return bool(decoded == data)
