"""Tournaments: a record of their own in the log, with results that games can correct."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from projections.projector import Projector
from projections.rebuild import rebuild
from projections.replaying import prove_replays
from tests.cases import cases
from tests.service.conftest import Guest

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

NAMES = ("Aiko", "Ben", "Cleo", "Dai")


def _new(api: Api, *names: str, public: bool = False, **rules: Any) -> str:
    tournament = str(uuid7())
    body = {"id": tournament, "name": "Autumn Cup", "public": public, "rules": rules}
    answer = api.post("/v1/tournaments", body)
    assert answer.status_code == 201, answer.get_json()
    for name in names:
        assert _say(api, tournament, "player_entered", name=name).status_code == 201
    return tournament


def _say(api: Api, tournament: str, kind: str, **data: Any) -> Any:
    body = {"id": str(uuid7()), "type": f"tournament.{kind}", "data": data}
    return api.post(f"/v1/tournaments/{tournament}/entries", body)


def _of(api: Api, tournament: str, query: str = "") -> Any:
    return api.get(f"/v1/tournaments/{tournament}{query}").get_json()


def _called(found: Any) -> dict[str, str]:
    return {each["player"]: each["name"] for each in found["players"]}


def _scores(api: Api, game: str, *points: int) -> None:
    api.record(game, "r1 " + " ".join(map(str, points)), "end")


def _sheet(api: Api, players: list[str], *points: int) -> str:
    seats = [{"player": player} for player in players]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    _scores(api, game, *points)
    api.catch_up()
    return str(game)


@pytest.mark.slow
def test_a_swiss_is_paired_played_and_explained(api: Api) -> None:
    cup = _new(api, *NAMES, rounds=2, tie_breaks=["buchholz", "score_difference"])
    for number in (1, 2):
        found = _say(api, cup, "round_paired").get_json()
        assert len(found["rounds"]) == number
        for table in (1, 2):
            assert _say(api, cup, "result_entered", round=number, table=table, scores=[5, 3]).status_code == 201
    found = _of(api, cup)
    assert [row["points"] for row in found["table"]] == [2, 1, 1, 0]
    for row in found["table"]:
        for value in row["tie_breaks"]:
            assert sum(line["value"] for line in value["lines"]) == pytest.approx(value["value"])
    assert _say(api, cup, "round_paired").status_code == 400
    before = _of(api, cup, "?after=1")
    assert (before["after"], [row["points"] for row in before["table"]]) == (1, [1, 1, 0, 0])


def test_a_corrected_game_corrects_the_table_and_says_so(api: Api) -> None:
    cup = _new(api, "Aiko", "Ben", format="round_robin", tie_breaks=["score_total"])
    players = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"][0]["players"]
    game = _sheet(api, players, 7, 4)
    found = _say(api, cup, "result_entered", round=1, table=1, game=game).get_json()
    table = found["rounds"][0]["tables"][0]
    assert (table["places"], table["scores"], table["game"], table["corrected"]) == ([1, 2], [7, 4], game, None)
    assert found["table"][0]["player"] == players[0]
    replaced = {"entry": 2, "move": "r1 1 4", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    api.catch_up()
    found = _of(api, cup)
    table = found["rounds"][0]["tables"][0]
    assert (table["places"], table["corrected"]) == ([2, 1], [1, 2])
    assert found["table"][0]["player"] == players[1]


def test_a_game_counts_as_soon_as_it_is_over(api: Api) -> None:
    cup = _new(api, "Aiko", "Ben", format="round_robin")
    players = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"][0]["players"]
    seats = [{"player": player} for player in reversed(players)]
    game = api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    api.catch_up()
    found = _say(api, cup, "result_entered", round=1, table=1, game=game).get_json()
    assert found["rounds"][0]["over"] is False
    _scores(api, game, 3, 9)
    api.catch_up()
    found = _of(api, cup)
    assert found["rounds"][0]["tables"][0]["places"] == [1, 2], "by person, and not by seat of the game"
    assert found["rounds"][0]["tables"][0]["corrected"] is None


@pytest.fixture
def late_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that follow the log a tenth of a second late."""
    look = Projector._catch_up

    def late(projector: Projector) -> int:
        time.sleep(0.1)
        return look(projector)

    monkeypatch.setattr(Projector, "_catch_up", late)


@pytest.mark.usefixtures("late_lists")
def test_a_round_is_paired_by_games_that_ended_a_moment_ago(api: Api) -> None:
    cup = _new(api, *NAMES, rounds=2)
    tables = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"]
    games = []
    for number, table in enumerate(tables, 1):
        seats = [{"player": player} for player in table["players"]]
        games.append(api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats))
        assert _say(api, cup, "result_entered", round=1, table=number, game=games[-1]).status_code == 201
    for game in games:
        _scores(api, game, 1, 2)
    replaced = {"entry": 2, "move": "r1 2 1"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{games[0]}/events", body).status_code == 201
    found = _say(api, cup, "round_paired").get_json()
    winners = {tables[0]["players"][0], tables[1]["players"][1]}
    assert {*found["rounds"][1]["tables"][0]["players"]} == winners, "also by the correction"


@pytest.mark.usefixtures("late_lists")
def test_a_name_is_erased_from_the_title_of_a_game_that_was_opened_a_moment_ago(api: Api) -> None:
    game = api.open(ruleset="scoresheet", title="Aiko is 40", seats=[{"name": "Aiko"}, {"name": "Ben"}])
    player = api.get(f"/v1/games/{game}").get_json()["seats"][0]["player"]
    assert api.request("DELETE", f"/v1/players/{player}").status_code == 204
    assert api.get(f"/v1/games/{game}").get_json()["title"] == ""


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (
            {"format": "swis"},
            "data.rules.format: 'swis' is unknown; choose one of `groups`, `knock_out`, `round_robin`, `swiss`",
        ),
        ({"tie_breaks": ["wins", "luck"]}, "data.rules.tie_breaks[1]: 'luck' is unknown; choose one of `buchholz`, "),
        ({"tiebreaks": []}, "data.rules.tiebreaks: unknown field; choose one of `format`, `rounds`, `at_table`, "),
    ],
)
def test_a_wrong_word_or_field_is_answered_with_those_that_there_are(api: Api, rules: Any, told: str) -> None:
    body = {"id": str(uuid7()), "name": "Cup", "rules": rules}
    assert told in api.post("/v1/tournaments", body).get_json()["detail"]


def test_a_game_of_others_is_refused(api: Api) -> None:
    cup = _new(api, *NAMES, format="round_robin")
    tables = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"]
    game = _sheet(api, tables[1]["players"], 1, 2)
    answer = _say(api, cup, "result_entered", round=1, table=1, game=game)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.game")
    assert _say(api, cup, "result_entered", round=1, table=2, game=game).status_code == 201
    again = _say(api, cup, "result_entered", round=1, table=1, game=str(uuid7()))
    assert again.status_code == 400


def test_withdrawals_are_checked_against_what_follows(api: Api) -> None:
    cup = _new(api, *NAMES, rounds=2)
    _say(api, cup, "round_paired")
    for table in (1, 2):
        _say(api, cup, "result_entered", round=1, table=table, places=[1, 2])
    _say(api, cup, "round_paired")
    answer = _say(api, cup, "withdrawn", entry=7)
    assert answer.status_code == 400
    assert "entry 9 no longer fits: table 1 of round 1 has no result" in answer.get_json()["detail"]
    assert len(_say(api, cup, "withdrawn", entry=9).get_json()["rounds"]) == 1
    assert _say(api, cup, "withdrawn", entry=7).get_json()["rounds"][0]["over"] is False
    assert _say(api, cup, "withdrawn", entry=11).get_json()["rounds"][0]["over"] is True
    counts = [each["counts"] for each in api.get(f"/v1/tournaments/{cup}/entries").get_json()["entries"]]
    assert counts == [True] * 8 + [False, True, False, True]


@cases(
    ("kind", "data", "field"),
    [
        ("player_entered", {}, "data.player"),
        ("player_entered", {"name": ""}, "data.name"),
        ("player_entered", {"name": "Eve", "seed": 1}, "data.seed"),
        ("player_entered", {"name": "Eve", "seed": 0}, "data.seed"),
        ("player_left", {"player": str(uuid7())}, "data.player"),
        ("bye_asked", {"player": "x", "round": 9}, "data.player"),
        ("round_paired", {"round": 2, "tables": []}, "data.round"),
        ("round_paired", {"round": 1, "tables": [{"players": ["a"]}]}, "data.tables[0].players[0]"),
        ("result_entered", {"round": 1, "table": 9, "places": [1, 2]}, "data.table"),
        ("result_entered", {"round": 9, "table": 1, "places": [1, 2]}, "data.round"),
        ("result_entered", {"round": 1, "table": 1}, "data.places"),
        ("result_entered", {"round": 1, "table": 1, "places": [1]}, "data.places"),
        ("result_entered", {"round": 1, "table": 1, "places": [1, 7]}, "data.places[1]"),
        ("result_entered", {"round": 1, "table": 1, "scores": [1, 2, 3]}, "data.scores"),
        ("result_entered", {"round": 1, "table": 1, "forfeits": [2]}, "data.forfeits"),
        ("result_entered", {"round": "one", "table": 1, "game": str(uuid7())}, "data.game"),
        ("result_entered", {"round": 1, "table": 1, "game": "x", "places": [1, 2]}, "data.places"),
        ("organiser_named", {"name": "Aiko", "organises": False}, "data.player"),
        ("changed", {"tie_breaks": ["wins", "wins"]}, "data.tie_breaks"),
        ("changed", {"tie_breaks": ["luck"]}, "data.tie_breaks[0]"),
        ("withdrawn", {"entry": 1}, "data.entry"),
        ("withdrawn", {"entry": 99}, "data.entry"),
    ],
)
def test_bad_entries_are_refused_by_field(shared: Api, kind: str, data: dict[str, Any], field: str) -> None:
    cup = _new(shared, *NAMES)
    assert _say(shared, cup, "round_paired").status_code == 201
    answer = _say(shared, cup, kind, **data)
    assert answer.status_code == 400, answer.get_json()
    assert answer.get_json()["errors"][0]["field"] == field
    assert _of(shared, cup)["version"] == 6


def test_a_round_is_paired_by_an_entry_without_data(api: Api) -> None:
    cup = _new(api, *NAMES)
    answer = api.post(f"/v1/tournaments/{cup}/entries", {"id": str(uuid7()), "type": "tournament.round_paired"})
    assert (answer.status_code, len(answer.get_json()["rounds"])) == (201, 1), answer.get_json()
    lacking = api.post(f"/v1/tournaments/{cup}/entries", {"id": str(uuid7()), "type": "tournament.player_entered"})
    assert (lacking.status_code, len(_of(api, cup)["players"])) == (400, len(NAMES)), lacking.get_json()


@pytest.mark.parametrize(
    ("rules", "field"),
    [
        ({"format": "ladder"}, "data.rules.format"),
        ({"at_table": 7}, "data.rules.at_table"),
        ({"fewest": 3}, "data.rules.fewest"),
        ({"advance": 2}, "data.rules.advance"),
        ({"points": [[0, 3]]}, "data.rules.points"),
        ({"points": [[3, 0], [2, 0]]}, "data.rules.points"),
        ({"tie_breaks": ["wins", "wins"]}, "data.rules.tie_breaks"),
        ({"shade": "blue"}, "data.rules.shade"),
    ],
)
def test_bad_rules_are_refused_by_field(shared: Api, rules: dict[str, Any], field: str) -> None:
    answer = shared.post("/v1/tournaments", {"id": str(uuid7()), "name": "Cup", "rules": rules})
    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["field"] == field


def test_a_knock_out_takes_no_tie_and_no_late_entry(api: Api) -> None:
    cup = _new(api, *NAMES, format="knock_out", third_place=True)
    _say(api, cup, "round_paired")
    assert _say(api, cup, "result_entered", round=1, table=1, places=[1, 1]).status_code == 400
    assert _say(api, cup, "player_entered", name="Eve").status_code == 400
    for number, table in ((1, 1), (1, 2)):
        _say(api, cup, "result_entered", round=number, table=table, places=[1, 2])
    assert len(_say(api, cup, "round_paired").get_json()["rounds"][1]["tables"]) == 2
    for table in (1, 2):
        found = _say(api, cup, "result_entered", round=2, table=table, places=[1, 2]).get_json()
    assert [row["rank"] for row in found["table"]] == [1, 2, 3, 4]


def test_pairs_that_organisers_make_belong_to_their_groups_and_to_the_knock_out(api: Api) -> None:
    cup = _new(api, *NAMES, format="groups", groups=2, qualify=1)
    ids = {name: player for player, name in _called(_of(api, cup)).items()}
    aiko, ben, cleo, dai = (ids[name] for name in NAMES)

    def pair(*tables: tuple[str, str], number: int = 1, **more: Any) -> Any:
        return _say(api, cup, "round_paired", round=number, tables=[{"players": list(each)} for each in tables], **more)

    mixed = pair((aiko, ben), (cleo, dai))
    assert (mixed.status_code, mixed.get_json()["errors"][0]["field"]) == (400, "data.tables")
    other = pair((aiko, dai), (cleo, ben), stage="knock_out")
    assert (other.status_code, other.get_json()["errors"][0]["field"]) == (400, "data.stage")
    tables = [{"players": [dai, aiko]}, {"players": [cleo, ben]}]
    body = {"id": str(uuid7()), "type": "tournament.round_paired", "data": {"round": 1, "tables": tables}}
    for _ in range(2):
        answer = api.post(f"/v1/tournaments/{cup}/entries", body)
        assert answer.status_code == 201, "what is sent twice is recorded once"
    rounds = answer.get_json()["rounds"]
    assert [(each["stage"], [table["group"] for table in each["tables"]]) for each in rounds] == [("group", [0, 1])]
    for table in (1, 2):
        _say(api, cup, "result_entered", round=1, table=table, scores=[5, 3])
    out = pair((dai, ben), number=2)
    assert (out.status_code, out.get_json()["errors"][0]["field"]) == (400, "data.tables"), "Ben is out"
    final = pair((cleo, dai), number=2)
    assert final.get_json()["rounds"][1]["stage"] == "knock_out"
    found = _say(api, cup, "result_entered", round=2, table=1, scores=[5, 3]).get_json()
    assert found["table"][0]["player"] == cleo


def test_a_merged_person_plays_once_by_any_id_or_name(api: Api) -> None:
    first, again = str(uuid7()), str(uuid7())
    for player, name in ((first, "Ben"), (again, "Benjamin")):
        assert api.request("PUT", f"/v1/players/{player}", json={"name": name}).status_code < 300
    assert api.request("PUT", f"/v1/players/{again}/merge", json={"into": first}).status_code == 200
    cup, teams = _new(api, "Aiko", "Ben"), _new(api)
    for who in ({"player": again}, {"name": "Benjamin"}):
        answer = _say(api, cup, "player_entered", **who)
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.player")
    assert _say(api, cup, "player_left", player=again).status_code == 201
    assert [each["name"] for each in _of(api, cup)["players"]] == ["Aiko"]
    assert _say(api, teams, "team_entered", team=str(uuid7()), name="Foxes", players=["Ben"]).status_code == 201
    for who in (again, "Benjamin"):
        answer = _say(api, teams, "team_entered", team=str(uuid7()), name="Owls", players=[who])
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.players")


@pytest.mark.service("test")
@pytest.mark.parametrize("later", [True, False], ids=["one after the other", "both in one round"])
def test_a_person_who_came_back_by_another_id_has_one_line_after_the_merge(api: Api, *, later: bool) -> None:
    cup = _new(api, *NAMES, rounds=4)
    if not later:
        _say(api, cup, "player_entered", name="Benjamin")
    ids = {name: player for player, name in _called(_say(api, cup, "round_paired").get_json()).items()}
    assert not later or _say(api, cup, "player_left", player=ids["Ben"]).status_code == 201
    for number in (1, 2):
        for table in (1, 2):
            assert _say(api, cup, "result_entered", round=number, table=table, scores=[5, 3]).status_code == 201
        if number == 1:
            assert not later or _say(api, cup, "player_entered", name="Benjamin").status_code == 201
            ids = {name: player for player, name in _called(_say(api, cup, "round_paired").get_json()).items()}
    before = {row["player"]: row["points"] for row in _of(api, cup)["table"]}
    merge = f"/v1/players/{ids['Benjamin']}/merge"
    assert api.request("PUT", merge, json={"into": ids["Ben"]}).status_code == 200
    found = _of(api, cup)
    assert len(found["table"]) == len(found["players"]) == (4 if later else 5)
    assert sum(row["points"] for row in found["table"]) == sum(before.values())
    if later:
        (one,) = [each for each in found["players"] if each["player"] in {ids["Ben"], ids["Benjamin"]}]
        assert (one["seed"], one["first"], one["last"]) == (2, 1, None)
        (row,) = [row for row in found["table"] if row["player"] == one["player"]]
        assert (row["points"], row["played"]) == (before[ids["Ben"]] + before[ids["Benjamin"]], 2)
        found = _say(api, cup, "round_paired").get_json()
        assert sorted(player for table in found["rounds"][2]["tables"] for player in table["players"]) == sorted(
            each["player"] for each in found["players"]
        )
        assert _say(api, cup, "player_left", player=ids["Ben"]).status_code == 201
        assert [each["last"] for each in _of(api, cup)["players"]].count(3) == 1
    assert api.request("DELETE", merge).status_code in {200, 204}
    assert len(_of(api, cup)["table"]) == 5


def test_the_page_says_that_no_result_counts_of_somebody_who_left_early(api: Api) -> None:
    cup = _new(api, *NAMES, format="round_robin")
    ids = {name: player for player, name in _called(_say(api, cup, "round_paired").get_json()).items()}
    for table in (1, 2):
        assert _say(api, cup, "result_entered", round=1, table=table, scores=[5, 3]).status_code == 201
    found = _say(api, cup, "player_left", player=ids["Ben"]).get_json()
    assert [each["name"] for each in found["players"] if each["annulled"]] == ["Ben"]
    assert found["table"][-1]["player"] == ids["Ben"]
    assert api.get(f"/tournaments/{cup}").text.count("left before half of the games: no result counts") == 1


@pytest.mark.service("test")
def test_somebody_who_entered_twice_before_a_merge_leaves_as_one(api: Api) -> None:
    cup, (first, again) = _new(api, "Aiko", "Ben", "Benjamin", format="round_robin"), (str(uuid7()), str(uuid7()))
    players = {name: player for player, name in _called(_of(api, cup)).items()}
    for player in (first, again):
        assert api.request("PUT", f"/v1/players/{player}", json={"name": f"Organiser {player}"}).status_code < 300
        assert _say(api, cup, "organiser_named", player=player).status_code == 201
    merges = ((players["Benjamin"], players["Ben"]), (again, first))
    for person, into in merges:
        assert api.request("PUT", f"/v1/players/{person}/merge", json={"into": into}).status_code == 200
    found = _of(api, cup)
    assert (len(found["organisers"]), found["organisers"][1]) == (2, first), "organisers are seen once"
    body = {"id": str(uuid7()), "type": "tournament.player_left", "data": {"player": players["Benjamin"]}}
    for who in ("Benjamin", "Ben", "Benjamin"):
        body["data"] = {"player": players[who]}
        answer = api.post(f"/v1/tournaments/{cup}/entries", body)
        assert (answer.status_code, answer.get_json()["version"]) == (201, found["version"] + 2)
        assert [each["name"] for each in answer.get_json()["players"]] == ["Aiko"]
    assert _say(api, cup, "organiser_named", player=first, organises=False).status_code == 201
    assert len(_of(api, cup)["organisers"]) == 1


def test_a_fork_is_no_result_of_a_table(api: Api) -> None:
    cup = _new(api, "Aiko", "Ben", format="round_robin")
    players = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"][0]["players"]
    game, fork = _sheet(api, players, 7, 4), str(uuid7())
    assert api.post(f"/v1/games/{game}/forks", {"id": fork, "at": 1}).status_code == 201
    _scores(api, fork, 1, 9)
    api.catch_up()
    answer = _say(api, cup, "result_entered", round=1, table=1, game=fork)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "data.game")


@pytest.mark.parametrize(("entered", "places"), [([2, 2], [1, 1]), ([1, 3], [1, 2]), ([6, 5], [2, 1])], ids=str)
def test_places_are_told_from_one_on(shared: Api, entered: list[int], places: list[int]) -> None:
    cup = _new(shared, "Aiko", "Ben", format="round_robin")
    _say(shared, cup, "round_paired")
    found = _say(shared, cup, "result_entered", round=1, table=1, places=entered).get_json()
    assert found["rounds"][0]["tables"][0]["places"] == places


def test_what_is_sent_twice_is_recorded_once(api: Api) -> None:
    cup = _new(api, "Aiko", "Ben", format="round_robin")
    body = {"id": str(uuid7()), "type": "tournament.round_paired", "data": {}}
    first, again = (api.post(f"/v1/tournaments/{cup}/entries", body) for _ in range(2))
    assert (first.status_code, first.get_json()) == (201, again.get_json())
    other = body | {"data": {"round": 2}}
    assert api.post(f"/v1/tournaments/{cup}/entries", other).status_code in {400, 409}


def test_players_enter_their_own_results_and_leave(api: Api) -> None:
    cup = _new(api, *NAMES)
    found = _say(api, cup, "round_paired").get_json()
    tables = found["rounds"][0]["tables"]
    player = api.let_in("viewer", person=tables[0]["players"][0])
    assert _say(player, cup, "result_entered", round=1, table=1, scores=[3, 1]).status_code == 201
    assert _say(player, cup, "result_entered", round=1, table=2, scores=[3, 1]).status_code == 403
    assert _say(player, cup, "round_paired").status_code == 403
    assert _say(player, cup, "player_left", player=tables[1]["players"][0]).status_code == 403
    assert _say(player, cup, "player_left", player=tables[0]["players"][0]).status_code == 201


@pytest.mark.parametrize("odd", [[], {}, ["x"], {"a": 1}, 1, True, None, ""])
def test_a_player_who_is_no_id_is_refused_by_name(shared: Api, odd: Any) -> None:
    cup, player = _new(shared, *NAMES, public=True), shared.let_in("viewer")
    refused = _say(shared, cup, "player_left", player=odd)
    assert (refused.status_code, refused.get_json()["errors"][0]["field"]) == (400, "data.player")
    assert _say(player, cup, "player_left", player=odd).status_code == 403


@pytest.mark.service("test")
def test_a_stranger_sees_public_tournaments_alone_and_no_private_game(api: Api) -> None:
    hidden = _new(api, "Aiko", "Ben")
    shown = _new(api, "Aiko", "Ben", public=True, format="round_robin")
    players = _say(api, shown, "round_paired").get_json()["rounds"][0]["tables"][0]["players"]
    _say(api, shown, "result_entered", round=1, table=1, game=_sheet(api, players, 7, 4))
    api.catch_up()
    stranger = Guest(api.app, "", None)
    assert stranger.get(f"/v1/tournaments/{hidden}").status_code == 404
    assert [each["tournament"] for each in stranger.get("/v1/tournaments").get_json()["tournaments"]] == [shown]
    table = _of(stranger, shown)["rounds"][0]["tables"][0]
    assert (table["game"], table["places"]) == (None, [1, 2])
    kinds = [each["type"] for each in stranger.get(f"/v1/tournaments/{shown}/entries").get_json()["entries"]]
    assert "tournament.result_entered" not in kinds
    assert stranger.get(f"/v1/tournaments/{shown}/export").status_code in {401, 403}


@pytest.mark.service("test")
def test_a_tournament_is_no_game_and_no_club(api: Api) -> None:
    cup, game = _new(api, "Aiko", public=True), api.play()
    for path in (f"/v1/games/{cup}", f"/v1/clubs/{cup}", f"/v1/tournaments/{game}", "/v1/tournaments/x"):
        assert api.get(path).status_code == 404
    note = {"id": str(uuid7()), "type": "club.changed", "data": {"name": "x"}}
    assert api.post(f"/v1/tournaments/{cup}/entries", note).status_code == 400
    api.catch_up()
    assert api.get("/v1/clubs").get_json()["clubs"] == []
    assert [each["game"] for each in api.get("/v1/games").get_json()["games"]] == [game]
    archive = api.app.context.archive
    rebuilt = rebuild(archive.log, archive.views)
    assert (rebuilt.drifted, rebuilt.unreadable) == ([], {})
    assert [*prove_replays(archive.log, lambda _: None)] == []


def test_an_exported_tournament_comes_back(api: Api) -> None:
    cup = _new(api, "Aiko", "Ben")
    file = api.get(f"/v1/tournaments/{cup}/export").get_data()
    assert file.count(b"\n") == 4
    answer = api.request("POST", "/v1/imports", data=file, headers={"Content-Type": "application/x-ndjson"})
    assert (answer.status_code, answer.headers["Kifu-New-Entries"]) == (201, "0")
    assert answer.headers["Location"] == f"/v1/tournaments/{cup}"


def test_late_entries_byes_and_departures(api: Api) -> None:
    cup = _new(api, "Aiko", "Ben", "Cleo", rounds=3)
    first = _say(api, cup, "round_paired").get_json()
    assert [bye["kind"] for bye in first["rounds"][0]["byes"]] == ["bye"]
    _say(api, cup, "result_entered", round=1, table=1, places=[1, 1])
    found = _say(api, cup, "player_entered", name="Dai").get_json()
    by_name = {name: player for player, name in _called(found).items()}
    assert found["players"][3]["first"] == 2
    assert _say(api, cup, "bye_asked", player=by_name["Aiko"], round=2).status_code == 201
    assert _say(api, cup, "bye_asked", player=by_name["Aiko"], round=1).status_code == 400
    assert _say(api, cup, "player_left", player=by_name["Ben"]).status_code == 201
    found = _say(api, cup, "round_paired").get_json()
    second = found["rounds"][1]
    assert [bye["kind"] for bye in second["byes"]] == ["half"]
    assert {player for table in second["tables"] for player in table["players"]} == {by_name["Cleo"], by_name["Dai"]}
    assert _say(api, cup, "player_entered", player=by_name["Ben"]).status_code == 400


def test_the_game_of_a_table_is_opened_from_its_pairing(api: Api) -> None:
    cup = _new(api, "Aiko", "Ben", format="round_robin")
    players = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"][0]["players"]
    body = {
        "id": str(uuid7()),
        "ruleset": "scoresheet",
        "options": {"template": "rounds"},
        "round": 1,
        "table": 1,
    }
    first = api.post(f"/v1/tournaments/{cup}/games", body)
    again = api.post(f"/v1/tournaments/{cup}/games", body)
    assert (first.status_code, again.status_code) == (201, 201), first.text
    assert first.headers["Location"] == f"/v1/games/{body['id']}"
    assert api.get(f"/v1/tournaments/{cup}").get_json()["version"] == 5, "a repeated request is recorded once"
    seats = api.get(f"/v1/games/{body['id']}").get_json()["seats"]
    assert [seat["player"] for seat in seats] == players
    _scores(api, body["id"], 8, 5)
    api.catch_up()
    table = _of(api, cup)["rounds"][0]["tables"][0]
    assert (table["game"], table["places"], table["corrected"]) == (body["id"], [1, 2], None)
    other = api.post(f"/v1/tournaments/{cup}/games", body | {"id": str(uuid7())})
    assert (other.status_code, other.get_json()["errors"][0]["field"]) == (400, "table")


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"round": 2}, "data.round"),
        ({"table": 2}, "data.table"),
        ({"seats": [{}, {}]}, "seats"),
        ({"round": 0}, "round"),
        ({"ruleset": ""}, "ruleset"),
    ],
)
def test_a_game_that_no_table_can_have_is_refused_by_name(shared: Api, more: dict[str, Any], field: str) -> None:
    cup = _new(shared, "Aiko", "Ben", format="round_robin")
    _say(shared, cup, "round_paired")
    body = {"id": str(uuid7()), "ruleset": "kahuna", "round": 1, "table": 1} | more
    answer = shared.post(f"/v1/tournaments/{cup}/games", body)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, field)
    assert shared.get(f"/v1/games/{body['id']}").status_code == 404


def test_a_tournament_of_a_club_is_seen_by_its_members_and_its_games_are_the_clubs(api: Api) -> None:
    club, cup = str(uuid7()), str(uuid7())
    assert api.post("/v1/clubs", {"id": club, "name": "Thursday Club"}).status_code == 201
    member = str(uuid7())
    api.request("PUT", f"/v1/players/{member}", json={"name": "Mika"})
    joined = {"id": str(uuid7()), "type": "club.member_joined", "data": {"player": member}}
    assert api.post(f"/v1/clubs/{club}/entries", joined).status_code == 201
    options = {"id": str(uuid7()), "type": "club.rules_set", "data": {"ruleset": "kahuna", "text": "No tea."}}
    assert api.post(f"/v1/clubs/{club}/entries", options).status_code == 201
    body = {"id": cup, "name": "Club Cup", "club": club, "rules": {"format": "round_robin", "minutes": 45}}
    assert api.post("/v1/tournaments", body).status_code == 201
    for name in ("Aiko", "Ben"):
        _say(api, cup, "player_entered", name=name)
    _say(api, cup, "round_paired")
    game = str(uuid7())
    opened = api.post(f"/v1/tournaments/{cup}/games", {"id": game, "ruleset": "kahuna", "round": 1, "table": 1})
    assert opened.status_code == 201
    assert api.get(f"/v1/clubs/{club}").get_json()["games"] == [game]
    seen = api.let_in("recorder", person=member).get(f"/v1/tournaments/{cup}").get_json()
    assert (seen["club"], seen["club_name"], seen["rules"]["minutes"]) == (club, "Thursday Club", 45)
    stranger = api.let_in("recorder", person=str(uuid7()))
    assert stranger.get(f"/v1/tournaments/{cup}").status_code == 404
    foreign = {"id": str(uuid7()), "name": "Theirs", "club": club}
    assert stranger.post("/v1/tournaments", foreign).status_code in {403, 404}
    assert api.post("/v1/tournaments", foreign | {"club": str(uuid7())}).status_code == 404


def test_a_knock_out_round_that_a_corrected_game_would_pair_otherwise_says_so(api: Api) -> None:
    cup = _new(api, *NAMES, format="knock_out")
    tables = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"]
    game = _sheet(api, tables[0]["players"], 7, 4)
    _say(api, cup, "result_entered", round=1, table=1, game=game)
    _say(api, cup, "result_entered", round=1, table=2, scores=[3, 1])
    final = _say(api, cup, "round_paired").get_json()["rounds"][1]
    assert final["outdated"] is False
    assert tables[0]["players"][0] in final["tables"][0]["players"]
    replaced = {"entry": 2, "move": "r1 1 4", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    api.catch_up()
    found = _of(api, cup)
    assert [each["outdated"] for each in found["rounds"]] == [False, True]
    entries = api.get(f"/v1/tournaments/{cup}/entries").get_json()["entries"]
    assert _say(api, cup, "withdrawn", entry=entries[-1]["version"]).status_code == 201
    again = _say(api, cup, "round_paired").get_json()["rounds"][1]
    assert again["outdated"] is False
    assert tables[0]["players"][1] in again["tables"][0]["players"]


def test_a_corrected_game_that_was_opened_from_its_table_says_so_and_what_was_paired_by_it(api: Api) -> None:
    cup = _new(api, *NAMES, format="knock_out")
    tables = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"]
    opened = {"round": 1, "table": 1, "ruleset": "scoresheet", "options": {"template": "rounds"}}
    game = api.post(f"/v1/tournaments/{cup}/games", opened | {"id": str(uuid7())}).get_json()["game"]
    api.record(game, "r1 7 4", "end")
    api.catch_up()
    _say(api, cup, "result_entered", round=1, table=2, scores=[3, 1])
    final = _say(api, cup, "round_paired").get_json()["rounds"][1]
    assert tables[0]["players"][0] in final["tables"][0]["players"]
    assert [each["corrected"] for each in _of(api, cup)["rounds"][0]["tables"]] == [None, None]
    replaced = {"entry": 2, "move": "r1 1 4", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    api.catch_up()
    found = _of(api, cup)
    assert [each["corrected"] for each in found["rounds"][0]["tables"]] == [[1, 2], None]
    assert found["rounds"][0]["tables"][0]["places"] == [2, 1]
    assert [each["outdated"] for each in found["rounds"]] == [False, True]
    assert "corrected" in api.get(f"/tournaments/{cup}").text


def test_a_result_that_is_entered_otherwise_after_the_next_pairing_says_so(api: Api) -> None:
    cup = _new(api, *NAMES, rounds=3)
    _say(api, cup, "round_paired")
    for table in (1, 2):
        _say(api, cup, "result_entered", round=1, table=table, scores=[3, 1])
    found = _say(api, cup, "result_entered", round=1, table=2, scores=[2, 1]).get_json()
    found = _say(api, cup, "result_entered", round=1, table=2, scores=[1, 2]).get_json()
    assert [each["corrected"] for each in found["rounds"][0]["tables"]] == [None, None], "nothing is paired by it yet"
    _say(api, cup, "round_paired")
    found = _say(api, cup, "result_entered", round=1, table=1, forfeits=[0]).get_json()
    assert [each["corrected"] for each in found["rounds"][0]["tables"]] == [[1, 2], None]
    assert "corrected; it was 1 – 2" in api.get(f"/tournaments/{cup}").text
    found = _say(api, cup, "result_entered", round=1, table=1, scores=[9, 0]).get_json()
    assert [each["corrected"] for each in found["rounds"][0]["tables"]] == [None, None], "it is as it was"
    found = _say(api, cup, "result_entered", round=2, table=1, forfeits=[0, 1]).get_json()
    assert found["rounds"][1]["tables"][0]["corrected"] is None
    for round_ in found["rounds"]:
        assert round_["outdated"] is False


def test_a_knock_out_round_that_another_result_would_pair_otherwise_says_so(api: Api) -> None:
    cup = _new(api, *NAMES, format="knock_out")
    tables = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"]
    for table in (1, 2):
        _say(api, cup, "result_entered", round=1, table=table, scores=[3, 1])
    _say(api, cup, "round_paired")
    found = _say(api, cup, "result_entered", round=1, table=1, scores=[1, 3]).get_json()
    assert [each["outdated"] for each in found["rounds"]] == [False, True]
    assert found["rounds"][0]["tables"][0]["corrected"] == [1, 2]
    assert "It was paired before a result was corrected." in api.get(f"/tournaments/{cup}").text
    entries = api.get(f"/v1/tournaments/{cup}/entries").get_json()["entries"]
    final = max(each["version"] for each in entries if each["type"] == "tournament.round_paired")
    found = _say(api, cup, "withdrawn", entry=final).get_json()
    assert found["rounds"][0]["tables"][0]["corrected"] is None
    again = _say(api, cup, "round_paired").get_json()["rounds"][1]
    assert again["outdated"] is False
    assert tables[0]["players"][1] in again["tables"][0]["players"]


def test_a_correction_that_keeps_the_winner_leaves_a_knock_out_as_it_is(api: Api) -> None:
    cup = _new(api, *NAMES, format="knock_out", at_table=4, advance=2, fewest=2)
    players = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"][0]["players"]
    game = _sheet(api, players, 9, 7, 4, 1)
    found = _say(api, cup, "result_entered", round=1, table=1, game=game).get_json()
    assert found["rounds"][0]["over"] is True
    replaced = {"entry": 2, "move": "r1 9 7 1 4", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    api.catch_up()
    found = _of(api, cup)
    assert found["rounds"][0]["tables"][0]["corrected"] == [1, 2, 3, 4]
    assert [each["outdated"] for each in found["rounds"]] == [False]


TEAMS = {"Red Foxes": ["Aiko", "Ben"], "Blue Owls": ["Cleo", "Dai"], "Geese": ["Eri", "Finn"], "Crows": ["Gus", "Hana"]}


def _teams(api: Api, *names: str, **rules: Any) -> tuple[str, dict[str, str]]:
    """A tournament of teams, and their ids by name."""
    cup, ids = _new(api, **rules), {name: str(uuid7()) for name in names}
    for name, team in ids.items():
        answer = _say(api, cup, "team_entered", team=team, name=name, players=TEAMS[name])
        assert answer.status_code == 201, answer.get_json()
    return cup, ids


def test_teams_are_paired_and_ranked_by_their_matches(api: Api) -> None:
    cup, ids = _teams(api, *TEAMS, rounds=2, points=[[2, 0]], draw=1, tie_breaks=["score_total"])
    found = _of(api, cup)
    assert [(each["name"], [*each["members"].values()]) for each in found["players"]] == [*TEAMS.items()]
    first = _say(api, cup, "round_paired").get_json()["rounds"][0]
    assert {player for table in first["tables"] for player in table["players"]} == {*ids.values()}
    for table, scores in ((1, [1.5, 0.5]), (2, [1, 1])):
        assert _say(api, cup, "result_entered", round=1, table=table, scores=scores).status_code == 201
    table = _of(api, cup)["table"]
    assert [row["points"] for row in table] == [2, 1, 1, 0]
    assert table[0]["player"] == first["tables"][0]["players"][0]
    assert [row["tie_breaks"][0]["value"] for row in table] == [1.5, 1, 1, 0.5]
    second = _say(api, cup, "round_paired").get_json()["rounds"][1]
    met = [{*each["players"]} for each in first["tables"]]
    assert all({*each["players"]} not in met for each in second["tables"])
    again = _of(api, cup, "?after=1")["table"]
    assert again == table, "the table after the first round stays"


def test_a_team_changes_its_name_and_members_and_the_history_says_so(api: Api) -> None:
    cup, ids = _teams(api, "Red Foxes")
    (foxes,) = ids.values()
    changed = _say(api, cup, "team_entered", team=foxes, name="Foxes", players=["Aiko", "Ida"]).get_json()
    assert [(each["name"], [*each["members"].values()]) for each in changed["players"]] == [("Foxes", ["Aiko", "Ida"])]
    entry = api.get(f"/v1/tournaments/{cup}/entries").get_json()["entries"][-1]
    assert (entry["type"], entry["data"]["name"]) == ("tournament.team_entered", "Foxes")
    assert _say(api, cup, "withdrawn", entry=entry["version"]).status_code == 201
    assert [each["name"] for each in _of(api, cup)["players"]] == ["Red Foxes"]
    assert _say(api, cup, "player_left", player=foxes).get_json()["players"] == []


@pytest.mark.parametrize(
    ("kind", "data", "field"),
    [
        ("player_entered", {"name": "Ida"}, "data.player"),
        ("team_entered", {"name": "Owls", "players": ["Aiko"]}, "data.players"),
        ("team_entered", {"name": "Owls", "players": ["Ida", "Ida"]}, "data.players"),
        ("team_entered", {"name": "Owls", "players": []}, "data.players"),
        ("team_entered", {"name": "Owls", "players": "Ida"}, "data.players"),
        ("team_entered", {"name": "Owls", "players": [7]}, "data.players"),
        ("team_entered", {"name": "", "players": ["Ida"]}, "data.name"),
        ("team_entered", {"name": "Owls", "players": ["Ida"], "seed": 1}, "data.seed"),
        ("team_entered", {"name": "Owls", "players": ["Ida"], "team": "owls"}, "data.team"),
    ],
)
def test_odd_teams_are_refused_by_field(shared: Api, kind: str, data: dict[str, Any], field: str) -> None:
    cup, _ = _teams(shared, "Red Foxes")
    team = {} if kind == "player_entered" else {"team": str(uuid7())}
    answer = _say(shared, cup, kind, **(team | data))
    assert (answer.status_code, field in answer.text) == (400, True), answer.text
    assert len(_of(shared, cup)["players"]) == 1


def test_persons_and_teams_do_not_mix(api: Api) -> None:
    cup = _new(api, "Aiko")
    answer = _say(api, cup, "team_entered", team=str(uuid7()), name="Owls", players=["Ben"])
    assert (answer.status_code, "data.team" in answer.text) == (400, True)


def test_the_game_of_a_match_seats_the_members_in_turns_and_its_result_is_that_of_the_teams(api: Api) -> None:
    cup, ids = _teams(api, "Red Foxes", "Blue Owls", rounds=1)
    table = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"][0]["players"]
    people = {each["player"]: [*each["members"]] for each in _of(api, cup)["players"]}
    body = {"id": str(uuid7()), "round": 1, "table": 1, "ruleset": "scoresheet", "options": {"template": "rounds"}}
    game = api.post(f"/v1/tournaments/{cup}/games", body).get_json()["game"]
    seated = [each["player"] for each in api.get(f"/v1/games/{game}").get_json()["seats"]]
    assert seated == [player for pair in zip(*(people[team] for team in table), strict=True) for player in pair]
    _scores(api, game, 9, 3, 4, 5)
    api.catch_up()
    played = _of(api, cup)["rounds"][0]["tables"][0]
    assert (played["places"], played["scores"]) == ([1, 2], [13, 8])
    assert ids["Red Foxes"] in table


def test_a_game_with_others_is_no_match_of_two_teams(api: Api) -> None:
    cup, _ = _teams(api, "Red Foxes", "Blue Owls", rounds=1)
    _say(api, cup, "round_paired")
    people = [player for each in _of(api, cup)["players"] for player in each["members"]]
    for seats, fits in ((people[:2], False), ([people[0], people[2]], True), ([*people, str(uuid7())], False)):
        game = _sheet(api, seats, *range(len(seats), 0, -1))
        answer = _say(api, cup, "result_entered", round=1, table=1, game=game)
        assert (answer.status_code == 201) == fits, seats


@pytest.mark.service("test")
def test_members_of_a_team_see_the_tournament_and_enter_their_result_alone(api: Api) -> None:
    cup, _ = _teams(api, *TEAMS, rounds=1)
    tables = _say(api, cup, "round_paired").get_json()["rounds"][0]["tables"]
    people = {each["player"]: [*each["members"]] for each in _of(api, cup)["players"]}
    person = people[tables[0]["players"][0]][1]
    member = api.let_in("viewer", person=person)
    assert _say(member, cup, "result_entered", round=1, table=1, scores=[1, 0]).status_code == 201
    assert _say(member, cup, "result_entered", round=1, table=2, scores=[1, 0]).status_code == 403
    assert Guest(api.app, "", None).get(f"/v1/tournaments/{cup}").status_code == 404
    api.catch_up()
    held = member.get(f"/v1/players/{person}/held").get_json()
    assert [each["role"] for each in held["tournaments"]] == ["player"]
