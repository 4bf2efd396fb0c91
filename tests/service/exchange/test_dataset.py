"""The questions of the guide are answered by a dataset of the samples, and its tables are those of the code."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.cli.upkeep.samples import bring_samples
from service.exchange.dataset import fill, open_dataset
from service.exchange.tables import BY_NAME, TABLES
from tests.service.cli.conftest import Kifu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.exchange.tables import Row

GUIDE = (Path(__file__).parents[3] / "docs" / "exchange.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"```sql\n([^`]+)```\n\nIn the sample games: (.*)", GUIDE)
"""Each question, and the rows that the guide shows of its answer."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    folder = tmp_path_factory.mktemp("club")
    kifu = Kifu(folder / "data")
    bring_samples(kifu.data)
    kifu("dataset", folder / "club.db")
    connection = sqlite3.connect(folder / "club.db")
    yield connection
    connection.close()


@pytest.mark.parametrize(("question", "answer"), QUESTIONS, ids=range(len(QUESTIONS)))
@pytest.mark.slow
def test_a_question_of_the_guide_is_answered(club: sqlite3.Connection, question: str, answer: str) -> None:
    rows = [" | ".join(map(str, row)) for row in club.execute(question)]
    shown = re.findall(r"`(.+?)`", answer)
    assert shown
    assert set(shown) <= set(rows)


def test_the_guide_names_every_column_with_its_meaning() -> None:
    assert len(QUESTIONS) == 5
    for table in TABLES:
        assert f"### `{table.name}`: {table.meaning}" in GUIDE
        for column in table.columns:
            assert f"| `{column.name}` | {column.type} | {column.meaning} |" in GUIDE


def game_of(status: str | None = None) -> tuple[str, Row]:
    cells = {"game": "a game", "status": status}
    return "games", tuple(cells.get(column.name) for column in BY_NAME["games"].columns)


def seat_of(player: str) -> tuple[str, Row]:
    return "seats", ("a game", 0, player, *[None] * (len(BY_NAME["seats"].columns) - 3))


def test_a_person_who_lost_the_only_seat_is_in_no_dataset_any_more(tmp_path: Path) -> None:
    database = open_dataset(str(tmp_path / "plays.db"))
    for player in ("Ada", "Ben"):
        fill(database, iter([("people", (player, player)), game_of(), seat_of(player)]))
        assert database.execute("select player from people").fetchall() == [(player,)]
    database.conn.close()


def test_a_person_without_a_name_has_none_among_wins(tmp_path: Path) -> None:
    """It is not that of a seat. An older dataset has the view of today as soon as it is opened."""
    path = str(tmp_path / "plays.db")
    database = open_dataset(path)
    database.create_view("wins", "select 'Seat 1' as player_name", replace=True)
    database.conn.close()
    database = open_dataset(path)
    fill(database, iter([("people", ("Ada", None)), game_of("finished"), seat_of("Ada")]))
    assert database.execute("select player, player_name, plays from wins").fetchall() == [("Ada", None, 1)]
    database.conn.close()


def test_a_dataset_that_is_cut_off_has_nothing_of_what_was_new(tmp_path: Path) -> None:
    database = open_dataset(str(tmp_path / "plays.db"))
    people = [("people", (f"person {number}", "Ada")) for number in range(3)]
    fill(database, iter([people[0], game_of(), seat_of("person 0")]))

    def cut() -> Iterator[tuple[str, Row]]:
        yield from people[1:]
        raise ConnectionError

    with pytest.raises(ConnectionError):
        fill(database, cut())
    other = sqlite3.connect(tmp_path / "plays.db")
    assert other.execute("select player from people").fetchall() == [("person 0",)]
    other.close()
    database.conn.close()
