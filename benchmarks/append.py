"""Appends through the library, compared with raw inserts of rows of the same size with `synchronous=FULL`."""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import uuid_utils

from benchmarks.table import Pair, Row, rounds
from events.errors import StaleVersionError
from events.event import NewEvent
from events.sqlite import SqliteLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.log import Log

ROUNDS = 11
"""Many short rounds, each with its own floor: other load on the machine hardly changes their medians."""

SINGLES = 1000
CLIENTS = 32
EACH = 200
BATCHES = 20
BATCH = 100
WRITERS = 4
CONTENDED = 100
WARM = 1500
"""Appends before the clock starts: a write-ahead log that is overwritten takes half the time of one that grows."""

COLUMNS = "seq integer primary key, game, version, id, type, schema, recorded_at, happened_at, recorder, data, hash"
"""The columns of the floor's table, as those of events."""


def identifier() -> str:
    """A new UUIDv7."""
    return str(uuid_utils.uuid7())


def opening() -> NewEvent:
    """The first event of a game."""
    data = {"ruleset": "kahuna", "revision": 1, "seats": [{}, {}]}
    return NewEvent(id=identifier(), type="game.opened", data=data)


def moves(count: int) -> list[NewEvent]:
    """Moves of about 80 bytes of data."""
    move = {"type": "bridge", "seat": 0, "bridge": "BARI-DUDA", "cards": ["BARI", "DUDA"]}
    return [NewEvent(id=identifier(), type="move.made", data={"move": move}) for _ in range(count)]


@contextmanager
def folder() -> Iterator[Path]:
    """A temporary folder on the disk that is measured."""
    with tempfile.TemporaryDirectory(dir=".") as name:
        yield Path(name)


@contextmanager
def open_log() -> Iterator[SqliteLog]:
    """An open log in a temporary folder, already written to once."""
    with folder() as place, SqliteLog(place / "kifu.db") as log:
        game = start(log)
        for version, move in enumerate(moves(WARM), 1):
            log.append(game, [move], expected=version, recorder="bench")
        yield log


def start(log: Log, fits: Callable[[str], bool] = bool) -> str:
    """A new game in the log. `fits` says whether its id may be used."""
    game = next(filter(fits, iter(identifier, "")))
    log.append(game, [opening()], expected=0, recorder="bench")
    return game


@contextmanager
def open_floor(*, indexed: bool = False) -> Iterator[sqlite3.Connection]:
    """A durable table with the columns of events and no index except its key: the least that any log costs.

    If it is `indexed`, it has the log's two unique indexes as well.
    """
    with folder() as place:
        connection = sqlite3.connect(place / "floor.db", isolation_level=None)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute(f"create table floor ({COLUMNS})")
        if indexed:
            connection.execute("create unique index floor_version on floor (game, version)")
            connection.execute("create unique index floor_id on floor (id)")
        insert(connection, WARM)
        yield connection
        connection.close()


INSERT = "insert into floor values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_numbers = itertools.count(1)


def rows(count: int) -> list[tuple[object, ...]]:
    """Rows of the same size as stored moves of the benchmark."""
    numbers = itertools.islice(_numbers, count)
    return [
        (None, 1, n, n.to_bytes(16), "move.made", 1, 1763722851123, None, "bench", bytes(81), bytes(32))
        for n in numbers
    ]


def insert(connection: sqlite3.Connection, count: int) -> None:
    """Insert rows with a commit for each."""
    for row in rows(count):
        connection.execute(INSERT, row)


def rate(count: int, work: Callable[[], object]) -> float:
    """Events per second of `work`, which stores `count` of them."""
    began = time.perf_counter()
    work()
    return count / (time.perf_counter() - began)


def raw_single(connection: sqlite3.Connection) -> float:
    """Raw single commits per second."""
    fresh = rows(SINGLES)
    return rate(SINGLES, lambda: [connection.execute(INSERT, row) for row in fresh])


def single(log: SqliteLog, connection: sqlite3.Connection) -> Pair:
    """One client, one event per request."""
    game, entries = start(log), moves(SINGLES)

    def work() -> None:
        for version, entry in enumerate(entries, 1):
            log.append(game, [entry], expected=version, recorder="bench")

    return Pair(rate(SINGLES, work), raw_single(connection))


def batches(log: SqliteLog, connection: sqlite3.Connection) -> Pair:
    """One client, a hundred events per request."""
    game, requests = start(log), [moves(BATCH) for _ in range(BATCHES)]
    raw = [rows(BATCH) for _ in range(BATCHES)]

    def work() -> None:
        for number, request in enumerate(requests):
            log.append(game, request, expected=1 + number * BATCH, recorder="bench")

    def floor() -> None:
        for batch in raw:
            connection.execute("begin immediate")
            connection.executemany(INSERT, batch)
            connection.execute("commit")

    return Pair(rate(BATCHES * BATCH, work), rate(BATCHES * BATCH, floor))


def run_threads(count: int, work: Callable[[int], None]) -> None:
    """Run `work(0)`, `work(1)`, … in as many threads."""
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def many(log: SqliteLog, connection: sqlite3.Connection, latencies: list[tuple[float, float]]) -> Pair:
    """Many clients, each with its own game and one event per request; `latencies` gets the round's p50 and p99."""
    times: list[float] = []
    games = [start(log) for _ in range(CLIENTS)]
    entries = [moves(EACH) for _ in range(CLIENTS)]

    def client(number: int) -> None:
        mine = []
        for version, entry in enumerate(entries[number], 1):
            began = time.perf_counter()
            log.append(games[number], [entry], expected=version, recorder="bench")
            mine.append(time.perf_counter() - began)
        times.extend(mine)

    value = rate(CLIENTS * EACH, lambda: run_threads(CLIENTS, client))
    times.sort()
    latencies.append((times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000))
    return Pair(value, raw_single(connection))


def contended(log: SqliteLog, connection: sqlite3.Connection) -> Pair:
    """Several writers of one game. After a version conflict, they read the missed events and try again."""
    game, entries = start(log), [moves(CONTENDED) for _ in range(WRITERS)]

    def writer(number: int) -> None:
        version = 1
        for entry in entries[number]:
            while True:
                try:
                    version = log.append(game, [entry], expected=version, recorder="bench").events[-1].version
                    break
                except StaleVersionError as stale:
                    version = stale.missed[-1].version

    return Pair(rate(WRITERS * CONTENDED, lambda: run_threads(WRITERS, writer)), raw_single(connection))


def disk(count: int = 20_000, games: int = 200) -> float:
    """Bytes on disk per event of single appends to many games, with indexes and head file, in a closed log."""
    with folder() as place:
        with SqliteLog(place / "kifu.db") as log:
            opened = [start(log) for _ in range(games)]
            for version in range(1, count // games):
                for game, move in zip(opened, moves(games), strict=True):
                    log.append(game, [move], expected=version, recorder="01JD2Z6Q4N")
        return sum(file.stat().st_size for file in place.iterdir()) / count


def run() -> list[Row]:
    """All figures of the append path."""
    latencies: list[tuple[float, float]] = []
    with open_log() as log, open_floor() as floor, open_floor(indexed=True) as indexed:
        one = rounds(ROUNDS, lambda: single(log, floor))
        hundred = rounds(ROUNDS, lambda: batches(log, floor))
        alike = rounds(ROUNDS, lambda: batches(log, indexed))
        crowd = rounds(ROUNDS, lambda: many(log, floor, latencies))
        same = rounds(ROUNDS, lambda: contended(log, floor))
    p50, p99 = (median(column) for column in zip(*latencies, strict=True))
    return [
        Row("append, 1 client", one[0], "events/s", one[1], one[2], ">= 0.75"),
        Row(f"append, {CLIENTS} clients", crowd[0], "events/s", crowd[1], crowd[2], ">= 3.4"),
        Row(f"append, {CLIENTS} clients, p50", p50, "ms"),
        Row(f"append, {CLIENTS} clients, p99", p99, "ms", target="<= 5"),
        Row(f"append, batches of {BATCH}", hundred[0], "events/s", hundred[1], hundred[2], ">= 0.65"),
        Row("  against the same table and indexes", alike[0], "events/s", alike[1], alike[2]),
        Row(f"append, same game, {WRITERS} writers", same[0], "events/s", target=">= 2000"),
        Row("disk per event", disk(), "bytes", target="<= 300"),
    ]
