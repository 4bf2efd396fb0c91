"""The TLS layer. It passes the decrypted data on through a pair of sockets.

The front, or the process that takes a connection over, holds the other end of the pair. It serves it as any connection,
and nothing goes out faster than the client takes it. What begins in another way is plain HTTP, which
the application answers with no more than an explanation.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import TYPE_CHECKING, NamedTuple

from service.server.front import limits
from service.server.front.client import break_off

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

    from service.server.front.front import Front

HANDSHAKE = b"\x16"
"""The first byte of TLS; no request begins with it."""


class Origin(NamedTuple):
    """The client's address of a TLS connection, and the address and port of this machine that it came to."""

    address: str
    own: tuple[str, int]
    break_off: Callable[[], None]
    """Has it end so that nobody takes what was sent of an answer for the whole of it."""


class TLSListener:
    """Accepts the connections of a listening socket, and finds out which of them speak TLS."""

    def __init__(self, front: Front, listener: socket.socket, context: ssl.SSLContext) -> None:
        self._front, self._listener, self._context = front, listener, context
        self._again: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Accept connections from now on."""
        asyncio.get_running_loop().add_reader(self._listener, self._take)

    def close(self) -> None:
        """Stop accepting."""
        if self._again:
            self._again.cancel()
        asyncio.get_running_loop().remove_reader(self._listener)
        self._listener.close()

    def _take(self) -> None:
        for _ in range(limits.ACCEPTS_AT_ONCE):
            try:
                connection, peer = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # the system is out of files, and may have some again
                loop = asyncio.get_running_loop()
                loop.remove_reader(self._listener)
                self._again = loop.call_later(limits.SMALL_BODY_WAIT, self.open)
                return
            connection.setblocking(False)
            if sys.platform == "linux":  # as nobody else knows of this end
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, limits.VANISHED)
            TLSConnection(self._front, connection, peer[0], self._context).begin()


class TLSConnection(asyncio.Protocol):
    """A connection from outside: a TLS connection, or one that is not yet known to be plain.

    This is its end towards the client. It passes data to the `_PlainEnd` and back, each as fast as the other end takes
    it.
    """

    def __init__(self, front: Front, connection: socket.socket, address: str, context: ssl.SSLContext) -> None:
        self.address = address
        self._front, self._connection, self._context = front, connection, context
        self._task: asyncio.Task[None] | None = None
        self._raw: asyncio.Transport | None = None
        self._outer: asyncio.Transport | None = None
        self._inner: asyncio.Transport | None = None
        self._early: list[bytes] = []
        self._over = self._ended = self._broken = False
        self._since, self._mark, self._sent = 0.0, 0, 0

    def begin(self) -> None:
        """Find out whether it speaks TLS. A connection over the limit is ended first."""
        loop = asyncio.get_running_loop()
        self._since = loop.time()
        if self._front.add_tls_connection(self):
            self._task = loop.create_task(self._open())
        else:
            self.abort()

    async def _open(self) -> None:
        try:
            if await self._first_byte() == HANDSHAKE:
                await self._open_tls()
            else:
                self._front.remove_tls_connection(self)
                connection, self._ended = self._connection, True
                await self._front.serve(connection)
        except OSError:  # it has gone, does not trust the certificate, or speaks no TLS after all
            self.abort()

    async def _first_byte(self) -> bytes:
        """The first byte of the connection, without taking it."""
        loop = asyncio.get_running_loop()
        come = asyncio.Event()
        loop.add_reader(self._connection, come.set)
        try:
            await come.wait()
        finally:
            loop.remove_reader(self._connection)
        return self._connection.recv(1, socket.MSG_PEEK)

    async def _open_tls(self) -> None:
        loop = asyncio.get_running_loop()
        own = self._connection.getsockname()
        self._raw, _ = await loop.connect_accepted_socket(_Unread, self._connection)
        outer = await loop.start_tls(
            self._raw,
            self,
            self._context,
            server_side=True,
            ssl_handshake_timeout=limits.HEAD,
            ssl_shutdown_timeout=limits.LINGER,
        )
        assert outer is not None  # noqa: S101 - for the types only
        outer.set_write_buffer_limits(limits.IN_MEMORY)
        here, there = socket.socketpair()
        for end in (here, there):
            end.setblocking(False)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.IN_MEMORY)
        self._outer = outer
        try:
            await self._front.serve(there, Origin(self.address, own[:2], self.break_off))
        except BaseException:
            here.close()
            raise
        self._inner, _ = await loop.connect_accepted_socket(lambda: _PlainEnd(self), here)
        self._inner.writelines(self._early)
        self._early.clear()
        if self._ended:
            self._inner.close()

    # What the client does

    def data_received(self, data: bytes) -> None:
        """Pass on data of the client. Data right after the handshake is kept until the plain end is ready."""
        if self._inner is None:
            self._early.append(data)
        elif not self._over:
            self._inner.write(data)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        """See `asyncio.Protocol`: the client has gone, or the connection was ended here."""
        self._ended = True
        self._front.remove_tls_connection(self)
        if self._inner:
            self._inner.close()

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`: the client does not take what is sent."""
        if self._inner:
            self._inner.pause_reading()

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`: the client takes data again."""
        if self._inner and not self._over:
            self._inner.resume_reading()

    # What the other end of the pair does

    def send(self, data: bytes) -> None:
        """Pass on data to the client."""
        if self._outer and not self._ended:
            self._sent += len(data)
            self._outer.write(data)

    def pause(self) -> None:
        """Pause reading from the client."""
        if self._outer and not self._ended:
            self._outer.pause_reading()

    def resume(self) -> None:
        """Resume reading from the client."""
        if self._outer and not self._ended:
            self._outer.resume_reading()

    def break_off(self) -> None:
        """The answer is incomplete: end the connection without TLS's closing message."""
        self._broken = True

    def finish(self) -> None:
        """The answer is complete: end the connection when the client has taken it."""
        self._over = True
        if not self.unsent_bytes:
            self._close()

    # How it ends

    @property
    def unsent_bytes(self) -> int:
        """The number of bytes that the client has not taken yet."""
        both = (self._raw, self._outer)
        return sum(each.get_write_buffer_size() for each in both if each and not each.is_closing())

    @property
    def has_unsent_data(self) -> bool:
        """Whether data may still be on its way to the client."""
        return self._inner is not None and not (self._over and not self.unsent_bytes)

    def sweep(self, now: float) -> None:
        """End the connection if its time is over. Its server may see no end of it while the client takes nothing."""
        if self._raw is None:
            if now - self._since > limits.HEAD:
                self.abort()
        elif not self.unsent_bytes:
            self._since, self._mark = now, self._sent
            if self._over:
                self._close()
        elif now - self._since > limits.TRANSFER_TIMEOUT:
            taken = self._sent - self.unsent_bytes
            if taken - self._mark < limits.TRANSFER_TIMEOUT * limits.SLOWEST:
                self.abort()
            self._since, self._mark = now, taken

    def close(self) -> None:
        """End the connection so that a complete answer still arrives, and an incomplete one is seen as such."""
        if self._raw and self._over and not self.unsent_bytes and not self._broken:
            self._raw.close()  # whether or not the client has said its goodbye
        else:
            self.abort()

    def abort(self) -> None:
        """End the connection now."""
        self._ended = True
        self._front.remove_tls_connection(self)
        if self._task and self._task is not asyncio.current_task():
            self._task.cancel()
        if self._raw:
            break_off(self._raw)
        else:
            self._connection.close()
        if self._inner:
            self._inner.abort()

    def _close(self) -> None:
        if self._outer and self._raw and not self._ended:
            end = self._raw.abort if self._broken else self._outer.close
            end()


class _Unread(asyncio.Protocol):
    """A connection before its first byte is read."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Leave the data to the TLS layer."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the types only
        transport.pause_reading()


class _PlainEnd(asyncio.Protocol):
    """The plain end of a TLS connection, towards its server."""

    def __init__(self, connection: TLSConnection) -> None:
        self._connection = connection

    def data_received(self, data: bytes) -> None:
        """Pass on data of the answer."""
        self._connection.send(data)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        """The server is done."""
        self._connection.finish()

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`: the server does not take the data."""
        self._connection.pause()

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`: the server takes data again."""
        self._connection.resume()
