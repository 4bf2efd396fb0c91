"""Files of many games that an interruption cuts off, and that the same command goes on with."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from werkzeug.test import Client

from service.app import create_app
from service.cli.exchange import stepwise, tables
from service.cli.exchange.stepwise import Step
from service.settings import Settings
from tests.service.conftest import UNLIMITED

from .conftest import Kifu

pytestmark = pytest.mark.slow

OLDER = Path(__file__).parents[2] / "golden" / "events" / "schema-3.ndjson"
"""A game of an earlier day. Its id comes before those of new games."""
FORMS = ["all.ndjson", "all.txt", "games.csv"]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> tuple[list[str], Path]:
    """Five games by their ids, and their data folder. They are recorded once, and each test has a copy."""
    kifu = Kifu(tmp_path_factory.mktemp("recorded") / "data")
    return sorted(kifu.play("deal black BARI COCO DUDA\n") for _ in range(5)), kifu.data


@pytest.fixture
def games(kifu, recorded, monkeypatch) -> list[str]:
    """Five games by their ids; tables are asked for by two games at a time."""
    monkeypatch.setattr(tables, "PAGE", 2)
    games, data = recorded
    kifu.take_copy(data)
    return games


def export(kifu, file):
    return kifu.run("export", file, "--from", "2020-01-01", *([] if file.suffix == ".csv" else ["--names"]))


def interrupted(kifu, file, monkeypatch, steps: int):
    """An export that ends in the middle of a step: somebody pulls the plug."""
    added, real = [], stepwise._Steps.add

    def add(self, step):
        added.append(step.after)
        if len(added) > steps:
            whole = b"".join(step.content)
            real(self, Step([whole[: len(whole) // 2]], None))
            raise OSError("the plug was pulled")
        real(self, step)

    with monkeypatch.context() as patched:
        patched.setattr(stepwise._Steps, "add", add)
        told = export(kifu, file)
    assert told.exit_code == 1
    assert "Repeat the command to continue" in told.stderr
    assert not file.exists()


def went_on_after(kifu, file, monkeypatch) -> str:
    """The last game that was kept, while an export goes on to its end."""
    kept, real = [], stepwise._Steps.add

    def add(self, step):
        kept.append(self.after)
        real(self, step)

    with monkeypatch.context() as patched:
        patched.setattr(stepwise._Steps, "add", add)
        told = export(kifu, file)
    assert told.exit_code == 0, told.output
    assert [path.name for path in file.parent.iterdir() if path.name.startswith(file.name)] == [file.name]
    return kept[0]


def timeless(content: bytes) -> bytes:
    """Records without the time at which they were exported."""
    return re.sub(rb'"exported_at":"[^"]*"', b"", content)


@pytest.mark.parametrize("name", FORMS)
def test_an_interrupted_file_goes_on_and_is_the_same_as_a_whole_one(kifu, games, tmp_path, monkeypatch, name):
    whole, file = tmp_path / f"whole-{name}", tmp_path / name
    export(kifu, whole)
    interrupted(kifu, file, monkeypatch, steps=2)
    assert went_on_after(kifu, file, monkeypatch) == (games[3] if name == "games.csv" else games[1])
    assert timeless(file.read_bytes()) == timeless(whole.read_bytes())


@pytest.mark.parametrize("name", FORMS)
def test_the_command_line_writes_what_the_api_answers(kifu, games, tmp_path, name):
    export(kifu, tmp_path / name)
    export_of = {"all.ndjson": "records.ndjson?names=true&limit=5", "all.txt": "records.txt?names=true&limit=5"}
    owner = {"Authorization": f"Bearer {(kifu.data / 'owner.token').read_text().strip()}"}
    with closing(create_app(Settings(data=kifu.data, **UNLIMITED))) as app:
        path = f"/v1/exports/{export_of.get(name, 'games.csv?limit=5')}"
        content = Client(app).get(path, headers=owner).get_data()
    assert timeless((tmp_path / name).read_bytes()) == timeless(content)
    assert content.count(b"\n") > 5


def test_a_game_that_went_on_meanwhile_is_written_anew_with_all_after_it(kifu, games, tmp_path, monkeypatch):
    file = tmp_path / "all.ndjson"
    interrupted(kifu, file, monkeypatch, steps=4)
    kifu("note", games[2], "the rain stopped")
    assert went_on_after(kifu, file, monkeypatch) == games[1]
    assert file.read_bytes().count(b"the rain stopped") == 1
    assert "Sound: 11 entries of 5 games." in kifu("verify", file)


@pytest.mark.parametrize("name", FORMS)
def test_an_older_game_that_was_imported_meanwhile_is_not_missing(kifu, games, tmp_path, monkeypatch, name):
    """Its entries keep their times, so that it is not the game that was recorded last."""
    whole, file = tmp_path / f"whole-{name}", tmp_path / name
    interrupted(kifu, file, monkeypatch, steps=2)
    kifu("import", OLDER)
    assert went_on_after(kifu, file, monkeypatch) == ""
    export(kifu, whole)
    assert timeless(file.read_bytes()) == timeless(whole.read_bytes())


def test_nothing_is_kept_of_names_that_were_erased_or_of_another_question(kifu, games, tmp_path, monkeypatch):
    file = tmp_path / "all.ndjson"
    interrupted(kifu, file, monkeypatch, steps=4)
    kifu("players", "erase", "Anna", "--yes")
    assert went_on_after(kifu, file, monkeypatch) == ""
    assert b"Anna" not in file.read_bytes()
    interrupted(kifu, tmp_path / "seats.csv", monkeypatch, steps=1)
    kifu("export", tmp_path / "seats.csv", "--table", "seats", "--from", "2020-01-01")
    assert (tmp_path / "seats.csv").read_text().startswith("game,seat,")


@pytest.mark.parametrize("spoil", [lambda part: part[:-1], lambda part: b"x" + part[1:]], ids=["shorter", "other"])
def test_only_bytes_that_were_written_are_kept(kifu, games, tmp_path, monkeypatch, spoil):
    whole, file = tmp_path / "whole.txt", tmp_path / "all.txt"
    export(kifu, whole)
    interrupted(kifu, file, monkeypatch, steps=4)
    part = tmp_path / "all.txt.part"
    part.write_bytes(spoil(part.read_bytes()))
    went_on_after(kifu, file, monkeypatch)
    assert file.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("journal", [None, b"", b"\xff", b'{"asked":1}\n'])
def test_a_file_that_no_export_left_stays_as_it_is(kifu, games, tmp_path, journal):
    part = tmp_path / "all.txt.part"
    part.write_bytes(b"my diary")
    if journal is not None:
        part.with_name("all.txt.part.steps").write_bytes(journal)
    told = export(kifu, tmp_path / "all.txt")
    assert (told.exit_code, "is not a part of an export" in told.stderr) == (1, True)
    assert part.read_bytes() == b"my diary"


def test_a_game_that_cannot_be_had_is_named_also_after_an_interruption(kifu, games, tmp_path, monkeypatch, damage):
    damage(games[0])
    file = tmp_path / "all.ndjson"
    interrupted(kifu, file, monkeypatch, steps=3)
    told = export(kifu, file)
    assert told.exit_code == 1
    assert f"game {games[0]} is left out" in told.stderr
    headers = [json.loads(line) for line in file.read_bytes().splitlines() if b'"kifu.game"' in line]
    assert [header["game"] for header in headers] == games[1:]


def test_a_question_that_is_refused_leaves_no_file(kifu, tmp_path):
    folder = tmp_path / "written"
    folder.mkdir()
    assert "q: Longer than" in kifu.fails("tables", folder / "games.csv", "--query", "x" * 300)
    assert [*folder.iterdir()] == []
