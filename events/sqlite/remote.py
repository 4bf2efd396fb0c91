"""The log in the processes that do not write it: one process writes the log of a shared data folder."""

from __future__ import annotations

import logging
import socket
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from events.errors import LogBusyError, LogError, LogUnreachableError
from events.event import Head, LogEnd, now_ms
from events.grouping import Batch, GroupWriter
from events.privacy import make_private
from events.safekeeping import identity
from events.sqlite.components import SqliteComponents
from events.sqlite.log import WritableSqliteLog
from events.sqlite.messages import (
    Changed,
    Execute,
    ExecuteAll,
    Failed,
    Follow,
    News,
    PutMark,
    Store,
    Stored,
    StoredPlace,
    Wipe,
    decode_answer,
    encode,
    error_of,
    message_of,
    read,
)
from events.sqlite.people import ERASURE_WAIT, SqlitePeople
from events.sqlite.reader import SqliteReader

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from events.event import Event
    from events.requests import WriteRequest
    from events.rows import ChainMark
    from events.sqlite.messages import Answer, Question

PATIENCE = 3.0
"""Seconds that a request waits for a process of the log that is started again."""

PAUSE = 0.02
"""Seconds between two attempts to reach it."""

logger = logging.getLogger(__name__)


class Connection:
    """A connection to the process of the log. It reconnects when it breaks. Safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._closed = False

    def ask(self, question: Question, *, repeatable: bool = True) -> Answer:
        """The answer to a question. After a break it is asked again if it is `repeatable`.

        Raises `LogUnreachableError`, and the error of the log that is the answer.
        """
        content = encode(question)
        with self._lock:
            data = self._ask(content, repeatable=repeatable)
        answer: Answer = decode_answer(data)
        if isinstance(answer, Failed):
            raise error_of(answer)
        return answer

    def _ask(self, content: bytes, *, repeatable: bool) -> bytes:
        deadline, asked = time.monotonic() + PATIENCE, False
        while True:
            try:
                connection = self._connected()
                if asked and not repeatable:
                    break
                asked = True
                connection.sendall(content)
                if data := read(connection):
                    return data
            except OSError:
                pass
            self._hang_up()
            if self._closed or time.monotonic() > deadline:
                break
            time.sleep(PAUSE)
        raise LogUnreachableError("the process of the log does not answer; it is started again")

    def _connected(self) -> socket.socket:
        if self._socket is None:
            self._socket = connect(self._path)
        return self._socket

    def _hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def close(self) -> None:
        """Close the connection."""
        self._closed = True
        with self._lock:
            self._hang_up()


def connect(path: Path) -> socket.socket:
    """A connection to the process of the log. Raises `OSError`."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection


class RemoteWriter(GroupWriter[Batch]):
    """Sends requests to the process of the log, in groups."""

    def __init__(self, path: Path, address: Path, stored: Callable[[Sequence[Sequence[Event]]], None]) -> None:
        super().__init__(str(path))
        self._path, self._opened = path, identity(path)
        self._stored = stored
        self._storing, self._changing = Connection(address), Connection(address)
        self._thread.start()

    def _store(self, group: list[WriteRequest]) -> None:
        answer = self._storing.ask(Store([message_of(request) for request in group]))
        assert isinstance(answer, Stored)  # noqa: S101 - for the types only
        stored = []
        for request, place in zip(group, answer.places, strict=True):
            request.events = request.error = None
            if isinstance(place, Failed):
                request.error = error_of(place)
            elif isinstance(place, StoredPlace):
                request.events = request.stored_at(place.prev, place.recorded_at, place.hashes)
                stored.append(request.events)
        self.full, self.unwritable = False, ""
        if stored:
            self._stored(stored)

    def _log_error(self, error: Exception) -> LogError | None:  # noqa: ARG002 - errors come as those of the log
        return None

    def change(self, sql: str, parameters: tuple[Any, ...]) -> int:
        """See `Writer.change`. Raises `LogUnreachableError` if it is not known whether it was done."""
        self._refuse_closed()
        return self._count(Execute(sql, list(parameters)), repeatable=False)

    def change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> bool:
        """See `Writer.change_all`. Repeated after it was done it gives False."""
        self._refuse_closed()
        return bool(self._count(ExecuteAll(sql, [list(row) for row in rows])))

    def truncate_wal(self, patience: float) -> bool:
        """See `Writer.truncate_wal`."""
        return self.wipe(patience, None)

    def wipe(self, patience: float, game: str | None) -> bool:
        """As `truncate_wal`. It also tells all processes that something was erased in a game."""
        self._refuse_closed()
        return bool(self._count(Wipe(patience, game)))

    def put_mark(self, mark: ChainMark) -> None:
        """Note the end of a chain that no append made."""
        self._count(PutMark(*mark))

    def _count(self, question: Question, *, repeatable: bool = True) -> int:
        answer = self._changing.ask(question, repeatable=repeatable)
        assert isinstance(answer, Changed)  # noqa: S101 - for the types only
        return answer.count

    def moved_file(self) -> Path | None:
        """The file of the log, if it is no longer at its path."""
        return self._path if identity(self._path) != self._opened else None

    def close(self) -> None:
        """Close the connection. Call it after `stop`."""
        self._storing.close()
        self._changing.close()


class SharedSqliteLog(WritableSqliteLog):
    """A log in an SQLite database for any number of processes: the process at the socket `address` writes it.

    It waits until that process has opened the log. Raises `LogNewerError`, or `LogError` for a file that is no log.
    """

    shared = True

    _writer: RemoteWriter

    def __init__(self, path: Path, address: Path, clock: Callable[[], int] = now_ms) -> None:
        make_private()
        self._address = address
        self._news = threading.Condition()
        self._told, self._erased = 0, list[tuple[int, str]]()
        self._ended = False
        self._listening: socket.socket | None = self._followed()
        super().__init__(path)
        self._writer = RemoteWriter(path, address, self._announce)
        self.people = SqlitePeople(self._pool, self._writer, clock)
        self.components = SqliteComponents(self._pool, self._writer, clock)
        for warning in self.warnings:
            logger.warning("%s: %s", path, warning)
        threading.Thread(target=self._listen, name=f"news of {path}", daemon=True).start()

    def close(self) -> None:
        """Finish accepted requests, and hang up."""
        if not self._writer.stop():
            return
        self._ended = True
        if self._listening:
            with suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
        super().close()
        self._writer.close()

    def _leave_nothing(self, game: str, version: int) -> None:
        if not self._writer.wipe(ERASURE_WAIT, game):
            raise LogBusyError(f"entry {version} is erased, but a long read still keeps its bytes on disk")

    def _put_mark(self, mark: ChainMark) -> None:
        self._writer.put_mark(mark)

    # Reading what other processes have stored

    def head(self, game: str) -> Head | None:
        """The newest version of a game, or None for an unknown one. Raises `DamagedError`."""
        self._refuse_damaged(game)
        mark, key = self._known(game)
        if mark is not None and key is not None:
            sql = "select version, hash from event where game = ? order by version desc limit 1"
            if self._rows(sql, (key,), game, 1) == [(mark.version, mark.hash)]:
                return Head(game, mark.version, mark.hash.hex())
        return super().head(game)

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until the feed goes beyond position `after` or `timeout` seconds have passed; say whether it does."""
        with self._news:
            told = self._news.wait_for(lambda: self._told > after, timeout)
        return told or SqliteReader.position(self) > after

    def recent_end(self) -> LogEnd:
        """How far the log is, and when the newest erasure was."""
        erased = self._erased
        return LogEnd(self.position(), erased[-1][0] if erased else 0)

    def erasures(self, after: int = 0) -> list[tuple[int, str]]:
        """The games in which any process has erased something since this one started, with the time."""
        if not self._erased or self._erased[-1][0] <= after:
            return []
        with self._news:
            return [(number, game) for number, game in self._erased if number > after]

    def _followed(self) -> socket.socket:
        """A connection with news. It waits until there is one. Raises `OSError` once the log is closed."""
        while not self._ended:
            with suppress(OSError):
                connection = connect(self._address)
                connection.sendall(encode(Follow()))
                if data := read(connection):
                    self._take(data)
                    return connection
                connection.close()
            time.sleep(PAUSE)
        raise OSError("closed")

    def _take(self, data: bytes) -> None:
        news = decode_answer(data)
        assert isinstance(news, News)  # noqa: S101 - for the types only
        with self._news:
            self._told = max(self._told, news.position)
            for game in news.erased:
                last = self._erased[-1][0] if self._erased else 0
                self._erased.append((max(last + 1, now_ms()), game))
            self._news.notify_all()

    def _listen(self) -> None:
        while True:
            try:
                connection = self._listening = self._listening or self._followed()
                with connection:
                    while data := read(connection):
                        self._take(data)
            except OSError:
                pass
            self._listening = None
            if self._ended:
                return
