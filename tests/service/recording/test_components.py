"""Named components: entered once, copied into each game that is opened with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events.sqlite.log import SqliteLog
from events.sqlite.reader import SqliteReader
from games.verraeter.components import SAMPLE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.conftest import Api

BOX = "/v1/components/verraeter/my box"
INVENTED = "invented points"
POINTS: dict[str, Any] = {"points": {land: [9, 6, None] for land in SAMPLE["points"]}}


def test_components_are_entered_once_and_open_many_games(api: Api) -> None:
    assert api.request("PUT", BOX, json={"data": POINTS}).get_json()["data"] == POINTS
    for _ in range(2):
        game = api.open(ruleset="verraeter", components_name="my box")
        (opened,) = api.get(f"/v1/games/{game}/events").get_json()["events"]
        assert opened["data"]["components"] == POINTS
        state = api.get(f"/v1/games/{game}/state").get_json()["state"]
        assert state["components"]["points"]["River"] == [9, 6, None, None]


def test_a_game_keeps_the_components_that_it_was_opened_with(api: Api) -> None:
    api.request("PUT", BOX, json={"data": POINTS})
    game, body = str(uuid7()), {"ruleset": "verraeter", "components_name": "my box"}
    first = api.post("/v1/games", {"id": game} | body)
    api.request("PUT", BOX, json={"data": SAMPLE})
    again = api.post("/v1/games", {"id": game} | body)
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert api.request("DELETE", BOX).status_code == 204
    assert api.get(f"/v1/games/{game}/state").get_json()["state"]["components"]["points"]["City"][0] == 9
    assert api.post("/v1/games", {"id": str(uuid7())} | body).status_code == 400


def test_a_dry_run_judges_components_and_keeps_nothing(api: Api) -> None:
    answer = api.request("PUT", f"{BOX}?dry_run=true", json={"data": POINTS})
    assert answer.status_code == 200
    assert answer.get_json() == {
        "ruleset": "verraeter",
        "name": "my box",
        "data": POINTS,
        "created_at": None,
        "invented": False,
    }
    assert api.request("PUT", f"{BOX}?dry_run=true", json={"data": {"points": {}}}).status_code == 400
    assert (
        api.request("PUT", f"/v1/components/verraeter/{'n' * 201}?dry_run=true", json={"data": POINTS}).status_code
        == 400
    )
    assert api.get(BOX).status_code == 404


def test_the_place_of_an_error_in_a_formula_is_told(api: Api) -> None:
    columns = [{"id": "points"}, {"id": "half", "formula": "(points + wood) / 2"}]
    path = "/v1/components/scoresheet/mine?dry_run=true"
    problem = api.request("PUT", path, json={"data": {"name": "Mine", "columns": columns}}).get_json()
    assert problem["errors"][0]["field"] == "data.columns[1].formula"
    assert (problem["text"], problem["text"][problem["at"] :]) == ("(points + wood) / 2", "wood) / 2")
    columns[1]["formula"] = "1 + " * 10_000
    problem = api.request("PUT", path, json={"data": {"name": "Mine", "columns": columns}}).get_json()
    assert (problem["at"], len(problem["text"])) == (300, 400)


def test_what_a_game_has_learnt_can_be_kept(api: Api) -> None:
    game = api.open(ruleset="verraeter", seats=[{}, {}, {}])
    learnt = api.get(f"/v1/games/{game}/state").get_json()["state"]["components"]
    assert api.request("PUT", BOX, json={"data": learnt}).status_code == 200


def test_made_up_components_are_listed_as_such_and_cannot_be_overwritten(api: Api) -> None:
    api.request("PUT", BOX, json={"data": POINTS})
    listed = api.get("/v1/components/verraeter").get_json()["components"]
    assert [(found["name"], found["invented"]) for found in listed] == [("my box", False), (INVENTED, True)]
    assert api.get(f"/v1/components/verraeter/{INVENTED}").get_json()["data"] == SAMPLE
    assert api.open(ruleset="verraeter", components_name=INVENTED)
    answer = api.request("PUT", f"/v1/components/verraeter/{INVENTED}", json={"data": POINTS})
    assert answer.get_json()["errors"][0]["field"] == "name"
    assert api.request("DELETE", f"/v1/components/verraeter/{INVENTED}").status_code == 404


def test_components_are_taken_by_themselves_under_data_and_as_they_were_answered(api: Api) -> None:
    path = "/v1/components/scoresheet/mine"
    sheet = {"name": "Pure", "columns": [{"id": "p"}]}
    bare = api.request("PUT", path, json=sheet)
    assert (bare.status_code, bare.get_json()["data"]) == (200, sheet)
    for body in ({"data": sheet}, api.get(path).get_json()):
        assert api.request("PUT", path, json=body).get_json()["data"] == sheet
    refused = api.request("PUT", path, json={"data": sheet, "colour": "red"})
    assert (refused.status_code, refused.get_json()["errors"][0]["field"]) == (400, "colour")
    wrong = api.request("PUT", path, json={"name": "Pure", "columns": [{"id": "p"}, {"id": "q", "formula": "p +"}]})
    assert (wrong.status_code, wrong.get_json()["errors"][0]["field"]) == (400, "columns[1].formula")


@pytest.mark.parametrize(
    ("path", "body", "status", "field"),
    [
        (BOX, {"data": {}}, 400, "data"),
        (BOX, {"data": {"points": {"River": 1}}}, 400, "data.points.Wilderness"),
        (BOX, {"data": []}, 400, "data"),
        (BOX, {}, 400, "data"),
        ("/v1/components/verraeter/%07", {"data": POINTS}, 400, "name"),
        ("/v1/components/verraeter/%20", {"data": POINTS}, 400, "name"),
        ("/v1/components/kahuna/my box", {"data": POINTS}, 400, "data"),
        ("/v1/components/chess/my box", {"data": POINTS}, 404, None),
    ],
)
def test_components_that_cannot_be_are_refused_with_the_field(
    api: Api, path: str, body: Any, status: int, field: str | None
) -> None:
    answer = api.request("PUT", path, json=body)
    assert answer.status_code == status
    if field:
        assert answer.get_json()["errors"][0]["field"] == field
    assert [found["invented"] for found in api.get("/v1/components/verraeter").get_json()["components"]] == [True]


def test_a_game_is_opened_with_components_or_with_the_name_of_some(api: Api) -> None:
    body = {"id": str(uuid7()), "ruleset": "verraeter", "components": POINTS, "components_name": "my box"}
    answer = api.post("/v1/games", body)
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "components_name")
    answer = api.post("/v1/games", body | {"components": None})
    assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "components_name")


def test_unknown_components_and_rulesets_are_named(api: Api) -> None:
    assert api.get(BOX).get_json()["type"] == "/problems/components-unknown"
    assert api.request("DELETE", BOX).get_json()["type"] == "/problems/components-unknown"
    assert api.get("/v1/components/chess").get_json()["type"] == "/problems/ruleset-unknown"


def test_a_stranger_reads_components_and_changes_none(api: Api) -> None:
    api.request("PUT", BOX, json={"data": POINTS})
    api.token = None
    assert api.get(BOX).status_code == 200
    assert api.request("PUT", BOX, json={"data": SAMPLE}).status_code == 401
    assert api.request("DELETE", BOX).status_code == 401


def test_a_log_of_an_older_release_gets_its_table(tmp_path: Path) -> None:
    path = tmp_path / "kifu.db"
    with SqliteLog(path) as log:
        log._writer.change("drop table component", ())
        log._writer.change("alter table person drop column checksum", ())
        log._writer.change("delete from _sqlite_migrations where name like '2:%' or name like '5:%'", ())
        log._writer.change("pragma user_version = 1", ())
    with SqliteReader(path) as reader:
        assert reader.components.all("verraeter") == []
    with SqliteLog(path) as log:
        log.components.put("verraeter", "my box", POINTS)
        assert log.components.find("verraeter", "my box").data == POINTS


def test_a_template_of_a_score_sheet_is_kept_under_a_name_and_a_bad_formula_is_refused(api: Api) -> None:
    columns = [{"id": "a", "per": "round"}, {"id": "b", "per": "round", "formula": "a * 2"}]
    template = {"name": "Twice", "columns": columns}
    kept = api.request("PUT", "/v1/components/scoresheet/twice", json={"data": template})
    assert kept.status_code == 200, kept.text
    game = api.open(ruleset="scoresheet", components_name="twice", seats=[{}, {}])
    assert api.get(f"/v1/games/{game}/events").get_json()["events"][0]["data"]["components"] == template
    columns[1]["formula"] = "a ** 9"
    refused = api.request("PUT", "/v1/components/scoresheet/twice", json={"data": template})
    assert refused.status_code == 400
    assert "columns[1].formula" in refused.get_json()["errors"][0]["field"]
