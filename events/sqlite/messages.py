"""The messages between web processes and the process of the log, over a Unix socket.

A message is a msgpack array after its length. A process asks one thing at a time on a connection, and each is answered.
A connection on which a process follows the log gets news instead.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import msgspec

from events import errors
from events.entries import CheckedEvent
from events.event import Event
from events.requests import Append, CopiedEvents
from events.types import EventData

if TYPE_CHECKING:
    import socket

    from events.requests import WriteRequest

LONGEST = 1 << 30
"""Bytes of a message that are believed."""

_LENGTH = struct.Struct("!I")

_ERRORS: dict[str, type[errors.LogError]] = {
    kind.__name__: kind
    for kind in (
        errors.LogError,
        errors.LogBusyError,
        errors.LogDamagedError,
        errors.LogFullError,
        errors.LogNewerError,
        errors.LogUnwritableError,
        errors.DamagedError,
    )
}


class Entry(msgspec.Struct, array_like=True, frozen=True):
    """The stored part of a checked event."""

    id: str
    type: str
    schema: int
    happened_at: str | None
    line: bytes
    sealed: bytes | None
    fragment: str


class NewEntries(msgspec.Struct, array_like=True, frozen=True, tag="new"):
    """Entries for the end of a game that is at version `expected`."""

    game: str
    expected: int
    recorder: str
    entries: list[Entry]


class OtherEntries(msgspec.Struct, array_like=True, frozen=True, tag="other"):
    """Entries of another log, with the versions, times and hashes that they have."""

    game: str
    expected: int
    events: list[Event]


class Store(msgspec.Struct, array_like=True, frozen=True, tag="store"):
    """Store these requests in one commit."""

    requests: list[NewEntries | OtherEntries]


class Execute(msgspec.Struct, array_like=True, frozen=True, tag="execute"):
    """Run one statement on a table beside the record."""

    sql: str
    values: list[Any]


class ExecuteAll(msgspec.Struct, array_like=True, frozen=True, tag="execute-all"):
    """Run a statement with each of these values. Each must change one row, or nothing is changed."""

    sql: str
    rows: list[list[Any]]


class Wipe(msgspec.Struct, array_like=True, frozen=True, tag="wipe"):
    """Overwrite the erased bytes, and tell the followers in which game they were."""

    patience: float
    game: str | None = None


class PutMark(msgspec.Struct, array_like=True, frozen=True, tag="mark"):
    """Note the end of a chain that no append made."""

    game: bytes
    version: int
    position: int
    hash: bytes


class Follow(msgspec.Struct, array_like=True, frozen=True, tag="follow"):
    """Send `News` from now on."""


Question = Store | Execute | ExecuteAll | Wipe | PutMark | Follow


class StoredPlace(msgspec.Struct, array_like=True, frozen=True, tag="place"):
    """Where entries were stored: the hash before them, their time, and their hashes."""

    prev: str
    recorded_at: int
    hashes: list[str]


class Failed(msgspec.Struct, array_like=True, frozen=True, tag="failed"):
    """An error of the log."""

    kind: str
    values: list[str | int]


class Stored(msgspec.Struct, array_like=True, frozen=True, tag="stored"):
    """The place of each request; None if the game is at another version."""

    places: list[StoredPlace | Failed | None]


class Changed(msgspec.Struct, array_like=True, frozen=True, tag="changed"):
    """The number of changed rows, or of done actions."""

    count: int


class News(msgspec.Struct, array_like=True, frozen=True, tag="news"):
    """The newest position of the feed, and games in which something was erased."""

    position: int
    erased: list[str]


Answer = Stored | Changed | News | Failed

_NOT_SENT = EventData()
"""What stands for the data of an entry: the line has all of it that is stored."""

_encoder = msgspec.msgpack.Encoder()
decode_question = msgspec.msgpack.Decoder(Question).decode
decode_answer = msgspec.msgpack.Decoder(Answer).decode


def encode(message: Question | Answer) -> bytes:
    """The bytes of a message."""
    content = _encoder.encode(message)
    return _LENGTH.pack(len(content)) + content


def read(connection: socket.socket) -> bytes | None:
    """The bytes of the next message; None at the end. Raises `OSError`."""
    head = _read(connection, _LENGTH.size)
    if head is None:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > LONGEST:
        raise OSError(f"a message of {length} bytes")
    return _read(connection, length)


def _read(connection: socket.socket, length: int) -> bytes | None:
    data = connection.recv(length)
    while len(data) < length:
        more = connection.recv(length - len(data)) if data else b""
        if not more:
            return None
        data += more
    return data


def message_of(request: WriteRequest) -> NewEntries | OtherEntries:
    """A request as a message."""
    if isinstance(request, Append):
        entries = [
            Entry(each.id, each.type, each.schema, each.happened_at, each.line, each.sealed, each.fragment)
            for each in request.entries
        ]
        return NewEntries(request.game, request.expected, request.recorder, entries)
    return OtherEntries(request.game, request.expected, [each for each in request.entries if isinstance(each, Event)])


def request_of(message: NewEntries | OtherEntries) -> WriteRequest:
    """The request of a message. Its entries have only what is stored."""
    if isinstance(message, OtherEntries):
        return CopiedEvents(message.game, message.events, message.expected)
    entries = [
        CheckedEvent(
            id=each.id,
            type=each.type,
            schema=each.schema,
            happened_at=each.happened_at,
            body=b"",
            data=_NOT_SENT,
            line=each.line,
            sealed=each.sealed,
            fragment=each.fragment,
        )
        for each in message.entries
    ]
    return Append(message.game, entries, message.expected, message.recorder)


def failed(error: errors.LogError) -> Failed:
    """The message of an error. An unknown kind of error becomes a plain `LogError`."""
    if isinstance(error, errors.DamagedError):
        return Failed(type(error).__name__, [error.game, error.version, error.why])
    kind = type(error).__name__
    return Failed(kind if kind in _ERRORS else errors.LogError.__name__, [str(error)])


def error_of(message: Failed) -> errors.LogError:
    """The error of a message."""
    return _ERRORS[message.kind](*message.values)
