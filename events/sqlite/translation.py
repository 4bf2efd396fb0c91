"""The translation of SQLite's and the disk's errors into errors of the log."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from events.errors import LogDamagedError, LogError, LogFullError, LogUnwritableError
from events.sqlite.files import files_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DRIVER_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""The errors of the driver. The second comes from messages of SQLite that quote damaged text."""

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_TRUNCATE}
_NO_ROOM = {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
_USED = os.R_OK | os.W_OK
_UNWRITABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def is_corruption(error: Exception) -> bool:
    """Whether SQLite reports a damaged file."""
    if isinstance(error, UnicodeDecodeError):
        return True
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # raised by the driver: text that is no UTF-8
        return isinstance(error, sqlite3.OperationalError)
    return code & 0xFF in _CORRUPT


def is_full(error: Exception) -> bool:
    """Whether the disk is full."""
    if isinstance(error, OSError):
        return error.errno in _NO_ROOM
    return getattr(error, "sqlite_errorcode", None) in _FULL


@contextmanager
def raising_log_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into errors of the log."""
    try:
        yield
    except (*DRIVER_ERRORS, OSError) as error:
        raise log_error_of(error, path) from error


def log_error_of(error: Exception, path: Path) -> LogError:
    """The error of the log at `path` for an error of SQLite or of the disk."""
    if isinstance(error, OSError):
        kind = LogFullError if is_full(error) else LogUnwritableError
        return kind(f"{error.filename or path} cannot be written: {error.strerror}")
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if is_full(error):
        return LogFullError(f"the disk of {path} is full ({error})")
    if code & 0xFF in _UNWRITABLE:
        foreign = next((each for each in files_of(path) if each.exists() and not os.access(each, _USED)), None)
        why = f"{foreign} cannot be written: {os.strerror(errno.EACCES)}" if foreign else ""
        return LogUnwritableError(why or f"{path} cannot be written ({error})")
    if is_corruption(error):
        return LogDamagedError(f"{path} is damaged or no log ({error})")
    return LogError(f"{path}: {error}")
