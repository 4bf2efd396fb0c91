"""A person can be left out of public tables: strangers read no name there, and no other number changes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from tests.service.conftest import Guest
from tests.service.people.test_seasons import PEOPLE, Club

if TYPE_CHECKING:
    from tests.service.conftest import Api

AIKO, BEN = PEOPLE


@pytest.fixture
def club(api: Api) -> Club:
    """A public club with a season, a tournament and five public games."""
    club = Club(api)
    for _ in range(5):
        api.show(club.play(7, 4))
    for player in PEOPLE:
        joined = {"id": str(uuid7()), "type": "club.member_joined", "data": {"player": player}}
        assert api.post(f"/v1/clubs/{club.club}/entries", joined).status_code == 201
    api.catch_up()
    return club


def _listed(api: Api, player: str, *, listed: bool) -> Any:
    return api.request("PUT", f"/v1/players/{player}/listing", json={"listed": listed})


def _cup(api: Api) -> str:
    cup = str(uuid7())
    assert api.post("/v1/tournaments", {"id": cup, "name": "Cup", "public": True}).status_code == 201
    for player in PEOPLE:
        entered = {"id": str(uuid7()), "type": "tournament.player_entered", "data": {"player": player}}
        assert api.post(f"/v1/tournaments/{cup}/entries", entered).status_code == 201
    paired = {"id": str(uuid7()), "type": "tournament.round_paired", "data": {}}
    assert api.post(f"/v1/tournaments/{cup}/entries", paired).status_code == 201
    return cup


@pytest.mark.slow
def test_strangers_read_no_name_in_any_table_and_the_same_numbers(api: Api, club: Club) -> None:
    cup, stranger = _cup(api), Guest(api.app, "", None)
    year = f"/year?club={club.club}"
    tables = [
        f"/v1/clubs/{club.club}",
        f"/v1/clubs/{club.club}/entries",
        f"/v1/seasons/{club.season}",
        f"/v1/tournaments/{cup}",
        f"/v1/players/{BEN}/statistics",
        f"/v1/statistics?player={AIKO}",
        "/v1/ratings",
        f"/seasons/{club.season}",
        f"/seasons/{club.season}/table.csv",
        f"/v1/tournaments/{cup}/entries",
        f"/statistics?player={AIKO}",
        f"/statistics?player={BEN}&with={AIKO}",
        f"/statistics?club={club.club}",
        f"/tournaments/{cup}",
        f"/tournaments/{cup}/wall",
        f"/tournaments/{cup}/table.csv",
        f"/clubs/{club.club}",
        f"/people/{AIKO}",
        f"/people/{BEN}",
        "/people",
        "/people/table.csv",
        f"/people/{BEN}/table.csv",
        "/year/table.csv",
        year,
        year.replace("?", ".svg?"),
    ]
    before = {path: stranger.get(path) for path in tables}
    named = {path for path, answer in before.items() if "Aiko" in answer.text}
    assert named >= set(tables) - {
        f"/statistics?club={club.club}",
        year.replace("?", ".svg?"),
        f"/v1/clubs/{club.club}/entries",
    }
    owners = {path: api.get(path).text for path in tables}
    answer = _listed(api, AIKO, listed=False)
    assert (answer.status_code, answer.get_json()["listed"]) == (200, False)
    for path in tables:
        found = stranger.get(path)
        assert "Aiko" not in found.text, path
    for part in ("rank", "points", "played"):
        then, now = (
            [row[part] for row in each.get_json()["table"]]
            for each in (before[f"/v1/seasons/{club.season}"], stranger.get(f"/v1/seasons/{club.season}"))
        )
        assert then == now
    for path in tables[:6]:
        assert "Aiko" in api.get(path).text or "Aiko" not in owners[path]
    assert _listed(api, AIKO, listed=True).get_json()["listed"] is True
    assert {path for path in tables if "Aiko" in stranger.get(path).text} == named


def _standings(reader: Api) -> list[list[str]]:
    """The lines of the standings of a report: rank, name, games, wins and share."""
    report = reader.get("/v1/exports/report.html").text
    rows = report.rpartition("<h2>")[2].split("<tr>")[2:]
    return [re.findall(r">([^<>\n]+)</(?:td|bdi)>", row) for row in rows]


@pytest.mark.slow
def test_the_standings_of_a_report_name_nobody_who_is_left_out_or_erased(api: Api, club: Club) -> None:
    twice = api.open(
        ruleset="scoresheet",
        options={"template": "rounds"},
        seats=[{"player": AIKO}, {"player": BEN}, {"player": AIKO}],
    )
    api.record(twice, "r1 5 4 3", "end")
    api.show(twice)
    api.catch_up()
    stranger = Guest(api.app, "", None)
    first, second = ["1", "Aiko", "6", "6", "100 %"], ["2", "Ben", "6", "0", "0 %"]
    assert _standings(stranger) == [first, second], "a game of two own seats is one game"
    _listed(api, AIKO, listed=False)
    assert "Aiko" not in stranger.get(f"/v1/exports/report.html?player={AIKO}").text.partition("<table>")[0]
    assert _standings(stranger) == [["1", "somebody", "6", "6", "100 %"], second]
    assert _standings(api) == [first, second]
    _listed(api, AIKO, listed=True)
    assert api.request("DELETE", f"/v1/players/{AIKO}").status_code == 204
    assert _standings(stranger) == [["1", "somebody", "6", "6", "100 %"], second], "no other number changes"


def test_somebody_who_is_left_out_has_no_line_in_the_ratings_of_strangers(api: Api, club: Club) -> None:
    stranger = Guest(api.app, "", None)
    assert {each["player"] for each in stranger.get("/v1/ratings").get_json()["ratings"]} == set(PEOPLE)
    _listed(api, AIKO, listed=False)
    assert [each["player"] for each in stranger.get("/v1/ratings").get_json()["ratings"]] == [BEN]
    assert {each["player"] for each in api.get("/v1/ratings").get_json()["ratings"]} == set(PEOPLE)
    assert stranger.get("/v1/ratings").get_json()["brier"] == api.get("/v1/ratings").get_json()["brier"]
    page = f"/v1/players/{AIKO}/statistics"
    told, known = stranger.get(page).get_json(), api.get(page).get_json()
    assert (told["rating"], told["history"], told["figures"]) == (None, [], known["figures"])
    assert known["rating"]["player"] == AIKO


def test_the_person_may_say_it_and_reads_the_own_name_and_others_may_not(api: Api, club: Club) -> None:
    aiko, ben = (api.let_in("viewer", person=player) for player in PEOPLE)
    assert _listed(ben, AIKO, listed=False).status_code == 403
    assert _listed(Guest(api.app, "", None), AIKO, listed=False).status_code == 401
    assert _listed(aiko, AIKO, listed=False).status_code == 200
    path = f"/v1/seasons/{club.season}"
    assert [row["name"] for row in aiko.get(path).get_json()["table"]] == ["Aiko", "Ben"]
    assert [row["name"] for row in ben.get(path).get_json()["table"]] == [None, "Ben"]


def test_it_holds_for_all_ids_of_a_person_and_stands_in_the_trail(api: Api, club: Club) -> None:
    other = str(uuid7())
    api.request("PUT", f"/v1/players/{other}", json={"name": "Aiko Sato"})
    _listed(api, other, listed=False)
    assert api.request("PUT", f"/v1/players/{other}/merge", json={"into": AIKO}).status_code == 200
    assert api.get(f"/v1/players/{AIKO}").get_json()["listed"] is False
    assert "Aiko" not in Guest(api.app, "", None).get(f"/v1/seasons/{club.season}").text
    assert "person.left_out" in [step["what"] for step in api.get("/v1/trail").get_json()["steps"]]


def test_bad_requests_are_refused_by_name(api: Api, club: Club) -> None:
    for body in ({}, {"listed": "no"}, {"listed": None}, {"hidden": True}):
        answer = api.request("PUT", f"/v1/players/{AIKO}/listing", json=body)
        assert answer.status_code == 400
    assert _listed(api, str(uuid7()), listed=False).status_code == 404
    assert _listed(api, "nobody", listed=False).status_code == 400


def test_the_page_of_a_person_leaves_out_and_takes_in(api: Api, club: Club) -> None:
    assert "Leave out of public tables" in api.get(f"/people/{AIKO}").text
    assert "public tables" not in Guest(api.app, "", None).get(f"/people/{AIKO}").text
    for unclear in ({}, {"listed": ""}, {"listed": "perhaps"}):
        answer = api.request("POST", f"/people/{AIKO}", data=unclear)
        assert answer.status_code == 400
        assert ("Not a valid boolean." if unclear else "Missing data") in answer.text
        assert "Leave out of public tables" in api.get(f"/people/{AIKO}").text
    assert api.request("POST", f"/people/{AIKO}", data={"listed": "false"}).status_code == 303
    assert "Show in public tables" in api.get(f"/people/{AIKO}").text
    assert api.request("POST", f"/people/{AIKO}", data={"listed": "true"}).status_code == 303
    assert api.get(f"/v1/players/{AIKO}").get_json()["listed"] is True
