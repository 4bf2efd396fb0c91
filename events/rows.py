"""From stored rows to checked events."""

from __future__ import annotations

from binascii import hexlify
from hashlib import sha256
from struct import Struct
from struct import error as StructError  # noqa: N812 - an exception of a lower-case name
from typing import TYPE_CHECKING, Any, NamedTuple

from events import seals
from events.canonical import export_line, quoted, render
from events.errors import DamagedError
from events.event import Event, timestamp

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

COLUMNS = "seq, game, version, id, type, schema, recorded_at, happened_at, recorder, data, hash, sealed"
"""The columns of a stored entry, in the order in which `decode_chain` takes them. `seq` is its position in the feed."""

Row = tuple[Any, ...]


class ChainMark(NamedTuple):
    """The end of a game's chain, as noted beside the entries. It reveals a lost tail.

    A version of 0 says that the loss of the whole game was accepted.
    """

    game: bytes
    version: int
    position: int
    hash: bytes


def hash_of(row: Row) -> bytes:
    """The hash of a row's entry, as it is stored."""
    own: bytes = row[10]
    return own


def uuid_text(key: bytes) -> str:
    """The canonical text of a UUID's 16 bytes. Damaged bytes give a text that is no UUID."""
    try:
        return b"-".join(_groups(hexlify(key))).decode()
    except StructError:
        return key.hex()


_groups = Struct("8s4s4s4s12s").unpack
"""Faster than slices of the digits: every entry that is read needs its id."""


def uuid_bytes(text: str) -> bytes:
    """The 16 bytes of a UUID's text."""
    return bytes.fromhex(text.replace("-", ""))


def decode_chain(rows: Iterable[Row], game: str, version: int, prev: str) -> Generator[Event, None, tuple[int, str]]:
    """The events of a game's rows, if they follow `version` with the hash `prev`, and one another, as they were hashed.

    Returns the version and the hash of the last one. Raises `DamagedError`.
    """
    for row in rows:
        version += 1
        event_id, _ = _checked(row, game, version, prev)
        _, _, _, _, event_type, schema, recorded_at, happened_at, recorder, body, own, sealed = row
        before, prev = prev, own.hex()
        yield Event(
            game,
            version,
            event_id,
            event_type,
            schema,
            recorded_at,
            happened_at,
            recorder,
            body,
            before,
            prev,
            sealed,
        )
    return version, prev


def export_chain(
    viewpoint: str, rows: Iterable[Row], game: str, version: int, prev: str
) -> Generator[bytes, None, tuple[int, str]]:
    """As `decode_chain`, each event as its line in an export. The hashed bytes are not made again."""
    for row in rows:
        version += 1
        _, line = _checked(row, game, version, prev)
        prev = row[10].hex()
        yield export_line(line, prev, row[11], viewpoint)
    return version, prev


def _checked(row: Row, game: str, version: int, prev: str) -> tuple[str, bytes]:
    """The id and the canonical bytes of a row, if it is this version, as it was hashed. Raises `DamagedError`."""
    _, _, stored, key, event_type, schema, recorded_at, happened_at, recorder, body, own, sealed = row
    if stored != version:
        raise DamagedError(game, version, "the entry is missing")
    try:
        event_id = uuid_text(key)
        line = render(
            game,
            version,
            event_id,
            event_type,
            schema,
            timestamp(recorded_at),
            happened_at,
            quoted(recorder),
            body,
            prev,
            "" if sealed is None else seals.fragment(sealed),
        )
        sound = sha256(line).digest() == own
    except (TypeError, ValueError, AttributeError, OverflowError, OSError) as error:
        # A flipped bit can change a value's type or range before it changes its hash.
        raise DamagedError(game, version, f"the entry cannot be read ({error})") from error
    if not sound:
        raise DamagedError(game, version, "the entry is not what was hashed")
    return event_id, line


def decode_checked(row: Row, game: str, prev: str) -> Event:
    """The event of a row, if it is what was hashed after `prev`. Raises `DamagedError`."""
    return next(decode_chain((row,), game, row[2] - 1, prev))


def decode_unchecked(row: Row, game: str, prev: str) -> Event:
    """The event of a row without a check, for verification. Raises `DamagedError` if its values make no event."""
    _, _, version, key, event_type, schema, recorded_at, happened_at, recorder, body, own, sealed = row
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
            body=bytes(memoryview(body)),  # a number would make as many zeros
            prev=prev,
            hash=own.hex(),
            sealed=sealed,
        )
    except (TypeError, AttributeError) as error:
        raise DamagedError(game, version, f"the entry cannot be read ({error})") from error
