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
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from events import failpoints
from events.errors import LogClosedError, LogError, LogFullError
from events.sqlite.batch import Batch
from events.sqlite.database import BUSY_TIMEOUT
from events.sqlite.request import Request
from events.sqlite.rows import uuid_bytes
from events.sqlite.translation import DRIVER_ERRORS, meaning, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from events.event import Event
    from events.sqlite.heads import HeadFile, Mark
    from events.sqlite.request import ChainEnd

GROUP_LIMIT = 1000
"""Events in one commit, about."""

WAL_LIMIT = 16384
"""Pages in the WAL, about, at which they are written back into the database."""

IDLE = 1.0
"""Seconds without a request after which the WAL is written back."""

CHAINS_KEPT = 65536
"""Ends of chains kept in memory; others are read again when their game goes on."""

_GAMES = "select coalesce(max(number), 0) from game"
_FOLLOWING = "select 1 from event where seq = ? + 1"

logger = logging.getLogger(__name__)


class Writer:
    """Stores requests in the order in which they come. Safe to share between threads."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: Path,
        heads: HeadFile,
        *,
        position: int,
        chain: Callable[[str], ChainEnd],
        stored: Callable[[Sequence[Sequence[Event]]], None],
        clock: Callable[[], int],
    ) -> None:
        self._connection, self._path, self._heads = connection, path, heads
        self._load, self._stored, self._clock = chain, stored, clock
        self.position = position
        self.full = False
        self._games = 0
        self._chains: dict[str, ChainEnd] = {}
        self._doubtful = True
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._turn = threading.Lock()
        self._quiet = True
        self._closed = self._finished = False
        self._pages = 0
        self._unwiped = False
        self._thread = threading.Thread(target=self._work, name=f"writer of {path.name}", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> None:
        """Store a request, or learn why not: `events` and `error` of the request say it. Raises `LogClosedError`."""
        if self._quiet and self._queue.empty() and self._turn.acquire(blocking=False):
            try:
                self._refuse_closed()
                self._commit([request])
                self._checkpoint_if_long()
            finally:
                self._turn.release()
        else:
            self._queue.put(request)
            if self._finished:
                self._refuse_rest()
            request.wait()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LogClosedError(f"{self._path} is closed")

    def change(self, sql: str, parameters: tuple[Any, ...]) -> int:
        """Run one statement on a table that is no part of the record; the number of rows changed."""
        with self._turn, translated(self._path):
            self._refuse_closed()
            self._pages += 1
            return self._connection.execute(sql, parameters).rowcount

    def wipe(self, patience: float) -> bool:
        """Write the WAL back and leave no byte of it; False if a long read is in the way for `patience` seconds.

        What could not be done now is done as soon as the writer is idle and the read over.
        """
        deadline = time.monotonic() + patience
        while True:
            with self._turn:
                self._refuse_closed()
                self._unwiped = not self._checkpoint("truncate")
                if not self._unwiped:
                    return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)

    def chain(self, game: str) -> ChainEnd | None:
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

    def stop(self) -> bool:
        """Take nothing more and store what was accepted; False if that was asked for before."""
        with self._turn:
            if self._closed:
                return False
            self._closed = True
        self._queue.put(None)
        self._thread.join()
        return True

    def close(self) -> None:
        """Checkpoint and let go of the files. To be called after `stop`, when all readers are closed."""
        with self._turn:
            try:
                self._checkpoint("truncate")
                self._compact()
            finally:
                self._heads.close()
                self._connection.close()

    # The writer thread

    def _work(self) -> None:
        seen = 0
        while True:
            try:
                request = self._queue.get(timeout=IDLE)
            except Empty:
                if seen == self.position:
                    self._tidy()
                seen = self.position
                continue
            if request is None:
                self._finished = True
                self._refuse_rest()
                return
            self._quiet = False  # or whoever commits by himself could keep this thread from its turn
            with self._turn:
                group = self._group(request)
                self._commit(group)
                self._checkpoint_if_long()
            self._quiet = len(group) == 1

    def _group(self, first: Request) -> list[Request]:
        """The request and all that wait after it."""
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
            meant = _as_log_error(error, self._path)
            self.full = isinstance(meant, LogFullError)
            for request in group:
                request.events, request.error = None, meant
            if not isinstance(error, Exception):
                raise
        finally:
            failpoints.reach("append.kept")
            Request.answer(group)

    def _store(self, group: list[Request]) -> None:
        self._prepare()
        failpoints.reach("append.begin")
        batch = Batch(self._games, self.position, self._clock())
        for request in group:
            self._stage(batch, request)
        if not batch.stored:
            return
        try:
            self._insert(batch)
        except sqlite3.IntegrityError:
            batch = self._without_taken_ids(group)
            if not batch.stored:
                return
            self._insert(batch)
        failpoints.reach("append.committed")
        self._heads.add(batch.marks.values())
        failpoints.reach("append.headed")
        self._games, self.position = batch.games, batch.position
        self.full = False
        self._pages += batch.pages
        self._keep(batch.chains)
        self._stored(batch.stored)

    def _insert(self, batch: Batch) -> None:
        """Commit. Whoever asks for an end in memory meanwhile finds none, and looks into the database.

        There the feed shows the commit before this thread can take it down: an end kept any longer would lie behind it.
        """
        for game in batch.chains:
            self._chains.pop(game, None)
        batch.insert(self._connection)

    def _prepare(self) -> None:
        """Make sure that what is in memory is what is on disk, and that nothing is owed to the head file."""
        if self._doubtful:
            self._refresh()
        self._heads.write_owed()

    def _refresh(self) -> None:
        self._chains.clear()
        ((self._games,),) = self._connection.execute(_GAMES).fetchall()
        while self._connection.execute(_FOLLOWING, (self.position,)).fetchone():
            self.position += 1
        self._doubtful = False

    def _stage(self, batch: Batch, request: Request) -> None:
        """Put a request into the batch, unless its game is damaged or not where its sender thinks it is."""
        chain = batch.chains.get(request.game) or self._chains.get(request.game)
        if chain is None:
            try:
                chain = self._load(request.game)
            except LogError as error:
                request.error = error
                return
        batch.add(request, chain)

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

    def _keep(self, chains: dict[str, ChainEnd]) -> None:
        self._chains |= chains
        while len(self._chains) > CHAINS_KEPT:
            del self._chains[next(iter(self._chains))]

    # Checkpoints

    def _checkpoint_if_long(self) -> None:
        if self._pages > WAL_LIMIT:
            self._checkpoint("restart")

    def _checkpoint(self, mode: str) -> bool:
        """Write the WAL back into the database; False if that could not be done whole.

        `restart` keeps the file, for overwriting it is twice as fast as growing it; `truncate` leaves no byte of it.
        Neither waits for readers: appends would wait as well.
        """
        failpoints.reach("checkpoint.begin")
        self._pages = 0
        try:
            self._heads.sync()
            failpoints.reach("checkpoint.synced")
            self._connection.execute("pragma busy_timeout = 0")
            busy, _, _ = self._connection.execute(f"pragma wal_checkpoint({mode})").fetchone()
        except (*DRIVER_ERRORS, OSError) as error:
            logger.warning("%s: no checkpoint now: %s", self._path, error)
            return False
        finally:
            self._connection.execute(f"pragma busy_timeout = {BUSY_TIMEOUT}")
        failpoints.reach("checkpoint.end")
        return not busy

    def _tidy(self) -> None:
        """What an idle moment is good for."""
        with self._turn:
            if self._unwiped:
                self._unwiped = not self._checkpoint("truncate")
            elif self._pages:
                self._checkpoint("restart")
            self._compact()

    def _compact(self) -> None:
        try:
            if self._heads.records > 2 * self._games + 1024:
                self._heads.compact()
        except OSError as error:
            logger.warning("%s: the head file stays long: %s", self._path, error)


def milliseconds() -> int:
    """The server's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _as_log_error(error: BaseException, path: Path) -> LogError:
    if isinstance(error, LogError):
        return error
    if isinstance(error, (*DRIVER_ERRORS, OSError)):
        return meaning(error, path)
    logger.error("%s: an append failed", path, exc_info=error)
    return LogError(f"{path}: {error!r}")
