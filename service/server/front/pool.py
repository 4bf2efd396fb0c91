"""The connections to the web servers. Each carries one call at a time. Calls queue before them."""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import count
from typing import TYPE_CHECKING, Protocol

from events.lanes import number_of
from service.problems.kinds import OVERLOADED, UNAVAILABLE
from service.server import wire
from service.server.front import limits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from service.problems.kinds import Kind


class Caller(Protocol):
    """The client connection that makes a call."""

    def on_frame(self, kind: bytes, content: bytes, connection: PooledConnection) -> None:
        """Take a frame of the answer."""

    def on_refused(self, kind: Kind, detail: str) -> None:
        """Take a refusal instead of an answer."""

    def on_broken(self) -> None:
        """Take note that the answer broke off."""


class PooledConnection(asyncio.Protocol):
    """A connection to a web server. It goes back to its pool when the answer is complete."""

    def __init__(self, pool: ConnectionPool, server: WebServer) -> None:
        self._pool, self.server = pool, server
        self._frames = wire.Frames()
        self._transport: asyncio.Transport
        self._caller: Caller | None = None
        self._given_up = False
        self.begun = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The web server has taken the connection."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the types only
        self._transport = transport
        transport.set_write_buffer_limits(1 << 30)  # a call is handed over whole

    def call(self, caller: Caller, content: bytes) -> None:
        """Make a call."""
        self._caller, self.begun = caller, False
        self._transport.write(content)

    def data_received(self, data: bytes) -> None:
        """Pass the received frames to the caller."""
        for kind, content in self._frames.feed(data):
            caller = self._caller
            if kind in wire.FINAL_FRAMES:
                self._caller = None
                self._pool.release(self)
            elif kind == wire.BEGIN:
                self.begun = True
                if not self._pool.mark_long(self):
                    self._caller = None
                    self.hang_up()
                    if caller:
                        caller.on_refused(OVERLOADED, "too many long answers are being sent")
                    return
            if caller:
                caller.on_frame(kind, content, self)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        """The web server has gone, or the connection was given up."""
        caller, self._caller = self._caller, None
        self._pool.remove_connection(self, given_up=self._given_up)
        if caller and self.begun:
            caller.on_broken()
        elif caller:
            caller.on_refused(UNAVAILABLE, "the web server ended meanwhile; the request may have been carried out")

    def pause(self) -> None:
        """Pause reading: the client has not taken the earlier data yet."""
        self._transport.pause_reading()

    def resume(self) -> None:
        """Resume reading."""
        self._transport.resume_reading()

    def hang_up(self) -> None:
        """End the connection."""
        self._given_up = True
        self._transport.abort()

    def abandon(self) -> None:
        """Nobody waits for the answer any more. Let it arrive if it comes at once, else end the connection."""
        self._caller = None
        if self.begun:
            self.hang_up()


class QueuedCall:
    """A call that waits for its turn."""

    __slots__ = ("caller", "content", "since")

    def __init__(self, caller: Caller, content: bytes, since: float) -> None:
        self.caller, self.content, self.since = caller, content, since


class WebServer:
    """A web server at a Unix socket, and the connections to it. One that is `down` is tried again until it answers."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.down = False
        self.idle: list[PooledConnection] = []
        self.used: set[PooledConnection] = set()
        self.long: set[PooledConnection] = set()
        self.opening: set[asyncio.Task[None]] = set()

    @property
    def load(self) -> int:
        """The number of its running and assigned calls."""
        return len(self.used) + len(self.opening)


class ConnectionPool:
    """`each` connections to each web server, and the calls that wait for a free one.

    A connection with a long answer makes room for another. The queue holds the calls that are done within
    `LONGEST_WAIT` at the current pace. A call that would be late is refused before it waits. A call that has waited for
    `stale` seconds is not made any more.
    """

    def __init__(self, paths: Sequence[Path], each: int, stale: float) -> None:
        self._servers = [WebServer(path) for path in paths]
        self._count, self._stale = each, stale
        self._room, self._ended, self._swept = limits.FIRST_QUEUE, 0, 0.0
        self._waiting: deque[QueuedCall] = deque()
        self._turns = count()

    def call(self, caller: Caller, content: bytes, about: str = "") -> None:
        """Make the call when it is its turn, or refuse it. Calls `about` the same game prefer the same server."""
        server = self._best(about)
        if server.idle:
            self._start(server.idle.pop(), caller, content)
            return
        now = asyncio.get_running_loop().time()
        waiting = len(self._waiting) - sum(len(each.opening) for each in self._servers)
        if waiting >= (limits.LONGEST_QUEUE if self._down else self._room):
            caller.on_refused(OVERLOADED, f"{len(self._waiting)} requests wait already")
            return
        self._waiting.append(QueuedCall(caller, content, now))
        if server.load < self._count:
            self._open(server)

    async def connect(self) -> None:
        """Wait until all web servers answer."""
        for server in self._servers:
            while not await self._connect(server):
                await asyncio.sleep(0.02)

    def forget(self, caller: Caller) -> bool:
        """Drop the caller's waiting call. True if there was one."""
        for waiting in self._waiting:
            if waiting.caller is caller:
                self._waiting.remove(waiting)
                return True
        return False

    def sweep(self, now: float) -> None:
        """Refuse calls that have waited too long, and measure the pace."""
        while self._waiting and now - self._waiting[0].since > self._patience:
            self._refuse(self._waiting.popleft())
        if self._waiting:  # else nobody knows how fast it could go
            pace = self._ended / (now - self._swept)
            wanted = min(max(pace * limits.LONGEST_WAIT, limits.SHORTEST_QUEUE), limits.LONGEST_QUEUE)
            self._room += int((wanted - self._room) / 2)  # by halves, so that a moment does not count for all
        self._ended, self._swept = 0, now

    @property
    def _down(self) -> bool:
        return all(server.down for server in self._servers)

    @property
    def _patience(self) -> float:
        return limits.RESTART if self._down else self._stale

    def _best(self, about: str) -> WebServer:
        """The server for the next call: one with room, preferably that of the game that it is `about`.

        Games have the same numbers here as for the lanes of the log. So the requests of a lane meet in few processes
        and are committed together.
        """
        if len(self._servers) == 1:
            return self._servers[0]
        number = number_of(about) if about else next(self._turns)
        home = self._servers[number % len(self._servers)]
        return min(
            self._servers,
            key=lambda each: (each.down, each.load >= self._count, each.load + (each is not home) * limits.DETOUR),
        )

    def _note_down(self, server: WebServer) -> None:
        """Give the waiting calls to the other servers until this one answers again."""
        server.down = True
        for other in self._servers:
            if other.down:
                continue
            while self._waiting and other.idle:
                self._next(other.idle.pop())
            if self._waiting and not other.opening and other.load < self._count:
                self._open(other)

    def close(self) -> None:
        """Close all connections."""
        self._waiting.clear()
        for server in self._servers:
            for task in server.opening:
                task.cancel()
            for connection in [*server.idle, *server.used, *server.long]:
                connection.hang_up()

    # Connections

    def release(self, connection: PooledConnection) -> None:
        """Take back a connection after its answer, for the next call."""
        server = connection.server
        self._ended += 1
        if connection in server.long:
            server.long.discard(connection)
            if len(server.used) + len(server.idle) >= self._count:
                connection.hang_up()
                return
        server.used.discard(connection)
        self._next(connection)

    def mark_long(self, connection: PooledConnection) -> bool:
        """Count a connection as one with a long answer. False if there are too many of them."""
        connection.server.used.discard(connection)
        if len(connection.server.long) >= limits.LONG_ANSWERS:
            return False
        connection.server.long.add(connection)
        if self._waiting:
            self._open(connection.server)
        return True

    def remove_connection(self, connection: PooledConnection, *, given_up: bool) -> None:
        """Remove a connection that is gone: with its server, unless it was `given_up` here."""
        server = connection.server
        server.used.discard(connection)
        server.long.discard(connection)
        if connection in server.idle:
            server.idle.remove(connection)
        if not given_up:
            self._note_down(server)
        if (self._waiting or server.down) and not server.opening:
            self._open(server)

    def _start(self, connection: PooledConnection, caller: Caller, content: bytes) -> None:
        connection.server.used.add(connection)
        connection.call(caller, content)

    def _next(self, connection: PooledConnection) -> None:
        now = asyncio.get_running_loop().time()
        while self._waiting:
            waiting = self._waiting.popleft()
            if now - waiting.since > self._patience:
                self._refuse(waiting)
                continue
            self._start(connection, waiting.caller, waiting.content)
            return
        connection.server.idle.append(connection)

    def _refuse(self, waiting: QueuedCall) -> None:
        if self._down:
            waiting.caller.on_refused(UNAVAILABLE, "the web server does not answer yet")
        else:
            waiting.caller.on_refused(OVERLOADED, f"it waited for {self._stale:g} s, and was not carried out")

    def _open(self, server: WebServer) -> None:
        task = asyncio.get_running_loop().create_task(self._opened(server))
        server.opening.add(task)
        task.add_done_callback(server.opening.discard)

    async def _opened(self, server: WebServer) -> None:
        while (self._waiting or server.down) and not await self._connect(server):
            await asyncio.sleep(0.05)

    async def _connect(self, server: WebServer) -> bool:
        was_down = self._down
        try:
            _, connection = await asyncio.get_running_loop().create_unix_connection(
                lambda: PooledConnection(self, server), server.path
            )
        except OSError:
            self._note_down(server)
            return False
        server.down = False
        if was_down:
            now = asyncio.get_running_loop().time()
            for waiting in self._waiting:  # they waited for the web server, not for their turn
                waiting.since = now
        if task := asyncio.current_task():
            server.opening.discard(task)
        self._next(connection)
        return True
