"""The lanes to the web server: connections that carry one call at a time, and the queue before them."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Protocol

from service import wire
from service.front import limits
from service.refusals import OVERLOADED, UNAVAILABLE

if TYPE_CHECKING:
    from pathlib import Path

    from service.refusals import Kind


class Caller(Protocol):
    """Whoever a call is made for."""

    def answered(self, kind: bytes, content: bytes, lane: Lane) -> None:
        """Take a frame of the answer."""

    def refused(self, kind: Kind, detail: str) -> None:
        """Take the refusal that comes in the answer's place."""

    def broken(self) -> None:
        """Take that the answer ended in its midst."""


class Lane(asyncio.Protocol):
    """A connection to the web server. It is its pool's again when the answer is complete."""

    def __init__(self, pool: Lanes) -> None:
        self._pool = pool
        self._frames = wire.Frames()
        self._transport: asyncio.Transport
        self._caller: Caller | None = None
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
        """Hand on what comes."""
        for kind, content in self._frames.feed(data):
            caller = self._caller
            if kind in wire.LAST:
                self._caller = None
                self._pool.free(self)
            elif kind == wire.BEGIN:
                self.begun = True
                if not self._pool.lengthen(self):
                    self._caller = None
                    self._transport.abort()
                    if caller:
                        caller.refused(OVERLOADED, "as many long answers are under way as there can be")
                    return
            if caller:
                caller.answered(kind, content, self)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        """The web server is gone, or the lane was given up."""
        caller, self._caller = self._caller, None
        self._pool.lost(self)
        if caller and self.begun:
            caller.broken()
        elif caller:
            caller.refused(UNAVAILABLE, "the web server ended meanwhile; the request may have been carried out")

    def hold(self) -> None:
        """Read nothing for a while: what came is not taken yet."""
        self._transport.pause_reading()

    def go_on(self) -> None:
        """Read again."""
        self._transport.resume_reading()

    def hang_up(self) -> None:
        """End the connection."""
        self._transport.abort()

    def abandon(self) -> None:
        """Nobody waits for the answer any more. One that comes at once is left to come."""
        self._caller = None
        if self.begun:
            self._transport.abort()


class Waiting:
    """A call that waits for its turn."""

    __slots__ = ("caller", "content", "since")

    def __init__(self, caller: Caller, content: bytes, since: float) -> None:
        self.caller, self.content, self.since = caller, content, since


class Lanes:
    """A number of lanes, and the calls that wait for one. A lane with a long answer makes room for another.

    The queue is as long as can be worked off within `LONGEST_WAIT` at the pace of the last moments: what would be late
    is refused before it waits. What waited for `stale` seconds all the same is not begun any more.
    """

    def __init__(self, path: Path, count: int, stale: float) -> None:
        self._path, self._count, self._stale = path, count, stale
        self._room, self._ended, self._swept = limits.FIRST_QUEUE, 0, 0.0
        self._idle: list[Lane] = []
        self._used: set[Lane] = set()
        self._long: set[Lane] = set()
        self._waiting: deque[Waiting] = deque()
        self._opening: set[asyncio.Task[None]] = set()
        self._down = False

    def call(self, caller: Caller, content: bytes) -> None:
        """Make the call when it is its turn, or refuse it."""
        if self._idle:
            self._start(self._idle.pop(), caller, content)
            return
        now = asyncio.get_running_loop().time()
        if len(self._waiting) - len(self._opening) >= (limits.LONGEST_QUEUE if self._down else self._room):
            caller.refused(OVERLOADED, f"{len(self._waiting)} requests wait already")
            return
        self._waiting.append(Waiting(caller, content, now))
        if len(self._used) + len(self._opening) < self._count:
            self._open()

    async def connect(self) -> None:
        """Wait until the web server answers."""
        while not await self._connect():
            await asyncio.sleep(0.02)

    def forget(self, caller: Caller) -> bool:
        """Whether the caller's call was waiting; it is not made then."""
        for waiting in self._waiting:
            if waiting.caller is caller:
                self._waiting.remove(waiting)
                return True
        return False

    def sweep(self, now: float) -> None:
        """Refuse what has waited for too long, and see how fast it goes."""
        while self._waiting and now - self._waiting[0].since > self._patience:
            self._refuse(self._waiting.popleft())
        if self._waiting:  # else nobody knows how fast it could go
            pace = self._ended / (now - self._swept)
            wanted = min(max(pace * limits.LONGEST_WAIT, limits.SHORTEST_QUEUE), limits.LONGEST_QUEUE)
            self._room += int((wanted - self._room) / 2)  # by halves, so that a moment does not count for all
        self._ended, self._swept = 0, now

    @property
    def _patience(self) -> float:
        return limits.RESTART if self._down else self._stale

    def close(self) -> None:
        """Give all lanes up."""
        for task in self._opening:
            task.cancel()
        for lane in [*self._idle, *self._used, *self._long]:
            lane.hang_up()
        self._waiting.clear()

    # Of lanes

    def free(self, lane: Lane) -> None:
        """Take back a lane whose call is answered, for the next."""
        self._ended += 1
        if lane in self._long:
            self._long.discard(lane)
            if len(self._used) + len(self._idle) >= self._count:
                lane.hang_up()
                return
        self._used.discard(lane)
        self._next(lane)

    def lengthen(self, lane: Lane) -> bool:
        """Count a lane apart, because its answer is long. False if there are too many of the kind."""
        self._used.discard(lane)
        if len(self._long) >= limits.LONG_ANSWERS:
            return False
        self._long.add(lane)
        if self._waiting:
            self._open()
        return True

    def lost(self, lane: Lane) -> None:
        """Count without a lane that is gone."""
        self._used.discard(lane)
        self._long.discard(lane)
        if lane in self._idle:
            self._idle.remove(lane)
        if self._waiting and not self._opening:
            self._open()

    def _start(self, lane: Lane, caller: Caller, content: bytes) -> None:
        self._used.add(lane)
        lane.call(caller, content)

    def _next(self, lane: Lane) -> None:
        now = asyncio.get_running_loop().time()
        while self._waiting:
            waiting = self._waiting.popleft()
            if now - waiting.since > self._patience:
                self._refuse(waiting)
                continue
            self._start(lane, waiting.caller, waiting.content)
            return
        self._idle.append(lane)

    def _refuse(self, waiting: Waiting) -> None:
        if self._down:
            waiting.caller.refused(UNAVAILABLE, "the web server does not answer yet")
        else:
            waiting.caller.refused(OVERLOADED, f"it waited for {self._stale:g} s without its turn coming")

    def _open(self) -> None:
        task = asyncio.get_running_loop().create_task(self._opened())
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _opened(self) -> None:
        while self._waiting and not await self._connect():
            await asyncio.sleep(0.05)

    async def _connect(self) -> bool:
        try:
            _, lane = await asyncio.get_running_loop().create_unix_connection(lambda: Lane(self), str(self._path))
        except OSError:
            self._down = True
            return False
        if self._down:
            self._down = False
            now = asyncio.get_running_loop().time()
            for waiting in self._waiting:  # they waited for the web server, not for their turn
                waiting.since = now
        if task := asyncio.current_task():
            self._opening.discard(task)
        self._next(lane)
        return True
