"""Statistics from the moves, and proposals of merges, at the command line."""

from __future__ import annotations

import json

import pytest

from .conftest import ROOT

pytestmark = pytest.mark.service("kept")

GOLDENS = ROOT / "tests" / "golden" / "kahuna"


@pytest.mark.slow
def test_statistics_of_the_moves_are_printed(kifu) -> None:
    for name in ("points", "adjudicated"):
        kifu("import", str(GOLDENS / f"{name}.txt"))
    told = kifu("stats", "--moves")
    assert "kahuna. Games: 2." in told
    assert "points:round-1" in told
    assert "opening:" in told
    assert kifu("stats", "--game", "kahuna", "--players", "3") == "", "there is none"
    assert '"kinds"' in kifu("stats", "--place", "nowhere", "--json")
    assert "1 of 2 games behind this figure." in kifu("stats", "--behind", "points:round-1", "--limit", "1")
    assert json.loads(kifu("stats", "--behind", "timed", "--json"))["n"] == 0
    assert kifu("stats", "--moves", "--csv").startswith("kind,table,of,games,")
    assert kifu("ratings", "--csv").splitlines()[0] == "rank,player,name,rating,mu,sigma,games"
    assert kifu("year", "--csv", "--locale", "de").startswith("table;of;name;games;")


@pytest.mark.slow
def test_people_who_seem_to_be_entered_twice_are_listed_and_merged(kifu) -> None:
    for first, second in (("Anna Lena", "Ben"), ("AnnaLena", "Cleo")):
        kifu("open", "kahuna", "--black", first, "--white", second)
    assert "names that are alike" in kifu("people", "alike")
    preview = kifu("people", "merge", "AnnaLena", "Anna Lena", "--dry-run")
    assert "both" in preview
    assert "names that are alike" in kifu("people", "alike"), "nothing was merged"
    kifu("people", "merge", "AnnaLena", "Anna Lena")
    assert kifu("people", "alike") == "", "nobody is left"


@pytest.mark.slow
def test_a_year_in_review_is_printed_and_drawn(kifu, tmp_path) -> None:
    kifu("import", str(GOLDENS / "points.txt"))
    told = kifu("year")
    assert "Games: 1. Days: 1." in told
    assert "kahuna" in told
    assert '"figures"' in kifu("year", "--json")
    assert kifu("year", "--year", "1999") == "", "there is none"
    picture = tmp_path / "year.svg"
    kifu("year", "--picture", str(picture))
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_what_is_held_about_a_person_is_written(kifu, tmp_path) -> None:
    kifu("open", "kahuna", "--black", "Aiko", "--white", "Ben")
    held = json.loads(kifu("players", "held", "Aiko"))
    assert [*held["names"].values()] == ["Aiko"]
    assert len(held["games"]) == 1
    path = tmp_path / "held.json"
    kifu("players", "held", "Aiko", str(path))
    assert json.loads(path.read_text(encoding="utf-8")) == held
