"""Proof of a whole database, as of one moment, beside the running services."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import psycopg

from events.postgres.database import name_of
from events.postgres.tables import LANE, MARKS, SELECT, check
from events.postgres.translation import translated
from events.rows import Mark, uuid_text
from events.verification import PROGRESS_STEP, ChainCheck, Problem, Report, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from psycopg import Connection

_MOMENT = "set transaction isolation level repeatable read, read only"


def verify(url: str, progress: Callable[[int, int], None] | None = None) -> Report:
    """Prove a log in PostgreSQL: every chain and every recorded head.

    `progress` is told events done and events in all. Raises `FileNotFoundError`, `LogNewerError`, `LogError`.
    """
    with translated(name_of(url)), psycopg.connect(url) as connection:
        check(connection, name_of(url))
        connection.commit()
        connection.execute(_MOMENT)
        return _report(connection, progress)


def _report(connection: Connection[Any], progress: Callable[[int, int], None] | None) -> Report:
    marks = {row[0]: Mark(*row) for row in connection.execute(f"{MARKS} where lane = %s order by opened, id", (LANE,))}
    total = connection.execute("select count(*) from kifu.event where lane = %s", (LANE,)).fetchone()
    found: dict[bytes, list[Problem]] = {}
    done = lost = 0
    with connection.cursor("entries", binary=True) as rows:
        rows.execute(f"{SELECT} where lane = %s order by game, version", (LANE,))
        for key, run in groupby(rows, itemgetter(1)):
            mark = marks.get(key)
            if mark is None:
                lost += sum(1 for _ in run)
                continue
            chain = _chain(mark)
            for _ in walk(chain, ((row[2], row) for row in run)):
                done += 1
                if progress and total and done % PROGRESS_STEP == 0:
                    progress(done, total[0])
            found[key] = chain.problems()
    for key in marks.keys() - found.keys():
        found[key] = _chain(marks[key]).problems()  # all of it is gone
    problems = [problem for key in marks for problem in found[key]]
    if lost:
        problems.append(Problem("unreadable", f"{lost} entries belong to no game that is known"))
    return Report(sum(mark.version > 0 for mark in marks.values()), done, tuple(problems))


def _chain(mark: Mark) -> ChainCheck:
    return ChainCheck(uuid_text(mark.game), (mark.version, mark.hash.hex()))
