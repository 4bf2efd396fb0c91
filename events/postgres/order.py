"""The order of the feed: that of the one lane, or the arranged order of stretches of several lanes.

A lane's entries have numbers in the order of their commits. Several lanes commit separately. The order over all lanes
is made after the commits, by a process that follows the feed, under a lock. New commits get the next places, which
never change. A row of `kifu.stretch` has the places after its `first`: how far each lane was there (`heads`), and the
lane of each place (`lanes`). The last row grows until it is full. No append waits for that.
"""

from __future__ import annotations

from heapq import merge
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from events.errors import LogUnreachableError
from events.event import LogEnd
from events.postgres.tables import LANE, MARKS, SELECT
from events.reading import PAGE
from events.rows import ChainMark, uuid_text

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

_ENDS = """
    with game as materialized (
        select id, version, position, hash, opened from kifu.game where lane = %s and (opened, id) > (%s, %s)
        order by opened, id limit %s
    )
    select uuid_send(id), version, {place}, hash, opened from game order by opened, id
"""

_FIRST = "00000000-0000-0000-0000-000000000000"

_LATEST = "1::bigint << 62"
"""Stands for the place of what has none yet."""

ARRANGED_AT_ONCE = 5000
"""Entries of each lane that get their places at once, at most."""


_SPANS = """
    with found as materialized (
        select first + nth as place, lane,
        heads[lane + 1] + row_number() over (partition by first, lane order by nth) as number
        from kifu.stretch, unnest(lanes) with ordinality as of_place (lane, nth) where first < %(end)s
        and first >= (select coalesce(max(first), 0) from kifu.stretch where first <= %(after)s)
    ), span as (
        select lane, min(number) as low, max(number) as high, array_agg(place order by place) as places from found
        where place > %(after)s and place <= %(end)s group by lane
    )
"""
"""By lanes: the first and last number of the entries with places `after < place <= end`, and these places."""

_ALONG = """
    {spans} select places[entry.{number} - low + 1], entry.* from span, lateral (
        {what} where lane = span.lane and {number} >= low and {number} <= high
        order by {number} limit %(end)s::bigint - %(after)s::bigint
    ) as entry order by 1
"""
"""The rows with places `after < place <= end`, each with its place."""

_ERASED = f"(select coalesce(max(number), 0) from kifu.erasure where lane = {LANE})"

_END = f"select head, {_ERASED} from kifu.lane where lane = {LANE}"

_REACHED = f"""
    with stored as materialized (select sum(head)::bigint as number from kifu.lane)
    select stored.number,
    coalesce((select first + cardinality(lanes) from kifu.stretch order by first desc limit 1), 0), {_ERASED},
    current_setting('transaction_read_only') = 'off' and has_table_privilege('kifu.stretch', 'insert') from stored
"""

_LAGS = """
    with lane as materialized (select lane, head from kifu.lane), last as materialized (
        select kifu.heads_after(heads, lanes) as heads from kifu.stretch order by first desc limit 1
    )
    select lane, head - coalesce(heads[lane + 1], 0) from lane left join last on true order by lane
"""

_PLACE = """
    select first + (array_positions(lanes, {lane}::smallint))[({seq} - heads[{lane} + 1])::integer] from kifu.stretch
    where heads[{lane} + 1] < {seq} order by heads[{lane} + 1] desc, first desc limit 1
"""
"""The place of the entry with a number in a lane; null if it has none yet."""

_OPENED = """
    with game as materialized (
        select lane, id, opened from kifu.game where lane = %s and (opened, id) > (%s, %s) order by opened, id limit %s
    )
    select uuid_send(id), opened, coalesce(({place}), {latest}) from game order by opened, id
"""


class OneLane:
    """The order of a log with one lane: its entries' numbers are their places in the feed."""

    lanes: Sequence[int] = (0,)

    def __init__(self, database: Database) -> None:
        self._database = database

    def end(self) -> LogEnd:
        """The place of the newest entry, 0 if there is none, and the number of the newest erasure."""
        return LogEnd(*self._database.query(_END)[0])

    def count_unplaced(self) -> dict[int, int]:
        """The number of stored entries without a place in the feed yet, by lane."""
        return {0: 0}

    def place(self, lane: int, seq: int) -> int:  # noqa: ARG002 - there is one lane
        """The place of an entry, by its number in its lane. Raises `LogUnreachableError` if it has none yet."""
        return seq

    def rows_between(self, after: int, end: int) -> list[Row]:
        """The rows of entries with places `after < place <= end`."""
        return self._database.query(
            f"{SELECT} where lane = %s and seq > %s and seq <= %s order by seq", (0, after, end)
        )

    def hashes(self, after: int, limit: int) -> list[Row]:
        """Places and hashes of the entries after a place."""
        return self._database.query(f"{_HASHES} where lane = %s and seq > %s order by seq limit %s", (0, after, limit))

    def ending(self, after: int, end: int) -> list[ChainMark]:
        """The marks of the games that end at a place `after < place <= end`."""
        sql = f"{MARKS} where lane = %s and position > %s and position <= %s"
        return [ChainMark(*row) for row in self._database.query(sql, (0, after, end))]

    def newest_marks(self) -> Iterator[ChainMark]:
        """The marks of all games, each with its place in the feed."""
        return self._ends(0, "position")

    def _ends(self, lane: int, place: str) -> Iterator[ChainMark]:
        opened, game, sql = 0, _FIRST, _ENDS.format(place=place)
        while rows := self._database.query(sql, (lane, opened, game, PAGE)):
            for *mark, _ in rows:
                yield ChainMark(*mark)
            game, opened = uuid_text(rows[-1][0]), rows[-1][-1]

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

    def count_unplaced(self) -> dict[int, int]:
        """The number of stored entries without a place in the feed yet, by lane."""
        return dict(self._database.query(_LAGS))

    def place(self, lane: int, seq: int) -> int:
        """The place of an entry, by its number in its lane. Raises `LogUnreachableError` if it has none yet."""
        sql = _PLACE.format(lane=lane, seq="%(seq)s::bigint")
        for _ in range(2):
            place: int | None = next((row[0] for row in self._database.query(sql, {"seq": seq})), None)
            if place is not None:
                return place
            self.end()
        raise LogUnreachableError(f"{self._database.name} has not given entry {seq} of lane {lane} its place yet")

    def rows_between(self, after: int, end: int) -> list[Row]:
        """The rows of entries with places `after < place <= end`."""
        return [(place, *row) for place, _, *row in self._select_in_order(SELECT, "seq", after, end)]

    def hashes(self, after: int, limit: int) -> list[Row]:
        """Places and hashes of the entries after a place."""
        reached = self.end().position
        while after < reached:
            end = min(after + limit, reached)
            if rows := self._select_in_order(_HASHES, "seq", after, end):
                return [(place, own) for place, _, own in rows]
            after = end
        return []

    def ending(self, after: int, end: int) -> list[ChainMark]:
        """The marks of the games that end at a place `after < place <= end`."""
        return [ChainMark(*row) for _, *row in self._select_in_order(MARKS, "position", after, end)]

    def newest_marks(self) -> Iterator[ChainMark]:
        """The marks of all games, each with its place in the feed."""
        self.end()
        places = [_PLACE.format(lane=lane, seq="game.position") for lane in self.lanes]
        return chain.from_iterable(self._ends(lane, f"coalesce(({places[lane]}), {_LATEST})") for lane in self.lanes)

    def _select_in_order(self, what: str, number: str, after: int, end: int) -> list[Row]:
        if end <= after:
            return []
        sql = _ALONG.format(spans=_SPANS, what=what, number=number)
        return self._database.query(sql, {"after": after, "end": end})

    def games(self) -> Iterator[bytes]:
        """The keys of all games in the order of their opening."""
        self.end()
        opened = [_OPENED.format(place=_PLACE.format(lane=lane, seq="opened"), latest=_LATEST) for lane in self.lanes]
        return (key for _, key in merge(*map(self._opened, self.lanes, opened)))


class DistributedLanes(ArrangedLanes):
    """The order of a log with lanes on several machines. Each lane is asked for its rows separately."""

    def _select_in_order(self, what: str, number: str, after: int, end: int) -> list[Row]:
        if end <= after:
            return []
        spans = self._database.query(f"{_SPANS} select * from span", {"after": after, "end": end})
        sql, at = f"{what} where lane = %s and {number} >= %s and {number} <= %s", _NUMBER_AT[number]
        found = [
            (places[row[at] - low], *row)
            for lane, low, high, places in spans
            for row in self._database.query(sql, (lane, low, high))
        ]
        return sorted(found, key=itemgetter(0))


_NUMBER_AT = {"seq": 0, "position": 2}
"""Where the numbers of rows stand: of entries and hashes, and of marks."""


def order_of(database: Database, layout: Layout) -> OneLane:
    """The order of a log."""
    if layout.lanes == 1:
        return OneLane(database)
    return (DistributedLanes if layout.distributed else ArrangedLanes)(database, layout.lanes)
