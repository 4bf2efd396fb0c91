"""Seasons on the command line."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.cli.conftest import Kifu

pytestmark = pytest.mark.service("kept")


@pytest.fixture
def elsewhere(tmp_path) -> Kifu:
    """Another data folder."""
    return Kifu(tmp_path / "elsewhere")


@pytest.fixture
def season(kifu) -> str:
    """The id of a season of a club with one game."""
    kifu("clubs", "create", "Club")
    game = kifu("open", "scoresheet", "--option", "template=rounds", "--seat", "Aiko", "--seat", "Ben").strip()
    kifu("record", game, "-", stdin="r1 7 4\nend\n")
    kifu("clubs", "attach", "Club", game)
    rules = ("--points", "3,1", "--tie-break", "wins", "--rules", '{"bonuses": [{"kind": "played", "points": 1}]}')
    return str(json.loads(kifu("seasons", "create", "Club", "Autumn", *rules, "--json"))["season"])


@pytest.mark.slow
def test_a_season_from_its_founding_to_its_archive(kifu, elsewhere, season, tmp_path):
    shown = kifu("seasons", "show", "Autumn")
    assert "Autumn · Club" in shown
    rows = list(csv.DictReader(io.StringIO(kifu("seasons", "show", season, "--csv"))))
    assert [(row["rank"], row["name"], row["points"], row["wins"]) for row in rows] == [
        ("1", "Aiko", "4.0", "1.0"),
        ("2", "Ben", "2.0", "0.0"),
    ]
    assert "Played +1" in kifu("seasons", "explain", "Autumn", "Ben")
    message = kifu.fails("seasons", "explain", "Autumn", "Zoe")
    assert "no player Zoe in this season" in message
    assert "people with a game that counts" in message
    assert "no season None" in kifu.fails("seasons", "show", "None")
    kifu("seasons", "points", "Autumn", "Ben", "-2", "--reason", "late")
    assert "late" in kifu("seasons", "explain", "Autumn", "Ben")
    changed = json.loads(kifu("seasons", "rules", "Autumn", "--least", "2", "--name", "Autumn 2026", "--json"))
    assert (changed["rules"]["least"], changed["rules"]["points"]) == (2, [[3, 1]])
    assert [row["rank"] for row in changed["table"]] == [None, None]
    kifu("seasons", "undo", season, "3")
    assert "(3 " in kifu("seasons", "history", "Autumn")
    game = json.loads(kifu("clubs", "show", "Club", "--json"))["games"][0]
    kifu("seasons", "leave-out", "Autumn", game)
    assert json.loads(kifu("seasons", "show", "Autumn", "--json"))["games"] == 0
    assert season in kifu("seasons", "list", "--json")
    file = tmp_path / "season.ndjson"
    kifu("seasons", "export", "Autumn", file)
    assert "Sound" in kifu("verify", file)
    everything = tmp_path / "all.zip"
    kifu("export", "--all", everything)
    assert f"season {season}: new" in elsewhere("import", everything)
    assert json.loads(elsewhere("seasons", "show", season, "--json"))["club_name"] == "Club"


@pytest.mark.slow
def test_points_that_are_no_numbers_are_refused(kifu, season):
    assert "whole numbers, such as 5,3,2,0" in kifu.fails("seasons", "rules", season, "--points", "5,three")
    assert "data.rules.points" in kifu.fails("seasons", "rules", season, "--points", "1,3")


@pytest.mark.programs
def test_erased_texts_are_gone_from_a_club_a_season_and_a_tournament_and_the_log_is_proved(kifu, season, tmp_path):
    cup = json.loads(kifu("tournaments", "create", "Winter Cup", "--json"))["tournament"]
    for kind, record in (("seasons", season), ("tournaments", cup), ("clubs", "Club")):
        assert kifu.fails(kind, "erase", record, "99", stdin="n\n") == "kifu: there is no entry 99 that you may see\n"
        assert "Erase the text of entry 1 for good?" in kifu.fails(kind, "erase", record, "1", stdin="n\n")
        said = kifu(kind, "erase", record, "1", "--reason", "asked for", "--yes")
        assert "(sealed)" in said, said
    assert '"reason":"asked for"' in kifu("seasons", "history", season)
    kifu("tournaments", "export", cup, str(tmp_path / "cup.ndjson"))
    assert "Winter" not in (tmp_path / "cup.ndjson").read_text(encoding="utf-8")
    verifier = Path(__file__).parents[3] / "examples" / "verify.py"
    subprocess.run([sys.executable, verifier, tmp_path / "cup.ndjson"], check=True)


@pytest.mark.slow
def test_a_table_is_written_as_spreadsheets_of_a_country_read_it(kifu, season):
    german = kifu("seasons", "show", season, "--csv", "--locale", "de", "--bom")
    assert german.startswith("\N{ZERO WIDTH NO-BREAK SPACE}rank;player;name;points;")
    assert ";Aiko;4,0;" in german
    assert "Use --locale and --bom only for CSV." in kifu.fails("seasons", "show", season, "--bom", code=2)
    assert "no language or country" in kifu.fails("seasons", "show", season, "--csv", "--locale", "xx", code=2)
