"""The order of the feed: that of the one lane, or the arranged order of stretches of several lanes.

A lane's entries have numbers in the order of their commits. Several lanes commit separately. The order over all lanes
is made after the commits, by a process that follows the feed, under a lock. New commits get the next places, as rows of
`kifu.stretch`, which never change. No append waits for that.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial
from heapq import merge
from operator import itemgetter
from typing import TYPE_CHECKING

from events.errors import LogUnreachableError
from events.event import LogEnd
from events.postgres.tables import LANE, MARKS, SELECT
from events.reading import PAGE
from events.rows import Mark, uuid_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from events.postgres.database import Database
    from events.postgres.tables import Layout
    from events.rows import Row

_HASHES = "select seq, hash from kifu.event"

_GAMES = """
    select uuid_send(id), opened, opened from kifu.game where lane = %s and (opened, id) > (%s, %s)
    order by opened, id limit %s
"""

_FIRST = "00000000-0000-0000-0000-000000000000"

ARRANGED_AT_ONCE = 5000
"""Entries of each lane that get their places at once, at most."""


_ALONG = """
    select stretch.position - stretch.seq + entry.{number}, entry.* from (
        select * from kifu.stretch where position > %(after)s
        order by position limit %(end)s::bigint - %(after)s::bigint
    ) as stretch, lateral (
        {what} where lane = stretch.lane
        and {number} > stretch.seq - least(stretch.length, stretch.position - %(after)s)
        and {number} <= stretch.seq - greatest(stretch.position - %(end)s, 0)
        order by {number} limit %(end)s::bigint - %(after)s::bigint
    ) as entry where stretch.position - stretch.length < %(end)s order by 1
"""
"""The rows along the stretches of the feed with places `after < place <= end`, by their numbers in their lanes."""

_ERASED = f"(select coalesce(max(number), 0) from kifu.erasure where lane = {LANE})"

_END = f"select head, {_ERASED} from kifu.lane where lane = {LANE}"

_REACHED = f"""
    with stored as materialized (select sum(head)::bigint as number from kifu.lane)
    select stored.number, (select coalesce(max(position), 0) from kifu.stretch), {_ERASED},
    current_setting('transaction_read_only') = 'off' and has_table_privilege('kifu.stretch', 'insert') from stored
"""

_LAGS = """
    with lane as materialized (select lane, head from kifu.lane)
    select lane, head - (select coalesce(max(seq), 0) from kifu.stretch where stretch.lane = lane.lane) from lane
    order by lane
"""

_PLACE = "select position - seq + %s from kifu.stretch where lane = %s and seq >= %s order by seq limit 1"

_OPENED = """
    with game as materialized (
        select lane, id, opened from kifu.game where lane = %s and (opened, id) > (%s, %s) order by opened, id limit %s
    )
    select uuid_send(id), opened, coalesce((
        select position - seq + opened from kifu.stretch where stretch.lane = game.lane and seq >= opened
        order by seq limit 1
    ), 1::bigint << 62) from game order by opened, id
"""

_STRETCHES = """
    select lane, seq, position, length from kifu.stretch where position > %(after)s and position - length < %(end)s
    order by position limit %(end)s::bigint - %(after)s::bigint
"""


class OneLane:
    """The order of a log with one lane: its entries' numbers are their places in the feed."""

    lanes: Sequence[int] = (0,)

    def __init__(self, database: Database) -> None:
        self._database = database

    def end(self) -> LogEnd:
        """The place of the newest entry, 0 if there is none, and the number of the newest erasure."""
        return LogEnd(*self._database.query(_END)[0])

    def lags(self) -> dict[int, int]:
        """By lanes, how many stored entries have no place in the feed yet."""
        return {0: 0}

    def place(self, lane: int, seq: int) -> int:  # noqa: ARG002 - there is one lane
        """The place of an entry, by its number in its lane. Raises `LogUnreachableError` if it has none yet."""
        return seq

    def between(self, after: int, end: int) -> list[Row]:
        """The rows of entries with places `after < place <= end`."""
        return self._database.query(
            f"{SELECT} where lane = %s and seq > %s and seq <= %s order by seq", (0, after, end)
        )

    def hashes(self, after: int, limit: int) -> list[Row]:
        """Places and hashes of the entries after a place."""
        return self._database.query(f"{_HASHES} where lane = %s and seq > %s order by seq limit %s", (0, after, limit))

    def ending(self, after: int, end: int) -> list[Mark]:
        """The marks of the games that end at a place `after < place <= end`."""
        sql = f"{MARKS} where lane = %s and position > %s and position <= %s"
        return [Mark(*row) for row in self._database.query(sql, (0, after, end))]

    def games(self) -> Iterator[bytes]:
        """The keys of all games in the order of their opening."""
        return (key for _, key in self._opened(0, _GAMES))

    def _opened(self, lane: int, sql: str) -> Iterator[tuple[int, bytes]]:
        """The places at which the games of a lane were opened, and their keys."""
        opened, game = 0, _FIRST
        while rows := self._database.query(sql, (lane, opened, game, PAGE)):
            for key, _, place in rows:
                yield place, key
            game, opened = uuid_text(rows[-1][0]), rows[-1][1]


class ArrangedLanes(OneLane):
    """The order of a log with several lanes."""

    def __init__(self, database: Database, lanes: int) -> None:
        super().__init__(database)
        self.lanes = range(lanes)

    def end(self) -> LogEnd:
        """The place of the newest entry, once all that is stored by now has one, and the number of the newest erasure.

        Where nothing can be written, on a standby, others give places.
        """
        ((stored, reached, erasure, may),) = self._database.query(_REACHED)
        before = -1
        while before < reached < stored and may:
            before = reached
            ((reached,),) = self._database.query("select kifu.arrange(%s)", (ARRANGED_AT_ONCE,))
        return LogEnd(int(reached), erasure)

    def lags(self) -> dict[int, int]:
        """By lanes, how many stored entries have no place in the feed yet."""
        return dict(self._database.query(_LAGS))

    def place(self, lane: int, seq: int) -> int:
        """The place of an entry, by its number in its lane. Raises `LogUnreachableError` if it has none yet."""
        find = partial(self._database.query, _PLACE, (seq, lane, seq))
        if rows := find() or (self.end().position and find()):
            return int(rows[0][0])
        raise LogUnreachableError(f"{self._database.name} has not given entry {seq} of lane {lane} its place yet")

    def between(self, after: int, end: int) -> list[Row]:
        """The rows of entries with places `after < place <= end`."""
        return [(place, *row) for place, _, *row in self._along(SELECT, "seq", after, end)]

    def hashes(self, after: int, limit: int) -> list[Row]:
        """Places and hashes of the entries after a place."""
        reached = self.end().position
        while after < reached:
            end = min(after + limit, reached)
            if rows := self._along(_HASHES, "seq", after, end):
                return [(place, own) for place, _, own in rows]
            after = end
        return []

    def ending(self, after: int, end: int) -> list[Mark]:
        """The marks of the games that end at a place `after < place <= end`."""
        return [Mark(*row) for _, *row in self._along(MARKS, "position", after, end)]

    def _along(self, what: str, number: str, after: int, end: int) -> list[Row]:
        if end <= after:
            return []
        return self._database.query(_ALONG.format(what=what, number=number), {"after": after, "end": end})

    def games(self) -> Iterator[bytes]:
        """The keys of all games in the order of their opening."""
        self.end()
        return (key for _, key in merge(*(self._opened(lane, _OPENED) for lane in self.lanes)))


class DistributedLanes(ArrangedLanes):
    """The order of a log with lanes on several machines: each lane is asked for its rows by itself."""

    def _along(self, what: str, number: str, after: int, end: int) -> list[Row]:
        stretches: dict[int, list[Row]] = {}
        if end > after:
            for lane, *stretch in self._database.query(_STRETCHES, {"after": after, "end": end}):
                stretches.setdefault(lane, []).append(tuple(stretch))
        found = [row for lane, own in stretches.items() for row in self._of_lane(what, number, lane, own)]
        return sorted((row for row in found if after < row[0] <= end), key=itemgetter(0))

    def _of_lane(self, what: str, number: str, lane: int, stretches: Sequence[Row]) -> Iterator[Row]:
        """The rows along stretches of a lane (its numbers up to `seq`, `position`, `length`), each with its place."""
        (first, _, length), (last, _, _) = stretches[0], stretches[-1]
        sql = f"{what} where lane = %s and {number} > %s and {number} <= %s"
        for row in self._database.query(sql, (lane, first - length, last)):
            own = row[_NUMBER_AT[number]]
            seq, position, _ = stretches[bisect_left(stretches, own, key=itemgetter(0))]
            yield (position - seq + own, *row)


_NUMBER_AT = {"seq": 0, "position": 2}
"""Where the numbers of rows stand: of entries and hashes, and of marks."""


def order_of(database: Database, layout: Layout) -> OneLane:
    """The order of a log."""
    if layout.lanes == 1:
        return OneLane(database)
    return (DistributedLanes if layout.distributed else ArrangedLanes)(database, layout.lanes)
