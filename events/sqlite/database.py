"""The database: its tables, how it is opened, and what SQLite's errors mean."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlite_utils import Database, Migrations

from events.errors import LogDamagedError, LogError, LogFullError, LogNewerError, LogUnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCHEMA = 2
"""The number of the newest migration, kept as `PRAGMA user_version`. A higher one was written by a newer release."""

APPLICATION = 0x4B494655
"""`PRAGMA application_id`: the letters KIFU, so that `file` and the like can tell what the database is."""

PAGE_SIZE = 1024
"""Bytes of a page: a single append changes a page in each of three trees, so small pages make small commits."""

BUSY_TIMEOUT = 5000
"""Milliseconds that a connection waits for a lock of another process."""

JOURNAL_LIMIT = 32 * 1024 * 1024
"""Bytes that the write-ahead log keeps on disk once it has been written back."""

migrations = Migrations("kifu.log")


@migrations(name="1: games, events, people")
def _create(db: Database) -> None:
    db.table("game").create({"number": int, "id": bytes}, pk="number", not_null={"id"}, strict=True)
    db.table("game").create_index(["id"], unique=True)
    db.table("event").create(
        {
            "seq": int,
            "game": int,
            "version": int,
            "id": bytes,
            "type": str,
            "schema": int,
            "recorded_at": int,
            "happened_at": str,
            "recorder": str,
            "data": bytes,
            "hash": bytes,
        },
        pk="seq",
        not_null={"game", "version", "id", "type", "schema", "recorded_at", "recorder", "data", "hash"},
        strict=True,
    )
    db.table("event").create_index(["game", "version"], index_name="event_version", unique=True)
    db.table("event").create_index(["id"], index_name="event_id", unique=True)
    db.table("person").create({"id": bytes, "name": str}, pk="id", not_null={"id", "name"}, strict=True)
    for table in ("game", "event"):
        for change in ("update", "delete"):
            db.execute(
                f"create trigger {table}_no_{change} before {change} on {table} "
                f"begin select raise(abort, 'the log is append-only'); end"
            )


@migrations(name="2: named components")
def _add_components(db: Database) -> None:
    db.table("component").create(
        {"ruleset": str, "name": str, "data": bytes, "created_at": int},
        pk=("ruleset", "name"),
        not_null={"ruleset", "name", "data", "created_at"},
        strict=True,
    )


def open_writer(path: Path) -> sqlite3.Connection:
    """The one writing connection, its tables brought up to this release.

    Raises `LogNewerError`, `LogUnwritableError`, `LogFullError`, or `LogError` for a file that is no log.
    """
    with translated(path):
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
        try:
            _check_release(connection, path)
            connection.execute(f"pragma page_size = {PAGE_SIZE}")
            connection.execute("pragma secure_delete = on")
            if connection.execute("pragma journal_mode = wal").fetchone()[0] != "wal":
                raise LogUnwritableError(f"the disk of {path} cannot hold a write-ahead log")
            connection.execute(f"pragma journal_size_limit = {JOURNAL_LIMIT}")
            connection.execute("pragma synchronous = full")
            connection.execute("pragma wal_autocheckpoint = 0")
            connection.execute(f"pragma busy_timeout = {BUSY_TIMEOUT}")
            if _pragma(connection, "user_version") < SCHEMA:
                _migrate(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def open_reader(path: Path, *, still: bool = False) -> sqlite3.Connection:
    """A connection that reads only, and what it can of a file that was cut off.

    A `still` file is one that nobody writes to, as on a read-only medium: nothing is put beside it.
    Raises `FileNotFoundError`, `LogNewerError`, or `LogError` for what is no log.
    """
    if not path.exists():
        raise FileNotFoundError(f"no log {path}")
    still = still or not (os.access(path.parent, os.W_OK) or path.with_name(path.name + "-wal").exists())
    mode = "immutable=1" if still else "mode=ro"
    with translated(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute(f"pragma busy_timeout = {BUSY_TIMEOUT}")
            connection.execute("pragma query_only = on")
            try:
                _check_release(connection, path)
            except DRIVER_ERRORS:
                # A file that was cut off is not opened at all unless its schema is said to be writable.
                connection.execute("pragma writable_schema = on")
                _check_release(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"pragma {name}").fetchone()[0]
    return value


def _check_release(connection: sqlite3.Connection, path: Path) -> None:
    application, schema = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    if application != APPLICATION and (application or schema or _pragma(connection, "schema_version")):
        raise LogError(f"{path} is a database, but not a log")
    if schema > SCHEMA:
        raise LogNewerError(
            f"{path} has schema {schema}, and this release knows {SCHEMA}: it was written by a newer one"
        )


def _migrate(connection: sqlite3.Connection) -> None:
    migrations.apply(Database(connection))
    connection.execute(f"pragma application_id = {APPLICATION}")
    connection.execute(f"pragma user_version = {SCHEMA}")


DRIVER_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What the driver raises; the second for an error message of SQLite's that quotes damaged text."""

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_TRUNCATE}
_NO_ROOM = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
_UNWRITABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_corruption(error: Exception) -> bool:
    """Whether SQLite says that the file is not what it wrote."""
    if isinstance(error, UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # raised by the driver: text that is no UTF-8
        return isinstance(error, sqlite3.OperationalError)
    return code & 0xFF in _CORRUPT


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into errors of the log."""
    try:
        yield
    except (*DRIVER_ERRORS, OSError) as error:
        raise meaning(error, path) from error


def meaning(error: Exception, path: Path) -> LogError:
    """What an error of SQLite or of the disk means for the log at `path`."""
    if isinstance(error, OSError):
        kind = LogFullError if error.errno in _NO_ROOM else LogUnwritableError
        return kind(f"{error.filename or path} cannot be written: {error.strerror}")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code in _FULL:
        return LogFullError(f"the disk of {path} takes no more ({error})")
    if code & 0xFF in _UNWRITABLE:
        return LogUnwritableError(f"{path} cannot be written ({error})")
    if is_corruption(error):
        return LogDamagedError(f"{path} is damaged or no log ({error})")
    return LogError(f"{path}: {error}")
