"""Makes a database like one of a newer release."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from events.sqlite.files import header_of

if TYPE_CHECKING:
    from pathlib import Path

_APPLIED = "_sqlite_migrations (migration_set, name, applied_at)"


def make_newer(path: Path) -> int:
    """Mark a migration as applied that this release does not know. Returns the new schema number."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        schema = header_of(db) + 1
        db.execute(f"insert into {_APPLIED} select migration_set, 'next', applied_at from _sqlite_migrations limit 1")
        db.execute(f"pragma user_version = {schema}")
    return schema
