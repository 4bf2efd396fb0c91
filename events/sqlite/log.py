"""The log in one SQLite database: append and everything else that writes."""

from __future__ import annotations

import logging
import os
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import LogBusyError, LogDamagedError, LogError
from events.event import Head, now_ms
from events.privacy import make_private, restrict_to_owner
from events.recording import RowLog, SealChange, last_of
from events.requests import ChainEnd
from events.rows import ChainMark, uuid_bytes, uuid_text
from events.sqlite.components import SqliteComponents
from events.sqlite.database import open_reader, open_writer
from events.sqlite.files import refuse_moved
from events.sqlite.heads import SIZE, HeadFile, heads_path, write
from events.sqlite.lock import WriteLock
from events.sqlite.people import ERASURE_WAIT, SqlitePeople
from events.sqlite.reader import SqliteReader
from events.sqlite.translation import raising_log_errors
from events.sqlite.writer import Writer

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from events.event import Event
    from events.requests import WriteRequest
    from events.sqlite.writer import LogWriter

LOW_SPACE = 1 << 20
"""Bytes on the disk that are too few to go on for long."""

logger = logging.getLogger(__name__)


class WritableSqliteLog(RowLog, SqliteReader):
    """A log in an SQLite database that can be appended to, by a writer in this process or in another one."""

    _writer: LogWriter

    def _submit(self, request: WriteRequest) -> None:
        self._writer.submit(request)

    def _submit_together(self, group: list[WriteRequest]) -> None:
        self._writer.submit_together(group)

    def _exchange_seals(self, game: str, changes: Sequence[SealChange]) -> bool:
        sql, key = "update event set sealed = ? where game = ? and version = ? and sealed is ?", self._key(game)
        return self._writer.change_all(sql, [(each.after, key, each.version, each.before) for each in changes])

    def share_commits(self, rests: int) -> None:
        """Let each commit wait for more requests, as long as some come, for up to `rests` half milliseconds."""
        self._writer.rests = rests

    @property
    def full(self) -> bool:
        """Whether the disk was full at the last write, or has hardly any room left."""
        if self._writer.full:
            return True
        found = os.statvfs(self.path.parent)
        return found.f_bavail * found.f_frsize < LOW_SPACE

    @property
    def unwritable(self) -> str:
        """The known reason why nothing can be stored, other than a full disk; empty if there is no such reason."""
        astray = self._writer.moved_file()
        return f"{astray} was taken away, or replaced" if astray else self._writer.unwritable


class SqliteLog(WritableSqliteLog):
    """A log in an SQLite database that can be appended to. One process at a time has it open.

    `clock` gives milliseconds since 1970. One that is being `moved` can be opened only to go on with that. Raises
    `MovedError`, `LogLockedError`, `LogNewerError`, `LogUnwritableError`,
    `LogFullError`, or `LogError` for a file that is no log.
    """

    _writer: Writer

    def __init__(self, path: Path | str, clock: Callable[[], int] = now_ms, *, moved: bool = False) -> None:
        path = Path(path)
        if not moved:
            refuse_moved(path)
        self._news = threading.Condition()
        self._waiting = 0
        with ExitStack() as undo, raising_log_errors(path):
            make_private()
            path.parent.mkdir(parents=True, exist_ok=True)
            restrict_to_owner(path.parent.glob(f"{path.name}*"))
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
        self.people = SqlitePeople(self._pool, self._writer, clock)
        self.components = SqliteComponents(self._pool, self._writer, clock)
        for warning in self.warnings:
            logger.warning("%s: %s", path, warning)

    @staticmethod
    def _open(path: Path) -> sqlite3.Connection:
        """The writing connection. For a damaged file it only reads, so that sound entries can still be read."""
        try:
            return open_writer(path)
        except LogDamagedError as error:
            connection = open_reader(path)
            logger.error("nothing can be appended: %s", error)  # noqa: TRY400 - the trace says nothing more
            return connection

    def close(self) -> None:
        """Finish accepted requests, checkpoint, and close the files."""
        if not self._writer.stop():
            return
        super().close()
        try:
            self._writer.close()
        finally:
            self._lock.release()

    @property
    def writer(self) -> Writer:
        """The writer of the database."""
        return self._writer

    def _leave_nothing(self, game: str, version: int) -> None:  # noqa: ARG002 - it wipes the whole WAL
        if not self._writer.truncate_wal(ERASURE_WAIT):
            raise LogBusyError(f"entry {version} is erased, but a long read still keeps its bytes on disk")

    # What the writer asks for and tells

    def _chain(self, game: str) -> ChainEnd:
        last, number = self._last(game), self._key(game)
        if last is None or number is None:
            return ChainEnd(number or 0)
        return ChainEnd(number, last.version, last.hash, last.recorded_at)

    def _announce(self, requests: Sequence[Sequence[Event]]) -> None:
        super()._announce(requests)
        if self._waiting:
            with self._news:
                self._news.notify_all()

    # Quick answers from what the writer knows

    def head(self, game: str) -> Head | None:
        """The newest version of a game, or None for an unknown one. Raises `DamagedError`."""
        if game in self._damage:
            self._refuse_damaged(game)
        chain = self._writer.cached_end(game)
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

    # Heads and damage

    def _examine(self, marks: Mapping[bytes, ChainMark]) -> list[str]:
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

    def _new_mark(self, game: str, mark: ChainMark | None) -> Iterator[ChainMark]:
        """The mark of a game with newer entries than its last mark, if these are sound."""
        with suppress(LogError):
            last = last_of(self.read(game, mark.version if mark else 0))
            if last is not None:
                yield ChainMark(uuid_bytes(game), last.version, self._seq(last), bytes.fromhex(last.hash))

    def take_mark(self, mark: ChainMark) -> None:
        """Note the end of a damaged game's chain, as another process has accepted it."""
        self._damage.pop(uuid_text(mark.game), None)
        self._put_mark(mark)

    def _put_mark(self, mark: ChainMark) -> None:
        self._writer.forget(uuid_text(mark.game))
        self._writer.mark(mark)
