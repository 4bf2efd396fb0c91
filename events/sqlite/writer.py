"""The one place that writes the database: it appends, changes names and checkpoints."""

from __future__ import annotations

import logging
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from events import failpoints
from events.errors import LogUnwritableError
from events.grouping import GroupWriter
from events.rows import uuid_bytes
from events.safekeeping import NO_FILE, identity
from events.sqlite.batch import SqliteBatch
from events.sqlite.database import BUSY_TIMEOUT
from events.sqlite.translation import DRIVER_ERRORS, log_error_of, raising_log_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from events.errors import LogError
    from events.event import Event
    from events.requests import ChainEnd, WriteRequest
    from events.rows import ChainMark
    from events.sqlite.heads import HeadFile

WAL_LIMIT = 16384
"""Pages in the WAL, about, at which they are written back into the database, while many write."""

QUIET_SHARE = 4
"""The share of these pages at which it is done while no two write at once.

No other writer has to wait then. Appends take a third longer while the file grows than once it is overwritten.
"""

_GAMES = "select coalesce(max(number), 0) from game"
_FOLLOWING = "select 1 from event where seq = ? + 1"

logger = logging.getLogger(__name__)


class LogWriter(Protocol):
    """The writer of a log's database: in this process or in another one."""

    full: bool
    unwritable: str
    rests: int

    def submit(self, request: WriteRequest) -> None:
        """Store a request, or learn why not: `events` and `error` of the request say it. Raises `LogClosedError`."""

    def submit_together(self, group: list[WriteRequest]) -> None:
        """Store requests in this order, in one commit. Raises `LogClosedError`."""

    def change(self, sql: str, parameters: tuple[Any, ...]) -> int:
        """Run one statement on a table beside the record; the number of rows changed."""

    def change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> bool:
        """Run a statement with each of these parameters. Each must change one row; if not, nothing changes: False."""

    def truncate_wal(self, patience: float) -> bool:
        """Write the WAL back and empty it. False if a long read prevents that for `patience` seconds."""

    def moved_file(self) -> Path | None:
        """The file of the log that is no longer at its path, if there is one."""


class Writer(GroupWriter[SqliteBatch]):
    """Stores requests in an SQLite database, with one connection under one lock. Safe to share between threads."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        heads: HeadFile,
        *,
        position: int,
        chain: Callable[[str], ChainEnd],
        stored: Callable[[Sequence[Sequence[Event]]], None],
        clock: Callable[[], int],
    ) -> None:
        super().__init__(str(path))
        self._connection, self._path, self._heads = connection, path, heads
        self._chain_of, self._stored, self._clock = chain, stored, clock
        self.position = position
        self._wal = f"{path}-wal"
        self._opened = {str(path): identity(path)}
        """The identities of the open files, by their paths as text: they are looked at with each commit."""
        self._games = 0
        self._pages = 0
        self._unwiped = False
        self._thread.start()

    def change(self, sql: str, parameters: tuple[Any, ...]) -> int:
        """Run one statement on a table beside the record; the number of rows changed."""
        with self._turn, raising_log_errors(self._path):
            self._refuse_closed()
            self._refuse_astray()
            self._pages += 1
            return self._connection.execute(sql, parameters).rowcount

    def change_all(self, sql: str, rows: Sequence[Sequence[Any]]) -> bool:
        """Run a statement with each of these parameters. Each must change one row; if not, nothing changes: False."""
        with self._turn, raising_log_errors(self._path):
            self._refuse_closed()
            self._pages += len(rows)
            self._connection.execute("begin immediate")
            try:
                whole = all(self._connection.execute(sql, row).rowcount == 1 for row in rows)
                self._connection.execute("commit" if whole else "rollback")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise
            return whole

    def truncate_wal(self, patience: float) -> bool:
        """Write the WAL back and empty it. False if a long read prevents that for `patience` seconds.

        What could not be done now is done as soon as the writer is idle and the read over.
        """
        deadline = time.monotonic() + patience
        while True:
            with self._turn:
                self._refuse_closed()
                self._unwiped = not self._checkpoint("truncate")
                if not self._unwiped:
                    return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)

    def cached_end(self, game: str) -> ChainEnd | None:
        """The end of a game's chain, if it is in memory."""
        return self._chains.get(game)

    def forget(self, game: str) -> None:
        """Forget the end of a game's chain, so that it is read again for the next entry."""
        with self._turn:
            self._chains.pop(game, None)

    def mark(self, mark: ChainMark) -> None:
        """Note the end of a chain that no append made."""
        with self._turn:
            self._heads.add([mark])
            self._heads.sync()

    def moved_file(self) -> Path | None:
        """The file of the log that is no longer at its path, if there is one. It would be lost with this process.

        SQLite writes on into a file that was deleted, or moved away, and says nothing.
        """
        for path, opened in (*self._opened.items(), (self._heads.name, self._heads.identity)):
            if identity(path) != opened:
                return Path(path)
        return None

    def close(self) -> None:
        """Checkpoint and close the files. Call it after `stop`, when all readers are closed."""
        with self._turn:
            try:
                self._checkpoint("truncate")
                self._compact()
            finally:
                self._heads.close()
                self._connection.close()

    # A group

    def _store(self, group: list[WriteRequest]) -> None:
        self._prepare()
        failpoints.reach("append.begin")
        batch = self._staged(group)
        if not batch.stored:
            return
        try:
            self._insert(batch)
        except sqlite3.IntegrityError:
            batch = self._without_taken_ids(group)
            if not batch.stored:
                return
            self._insert(batch)
        failpoints.reach("append.committed")
        self._heads.add(batch.marks.values())
        failpoints.reach("append.headed")
        self._games, self.position = batch.games, batch.position
        self.full, self.unwritable = False, ""
        if self._wal not in self._opened and (found := identity(self._wal)) != NO_FILE:
            self._opened[self._wal] = found
        self._pages += batch.pages
        self._keep(batch.chains)
        self._stored(batch.stored)

    def _refuse_astray(self) -> None:
        if path := self.moved_file():
            raise LogUnwritableError(f"{path} was removed or replaced while it was open: nothing is stored")

    def _insert(self, batch: SqliteBatch) -> None:
        """Commit a batch. Meanwhile the ends in memory are empty, and readers look into the database.

        The feed shows the commit before this thread can note it. A kept end would be out of date.
        """
        for game in batch.chains:
            self._chains.pop(game, None)
        batch.insert(self._connection)

    def _prepare(self) -> None:
        """Make sure that memory agrees with the disk, and that no mark is pending."""
        self._refuse_astray()
        if self._doubtful:
            self._refresh()
        self._heads.write_pending()

    def _refresh(self) -> None:
        self._chains.clear()
        ((self._games,),) = self._connection.execute(_GAMES).fetchall()
        while self._connection.execute(_FOLLOWING, (self.position,)).fetchone():
            self.position += 1
        self._doubtful = False

    def _begin(self) -> SqliteBatch:
        return SqliteBatch(self._games, self.position, self._clock())

    def _load(self, game: str) -> ChainEnd:
        return self._chain_of(game)

    def _stored_ids(self, ids: set[str]) -> set[str]:
        sql = "select 1 from event where id = ?"
        return {found for found in ids if self._connection.execute(sql, (uuid_bytes(found),)).fetchone()}

    def _log_error(self, error: Exception) -> LogError | None:
        return log_error_of(error, self._path) if isinstance(error, (*DRIVER_ERRORS, OSError)) else None

    # Checkpoints

    def _after_commit(self) -> None:
        if self._pages > (WAL_LIMIT // QUIET_SHARE if self._quiet else WAL_LIMIT):
            self._checkpoint("restart")

    def _checkpoint(self, mode: str) -> bool:
        """Write the WAL back into the database. False if that was not possible in full.

        `restart` keeps the file, for overwriting it is twice as fast as growing it; `truncate` leaves no byte of it.
        Neither waits for readers: appends would wait as well.
        """
        failpoints.reach("checkpoint.begin")
        self._pages = 0
        try:
            self._heads.sync()
            failpoints.reach("checkpoint.synced")
            self._connection.execute("pragma busy_timeout = 0")
            busy, _, _ = self._connection.execute(f"pragma wal_checkpoint({mode})").fetchone()
        except (*DRIVER_ERRORS, OSError) as error:
            logger.warning("%s: no checkpoint now: %s", self._path, error)
            return False
        finally:
            self._connection.execute(f"pragma busy_timeout = {BUSY_TIMEOUT}")
        failpoints.reach("checkpoint.end")
        return not busy

    def _tidy(self) -> None:
        """Called in an idle moment."""
        with self._turn:
            if self._unwiped:
                self._unwiped = not self._checkpoint("truncate")
            elif self._pages:
                self._checkpoint("restart")
            self._compact()

    def _compact(self) -> None:
        try:
            if self._doubtful:  # before the first append, games are not counted yet
                self._refresh()
            if self._heads.records > 2 * self._games + 1024:
                self._heads.compact()
        except (*DRIVER_ERRORS, OSError) as error:
            logger.warning("%s: the head file stays long: %s", self._path, error)
