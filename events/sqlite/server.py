"""The process of a shared log: it stores what other processes send, and tells them about it.

Each web process has some connections. What comes on one of them is one commit. So the writer shares the interpreter
with nobody, and a web process waits for a single answer instead of for each call of SQLite.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from events.errors import LogClosedError, LogError
from events.rows import ChainMark
from events.sqlite import messages
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
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from events.requests import WriteRequest
    from events.sqlite.log import SqliteLog
    from events.sqlite.messages import Answer, Question

logger = logging.getLogger(__name__)


class LogServer:
    """Serves a log to the processes that connect to its socket."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._followers: list[socket.socket] = []
        self._erased: list[str] = []
        self._listener = socket.socket(socket.AF_UNIX)

    def listen(self, address: Path) -> None:
        """Listen on the socket `address`. Raises `OSError`."""
        address.unlink(missing_ok=True)
        mask = os.umask(0o177)
        try:
            self._listener.bind(str(address))
        finally:
            os.umask(mask)
        self._listener.listen(128)

    def serve(self) -> None:
        """Answer until `close` is called."""
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # it was closed
                return
            threading.Thread(target=self._converse, args=[connection], name="log-connection", daemon=True).start()

    def close(self) -> None:
        """Stop listening, and end each connection after its current answer."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _converse(self, connection: socket.socket) -> None:
        """Answer the messages of a connection until the other side closes it."""
        with connection, suppress(OSError):
            while content := messages.read(connection):
                question = messages.decode_question(content)
                if isinstance(question, Follow):
                    self._follow(connection)
                    continue
                try:
                    answer = self._answer(question)
                except LogClosedError:
                    return  # it is asked again when the log is open again
                except LogError as error:
                    answer = messages.failed(error)
                connection.sendall(messages.encode(answer))
        with self._lock:
            if connection in self._followers:
                self._followers.remove(connection)

    def _answer(self, question: Question) -> Answer:
        writer = self._log.writer
        match question:
            case Store():
                return self._store(question)
            case Execute():
                return Changed(writer.change(question.sql, tuple(question.values)))
            case ExecuteAll():
                return Changed(int(writer.change_all(question.sql, question.rows)))
            case Wipe():
                wiped = writer.truncate_wal(question.patience)
                if question.game is not None:
                    self._tell([question.game])
                return Changed(int(wiped))
            case PutMark():
                self._log.take_mark(ChainMark(question.game, question.version, question.position, question.hash))
                return Changed(1)
        raise LogError(f"no answer to {type(question).__name__}")

    def _store(self, question: Store) -> Answer:
        requests = [messages.request_of(each) for each in question.requests]
        self._log.writer.submit_together(requests)
        if any(request.events for request in requests):
            self._tell([])
        return Stored([_place(request) for request in requests])

    # News

    def _follow(self, connection: socket.socket) -> None:
        """Send news to a process from now on, and first the earlier erasures."""
        with self._lock:
            connection.sendall(messages.encode(News(self._log.position(), self._erased)))
            self._followers.append(connection)

    def _tell(self, erased: Sequence[str]) -> None:
        """Tell all followers how far the feed is. A silent one is cut off if it would miss an erasure."""
        content = messages.encode(News(self._log.position(), list(erased)))
        with self._lock:
            self._erased += erased
            for follower in self._followers:
                try:
                    whole = follower.send(content, socket.MSG_DONTWAIT) == len(content)
                except BlockingIOError:
                    whole = not erased  # it hears the next news, or looks for itself
                except OSError:
                    continue
                if not whole:
                    with suppress(OSError):
                        follower.shutdown(socket.SHUT_RDWR)


def _place(request: WriteRequest) -> StoredPlace | Failed | None:
    if request.error is not None:
        return messages.failed(request.error)
    if request.events is None:
        return None
    first: Any = request.events[0]
    return StoredPlace(first.prev, first.recorded_at, [event.hash for event in request.events])
