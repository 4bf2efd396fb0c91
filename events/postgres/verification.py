"""Proof of a whole database from one snapshot, beside the running services."""

from __future__ import annotations

from itertools import count, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import psycopg

from events.lanes import lane_of
from events.postgres.database import name_of
from events.postgres.tables import MARKS, SELECT, check, layout_of
from events.postgres.translation import raising_log_errors
from events.rows import ChainMark, uuid_text
from events.verification import PROGRESS_STEP, ChainCheck, Problem, Report, join_reports, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from psycopg import Connection

_MOMENT = "set transaction isolation level repeatable read, read only"

_WRONG = """
    with stored as materialized (select array_agg(head order by lane) as heads from kifu.lane),
    stretch as (
        select first, heads, first + cardinality(lanes) as last, kifu.heads_after(heads, lanes) as ends
        from kifu.stretch
    )
    select count(*) from (
        select coalesce(lag(last) over following, 0) as place, coalesce(lag(ends) over following, array_fill(
            0::bigint, array[cardinality(stored.heads)]
        )) as before, stretch.*, stored.heads as stored from stretch, stored window following as (order by first)
    ) as each where place != first or before != heads
    or exists (select from unnest(ends, stored) as of_lane (reached, head) where reached > head)
    or last - first != (select sum(reached - head) from unnest(ends, heads) as of_lane (reached, head))
"""


def verify(url: str, progress: Callable[[int, int], None] | None = None) -> Report:
    """Prove a log in PostgreSQL: every chain and every recorded head.

    `progress` gets the numbers of checked and of all events. Raises `FileNotFoundError`, `LogNewerError`, `LogError`.
    """
    with raising_log_errors(name_of(url)), psycopg.connect(url) as connection:
        check(connection, name_of(url))
        lanes, distributed = layout_of(connection, name_of(url))
        connection.commit()
        connection.execute(_MOMENT)
        ((total,),) = connection.execute("select sum(head)::bigint from kifu.lane").fetchall()
        steps = count(1)

        def step() -> None:
            done = next(steps)
            if progress and done % PROGRESS_STEP == 0:
                progress(done, total)

        reports = [Report(0, 0, tuple(_order(connection)))] if lanes > 1 else []
        for lane in range(lanes):
            if distributed:  # lanes on several machines have no moment in common
                connection.commit()
                connection.execute(_MOMENT)
            reports.append(_report(connection, lane, lanes, step))
        return join_reports(reports)


def _report(connection: Connection[Any], lane: int, lanes: int, step: Callable[[], None]) -> Report:
    """The entries of a lane."""
    marks = {
        row[0]: ChainMark(*row) for row in connection.execute(f"{MARKS} where lane = %s order by opened, id", (lane,))
    }
    found: dict[bytes, list[Problem]] = {}
    done = lost = bare = clubs = 0
    with connection.cursor("entries", binary=True) as rows:
        rows.execute(f"{SELECT} where lane = %s order by game, version", (lane,))
        for key, run in groupby(rows, itemgetter(1)):
            mark = marks.get(key)
            if mark is None:
                lost += sum(1 for _ in run)
                continue
            chain = _chain(mark)
            for _ in walk(chain, ((row[2], row) for row in run)):
                done += 1
                step()
            found[key] = chain.problems()
            bare += chain.bare_erasures
            clubs += chain.of_club
            if lane_of(chain.game, lanes) != lane:
                found[key].append(
                    Problem("unreadable", f"it lies in lane {lane}, where nobody looks for it", chain.game)
                )
    for key in marks.keys() - found.keys():
        found[key] = _chain(marks[key]).problems()  # all of it is gone
    problems = [problem for key in marks for problem in found[key]]
    if lost:
        problems.append(Problem("unreadable", f"{lost} entries belong to no game that is known"))
    games = sum(mark.version > 0 for mark in marks.values()) - clubs
    return Report(games, done, tuple(problems), bare, clubs=clubs)


def _order(connection: Connection[Any]) -> list[Problem]:
    """The faults of the feed's places of several lanes."""
    ((wrong,),) = connection.execute(_WRONG).fetchall()
    return [Problem("unreadable", f"{wrong} stretches of the feed do not follow one another")] if wrong else []


def _chain(mark: ChainMark) -> ChainCheck:
    return ChainCheck(uuid_text(mark.game), (mark.version, mark.hash.hex()))
