"""Replaying a score sheet of 10,000 entries from the log, compared with a trivial fold, the least of any replay.

The floor selects the same rows, decodes each move into its type and puts its value into a dictionary. Ours checks the
chain of hashes and the rules besides. It is the processor's time that counts, so that neighbours on the machine do not.
"""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

import msgspec

from benchmarks.append import folder, identifier
from benchmarks.table import Pair, Row, rounds
from events.event import NewEvent
from events.sqlite import SqliteLog
from events.sqlite.tables import SELECT
from games.scoresheet import SCORESHEET
from games.scoresheet.moves import Enter, ScoresheetMove
from projections.fold import Fold
from projections.history import Segment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from events.event import Event

ROUNDS = 9
SEATS = 10
ENTRIES = 10_000
BATCH = 1000
OPTIONS: dict[str, bool | int | str] = {"template": "rounds"}


class MoveData(msgspec.Struct):
    """The stored data of a move."""

    move: ScoresheetMove


_made = msgspec.json.Decoder(MoveData)


def moves() -> list[NewEvent]:
    """The moves of a sheet, cell by cell. Once the last round is full, they correct the first one."""
    found = []
    for number in range(ENTRIES - 1):
        place, lap = number // SEATS % 999 + 1, number // (SEATS * 999)
        move = Enter(seat=number % SEATS, column="points", round=place, value=number * 7 % 41 + lap)
        found.append(NewEvent(id=identifier(), type="move.made", data={"move": SCORESHEET.move_data(move)}))
    return found


def record(log: SqliteLog) -> str:
    """Record a long game in the log."""
    data = {
        "ruleset": SCORESHEET.name,
        "revision": SCORESHEET.revision,
        "options": OPTIONS,
        "components": SCORESHEET.components(OPTIONS),
        "seats": [{}] * SEATS,
    }
    game = identifier()
    log.append(game, [NewEvent(id=game, type="game.opened", data=data)], expected=0, recorder="bench")
    entries = moves()
    for at in range(0, len(entries), BATCH):
        log.append(game, entries[at : at + BATCH], expected=at + 1, recorder="bench")
    return game


def fold(events: Iterable[Event]) -> None:
    """Replay a game for its state, as the service does."""
    Segment.of_game(list(events)).run_to_end()


def listed(events: Iterable[Event]) -> None:
    """Replay a game with the effects of each entry and the totals after it, as the catalogue does."""
    stream = iter(events)
    state = Fold.start(next(stream))
    for event in stream:
        state.apply_entry(event, event)
        state.totals()


def floor(path: Path) -> float:
    """Entries per second of the trivial fold."""
    connection = sqlite3.connect(path)
    started = time.process_time()
    cells: dict[tuple[str, int | None, int], float] = {}
    totals = [0.0] * SEATS
    for row in connection.execute(f"{SELECT} where version > 1 order by version"):
        move = _made.decode(row[9]).move
        if isinstance(move, Enter):
            place = move.column, move.round, move.seat
            totals[move.seat] += move.value - cells.get(place, 0)
            cells[place] = move.value
    rate = ENTRIES / (time.process_time() - started)
    connection.close()
    return rate


def rate(replay: Callable[[Iterable[Event]], None], events: Iterable[Event]) -> float:
    """Entries per second of a real replay."""
    started = time.process_time()
    replay(events)
    return ENTRIES / (time.process_time() - started)


def run() -> list[Row]:
    """The rows of this benchmark: the whole replay, and the fold alone."""
    with folder() as place, SqliteLog(place / "kifu.db") as log:
        game = record(log)
        path, read = place / "kifu.db", list(log.read(game))
        whole = rounds(ROUNDS, lambda: Pair(rate(fold, log.read(game)), floor(path)))
        alone = rounds(ROUNDS, lambda: Pair(rate(fold, read), floor(path)))
        result = rounds(ROUNDS, lambda: Pair(rate(listed, read), floor(path)))
    return [
        Row("replay scoresheet, 10,000 entries", *_figure(whole), ">= 0.5"),
        Row("replay scoresheet, without reading", *_figure(alone)),
        Row("replay scoresheet, totals and effects of each", *_figure(result)),
    ]


def _figure(measured: tuple[float, float, float]) -> tuple[float, str, float, float]:
    value, least, ratio = measured
    return value, "entries/s", least, ratio
