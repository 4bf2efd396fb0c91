"""Where a small database lies: in its data folder, or in the PostgreSQL database that is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.databases.file_database import FileDatabase

if TYPE_CHECKING:
    from pathlib import Path

    from events.databases.definition import Definition
    from events.databases.rows import Database


def open_database(definition: Definition, folder: Path, database_url: str = "", *, proved: bool = False) -> Database:
    """The database of a data folder, or that of all hosts that share one; made if need be.

    A file is `proved` first, and repaired, by the process that may do so. Raises `LogNewerError`, `LogError`.
    """
    if not database_url:
        return FileDatabase(definition, folder, proved=proved)
    from events.databases.shared import SharedDatabase  # noqa: PLC0415 - its driver takes its time to load

    return SharedDatabase(definition, database_url)
