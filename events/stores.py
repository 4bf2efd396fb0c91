"""The place of a log: its data folder, or the configured PostgreSQL database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from events.errors import LogError

if TYPE_CHECKING:
    from events.log import Log, LogReader

SCHEMES = ("postgresql://", "postgres://")
"""The beginnings of a database's URL."""

DATABASE_URL = "KIFU_DATABASE_URL"
"""The environment variable with the database, for processes that get their settings from the environment."""


REPLICA_URL = "KIFU_REPLICA_URL"
"""The environment variable that names standbys of the database, with spaces between."""


LOG_SOCKET = "KIFU_LOG_SOCKET"
"""The environment variable with the socket of the process that writes the log of the data folder, if there is one."""


def read_log(folder: Path, database_url: str = "", replica_url: str = "", *, moved: bool = False) -> LogReader:
    """The log of a data folder, for reading. It is also read from standbys, if any are named.

    That of a database whose record was `moved` away is read to go on with the move only. Raises `FileNotFoundError`,
    `LogNewerError`, `LogUnreachableError`, `MovedError`.
    """
    if database_url:
        from events.postgres import PostgresReader, RoutedReader  # noqa: PLC0415 - its driver takes its time to load

        if replica_url:
            return RoutedReader(database_url, replica_url)
        return PostgresReader(database_url, moved=moved)
    from events.sqlite import LOG, SqliteReader  # noqa: PLC0415 - not all who know these names open a log

    return SqliteReader(folder / LOG)


def open_log(folder: Path, database_url: str = "", replica_url: str = "") -> Log:
    """The log of a data folder, for appending. It is also read from standbys, if any are named.

    Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`, `LogUnreachableError`, and `LogError` if that of a
    database would hide another one in the folder.
    """
    from events.sqlite import LOG, SqliteLog  # noqa: PLC0415 - not all who know these names open a log

    if database_url:
        if (folder / LOG).exists():
            raise LogError(
                f"{folder / LOG} is a log, but {DATABASE_URL} is set, so nobody would see that log; name another data "
                "folder, or put the file aside"
            )
        from events.postgres import PostgresLog, RoutedLog  # noqa: PLC0415 - its driver takes its time to load

        if replica_url:
            return RoutedLog(database_url, replica_url)
        return PostgresLog(database_url)
    if address := os.environ.get(LOG_SOCKET):
        from events.sqlite.remote import SharedSqliteLog  # noqa: PLC0415 - few need it

        return SharedSqliteLog(folder / LOG, Path(address))
    return SqliteLog(folder / LOG)
