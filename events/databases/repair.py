"""A damaged file is made anew: its sound rows are salvaged, and it is set aside."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from events import failpoints
from events.databases.files import connect, read_only
from events.sqlite.files import files_of
from events.sqlite.translation import DRIVER_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from events.databases.definition import Definition

POINTS = ("database.mended", "database.aside")
"""Where a test can kill the process, in the order in which a repair passes them (see `events.failpoints`)."""

PAGE = 4096
"""The bytes of a page, as SQLite makes them."""

logger = logging.getLogger(__name__)


def renew(definition: Definition, path: Path, why: object, kept: Mapping[str, Sequence[Any]]) -> None:
    """Put a new file in the place of a damaged one, with its sound rows.

    It is made beside it, so a full disk loses nothing. The damaged one is set aside, unless all of it is derived.
    """
    logger.warning("%s is damaged and is made anew%s: %s", path, "" if definition.is_derived else _ASIDE, why)
    fresh = path.with_name(f"{definition.file}.new")
    _remove(fresh)
    try:
        with closing(connect(definition, fresh).conn) as new:
            new.execute("begin")
            with _legible(definition, path, new) as old:
                _salvage(definition, old, new)
            store_shared(new, kept)
            new.execute("commit")
            new.execute("pragma wal_checkpoint(truncate)")
    except BaseException:
        _remove(fresh)
        raise
    fresh.replace(path.with_name(f"{definition.file}{_MENDED}"))
    install(definition, path)


_ASIDE = ", and set aside"
_MENDED = ".mended"
"""What is added to the name of a file that is complete, until it is in its place."""


def install(definition: Definition, path: Path) -> None:
    """Put a file that is made anew in its place, also one of a process that was killed before it could."""
    mended, aside = path.with_name(f"{definition.file}{_MENDED}"), path.with_name(definition.aside_name)
    if not mended.exists():
        return
    if path.exists():
        _remove(aside)
        failpoints.reach("database.mended")
    for old, new in zip(files_of(path), files_of(aside), strict=True):
        with suppress(FileNotFoundError):
            old.rename(new)
    failpoints.reach("database.aside")
    mended.replace(path)
    if definition.is_derived:
        _remove(aside)


def _remove(path: Path) -> None:
    for each in files_of(path):
        each.unlink(missing_ok=True)


@contextmanager
def _legible(definition: Definition, damaged: Path, fresh: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A damaged file, or, where not even its tables are found, a copy of it with the first page of a fresh one.

    Tables lie where they were made, which is the same place in both. Rows that are not of a table do not fit.
    """
    with closing(read_only(damaged)) as old:
        if _has_tables(definition, old):
            yield old
            return
    with tempfile.TemporaryDirectory(dir=damaged.parent, prefix="tmp-") as folder:
        copied = Path(folder) / damaged.name
        for there, here in zip(files_of(damaged)[:2], files_of(copied), strict=False):  # the index is made anew
            with suppress(FileNotFoundError):
                shutil.copyfile(there, here)
        _give_first_page(fresh, copied)
        with closing(sqlite3.connect(copied)) as old:
            yield old


def _has_tables(definition: Definition, db: sqlite3.Connection) -> bool:
    try:
        found = {name for (name,) in db.execute("select name from sqlite_schema")}
    except DRIVER_ERRORS:
        return False
    return found >= {table.name for table in definition.tables}


def _give_first_page(source: sqlite3.Connection, target: Path) -> None:
    """Put the first page of a database in the place of that of another file, which is of the same kind."""
    page = bytearray(source.serialize()[:PAGE])
    page[28:32] = (target.stat().st_size // PAGE).to_bytes(4, "big")  # the number of pages
    with target.open("r+b") as file:
        file.write(page)


def _salvage(definition: Definition, old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    for table in definition.tables:
        if not table.salvaged:
            continue
        marks = ", ".join("?" * (len(table.columns) + 1))
        put = f"insert or ignore into {table.name} ({table.names}) values ({marks})"
        with suppress(*DRIVER_ERRORS):
            for row in old.execute(f"select {table.names} from {table.name} not indexed"):
                if table.fits(row):
                    new.execute(put, row)
    if definition.salvage:
        with suppress(*DRIVER_ERRORS, ValueError):
            definition.salvage(old, new)


def store_shared(connection: sqlite3.Connection, statements: Mapping[str, Sequence[Any]]) -> None:
    """Store in a new file what other processes rely on."""
    for statement, values in statements.items():
        connection.execute(statement, values)
