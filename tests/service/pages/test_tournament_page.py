"""The page of a tournament: pairing, results, and the explained table."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from uuid_utils import uuid7

from tests.service.conftest import Guest

if TYPE_CHECKING:
    from tests.service.conftest import Api


def test_an_organiser_runs_a_tournament_on_its_page(api: Api) -> None:
    form = {"id": str(uuid7()), "name": "Autumn Cup", "format": "swiss", "rounds": "1", "tie_breaks": ["buchholz"]}
    made = api.request("POST", "/tournaments", data=form)
    assert made.status_code == 303
    address = made.headers["Location"]
    for name in ("Aiko", "Ben"):
        sent = {"id": str(uuid7()), "type": "tournament.player_entered", "name": name}
        assert api.request("POST", address, data=sent).status_code == 303
    sent = {"id": str(uuid7()), "type": "tournament.round_paired"}
    assert api.request("POST", address, data=sent).status_code == 303
    shown = api.get(address).text
    assert "Enter result" in shown
    assert "Table during round 1" in shown, "no result is there yet"
    assert "第1回戦途中の順位表" in api.get(f"{address}/wall", headers={"Accept-Language": "ja"}).text
    result = {"id": str(uuid7()), "type": "tournament.result_entered", "round": "1", "table": "1", "score": ["7", "4"]}
    assert api.request("POST", address, data=result).status_code == 303
    shown = api.get(address).text
    assert "Change the result" in shown
    assert "Table after round 1" in shown
    assert "All rounds are played." in shown
    assert "Pair the next round" not in shown
    assert re.search(r"<h3>Buchholz: 0</h3>", shown)
    assert "第1回戦終了時の順位表" in api.get(address, headers={"Accept-Language": "ja"}).text
    api.catch_up()
    assert "Autumn Cup" in api.get("/tournaments").text
    assert Guest(api.app, "", None).get(address).status_code in {302, 303, 404}


def test_bad_forms_are_refused(api: Api) -> None:
    made = api.request("POST", "/tournaments", data={"id": str(uuid7()), "name": "Cup", "format": "ladder"})
    assert made.status_code == 400
    made = api.request("POST", "/tournaments", data={"id": str(uuid7()), "name": "Cup", "format": "swiss"})
    address = made.headers["Location"]
    for sent in (
        {"type": "tournament.founded"},
        {"type": "tournament.withdrawn"},
        {"type": "tournament.result_entered", "round": "x", "score": "y"},
    ):
        assert api.request("POST", address, data={"id": str(uuid7())} | sent).status_code == 400
    assert api.get(f"{address}?after=x").status_code == 400


def _founded(api: Api, **more: str) -> str:
    form = {"id": str(uuid7()), "name": "Cup", "format": "swiss", "rounds": "3"} | more
    address = api.request("POST", "/tournaments", data=form).headers["Location"]
    for name in ("Aiko", "Ben"):
        _send(api, address, "player_entered", name=name)
    _send(api, address, "round_paired")
    return str(address)


def _send(api: Api, address: str, kind: str, /, **more: str | list[str]) -> None:
    sent = {"id": str(uuid7()), "type": f"tournament.{kind}"} | more
    answer = api.request("POST", address, data=sent)
    assert answer.status_code == 303, answer.text


def test_places_and_forfeits_are_entered_and_taken_back(api: Api) -> None:
    address = _founded(api)
    _send(api, address, "result_entered", round="1", table="1", place=["2", "1"], score=["", ""])
    table = api.get(f"/v1{address}").get_json()["rounds"][0]["tables"][0]
    assert (table["places"], table["scores"]) == ([2, 1], None)
    _send(api, address, "result_entered", round="1", table="1", forfeit=["0"], place=["", ""], score=["", ""])
    shown = api.get(address).text
    assert "<b>did not play</b>" in shown
    entries = api.get(f"/v1{address}/entries").get_json()["entries"]
    _send(api, address, "withdrawn", entry=str(entries[-1]["version"]))
    assert api.get(f"/v1{address}").get_json()["rounds"][0]["tables"][0]["places"] == [2, 1]
    shown = api.get(address).text
    assert "was withdrawn" in shown
    assert "began 1 of 1" in shown


def test_an_old_page_opens_no_game_of_a_table_that_has_changed(api: Api) -> None:
    address = _founded(api, ruleset="kahuna")
    page = api.get(address).text
    form = re.search(rf'action="{address}/games">.*?</form>', page, re.DOTALL)
    assert form
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[0])) | {"played": "kahuna"}
    sent["shown"] = unescape(sent["shown"])
    _send(api, address, "result_entered", round="1", table="1", place=["2", "1"], score=["", ""])
    refused = api.request("POST", f"{address}/games", data=sent)
    assert refused.status_code == 400
    assert "open the page again" in refused.text
    entries = api.get(f"/v1{address}/entries").get_json()["entries"]
    _send(api, address, "withdrawn", entry=str(entries[-1]["version"]))
    made = api.request("POST", f"{address}/games", data=sent)
    assert (made.status_code, made.headers["Location"]) == (303, f"/games/{sent['id']}")
    _send(api, address, "result_entered", round="1", table="1", place=["1", "2"], score=["", ""])
    again = api.request("POST", f"{address}/games", data=sent)
    assert again.headers["Location"] == made.headers["Location"], "it was sent twice"


def test_a_game_is_opened_from_its_table_and_a_recorded_one_is_offered(api: Api) -> None:
    address = _founded(api, ruleset="kahuna")
    sent = {"id": str(uuid7()), "round": "1", "table": "1", "played": "kahuna"}
    made = api.request("POST", f"{address}/games", data=sent)
    assert (made.status_code, made.headers["Location"]) == (303, f"/games/{sent['id']}")
    assert sent["id"] in api.get(address).text
    other = _founded(api)
    players = api.get(f"/v1{other}").get_json()["rounds"][0]["tables"][0]["players"]
    seats = [{"player": player} for player in players]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    api.record(game, "r1 4 9", "end")
    api.catch_up()
    assert f'<option value="{game}">' in api.get(other).text
    _send(api, other, "result_entered", round="1", table="1", game=game)
    assert api.get(f"/v1{other}").get_json()["rounds"][0]["tables"][0]["places"] == [2, 1]


def test_the_rules_are_changed_and_the_wall_has_the_clock(api: Api) -> None:
    address = _founded(api, minutes="45")
    shown = api.get(f"{address}/wall")
    assert f'data-follow="/v1{address}"' in shown.text
    assert re.search(r'data-ends="\d{4}-\d\d-\d\dT', shown.text)
    _send(api, address, "changed", name="Winter Cup", rounds="2", minutes="0", public="on")
    shown = api.get(f"{address}/wall")
    assert "Winter Cup" in shown.text
    assert "data-ends" not in shown.text
    assert Guest(api.app, "", None).get(f"{address}/wall").status_code == 200
    saved = api.get(f"{address}/table.csv")
    assert saved.text.splitlines()[0] == "rank,player,name,points,played,group"
    assert api.get(f"{address}/table.csv?locale=pt&bom=true").text.startswith("\ufeffrank;player;")


def test_teams_are_entered_on_the_page(api: Api) -> None:
    form = {"id": str(uuid7()), "name": "Team Cup", "format": "swiss", "rounds": "1"}
    address = api.request("POST", "/tournaments", data=form).headers["Location"]
    for name, players in (("Red Foxes", "Aiko\nBen"), ("Blue Owls", "Cleo\r\n Dai \n")):
        _send(api, address, "team_entered", team=str(uuid7()), name=name, players=players)
    _send(api, address, "round_paired")
    _send(api, address, "result_entered", round="1", table="1", score=["3", "1"])
    shown = api.get(address).text
    assert "Add player" not in shown, "persons and teams do not mix"
    for name in ("Red Foxes", "Aiko", "Dai", "Team: Blue Owls"):
        assert name in shown, name
    assert "Red Foxes" in api.get(f"{address}/wall").text
    assert "Red Foxes" in api.get(f"{address}/table.csv").text
    assert "チーム" in api.get(address, headers={"Accept-Language": "ja"}).text


def _numbers(page: str) -> dict[str, str]:
    """The number of a table of each player, as the form for pairs by hand has it."""
    rows = re.findall(
        r'name="player" value="([^"]+)"><input type="hidden" name="kind" value="[^"]*">(.*?)</label>', page
    )
    return {player: re.findall(r'value="([^"]*)"', field)[0] for player, field in rows}


def test_a_round_is_paired_by_hand_after_a_wrong_pairing_was_played(api: Api) -> None:
    address = _founded(api)
    for name in ("Cleo", "Dai", "Eve"):
        _send(api, address, "player_entered", name=name)
    _send(api, address, "withdrawn", entry="4")
    shown = api.get(f"{address}?by_hand=true").text
    proposed = _numbers(shown)
    assert sorted(proposed.values()) == ["", "1", "1", "2", "2"]
    players = sorted(proposed, key=lambda player: proposed[player] or "9")
    at = ["1", "2", "1", "2", ""]
    pairs = {"round": "1", "player": players, "at": at, "kind": [""] * 5}
    for wrong, why in (
        (["1", "2", "2", "3", "3"], "table 1 has one player"),
        (["x", *at[1:]], "x is not the number of a table"),
    ):
        sent = {"id": str(uuid7()), "type": "tournament.round_paired"} | pairs | {"at": wrong}
        answer = api.request("POST", address, data=sent)
        assert answer.status_code == 400
        assert why in answer.text
    _send(api, address, "round_paired", **pairs)
    cup = api.get(f"/v1{address}").get_json()["rounds"][0]
    assert [table["players"] for table in cup["tables"]] == [[players[0], players[2]], [players[1], players[3]]]
    assert [(bye["player"], bye["kind"]) for bye in cup["byes"]] == [(players[4], "bye")]
    assert "by_hand" not in api.get(address).text, "the round has no results yet"
    assert api.get(f"{address}?by_hand=true").status_code == 400


def test_a_round_is_not_paired_from_a_page_that_is_older_than_it(api: Api) -> None:
    """Two organisers look at the same page. One pairs round 2 and enters its results before the other one taps."""
    address = _founded(api)
    for number in ("1", "2"):
        _send(api, address, "result_entered", round=number, table="1", score=["7", "4"])
        if number == "1":
            assert '<input type="hidden" name="round" value="2">' in api.get(address).text
            _send(api, address, "round_paired", round="2")
    late = {"id": str(uuid7()), "type": "tournament.round_paired", "round": "2"}
    answer = api.request("POST", address, data=late)
    assert answer.status_code == 400
    assert "the next round is 3" in answer.text
    assert len(api.get(f"/v1{address}").get_json()["rounds"]) == 2


def test_organisers_are_named_on_the_page_and_there_is_always_one(api: Api) -> None:
    address = _founded(api)
    _send(api, address, "organiser_named", name="Ben")
    organisers = api.get(f"/v1{address}").get_json()["organisers"]
    assert len(organisers) == 2
    assert api.get(address).text.count("is not an organiser any more") == 2
    ben = api.let_in("viewer", person=organisers[1])
    assert "Pair the next round" not in ben.get(address).text
    result = {"id": str(uuid7()), "type": "tournament.result_entered", "round": "1", "table": "1", "score": ["7", "4"]}
    assert ben.request("POST", address, data=result).status_code == 303
    assert "Pair the next round" in ben.get(address).text
    _send(api, address, "organiser_named", player=organisers[0], remove="1")
    assert api.get(f"/v1{address}").get_json()["organisers"] == organisers[1:]
    assert "is not an organiser any more" not in api.get(address).text
    last = {"id": str(uuid7()), "type": "tournament.organiser_named", "player": organisers[1], "remove": "1"}
    assert api.request("POST", address, data=last).status_code == 400


def test_rules_of_groups_points_and_the_order_of_tie_breaks_are_chosen_on_the_page(api: Api) -> None:
    more = {"format": "groups", "groups": "2", "qualify": "1", "points": "3, 0", "draw": "1", "third_place": "on"}
    order = ["wins", "direct_encounter", "", "", ""]
    address = api.request(
        "POST", "/tournaments", data={"id": str(uuid7()), "name": "Cup", "tie_breaks": order} | more
    ).headers["Location"]
    for name in ("Aiko", "Ben", "Cleo", "Dai"):
        _send(api, address, "player_entered", name=name)
    rules = api.get(f"/v1{address}").get_json()["rules"]
    assert rules["points"] == [[3, 0]]
    assert (rules["draw"], rules["qualify"], rules["third_place"]) == (1, 1, True)
    assert rules["tie_breaks"] == ["wins", "direct_encounter"]
    shown = api.get(address).text
    assert re.findall(r'<option value="(\w+)" selected>', shown) == order[:2]
    _send(api, address, "changed", name="Cup", rounds="0", tie_breaks=order[1::-1])
    assert api.get(f"/v1{address}").get_json()["rules"]["tie_breaks"] == order[1::-1]
    _send(api, address, "round_paired")
    assert re.findall(r"<th scope=\"row\"><bdi>(\w+)</bdi></th><td>(\d)</td>", api.get(address).text) == [
        ("Aiko", "1"),
        ("Ben", "2"),
        ("Cleo", "2"),
        ("Dai", "1"),
    ]
    wrong = {"id": str(uuid7()), "name": "Cup", "format": "swiss", "points": "three"}
    assert api.request("POST", "/tournaments", data=wrong).status_code == 400
