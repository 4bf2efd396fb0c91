"""A small database as an SQLite file in the data folder, open."""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from events.databases.copying import copy
from events.databases.files import SQLITE, connect, fault
from events.databases.repair import install, renew, store_shared
from events.databases.rows import QueryResult
from events.databases.translation import is_damage, meaning_of, raising_log_errors
from events.errors import LogError
from events.safekeeping import identity
from events.sqlite.closing import close_all, close_with
from events.sqlite.translation import DRIVER_ERRORS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from events.databases.definition import Definition
    from events.databases.rows import Rows

T = TypeVar("T")


class FileDatabase:
    """See `events.databases.rows.Database`.

    One that is derived has a connection for each thread, in any process. Any other one has a single connection. With
    `proved` it is looked through first, and made anew if it is damaged: for the process that may do so. A derived one
    is also made anew when damage is found later. Raises `LogError`.
    """

    dialect = SQLITE

    def __init__(self, definition: Definition, folder: Path, *, proved: bool = False) -> None:
        self.definition, self.path = definition, folder / definition.file
        self.name = str(self.path)
        self._kept: dict[str, Sequence[Any]] = {}
        self._lock: AbstractContextManager[Any] = nullcontext() if definition.is_derived else threading.RLock()
        self._local: Any = threading.local() if definition.is_derived else SimpleNamespace()
        self._open: list[sqlite3.Connection] = []
        close_with(self, self._open)
        with raising_log_errors(self.path):
            try:
                with _keep_others_out(folder):
                    self._use_connection(self._usable_connection(proved=proved))
                self._place = identity(self.path)
            except BaseException:
                self.close()
                raise

    def _usable_connection(self, *, proved: bool) -> sqlite3.Connection:
        """A connection to a file that can be used: the one that is there, or one made anew."""
        install(self.definition, self.path)  # what a killed process has made
        found = fault(self.definition, self.path) if proved else None
        try:
            if found is None:
                return connect(self.definition, self.path).conn
        except DRIVER_ERRORS as error:
            if not (proved or self.definition.is_derived) or not is_damage(error):
                raise
            found = str(error)
        renew(self.definition, self.path, found, self._kept)
        return connect(self.definition, self.path).conn

    def _connect(self) -> sqlite3.Connection:
        """This thread's connection to the file that is there now."""
        local = self._local
        if getattr(local, "db", None) is None or (self.definition.is_derived and local.place != identity(self.path)):
            if (old := getattr(local, "db", None)) in self._open:
                self._open.remove(old)
                old.close()
            local.db = None
            with _keep_others_out(self.path.parent):
                gone, local.place = not self.path.exists(), identity(self.path)
                self._use_connection(connect(self.definition, self.path).conn)
            if gone:
                store_shared(local.db, self._kept)
        found: sqlite3.Connection = local.db
        return found

    def _use_connection(self, connection: sqlite3.Connection) -> None:
        """Keep a connection to the file that is there now as this thread's."""
        self._local.db, self._local.place = connection, identity(self.path)
        self._open.append(connection)

    @property
    def replaced_file(self) -> str:
        """The name of the file if it was taken away or replaced while it was open; empty if it is there."""
        return "" if self.definition.is_derived or identity(self.path) == self._place else self.path.name

    @property
    def written_by_others(self) -> int:
        """A number that changes whenever another connection writes into the file."""
        ((version,),) = self.execute("pragma data_version")
        return int(version)

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> QueryResult:
        """Run a statement. If a derived database turns out to be damaged, it is made anew first."""
        with self._lock:
            try:
                return _carried_out(self._connect(), sql, values)
            except (*DRIVER_ERRORS, OSError) as error:
                if not self._can_renew(error):
                    raise meaning_of(error, self.path) from error
                self.renew(error)
            with raising_log_errors(self.path):
                return _carried_out(self._connect(), sql, values)

    def _can_renew(self, error: Exception) -> bool:
        """Whether an error is damage of a derived file, outside of a transaction."""
        if not self.definition.is_derived or isinstance(error, OSError) or not is_damage(error):
            return False
        return self._local.db is None or not self._local.db.in_transaction

    def transaction(self) -> AbstractContextManager[Rows]:
        """A transaction: all changes inside, or none. What it reads still holds when it writes."""
        if self.definition.is_derived:
            self.execute("select name from sqlite_schema limit 1")  # a damaged file is made anew before
        return self._inside_transaction("begin immediate")

    def consistent_read(self) -> AbstractContextManager[Rows]:
        """Read everything from one snapshot."""
        return self._inside_transaction("begin")

    @contextmanager
    def _inside_transaction(self, begin: str) -> Iterator[Rows]:
        with self._lock:
            try:
                connection = self._connect()
            except (*DRIVER_ERRORS, OSError) as error:
                raise meaning_of(error, self.path) from error
            rows = _RowsInTransaction(connection, self.path)
            if connection.in_transaction:
                yield rows
                return
            rows.execute(begin)
            try:
                yield rows
                rows.execute("commit")
            except BaseException:
                connection.rollback()
                raise

    def run(self, work: Callable[[Rows], T]) -> T:
        """Run `work` in a transaction. If a derived database is damaged, make it anew and run `work` again."""
        try:
            with self.transaction() as rows:
                return work(rows)
        except LogError as error:
            cause = error.__cause__
            if not (self.definition.is_derived and isinstance(cause, Exception) and is_damage(cause)):
                raise
            self.renew(cause)
        with self.transaction() as rows:
            return work(rows)

    def keep(self, sql: str, values: Sequence[Any]) -> None:
        """Run a statement now, and in every file that is made anew. Other processes rely on what it stores."""
        self._kept[sql] = values

    def wipe(self, *tables: str) -> None:  # noqa: ARG002 - the file is one
        """Leave no byte of what was deleted."""
        self.execute("pragma wal_checkpoint(truncate)")

    def renew(self, why: object) -> None:
        """Make a damaged file anew, unless another process has done so since this thread opened it."""
        with raising_log_errors(self.path), _keep_others_out(self.path.parent):
            if identity(self.path) == getattr(self._local, "place", None):
                renew(self.definition, self.path, why, self._kept)

    def keep_copy(self) -> None:
        """Keep the file as it is under the name of a damaged one, if there is none."""
        aside = self.path.with_name(self.definition.aside_name)
        if not aside.exists():
            copy(self.path, aside)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            close_all(self._open)


class _RowsInTransaction:
    """The rows of one connection, within a transaction."""

    dialect = SQLITE

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self._path = connection, path

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> QueryResult:
        try:
            return _carried_out(self._connection, sql, values)
        except DRIVER_ERRORS as error:
            raise meaning_of(error, self._path) from error


def _carried_out(connection: sqlite3.Connection, sql: str, values: Sequence[Any]) -> QueryResult:
    cursor = connection.execute(sql, values)
    found = QueryResult() if cursor.description is None else QueryResult(cursor)
    found.rowcount = cursor.rowcount
    return found


@contextmanager
def _keep_others_out(folder: Path) -> Iterator[None]:
    """Keep others from opening a file of the folder meanwhile: SQLite does not wait when a new one is turned to WAL."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
