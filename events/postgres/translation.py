"""The translation of PostgreSQL's errors into errors of the log."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from psycopg import Error, OperationalError, errors
from psycopg_pool import PoolClosed

from events.errors import (
    LogClosedError,
    LogDamagedError,
    LogError,
    LogFullError,
    LogReadOnlyError,
    LogUnreachableError,
    LogUnwritableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_MEANINGS: tuple[tuple[tuple[type[Error], ...], type[LogError], str], ...] = (
    ((PoolClosed,), LogClosedError, "is closed"),
    ((errors.DiskFull,), LogFullError, "takes no more"),
    ((errors.ReadOnlySqlTransaction,), LogReadOnlyError, "cannot be written"),
    ((errors.InsufficientPrivilege,), LogUnwritableError, "cannot be written"),
    ((errors.DataCorrupted, errors.IndexCorrupted), LogDamagedError, "is damaged"),
    ((OperationalError, errors.IdleInTransactionSessionTimeout), LogUnreachableError, "does not answer"),
)


@contextmanager
def raising_log_errors(name: str) -> Iterator[None]:
    """Turn errors of PostgreSQL into errors of the log."""
    try:
        yield
    except Error as error:
        raise log_error_of(error, name) from error


def log_error_of(error: Error, name: str) -> LogError:
    """The error of the log with this name for an error of PostgreSQL."""
    for kinds, meant, what in _MEANINGS:
        if isinstance(error, kinds):
            return meant(f"{name} {what} ({_first_line(error)})")
    return LogError(f"{name}: {_first_line(error)}")


def _first_line(error: Error) -> str:
    return error.diag.message_primary or str(error).partition("\n")[0]
