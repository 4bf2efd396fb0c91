"""From stored rows to checked events."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from events.canonical import render
from events.errors import DamagedError
from events.event import Event

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

SELECT = "select seq, game, version, id, type, schema, recorded_at, happened_at, recorder, data, hash from event"
"""The columns of a row, in the order in which `checked` takes them and `writer.Batch` gives them."""

Row = tuple[Any, ...]


def uuid_text(key: bytes) -> str:
    """The canonical text of a UUID's 16 bytes."""
    digits = key.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def uuid_bytes(text: str) -> bytes:
    """The 16 bytes of a UUID's text."""
    return bytes.fromhex(text.replace("-", ""))


def checked(row: Row, game: str, prev: str) -> Event:
    """The event of a row, if it is what was hashed behind `prev`. Raises `DamagedError`."""
    _, _, version, key, event_type, schema, recorded_at, happened_at, recorder, body, own = row
    try:
        event_id = uuid_text(key)
        line = render(game, version, event_id, event_type, schema, recorded_at, happened_at, recorder, body, prev)
        if sha256(line).digest() != own:
            raise DamagedError(game, version, "the entry is not what was hashed")
    except (TypeError, ValueError, AttributeError, OverflowError, OSError) as error:
        # A flipped bit can change a value's type or range before it changes its hash.
        raise DamagedError(game, version, f"the entry cannot be read ({error})") from error
    return Event(game, version, event_id, event_type, schema, recorded_at, happened_at, recorder, body, prev, own.hex())


def chained(rows: Iterable[Row], game: str, version: int, prev: str) -> Generator[Event, None, tuple[int, str]]:
    """The events of a game's rows, if they follow `version`, whose hash is `prev`, and one another as they were hashed.

    Returns the version and the hash of the last one. Raises `DamagedError`.
    """
    for row in rows:
        version += 1
        if row[2] != version:
            raise DamagedError(game, version, "the entry is missing")
        event = checked(row, game, prev)
        prev = event.hash
        yield event
    return version, prev


def unchecked(row: Row, game: str, prev: str) -> Event:
    """The event of a row as it stands, for verification. Raises `DamagedError` if its values are of no use at all."""
    _, _, version, key, event_type, schema, recorded_at, happened_at, recorder, body, own = row
    try:
        return Event(
            game=game,
            version=version,
            id=uuid_text(key),
            type=event_type,
            schema=schema,
            recorded_at=recorded_at,
            happened_at=happened_at,
            recorder=recorder,
            body=bytes(body),
            prev=prev,
            hash=own.hex(),
        )
    except (TypeError, AttributeError) as error:
        raise DamagedError(game, version, f"the entry cannot be read ({error})") from error
