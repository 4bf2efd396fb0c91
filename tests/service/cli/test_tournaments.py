"""Tournaments on the command line."""

from __future__ import annotations

import json

import pytest

from tests.service.cli.conftest import Kifu

pytestmark = pytest.mark.service("kept")


@pytest.fixture
def elsewhere(tmp_path) -> Kifu:
    """Another data folder."""
    return Kifu(tmp_path / "elsewhere")


@pytest.mark.slow
def test_a_tournament_from_its_founding_to_its_archive(kifu, elsewhere, tmp_path):
    cup = json.loads(kifu("tournaments", "create", "Cup", "--tie-break", "buchholz", "--rounds", "2", "--json"))[
        "tournament"
    ]
    kifu("tournaments", "enter", "Cup", "Aiko", "Ben", "Cleo")
    paired = kifu("tournaments", "pair", "Cup")
    assert "Round 1" in paired
    assert "Table during round 1" in kifu("tournaments", "show", "Cup")
    told = kifu("tournaments", "result", "Cup", "1", "7", "3")
    assert "Table after round 1" in told
    explained = kifu("tournaments", "explain", cup, "Aiko")
    assert "buchholz" in explained
    assert "no player Zoe in this tournament" in kifu.fails("tournaments", "explain", "Cup", "Zoe")
    assert "no tournament None" in kifu.fails("tournaments", "show", "None")
    kifu("tournaments", "pair", "Cup")
    row = json.loads(kifu("tournaments", "show", "Cup", "--json"))["rounds"][1]["tables"][0]["players"]
    away = {
        each["player"]: each["name"] for each in json.loads(kifu("tournaments", "show", "Cup", "--json"))["players"]
    }
    kifu("tournaments", "result", "Cup", "1", "--forfeit", away[row[0]])
    assert json.loads(kifu("tournaments", "show", "Cup", "--after", "1", "--json"))["after"] == 1
    assert "tournament.result_entered" in kifu("tournaments", "history", "Cup")
    kifu("tournaments", "undo", "Cup", "8")
    assert "(8 " in kifu("tournaments", "history", "Cup")
    assert cup in kifu("tournaments", "list", "--json")
    kifu("tournaments", "organiser", "Cup", "Dai")
    assert kifu("tournaments", "show", "Cup", "--csv").startswith("rank,player,name,points,played,group,buchholz")
    kifu("tournaments", "bye", "Cup", "Aiko", "9", "--zero")
    kifu("tournaments", "leave", "Cup", "Aiko")
    file = tmp_path / "cup.ndjson"
    kifu("tournaments", "export", "Cup", file)
    assert "Sound" in kifu("verify", file)
    everything = tmp_path / "all.zip"
    kifu("export", "--all", everything)
    assert f"tournament {cup}: new" in elsewhere("import", everything)
    assert json.loads(elsewhere("tournaments", "show", cup, "--json"))["name"] == "Cup"


@pytest.mark.slow
def test_the_game_of_a_table_is_opened_and_a_club_has_it(kifu):
    kifu("clubs", "create", "Club")
    kifu("tournaments", "create", "Cup", "--club", "Club", "--minutes", "45", "--format", "round_robin")
    kifu("tournaments", "enter", "Cup", "Aiko", "Ben")
    kifu("tournaments", "pair", "Cup")
    assert "ruleset: say what is played: the tournament does not" in kifu.fails("tournaments", "open", "Cup", "1")
    options = ("--ruleset", "scoresheet", "--options", '{"template": "rounds"}')
    game = kifu("tournaments", "open", "Cup", "1", *options).strip()
    assert game in json.loads(kifu("clubs", "show", "Club", "--json"))["games"]
    kifu("record", game, "-", stdin="r1 7 4\nend\n")
    shown = json.loads(kifu("tournaments", "show", "Cup", "--json"))
    assert (shown["rounds"][0]["tables"][0]["places"], shown["rules"]["minutes"]) == ([1, 2], 45)
    assert "--options" in kifu.fails("tournaments", "open", "Cup", "1", "--options", "{")
    assert "this table has a game already" in kifu.fails("tournaments", "open", "Cup", "1", *options)


@pytest.mark.slow
def test_teams_are_entered_by_name(kifu) -> None:
    kifu("tournaments", "create", "Team Cup", "--rounds", "1")
    for name, *members in (("Red Foxes", "Aiko", "Ben"), ("Blue Owls", "Cleo", "Dai")):
        told = kifu("tournaments", "team", "Team Cup", name, *members)
    assert "1 Red Foxes" in told
    kifu("tournaments", "team", "Team Cup", "Red Foxes", "Aiko", "Eri")
    kifu("tournaments", "pair", "Team Cup")
    assert "Red Foxes" in kifu("tournaments", "result", "Team Cup", "1", "3", "1")
    assert "no tie-breaks" in kifu("tournaments", "explain", "Team Cup", "Red Foxes")


@pytest.mark.slow
def test_numbers_of_a_result_are_read_as_they_are_written(kifu) -> None:
    kifu("tournaments", "create", "Cup", "--rounds", "1")
    kifu("tournaments", "enter", "Cup", "Aiko", "Ben")
    kifu("tournaments", "pair", "Cup")
    for wrong, why in (
        (("nan", "1"), "nan is not a number of points"),
        (("1", "inf"), "inf is not a number of points"),
        (("nan", "1", "--places"), "nan is not a place: places are whole numbers"),
        (("inf", "1", "--places"), "inf is not a place: places are whole numbers"),
        (("1.5", "2", "--places"), "1.5 is not a place: places are whole numbers"),
    ):
        assert why in kifu.fails("tournaments", "result", "Cup", "1", *wrong)

    def table() -> dict[str, list[float]]:
        seen = json.loads(kifu("tournaments", "show", "Cup", "--json"))
        found: dict[str, list[float]] = seen["rounds"][0]["tables"][0]
        return found

    assert table()["places"] is None, "nothing was entered"
    kifu("tournaments", "result", "Cup", "1", "-3.5", "-4")
    assert (table()["scores"], table()["places"]) == ([-3.5, -4], [1, 2])
    kifu("tournaments", "result", "Cup", "1", "2", "1", "--places")
    assert table()["places"] == [2, 1]


@pytest.mark.slow
def test_a_result_before_a_round_and_names_that_stand_twice_are_refused(kifu) -> None:
    one, other = (json.loads(kifu("tournaments", "create", "Cup", "--json"))["tournament"] for _ in range(2))
    assert f"Write the id instead: {other}, {one}" in kifu.fails("tournaments", "pair", "Cup")
    assert "Aiko is entered twice: nobody was entered" in kifu.fails("tournaments", "enter", one, "Ben", "Aiko", "Aiko")
    assert json.loads(kifu("tournaments", "show", one, "--json"))["players"] == []
    kifu("tournaments", "enter", one, "Aiko")
    assert "Aiko is entered twice" in kifu.fails("tournaments", "enter", one, "Ben", "Aiko")
    wrong = kifu.fails("tournaments", "result", one, "1", "--forfeit", "Aiko")
    assert "this player does not sit at table 1" in wrong
    for found, more in (("clubs", ()), ("seasons", ("Club",))):
        ids = [json.loads(kifu(found, "create", *more, name, "--json"))[found[:-1]] for name in ("Club", "Other")]
        again = json.loads(kifu(found, "create", *(ids[:0] or more), "Other", "--json"))[found[:-1]]
        assert again in kifu.fails(found, "show", "Other")


def test_a_round_is_paired_by_hand(kifu):
    kifu("tournaments", "create", "Cup")
    kifu("tournaments", "enter", "Cup", "Aiko", "Ben", "Cleo")
    assert "no player Zoe in this tournament" in kifu.fails("tournaments", "pair", "Cup", "--table", "Aiko, Zoe")
    assert "neither --table nor --bye names Ben, Cleo" in kifu.fails("tournaments", "pair", "Cup", "--table", "Aiko,,")
    bye = ("--bye", "Ben", "--bye", "Cleo")
    assert "data.tables" in kifu.fails("tournaments", "pair", "Cup", "--table", "Aiko", *bye)
    assert "somebody is in this round twice" in kifu.fails("tournaments", "pair", "Cup", "--table", "Aiko, Ben", *bye)
    paired = kifu("tournaments", "pair", "Cup", "--table", "Cleo, Ben", "--bye", "Aiko")
    assert "Cleo – Ben" in paired
    assert "Aiko" in paired
