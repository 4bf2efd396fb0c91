"""A proven copy of a running log."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from events.errors import DamagedError, LogError
from events.privacy import make_private
from events.rows import ChainMark, uuid_text
from events.sqlite.database import open_reader
from events.sqlite.heads import heads_path, load, write
from events.sqlite.translation import raising_log_errors
from events.sqlite.verification import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

PAGES = 4096
"""Pages copied between two words of progress."""

_HEADS = """
    select game.id, version, seq, hash from game join event on event.game = game.number
    where version = (select max(version) from event where game = game.number)
"""


def backup(
    source: Path,
    target: Path,
    damage: Mapping[str, DamagedError],
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Copy the log `source`, while others may write to it, to a new file `target`, and prove the copy.

    Games in `damage` are copied as they are, together with the heads that they should have. Any other fault of the copy
    fails it, and no copy is left. Raises `FileExistsError`, `DamagedError`, `LogFullError`.
    """
    for path in (target, heads_path(target)):
        if path.exists():
            raise FileExistsError(f"{path} exists already")
    make_private()
    try:
        marks, _ = load(heads_path(source))
        _copy(source, target, progress)
        write(heads_path(target), marks.values())
        _prove(target, damage)
        write(heads_path(target), (marks | _heads(target, damage)).values())
    except BaseException:
        for path in (target, heads_path(target)):
            path.unlink(missing_ok=True)
        raise


def _copy(source: Path, target: Path, progress: Callable[[int, int], None] | None) -> None:
    """Copy all pages as of one moment: the read transaction keeps writers from making the copy start over."""

    def report(_: int, remaining: int, total: int) -> None:
        if progress:
            progress(total - remaining, total)

    with raising_log_errors(target), closing(open_reader(source)) as old, closing(sqlite3.connect(target)) as new:
        old.execute("begin")
        old.execute("select count(*) from game").fetchone()
        old.backup(new, pages=PAGES, progress=report, sleep=0)


def _prove(target: Path, damage: Mapping[str, DamagedError]) -> None:
    for problem in verify(target, still=True).problems:
        if problem.game is None:
            raise LogError(f"the copy is damaged: {problem}")
        if problem.game not in damage:
            raise DamagedError(problem.game, problem.version or 1, problem.why)


def _heads(target: Path, damage: Mapping[str, DamagedError]) -> dict[bytes, ChainMark]:
    """The heads of all sound games of the proven copy."""
    with raising_log_errors(target), closing(open_reader(target, still=True)) as copy:
        marks = (ChainMark(*row) for row in copy.execute(_HEADS))
        return {mark.game: mark for mark in marks if uuid_text(mark.game) not in damage}
