"""Manapani over the API: a fight as it is recorded, cards that stay secret, and the set that a game is played with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.manapani.components import CARDS, SAMPLE

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

TO_A_FIGHT = ("start 1", "roll 1 1", "claim", "hold Bandit Merfolk Kobold", "roll 1 1")
OWN = {"board": ["start", "wind land", "fort", "water elemental"], "deck": dict.fromkeys(CARDS, 2)}


def opened(api: Api, **more: Any) -> str:
    return api.open(ruleset="manapani", seats=[{"name": "Aiko"}, {"name": "Jonas"}], **more)


def state(api: Api, game: str, query: str = "") -> Any:
    return api.get(f"/v1/games/{game}/state{query}").get_json()["state"]


def legal(api: Api, game: str) -> Any:
    return api.get(f"/v1/games/{game}/moves").get_json()["moves"]


def test_a_fight_is_recorded_as_at_the_table(api: Api) -> None:
    game = opened(api)
    answer = api.record(game, *TO_A_FIGHT, "attack 2", "defend 1", "reveal Kobold Merfolk / Goblin", "pay Kobold")
    assert answer.status_code == 201, answer.text
    assert legal(api, game)[0]["notation"] == "pay Merfolk r"
    last = api.record(game, "pay Merfolk", "done").get_json()["entries"][-1]
    assert last["scores"] == [8, 7]
    assert "Player 2 won the fight for 2 fire land" in [effect["text"] for effect in last["effects"]]


def test_dice_and_laid_cards_are_fields_of_the_entry(api: Api) -> None:
    game = opened(api)
    api.record(game, "start 1")
    roll = legal(api, game)[0]
    assert roll["notation"] == "roll ? ?"
    assert [blank["choices"] for blank in roll["blanks"]] == [list("123456")] * 2
    api.record(game, *TO_A_FIGHT[1:], "attack 1", "defend 0")
    (reveal,) = legal(api, game)
    assert reveal["notation"] == "reveal ? /"
    assert {"Bandit", "HellPlant"} <= set(reveal["blanks"][0]["choices"])


def test_the_public_sees_the_number_of_cards_and_no_note(api: Api) -> None:
    game = opened(api)
    api.record(game, *TO_A_FIGHT, "attack 2")
    assert state(api, game)["players"][1]["hand"]["known"] == ["Bandit", "Kobold", "Merfolk"]
    api.show(game)
    api.token = None
    assert state(api, game)["players"][1]["hand"] == {"known": [], "unknown": 6, "open": []}
    assert state(api, game)["fight"]["sides"][0]["laid"] == 2
    for path in ("timeline", "board.svg", "score"):
        assert "Bandit" not in api.get(f"/v1/games/{game}/{path}").text
    offered = api.get(f"/v1/games/{game}/moves").get_json()
    assert "Bandit" not in str(offered["moves"])
    (noted,) = [aside for aside in offered["asides"] if aside["seat"] == 1]
    assert noted["template"] == "2: hold" + " {}" * 6
    assert {"Bandit", "Goblin", "Skeleton"} <= set(noted["blanks"][0]["choices"])  # it can be anywhere


def test_a_broken_rule_is_cited_and_recorded_only_as_irregular(api: Api) -> None:
    game = opened(api)
    api.record(game, *TO_A_FIGHT)
    refused = api.record(game, "leave")
    assert (refused.status_code, refused.get_json()["rule"]) == (422, "manapani:13")
    entry = {
        "id": "01890000-0000-7000-8000-000000000001",
        "data": {"move": "leave", "override": {"reason": "forgotten"}},
    }
    answer = api.post(f"/v1/games/{game}/events", {"events": [entry]})
    assert answer.get_json()["entries"][0]["irregular"][0]["rule"] == "manapani:13"


def test_a_game_without_components_keeps_the_sample_and_says_so(api: Api) -> None:
    game = opened(api)
    (event,) = api.get(f"/v1/games/{game}/events").get_json()["events"]
    assert event["data"]["components"] == SAMPLE
    assert state(api, game)["sample"] == {"board": True, "deck": True}
    assert "Invented board and deck" in api.get(f"/v1/games/{game}/board.svg").text


def test_a_set_of_ones_own_is_entered_once_and_played_with(api: Api) -> None:
    path = "/v1/components/manapani/my set"
    assert api.request("PUT", path, json={"data": OWN}).get_json()["data"] == OWN
    game = opened(api, components_name="my set")
    assert state(api, game)["components"] == OWN
    assert state(api, game)["sample"] == {"board": False, "deck": False}


@pytest.mark.parametrize(
    "board", [[], ["start"], ["fort", "start"], ["start", "moon land"], "start", [None], [["start"]]]
)
def test_a_set_that_cannot_be_is_refused_and_the_field_named(api: Api, board: Any) -> None:
    answer = api.request("PUT", "/v1/components/manapani/my set", json={"data": OWN | {"board": board}})
    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["field"].startswith("data.board")


def test_a_text_export_is_imported_again(api: Api) -> None:
    game = opened(api, components=OWN, options={"chips": 12, "level_drop": "after"})
    api.record(game, "start 2", "roll 2 3", "gain w", "claim")
    text = api.get(f"/v1/games/{game}/export?format=text").data
    answer = api.post(
        "/v1/imports?id=01890000-0000-7000-8000-000000000002", data=text, headers={"Content-Type": "text/plain"}
    )
    assert answer.status_code == 201, answer.text
    assert state(api, answer.get_json()["game"]) == state(api, game)
