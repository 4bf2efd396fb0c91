"""A seat that is added to a score sheet during the game: kept, named, corrected, exported, and refused elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.service.entries import entry, info, send, timeline

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")


def move(text: str) -> dict[str, Any]:
    return entry("move.made", move=text)


@pytest.fixture
def game(api: Api) -> str:
    """Two have played a round of a sheet."""
    game = api.open(ruleset="scoresheet", seats=[{"name": "Ada"}, {"name": "Bob"}], options={"template": "rounds"})
    assert api.record(game, "r1 1 2").status_code == 201
    return game


@pytest.fixture
def grown(api: Api, game: str) -> str:
    """Chiara has come for the second round."""
    answer = send(api, game, move("p3 in average"), entry("seat.changed", seat=2, name="Chiara"), move("r2 3 4 5"))
    assert answer.status_code == 201, answer.text
    return game


def test_somebody_new_and_the_name_are_one_request(api: Api, grown: str) -> None:
    found = info(api, grown)
    assert [seat["name"] for seat in found["seats"]] == ["Ada", "Bob", "Chiara"]
    assert found["scores"] == [4, 6, 7]
    assert [each["scores"] for each in timeline(api, grown)] == [[0, 0], [1, 2], [1, 2, 2], [1, 2, 2], [4, 6, 7]]
    (joined,) = [each for each in timeline(api, grown) if each.get("notation") == "p3 in average"]
    assert [effect["text"] for effect in joined["effects"]] == ["Player 3 has a seat now", "Player 3 joined with 2"]


def test_the_past_has_the_seats_that_there_were(api: Api, grown: str) -> None:
    for at, scores in ((2, [1, 2]), (3, [1, 2, 2]), (5, [4, 6, 7])):
        assert api.get(f"/v1/games/{grown}/state?at={at}").get_json()["scores"] == scores
        assert api.get(f"/v1/games/{grown}/board.svg?at={at}").status_code == 200
    assert api.get(f"/v1/games/{grown}/score").get_json()["scores"] == [4, 6, 7]


def test_lists_and_people_know_the_new_seat(api: Api, grown: str) -> None:
    api.record(grown, "end")
    api.catch_up()
    (listed,) = [one for one in api.get("/v1/games?q=Chiara").get_json()["games"] if one["game"] == grown]
    assert ([seat["name"] for seat in listed["seats"]], listed["scores"]) == (["Ada", "Bob", "Chiara"], [4, 6, 7])
    chiara = listed["seats"][2]["player"]
    figures = api.get(f"/v1/players/{chiara}/statistics").get_json()["figures"]
    assert (figures["n"], list(figures["by_players"])) == (1, ["3"])


def test_a_fold_that_was_kept_has_the_new_seat(api: Api, grown: str) -> None:
    fold = api.app.context.archive.folds.current(grown)
    again = type(fold).load(grown, fold.version, fold.hash, fold.dump())
    assert (again.players, again.state) == (fold.players, fold.state)
    assert len(fold.players) == 3


def test_who_was_let_in_wrongly_is_taken_out_again_with_what_followed(api: Api, grown: str) -> None:
    refused = send(api, grown, entry("entry.withdrawn", entry=3))
    assert refused.status_code == 409
    assert {conflict["version"] for conflict in refused.get_json()["conflicts"]} == {4, 5}
    assert send(api, grown, entry("entry.withdrawn", entry=3, withdraw="all")).status_code == 201
    assert (info(api, grown)["scores"], len(info(api, grown)["seats"])) == ([1, 2], 2)
    assert api.get(f"/v1/games/{grown}/board.svg?at=5").status_code == 200
    filed = api.get(f"/v1/games/{grown}/export?format=html")
    assert filed.status_code == 200
    assert "p3 in average" in filed.text
    assert api.get(f"/games/{grown}").status_code == 200


def test_what_was_missed_is_corrected_as_any_move(api: Api, grown: str) -> None:
    assert send(api, grown, entry("entry.replaced", entry=3, move="p3 in zero")).status_code == 201
    assert info(api, grown)["scores"] == [4, 6, 5]


def test_a_new_seat_is_undone_while_nothing_followed(api: Api, game: str) -> None:
    api.record(game, "p3 in")
    (undo,) = [each["undo"] for each in timeline(api, game) if each.get("notation") == "p3 in"]
    assert send(api, game, entry(undo["type"], **undo["data"])).status_code == 201
    assert len(info(api, game)["seats"]) == 2


def test_exports_and_text_have_the_new_seat_and_come_back(api: Api, grown: str) -> None:
    text = api.get(f"/v1/games/{grown}/export?format=text&names=true").text
    assert "p3 in average" in text
    assert '#seat Player3 "Chiara"' in text
    answer = api.request("POST", "/v1/imports", data=text.encode(), content_type="text/plain")
    assert answer.status_code == 201, answer.text
    other = answer.get_json()["game"]
    assert info(api, other)["scores"] == [4, 6, 7]
    assert [seat["name"] for seat in info(api, other)["seats"]] == ["Ada", "Bob", "Chiara"]
    assert "Chiara" in api.get(f"/v1/games/{grown}/export?format=html").text
    api.catch_up()
    cells = api.get("/v1/exports/cells.csv").text
    assert len([line for line in cells.splitlines() if line.startswith(grown)]) == 5


def test_the_timeline_of_scores_begins_where_the_seat_does(api: Api, grown: str) -> None:
    api.record(grown, "end")
    asked = api.post(f"/v1/games/{grown}/analyses", {"kind": "timeline"}).get_json()
    found = api.get(f"/v1/games/{grown}/analyses/{asked['id']}").get_json()
    standings = [(each["version"], each["scores"]) for each in found["result"]["standings"]]
    assert standings == [(1, [0, 0]), (2, [1, 2]), (3, [1, 2, 2]), (5, [4, 6, 7])]
    assert found["result"]["comeback"] is None, "who came late was never behind"
    assert len(found["result"]["pace"]) == 3


def test_what_the_table_wrote_down_before_is_compared_with_those_who_played(api: Api, game: str) -> None:
    assert send(api, game, entry("score.claimed", scores=[1, 3])).status_code == 201
    send(api, game, move("p3 in 9"))
    assert send(api, game, entry("entry.withdrawn", entry=4), move("p3 in 8")).status_code == 201
    assert send(api, game, entry("score.claimed", scores=[1, 2, 8])).status_code == 201
    assert send(api, game, entry("score.claimed", scores=[1, 2, 8], entry=2)).status_code == 201
    claims = api.get(f"/v1/games/{game}/claims").get_json()["claims"]
    assert [claim["agrees"] for claim in claims] == [False, True, False]
    assert [[seat["difference"] for seat in claim["seats"]] for claim in claims] == [[0, 1], [0, 0, 0], [0, 0, 8]]


def test_the_next_game_is_for_all_who_sit_there_now(api: Api, grown: str) -> None:
    api.record(grown, "end")
    other = "0199d2f3-6a00-7000-8000-0000000000f1"
    answer = api.request("POST", f"/games/{grown}/again", data={"id": other}, headers={"Origin": "http://localhost"})
    assert answer.status_code == 303
    assert [seat["name"] for seat in info(api, other)["seats"]] == ["Ada", "Bob", "Chiara"]


def test_nobody_sits_down_where_there_is_no_seat(api: Api, game: str) -> None:
    refused = send(api, game, entry("seat.changed", seat=2, name="Chiara"))
    assert refused.status_code == 400
    (error,) = refused.get_json()["errors"]
    assert error["field"] == "data.seat"
    assert error["message"] == "the game has seats 0 to 1; the move p3 in adds one"


@pytest.mark.parametrize("ruleset", ["kahuna", "verraeter", "manapani", "catan_cards"])
def test_other_games_are_played_by_those_who_began(api: Api, ruleset: str) -> None:
    game = api.open(ruleset=ruleset)
    seats = len(info(api, game)["seats"])
    refused = send(api, game, entry("seat.changed", seat=seats))
    assert refused.status_code == 400
    (error,) = refused.get_json()["errors"]
    assert error["message"] == f"the game has seats 0 to {seats - 1}; {ruleset} is played by those who began"
    assert send(api, game, move("p3 in")).status_code in {400, 422}
