"""The tree over the log: its cost for an append, the speed of its growth, and the time of a proof in a large one."""

from __future__ import annotations

import random
import sys
import threading
import time
from contextlib import contextmanager
from hashlib import sha256
from statistics import median
from typing import TYPE_CHECKING, cast

from benchmarks.append import folder, moves, start
from benchmarks.table import Row
from events.sqlite import SqliteLog
from events.tree import merkle
from events.tree.tree import Tree
from projections.growing import CHECKPOINT_INTERVAL
from service.app import SWITCH_INTERVAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from events.log import LogReader

LARGE = 1_000_000
"""The size of the tree for proofs."""
PROOFS = 500
PAIRS = 31
"""The number of pairs of rounds, with and without growth of the tree, in turn."""
APPENDS = 5000
"""Appends per round, which takes one or two seconds."""
WARM = 1500


class Synthetic:
    """The hashes of a log that does not exist: all that a tree needs."""

    def __init__(self, size: int) -> None:
        self._hashes = [sha256(number.to_bytes(8)).digest() for number in range(size)]

    def position(self) -> int:
        """The number of hashes."""
        return len(self._hashes)

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, bytes]]:
        """The hashes with their positions."""
        end = len(self._hashes) if limit is None else after + limit
        return enumerate(self._hashes[after:end], after + 1)


def large() -> tuple[float, float, float, float, float]:
    """Entries per second, milliseconds of a proof (median and p99) and of a consistency proof, and bytes per entry."""
    chance = random.Random(7)
    with folder() as place:
        log = Synthetic(LARGE)
        tree = Tree(place, cast("LogReader", log), grows=True)
        began = time.perf_counter()
        tree.grow()
        built = LARGE / (time.perf_counter() - began)
        proofs, growths = [], []
        for _ in range(PROOFS):
            index = chance.randrange(LARGE)
            (hash_,) = (hash_ for _, hash_ in log.hashes(index, 1))
            began = time.perf_counter()
            tree.receipt(index, hash_)
            proofs.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            tree.consistency(index)
            growths.append((time.perf_counter() - began) * 1000)
        proofs.sort()
        size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    return built, median(proofs), proofs[PROOFS * 99 // 100], median(growths), size / LARGE


def append(log: SqliteLog, count: int) -> float:
    """Append `count` events to a new game, one by one. Returns the seconds."""
    game, entries = start(log), moves(count)
    began = time.perf_counter()
    for version, move in enumerate(entries, 1):
        log.append(game, [move], expected=version, recorder="bench")
    return time.perf_counter() - began


def appends(place: Path) -> tuple[float, float]:
    """The slowdown of appends while the tree grows: the median of pairs on one log.

    Also the share of that time in which the thread of the tree has a processor: the most that it can delay appends.
    """
    found: list[float] = []
    own = total = 0.0
    sys.setswitchinterval(SWITCH_INTERVAL)
    with SqliteLog(place / "kifu.db") as log:
        append(log, WARM)
        tree = Tree(place, log, grows=True)
        for number in range(PAIRS):
            rounds = {}
            for grows in (True, False) if number % 2 else (False, True):
                tree.grow()
                with following(tree, grows=grows) as worked:
                    rounds[grows] = append(log, APPENDS)
                own += sum(worked)
                total += rounds[grows] if grows else 0.0
            found.append(rounds[True] / rounds[False] - 1)
    return median(found), own / total


@contextmanager
def following(tree: Tree, *, grows: bool) -> Iterator[list[float]]:
    """Let the tree grow as often as in the service. Adds the working time of its thread to the list."""
    stop, worked = threading.Event(), list[float]()

    def follow() -> None:
        while grows and not stop.wait(CHECKPOINT_INTERVAL):
            tree.grow()
        worked.append(time.thread_time())

    thread = threading.Thread(target=follow)
    thread.start()
    yield worked
    stop.set()
    thread.join()


def run() -> list[Row]:
    """All figures of the tree."""
    built, proof, slowest, growth, disk = large()
    with folder() as place:
        longer, own = appends(place)
    return [
        Row("tree: appends take longer by", 100 * longer, "%", target="<= 2"),
        Row("  the part of the time that its thread works", 100 * own, "%", target="<= 2"),
        Row(f"tree: proof of an entry in {LARGE:,}", proof, "ms", target="<= 1"),
        Row("  p99", slowest, "ms"),
        Row("  proof that it only grew", growth, "ms"),
        Row("tree: built", built, "entries/s"),
        Row("tree: a leaf's hash and a node's, the floor", _floor(), "entries/s"),
        Row("tree: disk for an entry", disk, "bytes"),
    ]


def _floor() -> float:
    """Entries per second of hashing alone."""
    hash_, count = bytes(32), 200_000
    began = time.perf_counter()
    for _ in range(count):
        merkle.node_hash(merkle.leaf_hash(hash_), hash_)
    return count / (time.perf_counter() - began)
