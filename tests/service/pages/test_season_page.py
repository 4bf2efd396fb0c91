"""The page of a season: its table, its rules, and what organisers do there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from uuid_utils import uuid7

from tests.service.conftest import Guest
from tests.service.people.test_seasons import PEOPLE, Club

if TYPE_CHECKING:
    from tests.service.conftest import Api

RULES: dict[str, Any] = {
    "name": "Winter",
    "first": "2026-01-01",
    "points": "5,2; 3,1,0",
    "bonus_lost_within": "1",
    "at_lost_within": "2",
    "best": "3",
    "least": "1",
    "tie_breaks": ["wins", "", "average"],
}


def test_an_organiser_founds_and_runs_a_season_on_its_page(api: Api) -> None:
    club = Club(api)
    game = club.play(7, 6)
    made = api.request("POST", f"/clubs/{club.club}/seasons", data=RULES | {"id": str(uuid7())})
    assert made.status_code == 303, made.text
    address = made.headers["Location"]
    rules = api.get(f"/v1{address}").get_json()["rules"]
    assert rules == {
        "first": "2026-01-01",
        "points": [[5, 2], [3, 1, 0]],
        "bonuses": [{"kind": "lost_within", "points": 1, "at": 2}],
        "best": 3,
        "least": 1,
        "tie_breaks": ["wins", "average"],
    }
    shown = api.get(address).text
    assert re.search(r"<bdi>Ben</bdi></th><td>2</td><td>3</td>", shown)
    assert "With 3 players the places give 3, 1, 0 points." in shown
    assert "Lost by at most" in shown
    assert f"/games/{game}" in shown
    assert re.search(r"\d{4}-\d\d-\d\d</bdi></a>: place", shown), "the day of a game stands once"
    assert 'value="5,2; 3,1,0"' in shown
    for sent in (
        {"type": "season.points_given", "player": PEOPLE[1], "points": "-1", "reason": "late"},
        {"type": "season.game_left_out", "game": game, "reason": "a friendly game"},
        {"type": "season.withdrawn", "entry": "3"},
    ):
        assert api.request("POST", address, data={"id": str(uuid7())} | sent).status_code == 303
    shown = api.get(address).text
    assert "late → <b>-1</b>" in shown
    assert "Entry 3 was withdrawn" in shown
    saved = api.get(f"{address}/table.csv")
    assert saved.content_type == "text/csv; charset=utf-8"
    assert saved.text.splitlines()[0] == "rank,player,name,points,games,counted,given,wins,average"
    assert 'table.csv?bom=true"' in shown, "the page asks for what spreadsheets read"
    german = api.get(f"{address}/table.csv?locale=de&bom=true").text
    assert german.splitlines()[0] == "\ufeffrank;player;name;points;games;counted;given;wins;average"
    assert german[1:].replace(";", ",").count(",") > saved.text.count(","), "decimals have a comma"
    for wrong in ("locale=xx", "bom=perhaps"):
        refused = api.get(f"{address}/table.csv?{wrong}", headers={"Accept": "application/json"})
        assert (refused.status_code, refused.get_json()["errors"][0]["field"]) == (400, wrong.partition("=")[0])
    api.catch_up()
    assert "Winter" in api.get(f"/clubs/{club.club}").text
    assert "順位表" in api.get(address, headers={"Accept-Language": "ja"}).text


def test_a_correction_is_said_in_both_languages(api: Api) -> None:
    club = Club(api)
    game = club.play(7, 4)
    replaced = {"entry": 2, "move": "r1 1 4", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    api.catch_up()
    assert "corrected; it was place 2" in api.get(f"/seasons/{club.season}").text
    assert "訂正" in api.get(f"/seasons/{club.season}", headers={"Accept-Language": "ja"}).text


def test_a_visitor_sees_no_forms_and_bad_forms_are_refused(api: Api) -> None:
    club = Club(api)
    stranger = Guest(api.app, "", None).get(f"/seasons/{club.season}")
    assert stranger.status_code == 200
    assert "season.changed" not in stranger.text
    address = f"/seasons/{club.season}"
    for sent in (
        {"type": "season.founded"},
        {"type": "season.changed", "name": "x", "points": "5,x"},
        {"type": "season.changed", "name": "x", "first": "yesterday"},
        {"type": "season.points_given", "player": PEOPLE[0], "points": "many"},
        {"type": "season.withdrawn", "entry": "9"},
    ):
        assert api.request("POST", address, data={"id": str(uuid7())} | sent).status_code == 400
    assert api.get("/seasons/0199d2f3-6a00-7000-8000-000000000041").status_code == 404
