"""The front: a listening socket, the connections of clients, and the connections to the web servers."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections import Counter
from typing import TYPE_CHECKING

from service.problems.kinds import OVERLOADED, TOO_MANY
from service.server.front import limits
from service.server.front.client import Client, Phase
from service.server.front.live import StreamsProcess
from service.server.front.pool import ConnectionPool
from service.server.front.tls import TLSListener
from service.server.hosts import network_of

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Sequence
    from pathlib import Path

    from service.problems.kinds import Kind
    from service.server.front.tls import Origin, TLSConnection

SWEEP = 0.25
"""Seconds between two looks at what takes too long."""

BACKLOG = 1024

FILES, FILES_OF_TUNNEL = 2, 5
"""How many files a connection can take: itself, that of its body, and with TLS both ends of its pair."""


class Front:
    """Serves a listening socket with web servers at Unix sockets, each with `threads` calls at once.

    Streams are handed over to the process at the socket `live`. `per_address` is how many connections one address may
    have. With a `context` it speaks TLS.
    """

    def __init__(
        self,
        listener: socket.socket,
        paths: Sequence[Path],
        live: Path,
        threads: int,
        per_address: int,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._listener, self._per_address = listener, per_address
        self._door = TLSListener(self, listener, context) if context else None
        self.live = StreamsProcess(live)
        self.short = ConnectionPool(paths, threads, limits.STALE)
        self.long = ConnectionPool(paths, limits.LONG, limits.STALE_LONG)
        self.closing = False
        self._clients: set[Client] = set()
        self._addresses: Counter[str] = Counter()
        self._tls_connections: set[TLSConnection] = set()
        self._most = _most_connections(FILES_OF_TUNNEL if context else FILES)
        self._server: asyncio.Server | None = None
        self._sweeper: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Wait for the web servers, then accept connections."""
        await self.short.connect()
        if self._door:
            self._listener.listen(BACKLOG)
            self._door.open()
        else:
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(lambda: Client(self), sock=self._listener, backlog=BACKLOG)
        self._sweep()

    async def serve(self, connection: socket.socket, origin: Origin | None = None) -> None:
        """Serve an accepted connection, or the plain end of a TLS connection. Raises `OSError`."""
        await asyncio.get_running_loop().connect_accepted_socket(lambda: Client(self, origin), connection)

    async def close(self, patience: float) -> None:
        """Stop accepting, let running calls end within `patience` seconds, and stop."""
        self.closing = True
        (self._door or self._server or self._listener).close()
        self.live.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while any(
                    client.phase in {Phase.CALLED, Phase.ANSWER} or client.unsent_bytes for client in self._clients
                ):
                    await asyncio.sleep(0.02)
                for client in [each for each in self._clients if each.origin]:
                    client.transport.close()  # what the TLS connection still holds of an answer goes out
                while any(connection.has_unsent_data for connection in self._tls_connections):
                    await asyncio.sleep(0.02)
        if self._sweeper:
            self._sweeper.cancel()
        for each in self._all():
            each.close()
        self.short.close()
        self.long.close()

    def _all(self) -> list[Client | TLSConnection]:
        return [*self._clients, *self._tls_connections]

    # What clients tell

    def admit(self, client: Client) -> tuple[Kind, str] | None:
        """Count a connection. Returns the reason if it is refused. A TLS connection is counted when it is accepted."""
        self._clients.add(client)
        if client.origin:
            return None
        network = network_of(client.address)
        self._addresses[network] += 1
        return self._refusal(network)

    def forget(self, client: Client) -> None:
        """Stop counting a connection."""
        self._clients.discard(client)
        if not client.origin:
            self._leave(network_of(client.address))

    def add_tls_connection(self, connection: TLSConnection) -> bool:
        """Count a connection that may speak TLS. False if it is refused."""
        self._tls_connections.add(connection)
        network = network_of(connection.address)
        self._addresses[network] += 1
        return self._refusal(network) is None

    def remove_tls_connection(self, connection: TLSConnection) -> None:
        """Stop counting such a connection."""
        if connection in self._tls_connections:
            self._tls_connections.discard(connection)
            self._leave(network_of(connection.address))

    def _refusal(self, address: str) -> tuple[Kind, str] | None:
        if self._addresses[address] > self._per_address:
            return TOO_MANY, f"one address can have {self._per_address} connections"
        if self._addresses.total() > self._most and not self._make_room():
            return OVERLOADED, "all connections are in use"
        return None

    def _leave(self, address: str) -> None:
        self._addresses[address] -= 1
        if self._addresses[address] <= 0:
            del self._addresses[address]

    def _make_room(self) -> bool:
        """End the connection that has been idle for the longest time."""
        idle = [client for client in self._clients if client.phase is Phase.IDLE]
        if not idle:
            return False
        min(idle, key=lambda client: client.since).close()
        return True

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweeper = loop.call_later(SWEEP, self._sweep)  # first, so that no fault ends it
        now = loop.time()
        self.short.sweep(now)
        self.long.sweep(now)
        for each in self._all():
            each.sweep(now)
        self._shed_answers()

    def _shed_answers(self) -> None:
        """If unread answers fill the memory, end the connections that hold most."""
        unsent = {each: size for each in self._all() if (size := each.unsent_bytes)}
        held = sum(unsent.values())
        for each in sorted(unsent, key=lambda each: unsent[each], reverse=True):
            if held <= limits.ANSWERS:
                return
            held -= unsent[each]
            each.abort()


def _most_connections(files: int) -> int:
    """The possible number of connections with `files` files each, by the system's limit of open files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = files * limits.CONNECTIONS
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return min(limits.CONNECTIONS, most // files)
