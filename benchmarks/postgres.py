"""Appends to a log in PostgreSQL, compared with raw inserts of the same rows into the same server."""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import psycopg

from benchmarks.append import BATCH, BATCHES, CLIENTS, folder, moves, rate, run_threads, start
from benchmarks.table import Pair, Row, rounds
from events.postgres import PostgresLog
from tests import postgres as server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

ROUNDS = 9
SINGLES = 300
EACH = 50
WARM = 500

_COLUMNS = """
    seq bigint generated always as identity primary key, game uuid, version integer, id uuid, type text, schema integer,
    recorded_at bigint, happened_at text, recorder text, data bytea, hash bytea
"""
_INSERT = """
    insert into {} (game, version, id, type, schema, recorded_at, happened_at, recorder, data, hash)
    values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""


@contextmanager
def open_server() -> Iterator[str]:
    """Start a new server; the URL of its database. Its commits go to the disk that is measured."""
    with tempfile.TemporaryDirectory() as sockets, folder() as place:
        place.chmod(0o755)
        made = Path(sockets, "unused")
        server.make(Path(sockets), made)
        process = server.start(Path(sockets), place.resolve() / "data", server.CONFIGURATION, made=made)
        try:
            yield f"postgresql://postgres@/postgres?host={sockets}"
        finally:
            process.terminate()
            process.wait()


@contextmanager
def open_floor(url: str, *, indexed: bool = False) -> Iterator[tuple[str, list[Connection[Any]]]]:
    """A table with the columns of events and connections to it; with the unique keys of the log if wanted."""
    name = "indexed" if indexed else "floor"
    connections = [psycopg.connect(url, autocommit=True) for _ in range(CLIENTS)]
    connections[0].execute(f"create table {name} ({_COLUMNS})")
    if indexed:
        connections[0].execute(f"create unique index on {name} (game, version)")
        connections[0].execute(f"create unique index on {name} (id)")
    yield _INSERT.format(name), connections
    for connection in connections:
        connection.close()


def rows(count: int) -> list[tuple[Any, ...]]:
    """The rows of `count` moves of a game."""
    entries = moves(count)
    game = entries[0].id
    return [
        (game, n, entry.id, entry.type, 2, 1763722851123, None, "bench", bytes(81), bytes(32))
        for n, entry in enumerate(entries, 1)
    ]


def raw(connection: Connection[Any], insert: str, fresh: list[tuple[Any, ...]]) -> None:
    """Insert rows with a commit for each."""
    for row in fresh:
        connection.execute(insert, row)


def single(log: PostgresLog, floor: tuple[str, list[Connection[Any]]]) -> Pair:
    """One client, one event per request."""
    game, entries = start(log), moves(SINGLES)

    def work() -> None:
        for version, entry in enumerate(entries, 1):
            log.append(game, [entry], expected=version, recorder="bench")

    insert, connections = floor
    fresh = rows(SINGLES)
    return Pair(rate(SINGLES, work), rate(SINGLES, lambda: raw(connections[0], insert, fresh)))


def many(log: PostgresLog, floor: tuple[str, list[Connection[Any]]], latencies: list[float]) -> Pair:
    """Many clients, each with its own game and one event per request, compared with the same number of connections."""
    games, entries = [start(log) for _ in range(CLIENTS)], [moves(EACH) for _ in range(CLIENTS)]

    def client(number: int) -> None:
        for version, entry in enumerate(entries[number], 1):
            began = time.perf_counter()
            log.append(games[number], [entry], expected=version, recorder="bench")
            latencies.append(time.perf_counter() - began)

    insert, connections = floor
    fresh = [rows(EACH) for _ in range(CLIENTS)]
    value = rate(CLIENTS * EACH, lambda: run_threads(CLIENTS, client))
    return Pair(
        value, rate(CLIENTS * EACH, lambda: run_threads(CLIENTS, lambda n: raw(connections[n], insert, fresh[n])))
    )


def batches(log: PostgresLog, floor: tuple[str, list[Connection[Any]]]) -> Pair:
    """One client, a hundred events per request, compared with a hundred rows per transaction."""
    game, requests = start(log), [moves(BATCH) for _ in range(BATCHES)]
    insert, (connection, *_) = floor
    fresh = [rows(BATCH) for _ in range(BATCHES)]

    def work() -> None:
        for number, request in enumerate(requests):
            log.append(game, request, expected=1 + number * BATCH, recorder="bench")

    def inserts() -> None:
        for batch in fresh:
            with connection.transaction(), connection.cursor() as cursor:
                cursor.executemany(insert, batch)

    return Pair(rate(BATCHES * BATCH, work), rate(BATCHES * BATCH, inserts))


def run() -> list[Row]:
    """The figures of the log in PostgreSQL."""
    latencies: list[float] = []
    with (
        open_server() as url,
        PostgresLog(url) as log,
        open_floor(url) as floor,
        open_floor(url, indexed=True) as alike,
    ):
        game = start(log)
        for version, move in enumerate(moves(WARM), 1):
            log.append(game, [move], expected=version, recorder="bench")
        one = rounds(ROUNDS, lambda: single(log, floor))
        one_alike = rounds(ROUNDS, lambda: single(log, alike))
        crowd = rounds(ROUNDS, lambda: many(log, floor, latencies))
        hundred = rounds(ROUNDS, lambda: batches(log, floor))
        same = rounds(ROUNDS, lambda: batches(log, alike))
        fed = rate(log.position(), lambda: sum(1 for _ in log.feed()))
    latencies.sort()
    return [
        Row("PostgreSQL: append, 1 client", one[0], "events/s", one[1], one[2], ">= 0.6"),
        Row("  against the same unique keys", one_alike[0], "events/s", one_alike[1], one_alike[2]),
        Row(f"  {CLIENTS} clients", crowd[0], "events/s", crowd[1], crowd[2], ">= 0.6"),
        Row(f"  {CLIENTS} clients, p50", median(latencies) * 1000, "ms"),
        Row(f"  {CLIENTS} clients, p99", latencies[len(latencies) * 99 // 100] * 1000, "ms"),
        Row(f"  batches of {BATCH}", hundred[0], "events/s", hundred[1], hundred[2], ">= 0.6"),
        Row("  against the same unique keys", same[0], "events/s", same[1], same[2]),
        Row("  feed", fed, "events/s"),
    ]
