"""The log in PostgreSQL: append and everything else that writes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from psycopg import Rollback

from events.errors import LogError
from events.event import LogEnd, now_ms
from events.postgres import distributed
from events.postgres.calls import FeedCaller
from events.postgres.components import PostgresComponents
from events.postgres.reader import PostgresReader
from events.postgres.tables import LANE, migrate
from events.postgres.timely import without_time_limit
from events.postgres.together import store_together
from events.postgres.translation import raising_log_errors
from events.postgres.writer import Writer
from events.recording import RowLog, SealChange
from events.rows import uuid_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from psycopg import Connection

    from events.event import Event
    from events.postgres.reader import Notice
    from events.requests import WriteRequest
    from events.rows import ChainMark

_LOCK = 0x4B494602
"""The advisory lock of erasures: they have numbers in the order of their commits."""


_POSTED = """
    insert into kifu.notice (number, name, value) select * from (
        select coalesce(max(number), 0) + 1, %s::text, %s::text from kifu.notice
    ) as new where coalesce((select value from kifu.notice where name = %s order by number desc limit 1), '') = %s
    on conflict do nothing
"""


_ERASED = """
    insert into kifu.erasure (lane, number, game)
    select %s, coalesce(max(number), 0) + 1, %s from kifu.erasure where lane = %s
"""


class PostgresLog(RowLog, PostgresReader):
    """A log in PostgreSQL that can be appended to, by any number of processes at once.

    The tables are made, or brought up to this release, if the role that opens it may do that. `clock` gives
    milliseconds since 1970. One that was `moved` away can be opened only to move its record back. Raises `MovedError`.
    Raises `LogNewerError`, `LogUnwritableError`, `LogUnreachableError`, `LogError`.
    """

    shared = True

    def __init__(self, url: str, clock: Callable[[], int] = now_ms, *, moved: bool = False) -> None:
        super().__init__(url, moved=moved)
        self.components = PostgresComponents(self._database, clock)
        self._telling = threading.Lock()
        self._database.add_connections(len(self.lanes) - 1)
        self._caller = FeedCaller(self._database)
        self._writers = [
            Writer(
                self._database,
                lane,
                ends=self._ends,
                stored=self._note_stored,
                clock=clock,
                spread=self._layout.distributed,
            )
            for lane in self.lanes
        ]

    def _open(self, connection: Connection[Any]) -> None:
        migrate(connection, self.name)
        super()._open(connection)
        ((durable,),) = connection.execute("show synchronous_commit").fetchall()
        if durable == "off":
            raise LogError(
                f"{self.name} would acknowledge what is not on disk yet; ALTER DATABASE or ROLE … "
                "SET synchronous_commit = on"
            )
        if self._layout.distributed:
            distributed.check_workers(connection, self._layout.lanes)

    def close(self) -> None:
        """Finish accepted requests, and close the connections."""
        stopped = [writer.stop() for writer in self._writers]
        if all(stopped):
            self._caller.close()
            super().close()

    def post(self, name: Notice, value: str, *, instead_of: str) -> None:
        """Post a notice for other hosts, unless another one was posted meanwhile. Raises `LogError`."""
        self._database.change(_POSTED, (name, value, name, instead_of))

    @property
    def full(self) -> bool:
        """Whether the database was full at the last write."""
        return any(writer.full for writer in self._writers)

    def _writer(self, game: str) -> Writer:
        return self._writers[self.lane(game)]

    @property
    def unwritable(self) -> str:
        """The known reason why nothing can be stored, other than a full disk; empty if there is no such reason."""
        return next((writer.unwritable for writer in self._writers if writer.unwritable), "")

    def _submit(self, request: WriteRequest) -> None:
        self._writer(request.game).submit(request)

    def _submit_together(self, group: list[WriteRequest]) -> None:
        if len(self._writers) == 1:
            self._writers[0].submit_together(group)
        else:
            store_together(self._database, self._writers, self.lane, group)

    def _exchange_seals(self, game: str, changes: Sequence[SealChange]) -> bool:
        with raising_log_errors(self.name):
            done = self._database.retry_once(lambda free: _exchange_seals(free, self.lane(game), game, changes))
        with self._looking:
            self._looked = 0.0
        self._caller.call()
        return done

    def _leave_nothing(self, game: str, version: int) -> None:  # noqa: ARG002 - the table is vacuumed whole
        """Ask the server to vacuum. The bytes in its write-ahead log and backups go when these go.

        In a cluster hosts are told of an erasure after it, and not with it. If the coordinator was killed between the
        two, they are told when somebody erases again.
        """
        if self._layout.distributed:
            self._database.change(_ERASED, (LANE, game, LANE))
        with without_time_limit():
            self._database.change("vacuum (truncate false) kifu.event")

    def _put_mark(self, mark: ChainMark) -> None:
        game = uuid_text(mark.game)
        sql = "update kifu.game set version = %s, hash = %s where lane = %s and id = %s"
        self._database.change(sql, (mark.version, mark.hash, self.lane(game), game))
        self._writer(game).forget(game)

    def _note_stored(self, requests: Sequence[Sequence[Event]], position: int) -> None:
        with self._telling:  # lanes commit in parallel, and listeners are called one after the other
            self._announce(requests)
        self._caller.call()
        with self._looking:
            if len(self.lanes) > 1:
                self._looked = 0.0  # who waits looks for what has got its place in the feed
                return
            self._seen = LogEnd(max(self._seen.position, position), self._seen.erasure)
        self._wake()


def _exchange_seals(connection: Connection[Any], lane: int, game: str, changes: Sequence[SealChange]) -> bool:
    """Put other seals beside entries, and note for all that have parts of them that it was done; False for none."""
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        for each in changes:
            done = connection.execute(
                "update kifu.event set sealed = %s "
                "where lane = %s and game = %s and version = %s and sealed is not distinct from %s",
                (each.after, lane, game, each.version, each.before),
            )
            if done.rowcount != 1:
                raise Rollback
        connection.execute(_ERASED, (LANE, game, LANE))
        return True
    return False
