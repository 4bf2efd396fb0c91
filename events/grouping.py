"""Group commit: requests that come together are stored together, in any store.

A request that finds no other writer is committed by its own thread, which saves two changes of thread. While others
write, requests queue up, and the writer thread commits them as one group. While the store does not answer, one request
at a time asks it, and all others are refused at once. Otherwise writers would take the threads of readers.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import sleep
from typing import TYPE_CHECKING, Generic, TypeVar

from events import failpoints
from events.errors import (
    LogClosedError,
    LogDamagedError,
    LogError,
    LogFullError,
    LogUnreachableError,
    LogUnwritableError,
)
from events.requests import ChainEnd, WriteRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.event import Event

GROUP_LIMIT = 1000
"""Events in one commit, about."""

IDLE_SECONDS = 1.0
"""Seconds without a request after which there is time to tidy up."""

REST = 0.0005
"""Seconds of one rest before a commit."""

CROWD = 5
"""So many requests of one commit come from many senders. Nobody knows how many, so there may always be one more."""

CHAINS_KEPT = 65536
"""Ends of chains kept in memory; others are read again when their game goes on."""

_IN_THE_WAY = LogUnwritableError, LogDamagedError, LogUnreachableError
"""An obstacle to all writing, other than a full disk."""

logger = logging.getLogger(__name__)


class Batch:
    """The content of one commit, and the ends of chains afterwards. Positions continue from `position`."""

    def __init__(self, position: int, now: int) -> None:
        self.position = position
        self.chains: dict[str, ChainEnd] = {}
        self.stored: list[tuple[Event, ...]] = []
        self._now = now

    def add(self, request: WriteRequest, chain: ChainEnd) -> None:
        """Put a request after the end of its game's chain, if it belongs there."""
        events = request.events_after(chain, self._now)
        if events is None:
            return
        number = self._take(request.game, chain, events)
        last = events[-1]
        self.chains[request.game] = ChainEnd(number, last.version, last.hash, last.recorded_at)
        request.events = events
        self.stored.append(events)

    def _take(self, game: str, chain: ChainEnd, events: Sequence[Event]) -> int:  # noqa: ARG002
        """Give the events of a request their places; the number of their game, in a store that numbers them."""
        self.position += len(events)
        return chain.number


B = TypeVar("B", bound=Batch)


class GroupWriter(Generic[B]):
    """Takes requests in the order of their arrival. Safe to share between threads.

    Subclasses decide what is stored, and where. `name` is the name of the log in messages. `full` says whether the last
    write found no room, and `unwritable` names any other obstacle. Up to `rests` times it rests before a commit, as
    long as more requests come. Senders who prepare them with the same interpreter come one by one, and would otherwise
    have a commit for a few of them each.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.full, self.unwritable = False, ""
        self.rests, self._shared = 0, 1
        self._chains: dict[str, ChainEnd] = {}
        self._doubtful = True
        """Whether what is in memory may not be what is stored."""
        self._queue: SimpleQueue[WriteRequest | None] = SimpleQueue()
        self._turn = threading.Lock()
        self._quiet = True
        self._silence: LogUnreachableError | None = None
        """The last failure of the store to answer."""
        self._closed = self._finished = False
        self._committed = 0
        self._thread = threading.Thread(target=self._work, name=f"writer of {name}", daemon=True)

    def submit(self, request: WriteRequest) -> None:
        """Store a request, or learn why not: `events` and `error` of the request say it. Raises `LogClosedError`."""
        silence = self._silence
        if (silence or (self._quiet and self._queue.empty())) and self._turn.acquire(blocking=False):
            try:
                self._refuse_closed()
                self._commit([request])
                self._after_commit()
            finally:
                self._turn.release()
        elif silence:
            request.error = silence
        else:
            self._queue.put(request)
            if self._finished:
                self._refuse_rest()
            request.wait()

    def submit_together(self, group: list[WriteRequest]) -> None:
        """Store requests in this order, in one commit. Raises `LogClosedError`."""
        with self._turn:
            self._refuse_closed()
            self._commit(group)
            self._after_commit()

    def stop(self) -> bool:
        """Take nothing more and store what was accepted; False if that was asked for before."""
        with self._turn:
            if self._closed:
                return False
            self._closed = True
        self._queue.put(None)
        self._thread.join()
        return True

    def _refuse_closed(self) -> None:
        if self._closed:
            raise LogClosedError(f"{self.name} is closed")

    # What a kind of store does

    def _store(self, group: list[WriteRequest]) -> None:
        """Store as much of a group as possible in one commit, and answer the requests. Raises the commit's error."""
        raise NotImplementedError

    def _begin(self) -> B:
        """An empty batch that goes on from what is stored."""
        raise NotImplementedError

    def _load(self, game: str) -> ChainEnd:
        """The end of a stored chain. Raises `LogError` if that is damaged."""
        raise NotImplementedError

    def _stored_ids(self, ids: set[str]) -> set[str]:
        """The ids among these that stored events have."""
        raise NotImplementedError

    def _log_error(self, error: Exception) -> LogError | None:
        """The error of the log for an error of the driver; None for any other error."""
        raise NotImplementedError

    def _after_commit(self) -> None:
        """Called after each commit, before the next one."""

    def _tidy(self) -> None:
        """Called in an idle moment."""

    # The writer thread

    def _work(self) -> None:
        seen = 0
        while True:
            try:
                request = self._queue.get(timeout=IDLE_SECONDS)
            except Empty:
                if self._silence:
                    self._check_silence()
                elif seen == self._committed:
                    self._tidy()
                seen = self._committed
                continue
            if request is None:
                self._finished = True
                self._refuse_rest()
                return
            self._gather()
            self._quiet = False  # otherwise a thread that commits by itself could keep this thread from its turn
            with self._turn:
                group = self._group(request)
                if self._silence:  # they have waited for as long already
                    self._refuse(group, self._silence)
                    continue
                self._commit(group)
                self._after_commit()
            self._shared = len(group)
            self._quiet = self._shared == 1

    def _gather(self) -> None:
        """Wait while more requests come. With few senders, it waits for no more than shared the last commit."""
        for _ in range(self.rests):
            waiting = self._queue.qsize()
            if waiting + 1 >= self._shared and self._shared < CROWD:
                return
            sleep(REST)
            if self._queue.qsize() == waiting:
                return

    def _check_silence(self) -> None:
        """Check whether a silent store answers again, also when nothing waits to be stored."""
        with self._turn:
            self._commit([])

    def _group(self, first: WriteRequest) -> list[WriteRequest]:
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
                self._refuse([request], LogClosedError(f"{self.name} is closed"))

    def _refuse(self, group: list[WriteRequest], error: LogError) -> None:
        for request in group:
            request.events, request.error = None, error
        WriteRequest.answer(group)

    def _commit(self, group: list[WriteRequest]) -> None:
        self._committed += 1
        try:
            self._store(group)
            self._silence = None
        except BaseException as error:
            self._doubtful = True
            meant = self._as_log_error(error)
            self._silence = meant if isinstance(meant, LogUnreachableError) else None
            self.full = isinstance(meant, LogFullError)
            self.unwritable = str(meant) if isinstance(meant, _IN_THE_WAY) else ""
            for request in group:
                request.events, request.error = None, meant
            if not isinstance(error, Exception):
                raise
        finally:
            failpoints.reach("append.kept")
            if group:
                WriteRequest.answer(group)

    def _as_log_error(self, error: BaseException) -> LogError:
        if isinstance(error, LogError):
            return error
        if not isinstance(error, Exception):  # an interrupt, which its caller raises
            return LogError(f"{self.name}: {error!r}")
        meant = self._log_error(error)
        if meant is None:
            logger.error("%s: an append failed", self.name, exc_info=error)
            return LogError(f"{self.name}: {error!r}")
        return meant

    # A batch

    def _staged(self, group: list[WriteRequest]) -> B:
        """The batch of all requests that are where their senders think they are."""
        batch = self._begin()
        for request in group:
            request.events = request.error = None
            self._stage(batch, request)
        return batch

    def _without_taken_ids(self, group: list[WriteRequest]) -> B:
        """The batch of all requests with free ids. The others learn the reason from the stored events."""
        batch = self._begin()
        taken = self._stored_ids({entry.id for request in group for entry in request.entries})
        for request in group:
            request.events = None
            ids = {entry.id for entry in request.entries}
            if request.error is None and not ids & taken:
                taken |= ids
                self._stage(batch, request)
        return batch

    def _stage(self, batch: B, request: WriteRequest) -> None:
        """Put a request into the batch, unless its game is damaged or not where its sender thinks it is."""
        chain = batch.chains.get(request.game) or self._chains.get(request.game)
        if chain is None:
            try:
                chain = self._load(request.game)
            except LogError as error:
                request.error = error
                return
        batch.add(request, chain)

    def _keep(self, chains: dict[str, ChainEnd]) -> None:
        self._chains |= chains
        while len(self._chains) > CHAINS_KEPT:
            del self._chains[next(iter(self._chains))]
