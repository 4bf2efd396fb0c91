"""Proof of the read models by their checksums. The log is not compared here."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from events.databases.files import integrity
from projections.catalogue.proof import prove_catalogue
from projections.checkpoints import prove_checkpoints
from projections.errors import ViewsDamagedError
from projections.views import CATALOGUE, CURSOR, PLAYERS_TABLE, SEARCH_TABLE, Views

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlite_utils import Database


def prove_folder(folder: Path) -> Iterator[str]:
    """The faults of the read models in a folder; none on a read-only medium, or without read models of this release.

    Those of an older release are made anew at the next start.
    """
    if not os.access(folder, os.W_OK):
        return
    views = Views(folder)
    try:
        if views.are_older:
            return
        if (folder / "current").exists() and not views.usable:
            yield "they are not what a release of this schema wrote"
            return
        yield from prove(views.db)
        yield from prove_checkpoints(views.db)
    finally:
        views.close()


def prove(db: Database) -> Iterator[str]:
    """The faults of the read models in `db`: tables against indexes, rows against their checksums.

    Checkpoints are not looked at: each is proved when it is used.
    """
    try:
        for table in (CATALOGUE, SEARCH_TABLE, PLAYERS_TABLE, CURSOR, *_words_index(db)):
            yield from integrity(db.conn, table)
        _prove_words(db)
        prove_catalogue(db)
        if db.execute(f"select typeof(position), typeof(hash) from {CURSOR}").fetchall() != [("integer", "text")]:
            yield "it is not known how far they go"
    except (sqlite3.Error, ViewsDamagedError, UnicodeDecodeError) as error:
        yield str(error)


def _words_index(db: Database) -> list[str]:
    found = db.execute("select name from sqlite_master where type = 'table' and name like ?", [f"{SEARCH_TABLE}_fts_%"])
    return [name for (name,) in found]


def _prove_words(db: Database) -> None:
    """Compare the search index with its words. SQLite asks for a lock, and changes nothing."""
    db.execute("begin immediate")
    try:
        db.execute(f"insert into {SEARCH_TABLE}_fts ({SEARCH_TABLE}_fts, rank) values ('integrity-check', 1)")
    finally:
        db.execute("rollback")
