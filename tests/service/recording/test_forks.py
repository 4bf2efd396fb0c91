"""Forks over the API: what if it had gone another way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from tests.service.entries import bridges, entry, info, recorded_entry, rule, send, state, timeline

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def forked(api: Api, game: str, **wanted: Any) -> str:
    answer = api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())} | wanted)
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["game"])


def test_a_fork_begins_where_it_went_off_and_names_its_origin(api: Api) -> None:
    game = api.play("b-d", "-", "+", "-")
    fork = forked(api, game, at=4, title="What if")
    hash_ = api.get(f"/v1/games/{game}/events?after=3&limit=1").get_json()["events"][0]["hash"]
    assert info(api, fork)["origin"] == {"game": game, "version": 4, "hash": hash_}
    assert info(api, fork)["title"] == "What if"
    assert state(api, fork) == state(api, game, "?at=4")
    recorded_entry(send(api, fork, entry("move.made", move="+")))
    assert info(api, game)["version"] == 6


def test_a_fork_takes_what_counts_corrections_rulings_and_irregular_moves(api: Api) -> None:
    game = api.open(seats=[{"name": "Anna"}, {"name": "Ben"}])
    api.record(game, "deal black BARI COCO DUDA", "b-d", "-", "+")
    recorded_entry(send(api, game, entry("entry.replaced", entry=3, move="b-c")))
    recorded_entry(send(api, game, entry("entry.inserted", after=2, move="c-g")))
    recorded_entry(send(api, game, entry("move.made", move={"type": "draw", "seat": 1}, override={"reason": "twice"})))
    rule(api, game, "points seat=white points=2")
    recorded_entry(send(api, game, entry("seat.changed", seat=1, name="Chiyo")))
    recorded_entry(send(api, game, entry("note.added", text="rain")))
    fork = forked(api, game)
    assert state(api, fork) == state(api, game)
    assert info(api, fork)["scores"] == [0, 2]
    assert [seat["name"] for seat in info(api, fork)["seats"]] == ["Anna", "Chiyo"]
    kinds = [each["type"] for each in timeline(api, fork)]
    assert kinds == ["game.opened", *["move.made"] * 6, "ruling.given", "seat.changed"]
    assert [each.get("override") for each in timeline(api, fork)][6] == "twice"
    compared = api.get(f"/v1/games/{fork}/comparison").get_json()
    assert (compared["games"], compared["common"], compared["first_difference"]) == ([fork, game], 7, None)


def test_a_fork_goes_off_right_behind_an_entry_as_the_record_counts_today(api: Api) -> None:
    game = api.play("b-d", "-", "+")
    recorded_entry(send(api, game, entry("entry.inserted", after=2, move="c-g")))
    fork = forked(api, game, after=3)
    assert bridges(api, fork) == {"BARI-DUDA", "COCO-GOLA"}
    assert info(api, fork)["origin"]["after"] == 3
    assert info(api, fork)["version"] == 4


def test_programs_that_say_behind_are_understood(api: Api) -> None:
    game = api.play()
    fork = str(uuid7())
    assert api.post(f"/v1/games/{game}/forks", {"id": fork, "behind": 1}).status_code == 201
    assert info(api, fork)["origin"]["after"] == 1
    moment = api.get(f"/v1/games/{game}/state?behind=2")
    assert (moment.status_code, moment.data) == (200, api.get(f"/v1/games/{game}/state?after=2").data)
    assert api.get(f"/v1/games/{game}/state?at=2&behind=1").data == api.get(f"/v1/games/{game}/state?at=2&after=1").data
    assert api.get(f"/v1/games/{game}/state?after=1&behind=2").get_json()["type"] == "/problems/bad-request"


def test_a_repeated_fork_gets_the_same_answer_though_both_have_gone_on(api: Api) -> None:
    game = api.play("b-d", "-")
    body = {"id": str(uuid7())}
    first = api.post(f"/v1/games/{game}/forks", body)
    recorded_entry(send(api, game, entry("move.made", move="+")))
    recorded_entry(send(api, body["id"], entry("move.made", move="+?gola")))
    again = api.post(f"/v1/games/{game}/forks", body)
    assert (again.status_code, again.data) == (201, first.data)
    elsewhere = api.post(f"/v1/games/{api.play()}/forks", body)
    assert (elsewhere.status_code, elsewhere.get_json()["type"]) == (409, "/problems/id-reused")


def test_two_games_are_compared_up_to_where_they_part(api: Api) -> None:
    game = api.play("b-d", "-", "+")
    fork = forked(api, game, at=4)
    recorded_entry(send(api, fork, entry("move.made", move="+b/e")))
    rule(api, fork, "points seat=white points=2")
    compared = api.get(f"/v1/games/{fork}/comparison").get_json()
    assert compared["common"] == 3
    assert [each["notation"] for each in compared["first_difference"]] == ["+BARI/ELAI", "+"]
    assert compared["scores"] == [[0, 2], [0, 0]]
    ended = forked(api, game, at=4)
    assert api.get(f"/v1/games/{ended}/comparison").get_json()["first_difference"][0] is None


def test_games_part_at_rulings_that_differ(api: Api) -> None:
    game = api.play("b-d")
    fork = forked(api, game)
    rule(api, game, "points seat=white points=2")
    rule(api, fork, "points seat=white points=3")
    compared = api.get(f"/v1/games/{fork}/comparison").get_json()
    assert compared["common"] == 2
    assert [each["adjustments"] for each in compared["first_difference"]] == [
        ["points seat=White points=3"],
        ["points seat=White points=2"],
    ]


def test_games_that_have_nothing_in_common_are_not_compared(api: Api) -> None:
    game = api.play("b-d")
    sheet = api.open(ruleset="scoresheet")
    for path, field in ((f"{game}/comparison", "with"), (f"{game}/comparison?with={sheet}", "with")):
        answer = api.get(f"/v1/games/{path}")
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, field)
    assert api.get(f"/v1/games/{game}/comparison?with={uuid7()}").status_code == 404


@pytest.mark.service("test")
def test_forks_are_listed_with_their_origin_and_can_be_left_out(api: Api) -> None:
    game = api.play("b-d")
    fork = forked(api, game)
    api.catch_up()
    listed = api.get(f"/v1/games?origin={game}").get_json()["games"]
    assert [(each["game"], each["origin"]) for each in listed] == [(fork, game)]
    assert [each["game"] for each in api.get("/v1/games?forks=false").get_json()["games"]] == [game]


def test_a_fork_of_what_is_not_there_says_so(api: Api) -> None:
    game = api.play()
    for where in ({"at": 9}, {"after": 9}, {"at": 1, "after": 2}):
        answer = api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())} | where)
        assert (answer.status_code, answer.get_json()["type"]) == (404, "/problems/version-unknown")
    assert api.post(f"/v1/games/{uuid7()}/forks", {"id": str(uuid7())}).status_code == 404


def test_games_are_found_by_the_beginning_or_the_end_of_their_id(api: Api) -> None:
    game = api.play()
    api.play()
    api.catch_up()
    assert [each["game"] for each in api.get(f"/v1/games?id={game[:30]}").get_json()["games"]] == [game]
    assert [each["game"] for each in api.get(f"/v1/games?id={game[-12:]}").get_json()["games"]] == [game]
    assert api.get("/v1/games?id=xyz").get_json()["errors"][0]["field"] == "id"


def test_a_fork_behind_the_opening_is_a_new_game(api: Api) -> None:
    game = api.play("a-h", "-")
    for wanted in ({"after": 1}, {"after": 1, "at": 3}):
        fork = forked(api, game, **wanted)
        assert info(api, fork)["version"] == 1
        assert state(api, fork) == state(api, game, "?at=1")
    assert info(api, forked(api, game, after=1, at=1))["version"] == 1
