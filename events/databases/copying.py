"""Copies of a small database: of its file, or of its rows in another place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from events.databases.files import read_only
from events.databases.translation import raising_log_errors

if TYPE_CHECKING:
    from pathlib import Path

    from events.databases.definition import Definition
    from events.databases.rows import Database, Rows


def copy(source: Path, target: Path) -> None:
    """Copy a file, which others may be writing to. Raises `LogError`."""
    with raising_log_errors(source), closing(read_only(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def copy_rows(definition: Definition, source: Rows, target: Rows) -> None:
    """Put all rows into an empty database. Only inside a transaction."""
    for table in definition.tables:
        names = ", ".join(f'"{name}"' for name in table.all_columns)
        insert = f"insert into {table.name} ({names}) values ({', '.join('?' * len(table.all_columns))})"
        for row in source.execute(f"select {names} from {table.name}").fetchall():
            target.execute(insert, row)
        if table.numbered and target.dialect.renumber:
            (column,) = table.key
            target.execute(target.dialect.renumber.format(f"{definition.schema}.{table.name}", column))


def transfer(definition: Definition, source: Rows, target: Database) -> None:
    """Put all rows into an empty database. One with rows stays as it is. Raises `LogError`."""
    with target.transaction() as db:
        if not any(db.execute(f"select 1 from {table.name} limit 1").fetchone() for table in definition.tables):
            copy_rows(definition, source, db)
