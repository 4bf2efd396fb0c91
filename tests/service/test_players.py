from __future__ import annotations

from typing import TYPE_CHECKING

from uuid_utils import uuid7

from tests.service.entries import entry, send

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.conftest import Api


def test_a_name_typed_twice_is_one_person(api: Api) -> None:
    first = api.open(seats=[{"name": "Anna"}, {}])
    second = api.open(seats=[{"name": "Ben"}, {"name": "Anna"}])
    seats = [api.get(f"/v1/games/{game}").get_json()["seats"] for game in (first, second)]
    assert seats[0][0]["player"] == seats[1][1]["player"]
    assert seats[0][1] | {"label": None} == {"seat": 1, "label": None, "player": None, "name": None}


def test_a_person_is_named_anew_everywhere(api: Api) -> None:
    player = str(uuid7())
    assert api.request("PUT", f"/v1/players/{player}", json={"name": "Ana"}).status_code == 200
    game = api.open(seats=[{"player": player}, {}])
    api.request("PUT", f"/v1/players/{player}", json={"name": "Anna"})
    assert api.get(f"/v1/games/{game}").get_json()["seats"][0]["name"] == "Anna"
    api.settle()
    assert [found["game"] for found in api.get("/v1/games?q=anna").get_json()["games"]] == [game]


def test_an_erased_person_leaves_no_trace_and_the_chain_still_holds(api: Api, tmp_path: Path) -> None:
    game = api.open(seats=[{"name": "Xenoxylophonia"}, {}])
    api.record(game, "deal black")
    api.settle()
    player = api.get(f"/v1/games/{game}").get_json()["seats"][0]["player"]
    assert api.request("DELETE", f"/v1/players/{player}").status_code == 204
    assert api.get(f"/v1/games/{game}").get_json()["seats"][0]["name"] is None
    assert api.get("/v1/players").get_json()["players"] == []
    traces = [path for path in tmp_path.rglob("*") if path.is_file() and b"Xenoxylophonia" in path.read_bytes()]
    assert traces == []
    assert api.get(f"/v1/games/{game}/export").status_code == 200
    assert api.get("/v1/health").get_json()["status"] == "ok"


def test_a_request_that_comes_again_names_nobody_anew(api: Api) -> None:
    opening = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": "Anna"}, {"name": "Ben"}]}
    first = api.post("/v1/games", opening).get_data()
    sits_down, rules = (
        entry("seat.changed", seat=1, name="Cleo"),
        entry("ruling.given", reason="so", referee_name="Anna"),
    )
    told = [send(api, opening["id"], sent).get_data() for sent in (sits_down, rules)]
    players = {player["name"]: player["id"] for player in api.get("/v1/players").get_json()["players"]}
    api.request("PUT", f"/v1/players/{players['Ben']}", json={"name": "Benjamin"})
    for name in ("Anna", "Cleo"):
        assert api.request("DELETE", f"/v1/players/{players[name]}").status_code == 204
    assert api.post("/v1/games", opening).get_data() == first
    assert [send(api, opening["id"], sent).get_data() for sent in (sits_down, rules)] == told
    assert api.get("/v1/players").get_json()["players"] == [{"id": players["Ben"], "name": "Benjamin"}]


def test_what_is_refused_names_nobody(api: Api) -> None:
    body = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": "Anna"}, {}], "options": {"rain": True}}
    assert api.post("/v1/games", body).status_code == 400
    game = api.open()
    told_nowhere = send(api, game, entry("seat.changed", seat=7, name="Ben"))
    assert (told_nowhere.status_code, told_nowhere.get_json()["errors"][0]["field"]) == (400, "data.seat")
    assert api.get("/v1/players").get_json()["players"] == []


def test_a_name_in_two_seats_of_a_request_is_one_person(api: Api) -> None:
    body = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": "Anna"}, {"name": "Anna"}]}
    tried, done, again = (api.post(f"/v1/games{query}", body) for query in ("?dry_run=true", "", ""))
    seats = [answer.get_json()["entries"][0]["data"]["seats"] for answer in (tried, done, again)]
    assert seats[0] == seats[1] == seats[2]
    assert seats[0][0] == seats[0][1]


def test_a_dry_run_names_nobody(api: Api) -> None:
    body = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": "Anna"}, {}]}
    assert api.post("/v1/games?dry_run=true", body).status_code == 200
    assert api.get("/v1/players").get_json()["players"] == []
