"""The process that serves the streams. It only reads: the log, the read models, and the store of access.

How far analyses are comes without news: it looks for itself while somebody follows one.

The front hands it the connections of those who follow a game, with the head of the answer that the application made.
News of the log wake it. They may be lost, so it also looks for itself now and then. Everybody gets what comes after
what they have, from the log itself. So a slow client, or one that connects again, misses nothing and gets nothing
twice.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
import sqlite3
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client import Counter as Total

from events.errors import LogError
from events.stores import DATABASE_URL
from service.live.listener import Listener
from service.live.source import EventSource
from service.problems.early import encode_problem
from service.problems.kinds import OVERLOADED
from service.server.orders import LIVE, NEWS, OPEN, Count, Follow, Forget, Watch, decode
from service.settings import BadSettingError, from_environment
from workers import process

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.live.source import ListenerCursor
    from service.settings import Settings

K = TypeVar("K")
T = TypeVar("T")

TICK = 1.0
"""Seconds between two looks at slow listeners, changed rights, and entries that came without news."""

FOREIGN = 0.1
"""Seconds between two looks at a database that processes on other machines write to as well."""

PROGRESS = 0.25
"""Seconds between two looks at how far the analyses are that somebody follows."""

HEARTBEAT = 15
"""Seconds between two signs of life to one listener."""

EXPIRY = 10
"""Seconds between two looks at rights that end by themselves, where nothing is told meanwhile."""

STALLED = 30.0
"""Seconds after which somebody is cut who does not take what was written."""

RETRY_AFTER = 5
"""Seconds until a refused client is asked to come again."""

LAG_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)

BACKLOG = 512

logger = logging.getLogger(__name__)


class Streams:
    """Serves the streams of a data folder, up to the limits of the settings."""

    def __init__(self, source: EventSource, settings: Settings) -> None:
        self._source, self._settings = source, settings
        self._thread = ThreadPoolExecutor(1, "event-source")
        self._wake = asyncio.Event()
        self._listeners: dict[Listener, None] = {}
        self._following: defaultdict[str | None, set[Listener]] = defaultdict(set)
        self._of_analyses: set[Listener] = set()
        self._counts: Counter[str] = Counter()
        self._slots: list[set[Listener]] = [set() for _ in range(HEARTBEAT)]
        self._behind: set[Listener] = set()
        self._watched: defaultdict[str, set[OrderConnection]] = defaultdict(set)
        self._unsure: set[OrderConnection] = set()
        self._ticks, self._next = 0, 0.0
        self._resting = True
        self._checking: asyncio.Task[None] | None = None
        self.registry = CollectorRegistry()
        open_ = Gauge(OPEN, "Streams that are open.", registry=self.registry)
        open_.set_function(lambda: len(self._listeners))
        watching = Gauge("kifu_polls_waiting", "Requests that wait for a game to go on.", registry=self.registry)
        watching.set_function(lambda: sum(map(len, self._watched.values())))
        self._told = Total("kifu_streams_entries", "Entries told to listeners.", registry=self.registry)
        self._cut = Total("kifu_streams_cut", "Listeners that were cut for being slow.", registry=self.registry)
        self._refused = Total("kifu_streams_refused", "Streams refused as too many.", registry=self.registry)
        self._gone = Total("kifu_streams_gone", "Streams ended with the rights to them.", registry=self.registry)
        self._lag = Histogram(
            "kifu_streams_lag_seconds",
            "From the moment an entry is recorded until it is written to the last of those who listen by then.",
            buckets=LAG_BUCKETS,
            registry=self.registry,
        )

    async def run(self) -> None:
        """Send news to all listeners, for ever. A failure is printed, and tried again."""
        self._tick()
        failing = False
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._round()
                failing = False
            except (LogError, sqlite3.Error, OSError) as error:
                if not failing:
                    logger.warning("%s; the streams wait", error)
                failing = True
                self._wake.set()
                await asyncio.sleep(TICK)

    def close(self) -> None:
        """End all connections."""
        for listener in list(self._listeners):
            listener.end_now()
        for watchers in list(self._watched.values()):
            for watcher in list(watchers):
                watcher.close()
        self._thread.shutdown()

    # Who listens

    def join(self, listener: Listener) -> bytes | None:
        """Add a listener, who gets news from then on. Returns the refusal if there are too many."""
        why = self._too_many(listener)
        if why:
            self._refused.inc()
            return encode_problem(OVERLOADED, why, listener.language, RETRY_AFTER, close=True)
        self._listeners[listener] = None
        self._following[listener.subject].add(listener)
        if listener.of_analysis:
            self._of_analyses.add(listener)
        if listener.counts_for is not None:
            self._counts[listener.counts_for] += 1
        listener.slot = min(range(HEARTBEAT), key=lambda slot: len(self._slots[slot]))
        self._slots[listener.slot].add(listener)
        self._behind.add(listener)
        self._wake.set()
        return None

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        if listener not in self._listeners:
            return
        del self._listeners[listener]
        _drop(self._following, listener.subject, listener)
        self._of_analyses.discard(listener)
        self._slots[listener.slot].discard(listener)
        self._behind.discard(listener)
        if listener.counts_for is not None:
            self._counts[listener.counts_for] -= 1
            if not self._counts[listener.counts_for]:
                del self._counts[listener.counts_for]

    def serve_again(self, listener: Listener) -> None:
        """Serve a listener who has taken what was written."""
        if listener in self._behind:
            self._wake.set()

    def watch(self, watcher: OrderConnection, watch: Watch) -> None:
        """Close a connection when a game goes on."""
        self._watched[watch.game].add(watcher)
        self._unsure.add(watcher)
        self._wake.set()

    def unwatch(self, watcher: OrderConnection, watch: Watch) -> None:
        """Stop watching for a connection."""
        _drop(self._watched, watch.game, watcher)
        self._unsure.discard(watcher)

    async def forget(self, game: str) -> None:
        """Forget a game in memory."""
        await self._ask(lambda: self._source.forget(game))

    def news(self) -> None:
        """Note that something was recorded."""
        self._wake.set()

    def _too_many(self, listener: Listener) -> str | None:
        if len(self._listeners) >= self._settings.streams:
            return f"all {self._settings.streams} streams are taken"
        each = self._settings.streams_each
        if each and listener.counts_for is not None and self._counts[listener.counts_for] >= each:
            return f"a token, or an address without one, can have {each} streams"
        return None

    # What they are told

    async def _round(self) -> None:
        """Send the next page to the listeners who are behind."""
        if not self._listeners and not self._watched:
            self._resting = True  # nobody is told anything, so nothing is looked for
            return
        if self._resting:
            self._resting = False
            await self._ask(self._source.skip)
        moved, more = await self._ask(self._source.changed_games)
        if more:
            self._wake.set()
        for game in moved:
            self._behind |= self._following.get(game, set())
            self._unsure |= self._watched.get(game, set())
        if moved:
            self._behind |= self._following.get(None, set())
        if self._of_analyses:
            await self._look_at_analyses()
        if self._unsure:
            await self._hang_up()
        ready = {listener: listener.cursor for listener in self._behind if listener.since is None}
        if ready:
            await self._tell(ready)

    async def _tell(self, ready: dict[Listener, ListenerCursor]) -> None:
        wanted = set(ready.values())
        pages = await self._ask(lambda: self._source.pages(wanted))
        told, oldest = 0, 0
        for listener, want in ready.items():
            page = pages[want]
            if listener not in self._listeners or listener.since is not None:
                continue
            listener.write_page(page)
            told += page.told
            if page.gone:
                self._gone.inc()
            if page.told and listener.live:
                oldest = min(oldest or page.recorded_at, page.recorded_at)
            if page.more:
                self._wake.set()
            else:
                self._behind.discard(listener)
                listener.live = True
        self._told.inc(told)
        if oldest:  # counted once for all of them: to count takes as long as to tell
            self._lag.observe(max(time.time() - oldest / 1000, 0))

    async def _look_at_analyses(self) -> None:
        """Find the listeners of analyses that have news."""
        held = {listener: listener.cursor for listener in self._of_analyses}
        progressed = await self._ask(lambda: self._source.progressed(set(held.values())))
        self._behind |= {listener for listener, want in held.items() if want in progressed} & self._of_analyses

    async def _hang_up(self) -> None:
        """Close the connections that watch a game that has gone on."""
        unsure, self._unsure = self._unsure, set()
        watched = {watcher.watch_item for watcher in unsure}
        passed = await self._ask(lambda: self._source.done_watches(watched))
        for watcher in unsure:
            if watcher.watch_item in passed:
                watcher.close()

    # As time goes by

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        foreign = self._settings.database_url and (self._listeners or self._watched)
        pause = FOREIGN if foreign else PROGRESS if self._of_analyses else TICK
        loop.call_later(pause, self._tick)  # first, so that no fault ends it
        self._wake.set()
        if self._listeners and loop.time() >= self._next:
            self._next = loop.time() + TICK
            self._ticks += 1
            self._see_to_listeners(loop.time())

    def _see_to_listeners(self, now: float) -> None:
        for listener in list(self._slots[self._ticks % HEARTBEAT]):
            listener.send_heartbeat()
        for listener in list(self._listeners):
            if listener.since is not None and now - listener.since > STALLED:
                self._cut.inc()
                listener.end_now()
        self._checking = asyncio.get_running_loop().create_task(self._check(always=self._ticks % EXPIRY == 0))

    async def _check(self, *, always: bool) -> None:
        """End the streams of listeners who lost their rights."""
        with suppress(LogError, sqlite3.Error, OSError):  # the next look may do better
            if not await self._ask(self._source.rights_changed) and not always:
                return
            held = {listener: listener.cursor for listener in self._listeners}
            lost = await self._ask(lambda: self._source.last_pages(set(held.values())))
            for listener, want in held.items():
                if want in lost and listener in self._listeners:
                    self._gone.inc()
                    listener.write_page(lost[want])

    async def _ask(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


class OrderConnection:
    """A connection of another process of the service, with an order."""

    def __init__(self, streams: Streams, connection: socket.socket) -> None:
        self._streams, self._connection = streams, connection
        self._data = b""
        self._files: list[int] = []
        self._watch: Watch | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        asyncio.get_running_loop().add_reader(connection, self._read)

    @property
    def watch_item(self) -> tuple[str, int]:
        """The watched game, and the version that it should go beyond."""
        assert self._watch is not None  # noqa: S101 - for the types only
        return self._watch.game, self._watch.after

    def close(self) -> None:
        """Close the connection."""
        if self._connection.fileno() < 0:
            return
        asyncio.get_running_loop().remove_reader(self._connection)
        self._connection.close()
        while self._files:
            os.close(self._files.pop())
        if self._watch:
            self._streams.unwatch(self, self._watch)

    def _read(self) -> None:
        try:
            data, files, _, _ = socket.recv_fds(self._connection, 1 << 16, 1)
        except BlockingIOError:
            return
        except OSError:
            self.close()
            return
        self._files += files
        if not data or self._watch:
            self.close()
            return
        self._data += data
        try:
            order = decode(self._data)
        except msgspec.MsgspecError as error:  # of another release, perhaps: this one is started again in a moment
            logger.warning("an order cannot be read: %s", error)
            self.close()
            return
        if order is not None:
            task = asyncio.get_running_loop().create_task(self._execute(order))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _execute(self, order: Follow | Watch | Forget | Count) -> None:
        if isinstance(order, Watch):
            self._watch = order
            self._streams.watch(self, order)
            return
        try:
            if isinstance(order, Follow) and self._files:
                await self._follow(order, self._files.pop())
            elif isinstance(order, Forget):
                await self._streams.forget(order.game)
            elif isinstance(order, Count):
                asyncio.get_running_loop().remove_reader(self._connection)
                await asyncio.get_running_loop().sock_sendall(self._connection, generate_latest(self._streams.registry))
        except OSError:  # the client, or the process that asked, has gone
            pass
        finally:
            self.close()

    async def _follow(self, order: Follow, file: int) -> None:
        client = socket.socket(fileno=file)
        client.setblocking(False)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: Listener(self._streams, order), client)


def _drop(sets: defaultdict[K, set[T]], key: K, value: T) -> None:
    found = sets.get(key)
    if found is not None:
        found.discard(value)
        if not found:
            del sets[key]


def _bound(kind: socket.SocketKind, path: Path) -> socket.socket:
    """A socket of this kind at a path, for this user only."""
    path.unlink(missing_ok=True)
    made = socket.socket(socket.AF_UNIX, kind)
    mask = os.umask(0o177)
    try:
        made.bind(str(path))
    finally:
        os.umask(mask)
    made.setblocking(False)
    return made


async def serve(source: EventSource, settings: Settings, path: Path) -> None:
    """Serve the streams at the Unix socket `path`, for ever."""
    loop, streams = asyncio.get_running_loop(), Streams(source, settings)
    news, listener = _bound(socket.SOCK_DGRAM, path.with_name(NEWS)), _bound(socket.SOCK_STREAM, path)
    listener.listen(BACKLOG)

    def hear() -> None:
        with suppress(BlockingIOError):
            while True:
                news.recv(16)
                streams.news()

    def accept() -> None:
        with suppress(OSError):  # nobody waits any more, or nobody can be taken in
            while True:
                connection, _ = listener.accept()
                connection.setblocking(False)
                OrderConnection(streams, connection)

    with news, listener:
        loop.add_reader(news, hear)
        loop.add_reader(listener, accept)
        try:
            await streams.run()
        finally:
            loop.remove_reader(news)
            loop.remove_reader(listener)
            streams.close()


def _take_files(wanted: int) -> None:
    """Raise the limit of open files to the number of streams. Print it if that fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        logger.warning("the system grants %d files, and %d may be needed for all streams (ulimit -n)", hard, wanted)
        wanted = hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def main() -> None:
    """Serve the streams of the data folder `KIFU_DATA` at the socket `KIFU_LIVE`, until SIGTERM."""
    process.begin("live")
    process.exit_on_sigterm()
    process.wait_for_others()
    try:
        settings = from_environment()
        _take_files(2 * settings.streams + 1024)
        source = EventSource(settings.data, os.environ.get(DATABASE_URL, ""))
    except (LogError, BadSettingError, FileNotFoundError) as error:
        process.exit_with_message(error)
    asyncio.run(serve(source, settings, Path(os.environ[LIVE])))


if __name__ == "__main__":
    main()
