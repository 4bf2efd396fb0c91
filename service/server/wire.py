"""The protocol between front and web server: calls and answers over a Unix socket.

A call is a request with its head, and with its body, unless the body is yet to come. It is answered by frames: one with
the `WHOLE` answer, or its `BEGIN`, `CHUNK`s and `END`. Or the answer is `BODY`: the body is wanted first, and the frame
says how many bytes it may have. Frames hold bytes as they go out to the client.

Or others give the answer. `FOLLOW` hands the connection over to the streams' process. `WATCH` has the call made again
when a game has gone on, or time is up. These hold orders, as they are sent on.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import socket

WHOLE, BEGIN, CHUNK, END, BROKEN, BODY, FOLLOW, WATCH = b"W", b"B", b"C", b"E", b"X", b"N", b"F", b"T"
"""The kinds of frames; `BROKEN` is the end of an answer that cannot be completed."""

FINAL_FRAMES = {WHOLE, END, BROKEN, BODY, FOLLOW, WATCH}
"""Those after which the next call can be made."""

_FRAME = struct.Struct("!cI")
_SECONDS = struct.Struct("!d")
_LENGTH = struct.Struct("!I")
_BLOCK = 1 << 16


class Call(msgspec.Struct, array_like=True):
    """A request: its WSGI environment, and its body, in memory or in a `file`; with neither of them it is yet to come.

    `close` says that the connection ends with the answer, `waited` that it was made before, to wait for a game.
    """

    environ: dict[str, str]
    close: bool
    body: bytes | None = None
    file: str | None = None
    waited: bool = False


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Call)


def encode_call(call: Call) -> bytes:
    """The bytes of a call."""
    content = _encoder.encode(call)
    return _LENGTH.pack(len(content)) + content


def read_call(connection: socket.socket) -> Call | None:
    """The next call of a blocking connection; None at its end. Raises `OSError`."""
    data = connection.recv(_BLOCK)
    while len(data) < _LENGTH.size:
        more = connection.recv(_BLOCK)
        if not more:
            return None
        data += more
    missing = _LENGTH.unpack_from(data)[0] - (len(data) - _LENGTH.size)
    if missing:
        parts = [data]
        while missing:
            part = connection.recv(min(missing, 16 * _BLOCK))
            if not part:
                return None
            parts.append(part)
            missing -= len(part)
        data = b"".join(parts)
    return _decoder.decode(memoryview(data)[_LENGTH.size :])


def frame(kind: bytes, content: bytes = b"") -> bytes:
    """The bytes of a frame."""
    return _FRAME.pack(kind, len(content)) + content


def body_wanted_frame(limit: int | None) -> bytes:
    """The frame that asks for a body of at most `limit` bytes."""
    return frame(BODY, b"" if limit is None else str(limit).encode())


def watch_frame(seconds: float, order: bytes) -> bytes:
    """The frame that asks for the call again, after an order is carried out or after `seconds`."""
    return frame(WATCH, _SECONDS.pack(seconds) + order)


def read_watch(content: bytes) -> tuple[float, bytes]:
    """The seconds and the order of a `WATCH`."""
    return _SECONDS.unpack_from(content)[0], content[_SECONDS.size :]


class Frames:
    """Joins received pieces to frames."""

    def __init__(self) -> None:
        self._data = b""

    def feed(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """The frames (kind and content) that are complete now."""
        data = self._data + data if self._data else data
        found: list[tuple[bytes, bytes]] = []
        at, size = 0, len(data)
        while size - at >= _FRAME.size:
            kind, length = _FRAME.unpack_from(data, at)
            end = at + _FRAME.size + length
            if end > size:
                break
            found.append((kind, data[at + _FRAME.size : end]))
            at = end
        self._data = data[at:]
        return found
