"""A small database as an SQLite file in the data folder."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import sqlite3
import tempfile
import threading
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from sqlite_utils import Database as SqliteUtils

from events.databases.rows import Dialect, Found
from events.errors import LogDamagedError, LogError, LogNewerError, LogUnwritableError
from events.failpoints import reach
from events.safekeeping import identity
from events.sqlite.files import files_of, header_of, schema_of
from events.sqlite.translation import DRIVER_ERRORS, is_corruption, is_full, meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from events.databases.definition import Definition
    from events.databases.rows import Database, Rows

T = TypeVar("T")

POINTS = ("database.mended", "database.aside")
"""Where a test can kill the process, in the order in which a repair passes them (see `events.failpoints`)."""

TIMEOUT = 30
"""Seconds to wait for a lock of another process."""

PAGE = 4096
"""The bytes of a page, as SQLite makes them."""

SQLITE = Dialect(
    row_id="rowid",
    lock="",
    field="json_extract({}, '$.{}')",
    items="select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') "
    "from json_each(?)",
    renumber="",
)

logger = logging.getLogger(__name__)


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
        self._lock: AbstractContextManager[Any] = nullcontext() if definition.derived else threading.RLock()
        self._local: Any = threading.local() if definition.derived else SimpleNamespace()
        self._open: list[sqlite3.Connection] = []
        with _translated(self.path):
            try:
                with _alone(folder):
                    self._make_sure(proved=proved)
                self._place = identity(self.path)
                self._connect()
            except BaseException:
                self.close()
                raise

    def _make_sure(self, *, proved: bool) -> None:
        """See that there is a file that can be used."""
        _install(self.definition, self.path)  # what a killed process has made
        found = _fault(self.definition, self.path) if proved else None
        try:
            if found is None:
                connect(self.definition, self.path).conn.close()
        except DRIVER_ERRORS as error:
            if not (proved or self.definition.derived) or not _is_damage(error):
                raise
            found = str(error)
        if found is not None:
            _renew(self.definition, self.path, found, self._kept)

    def _connect(self) -> sqlite3.Connection:
        """This thread's connection to the file that is there now."""
        local = self._local
        if getattr(local, "db", None) is None or (self.definition.derived and local.place != identity(self.path)):
            if (old := getattr(local, "db", None)) in self._open:
                self._open.remove(old)
                old.close()
            local.db = None
            with _alone(self.path.parent):
                gone, local.place = not self.path.exists(), identity(self.path)
                local.db = connect(self.definition, self.path).conn
                local.place = identity(self.path)
            self._open.append(local.db)
            if gone:
                _tell(local.db, self._kept)
        found: sqlite3.Connection = local.db
        return found

    @property
    def astray(self) -> str:
        """The name of the file if it was taken away or replaced while it was open; empty if it is there."""
        return "" if self.definition.derived or identity(self.path) == self._place else self.path.name

    @property
    def written_by_others(self) -> int:
        """Another number whenever another connection has written into the file."""
        ((version,),) = self.execute("pragma data_version")
        return int(version)

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Found:
        """Carry a statement out. A derived database that turns out to be damaged is made anew first."""
        with self._lock:
            try:
                return _carried_out(self._connect(), sql, values)
            except (*DRIVER_ERRORS, OSError) as error:
                if not self._can_renew(error):
                    raise _meaning(error, self.path) from error
                self.renew(error)
            with _translated(self.path):
                return _carried_out(self._connect(), sql, values)

    def _can_renew(self, error: Exception) -> bool:
        """Whether an error is damage of a derived file, outside of a transaction."""
        if not self.definition.derived or isinstance(error, OSError) or not _is_damage(error):
            return False
        return self._local.db is None or not self._local.db.in_transaction

    def transaction(self) -> AbstractContextManager[Rows]:
        """All that is done inside, or nothing. What is read inside still holds when it is written."""
        if self.definition.derived:
            self.execute("select name from sqlite_schema limit 1")  # a damaged file is made anew before
        return self._within("begin immediate")

    def still(self) -> AbstractContextManager[Rows]:
        """Read everything as of one moment."""
        return self._within("begin")

    @contextmanager
    def _within(self, begin: str) -> Iterator[Rows]:
        with self._lock:
            try:
                connection = self._connect()
            except (*DRIVER_ERRORS, OSError) as error:
                raise _meaning(error, self.path) from error
            rows = _Within(connection, self.path)
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

    def carry_out(self, work: Callable[[Rows], T]) -> T:
        """What `work` gives in a transaction. If a derived database is damaged, it is made anew and worked on again."""
        try:
            with self.transaction() as rows:
                return work(rows)
        except LogError as error:
            cause = error.__cause__
            if not (self.definition.derived and isinstance(cause, Exception) and _is_damage(cause)):
                raise
            self.renew(cause)
        with self.transaction() as rows:
            return work(rows)

    def keep(self, sql: str, values: Sequence[Any]) -> None:
        """Have a statement carried out in every file that is made anew: it says what other processes rely on."""
        self._kept[sql] = values

    def wipe(self, *tables: str) -> None:  # noqa: ARG002 - the file is one
        """Leave no byte of what was deleted."""
        self.execute("pragma wal_checkpoint(truncate)")

    def renew(self, why: object) -> None:
        """Make a damaged file anew, unless another process has done so since this thread opened it."""
        with _translated(self.path), _alone(self.path.parent):
            if identity(self.path) == getattr(self._local, "place", None):
                _renew(self.definition, self.path, why, self._kept)

    def keep_copy(self) -> None:
        """Keep the file as it is under the name of a damaged one, if there is none."""
        aside = self.path.with_name(self.definition.aside)
        if not aside.exists():
            copy(self.path, aside)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            while self._open:
                self._open.pop().close()


class _Within:
    """The rows of one connection, within a transaction."""

    dialect = SQLITE

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self._path = connection, path

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Found:
        try:
            return _carried_out(self._connection, sql, values)
        except DRIVER_ERRORS as error:
            raise _meaning(error, self._path) from error


class Reading:
    """The rows of a connection that reads, whose errors are those of SQLite."""

    dialect = SQLITE

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> sqlite3.Cursor:
        """Carry a statement out."""
        return self._connection.execute(sql, values)

    @property
    def written_by_others(self) -> int:
        """See `FileDatabase.written_by_others`."""
        ((version,),) = self.execute("pragma data_version")
        return int(version)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def connect(definition: Definition, path: Path | str) -> SqliteUtils:
    """A connection to a file, made or brought up to this release. Raises `LogNewerError`, `sqlite3.Error`."""
    safe = "normal" if definition.derived else "full"  # what a power cut takes of what is derived is made again
    db = SqliteUtils(writing(path, synchronous=safe))
    try:
        if header_of(db.conn) != definition.release:
            _migrate(definition, db, path)
    except BaseException:
        db.conn.close()
        raise
    return db


def writing(path: Path | str, *, synchronous: str) -> sqlite3.Connection:
    """A connection that writes: beside readers, leaving nothing of what was deleted. Raises `sqlite3.Error`."""
    connection = sqlite3.connect(path, timeout=TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode = wal", f"synchronous = {synchronous}", "secure_delete = on", "foreign_keys = on"):
            connection.execute(f"pragma {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(definition: Definition, db: SqliteUtils, path: Path | str) -> None:
    schema = schema_of(db.conn, definition.steps)
    if schema > definition.release:
        raise LogNewerError(
            f"{path} has schema {schema}, and this release knows {definition.release}: it was written by a newer one"
        )
    db.execute("begin immediate")
    try:
        definition.steps.apply(db)
        db.execute(f"pragma user_version = {definition.release}")
        db.execute("commit")
    except BaseException:
        db.conn.rollback()
        raise
    if definition.derived and 0 < schema < definition.release:
        db.execute("vacuum")  # what an older release kept too much of


def empty(definition: Definition) -> sqlite3.Connection:
    """A database as it is when nothing was put into it yet."""
    return connect(definition, ":memory:").conn


def reading(definition: Definition, path: Path) -> Reading:
    """The rows in the file of another process.

    Raises `FileNotFoundError`, and `LogNewerError` for one of another release.
    """
    if not path.exists():
        raise FileNotFoundError(f"there is no {path}")
    connection = read_only(path)
    try:
        if not is_current(definition, connection):
            raise LogNewerError(f"{path} is of another release")
    except BaseException:
        connection.close()
        raise
    return Reading(connection)


def is_current(definition: Definition, connection: sqlite3.Connection) -> bool:
    """Whether a file is of this release. Raises `sqlite3.Error`."""
    return schema_of(connection, definition.steps) == definition.release


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that reads a file of any release. Raises `sqlite3.Error`."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=TIMEOUT, isolation_level=None, check_same_thread=False)


def prove(definition: Definition, path: Path) -> Iterator[str]:
    """What is wrong with a file: SQLite's own findings, and rows that do not fit their checksums.

    Rows of an older release are looked at once they are brought up to this one, and nothing of a newer one is. Raises
    `LogFullError`: on a full disk it is not known what is wrong.
    """
    try:
        with closing(read_only(path)) as connection:
            schema = schema_of(connection, definition.steps)
            if schema > definition.release:
                return
            yield from integrity(connection)
            if schema == definition.release:
                yield from definition.unfit(Reading(connection))
    except DRIVER_ERRORS as error:
        if is_full(error):
            raise meaning(error, path) from error
        yield str(error)


def prove_aside(definition: Definition, folder: Path) -> bool:
    """Whether a damaged file was set aside, and rows of it may be lost for good."""
    return definition.loss == "lost" and (folder / definition.aside).exists()


def integrity(connection: sqlite3.Connection, table: str = "") -> Iterator[str]:
    """What SQLite finds wrong with a file, or with one table. Raises `sqlite3.Error`."""
    for (finding,) in connection.execute(f"pragma integrity_check({table})" if table else "pragma integrity_check"):
        if finding != "ok":
            yield f"SQLite: {finding}"


def _fault(definition: Definition, path: Path) -> str | None:
    """Why a file cannot go on as it is; None for one that is yet to be made, too."""
    if not path.exists():
        return None
    if not path.stat().st_size:
        return "it is empty" if definition.loss == "lost" else None
    return next(prove(definition, path), None)


def _is_damage(error: Exception) -> bool:
    """Whether an error says that the file, or what is in it, is not what was written."""
    return is_corruption(error) or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def _meaning(error: Exception, path: Path) -> LogError:
    if isinstance(error, OSError):
        return meaning(error, path)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR} and not is_full(error):
        return LogUnwritableError(f"{path} cannot be written ({error})")
    return LogDamagedError(f"{path} is damaged ({error})") if is_corruption(error) else meaning(error, path)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into errors of the log."""
    try:
        yield
    except (*DRIVER_ERRORS, OSError) as error:
        raise _meaning(error, path) from error


def _tell(connection: sqlite3.Connection, statements: Mapping[str, Sequence[Any]]) -> None:
    for statement, values in statements.items():
        connection.execute(statement, values)


def _carried_out(connection: sqlite3.Connection, sql: str, values: Sequence[Any]) -> Found:
    cursor = connection.execute(sql, values)
    found = Found() if cursor.description is None else Found(cursor)
    found.rowcount = cursor.rowcount
    return found


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep others from opening a file of the folder meanwhile: SQLite does not wait when a new one is turned to WAL."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


# Repair


def _renew(definition: Definition, path: Path, why: object, kept: Mapping[str, Sequence[Any]]) -> None:
    """Put a new file in the place of a damaged one, with its sound rows.

    It is made beside it, so a full disk loses nothing. The damaged one is set aside, unless all of it is derived.
    """
    logger.warning("%s is damaged and is made anew%s: %s", path, "" if definition.derived else _ASIDE, why)
    fresh = path.with_name(f"{definition.file}.new")
    _remove(fresh)
    try:
        with closing(connect(definition, fresh).conn) as new:
            new.execute("begin")
            with _legible(definition, path, new) as old:
                _salvage(definition, old, new)
            _tell(new, kept)
            new.execute("commit")
            new.execute("pragma wal_checkpoint(truncate)")
    except BaseException:
        _remove(fresh)
        raise
    fresh.replace(path.with_name(f"{definition.file}{_MENDED}"))
    _install(definition, path)


_ASIDE = ", and set aside"
_MENDED = ".mended"
"""What is added to the name of a file that is complete, until it is in its place."""


def _install(definition: Definition, path: Path) -> None:
    """Put a file that is made anew in its place, also one of a process that was killed before it could."""
    mended, aside = path.with_name(f"{definition.file}{_MENDED}"), path.with_name(definition.aside)
    if not mended.exists():
        return
    if path.exists():
        _remove(aside)
        reach("database.mended")
    for old, new in zip(files_of(path), files_of(aside), strict=True):
        with suppress(FileNotFoundError):
            old.rename(new)
    reach("database.aside")
    mended.replace(path)
    if definition.derived:
        _remove(aside)


def _remove(path: Path) -> None:
    for each in files_of(path):
        each.unlink(missing_ok=True)


@contextmanager
def _legible(definition: Definition, damaged: Path, fresh: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A damaged file, or, where not even its tables are found, a copy of it with the first page of a fresh one.

    Tables lie where they were made, which is the same place in both. Rows that are not of a table do not fit.
    """
    with closing(read_only(damaged)) as old:
        if _has_tables(definition, old):
            yield old
            return
    with tempfile.TemporaryDirectory(dir=damaged.parent, prefix="tmp-") as folder:
        copied = Path(folder) / damaged.name
        for there, here in zip(files_of(damaged)[:2], files_of(copied), strict=False):  # the index is made anew
            with suppress(FileNotFoundError):
                shutil.copyfile(there, here)
        _give_first_page(fresh, copied)
        with closing(sqlite3.connect(copied)) as old:
            yield old


def _has_tables(definition: Definition, db: sqlite3.Connection) -> bool:
    try:
        found = {name for (name,) in db.execute("select name from sqlite_schema")}
    except DRIVER_ERRORS:
        return False
    return found >= {table.name for table in definition.tables}


def _give_first_page(source: sqlite3.Connection, target: Path) -> None:
    """Put the first page of a database in the place of that of another file, which is of the same kind."""
    page = bytearray(source.serialize()[:PAGE])
    page[28:32] = (target.stat().st_size // PAGE).to_bytes(4, "big")  # the number of pages
    with target.open("r+b") as file:
        file.write(page)


def _salvage(definition: Definition, old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    for table in definition.tables:
        if not table.salvaged:
            continue
        marks = ", ".join("?" * (len(table.columns) + 1))
        put = f"insert or ignore into {table.name} ({table.names}) values ({marks})"
        with suppress(*DRIVER_ERRORS):
            for row in old.execute(f"select {table.names} from {table.name} not indexed"):
                if table.fits(row):
                    new.execute(put, row)
    if definition.salvage:
        with suppress(*DRIVER_ERRORS, ValueError):
            definition.salvage(old, new)


# Copies


def copy(source: Path, target: Path) -> None:
    """Copy a file, which others may be writing to. Raises `LogError`."""
    try:
        with closing(read_only(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
    except DRIVER_ERRORS as error:
        raise _meaning(error, source) from error


def copy_rows(definition: Definition, source: Rows, target: Rows) -> None:
    """Put all rows into a database that holds none yet. Only inside a transaction."""
    for table in definition.tables:
        names = ", ".join(f'"{name}"' for name in table.all_columns)
        insert = f"insert into {table.name} ({names}) values ({', '.join('?' * len(table.all_columns))})"
        for row in source.execute(f"select {names} from {table.name}").fetchall():
            target.execute(insert, row)
        if table.numbered and target.dialect.renumber:
            (column,) = table.key
            target.execute(target.dialect.renumber.format(f"{definition.schema}.{table.name}", column))


def transfer(definition: Definition, source: Rows, target: Database) -> None:
    """Put all rows into a database that holds none yet; one that does stays as it is. Raises `LogError`."""
    with target.transaction() as db:
        if not any(db.execute(f"select 1 from {table.name} limit 1").fetchone() for table in definition.tables):
            copy_rows(definition, source, db)
