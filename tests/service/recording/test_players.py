from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from tests.cases import cases
from tests.service.conftest import Guest
from tests.service.entries import entry, send
from tests.traces import files_with

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
    api.catch_up()
    assert [found["game"] for found in api.get("/v1/games?q=anna").get_json()["games"]] == [game]


def test_an_erased_person_leaves_no_trace_and_the_chain_still_holds(api: Api, tmp_path: Path) -> None:
    game = api.open(seats=[{"name": "Xenoxylophonia"}, {}])
    api.record(game, "deal black")
    api.catch_up()
    player = api.get(f"/v1/games/{game}").get_json()["seats"][0]["player"]
    assert api.request("DELETE", f"/v1/players/{player}").status_code == 204
    assert api.get(f"/v1/games/{game}").get_json()["seats"][0]["name"] is None
    assert api.get("/v1/players").get_json()["players"] == []
    assert files_with(tmp_path, "Xenoxylophonia") == []
    assert api.get(f"/v1/games/{game}/export").status_code == 200
    assert api.get("/v1/health").get_json()["status"] == "ok"


def test_no_label_keeps_the_name_of_an_erased_person(api: Api, tmp_path: Path) -> None:
    title, place = "Xenia Yvo against Ben", "At xenia's"
    game = api.open(seats=[{"name": "Xenia Yvo"}, {"name": "Ben"}], title=title, place=place)
    kept = api.open(seats=[{"name": "Xenia Yvo"}, {"name": "Ben"}], title="Sunday", place="In Xeniastadt")
    elsewhere = api.open(seats=[{"name": "Ben"}, {}], title="Yvonne")
    tokens = [api.post("/v1/tokens", {"name": name, "role": "viewer"}).get_json() for name in ("Yvo's", "Yvonne's")]
    ended = api.post("/v1/tokens", {"name": "For XENIA YVO", "role": "viewer"}).get_json()
    assert api.request("DELETE", f"/v1/tokens/{ended['info']['id']}").status_code == 204
    api.post(f"/v1/games/{game}/links", {"name": "Yvo, from above"})
    api.post("/v1/webhooks", {"url": "https://example.org/", "description": "the board of Xenia"})
    api.catch_up()
    player = api.get(f"/v1/games/{game}").get_json()["seats"][0]["player"]
    assert api.request("DELETE", f"/v1/players/{player}").status_code == 204
    api.catch_up()
    assert len(tokens) == 2
    names = {token["name"] for token in api.get("/v1/tokens").get_json()["tokens"]}
    assert {"?", "Yvonne's"} <= names
    assert [link["name"] for link in api.get(f"/v1/games/{game}/links").get_json()["links"]] == ["?, from above"]
    (webhook,) = api.get("/v1/webhooks").get_json()["webhooks"]
    assert webhook["description"] == "the board of ?"
    titles = {each["game"]: (each["title"], each["place"]) for each in api.get("/v1/games").get_json()["games"]}
    assert titles == {game: ("", ""), kept: ("Sunday", "In Xeniastadt"), elsewhere: ("Yvonne", "")}
    words = [b"Xenia Yvo", b"XENIA", b"xenia's", b"Yvo,", b"Yvo's", b"of Xenia"]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [(path.name, word) for path in files for word in words if word in path.read_bytes()] == []
    assert api.get(f"/v1/games/{game}/export").status_code == 200


def test_a_title_with_the_name_is_erased_only_by_those_who_may_erase_it(api: Api) -> None:
    game = api.open(seats=[{"name": "Xenia"}, {}], title="Xenia alone")
    player = api.get(f"/v1/games/{game}").get_json()["seats"][0]["player"]
    api.catch_up()
    made = api.post("/v1/tokens", {"name": "Names", "scopes": ["people:read", "people:write", "games:read"]})
    answer = Guest(api.app, "", made.get_json()["token"]).request("DELETE", f"/v1/players/{player}")
    assert (answer.status_code, answer.get_json().get("scope")) == (403, "games:erase"), answer.text
    assert api.get(f"/v1/games/{game}").get_json()["title"] == "Xenia alone"


def test_a_name_of_another_script_is_taken_out_of_labels_without_blanks_around_it(api: Api) -> None:
    game = api.open(seats=[{"name": "愛子"}, {}])
    api.post("/v1/tokens", {"name": "愛子の電話", "role": "viewer"})
    api.catch_up()
    player = api.get(f"/v1/games/{game}").get_json()["seats"][0]["player"]
    assert api.request("DELETE", f"/v1/players/{player}").status_code == 204
    assert "?の電話" in {token["name"] for token in api.get("/v1/tokens").get_json()["tokens"]}


BLANK = [
    "\u3164",
    "\u2800",
    "\u115f\u1160",
    "\u00a0",
    "\u3000 ",
    "\u200d",
    "\ufe0f",
    "\u0301",
    "An\u3164na",
    "\u0301Anna",
]


@pytest.mark.parametrize("name", BLANK)
def test_a_name_that_shows_nothing_is_refused(api: Api, name: str) -> None:
    opening = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": name}, {}]}
    answer = api.post("/v1/games", opening)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "seats[0].name")
    assert api.request("PUT", f"/v1/players/{uuid7()}", json={"name": name}).status_code == 400
    assert api.post("/v1/tokens", {"name": name, "role": "viewer"}).status_code == 400
    assert send(api, api.open(), entry("seat.changed", seat=1, name=name)).status_code == 400


def test_blanks_of_all_widths_and_composed_letters_make_one_name(api: Api) -> None:
    names = ["田中 愛子", "田中\u3000愛子", " 田中  愛子 ", "José", "Jose\u0301", "Ｊｏｓé", "josé"]
    games = [api.open(seats=[{"name": name}, {}]) for name in names]
    seats = [api.get(f"/v1/games/{game}").get_json()["seats"][0] for game in games]
    assert [seat["name"] for seat in seats] == ["田中 愛子"] * 3 + ["José"] * 4
    assert len({seat["player"] for seat in seats}) == 2


LOOKALIKES = ["\u0410nna", "Ann\u0430", "\u0391nna", "СОРА", "Ο ΤΟΝΥ"]


def test_a_name_that_looks_like_one_that_is_known_is_refused(api: Api) -> None:
    for name in ("Anna", "COPA", "O TONY", "Анна", "Νίκος", "Ｂｏｂ", "愛子 Aiko", "Ольга-Maria", "nagy_ő"):
        assert api.request("PUT", f"/v1/players/{uuid7()}", json={"name": name}).status_code == 200, name
    for name in LOOKALIKES:
        answers = [
            api.request("PUT", f"/v1/players/{uuid7()}", json={"name": name}),
            api.post("/v1/games", {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{}, {"name": name}]}),
            send(api, api.open(), entry("seat.changed", seat=1, name=name)),
        ]
        fields = [answer.get_json()["errors"][0]["field"] for answer in answers]
        assert fields == ["name", "seats[1].name", "data.name"]
        assert all("alike" in answer.text or "looks like" in answer.text for answer in answers)


@pytest.mark.parametrize("query", ["jose", "JOSÉ", "Ｊｏｓｅ", "Jose\u0301", "ﾀｶﾞｼ", "lukasz", "strasse"])
def test_a_search_ignores_accents_and_width_for_people_and_games(api: Api, query: str) -> None:
    seats = {name: api.open(seats=[{"name": name}, {}]) for name in ("José", "タガシ", "Łukasz", "Straße", "Taka")}
    titled = {name: api.open(title=f"Bei {name}") for name in seats}
    api.catch_up()
    (found,) = api.get(f"/v1/players?q={query}").get_json()["players"]
    games = {each["game"] for each in api.get(f"/v1/games?q={query}").get_json()["games"]}
    assert games == {seats[found["name"]], titled[found["name"]]}
    assert not api.get("/v1/games?q=タカシ").get_json()["games"], "a voiced kana is another letter"


def test_a_title_that_shows_nothing_is_none(api: Api) -> None:
    game = api.open(title="\u3164 ", place="\u2800")
    answer = api.get(f"/v1/games/{game}").get_json()
    assert (answer["title"], answer["place"]) == ("", "")


def test_a_request_that_comes_again_names_nobody_anew(api: Api) -> None:
    opening = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": "Anna"}, {"name": "Ben"}]}
    first = api.post("/v1/games", opening).get_data()
    sits_down, rules = (
        entry("seat.changed", seat=1, name="Cleo"),
        entry("ruling.given", reason="so", referee_name="Anna"),
    )
    found = [send(api, opening["id"], sent).get_data() for sent in (sits_down, rules)]
    players = {player["name"]: player["id"] for player in api.get("/v1/players").get_json()["players"]}
    api.request("PUT", f"/v1/players/{players['Ben']}", json={"name": "Benjamin"})
    for name in ("Anna", "Cleo"):
        assert api.request("DELETE", f"/v1/players/{players[name]}").status_code == 204
    assert api.post("/v1/games", opening).get_data() == first
    assert [send(api, opening["id"], sent).get_data() for sent in (sits_down, rules)] == found
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


@cases(
    ("one", "other"),
    [("Ａｎｎ", "ann"), ("ガク", "ｶﾞｸ"), ("Straße", "STRASSE"), ("Ann  Lee", "ann\u00a0lee"), ("José", "JOSE\u0301")],
)
def test_two_new_names_that_compare_equal_are_one_person(api: Api, one: str, other: str) -> None:
    game = api.open(seats=[{"name": one}, {"name": other}])
    first, second = api.get(f"/v1/games/{game}").get_json()["seats"]
    assert first["player"] == second["player"]
    later = send(
        api, game, entry("seat.changed", seat=0, name=f"{one} 2"), entry("seat.changed", seat=1, name=f"{other} 2")
    )
    assert later.status_code == 201, later.text
    first, second = api.get(f"/v1/games/{game}").get_json()["seats"]
    assert (first["player"], first["name"]) == (second["player"], second["name"])


def test_a_dry_run_names_nobody(api: Api) -> None:
    body = {"id": str(uuid7()), "ruleset": "kahuna", "seats": [{"name": "Anna"}, {}]}
    assert api.post("/v1/games?dry_run=true", body).status_code == 200
    assert api.get("/v1/players").get_json()["players"] == []
