"""What seals cost: the same games of Kahuna, sealed and in the clear, in the same run; and proving a long log."""

from __future__ import annotations

import time
from hashlib import sha256
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.append import folder, identifier
from benchmarks.http import random_moves
from benchmarks.table import Row
from events.canonical import canonical
from events.entries import check_event
from events.event import NewEvent
from events.schemas import SCHEMAS
from events.sqlite import SqliteLog, verify
from games.kahuna import KAHUNA
from projections.fold import reader_of
from projections.history import Segment

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from events.schemas import Reader

GAMES = 30
ROUNDS = 9
LONG = 1_000_000
"""Entries of the log that is proved."""


class Taken(NamedTuple):
    """Microseconds of processor time an entry: appending it, reading it, replaying it; and bytes on disk."""

    append: float
    read: float
    replay: float
    size: float


def _each(count: int, work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1e6 / count


def _events(moves: list[dict[str, object]], game: str) -> list[NewEvent]:
    data = {"ruleset": "kahuna", "revision": KAHUNA.revision, "seats": [{}, {}]}
    opening = NewEvent(id=game, type="game.opened", data=data)
    return [opening, *(NewEvent(id=identifier(), type="move.made", data={"move": move}) for move in moves)]


def taken(games: list[list[dict[str, object]]], reader: Reader) -> Taken:
    """Append these games entry by entry, as this reader seals them, then read and replay them."""
    with folder() as place:
        log, ids = SqliteLog(place / "kifu.db"), [identifier() for _ in games]
        written = [_events(moves, game) for game, moves in zip(ids, games, strict=True)]
        count = sum(map(len, written))

        def append() -> None:
            for game, events in zip(ids, written, strict=True):
                for version, event in enumerate(events):
                    log.append(game, [check_event(0, event, reader)], expected=version, recorder="owner")

        def replay() -> None:
            for game in ids:
                Segment.whole(list(log.read(game))).to_the_end()

        appending = _each(count, append)
        reading = _each(count, lambda: [list(log.read(game)) for game in ids])
        replaying = _each(count, replay)
        log.close()
        return Taken(appending, reading, replaying, (place / "kifu.db").stat().st_size / count)


def proved(place: Path) -> tuple[float, float]:
    """Seconds that a long log takes to be proved, and SHA-256 of the same lines alone."""
    path = place / "kifu.db"
    reader, moves = reader_of(KAHUNA), random_moves(1)
    with SqliteLog(path) as log:
        stored = 0
        while stored < LONG:
            game = identifier()
            events = [check_event(0, event, reader) for event in _events(moves, game)]
            stored += log.append(game, events, expected=0, recorder="owner").new
        lines = [canonical(event) for event in log.read(game)]
    began = time.perf_counter()
    report = verify(path)
    took = time.perf_counter() - began
    if not report.sound:
        raise RuntimeError("the log is not sound")
    began = time.perf_counter()
    for _ in range(report.events // len(lines)):
        for line in lines:
            sha256(line).digest()
    return took, time.perf_counter() - began


def run() -> list[Row]:
    """The rows of this benchmark."""
    games = [random_moves(seed) for seed in range(GAMES)]
    clear = SCHEMAS.reader(KAHUNA.moves, KAHUNA.adjustment_type)
    pairs = [(taken(games, reader_of(KAHUNA)), taken(games, clear)) for _ in range(ROUNDS)]
    with folder() as place:
        verifying, hashing = proved(place)
    rows = [
        Row(
            f"{name}: sealed, of the same in the clear",
            median(getattr(sealed, field) for sealed, _ in pairs),
            "µs an entry",
            median(getattr(plain, field) for _, plain in pairs),
            median(getattr(sealed, field) / getattr(plain, field) for sealed, plain in pairs),
            target,
        )
        for name, field, target in (
            ("append of one entry", "append", "<= 1.03"),
            ("reading a record", "read", ""),
            ("replaying a record from the log", "replay", "<= 1.03"),
        )
    ]
    size = median(sealed.size for sealed, _ in pairs)
    return [
        *rows,
        Row("disk per event of Kahuna, sealed", size, "bytes", target="<= 300"),
        Row(f"verify of {LONG:,} entries, of SHA-256 alone", verifying, "s", hashing, hashing / verifying),
    ]
