"""The front itself: a listening socket, the connections that it took, and the lanes to the web servers."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections import Counter
from typing import TYPE_CHECKING

from service.front import limits
from service.front.client import Client, Phase
from service.front.lanes import Lanes
from service.front.live import Live
from service.refusals import OVERLOADED, TOO_MANY

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence
    from pathlib import Path

    from service.refusals import Kind

SWEEP = 0.25
"""Seconds between two looks at what takes too long."""

BACKLOG = 1024


class Front:
    """Serves a listening socket by the web servers at some Unix sockets, with `threads` calls at once for each.

    Streams are handed over to the process at the socket `live`. `per_address` is how many connections one address may
    have.
    """

    def __init__(
        self, listener: socket.socket, paths: Sequence[Path], live: Path, threads: int, per_address: int
    ) -> None:
        self._listener, self._per_address = listener, per_address
        self.live = Live(live)
        self.short = Lanes(paths, threads, limits.STALE)
        self.long = Lanes(paths, limits.LONG, limits.STALE_LONG)
        self.closing = False
        self._clients: set[Client] = set()
        self._addresses: Counter[str] = Counter()
        self._most = _most_connections()
        self._server: asyncio.Server | None = None
        self._sweeper: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Wait for the web servers, then take connections."""
        await self.short.connect()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Client(self), sock=self._listener, backlog=BACKLOG)
        self._sweep()

    async def close(self, patience: float) -> None:
        """Take no more, let the calls that are under way end within `patience` seconds, and leave."""
        self.closing = True
        (self._server or self._listener).close()
        self.live.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while any(client.phase in {Phase.CALLED, Phase.ANSWER} or client.unsent for client in self._clients):
                    await asyncio.sleep(0.02)
        if self._sweeper:
            self._sweeper.cancel()
        for client in list(self._clients):
            client.abort()
        self.short.close()
        self.long.close()

    # What clients tell

    def admit(self, client: Client) -> tuple[Kind, str] | None:
        """Count a connection; why it cannot be had, if it cannot."""
        self._clients.add(client)
        self._addresses[client.address] += 1
        if self._addresses[client.address] > self._per_address:
            return TOO_MANY, f"one address can have {self._per_address} connections"
        if len(self._clients) > self._most and not self._make_room():
            return OVERLOADED, "all connections are taken"
        return None

    def forget(self, client: Client) -> None:
        """Count a connection no more."""
        self._clients.discard(client)
        self._addresses[client.address] -= 1
        if self._addresses[client.address] <= 0:
            del self._addresses[client.address]

    def _make_room(self) -> bool:
        """End the connection that has been idle for the longest time."""
        idle = [client for client in self._clients if client.phase is Phase.IDLE]
        if not idle:
            return False
        min(idle, key=lambda client: client.since).abort()
        return True

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweeper = loop.call_later(SWEEP, self._sweep)  # first, so that no fault ends it
        now = loop.time()
        self.short.sweep(now)
        self.long.sweep(now)
        for client in list(self._clients):
            client.sweep(now)
        self._shed_answers()

    def _shed_answers(self) -> None:
        """End the connections that hold most, if answers that nobody takes fill the memory."""
        unsent = {client: size for client in self._clients if (size := client.unsent)}
        held = sum(unsent.values())
        for client in sorted(unsent, key=lambda client: unsent[client], reverse=True):
            if held <= limits.ANSWERS:
                return
            held -= unsent[client]
            client.abort()


def _most_connections() -> int:
    """How many connections there can be: the system grants a number of files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * limits.CONNECTIONS
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return min(limits.CONNECTIONS, most // 2)
