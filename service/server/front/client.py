"""A client's connection: one request after the other, each within its time."""

from __future__ import annotations

import asyncio
import struct
from collections import deque
from enum import Enum, auto
from secrets import token_hex
from socket import SO_LINGER, SOL_SOCKET
from traceback import format_exception
from typing import TYPE_CHECKING

import httptools

from service.problems.early import encode_problem, language_of
from service.problems.kinds import (
    BAD_HTTP,
    BODY_TOO_LARGE,
    HEAD_TOO_LARGE,
    INTERNAL,
    OVERLOADED,
    TOO_SLOW,
    Kind,
)
from service.server import wire
from service.server.child import print_line
from service.server.front import limits
from service.server.front.request import BadRequestError, IncomingRequest

if TYPE_CHECKING:
    from service.server.front.front import Front
    from service.server.front.live import GameWatch
    from service.server.front.pool import ConnectionPool, PooledConnection
    from service.server.front.tls import Origin

_AT_ONCE = struct.pack("ii", 1, 0)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


def break_off(transport: asyncio.Transport) -> None:
    """Abort a connection, so that the other end sees that it broke off. The system keeps nothing of it."""
    connection = transport.get_extra_info("socket")
    if connection and not transport.is_closing():
        connection.setsockopt(SOL_SOCKET, SO_LINGER, _AT_ONCE)
    transport.abort()


class Phase(Enum):
    """The phase of a connection."""

    IDLE = auto()
    """Nothing came of the next request."""
    HEAD = auto()
    BODY = auto()
    CALLED = auto()
    """The application has the request."""
    WATCH = auto()
    """The request waits for a game to go on, and is made again then."""
    ANSWER = auto()
    """The answer, or the rest of it, is on its way out."""
    LINGER = auto()
    """Nothing goes out any more, and what comes in is dropped."""


AT_WORK = {Phase.CALLED, Phase.WATCH, Phase.ANSWER}
"""While a request is answered."""


class Counted:
    """Counts the bytes of a message outside of its body: head, sizes and extensions of chunks, trailers, blank lines.

    A body makes up for the sizes of its chunks: `CHUNK_SHARE` bytes of it for one that is none, but not for the head.
    """

    def __init__(self) -> None:
        self.bodiless = self._head = 0
        self.body = 0
        """Bytes of body in the present piece."""
        self.completed = False
        """Whether a message came to its end in the present piece."""

    def add(self, size: int, *, headed: bool) -> None:
        """Count a piece of `size` bytes. `headed` says that the head of the message is read."""
        if self.completed:  # a message may have begun in the midst of the piece: its bytes count from the next one on
            self.bodiless = self._head = 0
        else:
            self.bodiless += size - self.body
            if headed:
                self.bodiless = max(self._head, self.bodiless - self.body // limits.CHUNK_SHARE)
            else:
                self._head = self.bodiless
        self.body, self.completed = 0, False


class Client(asyncio.Protocol):
    """A connection from outside, or the plain end of one that is in TLS, which has an `origin`.

    `phase` began at `since`, or is measured anew from there, and `moved` are the bytes that it was about so far.
    """

    def __init__(self, front: Front, origin: Origin | None = None) -> None:
        self._front, self.origin = front, origin
        self.phase, self.since, self.moved, self._mark = Phase.HEAD, 0.0, 0, 0
        self.address = ""
        self.transport: asyncio.Transport
        self._environ: dict[str, str] = {}
        self._parser = httptools.HttpRequestParser(self)
        self._reading = IncomingRequest()
        self._requests: deque[IncomingRequest] = deque()
        self._pool: ConnectionPool | None = None
        self._web_connection: PooledConnection | None = None
        self._counted = Counted()
        self._held = False
        self._ended = False
        self._soon: asyncio.TimerHandle | None = None
        self._watched: GameWatch | None = None

    # The connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`: a client connected."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the types only
        self.transport = transport
        if self.origin:
            self.address, own, _ = self.origin
            self._environ["wsgi.url_scheme"] = "https"
        else:
            peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
            self.address = peer[0] if peer else ""
        self._environ |= {"REMOTE_ADDR": self.address, "SERVER_NAME": own[0], "SERVER_PORT": str(own[1])}
        self._enter(Phase.HEAD)
        refusal = self._front.admit(self)
        if refusal:
            self.on_refused(*refusal)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        """See `asyncio.Protocol`: the client has gone, or the connection was ended here."""
        self._front.forget(self)
        self._release()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`: read more."""
        if self.phase is Phase.LINGER:
            return
        if self.phase is Phase.IDLE:
            self._enter(Phase.HEAD)
        whole = memoryview(data)
        try:
            if all(self._parse(whole[at : at + limits.PARSE_CHUNK]) for at in range(0, len(data), limits.PARSE_CHUNK)):
                self._go_on()
        except Exception as error:  # noqa: BLE001 - one request must not harm others, and its client is told
            self._blame(error)

    def _parse(self, data: memoryview) -> bool:
        """Parse a piece. False if nothing more is read from this connection."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:  # nothing else is spoken here; what follows could be anything
            if self._requests:
                self._requests[-1].close = True
        except httptools.HttpParserCallbackError as error:
            self._blame(error.__context__ or error)
            return False
        except httptools.HttpParserError as error:
            self._refuse_all(BAD_HTTP, f"the request cannot be read: {error}")
            return False
        if self.phase in {Phase.HEAD, Phase.BODY}:
            self.moved += self._counted.body if self.phase is Phase.BODY else len(data)
        self._counted.add(len(data), headed=self._reading.headed)
        if self._counted.bodiless > limits.HEAD_SIZE:
            self._refuse_all(HEAD_TOO_LARGE, f"a request has at most {limits.HEAD_SIZE} bytes besides its body")
            return False
        return True

    def eof_received(self) -> bool:
        """The client sends no more, but may wait for its answer, though for nothing that is still to happen."""
        self._ended = True
        if self.phase not in AT_WORK:
            return False
        self._requests[-1].close = True
        if self._watched:
            self._watched.end()
        return True

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`: the client does not take what is sent."""
        if self._web_connection:
            self._web_connection.pause()
            self._held = True

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`: the client takes data again."""
        if self._web_connection and self._held:
            self._web_connection.resume()
            self._held = False

    # What the parser finds

    def on_message_begin(self) -> None:
        """The parser has read the beginning of a request."""
        self._reading = IncomingRequest()
        self._reading.environ.update(self._environ)

    def on_url(self, url: bytes) -> None:
        """The parser has read a part of the request's target."""
        self._reading.target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """The parser has read a header."""
        if self._reading.headed:
            return  # a trailer
        self._reading.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """The parser has read the head."""
        parser = self._parser
        self._reading.head(
            parser.get_method().decode("latin-1"), parser.get_http_version(), keeps_alive=parser.should_keep_alive()
        )
        self._requests.append(self._reading)

    def on_body(self, data: bytes) -> None:
        """The parser has read a part of the body."""
        self._counted.body += len(data)
        self._reading.add(data)

    def on_message_complete(self) -> None:
        """The parser has read the whole request."""
        self._counted.completed = self._reading.complete = True

    # One request after the other

    def _go_on(self) -> None:
        """Do the next step for the first request."""
        if len(self._requests) > 1:
            self.transport.pause_reading()
        if self.phase not in {Phase.HEAD, Phase.BODY, Phase.IDLE} or not self._requests:
            return
        request = self._requests[0]
        if request.too_large:
            self._refuse_all(BODY_TOO_LARGE, f"the body may have {request.limit} bytes")
        elif request.complete:
            self._call(request)
        elif request.headed:
            if self.phase is not Phase.BODY:
                self._enter(Phase.BODY)
            self._decide_on_body(request)

    def _decide_on_body(self, request: IncomingRequest) -> None:
        """Ask the application whether it wants the body, unless the body arrives within a moment."""
        if request.admitted or request.asked:
            return
        if request.expects or request.large:
            self._ask(request)
        elif self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(limits.SMALL_BODY_WAIT, self._wait_no_more, request)

    def _wait_no_more(self, request: IncomingRequest) -> None:
        self._soon = None
        if self.phase is Phase.BODY and not request.asked:
            self._ask(request)

    def _ask(self, request: IncomingRequest) -> None:
        request.asked = True
        self.transport.pause_reading()
        self._hand_over(self._front.short, wire.Call(request.environ, close=True))

    def _call(self, request: IncomingRequest, *, waited: bool = False) -> None:
        try:
            body, file = request.body()
        except OSError as error:
            self._blame(error)
            return
        pool = self._front.long if request.large else self._front.short
        request.close = request.close or self._front.closing
        call = wire.Call(request.environ, close=request.close, body=body, file=file, waited=waited)
        self._hand_over(pool, call)

    def _hand_over(self, pool: ConnectionPool, call: wire.Call) -> None:
        if self._soon:
            self._soon.cancel()
            self._soon = None
        self._enter(Phase.CALLED)
        self._pool = pool
        pool.call(self, wire.encode_call(call), self._requests[0].game)

    # What the application answers

    def on_frame(self, kind: bytes, content: bytes, connection: PooledConnection) -> None:
        """Take a frame of the answer."""
        if not self._requests:  # nobody is there any more
            if kind == wire.BEGIN:
                connection.abandon()
            return
        if kind == wire.BODY:
            self._read_body(int(content) if content else None)
            return
        if kind in {wire.FOLLOW, wire.WATCH}:
            self._hand_to_streams(kind, content)
            return
        if kind == wire.BEGIN:
            self._web_connection = connection
        if self.phase is Phase.CALLED:
            self._enter(Phase.ANSWER)
        if content:
            self.moved += len(content)
            self.transport.write(content)
        if kind == wire.BROKEN:
            self.abort()
        elif kind in {wire.WHOLE, wire.END}:
            self._end()

    def on_broken(self) -> None:
        """The answer broke off: show that to the client."""
        self.abort()

    def on_refused(self, kind: Kind, detail: str, **more: str) -> None:
        """Answer with a problem. The connection ends unless the whole request was read."""
        request = self._requests[0] if self._requests else None
        goes_on = self.phase is Phase.CALLED and request is not None and request.complete and not request.close
        self.transport.write(
            encode_problem(kind, detail, self._language(), limits.RETRY_AFTER, close=not goes_on, **more)
        )
        if goes_on:
            self._end()
        else:
            self._leave()

    def _language(self) -> str:
        """The language of the current request, from the part that was read."""
        request = self._requests[0] if self._requests else self._reading
        return language_of(request.target, request.headers)

    def _hand_to_streams(self, kind: bytes, content: bytes) -> None:
        if kind == wire.FOLLOW:
            self._follow(content)
            return
        self._enter(Phase.WATCH)
        seconds, order = wire.read_watch(content)
        self._watched = self._front.live.watch(0 if self._ended else seconds, order, self._call_again)

    def _call_again(self) -> None:
        """The game has gone on, or the time is over: make the call again."""
        self._watched = None
        self._call(self._requests[0], waited=True)

    def _follow(self, order: bytes) -> None:
        """Hand the connection over to the streams' process, which owns it from then on."""
        if self.unsent_bytes or self.transport.is_closing():
            self.abort()  # it asks for more than it takes
            return
        connection = self.transport.get_extra_info("socket")
        self._front.live.hand_over(connection.fileno(), order, self._language())
        self.transport.abort()

    def _read_body(self, limit: int | None) -> None:
        """Read the body for the application, up to `limit` bytes."""
        request = self._requests[0]
        request.limit, request.admitted = limit, True
        if request.expects and not request.size:
            self.transport.write(CONTINUE)
        self._enter(Phase.BODY)
        self.moved = request.size
        self.transport.resume_reading()
        self._go_on()

    def _end(self) -> None:
        """The answer is complete: go on with the next request, or end the connection."""
        self._release_connection()
        request = self._requests.popleft()
        request.close_file()
        if request.close or not request.complete or self._front.closing:
            self._leave(heard=request.complete)
            return
        self._enter(Phase.IDLE if self._reading is request else Phase.HEAD)
        if len(self._requests) < 2:
            self.transport.resume_reading()
        if self._requests:
            asyncio.get_running_loop().call_soon(self._go_on)

    # How it ends

    def _refuse_all(self, kind: Kind, detail: str, **more: str) -> None:
        """Refuse the request that is being read, unless another answer is on its way."""
        if self.phase in AT_WORK:
            self.abort()
        else:
            self.on_refused(kind, detail, **more)

    def _blame(self, error: BaseException) -> None:
        if isinstance(error, BadRequestError):
            self._refuse_all(BAD_HTTP, str(error))
        elif isinstance(error, OSError):
            print_line("front", f"{type(error).__name__}: {error}")
            self._refuse_all(OVERLOADED, "the body cannot be kept")
        else:
            id_ = token_hex(8)
            for line in (f"fault {id_}", *format_exception(error)):
                print_line("front", line.rstrip())
            self._refuse_all(INTERNAL, f"{type(error).__name__} while reading the request", id=id_)

    def _leave(self, *, heard: bool = False) -> None:
        """End the connection when the client has taken what was written. A `heard` client sends nothing more."""
        self._release()
        self._enter(Phase.LINGER)
        if self.transport.is_closing():
            return
        try:
            if heard or not self.origin:  # TLS has no half of a connection to end: what is still sent is read first
                self.transport.write_eof()
        except OSError:  # the client has gone already
            self.abort()
        else:
            self.transport.resume_reading()

    def close(self) -> None:
        """End the connection so that a complete answer still arrives, and an incomplete one is seen as such."""
        if self.phase in AT_WORK or self.unsent_bytes:
            self.abort()
        else:
            self.transport.close()

    def abort(self) -> None:
        """End the connection now."""
        if self.origin:
            self.origin.break_off()
        break_off(self.transport)

    def _release(self) -> None:
        """Release everything but the connection."""
        if self._soon:
            self._soon.cancel()
            self._soon = None
        if self._watched:
            self._watched.cancel()
            self._watched = None
        if self._web_connection:
            self._web_connection.abandon()
        if self._pool:
            self._pool.forget(self)
            self._pool = None
        self._release_connection()
        while self._requests:
            self._requests.popleft().close_file()

    def _release_connection(self) -> None:
        if self._web_connection:
            if self._held:
                self._web_connection.resume()
                self._held = False
            self._web_connection = None

    def _enter(self, phase: Phase) -> None:
        self.phase, self.since, self.moved = phase, asyncio.get_running_loop().time(), 0
        self._mark = -self.unsent_bytes

    # Its time

    @property
    def unsent_bytes(self) -> int:
        """The number of bytes that the client has not taken yet."""
        return 0 if self.transport.is_closing() else self.transport.get_write_buffer_size()

    def sweep(self, now: float) -> None:
        """End the connection if its time is over."""
        spent, unsent = now - self.since, self.unsent_bytes
        if unsent:
            if self._is_stalled(now, self.moved - unsent):
                self.abort()
        elif self.phase is Phase.LINGER:
            if self._ended or spent > limits.LINGER:
                self.close()
        elif self.phase is Phase.IDLE:
            if spent > limits.IDLE:
                self.close()
        elif self.phase is Phase.HEAD:
            if spent > limits.HEAD:
                self._give_up("the header did not arrive in time")
        elif self.phase is Phase.BODY and self._is_stalled(now, self.moved):
            self._give_up("the body did not arrive in time")

    def _is_stalled(self, now: float, moved: int) -> bool:
        """Whether the connection moved less than the minimum of bytes during the time of patience."""
        if now - self.since <= limits.TRANSFER_TIMEOUT:
            return False
        if moved - self._mark < limits.TRANSFER_TIMEOUT * limits.SLOWEST:
            return True
        self.since, self._mark = now, moved
        return False

    def _give_up(self, why: str) -> None:
        if self.moved or self._requests:
            self.on_refused(TOO_SLOW, why)
        else:
            self.abort()
