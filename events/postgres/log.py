"""The log in PostgreSQL: append and everything else that writes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from events.errors import LogError
from events.postgres.components import PostgresComponents
from events.postgres.reader import PostgresReader
from events.postgres.tables import LANE, migrate
from events.postgres.translation import translated
from events.postgres.writer import Writer
from events.recording import RowLog, milliseconds
from events.rows import uuid_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from psycopg import Connection

    from events.event import Event
    from events.requests import Request
    from events.rows import Mark

_LOCK = 0x4B494602
"""The advisory lock of whoever erases something: erasures have numbers in the order of their commits."""


class PostgresLog(RowLog, PostgresReader):
    """A log in PostgreSQL that can be appended to, by any number of processes at once.

    The tables are made, or brought up to this release, if the role that opens it may do that. `clock` gives
    milliseconds since 1970. Raises `LogNewerError`, `LogUnwritableError`, `LogUnreachableError`, `LogError`.
    """

    def __init__(self, url: str, clock: Callable[[], int] = milliseconds) -> None:
        super().__init__(url)
        self.components = PostgresComponents(self._database, clock)
        self._writer = Writer(self._database, ends=self._ends, stored=self._note_stored, clock=clock)

    def _open(self, connection: Connection[Any]) -> None:
        migrate(connection, self.name)
        ((durable,),) = connection.execute("show synchronous_commit").fetchall()
        if durable == "off":
            raise LogError(
                f"{self.name} would acknowledge what is not on disk yet; ALTER DATABASE or ROLE … "
                "SET synchronous_commit = on"
            )

    def close(self) -> None:
        """Finish what was accepted, and let go of the connections."""
        if self._writer.stop():
            super().close()

    @property
    def full(self) -> bool:
        """Whether the database took no more when something was last to be stored."""
        return self._writer.full

    def _submit(self, request: Request) -> None:
        self._writer.submit(request)

    def _submit_together(self, group: list[Request]) -> None:
        self._writer.submit_together(group)

    def _close_seals(self, game: str, version: int, sealed: bytes | None) -> None:
        """The server is told to vacuum; what its own log and its backups hold of the bytes goes with those."""
        if sealed is not None:
            with translated(self.name):
                self._database.steadily(lambda connection: _close_seals(connection, game, version, sealed))
        self._database.change("vacuum (truncate false) kifu.event")

    def _put_mark(self, mark: Mark) -> None:
        game = uuid_text(mark.game)
        sql = "update kifu.game set version = %s, hash = %s where lane = %s and id = %s"
        self._database.change(sql, (mark.version, mark.hash, LANE, game))
        self._writer.forget(game)

    def _note_stored(self, requests: Sequence[Sequence[Event]], position: int) -> None:
        self._announce(requests)
        with self._looking:
            self._seen, self._looked = max(self._seen, position), time.monotonic()
        with self._news:
            self._news.notify_all()


def _close_seals(connection: Connection[Any], game: str, version: int, sealed: bytes) -> None:
    """Put this in the place of what is sealed of an entry, and note for all that have parts of it that it was done."""
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute(
            "update kifu.event set sealed = %s where lane = %s and game = %s and version = %s",
            (sealed, LANE, game, version),
        )
        connection.execute(
            "insert into kifu.erasure (lane, number, game) "
            "select %s, coalesce(max(number), 0) + 1, %s from kifu.erasure where lane = %s",
            (LANE, game, LANE),
        )
