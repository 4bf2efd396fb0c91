"""Corrections near the beginning of a long record, the first and a second one, compared with a full fold."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uuid_utils import uuid7

from benchmarks.table import Pair, Row, rounds
from projections.archive import Archive
from projections.history import Segment
from projections.projector import Projector
from service.recording.judging import Draft
from service.recording.recorder import record, record_whole_game

if TYPE_CHECKING:
    from collections.abc import Callable

ENTRIES, AT, ROUNDS = 1000, 10, 15
CORRECTIONS: dict[str, dict[str, Any]] = {
    "entry.replaced": {"entry": AT, "move": "r9 p1 7"},
    "entry.inserted": {"after": AT, "move": "p1 +3 forgotten"},
    "entry.withdrawn": {"entry": AT, "keep": "all"},  # and then every later round comes too early
}


def long_record(archive: Archive) -> str:
    """A score sheet of four seats with `ENTRIES` entries, one per round."""
    game = str(uuid7())
    data = {"ruleset": "scoresheet", "revision": 1, "options": {"template": "rounds"}, "seats": [{}] * 4}
    moves = [Draft(id=str(uuid7()), data={"move": f"r{number} 12 7 -4 {number}"}) for number in range(1, ENTRIES)]
    record_whole_game(archive, Draft(id=game, type="game.opened", data=data), moves, recorder="benchmark")
    return game


def milliseconds(act: Callable[[], object]) -> float:
    """Milliseconds of a call."""
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def run() -> list[Row]:
    """The rows of this benchmark."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, Archive(Path(folder)) as archive:
        game = long_record(archive)
        Projector(archive.log, archive.folds, archive.views).catch_up()

        def fold() -> None:
            Segment.of_game(list(archive.log.read(game))).run_to_end()

        def measure(kind: str, *, again: bool) -> Pair:
            if not again:
                archive.folds.last_uncorrected.forget(game)
            draft = Draft(id=str(uuid7()), type=kind, data=CORRECTIONS[kind])
            taken = milliseconds(
                lambda: record(archive, game, [draft], expected=None, recorder="benchmark", dry_run=True)
            )
            return Pair(taken, milliseconds(fold))

        return [
            Row(f"{kind} at {AT} of {ENTRIES:,}{tried}, against one fold", value, "ms", floor, ratio)
            for kind in CORRECTIONS
            for tried in ("", ", tried before")
            for value, floor, ratio in [rounds(ROUNDS, partial(measure, kind, again=bool(tried)))]
        ]
