"""The one place that writes: requests that come together share a commit, and nobody else checkpoints.

A request that finds nobody writing is committed by its own thread, which saves two changes of thread. While others
write, requests queue up and the writer thread commits them as one group.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import msgspec

from events import failpoints
from events.canonical import GENESIS, render
from events.errors import LogClosedError, LogError, LogFullError
from events.event import Event
from events.sqlite.database import PAGE_SIZE, meaning
from events.sqlite.heads import Mark
from events.sqlite.rows import uuid_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from events.sqlite.heads import HeadFile

GROUP_LIMIT = 1000
"""Events in one commit, about."""

WAL_LIMIT = 16384
"""Pages in the WAL, about, at which they are written back into the database."""

IDLE = 1.0
"""Seconds without a request after which the WAL is written back and emptied."""

CHAINS_KEPT = 65536
"""Ends of chains kept in memory; others are read again when their game goes on."""

_INSERT = "insert into event values "
_COUNTERS = "select (select coalesce(max(number), 0) from game), (select coalesce(max(seq), 0) from event)"

logger = logging.getLogger(__name__)


class Chain(msgspec.Struct, frozen=True):
    """Where a game's chain ends: its number in the database (0 for a game yet to open), version, hash and time."""

    number: int
    version: int
    hash: str
    recorded_at: int


class Entry(msgspec.Struct, frozen=True):
    """One event of a request, checked, with its data in canonical form.

    `recorded_at` and `recorder` are those of another log if the event was recorded there.
    """

    id: str
    type: str
    schema: int
    happened_at: str | None
    body: bytes
    recorded_at: int | None = None
    recorder: str | None = None


class Request:
    """Entries that are stored after version `expected` of `game`, all or none.

    Once it is answered, `events` holds what was stored; None says that the game is not at that version or an id is
    taken, and `error` why nothing could be stored.
    """

    __slots__ = ("_answered", "_next", "entries", "error", "events", "expected", "game", "recorder")

    def __init__(self, game: str, expected: int, recorder: str, entries: Sequence[Entry]) -> None:
        self.game, self.expected, self.recorder, self.entries = game, expected, recorder, entries
        self.events: tuple[Event, ...] | None = None
        self.error: LogError | None = None
        self._answered = threading.Lock()
        self._answered.acquire()
        self._next: Request | None = None

    def wait(self) -> None:
        """Sleep until the request is answered, then wake the next sender of its group.

        Senders that are woken one by one do not all fight for the interpreter's lock at once: measured with 32
        clients, that saves a third of all changes of thread.
        """
        self._answered.acquire()
        if self._next is not None:
            self._next._answered.release()

    @staticmethod
    def answer(group: Sequence[Request]) -> None:
        """Wake the senders of a group."""
        for request, following in pairwise(group):
            request._next = following
        group[0]._answered.release()


class Writer:
    """Stores requests in the order in which they come. Safe to share between threads."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        heads: HeadFile,
        *,
        position: int,
        chain: Callable[[str], Chain],
        stored: Callable[[Sequence[Sequence[Event]]], None],
        clock: Callable[[], int],
    ) -> None:
        self._connection, self._path, self._heads = connection, path, heads
        self._load, self._stored, self._clock = chain, stored, clock
        self.position = position
        self._games = 0
        self._refresh()
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._turn = threading.Lock()
        self._crowded = False
        self._closed = self._finished = False
        self._pages = 0
        self._thread = threading.Thread(target=self._work, name=f"writer of {path.name}", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> None:
        """Store a request, or learn why not: `events` and `error` of the request say it. Raises `LogClosedError`."""
        if self._closed:
            raise LogClosedError(f"{self._path} is closed")
        if not self._crowded and self._turn.acquire(blocking=False):
            try:
                self._commit([request])
                self._checkpoint_if_long()
            finally:
                self._turn.release()
        else:
            self._queue.put(request)
            if self._finished:
                self._refuse_rest()
            request.wait()

    def change(self, sql: str, parameters: tuple[Any, ...]) -> int:
        """Run one statement on a table that is no part of the record; the number of rows changed."""
        with self._turn:
            if self._closed:
                raise LogClosedError(f"{self._path} is closed")
            try:
                return self._connection.execute(sql, parameters).rowcount
            except sqlite3.Error as error:
                raise meaning(error, self._path) from error

    def checkpoint(self) -> bool:
        """Write the WAL back into the database and empty it; False if a long read is in the way."""
        with self._turn:
            return self._checkpoint("truncate")

    def chain(self, game: str) -> Chain | None:
        """The end of a game's chain, if it is in memory."""
        return self._chains.get(game)

    def forget(self, game: str) -> None:
        """Read the end of a game's chain anew when it goes on."""
        with self._turn:
            self._chains.pop(game, None)

    def mark(self, mark: Mark) -> None:
        """Take a head down that no append brought about."""
        with self._turn:
            self._heads.add([mark])
            self._heads.sync()

    def close(self) -> None:
        """Store what was accepted, checkpoint, and let go of the files."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
        self._queue.put(None)
        self._thread.join()
        try:
            self._checkpoint("truncate")
            self._compact()
        finally:
            self._heads.close()
            self._connection.close()

    # The writer thread

    def _work(self) -> None:
        idle = False
        while True:
            try:
                request = self._queue.get(timeout=None if idle else IDLE)
            except Empty:
                with self._turn:
                    idle = self._tidy()
                continue
            idle = False
            if request is None:
                self._finished = True
                self._refuse_rest()
                return
            with self._turn:
                self._commit(self._group(request))
                self._checkpoint_if_long()

    def _group(self, first: Request) -> list[Request]:
        """The request and all that wait behind it."""
        group, events = [first], len(first.entries)
        while events < GROUP_LIMIT:
            try:
                request = self._queue.get_nowait()
            except Empty:
                break
            if request is None:
                self._queue.put(None)
                break
            group.append(request)
            events += len(request.entries)
        self._crowded = len(group) > 1
        return group

    def _refuse_rest(self) -> None:
        with suppress(Empty):
            while request := self._queue.get_nowait():
                request.error = LogClosedError(f"{self._path} is closed")
                Request.answer([request])

    # A group

    def _commit(self, group: list[Request]) -> None:
        try:
            self._store(group)
        except BaseException as error:
            self._doubtful = True
            for request in group:
                request.events, request.error = None, _as_log_error(error, self._path)
            if not isinstance(error, Exception):
                raise
        finally:
            failpoints.reach("append.answered")
            Request.answer(group)

    def _store(self, group: list[Request]) -> None:
        self._prepare()
        failpoints.reach("append.begin")
        batch = Batch(self._games, self.position, self._clock())
        for request in group:
            self._stage(batch, request)
        if not batch.rows:
            return
        try:
            self._insert(batch)
        except sqlite3.IntegrityError:
            batch = self._without_taken_ids(group)
            if not batch.rows:
                return
            self._insert(batch)
        failpoints.reach("append.committed")
        self._heads.add(batch.marks.values())
        failpoints.reach("append.headed")
        self._games, self.position = batch.games, batch.position
        self._pages += batch.pages
        self._keep(batch.chains)
        self._stored(batch.stored)

    def _prepare(self) -> None:
        """Make sure that what is in memory is what is on disk, and that nothing is owed to the head file."""
        if self._doubtful:
            self._refresh()
        try:
            self._heads.settle()
        except OSError as error:
            raise LogFullError(f"the head file of {self._path} takes no more ({error})") from error

    def _refresh(self) -> None:
        self._chains: dict[str, Chain] = {}
        self._games, position = self._connection.execute(_COUNTERS).fetchone()
        self.position = max(self.position, position)
        self._doubtful = False

    def _stage(self, batch: Batch, request: Request) -> None:
        """Put a request into the batch if its game is where its sender thinks it is."""
        chain = batch.chains.get(request.game) or self._chains.get(request.game)
        if chain is None:
            try:
                chain = self._load(request.game)
            except LogError as error:
                request.error = error
                return
        if chain.version == request.expected:
            batch.add(request, chain)

    def _insert(self, batch: Batch) -> None:
        """Store the batch in one transaction; one statement is one, unless a game opens."""
        execute = self._connection.execute
        insert = _insert(batch.count)
        if not batch.opened and failpoints.reach is failpoints.ignore:
            execute(insert, batch.rows)
            return
        execute("begin immediate")
        try:
            self._connection.executemany("insert into game values (?, ?)", batch.opened)
            execute(insert, batch.rows)
            failpoints.reach("append.inserted")
            execute("commit")
        except BaseException:
            if self._connection.in_transaction:
                execute("rollback")
            raise

    def _without_taken_ids(self, group: list[Request]) -> Batch:
        """The batch of all requests whose ids are free; the others find out from the stored events why not."""
        batch = Batch(self._games, self.position, self._clock())
        taken: set[str] = set()
        for request in group:
            request.events = None
            ids = {entry.id for entry in request.entries}
            if request.error is None and not ids & taken and not any(map(self._is_taken, ids)):
                taken |= ids
                self._stage(batch, request)
        return batch

    def _is_taken(self, event_id: str) -> bool:
        sql = "select 1 from event where id = ?"
        return self._connection.execute(sql, (uuid_bytes(event_id),)).fetchone() is not None

    def _keep(self, chains: dict[str, Chain]) -> None:
        for game, chain in chains.items():
            self._chains.pop(game, None)
            self._chains[game] = chain
        while len(self._chains) > CHAINS_KEPT:
            del self._chains[next(iter(self._chains))]

    # Checkpoints

    def _checkpoint_if_long(self) -> None:
        if self._pages > WAL_LIMIT:
            self._checkpoint("restart")

    def _checkpoint(self, mode: str) -> bool:
        """Write the WAL back into the database; False if that could not be done whole.

        `restart` keeps the file, for overwriting it is twice as fast as growing it; `truncate` leaves no byte of it.
        """
        failpoints.reach("checkpoint.begin")
        try:
            self._heads.sync()
            failpoints.reach("checkpoint.synced")
            busy = self._connection.execute(f"pragma wal_checkpoint({mode})").fetchone()[0]
        except (sqlite3.Error, OSError) as error:
            logger.warning("%s: no checkpoint now: %s", self._path, error)
            busy = 1
        self._pages = 0
        failpoints.reach("checkpoint.end")
        return not busy

    def _tidy(self) -> bool:
        """What an idle moment is good for; False if it has to be tried again."""
        return self._checkpoint("restart") and self._compact()

    def _compact(self) -> bool:
        try:
            if self._heads.records > 2 * self._games + 1024:
                self._heads.compact()
        except OSError as error:
            logger.warning("%s: the head file stays long: %s", self._path, error)
            return False
        return True


class Batch:
    """What goes into one commit: rows, the games that open, and where each chain ends afterwards."""

    def __init__(self, games: int, position: int, now: int) -> None:
        self.games, self.position, self.count = games, position, 0
        self._now, self._size = now, 0
        self.rows: list[Any] = []
        self.opened: list[tuple[int, bytes]] = []
        self.chains: dict[str, Chain] = {}
        self.marks: dict[str, Mark] = {}
        self.stored: list[tuple[Event, ...]] = []

    def add(self, request: Request, chain: Chain) -> None:
        """Put all entries of a request behind the end of its game's chain."""
        number, version, prev = chain.number, chain.version, chain.hash
        game, recorder, key = request.game, request.recorder, uuid_bytes(request.game)
        if number == 0:
            self.games = number = self.games + 1
            self.opened.append((number, key))
        recorded_at = max(self._now, chain.recorded_at)
        events = []
        for entry in request.entries:
            if entry.recorder is not None and entry.recorded_at is not None:
                recorder, recorded_at = entry.recorder, entry.recorded_at
            version += 1
            self.position += 1
            line = render(
                game,
                version,
                entry.id,
                entry.type,
                entry.schema,
                recorded_at,
                entry.happened_at,
                recorder,
                entry.body,
                prev,
            )
            own = sha256(line)
            event = Event(
                game=game,
                version=version,
                id=entry.id,
                type=entry.type,
                schema=entry.schema,
                recorded_at=recorded_at,
                happened_at=entry.happened_at,
                recorder=recorder,
                body=entry.body,
                prev=prev,
                hash=own.hexdigest(),
            )
            self.rows += (
                self.position,
                number,
                version,
                uuid_bytes(event.id),
                event.type,
                event.schema,
                recorded_at,
                event.happened_at,
                recorder,
                event.body,
                own.digest(),
            )
            events.append(event)
            prev = event.hash
            self._size += len(line)
        self.count += len(events)
        request.events = tuple(events)
        self.stored.append(request.events)
        self.chains[game] = Chain(number, version, prev, recorded_at)
        self.marks[game] = Mark(key, version, self.position, own.digest())

    @property
    def pages(self) -> int:
        """How many pages the batch changes, about: those of the rows, and one of an index for every game."""
        return 2 + len(self.chains) + self._size // PAGE_SIZE


@lru_cache(maxsize=256)
def _insert(count: int) -> str:
    """One statement for all rows of a batch: each statement lets go of the interpreter's lock several times."""
    return _INSERT + ",".join(["(?,?,?,?,?,?,?,?,?,?,?)"] * count)


def new_chain() -> Chain:
    """The chain of a game that is yet to open."""
    return Chain(0, 0, GENESIS, 0)


def milliseconds() -> int:
    """The server's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _as_log_error(error: BaseException, path: Path) -> LogError:
    if isinstance(error, LogError):
        return error
    if isinstance(error, sqlite3.Error):
        return meaning(error, path)
    logger.error("%s: an append failed", path, exc_info=error)
    return LogError(f"{path}: {error!r}")
