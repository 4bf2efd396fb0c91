"""Proof of a whole database, offline or beside the running service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.rows import uuid_text
from events.sqlite.database import open_reader
from events.sqlite.heads import heads_path, load
from events.sqlite.tables import SELECT
from events.sqlite.translation import DRIVER_ERRORS, raising_log_errors
from events.verification import PROGRESS_STEP, ChainCheck, Problem, Report, walk

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from events.rows import ChainMark, Row


def verify(path: Path, progress: Callable[[int, int], None] | None = None, *, still: bool = False) -> Report:
    """Prove a database: every chain, every recorded head, and the file itself by SQLite's own check.

    Nobody writes to a `still` database, so nothing is put beside it. `progress` gets the numbers of checked and of all
    events. Raises `FileNotFoundError`, `LogNewerError`, or `LogError` for a file that is not a log or cannot be opened
    at all.
    """
    marks, oddities = load(heads_path(path))
    connection = open_reader(path, still=still)
    try:
        with raising_log_errors(path):
            connection.execute("begin")
            return _Verification(connection, marks, progress).report(oddities)
    finally:
        connection.close()


class _Verification:
    """One pass over a database, game by game."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        marks: Mapping[bytes, ChainMark],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._connection, self._marks, self._progress = connection, marks, progress
        self._total = self._done = self._bare = self._clubs = 0
        self._problems: list[Problem] = []

    def report(self, oddities: list[str]) -> Report:
        for why in oddities:
            self._note(why)
        self._total = self._count()
        games = dict(self._games())
        for key, number in games.items():
            self._walk(key, number)
        for key in self._marks.keys() - games.keys():
            self._problems += self._chain(key).problems()
        if self._done < self._total:
            self._note(f"{self._total - self._done} entries belong to no game that is known")
        self._check_file()
        found = len(games) - self._clubs
        return Report(found, self._done, tuple(self._problems), self._bare, clubs=self._clubs)

    def _count(self) -> int:
        try:
            count: int = self._connection.execute("select count(*) from event").fetchone()[0]
        except DRIVER_ERRORS as error:
            self._note(f"the entries cannot be counted: {error}")
            return 0
        return count

    def _games(self) -> Iterator[tuple[bytes, int]]:
        try:
            for key, number in self._connection.execute("select id, number from game order by number"):
                if isinstance(key, bytes):
                    yield key, number
                else:
                    self._note(f"game number {number} has no id")
        except DRIVER_ERRORS as error:
            self._note(f"the list of games breaks off: {error}")

    def _chain(self, key: bytes) -> ChainCheck:
        mark = self._marks.get(key)
        return ChainCheck(uuid_text(key), (mark.version, mark.hash.hex()) if mark else None)

    def _walk(self, key: bytes, number: int) -> None:
        chain = self._chain(key)
        for _ in walk(chain, self._rows(number)):
            self._done += 1
            if self._progress and self._done % PROGRESS_STEP == 0:
                self._progress(self._done, max(self._total, self._done))
        self._problems += chain.problems()
        self._bare += chain.bare_erasures
        self._clubs += chain.of_club

    def _rows(self, number: int) -> Iterator[tuple[int, Row | Exception]]:
        """The rows of a game by version. An error stands in the place of an unreadable one."""
        version = 0
        try:
            for row in self._connection.execute(f"{SELECT} where game = ? order by version", (number,)):
                version = row[2]
                yield version, row
        except DRIVER_ERRORS:
            yield from self._single_rows(number, version)

    def _single_rows(self, number: int, after: int) -> Iterator[tuple[int, Row | Exception]]:
        execute = self._connection.execute
        try:
            index = "select version from event where game = ? and version > ? order by version"
            versions = [version for (version,) in execute(index, (number, after))]
        except DRIVER_ERRORS as error:
            yield after + 1, error
            return
        for version in versions:
            try:
                row = execute(f"{SELECT} where game = ? and version = ?", (number, version)).fetchone()
                yield version, row or LookupError("the index names it, and it is not there")
            except DRIVER_ERRORS as error:
                yield version, error

    def _check_file(self) -> None:
        try:
            for (finding,) in self._connection.execute("pragma integrity_check"):
                if finding != "ok":
                    self._note(f"SQLite: {finding}")
        except DRIVER_ERRORS as error:
            self._note(f"SQLite: {error}")

    def _note(self, why: str) -> None:
        self._problems.append(Problem("unreadable", why))
