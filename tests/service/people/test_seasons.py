"""Seasons: a record of their own in the log, with a table that follows from the games of a club."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from uuid_utils import uuid7

from projections.rebuild import rebuild
from projections.replaying import prove_replays
from service.exchange import schemas
from tests.service.conftest import Guest

if TYPE_CHECKING:
    from tests.service.conftest import Api

pytestmark = pytest.mark.service("file")

PEOPLE = ("0199d2f3-6a00-7000-8000-0000000000a1", "0199d2f3-6a00-7000-8000-0000000000a2")


class Club:
    """A club with a season, and games of two people."""

    def __init__(self, api: Api, **rules: Any) -> None:
        self.api, self.club, self.season = api, str(uuid7()), str(uuid7())
        for player, name in zip(PEOPLE, ("Aiko", "Ben"), strict=True):
            assert api.request("PUT", f"/v1/players/{player}", json={"name": name}).status_code < 300
        made = api.post("/v1/clubs", {"id": self.club, "name": "Thursday Club", "public": True})
        assert made.status_code == 201
        body = {"id": self.season, "name": "Autumn", "club": self.club, "rules": rules}
        answer = api.post("/v1/seasons", body)
        assert answer.status_code == 201, answer.get_json()

    def play(self, *points: int) -> str:
        seats = [{"player": player} for player in PEOPLE]
        game = self.api.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
        self.api.record(game, "r1 " + " ".join(map(str, points)), "end")
        body = {"id": str(uuid7()), "type": "club.game_attached", "data": {"game": game}}
        assert self.api.post(f"/v1/clubs/{self.club}/entries", body).status_code == 201
        self.api.catch_up()
        return str(game)

    def say(self, kind: str, **data: Any) -> Any:
        body = {"id": str(uuid7()), "type": f"season.{kind}", "data": data}
        return self.api.post(f"/v1/seasons/{self.season}/entries", body)

    def table(self, api: Api | None = None) -> list[tuple[Any, ...]]:
        found = (api or self.api).get(f"/v1/seasons/{self.season}").get_json()
        return [(row["rank"], row["name"], row["points"]) for row in found["table"]]


def test_the_games_of_the_club_make_the_table(api: Api) -> None:
    club = Club(api, points=[[3, 1]], bonuses=[{"kind": "lost_within", "at": 2, "points": 1}])
    club.play(7, 4)
    club.play(7, 6)
    assert club.table() == [(1, "Aiko", 6), (2, "Ben", 3)]
    found = api.get(f"/v1/seasons/{club.season}").get_json()
    assert (found["games"], found["club_name"]) == (2, "Thursday Club")
    lines = found["table"][1]["games"]
    assert [line["total"] for line in lines] == [1, 2]
    assert lines[1]["bonuses"] == [{"kind": "lost_within", "points": 1}]
    assert [each["season"] for each in api.get("/v1/seasons").get_json()["seasons"]] == [club.season]


def test_a_corrected_game_corrects_the_table_and_says_so(api: Api) -> None:
    club = Club(api)
    game = club.play(7, 4)
    assert club.table()[0] == (1, "Aiko", 1)
    replaced = {"entry": 2, "move": "r1 1 4", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    api.catch_up()
    found = api.get(f"/v1/seasons/{club.season}").get_json()["table"]
    assert [(row["name"], row["points"], row["games"][0]["corrected"]) for row in found] == [
        ("Ben", 1, 2),
        ("Aiko", 0, 1),
    ]


def test_a_correction_that_changes_no_place_is_not_said(api: Api) -> None:
    club = Club(api)
    game = club.play(7, 4)
    replaced = {"entry": 2, "move": "r1 9 4", "reason": "misread"}
    body = {"events": [{"id": str(uuid7()), "type": "entry.replaced", "data": replaced}]}
    assert api.post(f"/v1/games/{game}/events", body).status_code == 201
    api.catch_up()
    found = api.get(f"/v1/seasons/{club.season}").get_json()["table"]
    assert [row["games"][0]["corrected"] for row in found] == [None, None]


def test_organisers_give_points_and_leave_games_out_and_take_both_back(api: Api) -> None:
    club = Club(api)
    game = club.play(7, 4)
    assert club.say("points_given", player=PEOPLE[1], points=2, reason="fair play").status_code == 201
    assert club.table() == [(1, "Ben", 2), (2, "Aiko", 1)]
    assert club.say("game_left_out", game=game, reason="a friendly game").get_json()["games"] == 0
    assert club.table() == [(1, "Ben", 2)]
    club.say("withdrawn", entry=2)
    club.say("withdrawn", entry=3)
    assert club.table() == [(1, "Aiko", 1), (2, "Ben", 0)]
    entries = api.get(f"/v1/seasons/{club.season}/entries").get_json()["entries"]
    assert [each["counts"] for each in entries] == [True, False, False, True, True]
    changed = club.say("changed", rules={"points": [[10, 5]]}).get_json()
    assert [row["points"] for row in changed["table"]] == [10, 5]


def test_points_are_given_to_a_person_by_name_as_the_description_says(api: Api) -> None:
    club, body = Club(api), {"id": str(uuid7()), "type": "season.points_given", "data": {"name": "Ben", "points": 2}}
    answers = [api.post(f"/v1/seasons/{club.season}/entries", body) for _ in range(2)]
    assert [each.status_code for each in answers] == [201, 201]
    assert club.table() == [(1, "Ben", 2)]


def test_a_private_game_counts_for_nobody_who_may_not_see_it(api: Api) -> None:
    club = Club(api)
    game = club.play(7, 4)
    club.say("game_left_out", game=game)
    club.say("withdrawn", entry=2)
    other = club.play(1, 9)
    stranger = Guest(api.app, "", None)
    before = stranger.get(f"/v1/seasons/{club.season}").get_json()
    assert (before["games"], before["table"]) == (0, [])
    assert game not in stranger.get(f"/v1/seasons/{club.season}/entries").text
    api.show(other)
    api.catch_up()
    assert club.table(stranger) == [(1, "Ben", 1), (2, "Aiko", 0)]
    assert game not in stranger.get(f"/v1/seasons/{club.season}").text
    assert club.table() == [(1, "Aiko", 1), (1, "Ben", 1)]


@pytest.mark.service("test")
def test_those_who_see_the_club_see_the_season_and_organisers_change_it(api: Api) -> None:
    club = Club(api)
    stranger = Guest(api.app, "", None)
    assert stranger.get(f"/v1/seasons/{club.season}").status_code == 200
    assert stranger.get(f"/v1/seasons/{club.season}/export").status_code in {401, 403}
    player = api.let_in("recorder", person=PEOPLE[0])
    body = {"id": str(uuid7()), "type": "season.changed", "data": {"name": "Mine"}}
    assert player.post(f"/v1/seasons/{club.season}/entries", body).status_code == 403
    hidden = {"id": str(uuid7()), "type": "club.changed", "data": {"public": False}}
    assert api.post(f"/v1/clubs/{club.club}/entries", hidden).status_code == 201
    assert stranger.get(f"/v1/seasons/{club.season}").status_code == 404
    api.catch_up()
    assert stranger.get("/v1/seasons").get_json()["seasons"] == []


@pytest.mark.parametrize(
    ("kind", "data", "field"),
    [
        ("points_given", {"player": str(uuid7()), "points": 1}, "data.player"),
        ("points_given", {"player": 7, "points": 1}, "data.player"),
        ("points_given", {"player": PEOPLE[0], "points": 1001}, "data.points"),
        ("points_given", {"name": "Nobody here", "points": 1}, "data.name"),
        ("game_left_out", {"game": "nothing"}, "data.game"),
        ("game_left_out", {}, "data.game"),
        ("changed", {"rules": {"best": -1}}, "data.rules.best"),
        ("changed", {"rules": {"kind": "nothing"}}, "data.rules.kind"),
        ("changed", {"rules": {"tie_breaks": ["luck"]}}, "data.rules.tie_breaks"),
        ("changed", {"rules": {"last": "tomorrow"}}, "data.rules.last"),
        ("withdrawn", {"entry": 1}, "data.entry"),
    ],
)  # fmt: skip
def test_bad_entries_are_refused_by_name(api: Api, kind: str, data: dict[str, Any], field: str) -> None:
    club = Club(api)
    answer = club.say(kind, **data)
    assert answer.status_code == 400
    assert field in answer.text
    assert api.get(f"/v1/seasons/{club.season}").get_json()["version"] == 1


def test_a_season_needs_a_club_that_the_founder_organises(api: Api) -> None:
    body = {"id": str(uuid7()), "name": "Autumn", "club": str(uuid7())}
    assert api.post("/v1/seasons", body).status_code == 404
    assert api.post("/v1/seasons", body | {"club": "x"}).status_code == 400
    assert api.get(f"/v1/seasons/{uuid7()}").status_code == 404
    assert api.get("/v1/seasons/x").status_code == 404


def test_a_season_is_exported_proved_rebuilt_and_taken_in(api: Api) -> None:
    club = Club(api)
    club.play(7, 4)
    club.say("points_given", player=PEOPLE[0], points=1)
    archive = api.app.context.archive
    assert not list(prove_replays(archive.log, lambda _: None))
    before = api.get(f"/v1/seasons/{club.season}").get_json()
    rebuild(archive.log, archive.views)
    api.catch_up()
    assert api.get(f"/v1/seasons/{club.season}").get_json() == before
    exported = api.get(f"/v1/seasons/{club.season}/export")
    assert len(exported.data.splitlines()) == 3
    again = api.request("POST", "/v1/imports", data=exported.data, content_type="application/x-ndjson")
    assert (again.status_code, again.headers["Location"]) == (201, f"/v1/seasons/{club.season}")


def test_merged_people_are_one_line(api: Api) -> None:
    club = Club(api)
    club.play(7, 4)
    club.say("points_given", player=PEOPLE[0], points=3)
    owner = api.app.context.access.owner
    merged = api.request("PUT", f"/v1/players/{PEOPLE[0]}/merge", json={"into": owner})
    assert merged.status_code == 200
    found = api.get(f"/v1/seasons/{club.season}").get_json()["table"]
    assert [(row["player"], row["points"]) for row in found] == [(owner, 4), (PEOPLE[1], 0)]


@pytest.mark.service("test")
def test_a_merge_in_a_club_a_season_and_a_tournament_at_once_is_undone_whole_and_erasing_changes_no_number(
    api: Api,
) -> None:
    club, cup, (aiko, ben), other = Club(api, points=[[3, 1]]), str(uuid7()), PEOPLE, str(uuid7())
    api.request("PUT", f"/v1/players/{other}", json={"name": "Aiko S."})
    club.play(7, 4)
    club.play(2, 5)
    club.say("points_given", player=other, points=2, reason="tea")
    api.post("/v1/tournaments", {"id": cup, "name": "Cup", "club": club.club, "rules": {"rounds": 3}})

    def enter(record: str, kind: str, **data: Any) -> None:
        body = {"id": str(uuid7()), "type": kind, "data": data}
        answer = api.post(f"/v1/{record}/entries", body)
        assert answer.status_code == 201, answer.text

    def shown() -> list[Any]:
        api.catch_up()
        table = api.get(f"/v1/tournaments/{cup}").get_json()["table"]
        members = api.get(f"/v1/clubs/{club.club}").get_json()["members"]
        standings = api.get(f"/v1/seasons/{club.season}").get_json()["table"]
        lines = [[(row["rank"], row["player"], row["points"]) for row in rows] for rows in (table, standings)]
        return [*lines, [(each["player"], each["role"]) for each in members]]

    for player in (aiko, ben, other):
        enter(f"clubs/{club.club}", "club.member_joined", player=player)
    for player in (aiko, ben):
        enter(f"tournaments/{cup}", "tournament.player_entered", player=player)
    enter(f"tournaments/{cup}", "tournament.round_paired")
    enter(f"tournaments/{cup}", "tournament.result_entered", round=1, table=1, scores=[3, 1])
    enter(f"tournaments/{cup}", "tournament.player_left", player=aiko)
    enter(f"tournaments/{cup}", "tournament.player_entered", player=other)
    before = shown()
    assert [len(part) for part in before] == [2, 3, 4], "who enters late is in the table from the next round on"
    assert api.request("PUT", f"/v1/players/{other}/merge", json={"into": aiko}).status_code == 200
    assert [len(part) for part in shown()] == [2, 2, 3]
    assert api.request("DELETE", f"/v1/players/{other}/merge").status_code == 204
    assert shown() == before
    assert api.request("DELETE", f"/v1/players/{ben}").status_code == 204
    assert shown() == before
    enter(f"tournaments/{cup}", "tournament.round_paired")
    enter(f"tournaments/{cup}", "tournament.result_entered", round=2, table=1, scores=[3, 1])
    for path in (f"/tournaments/{cup}", f"/tournaments/{cup}/wall", f"/clubs/{club.club}", f"/seasons/{club.season}"):
        assert "Ben" not in api.get(path).text


def test_a_wrong_day_is_answered_with_an_example(api: Api) -> None:
    club = Club(api).club
    body = {"id": str(uuid7()), "name": "Autumn", "club": club, "rules": {"first": "1.9.2026"}}
    detail = api.post("/v1/seasons", body).get_json()["detail"]
    assert "data.rules.first: write the day as in 2026-09-01" in detail


@pytest.mark.parametrize(
    ("record", "kind", "field"),
    [
        ("clubs", "club.game_attached", "game"),
        ("seasons", "season.game_left_out", "game"),
        ("seasons", "season.points_given", "player"),
    ],
)
def test_an_entry_without_what_it_is_about_says_what_is_missing(api: Api, record: str, kind: str, field: str) -> None:
    club = Club(api)
    path = f"/v1/{record}/{club.club if record == 'clubs' else club.season}/entries"
    answer = api.post(path, {"id": str(uuid7()), "type": kind, "data": {}})
    assert answer.get_json()["errors"] == [{"field": f"data.{field}", "message": "missing"}]


def test_entries_of_clubs_seasons_and_tournaments_have_a_schema(api: Api) -> None:
    club, cup = Club(api, points=[[3, 1]]), str(uuid7())
    game = club.play(7, 4)
    club.say("points_given", player=PEOPLE[0], points=2, reason="tea")
    club.say("game_left_out", game=game)
    api.post("/v1/tournaments", {"id": cup, "name": "Cup", "club": club.club, "rules": {"rounds": 3}})
    for kind, data in (
        *(("player_entered", {"player": player}) for player in PEOPLE),
        ("round_paired", {}),
        ("result_entered", {"round": 1, "table": 1, "scores": [3, 1]}),
        ("erased", {"entry": 1, "reason": "a name"}),
    ):
        body = {"id": str(uuid7()), "type": f"tournament.{kind}", "data": data}
        assert api.post(f"/v1/tournaments/{cup}/entries", body).status_code == 201
    header, entry = (jsonschema_rs.Draft202012Validator(schemas.schema(name)) for name in ("header", "entry"))
    for path in (f"clubs/{club.club}", f"seasons/{club.season}", f"tournaments/{cup}"):
        first, *rest = map(json.loads, api.get(f"/v1/{path}/export").data.splitlines())
        header.validate(first)
        for line in rest:
            entry.validate(line)
            assert not entry.is_valid(line | {"data": line["data"] | {"strange": 1}}), line["type"]
