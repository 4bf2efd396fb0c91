"""What errors of SQLite and of the disk mean for a small database."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from events.errors import LogDamagedError, LogError, LogUnwritableError
from events.sqlite.translation import DRIVER_ERRORS, is_corruption, is_full, log_error_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def is_damage(error: Exception) -> bool:
    """Whether an error says that the file, or what is in it, is not what was written."""
    return is_corruption(error) or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR


def is_finding(error: Exception) -> bool:
    """Whether an error of a read says what is wrong with a file: damage, or a disk that does not give it."""
    is_of_disk = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR
    return (is_damage(error) or is_of_disk) and not is_full(error)


def meaning_of(error: Exception, path: Path) -> LogError:
    """What an error of SQLite or of the disk means for the database at `path`."""
    if isinstance(error, OSError):
        return log_error_of(error, path)
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR} and not is_full(error):
        return LogUnwritableError(f"{path} cannot be written ({error})")
    return LogDamagedError(f"{path} is damaged ({error})") if is_corruption(error) else log_error_of(error, path)


@contextmanager
def raising_log_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into errors of the log."""
    try:
        yield
    except (*DRIVER_ERRORS, OSError) as error:
        raise meaning_of(error, path) from error
