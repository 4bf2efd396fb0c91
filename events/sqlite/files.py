"""The files of a SQLite database: itself, its write-ahead log, and the index of that; its schema."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from events.errors import MovedError

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from sqlite_utils import Migrations

MOVED = ".moved"
"""What a file in a folder is called once all of it is elsewhere, after its name."""

ARRIVING = ".arriving"
"""The mark beside a log, after its name, that is a copy in the making."""

BESIDE = "-wal", "-shm"
"""The suffixes of the files that SQLite puts beside a database."""


def files_of(path: Path) -> tuple[Path, ...]:
    """The existing files of a database, the database itself first."""
    return tuple(path.with_name(path.name + rest) for rest in ("", *BESIDE))


def reading_address(path: Path, *, still: bool = False) -> str:
    """The URI that opens a file for reading alone.

    SQLite puts files beside a database even to read it. So a `still` file is opened as one that never changes: nobody
    writes to it, or its folder cannot be written and no write-ahead log is there.
    """
    still = still or not (os.access(path.parent, os.W_OK) or path.with_name(path.name + "-wal").exists())
    return f"{path.absolute().as_uri()}?{'immutable=1' if still else 'mode=ro'}"


def refuse_moved(path: Path) -> None:
    """Refuse to begin a log where one was moved away, or to use half a copy. Raises `MovedError`."""
    aside = path.with_name(path.name + MOVED)
    if not path.exists() and aside.exists():
        raise MovedError(
            f"the record of {path.parent} was moved to a database: serve it from there; {aside} is the old log"
        )
    if (arriving := path.with_name(path.name + ARRIVING)).exists():
        raise MovedError(f"the copy in {path.parent} is not complete: repeat the command ({arriving})")


def schema_of(connection: sqlite3.Connection, migrations: Migrations) -> int:
    """The schema of a database: the number of its migrations.

    `PRAGMA user_version` says so as well, but nothing vouches for the header of a file: where the two differ, a bit of
    it was flipped. Raises `sqlite3.DatabaseError`.
    """
    listed = connection.execute("select name from sqlite_schema where name = ?", [migrations.migrations_table])
    if listed.fetchone() is None:
        return 0
    sql = f"select count(*) from {migrations.migrations_table} where migration_set = ?"
    return int(connection.execute(sql, [migrations.name]).fetchone()[0])


def header_of(connection: sqlite3.Connection) -> int:
    """The schema in the header of a database."""
    return int(connection.execute("pragma user_version").fetchone()[0])
