"""One tap on a finished game opens the next one for the same people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from tests.cases import cases
from tests.service.entries import entry, recorded_entry, send

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

ADA, BOB = "0199d2f3-6a00-7000-8000-00000000000a", "0199d2f3-6a00-7000-8000-00000000000b"


def finished(api: Api, **more: object) -> str:
    for person, name in ((ADA, "Ada"), (BOB, "Bob")):
        api.request("PUT", f"/v1/players/{person}", json={"name": name})
    sent = {
        "ruleset": "scoresheet",
        "options": {"template": "uno"},
        "seats": [{"player": ADA}, {"player": BOB}],
        "title": "Friday",
        "place": "Porto",
    }
    game = api.open(**(sent | more))
    assert api.record(game, "r1 510 0", "end").status_code == 201
    api.catch_up()
    return game


def again(api: Api, game: str, id_: str) -> tuple[int, str]:
    answer = api.request("POST", f"/games/{game}/again", data={"id": id_}, headers={"Origin": "http://localhost"})
    return answer.status_code, answer.headers.get("Location", "")


@pytest.mark.slow
def test_the_next_game_has_the_same_people_sheet_and_place(api: Api) -> None:
    game = finished(api)
    (offered,) = re.findall(r'name="id" value="([0-9a-f-]{36})"', api.get(f"/games/{game}").text)
    assert again(api, game, offered) == (303, f"/games/{offered}")
    opened = api.get(f"/v1/games/{offered}").get_json()
    assert [seat["player"] for seat in opened["seats"]] == [ADA, BOB], "a score sheet keeps its seats"
    assert (opened["options"], opened["place"], opened["title"]) == ({"template": "uno"}, "Porto", "")
    assert (opened["version"], opened["markers"][0]["seats"]) == (2, [1]), "the deal goes on"
    assert again(api, game, offered) == (303, f"/games/{offered}"), "a second tap opens the same game"
    api.catch_up()
    assert len(api.get("/v1/games").get_json()["games"]) == 2


def test_where_black_begins_the_other_one_begins_next(api: Api) -> None:
    for person, name in ((ADA, "Ada"), (BOB, "Bob")):
        api.request("PUT", f"/v1/players/{person}", json={"name": name})
    game, offered = api.open(seats=[{"player": ADA}, {"player": BOB}]), str(uuid7())
    assert again(api, game, offered)[0] == 303
    assert [seat["player"] for seat in api.get(f"/v1/games/{offered}").get_json()["seats"]] == [BOB, ADA]


def test_a_running_game_does_not_offer_it_and_odd_ids_are_refused(api: Api) -> None:
    game = finished(api)
    running = api.play("b-d")
    story = api.get(f"/games/{running}").text.partition('<section id="told"')[2].partition('<section id="course"')[0]
    assert "Play again" in story, "for the moment at which it is over"
    assert re.match("[^>]* hidden>", story)
    assert again(api, game, "")[0] == 400
    assert again(api, game, game)[0] in {400, 409}, "the id of another game opens none"
    assert again(api, str(uuid7()), str(uuid7()))[0] == 404


def test_a_game_that_nobody_won_offers_it(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "uno"}, seats=[{"name": "Ada"}, {"name": "Bob"}])
    recorded_entry(send(api, game, entry("game.closed", how="abandoned", reason="dinner")))
    assert "Play again" in api.get(f"/games/{game}").text


def dealers(api: Api, game: str) -> list[list[int]]:
    return [marker["seats"] for marker in api.get(f"/v1/games/{game}/state").get_json()["markers"]]


def test_the_deal_goes_on_in_the_next_game(api: Api) -> None:
    """After four deals of three players the fifth one is player 2's, and a deal that was begun is dealt again."""
    game = api.open(ruleset="scoresheet", options={"template": "skat"}, seats=[{}] * 3)
    api.record(game, *(f"r{number} 18 0 0" for number in range(1, 5)), "end early")
    following, third = str(uuid7()), str(uuid7())
    for _ in range(2):
        assert again(api, game, following) == (303, f"/games/{following}")
    assert dealers(api, following) == [[1]]
    assert api.get(f"/v1/games/{following}").get_json()["version"] == 2, (
        "it is said once, however often it is asked for"
    )
    api.record(following, "r1 20 0 0", "r2 20 ? ?", "end early")
    assert again(api, following, third) == (303, f"/games/{third}")
    assert dealers(api, third) == [[2]]


@pytest.mark.slow
def test_the_last_round_of_a_game_of_fixed_length_passes_the_deal_on(api: Api) -> None:
    game = api.open(ruleset="scoresheet", options={"template": "skull_king"}, seats=[{}] * 4)
    for number in range(1, 11):
        api.record(game, f"r{number} bid 0 0 0 0", f"r{number} tricks {number} 0 0 0")
    assert api.record(game, "end").status_code == 201
    following = str(uuid7())
    again(api, game, following)
    assert dealers(api, following) == [[10 % 4]]


def imported(api: Api, game: str) -> str:
    table = f"date,game,player,score\n2025-05-01,{game},Ada,10\n2025-05-01,{game},Bob,7\n".encode()
    answer = api.post("/v1/imports/plays", data=table, content_type="application/octet-stream")
    (play,) = answer.get_json()["items"]
    return str(play["game"])


@cases(
    ("called", "template", "recorded"),
    [
        ("Catan", "catan", "p1 cities 2"),
        ("宝石の煌き", "splendor", "p1 nobles 1"),
        ("7 wonders!", "seven_wonders", "p1 coins 9"),
    ],
)
def test_after_an_imported_play_its_ready_sheet_is_opened(api: Api, called: str, template: str, recorded: str) -> None:
    before, following = imported(api, called), str(uuid7())
    assert again(api, before, following) == (303, f"/games/{following}")
    opened = api.get(f"/v1/games/{following}").get_json()
    assert opened["options"] == {"template": template}
    assert [seat["name"] for seat in opened["seats"]] == ["Ada", "Bob"]
    assert api.record(following, recorded).status_code == 201, "it has the columns of the ready sheet"


def test_after_an_imported_play_without_a_ready_sheet_its_own_is_kept(api: Api) -> None:
    before, following = imported(api, "Somebody's own game"), str(uuid7())
    again(api, before, following)
    assert api.record(following, "points 4 5").status_code == 201
    assert "own game" in api.get(f"/games/{following}").text


def test_a_sheet_of_ones_own_is_kept_though_a_ready_one_has_its_name(api: Api) -> None:
    own = {"name": "Catan", "columns": [{"id": "points"}]}
    game = api.open(ruleset="scoresheet", components=own, seats=[{"name": "Ada"}, {"name": "Bob"}])
    recorded_entry(send(api, game, entry("game.closed", how="abandoned", reason="dinner")))
    following = str(uuid7())
    again(api, game, following)
    assert api.get(f"/v1/games/{following}").get_json()["options"] == {"template": "plain"}


def test_who_began_begins_again_where_nothing_goes_round(api: Api) -> None:
    game = finished(api, options={"template": "rounds"})
    following = str(uuid7())
    again(api, game, following)
    assert api.get(f"/v1/games/{following}").get_json()["version"] == 1


def test_a_foreign_page_opens_nothing(api: Api) -> None:
    game, offered = finished(api), str(uuid7())
    answer = api.request(
        "POST", f"/games/{game}/again", data={"id": offered}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert api.get(f"/v1/games/{offered}").status_code == 404


def test_a_game_that_somebody_may_not_see_is_not_played_again(api: Api) -> None:
    game, offered = finished(api), str(uuid7())
    recorder = api.let_in("recorder", person=str(uuid7()))
    assert recorder.post(f"/v1/games/{game}/events", {"events": []}).status_code in {400, 403, 404}
    stranger = api.let_in(None, person=str(uuid7()))
    assert again(stranger, game, offered)[0] in {403, 404}
    assert api.get(f"/v1/games/{offered}").status_code == 404


@pytest.mark.service("test")
@pytest.mark.slow
def test_the_list_offers_each_group_another_game_in_one_tap(api: Api) -> None:
    finished(api)
    last = finished(api)
    api.play("b-d")
    api.catch_up()
    page = api.get("/").text
    ((before, offered),) = re.findall(
        r'action="/games/([0-9a-f-]{36})/again">\s*<input[^>]* value="([0-9a-f-]{36})"', page
    )
    assert before == last, "a group is offered a game once, and guests are no group"
    assert "Ada</bdi>, <bdi>Bob" in page
    assert again(api, before, offered) == (303, f"/games/{offered}")
    assert "/again" not in api.get("/?q=Friday").text, "a search is for finding"
    assert "/again" not in api.let_in("viewer").get("/").text
