"""The reading half of the log in PostgreSQL, for any process beside those that write; a standby serves as well."""

from __future__ import annotations

import logging
import threading
import time
from itertools import groupby, takewhile
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

from events.errors import DamagedError, LogError, MovedError
from events.event import LogEnd, now_ms
from events.lanes import lane_of
from events.postgres.calls import Listener
from events.postgres.components import PostgresComponents
from events.postgres.database import Database
from events.postgres.order import order_of
from events.postgres.people import PostgresPeople
from events.postgres.tables import LANE, MARKS, SELECT, check, layout_of
from events.postgres.timely import without_time_limit
from events.postgres.translation import raising_log_errors
from events.reading import RowReader
from events.requests import ChainEnd
from events.rows import ChainMark, uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from psycopg import Connection

    from events.rows import Row

Notice = Literal["moved", "tree-key"]
"""What hosts tell one another in the database: where the record was moved to, and the key that signs its tree."""

POLL = 0.02
"""Seconds between two looks for what other processes have stored, where their calls are not heard."""

SILENCE = 2.0
"""Seconds between two looks where calls are heard: one can be lost with the process that owes it."""

SETTLED = 1.0
"""Seconds after a call during which lanes are looked at as if none were heard: entries get their places after it."""

_OF_GAME = f"{SELECT} where lane = %s and game = %s"

_WRONG = f"""
    {MARKS} where lane = any(%s::smallint[]) and version > 0 and not exists (
        select from kifu.event where event.lane = game.lane and event.game = game.id and event.version = game.version
        and event.hash = game.hash
    )
"""

_ENDS = f"""
    select uuid_send(ending.id), ending.version, entry.* from kifu.game as ending left join lateral (
        {SELECT} where event.lane = ending.lane and event.game = ending.id order by event.version desc limit 2
    ) as entry on true where ending.lane = %s and ending.id = any(%s::uuid[])
"""

_REPEATED = """
    select uuid_send(id), array_agg(uuid_send(game) order by lane) from kifu.event
    group by id having count(*) > 1 limit 1
"""

_REPLICAS = """
    select count(*), max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 from pg_stat_replication
"""

logger = logging.getLogger(__name__)


class PostgresReader(RowReader):
    """Reads a log in PostgreSQL. The key of a game is its id; its mark stands in the table of games.

    Raises `FileNotFoundError` if the database holds no log, `LogNewerError`, `LogUnreachableError`, `LogError`. Raises
    `MovedError` if its record was moved to another place, unless it may be read although it was `moved`.
    """

    _listener: Listener | None = None
    """What hears of entries that other processes store, once somebody has waited for them."""

    def __init__(self, url: str, *, moved: bool = False) -> None:
        self._database = Database(url)
        super().__init__(self._database.name)
        self._news = threading.Condition()
        self._looking = threading.Lock()
        self._looked, self._seen, self._calls = 0.0, LogEnd(0), 0
        self.people = PostgresPeople(self._database, now_ms)
        self.components = PostgresComponents(self._database, now_ms)
        try:
            with raising_log_errors(self.name), self._database.connection() as connection:
                self._open(connection)
            if not moved and (place := self.notice("moved")):
                raise MovedError(f"the record of {self.name} was moved to {place}: serve it from there")
            with without_time_limit():
                for row in self._database.query(_WRONG, (list(self.lanes),)):
                    self._compare(ChainMark(*row))
        except BaseException:
            self._database.close()
            raise

    def _open(self, connection: Connection[Any]) -> None:
        """See what there is."""
        check(connection, self.name)
        self._layout = layout_of(connection, self.name)
        self._order = order_of(self._database, self._layout)

    def close(self) -> None:
        """Close the connections."""
        if self._listener:
            self._listener.close()
        self._database.close()

    @property
    def lanes(self) -> Sequence[int]:
        """The lanes of the log."""
        return self._order.lanes

    def lane(self, game: str) -> int:
        """The lane of a game."""
        return lane_of(game, len(self.lanes))

    def position(self) -> int:
        """The feed position of the newest event, 0 in an empty log."""
        return self._order.end().position

    def newest_marks(self) -> Iterator[ChainMark]:
        """See `events.log.LogReader.newest_marks`."""
        return self._order.newest_marks()

    def repeated_id(self) -> tuple[str, Sequence[str]] | None:
        """An id that entries in several lanes have, and their games; None if all ids are unique. It reads all ids."""
        with without_time_limit():
            rows = self._database.query(_REPEATED) if len(self.lanes) > 1 else []
        return next(((uuid_text(id_), [*map(uuid_text, games)]) for id_, games in rows), None)

    def lane_lags(self) -> dict[int, int]:
        """The number of stored entries without a place in the feed yet, by lane. Raises `LogError`."""
        return self._order.count_unplaced()

    def erasures(self, after: int = 0) -> list[tuple[int, str]]:
        """The games with erasures by any process, each with the number of the erasure."""
        sql = "select number, uuid_send(game) from kifu.erasure where lane = %s and number > %s order by number"
        return [(number, uuid_text(key)) for number, key in self._database.query(sql, (LANE, after))]

    def notice(self, name: Notice) -> str:
        """The last notice of this name that a host posted; empty if there is none. Raises `LogError`."""
        sql = "select value from kifu.notice where name = %s order by number desc limit 1"
        rows = self._database.query(sql, (name,))
        return str(rows[0][0]) if rows else ""

    def replicas(self) -> tuple[int, float]:
        """The number of standbys, and how many bytes of changes the slowest of them has not replayed.

        That is NaN if there are none, or this role may not know (`grant pg_read_all_stats`). Raises `LogError`.
        """
        ((count, behind),) = self._database.query(_REPLICAS)
        return count, float("nan") if behind is None else float(behind)

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until the feed goes beyond position `after` or `timeout` seconds have passed; say whether it does.

        All who wait share one look at the database: after each call of a process that stored something, and now and
        then.
        """
        deadline = time.monotonic() + timeout
        pause = self._pause(self._listening()) if timeout > 0 else 0.0
        while self._look(pause).position <= after:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            pause = self._pause(self._listening())
            with self._news:
                self._news.wait_for(lambda: self._is_news(after), min(pause, left))
        return True

    def recent_end(self) -> LogEnd:
        """The end of the log when this process last looked: after the last call, or a moment ago."""
        return self._look(self._pause(self._listening()))

    def _look(self, fresh: float) -> LogEnd:
        """The end of the log: as seen after the last call and within `fresh` seconds, or read now."""
        with self._looking:
            now, calls = time.monotonic(), self._listener.calls if self._listener else 0
            if now - self._looked > fresh or calls != self._calls:
                self._seen, self._looked, self._calls = self._order.end(), now, calls
            return self._seen

    def _is_news(self, after: int) -> bool:
        """Whether the feed goes, or may go, beyond a position."""
        return self._seen.position > after or (self._listener is not None and self._listener.calls != self._calls)

    def _listening(self) -> Listener:
        """The listener for entries that other processes store."""
        with self._looking:
            if self._listener is None:
                self._database.add_connections(1)
                self._listener = Listener(self._database, self._wake)
            return self._listener

    def _wake(self) -> None:
        with self._news:
            self._news.notify_all()

    def _pause(self, listener: Listener) -> float:
        """Seconds until the next look, if no call is heard."""
        settled = len(self.lanes) == 1 or time.monotonic() - listener.heard_at > SETTLED
        return SILENCE if listener.connected and settled else POLL

    def backup(self, target: Path, progress: Callable[[int, int], None] | None = None) -> None:  # noqa: ARG002
        """Refused with `LogError`: a database is backed up as a whole, with `pg_dump` or a base backup and its WAL."""
        raise LogError(f"{self.name} is backed up with the tools of PostgreSQL: pg_dump, or pg_basebackup and the WAL")

    # Rows

    def _mark(self, game: str) -> ChainMark | None:
        rows = (
            self._database.query(f"{MARKS} where lane = %s and id = %s", (self.lane(game), game))
            if is_uuid(game)
            else []
        )
        return ChainMark(*rows[0]) if rows else None

    def _key(self, game: str) -> bytes | None:
        return self._known(game)[1]

    def _known(self, game: str) -> tuple[ChainMark | None, bytes | None]:
        mark = self._mark(game)
        return mark, mark.game if mark and mark.version else None

    def _id(self, key: bytes) -> str:
        return uuid_text(key)

    def _entries(self, game: str, key: bytes, after: int, until: int, limit: int) -> list[Row]:  # noqa: ARG002
        sql = f"{_OF_GAME} and version > %s and version <= %s order by version limit %s"
        return self._database.query(sql, (self.lane(game), game, after, until, limit))

    def _ending(self, game: str, key: bytes) -> list[Row]:  # noqa: ARG002
        return self._database.query(f"{_OF_GAME} order by version desc limit 2", (self.lane(game), game))

    def _version(self, game: str, key: bytes) -> int:
        return next((row[2] for row in self._ending(game, key)), 0)

    def _hash(self, game: str, key: bytes, version: int) -> str | None:
        found = self._place(game, key, version)
        return found[1].hex() if found else None

    def _place(self, game: str, key: bytes, version: int) -> tuple[int, bytes] | None:  # noqa: ARG002
        sql = "select seq, hash from kifu.event where lane = %s and game = %s and version = %s"
        lane = self.lane(game)
        rows = self._database.query(sql, (lane, game, version))
        return (self._order.place(lane, rows[0][0]), rows[0][1]) if rows else None

    def _found(self, event_id: str, game: str) -> Row | None:
        sql = f"{SELECT} where lane = any(%s::smallint[]) and id = %s order by lane != %s limit 1"
        rows = self._database.query(sql, (list(self.lanes), event_id, self.lane(game)))
        return rows[0] if rows else None

    def _hashes(self, after: int, limit: int) -> list[Row]:
        return self._order.hashes(after, limit)

    def _games(self) -> Iterator[str]:
        return map(uuid_text, self._order.games())

    def _page(self, after: int, size: int) -> tuple[list[Row], int]:
        """The next rows of the feed.

        Positions are given under a lock that is held until the commit, so they are seen without gaps. A gap
        is a loss: it is passed over, and the games that end in it are damaged.
        """
        rows = self._order.rows_between(after, after + size)
        if not rows:
            end = min(after + size, self.position())
            rows = self._order.rows_between(after, end)
            if not rows:
                return [], self._pass_over(after, end)
        following = sum(1 for _ in takewhile(lambda place: place[0] == place[1][0], enumerate(rows, after + 1)))
        if not following:
            return [], self._pass_over(after, rows[0][0] - 1)
        return rows[:following], after + following

    def _pass_over(self, after: int, end: int) -> int:
        """Note which games lost entries of the feed after `after`. Returns where the feed goes on."""
        if end <= after:
            return after
        logger.warning("%s: %d entries after position %d are missing", self.name, end - after, after)
        for mark in self._order.ending(after, end):
            self._compare(mark)
        return end

    # Ends of chains

    def _ends(self, connection: Connection[Any], lane: int, games: Iterable[str]) -> dict[str, ChainEnd | LogError]:
        """The ends of chains of some games of a lane, or their faults. Unknown games are left out."""
        rows = connection.execute(_ENDS, (lane, list(games)), binary=True).fetchall()
        return {uuid_text(key): self._end(uuid_text(key), list(run)) for key, run in groupby(rows, itemgetter(0))}

    def _end(self, game: str, rows: list[Row]) -> ChainEnd | LogError:
        least = rows[0][1]
        entries = [row[2:] for row in rows if row[2] is not None]
        try:
            last = self._successor(entries[0], game, entries[1:]) if entries else None
            if (last.version if last else 0) < least:
                raise self._note(DamagedError(game, last.version + 1 if last else 1, "entries are missing at the end"))
        except DamagedError as error:
            return error
        return ChainEnd(0, last.version, last.hash, last.recorded_at) if last else ChainEnd()
