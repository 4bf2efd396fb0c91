"""Bad input: each kind gets a clear, specific problem, and nothing is stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7

from events import limits
from service.problems import KINDS

if TYPE_CHECKING:
    from tests.service.conftest import Api

NOBODY = "00000000-0000-7000-8000-000000000000"


def entry(move: Any, **more: Any) -> dict[str, Any]:
    return {"id": str(uuid7()), "data": {"move": move} | more}


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


OPENINGS: dict[str, tuple[dict[str, Any], str, str]] = {
    "no id": ({"ruleset": "kahuna"}, "bad-request", "id"),
    "an id that is no UUID": ({"id": "1", "ruleset": "kahuna"}, "bad-request", "id"),
    "an upper-case id": ({"id": str(uuid7()).upper(), "ruleset": "kahuna"}, "bad-request", "id"),
    "no ruleset": ({"id": NOBODY}, "bad-request", "ruleset"),
    "an unknown ruleset": ({"id": NOBODY, "ruleset": "chess"}, "ruleset-unknown", "chess"),
    "an unknown field": ({"id": NOBODY, "ruleset": "kahuna", "rules": 1}, "bad-request", "rules"),
    "an unknown option": (
        {"id": NOBODY, "ruleset": "kahuna", "options": {"ships": True}},
        "bad-opening",
        "options.ships",
    ),
    "an option's name that is none": (
        {"id": NOBODY, "ruleset": "kahuna", "options": {"A B": True}},
        "bad-entry",
        "data.options",
    ),
    "three seats": ({"id": NOBODY, "ruleset": "kahuna", "seats": [{}, {}, {}]}, "bad-opening", "seats"),
    "no seats": ({"id": NOBODY, "ruleset": "kahuna", "seats": []}, "bad-request", "seats"),
    "a seat that is a number": ({"id": NOBODY, "ruleset": "kahuna", "seats": [1, 2]}, "bad-request", "seats[0]"),
    "a player who is no UUID": (
        {"id": NOBODY, "ruleset": "kahuna", "seats": [{"player": "Anna"}, {}]},
        "bad-request",
        "seats[0].player",
    ),
    "a player and a name": (
        {"id": NOBODY, "ruleset": "kahuna", "seats": [{"player": NOBODY, "name": "Anna"}, {}]},
        "bad-request",
        "seats[0]",
    ),
    "another box": ({"id": NOBODY, "ruleset": "kahuna", "components": {"islands": 13}}, "bad-opening", "components"),
    "a title with a NUL": ({"id": NOBODY, "ruleset": "kahuna", "title": "a\0b"}, "bad-entry", "data.title"),
    "a title that is too long": ({"id": NOBODY, "ruleset": "kahuna", "title": "a" * 201}, "bad-request", "title"),
    "a time without an offset": (
        {"id": NOBODY, "ruleset": "kahuna", "happened_at": "2026-01-01T12:00:00"},
        "bad-entry",
        "happened_at",
    ),
    "a list": ([], "bad-request", ""),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("name", OPENINGS)
def test_an_opening_that_does_not_fit_names_its_field(api: Api, name: str) -> None:
    body, kind, told = OPENINGS[name]
    answer = api.post("/v1/games", body)
    problem = answer.get_json()
    assert (problem["type"], answer.status_code) == (f"/problems/{kind}", KINDS[kind].status), answer.text
    said = [error["field"] for error in problem.get("errors", [])] or [problem["detail"]]
    assert any(told in field for field in said), said
    api.settle()
    assert api.get("/v1/games").get_json()["games"] == []
    assert api.get("/v1/players").get_json()["players"] == []


ENTRIES: dict[str, tuple[Any, str, str]] = {
    "no events": ({}, "bad-request", "events"),
    "no event": ({"events": []}, "bad-request", "events"),
    "an event that is a number": ({"events": [7]}, "bad-request", "events[0]"),
    "an event without an id": ({"events": [{"data": {"move": "-"}}]}, "bad-request", "events[0].id"),
    "an event without data": ({"events": [{"id": NOBODY}]}, "bad-request", "events[0].data"),
    "an unknown type": ({"events": [entry("-") | {"type": "move.undone"}]}, "bad-request", "events[0].type"),
    "an unknown field": ({"events": [entry("-") | {"seat": 1}]}, "bad-request", "events[0].seat"),
    "the second entry's fault": ({"events": [entry("-"), {"id": 5, "data": {}}]}, "bad-request", "events[1].id"),
    "more than 1000": ({"events": [entry("-")] * 1001}, "bad-request", "events"),
    "no move": ({"events": [{"id": NOBODY, "data": {}}]}, "bad-move", "data.move"),
    "a move that is a number": ({"events": [entry(7)]}, "bad-move", "data.move"),
    "a move that is a list": ({"events": [entry([])]}, "bad-move", "data.move"),
    "an unknown kind of move": ({"events": [entry({"type": "castle", "seat": 0})]}, "bad-move", "data.move.type"),
    "a move without its line": (
        {"events": [entry({"type": "build", "seat": 0, "card": "BARI"})]},
        "bad-move",
        "data.move.line",
    ),
    "a seat that is not there": ({"events": [entry({"type": "decline", "seat": 2})]}, "bad-move", "data.move.seat"),
    "a huge seat": ({"events": [entry({"type": "decline", "seat": 2**80})]}, "bad-move", "data.move.seat"),
    "a negative count": (
        {"events": [entry({"type": "discard", "seat": 0, "count": -1})]},
        "bad-move",
        "data.move.count",
    ),
    "an unknown field of a move": (
        {"events": [entry({"type": "decline", "seat": 0, "why": "x"})]},
        "bad-move",
        "data.move.why",
    ),
    "deep nesting": ({"events": [entry({"type": "decline", "seat": deep(500)})]}, "bad-move", "data.move.seat"),
    "an unknown field beside the move": ({"events": [entry("-", force=True)]}, "bad-entry", "data.force"),
    "an override without a reason": ({"events": [entry("-", override={})]}, "bad-entry", "data.override.reason"),
    "an override with an empty reason": (
        {"events": [entry("-", override={"reason": ""})]},
        "bad-entry",
        "data.override.reason",
    ),
    "a time that is none": ({"events": [entry("-") | {"happened_at": "noon"}]}, "bad-entry", "happened_at"),
    "a note without text": (
        {"events": [{"id": NOBODY, "type": "note.added", "data": {"text": ""}}]},
        "bad-entry",
        "data.text",
    ),
    "a note that is too long": (
        {"events": [{"id": NOBODY, "type": "note.added", "data": {"text": "a" * 5000}}]},
        "bad-entry",
        "data.text",
    ),
    "a withdrawal of nothing": (
        {"events": [{"id": NOBODY, "type": "entry.withdrawn", "data": {}}]},
        "bad-entry",
        "data.entry",
    ),
    "a withdrawal of a huge entry": (
        {"events": [{"id": NOBODY, "type": "entry.withdrawn", "data": {"entry": 2**63}}]},
        "bad-entry",
        "data.entry",
    ),
    "an entry of text": (
        {"events": [{"id": NOBODY, "type": "entry.withdrawn", "data": {"entry": "3"}}]},
        "bad-entry",
        "data.entry",
    ),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_that_does_not_fit_names_its_field(api: Api, name: str) -> None:
    body, kind, field = ENTRIES[name]
    game = api.play()
    answer = api.post(f"/v1/games/{game}/events", body)
    problem = answer.get_json()
    assert (problem["type"], answer.status_code) == (f"/problems/{kind}", KINDS[kind].status), answer.text
    assert any(error["field"].startswith(field) for error in problem["errors"]), problem["errors"]
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 2


BODIES = {
    "nothing": (b"", "application/json", "bad-json"),
    "half an object": (b'{"events": [', "application/json", "bad-json"),
    "NaN": (b'{"events": [{"id": "x", "data": {"move": NaN}}]}', "application/json", "bad-json"),
    "Infinity": (b'{"events": Infinity}', "application/json", "bad-json"),
    "a lone surrogate": (b'{"events": ["\\ud800"]}', "application/json", "bad-json"),
    "bytes that are no UTF-8": (b'{"events": ["\xff"]}', "application/json", "bad-json"),
    "nesting without end": (b"[" * 100_000, "application/json", "bad-json"),
    "a number without end": (b'{"events": ' + b"9" * 10_000 + b"}", "application/json", "bad-json"),
    "a form": (b"events=1", "application/x-www-form-urlencoded", "bad-media-type"),
    "a body over the limit": (b'{"events": "' + b"a" * (1 << 20) + b'"}', "application/json", "body-too-large"),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_cannot_be_read_says_why(api: Api, name: str) -> None:
    body, media_type, kind = BODIES[name]
    game = api.play()
    for path in ("/v1/games", f"/v1/games/{game}/events"):
        answer = api.request("POST", path, data=body, content_type=media_type)
        assert answer.content_type == "application/problem+json"
        assert answer.status_code == KINDS[kind].status, answer.text
        assert json.loads(answer.data)["type"] == f"/problems/{kind}"
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 2


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("zz", 0, "an island should stand here"),
        ("b-", 2, ""),
        ("", 0, ""),
        ("b-l", 2, "no line joins"),
        ("+q", 1, "an island"),
    ],
)
def test_notation_that_does_not_parse_says_where(api: Api, text: str, at: int, told: str) -> None:
    game = api.play()
    answer = api.record(game, text)
    problem = answer.get_json()
    assert (answer.status_code, problem["type"]) == (400, "/problems/bad-notation"), answer.text
    assert (problem["text"], problem["at"], problem["entry_index"]) == (text, at, 0)
    assert told in problem["detail"]


QUERIES = [
    ("/v1/games?limit=0", "limit"),
    ("/v1/games?limit=all", "limit"),
    ("/v1/games?limit=99999999999999999999", "limit"),
    ("/v1/games?cursor=%00", "cursor"),
    ("/v1/games?cursor=YWJj", "cursor"),
    ("/v1/games?status=lost", "status"),
    ("/v1/games?order=title", "order"),
    ("/v1/games/{game}/state?at=0", "at"),
    ("/v1/games/{game}/state?at=x", "at"),
    ("/v1/games/{game}/state?seat=9", "seat"),
    ("/v1/games/{game}/state?seat=black", "seat"),
    ("/v1/games/{game}/timeline?after=-1", "after"),
    ("/v1/games/{game}/timeline?limit=1001", "limit"),
    ("/v1/games/{game}/events?after=1e3", "after"),
    ("/v1/games/{game}/export?format=pdf", "format"),
    ("/v1/players?q=" + "a" * (limits.NAME + 1), "q"),
    ("/v1/feed?after=-5", "after"),
]


@pytest.mark.parametrize(("path", "field"), QUERIES)
def test_a_query_that_does_not_fit_names_its_parameter(api: Api, path: str, field: str) -> None:
    answer = api.get(path.format(game=api.play()))
    assert answer.status_code == 400, answer.text
    assert answer.get_json()["type"] == "/problems/bad-request"
    assert [error["field"] for error in answer.get_json()["errors"]] == [field]


@pytest.mark.parametrize("game", [NOBODY, "none", "%00", "..", "🎲"])
@pytest.mark.parametrize("rest", ["", "/state", "/moves", "/score", "/timeline", "/board.svg", "/events", "/export"])
def test_an_unknown_game_is_not_found(api: Api, game: str, rest: str) -> None:
    answer = api.get(f"/v1/games/{game}{rest}")
    assert answer.status_code == 404
    assert answer.get_json()["type"] in {"/problems/game-unknown", "/problems/not-found"}


def test_an_unknown_version_ruleset_player_or_path_is_not_found(api: Api) -> None:
    game = api.play()
    for path, kind in (
        (f"/v1/games/{game}/state?at=99", "version-unknown"),
        (f"/v1/games/{game}/board.svg?at=99", "version-unknown"),
        ("/v1/rulesets/chess", "ruleset-unknown"),
        ("/v1/nothing", "not-found"),
    ):
        assert api.get(path).get_json()["type"] == f"/problems/{kind}"
    assert api.request("DELETE", f"/v1/players/{NOBODY}").get_json()["type"] == "/problems/player-unknown"
    assert api.request("PUT", "/v1/players/anna", json={"name": "Anna"}).get_json()["errors"][0]["field"] == "player"
    wrong = api.request("DELETE", f"/v1/games/{game}")
    assert (wrong.status_code, wrong.get_json()["type"]) == (405, "/problems/method-not-allowed")
    assert "GET" in wrong.headers["Allow"]


@pytest.mark.parametrize("version", ["41", '"41"', "v", '"v-1"', '"v1", "v2"', 'W/"v1"', "v" + "9" * 30])
def test_an_if_match_that_is_no_version_is_refused(api: Api, version: str) -> None:
    game = api.play()
    answer = api.record(game, "-", headers={"If-Match": version})
    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["field"] == "If-Match"


def test_every_kind_of_problem_has_a_page(api: Api) -> None:
    for kind in KINDS.values():
        page = api.get(f"/problems/{kind.name}")
        assert page.status_code == 200
        assert kind.title in page.text.replace("&#39;", "'")
