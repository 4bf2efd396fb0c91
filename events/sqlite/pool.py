"""Reading connections: one for each reader of the moment."""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

from events.errors import LogClosedError
from events.sqlite.closing import close_all, close_with
from events.sqlite.database import open_reader
from events.sqlite.translation import raising_log_errors

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path


class Pool:
    """Lends reading connections, each for one query only."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False
        close_with(self, self._idle)
        self._idle.append(open_reader(path))

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one query that raises the errors of the log. Raises `LogClosedError`."""
        if self._closed:
            raise LogClosedError(f"{self._path} is closed")
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = open_reader(self._path)
        try:
            with raising_log_errors(self._path):
                yield connection
        finally:
            self._idle.append(connection)
            if self._closed:
                self.close()

    def close(self) -> None:
        """Close the idle connections. A lent one is closed when it comes back."""
        self._closed = True
        close_all(self._idle)
