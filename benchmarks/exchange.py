"""Exports and imports: records, tables, a dataset and plays of trackers, compared with raw rows and appends."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from benchmarks.projections import GAMES, record
from benchmarks.table import Pair, Row, rounds
from events.sqlite import LOG
from games.contract import RECORD
from games.kahuna import KAHUNA
from games.playout import playout
from projections.archive import Archive
from service.api.recorded import recorded_game, rows_of
from service.exchange import dataset
from service.exchange.incoming import bgstats
from service.exchange.incoming.taking import PlayImporter
from service.exchange.spreadsheets import csv_lines
from service.exchange.tables import BY_NAME
from service.recording.judging import Draft
from service.recording.recorder import record_whole_game
from service.recording.transfers import export_record, import_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from service.exchange.tables import Recorded
    from service.exchange.tables import Row as Cells

PLAYS = 500


def rate(count: int, act: Callable[[], object]) -> float:
    """Things per second, if `act` does `count` of them."""
    started = time.perf_counter()
    act()
    return count / (time.perf_counter() - started)


def opening() -> Draft:
    """The first event of a game of Kahuna."""
    data = {"ruleset": KAHUNA.name, "revision": KAHUNA.revision, "seats": [{}, {}]}
    return Draft(id=str(uuid7()), type="game.opened", data=data)


def drafts(seed: int) -> Iterator[Draft]:
    """The moves of a random game of Kahuna."""
    for move, _ in playout(KAHUNA.open({}, None, 2), random.Random(seed)):
        yield Draft(id=str(uuid7()), data={"move": KAHUNA.move_data(move)})


def raw(folder: Path) -> None:
    """Entries per second of a raw SELECT of all rows of the log."""
    with closing(sqlite3.connect(folder / LOG)) as db, db:
        for _ in db.execute("select * from event order by game, version"):
            pass
    db.close()


def exports(folder: Path) -> Iterator[Row]:
    """Entries per second of each full export."""
    with Archive(folder) as archive:
        games = [record(archive, seed=seed) for seed in range(GAMES)]
        entries = archive.log.position()

        def found() -> Iterator[Recorded]:
            return (recorded_game(archive, archive.folds.current(game), RECORD) for game in games)

        def records() -> list[bytes]:
            return [line for game in games for line in export_record(archive, game, names=False)]

        def table() -> list[bytes]:
            rows = (row for each in found() for row in BY_NAME["entries"].rows(each))
            return list(csv_lines(BY_NAME["entries"], rows))

        def cells() -> Iterator[tuple[str, Cells]]:
            return ((table.name, row) for table, row in rows_of(found()))

        def database() -> None:
            with tempfile.TemporaryDirectory() as other:
                dataset.fill(dataset.open_dataset(str(Path(other, "plays.db"))), cells())

        aims = (("records (NDJSON)", records, ">= 0.4"), ("entries (CSV)", table, ">= 0.25"))
        for name, act, aim in (*aims, ("a dataset of all tables", database, ">= 0.25")):
            figures = rounds(3, lambda act=act: Pair(rate(entries, act), rate(entries, lambda: raw(folder))))  # type: ignore[misc]
            yield Row(f"export of {name}", figures[0], "entries/s", *figures[1:], aim)


def imports(folder: Path) -> Iterator[Row]:
    """The time to import records, compared with recording each of the same games in one request."""
    drafted = [list(drafts(seed)) for seed in range(GAMES)]

    def measure() -> Pair:
        made = [(opening(), each) for each in drafted]
        with tempfile.TemporaryDirectory(dir=folder) as one, tempfile.TemporaryDirectory(dir=folder) as other:
            with Archive(Path(one)) as archive:
                floor = rate(1, lambda: [record_whole_game(archive, *each, recorder="benchmark") for each in made])
                entries, games = archive.log.position(), [first.id for first, _ in made]
                file = io.BytesIO(
                    b"".join(line for game in games for line in export_record(archive, game, names=False))
                )
            with Archive(Path(other)) as archive:
                value = rate(entries, lambda: import_records(archive, file, lambda _: None, None))
        return Pair(value, floor * entries)

    figures = rounds(3, measure)
    yield Row("import of records, against recording them", figures[0], "entries/s", *figures[1:], ">= 0.5")


def plays(folder: Path) -> Iterator[Row]:
    """The time to import plays of BG Stats, at first and again from the same file."""
    content = json.dumps(
        {
            "players": [{"id": number, "name": f"Person {number}"} for number in range(4)],
            "games": [{"id": 0, "name": "Azul"}],
            "plays": [
                {
                    "uuid": str(uuid7()),
                    "gameRefId": 0,
                    "playDate": "2026-11-22 19:30:00",
                    "playerScores": [
                        {"playerRefId": number, "score": str(number), "winner": number == 3} for number in range(4)
                    ],
                }
                for _ in range(PLAYS)
            ],
        }
    ).encode()
    with Archive(folder) as archive:
        intake = PlayImporter(archive, "benchmark", lambda _: None)
        for name, what in (("import of plays, with people", "new"), ("the same plays again", "same")):

            def take(what: str = what) -> None:
                assert all(intake.take(play.item()).what == what for play in bgstats.read(content))

            yield Row(name, rate(PLAYS, take), "plays/s")


def run() -> list[Row]:
    """The rows of this benchmark."""
    found: list[Row] = []
    for measure in (exports, imports, plays):
        with tempfile.TemporaryDirectory() as folder:
            found += measure(Path(folder))
    return found
