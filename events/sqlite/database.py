"""Opening the database."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from events.errors import LogUnwritableError
from events.sqlite.files import reading_address
from events.sqlite.tables import check_release, migrate
from events.sqlite.translation import DRIVER_ERRORS, raising_log_errors

if TYPE_CHECKING:
    from pathlib import Path

BUSY_TIMEOUT = 5000
"""Milliseconds that a connection waits for a lock of another process."""

JOURNAL_LIMIT = 32 * 1024 * 1024
"""Bytes that the write-ahead log keeps on disk once it has been written back."""

PAGE_SIZE = 1024
"""Bytes of a page: a single append changes a page in each of three trees, so small pages make small commits."""


def open_writer(path: Path) -> sqlite3.Connection:
    """The one writing connection, its tables brought up to this release.

    Raises `LogNewerError`, `LogUnwritableError`, `LogFullError`, or `LogError` for a file that is no log.
    """
    with raising_log_errors(path):
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=512)
        try:
            check_release(connection, path, new=True)
            connection.execute(f"pragma page_size = {PAGE_SIZE}")
            connection.execute("pragma secure_delete = on")
            if connection.execute("pragma journal_mode = wal").fetchone()[0] != "wal":
                raise LogUnwritableError(f"the disk of {path} cannot hold a write-ahead log")
            connection.execute(f"pragma journal_size_limit = {JOURNAL_LIMIT}")
            connection.execute("pragma synchronous = full")
            connection.execute("pragma wal_autocheckpoint = 0")
            connection.execute(f"pragma busy_timeout = {BUSY_TIMEOUT}")
            migrate(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def open_reader(path: Path, *, still: bool = False) -> sqlite3.Connection:
    """A connection that only reads. Of a file that was cut off, it reads what is left.

    A `still` file is one that nobody writes to, as on a read-only medium: nothing is put beside it.
    Raises `FileNotFoundError`, `LogNewerError`, or `LogError` for what is no log.
    """
    if not path.exists():
        raise FileNotFoundError(f"no log {path}")
    address = reading_address(path, still=still)
    with raising_log_errors(path):
        connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        try:
            connection.execute(f"pragma busy_timeout = {BUSY_TIMEOUT}")
            connection.execute("pragma query_only = on")
            try:
                check_release(connection, path, new=False)
            except DRIVER_ERRORS:
                # A truncated file can be opened only with a writable schema.
                connection.execute("pragma writable_schema = on")
                check_release(connection, path, new=False)
        except BaseException:
            connection.close()
            raise
    return connection
