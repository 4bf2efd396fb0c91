"""Orders of the other processes to the streams' process, over its Unix socket.

A connection carries one order, with the client's connection beside it if that is handed over. News are datagrams to a
socket beside it. They are hints that may be lost, because the streams' process also looks for itself now and then.
"""

from __future__ import annotations

import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

LIVE = "KIFU_LIVE"
"""The environment variable that names the Unix socket of the process that serves the streams."""

SOCKET, NEWS = "live.sock", "news.sock"

OPEN = "kifu_streams_open"
"""The metric of how many streams are open."""

ORDER_TIMEOUT = 2.0
"""Seconds that an order may take."""

Form = Literal["sse", "ndjson"]

LENGTH = struct.Struct("!I")


class Subscription(msgspec.Struct, frozen=True):
    """What a client follows: one `game`, or all that they may see, and the right to it.

    By that of a credential, of a share link, or of everybody. `seat` is the point of view, if one was asked for. With
    an `analysis` of the game it is followed how far that is.
    """

    game: str | None = None
    credential: str | None = None
    link: str | None = None
    seat: str | None = None
    analysis: str | None = None


class Follow(msgspec.Struct, frozen=True, kw_only=True, tag="follow"):
    """Serve the connection that comes with this order: write `head`, then the messages after `after`.

    `viewpoint` is from where the game, or its analysis, is seen by now. The stream counts among those of `who`, if
    they are limited. What is said to them is in a `language`.
    """

    subscription: Subscription
    viewpoint: str = ""
    form: Form
    after: int
    who: str | None
    language: str = "en"
    head: bytes = b""


class Watch(msgspec.Struct, frozen=True, tag="watch"):
    """Close the connection when the game goes beyond a version."""

    game: str
    after: int


class Forget(msgspec.Struct, frozen=True, tag="forget"):
    """Forget a game in memory, because something was erased in it, then close the connection."""

    game: str


class Count(msgspec.Struct, frozen=True, tag="count"):
    """Answer with the metrics, then close the connection."""


Order = Follow | Watch | Forget | Count

_decoder: msgspec.msgpack.Decoder[Order] = msgspec.msgpack.Decoder(Order)


def encode(order: Order) -> bytes:
    """The bytes of an order."""
    content = msgspec.msgpack.encode(order)
    return LENGTH.pack(len(content)) + content


def decode(data: bytes) -> Order | None:
    """The order, once all of it has come. Raises `msgspec.MsgspecError`."""
    if len(data) < LENGTH.size or len(data) < LENGTH.size + LENGTH.unpack_from(data)[0]:
        return None
    return _decoder.decode(memoryview(data)[LENGTH.size :])


class StreamNotifier:
    """Tells the streams' process about new entries. Without a path it does nothing."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._news = str(Path(path).with_name(NEWS)) if path else ""
        self._sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sender.setblocking(False)

    @classmethod
    def from_environment(cls) -> StreamNotifier:
        """The notifier for the path in the environment."""
        return cls(os.environ.get(LIVE))

    def notify(self, _: object = None) -> None:
        """Signal that something was recorded. It never waits. It is used as a listener of the log."""
        if self._news:
            with suppress(OSError):  # no room means that it is known already
                self._sender.sendto(b"", self._news)

    def forget(self, game: str) -> None:
        """Make the streams forget a game in memory. Raises `OSError` if they cannot be reached."""
        self._order(Forget(game))

    def count(self) -> bytes:
        """The metrics of the streams; empty if they are not served now."""
        try:
            return self._order(Count())
        except OSError:
            return b""

    def open(self) -> int | None:
        """The number of open streams; None if they are not served now."""
        name = OPEN.encode() + b" "
        found = (line for line in self.count().splitlines() if line.startswith(name))
        return next((int(float(line.removeprefix(name))) for line in found), None)

    def close(self) -> None:
        """Close the socket."""
        self._sender.close()

    def _order(self, order: Order) -> bytes:
        """Send an order, and return the answer. It is empty without a streams' process."""
        if self._path is None:
            return b""
        parts = []
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ORDER_TIMEOUT)
            try:
                connection.connect(self._path)
            except (FileNotFoundError, ConnectionRefusedError):
                return b""
            connection.sendall(encode(order))
            while part := connection.recv(1 << 16):
                parts.append(part)
        return b"".join(parts)
