"""The cost of seals: the same games of Kahuna, sealed and not, in the same run; and the proof of a long log."""

from __future__ import annotations

import time
from hashlib import sha256
from statistics import median
from typing import TYPE_CHECKING

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

GAMES = 120
LONG = 1_000_000
"""The entries of the proved log."""


class Side:
    """A log, sealed or not, and its microseconds per entry, game by game.

    Appending is timed by the clock, as it waits for the disk; reading and replaying in processor time.
    """

    def __init__(self, reader: Reader, place: Path) -> None:
        self._reader, self._log = reader, SqliteLog(place / "kifu.db")
        self._place, self._entries = place, 0
        self.append: list[float] = []
        self.read: list[float] = []
        self.replay: list[float] = []

    def take(self, moves: list[dict[str, object]]) -> None:
        """Append a game entry by entry, then read and replay it."""
        game = identifier()
        events = _events(moves, game)

        def append() -> None:
            for version, event in enumerate(events):
                self._log.append(game, [check_event(0, event, self._reader)], expected=version, recorder="owner")

        self.append.append(_each(len(events), append, time.perf_counter))
        entries = list(self._log.read(game))
        self.read.append(_each(len(events), lambda: list(self._log.read(game))))
        self.replay.append(_each(len(events), lambda: Segment.of_game(entries).run_to_end()))
        self._entries += len(events)

    def size(self) -> float:
        """Close the log. Returns the bytes on disk per entry."""
        self._log.close()
        return (self._place / "kifu.db").stat().st_size / self._entries


def _each(count: int, work: Callable[[], object], clock: Callable[[], float] = time.thread_time) -> float:
    began = clock()
    work()
    return (clock() - began) * 1e6 / count


def _events(moves: list[dict[str, object]], game: str) -> list[NewEvent]:
    data = {"ruleset": "kahuna", "revision": KAHUNA.revision, "seats": [{}, {}]}
    opening = NewEvent(id=game, type="game.opened", data=data)
    return [opening, *(NewEvent(id=identifier(), type="move.made", data={"move": move}) for move in moves)]


def proved(place: Path) -> tuple[float, float]:
    """Seconds to prove a long log, and seconds of SHA-256 alone over the same lines."""
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
    """The rows of this benchmark. Each game goes into both logs in turn, so both have the same conditions."""
    with folder() as place, folder() as other:
        sealed = Side(reader_of(KAHUNA), place)
        clear = Side(SCHEMAS.reader(KAHUNA.moves, KAHUNA.adjustment_type), other)
        for seed in range(GAMES):
            moves = random_moves(seed)
            for side in (sealed, clear) if seed % 2 else (clear, sealed):
                side.take(moves)
        size = sealed.size()
        clear.size()
    with folder() as place:
        verifying, hashing = proved(place)
    rows = [
        Row(
            f"{name}: sealed, of the same in the clear",
            median(getattr(sealed, field)),
            "µs an entry",
            median(getattr(clear, field)),
            median(mine / other for mine, other in zip(getattr(sealed, field), getattr(clear, field), strict=True)),
            target,
        )
        for name, field, target in (
            ("append of one entry", "append", "<= 1.03"),
            ("reading a record", "read", ""),
            ("replaying it", "replay", "<= 1.03"),
        )
    ]
    return [
        *rows,
        Row("disk per event of Kahuna, sealed", size, "bytes", target="<= 300"),
        Row(f"verify of {LONG:,} entries, of SHA-256 alone", verifying, "s", hashing, hashing / verifying),
    ]
