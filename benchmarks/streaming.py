"""Reading a long log through the library, compared with a raw SELECT of the same rows."""

from __future__ import annotations

import sqlite3
import tracemalloc
from contextlib import closing
from typing import TYPE_CHECKING

from benchmarks.append import folder, moves, rate, start
from benchmarks.table import Pair, Row, rounds
from events import ndjson
from events.sqlite import SqliteLog, SqliteReader

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EVENTS = 200_000
GAMES = 4
BATCH = 1000
ROUNDS = 3


def fill(path: Path) -> None:
    """Fill a log with a few long games, their entries mixed."""
    with SqliteLog(path) as log:
        games = [start(log) for _ in range(GAMES)]
        for version in range(1, EVENTS // GAMES, BATCH):
            for game in games:
                log.append(game, moves(BATCH), expected=version, recorder="bench")


def select(path: Path) -> float:
    """Rows per second of a raw SELECT."""
    with closing(sqlite3.connect(path)) as connection:
        return rate(EVENTS, lambda: sum(1 for _ in connection.execute("select * from event order by seq")))


def feed(path: Path) -> int:
    """Read the whole feed. Returns the number of events."""
    with SqliteReader(path) as log:
        return sum(1 for _ in log.feed())


def export(path: Path) -> int:
    """Export every game. Returns the number of lines."""
    with SqliteReader(path) as log:
        return sum(1 for head in log.heads() for _ in ndjson.export(log, head.game, now=0))


def peak(path: Path, work: Callable[[Path], int]) -> float:
    """The peak memory of a unit of work, in megabytes."""
    tracemalloc.start()
    work(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def against_select(path: Path, work: Callable[[Path], int]) -> tuple[float, float, float]:
    """The rate of a unit of work, the rate of the raw SELECT, and their ratio."""
    return rounds(ROUNDS, lambda: Pair(rate(EVENTS, lambda: work(path)), select(path)))


def run() -> list[Row]:
    """All figures of reading."""
    with folder() as place:
        path = place / "kifu.db"
        fill(path)
        fed, exported = against_select(path, feed), against_select(path, export)
        return [
            Row(f"feed of {EVENTS:,} events", fed[0], "events/s", fed[1], fed[2], ">= 0.3"),
            Row(f"export of {EVENTS:,} events", exported[0], "events/s", exported[1], exported[2], ">= 0.3"),
            Row("feed, peak memory", peak(path, feed), "MB", target="<= 10"),
            Row("export, peak memory", peak(path, export), "MB", target="<= 10"),
        ]
