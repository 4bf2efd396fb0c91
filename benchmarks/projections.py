"""States and read models: a long game and a short one, a rebuild and its ceiling, and the delay of the list."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import msgspec
from uuid_utils import uuid7

from benchmarks.table import Pair, Row, rounds
from events.event import NewEvent
from events.sqlite import LOG
from events.stores import read_log
from games.kahuna import KAHUNA
from games.playout import playout
from projections.archive import Archive, ReadingArchive
from projections.catalogue.lookups import find_game
from projections.projector import Projector
from projections.rebuild import POOL_FROM, rebuild
from projections.rebuild_games import usable_processors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from events.log import LogReader

LONG, SHORT = 10_000, 10
GAMES = 60
LISTED = 200


def record(archive: Archive, entries: int | None = None, seed: int = 0) -> str:
    """Record a random game of Kahuna. With `entries`, it has exactly this number of entries, the last ones notes."""
    game = str(uuid7())
    opened = {"ruleset": "kahuna", "revision": 1, "seats": [{}, {}]}
    events = [NewEvent(id=game, type="game.opened", data=opened)]
    for move, _ in playout(KAHUNA.open({}, None, 2), random.Random(seed)):
        events.append(NewEvent(id=str(uuid7()), type="move.made", data={"move": KAHUNA.move_data(move)}))
    while entries and len(events) < entries:
        events.append(NewEvent(id=str(uuid7()), type="note.added", data={"text": f"note {len(events)}"}))
    events = events[:entries]
    for at in range(0, len(events), 500):
        archive.log.append(game, events[at : at + 500], expected=at, recorder="benchmark")
    return game


def seconds(times: int, act: Callable[[], object]) -> float:
    """The average seconds of one call."""
    started = time.perf_counter()
    for _ in range(times):
        act()
    return (time.perf_counter() - started) / times


def states(folder: Path) -> Iterator[Row]:
    """The time of the current state of a long and of a short game: from memory, and in a new process."""
    with Archive(folder) as archive:
        long, short = record(archive, LONG), record(archive, SHORT)
        Projector(archive.log, archive.folds, archive.views).catch_up()
        warm = rounds(
            5,
            lambda: Pair(
                seconds(2000, lambda: archive.folds.current(long)) * 1e6,
                seconds(2000, lambda: archive.folds.current(short)) * 1e6,
            ),
        )
        yield Row(f"state of {LONG:,} entries, against {SHORT}", warm[0], "us", warm[1], warm[2], "<= 1.2")

    def cold(game: str) -> float:
        with ReadingArchive(folder) as fresh:
            fresh.views.db  # noqa: B018 - connecting is not what is measured
            fresh.log.head(game)
            return seconds(1, lambda: fresh.folds.current(game)) * 1e6

    value, floor, ratio = rounds(21, lambda: Pair(cold(long), cold(short)))
    yield Row("the same, in a process just started", value, "us", floor, ratio)


def rebuilding(folder: Path) -> Iterator[Row]:
    """A rebuild of all read models, compared with only decoding every event."""
    with Archive(folder) as archive:
        for seed in range(GAMES):
            record(archive, seed=seed)
        events = archive.log.position()

        def ceiling() -> float:
            started = time.perf_counter()
            with closing(sqlite3.connect(folder / LOG)) as db, db:
                count = 0
                for version, data in db.execute("select version, data from event order by game, version"):
                    msgspec.json.decode(data)
                    count += version > 0
            db.close()
            return count / (time.perf_counter() - started)

        def rebuilt() -> float:
            started = time.perf_counter()
            rebuild(archive.log, archive.views)
            return events / (time.perf_counter() - started)

        value, floor, ratio = rounds(5, lambda: Pair(rebuilt(), ceiling()))
    yield Row("rebuild of all read models", value, "events/s", floor, ratio, ">= 0.5")


def rebuilding_in_parallel(folder: Path) -> Iterator[Row]:
    """A rebuild of a long log by one process per processor, compared with one process."""
    moves = [
        [KAHUNA.move_data(move) for move, _ in playout(KAHUNA.open({}, None, 2), random.Random(seed))]
        for seed in range(GAMES)
    ]
    with Archive(folder) as archive:
        while archive.log.position() < POOL_FROM:
            for played in moves:
                game = str(uuid7())
                opened = {"ruleset": "kahuna", "revision": 1, "seats": [{}, {}]}
                events = [NewEvent(id=game, type="game.opened", data=opened)]
                events += [NewEvent(id=str(uuid7()), type="move.made", data={"move": move}) for move in played]
                archive.log.append(game, events, expected=0, recorder="benchmark")

        def rebuilt(open_log: Callable[[], LogReader] | None) -> float:
            started = time.perf_counter()
            rebuild(archive.log, archive.views, None, open_log)
            return archive.log.position() / (time.perf_counter() - started)

        value, floor, ratio = rounds(3, lambda: Pair(rebuilt(partial(read_log, folder)), rebuilt(None)))
    yield Row(f"rebuild by {usable_processors()} processes, against one", value, "events/s", floor, ratio, ">= 1.8")


def listing(folder: Path) -> Iterator[Row]:
    """The delay from the acknowledgement of an entry until the catalogue has it."""
    with Archive(folder) as archive:
        projector = Projector(archive.log, archive.folds, archive.views)
        thread = threading.Thread(target=projector.run)
        thread.start()
        taken = []
        game = record(archive, 1)
        for version in range(1, LISTED):
            note = NewEvent(id=str(uuid7()), type="note.added", data={"text": "soon"})
            archive.log.append(game, [note], expected=version, recorder="benchmark")
            started = time.perf_counter()
            while (row := find_game(archive.views.db, game)) is None or row.version <= version:
                time.sleep(0.0005)
            taken.append((time.perf_counter() - started) * 1000)
        projector.stop()
        thread.join()
    yield Row("append to catalogue, p50", median(taken), "ms")
    yield Row("append to catalogue, p99", sorted(taken)[int(len(taken) * 0.99)], "ms", target="<= 50")


def run() -> list[Row]:
    """The rows of this benchmark."""
    rows: list[Row] = []
    for part in (states, rebuilding, rebuilding_in_parallel, listing):
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            rows += part(Path(folder))
    return rows
