"""Calls between processes. A process that stored something wakes those that follow the feed.

A call says only that there is news. It may be late or lost: those that follow look now and then all the same.
"""

from __future__ import annotations

import logging
import os
import select
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from psycopg import Error
from psycopg_pool import PoolTimeout

from events.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable

    from psycopg import Connection

    from events.postgres.database import Database

SPACING = 0.02
"""Seconds between two calls of one process, at least."""

RETRY = 1.0
"""Seconds until a listener that lost its connection, or may not listen, tries again."""

_CHANNEL = "kifu_stored"

_CALL = f"select pg_notify('{_CHANNEL}', '') from set_config('synchronous_commit', 'off', true)"
"""In a transaction of its own: one that stores would wait for all others of the database. It need not be durable."""

_FAILURES = (Error, PoolTimeout, LogError)

logger = logging.getLogger(__name__)


class FeedCaller:
    """Calls those that follow the feed, from a thread of its own. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._due, self._closed = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="caller", daemon=True)
        self._thread.start()

    def call(self) -> None:
        """Call soon. Calls that come close together are one."""
        self._due.set()

    def close(self) -> None:
        """Stop the thread. The last call is still made if the database answers soon."""
        self._closed.set()
        self._due.set()
        self._thread.join(1.0)

    def _run(self) -> None:
        while self._due.wait() and not self._closed.is_set():
            self._due.clear()
            with suppress(LogError):
                self._database.change(_CALL)
            self._closed.wait(SPACING)


class Listener:
    """Receives the calls of all processes, in a thread of its own. Safe to share between threads.

    It holds one connection. `hear` runs after each call.
    """

    def __init__(self, database: Database, hear: Callable[[], None]) -> None:
        self._database, self._hear = database, hear
        self.calls = 0
        """How many calls it has heard."""
        self.heard_at = 0.0
        """When it heard the last one, by the monotonic clock."""
        self.connected = False
        """Whether it hears calls. A standby and some poolers pass none on: it calls itself first, to know."""
        self._end, self._ending = os.pipe()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread, and return the connection."""
        os.close(self._ending)
        self._thread.join(1.0)

    def _run(self) -> None:
        pause = 0.0
        while not self._wait(pause):
            pause = RETRY
            try:
                with self._database.connection() as connection:
                    self._listen(connection)
            except _FAILURES as error:
                logger.info("%s: no calls are heard: %s", self._database.name, error)
        os.close(self._end)

    def _listen(self, connection: Connection[Any]) -> None:
        """Hear calls until the end. Raises the errors of the driver, and `LogError`."""
        connection.execute(f"listen {_CHANNEL}")
        try:
            self._database.change(_CALL)
            while not self._wait(None, connection):
                self.calls, self.heard_at, self.connected = self.calls + 1, time.monotonic(), True
                self._hear()
        finally:
            self.connected = False
            if not connection.broken:
                connection.execute("unlisten *")

    def _wait(self, seconds: float | None, connection: Connection[Any] | None = None) -> bool:
        """Wait this long, or for a call on a connection. True if this is the end."""
        poll = select.poll()
        poll.register(self._end)
        if connection:
            poll.register(connection.pgconn.socket, select.POLLIN)
        while True:
            ready = [file for file, _ in poll.poll(None if seconds is None else seconds * 1000)]
            if self._end in ready or connection is None:
                return self._end in ready
            if _called(connection):
                return False


def _called(connection: Connection[Any]) -> bool:
    """Read what has come on a connection. True if there were calls."""
    connection.pgconn.consume_input()
    called = False
    while connection.pgconn.notifies():
        called = True
    return called
