"""The card game over the API: typed moves, open choices, secrets, a box of one's own, a ruling."""

from __future__ import annotations

from uuid_utils import uuid7

SETUP = (
    "start 1",
    "lay g1 o2 w3 l4 b5 a6",
    "lay g2 o3 w4 l5 b6 a1",
    "pick 1 Abbey Garrison Spy",
    "pick 2 ? ? ?",
    "roll plenty 5",
)


def record(api, game: str, *lines: str) -> list[dict]:
    answer = api.record(game, *lines)
    assert answer.status_code == 201, answer.text
    return answer.get_json()["entries"]


def test_a_turn_is_recorded_line_by_line(api):
    game = api.open(ruleset="catan_cards", seats=[{}, {}], options={"profile": "2005"})
    entries = record(api, game, *SETUP, "gain brick", "gain ku", "build garrison lu", "draw 3")
    assert entries[-1]["scores"] == [2, 2]
    state = api.get(f"/v1/games/{game}/state").get_json()
    assert state["to_move"] == 1
    assert state["state"]["players"][0]["sites"] == {"1lu1": "Garrison"}
    lines = api.get(f"/v1/games/{game}/score").get_json()["lines"]
    assert [line["note"] for line in lines[:2]] == ["starting settlement l", "starting settlement n"]


def test_open_values_have_fields_and_every_listed_move_can_be_sent(api):
    game = api.open(ruleset="catan_cards", seats=[{}, {}])
    record(api, game, "start 1")
    (move,) = api.get(f"/v1/games/{game}/moves").get_json()["moves"]
    assert (move["notation"], len(move["blanks"])) == ("lay ? ? ? ? ? ?", 6)
    record(api, game, *SETUP[1:])
    moves = api.get(f"/v1/games/{game}/moves").get_json()["moves"]
    assert {move["notation"] for move in moves} == {f"gain {at}" for at in ("ku", "mu", "ou", "kd", "md", "od")}
    assert record(api, game, moves[0]["notation"])[0]["notation"] == "gain ku"


def test_a_hand_is_shown_to_nobody_else(api):
    game = api.open(ruleset="catan_cards", seats=[{}, {}])
    record(api, game, *SETUP)

    def hand(query: str) -> list[str]:
        found = api.get(f"/v1/games/{game}/state{query}").get_json()
        return found["state"]["players"][0]["hand"]["known"]

    assert hand("?seat=0") == ["Abbey", "Garrison", "Spy"]
    assert hand("?seat=1") == hand("?seat=public") == []
    for what in ("timeline", "board.svg"):
        assert "Spy" not in api.get(f"/v1/games/{game}/{what}?seat=public").text
    offered = api.get(f"/v1/games/{game}/moves?seat=public").get_json()
    assert "Spy" not in str(offered["moves"])
    (noted,) = [aside for aside in offered["asides"] if (aside["type"], aside["seat"]) == ("hold", 0)]
    assert noted["template"].endswith("hold {} {} {}")
    assert {"Spy", "Bishop", "Scout"} <= set(noted["blanks"][0]["choices"])  # it can be anywhere


def test_a_choice_of_payment_is_asked_in_one_line_and_a_broken_rule_is_cited(api):
    game = api.open(ruleset="catan_cards", seats=[{}, {}])
    record(api, game, *SETUP, "gain md", "gain ku")
    refused = api.record(game, "city l (mu)").get_json()
    assert (refused["rule"], refused["detail"]) == ("catan_cards:41", "city costs 3 ore, 2 grain, not 1 ore")
    assert "that costs 3 ore, 2 grain, and there is not enough" in api.record(game, "city l").text


def test_a_box_of_ones_own_is_kept_with_the_game(api):
    body = {"id": str(uuid7()), "ruleset": "catan_cards", "seats": [{}, {}], "components": {"cards": {"Castle": {}}}}
    assert "components.cards.Castle" in api.post("/v1/games", body).text
    own = {"cards": {"Abbey": {"count": 3}}}
    game = api.open(ruleset="catan_cards", seats=[{}, {}], components=own)
    assert sum(stack["size"] for stack in api.get(f"/v1/games/{game}/state").get_json()["state"]["stacks"]) == 0
    record(api, game, "start 1")
    assert sum(stack["size"] for stack in api.get(f"/v1/games/{game}/state").get_json()["state"]["stacks"]) == 63


def test_the_rules_are_shown_with_their_tables(api):
    page = api.get("/rulesets/catan_cards").text
    assert page.count("<table>") == page.count('<div class="scroll" tabindex="0"><table>') > 0, (
        "a phone can be narrower"
    )
    assert 'id="Q23b"' in page
    assert 'href="#Q42"' in page
