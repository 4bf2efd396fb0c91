"""The SQLite file of a small database: opened, brought up to this release, proved."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from sqlite_utils import Database as SqliteUtils

from events.databases.rows import Dialect
from events.databases.translation import is_finding, meaning_of
from events.errors import LogNewerError
from events.sqlite.files import header_of, reading_address, schema_of
from events.sqlite.translation import DRIVER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from events.databases.definition import Definition

TIMEOUT = 30
"""Seconds to wait for a lock of another process."""

SQLITE = Dialect(
    row_id="rowid",
    lock="",
    field="json_extract({}, '$.{}')",
    items="select json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') "
    "from json_each(?)",
    renumber="",
)


class ReadingRows:
    """The rows of a connection that reads, whose errors are those of SQLite."""

    dialect = SQLITE

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> sqlite3.Cursor:
        """Run a statement."""
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
    safe = "normal" if definition.is_derived else "full"  # what a power cut takes of what is derived is made again
    db = SqliteUtils(writing(path, synchronous=safe))
    try:
        if header_of(db.conn) != definition.release:
            _migrate(definition, db, path)
    except BaseException:
        db.conn.close()
        raise
    return db


def writing(path: Path | str, *, synchronous: str) -> sqlite3.Connection:
    """A connection that writes while others read, and overwrites what it deletes. Raises `sqlite3.Error`."""
    connection = sqlite3.connect(path, timeout=TIMEOUT, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("journal_mode = wal", f"synchronous = {synchronous}", "secure_delete = on", "foreign_keys = on"):
            connection.execute(f"pragma {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(definition: Definition, db: SqliteUtils, path: Path | str) -> None:
    schema = schema_of(db.conn, definition.migration_steps)
    if schema > definition.release:
        raise LogNewerError(
            f"{path} has schema {schema}, and this release knows {definition.release}: it was written by a newer one"
        )
    db.execute("begin immediate")
    try:
        definition.migration_steps.apply(db)
        db.execute(f"pragma user_version = {definition.release}")
        db.execute("commit")
    except BaseException:
        db.conn.rollback()
        raise
    if definition.is_derived and 0 < schema < definition.release:
        db.execute("vacuum")  # what an older release kept too much of


def empty(definition: Definition) -> sqlite3.Connection:
    """An empty database with all its tables."""
    return connect(definition, ":memory:").conn


def reading(definition: Definition, path: Path) -> ReadingRows:
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
    return ReadingRows(connection)


def is_current(definition: Definition, connection: sqlite3.Connection) -> bool:
    """Whether a file is of this release. Raises `sqlite3.Error`."""
    return schema_of(connection, definition.migration_steps) == definition.release


def read_only(path: Path) -> sqlite3.Connection:
    """A connection that reads a file of any release. Raises `sqlite3.Error`."""
    return sqlite3.connect(
        reading_address(path), uri=True, timeout=TIMEOUT, isolation_level=None, check_same_thread=False
    )


def prove(definition: Definition, path: Path) -> Iterator[str]:
    """What is wrong with a file: SQLite's own findings, and rows that do not fit their checksums.

    Rows of an older release are looked at once they are brought up to this one, and nothing of a newer one is. Raises
    `LogError` for a file that cannot be read: what is of another user, or locked, need not be damaged.
    """
    try:
        with closing(read_only(path)) as connection:
            schema = schema_of(connection, definition.migration_steps)
            if schema > definition.release:
                return
            yield from integrity(connection)
            if schema == definition.release:
                yield from definition.find_faults(ReadingRows(connection))
    except DRIVER_ERRORS as error:
        if not is_finding(error):
            raise meaning_of(error, path) from error
        yield str(error)


def integrity(connection: sqlite3.Connection, table: str = "") -> Iterator[str]:
    """What SQLite finds wrong with a file, or with one table. Raises `sqlite3.Error`."""
    for (finding,) in connection.execute(f"pragma integrity_check({table})" if table else "pragma integrity_check"):
        if finding != "ok":
            yield f"SQLite: {finding}"


def fault(definition: Definition, path: Path) -> str | None:
    """Why a file cannot be used as it is. None for a sound or a missing file."""
    if not path.exists():
        return None
    if not path.stat().st_size:
        return "it is empty" if definition.loss == "lost" else None
    return next(prove(definition, path), None)


def open_temporary(tables: str) -> sqlite3.Connection:
    """A database in a temporary file that nobody else sees, with these tables. It is gone when it is closed."""
    database = sqlite3.connect("")
    database.execute("pragma journal_mode = off")
    database.executescript(tables)
    return database
