"""Tables of many games at the command line."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow.parquet import read_table

from service.exchange import parquet
from service.exchange.tables import TABLES

if TYPE_CHECKING:
    from .conftest import Kifu

pytestmark = pytest.mark.service("kept")

OLDER = Path(__file__).parents[2] / "golden" / "events" / "schema-3.ndjson"
"""A game of an earlier day."""


@pytest.fixture
def game(kifu: Kifu) -> str:
    return kifu.play()


@pytest.mark.slow
def test_a_table_is_written_as_the_file_is_called(kifu: Kifu, game: str, tmp_path: Path) -> None:
    kifu("tables", tmp_path / "seats.csv", "seats")
    assert len(list(csv.DictReader(io.StringIO((tmp_path / "seats.csv").read_text())))) == 2
    kifu("tables", tmp_path / "all.xlsx", "--from", "2020-01-01")
    assert (tmp_path / "all.xlsx").read_bytes()[:2] == b"PK"
    kifu("tables", tmp_path / "plays.json")
    assert json.loads((tmp_path / "plays.json").read_text())["plays"] == []
    kifu("tables", tmp_path / "plays.xml")
    kifu("export", tmp_path / "again.xml", "--from", "2026-01-01")
    for file in ("plays.xml", "again.xml"):
        assert b'total="0"' in (tmp_path / file).read_bytes()
    assert game in kifu("tables", "-")
    assert game not in kifu("tables", "-", "--ruleset", "manapani")
    assert "exists already" in kifu.fails("tables", tmp_path / "all.xlsx")
    assert "should end in one of" in kifu.run("tables", tmp_path / "all.pdf").stderr
    assert "'yesterday' is not a day: write it as 2025-08-31." in kifu.run("tables", "-", "--from", "yesterday").stderr


@pytest.mark.slow
def test_csv_is_written_for_the_spreadsheets_of_a_country(kifu: Kifu, game: str, tmp_path: Path) -> None:
    assert kifu("tables", "-", "--locale", "de").startswith("game;ruleset;")
    assert kifu("tables", "-", "--locale", "ja").startswith("game,ruleset,")
    kifu("export", game, tmp_path / "seats.csv", "--table", "seats", "--locale", "pt", "--bom")
    assert (tmp_path / "seats.csv").read_bytes().startswith(b"\xef\xbb\xbfgame;seat;")
    kifu("export", tmp_path / "all.csv", "--ruleset", "kahuna", "--locale", "pt")
    assert (tmp_path / "all.csv").read_bytes().startswith(b"game;ruleset;")
    assert "no language or country" in kifu.fails("tables", "-", "--locale", "xx", code=2)
    assert "only for CSV" in kifu.fails("export", game, tmp_path / "game.txt", "--bom", code=2)


@pytest.mark.slow
def test_a_dataset_takes_what_is_new_and_every_table_and_view_answers(kifu: Kifu, game: str, tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    assert "1 game" in kifu.run("dataset", file).stderr
    kifu("record", game, stdin="note they laughed\n")
    other = kifu.play()
    kifu("dataset", file)
    with closing(sqlite3.connect(file)) as db:
        names = [name for (name,) in db.execute("select name from sqlite_master where type in ('table', 'view')")]
        assert {table.name for table in TABLES} | {"results", "wins", "moves", "columns"} <= set(names)
        for name in names:
            db.execute(f'select * from "{name}"').fetchall()
        assert {found for (found,) in db.execute("select game from games")} == {game, other}
        assert db.execute("select text from entries where type = 'note.added'").fetchall() == [("they laughed",)]
        assert db.execute("pragma foreign_key_check").fetchall() == []
        meanings = db.execute("select count(*) from columns where meaning != ''").fetchone()[0]
        assert meanings == sum(len(table.columns) for table in TABLES)
        once = db.execute("select count(*), count(distinct game || '/' || entry) from entries").fetchone()
        assert once[0] == once[1]
    explained = json.loads((tmp_path / "club.db.metadata.json").read_text())
    assert explained["databases"]["club"]["tables"]["games"]["columns"]["place"] == "where it was played"


@pytest.mark.slow
def test_a_second_dataset_of_other_games_has_the_older_ones_too(kifu: Kifu, game: str, tmp_path: Path) -> None:
    file, other = tmp_path / "club.db", kifu.open("--black", "Zoe", "--white", "Yan")
    assert "1 game" in kifu.run("dataset", file, "--person", "Zoe").stderr
    assert "1 game" in kifu.run("dataset", file).stderr
    assert "0 games" in kifu.run("dataset", file).stderr
    with closing(sqlite3.connect(file)) as db:
        assert {found for (found,) in db.execute("select game from games")} == {game, other}


@pytest.mark.slow
def test_a_second_dataset_has_what_was_imported_though_it_is_older(kifu: Kifu, game: str, tmp_path: Path) -> None:
    """Imported entries keep their times: what came last is not what was recorded last."""
    file = tmp_path / "club.db"
    kifu("dataset", file)
    kifu("import", OLDER)
    assert "1 game" in kifu.run("dataset", file).stderr
    with closing(sqlite3.connect(file)) as db:
        (first, _), (second, _) = db.execute("select game, last_at from games order by last_at")
        assert (first == game, second) == (False, game)
        assert db.execute("select count(*) from entries where game = ?", [first]).fetchone() == (19,)
    assert "0 games" in kifu.run("dataset", file).stderr


@pytest.mark.slow
def test_a_second_dataset_knows_who_was_merged_renamed_and_erased(kifu: Kifu, tmp_path: Path) -> None:
    """Also in games that did not change: it is as one that is made anew."""
    for black, white in (("Aiko", "Ben"), ("Aiko K.", "Carl"), ("Dora", "Emil")):
        kifu.open("--black", black, "--white", white)
    again, anew = tmp_path / "again.db", tmp_path / "anew.db"
    kifu("dataset", again)
    kifu("people", "merge", "Aiko K.", "Aiko")
    kifu("players", "name", "Ben", "Benjamin")
    kifu("players", "erase", "Carl", "--yes")
    kifu("dataset", again)
    kifu("dataset", anew)
    with closing(sqlite3.connect(again)) as old, closing(sqlite3.connect(anew)) as new:
        for table in TABLES:
            rows = [set(db.execute(f"select * from [{table.name}]")) for db in (old, new)]
            assert rows[0] == rows[1], table.name
            assert [db.execute("pragma foreign_key_check").fetchall() for db in (old, new)] == [[], []]
        named = {name for (name,) in old.execute("select player_name from seats")}
        assert named == {"Aiko", "Benjamin", "Dora", "Emil", None}


def test_a_file_that_is_no_dataset_is_left_alone(kifu: Kifu, game: str, tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("create table something (a)")
    assert "is not a dataset" in kifu.fails("dataset", file)
    (tmp_path / "text.db").write_text("hello " * 100)
    assert "text.db: file is not a database" in kifu.fails("dataset", tmp_path / "text.db")
    kifu("dataset", file, "--fresh")
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("select game from games").fetchall() == [(game,)]


@pytest.mark.slow
def test_parquet_has_the_tables_of_the_dataset_after_a_second_run_too(kifu, tmp_path):
    kifu.play("deal black BARI COCO DUDA\nb-d\n")
    kifu("dataset", tmp_path / "club.db", "--parquet", tmp_path / "tables")
    kifu.play("deal black BARI COCO DUDA\n")
    kifu("dataset", tmp_path / "club.db", "--parquet", tmp_path / "tables")
    database = sqlite3.connect(tmp_path / "club.db")
    for table in TABLES:
        found = read_table(tmp_path / "tables" / f"{table.name}.parquet")
        key = ", ".join(column.name for column in table.columns[: table.key])
        rows = database.execute(f"select * from [{table.name}] order by {key}").fetchall()
        assert [tuple(row.values()) for row in found.to_pylist()] == rows
        meanings = [found.schema.field(column.name).metadata[b"comment"].decode() for column in table.columns]
        assert meanings == [column.meaning for column in table.columns]
    database.close()
    assert read_table(tmp_path / "tables" / "games.parquet").num_rows == 2


def test_parquet_without_pyarrow_says_how_to_get_it(kifu, tmp_path, monkeypatch):
    kifu.play("deal black BARI COCO DUDA\n")
    monkeypatch.setattr(parquet, "find_spec", lambda _: None)
    assert "pip install kifu[parquet]" in kifu.fails("dataset", tmp_path / "club.db", "--parquet", tmp_path / "t")
    assert not (tmp_path / "club.db").exists()


@pytest.mark.slow
def test_reports_and_blank_sheets_are_written_to_print(kifu: Kifu, game: str, tmp_path: Path) -> None:
    kifu("tables", tmp_path / "season.html", "--from", "2020-01-01")
    assert "Games and standings" in (tmp_path / "season.html").read_text(encoding="utf-8")
    kifu("export", game, tmp_path / "game.html", "--format", "report")
    assert "Final board" in (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "Final board" in kifu("export", game, "--format", "report", "--seat", "public")
    kifu("rulesets", "sheet", "scoresheet", tmp_path / "wizard.html", "--template", "wizard", "--seats", "4")
    assert "Wizard" in (tmp_path / "wizard.html").read_text(encoding="utf-8")
    assert "Kahuna" in kifu("rulesets", "sheet", "kahuna", "-")
    assert "exists already" in kifu.fails("rulesets", "sheet", "kahuna", tmp_path / "wizard.html")
    assert "template" in kifu.fails("rulesets", "sheet", "kahuna", "-", "--template", "wizard")
