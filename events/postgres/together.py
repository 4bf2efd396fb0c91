"""Requests for games of several lanes, stored in one transaction and in a given order of the feed.

So a log is copied. Appends are never stored like that: each lane commits by itself.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from events.postgres.order import ARRANGED_AT_ONCE
from events.postgres.timely import time_for_storing
from events.postgres.translation import raising_log_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from psycopg import Connection

    from events.grouping import Batch
    from events.postgres.database import Database
    from events.postgres.writer import Writer
    from events.requests import WriteRequest

_PLACE = "select kifu.extend(%s::smallint[])"


def store_together(
    database: Database, writers: Sequence[Writer], lane: Callable[[str], int], group: list[WriteRequest]
) -> None:
    """Store requests in this order, in one commit, with the writers of the lanes. Raises `LogError`."""
    lanes = {each: [request for request in group if lane(request.game) == each] for each in range(len(writers))}

    def work(connection: Connection[Any]) -> dict[int, Batch]:
        with connection.transaction():
            for each in range(len(writers)):
                connection.execute("select from kifu.lane where lane = %s for update", (each,))
            _arrange(connection)
            batches = {each: writers[each].store_within(connection, own) for each, own in lanes.items() if own}
            _place(connection, [lane(request.game) for request in group for _ in request.events or ()])
        return batches

    with ExitStack() as turns:
        for writer in writers:
            turns.enter_context(writer.exclusive())
        with raising_log_errors(database.name), time_for_storing(sum(len(request.entries) for request in group)):
            stored = database.retry_once(work)
        for each, batch in stored.items():
            writers[each].note_committed(batch)


def _arrange(connection: Connection[Any]) -> None:
    """Give all stored entries places. Nobody else gives places until the commit."""
    before, reached = -1, 0
    while before < reached:
        before = reached
        ((reached,),) = connection.execute("select kifu.arrange(%s)", (ARRANGED_AT_ONCE,)).fetchall()


def _place(connection: Connection[Any], lanes: Sequence[int]) -> None:
    """Give the next places to the stored entries, by the lanes in which they are."""
    connection.execute(_PLACE, (list(lanes),))
