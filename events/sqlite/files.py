"""The files of a SQLite database: itself, its write-ahead log, and the index of that; its schema, and its faults."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from events.sqlite.translation import is_full, meaning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from sqlite_utils import Migrations

BESIDE = "-wal", "-shm"
"""What is added to the name of a database for what SQLite puts beside it."""


def files_of(path: Path) -> tuple[Path, ...]:
    """Where the files of a database lie, if there are any: itself first."""
    return tuple(path.with_name(path.name + rest) for rest in ("", *BESIDE))


def set_aside(path: Path, name: str) -> Path:
    """Give a database another name in its folder, which it now has alone; its new place. Raises `OSError`."""
    target = path.with_name(name)
    for old, new in zip(files_of(path), files_of(target), strict=True):
        new.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            old.rename(new)
    return target


def schema_of(connection: sqlite3.Connection, migrations: Migrations) -> int:
    """The schema of a database: how many migrations have made it.

    `PRAGMA user_version` says so as well, but nothing vouches for the header of a file: where the two differ, a bit of
    it was flipped. Raises `sqlite3.DatabaseError`.
    """
    listed = connection.execute("select name from sqlite_schema where name = ?", [migrations.migrations_table])
    if listed.fetchone() is None:
        return 0
    sql = f"select count(*) from {migrations.migrations_table} where migration_set = ?"
    return int(connection.execute(sql, [migrations.name]).fetchone()[0])


def header_of(connection: sqlite3.Connection) -> int:
    """The schema that the header of a database names."""
    return int(connection.execute("pragma user_version").fetchone()[0])


def findings(
    path: Path, schema: int, migrations: Migrations, more: Callable[[sqlite3.Connection], Iterable[str]]
) -> Iterator[str]:
    """What is wrong with a database of this schema: SQLite's own findings, and what `more` finds in its rows.

    One of another release is not looked at, before it is brought up to this one. Raises `LogFullError`: on a full disk
    it is not known what is wrong.
    """
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30, isolation_level=None)
    except sqlite3.Error as error:
        yield str(error)
        return
    with closing(connection):
        try:
            if schema not in (header_of(connection), schema_of(connection, migrations)):
                return
            for (finding,) in connection.execute("pragma integrity_check"):
                if finding != "ok":
                    yield f"SQLite: {finding}"
            yield from more(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if is_full(error):
                raise meaning(error, path) from error
            yield str(error)
