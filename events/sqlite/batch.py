"""The content of one commit of an SQLite database."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from events import failpoints
from events.grouping import Batch
from events.rows import ChainMark
from events.sqlite.database import PAGE_SIZE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from events.event import Event
    from events.requests import ChainEnd

fromhex = bytes.fromhex

_INSERT = "insert into event values "
_INSERT_GAME = "insert into game values (?, ?)"


class SqliteBatch(Batch):
    """A batch as rows, with the games that it opens. Numbers of games go on from `games`."""

    def __init__(self, games: int, position: int, now: int) -> None:
        super().__init__(position, now)
        self.games = games
        self.marks: dict[str, ChainMark] = {}
        self._size = 0
        self._rows: list[Any] = []
        self._opened: list[tuple[int, bytes]] = []

    def _take(self, game: str, chain: ChainEnd, events: Sequence[Event]) -> int:
        key, number = fromhex(game.replace("-", "")), chain.number
        if number == 0:
            self.games = number = self.games + 1
            self._opened.append((number, key))
        rows, size = self._rows, self._size
        for position, event in enumerate(events, self.position + 1):
            size += len(event.body) + len(event.sealed or b"")
            rows += (
                position,
                number,
                event.version,
                fromhex(event.id.replace("-", "")),
                event.type,
                event.schema,
                event.recorded_at,
                event.happened_at,
                event.recorder,
                event.body,
                own := fromhex(event.hash),
                event.sealed,
            )
        self.position, self._size = position, size
        self.marks[game] = ChainMark(key, event.version, position, own)
        return number

    @property
    def pages(self) -> int:
        """The estimated number of changed pages: those of the rows, and one index page for every game."""
        return 2 + len(self.chains) + (self._size + 200 * len(self._rows) // COLUMNS) // PAGE_SIZE

    def insert(self, connection: sqlite3.Connection) -> None:
        """Store everything in one transaction; a single statement is one, unless a game opens."""
        sql = _insert(len(self._rows) // COLUMNS)
        if not self._opened and failpoints.reach is failpoints.ignore:
            connection.execute(sql, self._rows)
            return
        connection.execute("begin immediate")
        try:
            connection.executemany(_INSERT_GAME, self._opened)
            connection.execute(sql, self._rows)
            failpoints.reach("append.inserted")
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise


COLUMNS = 12


@lru_cache(maxsize=256)
def _insert(count: int) -> str:
    """One statement for all rows of a batch: each statement lets go of the interpreter's lock several times."""
    return _INSERT + ",".join([f"({','.join('?' * COLUMNS)})"] * count)
