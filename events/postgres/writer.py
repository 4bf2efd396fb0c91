"""Storing requests in PostgreSQL: in groups, each in one statement, beside other processes that do the same.

Everything depends on the head of the lane. Each writer moves it, and holds its lock until the commit. So positions
follow one another in the order of the commits, and no reader of the feed misses one. A process that finds the head
unmoved knows that nobody else stored anything, so the ends of chains in its memory are true. Then one statement moves
the head and inserts the entries. If others have stored something, the statement does nothing: the process locks the
lane and reads the ends again.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from psycopg import Error
from psycopg.errors import UniqueViolation

from events import failpoints
from events.errors import LogError
from events.grouping import Batch, GroupWriter
from events.postgres import distributed
from events.postgres.timely import time_for_storing
from events.postgres.translation import log_error_of
from events.requests import ChainEnd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from psycopg import Connection

    from events.event import Event
    from events.postgres.database import Database
    from events.requests import WriteRequest

IDLE_LOCK_TIMEOUT = 5000
"""Milliseconds that the lane is kept locked for a process that went silent."""

_LOCK = """
    select head, set_config('idle_in_transaction_session_timeout', %s, true) from kifu.lane where lane = %s for update
"""

_FIELDS = {
    "game": "uuid",
    "version": "integer",
    "id": "uuid",
    "type": "text",
    "schema": "integer",
    "recorded_at": "bigint",
    "happened_at": "text",
    "recorder": "text",
    "body": "bytea",
    "hash": "bytea",
    "sealed": "bytea",
    "position": "bigint",
}
"""The columns of an event in a statement, with their types."""

_ENDING = {"game": "uuid", "opened": "bigint", "version": "integer", "position": "bigint", "hash": "bytea"}
"""The columns of the end of a chain in a statement."""


def _insert(source: Callable[[str, dict[str, str]], str]) -> str:
    """The statement that stores a batch. Its entries and ends of chains come from a `source`."""
    return f"""
    with moved as (
        update kifu.lane set head = %(to)s where lane = %(lane)s and head = %(from)s returning lane
    ), ended as (
        insert into kifu.game (lane, id, opened, version, position, hash)
        select moved.lane, ending.game, ending.opened, ending.version, ending.position, ending.hash
        from moved, {source("ending", _ENDING)}
        on conflict (lane, id) do update
        set version = excluded.version, position = excluded.position, hash = excluded.hash
    )
    insert into kifu.event (
        lane, seq, game, version, id, type, schema, recorded_at, happened_at, recorder, data, hash, sealed
    )
    select moved.lane, entry.position, entry.game, entry.version, entry.id, entry.type, entry.schema,
        entry.recorded_at, entry.happened_at, entry.recorder, entry.body, entry.hash, entry.sealed
    from moved, {source("entry", _FIELDS)}
"""


def _single_source(name: str, fields: dict[str, str]) -> str:
    values = ", ".join(f"%({name}_{field})s::{kind}" for field, kind in fields.items())
    return f"(values ({values})) as {name} ({', '.join(fields)})"


def _array_source(name: str, fields: dict[str, str]) -> str:
    """In binary (`b`): as text, each value in an array is looked through for what has to be escaped."""
    arrays = ", ".join(f"%({name}_{field})b::{kind}[]" for field, kind in fields.items())
    return f"unnest({arrays}) as {name} ({', '.join(fields)})"


_INSERT_ONE, _INSERT_MANY = _insert(_single_source), _insert(_array_source)
"""One entry takes half the time as plain values."""

Ends = dict[str, ChainEnd | LogError]


class Writer(GroupWriter[Batch]):
    """Stores requests in a lane of a database that other processes also write to. Safe to share between threads.

    `ends` reads the ends of chains. `stored` gets the stored entries, and the new end of the feed. Lanes may be
    `spread` over a cluster.
    """

    def __init__(
        self,
        database: Database,
        lane: int,
        *,
        ends: Callable[[Connection[Any], int, Iterable[str]], Ends],
        stored: Callable[[Sequence[Sequence[Event]], int], None],
        clock: Callable[[], int],
        spread: bool = False,
    ) -> None:
        super().__init__(database.name)
        self._database, self._lane, self._spread = database, lane, spread
        self._moment = 0
        """The moment of what is stored now, in a cluster."""
        self._ends, self._stored, self._clock = ends, stored, clock
        self._head = 0
        self._alone = True
        """Whether nobody else had stored anything when it was last looked."""
        self._loaded: Ends = {}
        self._connection: Connection[Any] | None = None
        self._thread.start()

    def forget(self, game: str) -> None:
        """Forget the end of a game's chain, so that it is read again for the next entry."""
        with self._turn:
            self._chains.pop(game, None)

    def _store(self, group: list[WriteRequest]) -> None:
        """Store a group. If the connection is cut, and nobody knows whether the group is stored, store it once more.

        This is safe because everything depends on the head: stored entries are found, and a late statement does
        nothing.
        """
        with time_for_storing(sum(len(request.entries) for request in group)):
            self.note_committed(self._database.retry_once(lambda connection: self._store_on(connection, group)))

    def note_committed(self, batch: Batch) -> None:
        """Remember the committed entries, and announce them."""
        self._head = batch.position
        self._doubtful = self.full = False
        self.unwritable = ""
        if batch.stored:
            failpoints.reach("append.committed")
            self._keep(batch.chains)
            self._stored(batch.stored, batch.position)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold up everything else that this process would store in this lane. Raises `LogClosedError`."""
        with self._turn:
            self._refuse_closed()
            self._doubtful = True
            yield

    def store_within(self, connection: Connection[Any], group: list[WriteRequest]) -> Batch:
        """Store a group within the transaction of a caller that holds the lane and notes the commit afterwards."""
        self._begin_on(connection)
        try:
            return self._locked(connection, group)
        finally:
            self._connection = None
            self._loaded.clear()

    def _store_on(self, connection: Connection[Any], group: list[WriteRequest]) -> Batch:
        failpoints.reach("append.begin")
        self._begin_on(connection)
        try:
            return self._as_remembered(connection, group) or self._locked(connection, group)
        except BaseException:
            self._doubtful = True
            raise
        finally:
            self._connection = None
            self._loaded.clear()

    def _begin_on(self, connection: Connection[Any]) -> None:
        self._connection = connection
        if self._spread:
            self._moment = distributed.moment(connection)

    def _as_remembered(self, connection: Connection[Any], group: list[WriteRequest]) -> Batch | None:
        """Store a group if nobody else has stored anything meanwhile and every request fits; None if not.

        Where somebody else is at work, to try would be to wait for the lane twice.
        """
        if self._doubtful or not self._alone:
            return None
        self._load_ends(connection, group)
        batch = self._staged(group)
        if any(request.events is None for request in group):
            return None  # it may be that a request fits, and that what is remembered does not
        try:
            return batch if self._insert(connection, batch) else None
        except UniqueViolation:
            return None

    def _locked(self, connection: Connection[Any], group: list[WriteRequest]) -> Batch:
        """Store a group while nobody else can."""
        try:
            return self._in_transaction(connection, group, self._staged)
        except UniqueViolation:
            return self._in_transaction(connection, group, self._without_taken_ids)

    def _in_transaction(
        self, connection: Connection[Any], group: list[WriteRequest], staged: Callable[[list[WriteRequest]], Batch]
    ) -> Batch:
        with connection.transaction():
            ((head, _),) = connection.execute(_LOCK, (str(IDLE_LOCK_TIMEOUT), self._lane)).fetchall()
            self._alone = head == self._head
            if self._doubtful or not self._alone:
                self._chains.clear()
                self._loaded.clear()
                self._head = head
            self._load_ends(connection, group)
            batch = staged(group)
            if batch.stored:
                self._insert(connection, batch)
            failpoints.reach("append.inserted")
        return batch

    def _insert(self, connection: Connection[Any], batch: Batch) -> bool:
        """Store a batch if the lane ends where the batch begins. True if it was stored."""
        events = [event for stored in batch.stored for event in stored]
        entries = [
            msgspec.structs.asdict(event) | {"hash": bytes.fromhex(event.hash), "position": position}
            for position, event in enumerate(events, self._head + 1)
        ]
        opened = {entry["game"]: entry["position"] for entry in reversed(entries)}
        endings = {entry["game"]: entry | {"opened": opened[entry["game"]]} for entry in entries}
        parameters = {"lane": self._lane, "from": self._head, "to": batch.position}
        if len(entries) == 1 and not self._spread:
            parameters |= _named("entry", _FIELDS, lambda field: entries[0][field])
            parameters |= _named("ending", _ENDING, lambda field: endings[events[0].game][field])
            return connection.execute(_INSERT_ONE, parameters).rowcount > 0
        parameters |= _named("entry", _FIELDS, lambda field: [entry[field] for entry in entries])
        parameters |= _named("ending", _ENDING, lambda field: [ending[field] for ending in endings.values()])
        if self._spread:
            return distributed.store(connection, parameters | {"moment": self._moment})
        return connection.execute(_INSERT_MANY, parameters).rowcount > 0

    # What is stored

    def _begin(self) -> Batch:
        return Batch(self._head, self._clock())

    def _load_ends(self, connection: Connection[Any], group: list[WriteRequest]) -> None:
        """Read the ends of those chains of a group that are not in memory, all at once."""
        games = {request.game for request in group} - self._chains.keys() - self._loaded.keys()
        if games:
            self._loaded |= dict.fromkeys(games, ChainEnd()) | self._ends(connection, self._lane, games)

    def _load(self, game: str) -> ChainEnd:
        end = self._loaded[game]
        if isinstance(end, LogError):
            raise end
        return end

    def _stored_ids(self, ids: set[str]) -> set[str]:
        assert self._connection is not None  # noqa: S101 - it is asked while a group is stored
        sql = "select id::text from kifu.event where lane = %s and id = any(%s::uuid[])"
        return {found for (found,) in self._connection.execute(sql, (self._lane, list(ids)))}

    def _log_error(self, error: Exception) -> LogError | None:
        return log_error_of(error, self.name) if isinstance(error, Error) else None


def _named(name: str, fields: Iterable[str], value: Callable[[str], Any]) -> dict[str, Any]:
    return {f"{name}_{field}": value(field) for field in fields}
