"""The link to the streams' process: connections are handed over to it, and it tells when games go on."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from service.problems.early import encode_problem
from service.problems.kinds import UNAVAILABLE
from service.server.front import limits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class StreamsProcess:
    """Speaks to that process at a Unix socket. Requests wait while the process is starting again."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        self._watched: set[GameWatch] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def hand_over(self, connection: int, order: bytes, language: str) -> None:
        """Hand a client's connection over with an order. The caller closes its own end."""
        task = asyncio.get_running_loop().create_task(self._hand_over(os.dup(connection), order, language))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def watch(self, seconds: float, order: bytes, again: Callable[[], None]) -> GameWatch:
        """Call `again` after the order is carried out, or after `seconds`, unless it is cancelled."""
        watched = GameWatch(self._path, seconds, order, again, self._watched.discard)
        self._watched.add(watched)
        return watched

    def close(self) -> None:
        """End all waiting."""
        for watched in list(self._watched):
            watched.end()
        for task in self._tasks:
            task.cancel()

    async def _hand_over(self, client: int, order: bytes, language: str) -> None:
        try:
            with closing(await self._connect()) as connection:
                sent = socket.send_fds(connection, [order], [client])
                if sent < len(order):
                    await asyncio.get_running_loop().sock_sendall(connection, order[sent:])
        except OSError:
            with suppress(OSError):
                why = "the streams are not served yet"
                os.write(client, encode_problem(UNAVAILABLE, why, language, limits.RETRY_AFTER, close=True))
        finally:
            os.close(client)

    async def _connect(self) -> socket.socket:
        """A connection to the streams' process, as soon as it accepts one. Raises `OSError` if that takes too long."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + limits.RESTART
        while True:
            connection = socket.socket(socket.AF_UNIX)
            connection.setblocking(False)
            try:
                connection.connect(self._path)
            except OSError:
                connection.close()
                if loop.time() > deadline:
                    raise
                await asyncio.sleep(0.05)
            else:
                return connection


class GameWatch(asyncio.Protocol):
    """A caller that waits for a game to go on. Without the streams' process it waits a moment, and looks itself."""

    def __init__(
        self,
        path: str,
        seconds: float,
        order: bytes,
        again: Callable[[], None],
        ended: Callable[[GameWatch], None],
    ) -> None:
        self._order, self._again, self._ended = order, again, ended
        self._transport: asyncio.Transport | None = None
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self.end)
        self._look = min(seconds, limits.UNWATCHED_WAIT)
        self._task = loop.create_task(self._connect(path))

    async def _connect(self, path: str) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.create_unix_connection(lambda: self, path)
        except OSError:
            self._timer.cancel()
            self._timer = loop.call_later(self._look, self.end)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Give the order."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - for the types only
        self._transport = transport
        transport.write(self._order)

    def connection_lost(self, error: Exception | None) -> None:  # noqa: ARG002 - it makes no difference
        """The order is carried out, or the process has gone."""
        self._transport = None
        self.end()

    def end(self) -> None:
        """Wait no longer."""
        again = self._again
        self.cancel()
        again()

    def cancel(self) -> None:
        """Stop waiting without a call."""
        self._again = _nothing
        self._timer.cancel()
        self._task.cancel()
        self._ended(self)
        if self._transport:
            self._transport.abort()


def _nothing() -> None:
    """Nobody waits any more."""
