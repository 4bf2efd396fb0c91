"""Copies of read models. Another host of the same log goes on from a copy instead of a rebuild."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from projections.errors import ViewsDamagedError
from projections.proof import prove
from projections.views import CATALOGUE, connect, cursor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.views import Views

PAGES = 4096
"""Pages that are copied between two words of progress."""


class CopiedViews(NamedTuple):
    """The content of a copy: its number of games, and the position of the feed that it reaches."""

    games: int
    position: int


def copy_views(source: Views, target: Views, progress: Callable[[int, int], None] | None = None) -> CopiedViews:
    """Copy a snapshot of the read models, while others write to them, and prove the copy.

    `progress` is told pages done and in all. Raises `FileExistsError` if the target has read models. Raises
    `ViewsDamagedError` for what is not what was written, `OSError` and `sqlite3.Error`: then no copy is left.
    """
    if target.installed:
        raise FileExistsError
    path = target.new_path()
    try:
        _copy(source.db.conn, path, progress)
        copied = _proved(path)
    except BaseException:
        target.discard(path)
        raise
    target.install(path)
    return copied


def _copy(source: sqlite3.Connection, path: Path, progress: Callable[[int, int], None] | None) -> None:
    """Copy all pages. The read transaction keeps writers from making the copy start over."""

    def report(_: int, remaining: int, total: int) -> None:
        if progress:
            progress(total - remaining, total)

    source.execute("begin")
    try:
        source.execute(f"select 1 from {CATALOGUE} limit 1").fetchall()
        with closing(sqlite3.connect(path)) as new:
            source.backup(new, pages=PAGES, progress=report, sleep=0)
    finally:
        source.execute("rollback")


def _proved(path: Path) -> CopiedViews:
    db = connect(path)
    try:
        if why := next(prove(db), None):
            raise ViewsDamagedError(why)
        position, _ = cursor(db)
        ((games,),) = db.execute(f"select count(*) from {CATALOGUE}").fetchall()
        return CopiedViews(games, position)
    finally:
        db.conn.close()
