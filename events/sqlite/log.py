"""The log in one SQLite database: append and everything else that writes."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from events import limits, seals
from events.canonical import GENESIS
from events.entries import check_adopted, check_new
from events.errors import (
    IdReusedError,
    LogBusyError,
    LogDamagedError,
    LogError,
    NotSealedError,
    StaleVersionError,
)
from events.event import Appended, Head
from events.privacy import make_private, mend
from events.schemas import SCHEMAS
from events.sqlite.components import SqliteComponents
from events.sqlite.database import open_reader, open_writer
from events.sqlite.heads import SIZE, HeadFile, Mark, heads_path, write
from events.sqlite.lock import WriteLock
from events.sqlite.people import PATIENCE, SqlitePeople
from events.sqlite.reader import SqliteReader
from events.sqlite.request import Adoption, Append, ChainEnd, Request
from events.sqlite.rows import uuid_bytes
from events.sqlite.translation import translated
from events.sqlite.writer import Writer, milliseconds

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from events.entries import CheckedEvent
    from events.event import Event, NewEvent
    from events.seals import Part

ROOM = 1 << 20
"""Bytes on the disk that are too few to go on for long."""

logger = logging.getLogger(__name__)


class SqliteLog(SqliteReader):
    """A log that can be appended to: see `events.log.Log`. One process at a time has it open.

    `clock` gives milliseconds since 1970. Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`,
    `LogFullError`, or `LogError` for a file that is no log.
    """

    def __init__(self, path: Path | str, clock: Callable[[], int] = milliseconds) -> None:
        path = Path(path)
        self._listeners: list[Callable[[Sequence[Event]], None]] = []
        self._news = threading.Condition()
        self._waiting = 0
        with ExitStack() as undo, translated(path):
            make_private()
            path.parent.mkdir(parents=True, exist_ok=True)
            mend(path.parent.glob(f"{path.name}*"))
            self._lock = WriteLock(path)
            undo.callback(self._lock.release)
            connection = self._open(path)
            undo.callback(connection.close)
            super().__init__(path)
            undo.callback(super().close)
            self._writer = Writer(
                connection,
                path,
                HeadFile(heads_path(path)),
                position=self._top(),
                chain=self._chain,
                stored=self._announce,
                clock=clock,
            )
            undo.pop_all()
        self.people = SqlitePeople(self._pool, self._writer)
        self.components = SqliteComponents(self._pool, self._writer, clock)
        for warning in self.warnings:
            logger.warning("%s: %s", path, warning)

    @staticmethod
    def _open(path: Path) -> sqlite3.Connection:
        """The writing connection. For a damaged file it is one that cannot write: what is sound can still be read."""
        try:
            return open_writer(path)
        except LogDamagedError as error:
            connection = open_reader(path)
            logger.error("nothing can be appended: %s", error)  # noqa: TRY400 - the trace says nothing more
            return connection

    def close(self) -> None:
        """Finish what was accepted, checkpoint, and let go of the files."""
        if not self._writer.stop():
            return
        super().close()
        try:
            self._writer.close()
        finally:
            self._lock.release()

    # Append

    def append(self, game: str, events: Sequence[NewEvent | CheckedEvent], *, expected: int, recorder: str) -> Appended:
        """Store 1..n events of `game` after version `expected` (0 opens the game), all of them or none."""
        self._refuse_damaged(game)
        return self._store(Append(game, check_new(game, events, expected, recorder), expected, recorder))

    def adopt(self, events: Sequence[Event]) -> Appended:
        """Store events of one game as another log has them: with their versions, times, recorders and hashes."""
        check_adopted(events)
        game = events[0].game
        self._refuse_damaged(game)
        return self._store(Adoption(game, events, events[0].version - 1))

    def _store(self, request: Request) -> Appended:
        expected = request.expected
        before: tuple[Event, ...] = ()
        while True:
            self._writer.submit(request)
            if request.error is not None:
                raise request.error
            if request.events is not None:
                return Appended(before + request.events, len(request.events))
            stored = self._stored_front(request, len(before))
            before += stored
            if len(stored) == len(request.entries):
                return Appended(before, 0)
            request = request.rest(len(stored))
            self._refuse_stale(request, expected)

    def _stored_front(self, request: Request, start: int) -> tuple[Event, ...]:
        """The events at the front of a request that are stored where it wants them. Raises `IdReusedError`."""
        front: list[Event] = []
        for index, entry in enumerate(request.entries):
            event = self.find(entry.id)
            if event is None:
                continue
            if len(front) < index or not request.is_stored_as(index, event):
                raise IdReusedError(start + index, entry.id, event)
            front.append(event)
        return tuple(front)

    def _refuse_stale(self, request: Request, expected: int) -> None:
        """Raise `StaleVersionError` unless the game is still, or again, where the request wants it."""
        game = request.game
        head = self.head(game)
        version = head.version if head else 0
        if version == request.expected and not request.follows(head.hash if head else GENESIS):
            expected = version - 1  # it is the entry there that is another one
        elif version == request.expected:
            return
        missed = tuple(self.read(game, expected, expected + limits.MISSED)) if version > expected else ()
        raise StaleVersionError(game, expected, version, missed)

    # Erasing

    def erase(self, game: str, version: int, what: Part, by: str) -> Event:
        """Erase the texts of an entry, or what it hides, so that no byte of it is left in any file of the log."""
        event = next(self.read(game, version - 1, version), None)
        if event is None:
            raise LookupError(f"there is no entry {version}")
        if event.schema < SCHEMAS.sealing(event.type):
            raise NotSealedError(game, version)
        sealed = seals.erase(event.sealed, what, seals.Erasure(by, milliseconds()))
        if sealed != event.sealed:
            sql = "update event set sealed = ? where game = ? and version = ?"
            self._writer.change(sql, (sealed, self._number(game), version))
        if not self._writer.wipe(PATIENCE):
            raise LogBusyError(f"entry {version} is erased, but a long read still keeps its bytes on disk")
        return msgspec.structs.replace(event, sealed=sealed)

    # What the writer asks for and tells

    def _chain(self, game: str) -> ChainEnd:
        last, number = self._last(game), self._number(game)
        if last is None or number is None:
            return ChainEnd(number or 0)
        return ChainEnd(number, last.version, last.hash, last.recorded_at)

    def _announce(self, requests: Sequence[Sequence[Event]]) -> None:
        for listener in self._listeners:
            for events in requests:
                try:
                    listener(events)
                except Exception:
                    logger.exception("%s: a listener failed", self.path)
        if self._waiting:
            with self._news:
                self._news.notify_all()

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> None:
        """Call `listener` with each request's newly stored events, after their commit and before its answer."""
        self._listeners.append(listener)

    # Quick answers from what the writer knows

    def head(self, game: str) -> Head | None:
        """The newest version of a game, or None for an unknown one. Raises `DamagedError`."""
        self._refuse_damaged(game)
        chain = self._writer.chain(game)
        return Head(game, chain.version, chain.hash) if chain else super().head(game)

    def position(self) -> int:
        """The feed position of the newest event, 0 in an empty log."""
        return self._writer.position

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until the feed goes beyond position `after` or `timeout` seconds have passed; say whether it does."""
        with self._news:
            self._waiting += 1
            try:
                return self._news.wait_for(lambda: self._writer.position > after, timeout)
            finally:
                self._waiting -= 1

    @property
    def full(self) -> bool:
        """Whether the disk took no more when something was last to be stored, or has hardly any room left."""
        if self._writer.full:
            return True
        found = os.statvfs(self.path.parent)
        return found.f_bavail * found.f_frsize < ROOM

    # Heads and damage

    def _examine(self, marks: Mapping[bytes, Mark]) -> list[str]:
        """Compare the head file with the database, and bring it up to date where a kill left it behind."""
        ahead = super()._examine(marks)
        path = heads_path(self.path)
        missing = not path.exists()
        if missing and ahead:
            self.warnings.append(f"{path.name} was missing and is made anew; a lost tail could not have been noticed")
        fresh = {mark.game: mark for game in ahead for mark in self._new_mark(game, marks.get(uuid_bytes(game)))}
        if missing or ahead or self.warnings or path.stat().st_size > 2 * SIZE * (len(marks) + 512):
            write(path, {**marks, **fresh}.values())
        return ahead

    def _new_mark(self, game: str, mark: Mark | None) -> Iterator[Mark]:
        """The mark of a game that went on after its last one was written, if what came since is sound."""
        with suppress(LogError):
            last = _last(self.read(game, mark.version if mark else 0))
            if last is not None:
                yield Mark(uuid_bytes(game), last.version, self._seq(last), bytes.fromhex(last.hash))

    def accept_loss(self, game: str) -> Head | None:
        """Take what is left of a game with a missing tail as its record, so that it can be served again."""
        known = self._damage.pop(game, None)
        if known is None:
            return self.head(game)
        number = self._number(game)
        last = None if number is None else _last(self._read(game, number, 0, None, None))
        version, own = (last.version, last.hash) if last else (0, GENESIS)
        self._writer.forget(game)
        self._writer.mark(Mark(uuid_bytes(game), version, self.position(), bytes.fromhex(own)))
        return Head(game, version, own) if last else None


def _last(events: Iterable[Event]) -> Event | None:
    """The last of a stream, or None."""
    return next(iter(deque(events, maxlen=1)), None)
