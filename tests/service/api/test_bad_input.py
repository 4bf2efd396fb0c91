"""Bad input: each kind gets a clear, specific problem, and nothing is stored."""

from __future__ import annotations

import base64
import json
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from events import limits
from service.app import create_app
from service.problems.kinds import KINDS
from service.settings import Settings
from tests.cases import cases
from tests.service.asked import RequestBuilder, routes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Application
    from tests.service.conftest import Api


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    """One service for all that it refuses."""
    made = create_app(Settings(data=tmp_path_factory.mktemp("service") / "data"))
    yield made
    made.close()


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
        "bad-opening",
        "options.A B",
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


def kept(api: Api) -> list[Any]:
    """The games and players that there are."""
    api.catch_up()
    return [api.get(path).get_json() for path in ("/v1/games", "/v1/players")]


@cases("name", OPENINGS)
def test_an_opening_that_does_not_fit_names_its_field(api: Api, name: str) -> None:
    body, kind, result = OPENINGS[name]
    before = kept(api)
    answer = api.post("/v1/games", body)
    problem = answer.get_json()
    assert (problem["type"], answer.status_code) == (f"/problems/{kind}", KINDS[kind].status), answer.text
    found = [error["field"] for error in problem.get("errors", [])] or [problem["detail"]]
    assert any(result in field for field in found), found
    assert kept(api) == before


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


@cases("name", ENTRIES)
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
    "a key that stands twice": (b'{"events": [], "events": []}', "application/json", "bad-request"),
    "a key that stands twice deep inside": (
        b'{"events": [{"id": "1", "data": {"move": {"seat": 0, "a": {}, "s\\u0065at": 1}}}]}',
        "application/json",
        "bad-request",
    ),
    "a number beyond all floats": (b'{"events": 1e999}', "application/json", "bad-json"),
    "a form": (b"events=1", "application/x-www-form-urlencoded", "bad-media-type"),
    "a body over the limit": (b'{"events": "' + b"a" * (1 << 20) + b'"}', "application/json", "body-too-large"),
}


@cases("name", BODIES)
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
    ("body", "told"),
    [
        (b"", "the body is empty"),
        (b" \n", "the body is empty"),
        (b'{"events": [', "the body ends too early (byte 12)"),
        (b'{"events": "', "the body ends too early (byte 12)"),
        (b'{"events": tru', "the body ends too early (byte 14)"),
        (b'{"events" []}', "byte 10"),
    ],
)
def test_a_body_that_is_no_json_says_where_it_breaks(api: Api, body: bytes, told: str) -> None:
    problem = api.request("POST", "/v1/games", data=body, content_type="application/json").get_json()
    assert told in problem["detail"]


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ("zz", 0, "expected an island here"),
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
    ("/v1/feed?after=WzEsMl0=", "after"),
    ("/v1/feed?after=Wy0xXQ==", "after"),
    ("/v1/feed?after=W10=", "after"),
    ("/v1/feed?after=[1]", "after"),
    ("/v1/feed?after=Wzkw", "after"),
    ("/v1/health?verbose=1", "verbose"),
    ("/v1/openapi.yaml?a", "a"),
    ("/v1/games/{game}?at=3", "at"),
    ("/v1/games?limit=5&limit=6", "limit"),
    ("/v1/games?q=a&q=a", "q"),
    ("/v1/games/{game}/state?seat=public&seat=record", "seat"),
    ("/v1/games/{game}/snapshots?before=0", "before"),
    ("/v1/games/{game}/export?names=perhaps", "names"),
]

NUMBERS = (
    ("/v1/games/{game}/state", "at"),
    ("/v1/games/{game}/state", "after"),
    ("/v1/games/{game}/moves", "at"),
    ("/v1/games/{game}/timeline", "after"),
    ("/v1/games/{game}/timeline", "limit"),
    ("/v1/games/{game}/events", "after"),
    ("/v1/games/{game}/snapshots", "before"),
    ("/v1/games/{game}/snapshots", "limit"),
    ("/v1/games", "limit"),
    ("/v1/feed", "after"),
    ("/v1/feed", "limit"),
)
NO_NUMBERS = (
    "٣",
    "３",
    "²",
    "1_0",
    " 3",
    "3 ",
    "+3",
    "0x3",
    "3.0",
    "3e0",
    "",
    "%00",
    "3%00",
    "%ED%A0%80",
    "-1",
    "-0x1",
)
HUGE = (2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**30, 10**4000)


@pytest.mark.parametrize(("path", "name"), NUMBERS)
def test_what_is_no_number_of_a_parameter_names_it_and_breaks_nothing(api: Api, path: str, name: str) -> None:
    address = path.format(game=api.play())
    for text in NO_NUMBERS:
        answer = api.get(f"{address}?{name}={text}")
        assert answer.status_code == 400, (text, answer.text)
        assert [error["field"] for error in answer.get_json()["errors"]] == [name]
    for number in HUGE:
        answer = api.get(f"{address}?{name}={number}")
        assert answer.status_code in {200, 400, 404}, (number, answer.text)
        assert number < 2**53 or answer.status_code == 400


def cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


CURSORS = (
    *(cursor(f"{at} {NOBODY}") for at in (*HUGE[2:], -(2**64), "٣", "1_0", " 1", "+1", "1.0", "1e3", "", "nan")),
    *(
        cursor(f"1 {game}")
        for game in ("", NOBODY.replace("7", "A"), NOBODY.replace("-", ""), f"{{{NOBODY}}}", f"{NOBODY} ")
    ),
    cursor(f"1  {NOBODY}"),
    cursor(f"1 {NOBODY}\n"),
    "",
    "%00",
    "%ED%A0%80",
    "٣",
    "=",
    "a" * 5000,
)


@cases("text", CURSORS)
def test_a_cursor_that_no_list_gave_is_refused(api: Api, text: str) -> None:
    answer = api.get(f"/v1/games?cursor={text}")
    assert answer.status_code == 400, answer.text
    assert [error["field"] for error in answer.get_json()["errors"]] == ["cursor"]


def test_a_cursor_that_a_list_gave_goes_on_where_the_list_ended(api: Api) -> None:
    games = [api.open() for _ in range(3)]
    api.catch_up()
    found, path = [], "/v1/games?limit=1"
    while path:
        page = api.get(path).get_json()
        found += [listed["game"] for listed in page["games"]]
        path = f"/v1/games?limit=1&cursor={page['next']}" if page["next"] else ""
    assert len(found) == len(set(found))
    assert set(games) <= set(found)


@cases(("path", "field"), QUERIES)
def test_a_query_that_does_not_fit_names_its_parameter(api: Api, path: str, field: str) -> None:
    answer = api.get(path.format(game=api.play()))
    assert answer.status_code == 400, answer.text
    assert answer.get_json()["type"] == "/problems/bad-request"
    assert [error["field"] for error in answer.get_json()["errors"]] == [field]


@cases(
    ("game", "rest"),
    product(
        (NOBODY, "none", "%00", "..", "🎲"),
        ("", "/state", "/moves", "/score", "/timeline", "/board.svg", "/events", "/export"),
    ),
)
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


NO_VERSIONS = ["41", '"41"', "v", '"v-1"', '"41", "x"', 'w/"v1"', '"v1" "v2"', '"v1', "v" + "9" * 30, ","]
NO_VERSIONS += ['"v1"' + " " * 30_000 + "x"]


@pytest.mark.parametrize("version", NO_VERSIONS)
def test_an_if_match_that_is_no_version_is_refused(api: Api, version: str) -> None:
    game = api.play()
    answer = api.record(game, "-", headers={"If-Match": version})
    assert answer.status_code == 400
    assert answer.get_json()["errors"][0]["field"] == "If-Match"


@pytest.mark.slow
def test_every_kind_of_problem_has_a_page(api: Api) -> None:
    for kind in KINDS.values():
        page = api.get(f"/problems/{kind.name}")
        assert page.status_code == 200
        assert kind.title in page.text.replace("&#39;", "'")


def test_a_key_that_stands_twice_is_named(api: Api) -> None:
    body = f'{{"id": "{NOBODY}", "ruleset": "kahuna", "title": "a", "title": "b"}}'
    answer = api.request("POST", "/v1/games", data=body, content_type="application/json")
    assert answer.get_json()["errors"] == [{"field": "title", "message": "is in one object more than once"}]


@pytest.mark.parametrize("body", [{"at": "3"}, {"at": "٣"}, {"at": 3.0}, {"at": True}, {"at": 2**64}, {"after": -1}])
def test_a_version_in_a_body_is_a_whole_number(api: Api, body: dict[str, Any]) -> None:
    game = api.play("b-d")
    answer = api.post(f"/v1/games/{game}/forks", {"id": str(uuid7())} | body)
    assert (answer.status_code, [error["field"] for error in answer.get_json()["errors"]]) == (400, [*body])


BIDI = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]


@pytest.mark.parametrize("control", BIDI, ids=lambda control: f"U+{ord(control):04X}")
def test_controls_of_text_direction_are_refused_with_their_field(api: Api, control: str) -> None:
    """With them a name or a reason can be shown as another one than it is."""
    text = f"Anna {control}nneB"
    game = api.play()
    opening = {"id": str(uuid7()), "ruleset": "kahuna"}
    asked: list[tuple[str, str, Any, str]] = [
        ("POST", "/v1/games", opening | {"title": text}, "title"),
        ("POST", "/v1/games", opening | {"place": text}, "place"),
        ("POST", "/v1/games", opening | {"seats": [{}, {"name": text}]}, "seats[1].name"),
        ("POST", f"/v1/games/{game}/forks", {"id": str(uuid7()), "title": text}, "title"),
        ("PUT", f"/v1/players/{uuid7()}", {"name": text}, "name"),
        ("PUT", "/v1/components/scoresheet/mine", {"data": {"name": text, "columns": []}}, "data.name"),
        *(
            ("POST", f"/v1/games/{game}/events", {"events": [{"id": str(uuid7()), "type": kind, "data": data}]}, field)
            for kind, data, field in (
                ("note.added", {"text": text}, "events[0].data.text"),
                ("game.closed", {"how": "abandoned", "reason": text}, "events[0].data.reason"),
                ("move.made", {"move": "w-h", "override": {"reason": text}}, "events[0].data.override.reason"),
                ("seat.changed", {"seat": 1, "name": text}, "events[0].data.name"),
                ("ruling.given", {"reason": "so", "referee_name": text}, "events[0].data.referee_name"),
            )
        ),
    ]
    for method, path, body, field in asked:
        for ascii_only in (True, False):
            sent = json.dumps(body, ensure_ascii=ascii_only).encode()
            answer = api.request(method, path, data=sent, content_type="application/json")
            assert answer.status_code == 400, (path, answer.text)
            assert [error["field"] for error in answer.get_json()["errors"]] == [field]
    quoted = control.encode().hex("%")
    named = api.request("PUT", f"/v1/components/scoresheet/a%{quoted}b", json={"data": {}})
    assert named.status_code == 400
    imported = api.request(
        "POST", "/v1/imports", data=f'[Ruleset "kahuna"]\n[Title "{text}"]\n\n', content_type="text/plain"
    )
    assert (imported.status_code, imported.get_json()["line"]) == (400, 2)
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 2


@pytest.mark.parametrize("name", ["שרה", "محمد", "علی‌رضا", "ⴰⵏⵉⵔ", "दीप‌ति", "👩‍🚀", "愛子", "Siân"])
def test_names_of_every_script_are_taken(api: Api, name: str) -> None:
    game = api.open(title=f"{name} 1", seats=[{"name": name}, {}])
    found = api.get(f"/v1/games/{game}").get_json()
    assert (found["title"], found["seats"][0]["name"]) == (f"{name} 1", name)


JSON = ["*/*", "application/*", "text/html, */*;q=0.1", "Application/JSON", "", "text/*, application/json;q=0.2"]
NOT_JSON = ["text/html", "image/*", "application/problem+json", "application/json;q=0", "nonsense", "*/json"]


@pytest.mark.parametrize("accept", NOT_JSON)
def test_who_takes_no_form_of_an_answer_is_told_so_before_anything_is_stored(api: Api, accept: str) -> None:
    game = api.play()
    for answer in (
        api.get(f"/v1/games/{game}", headers={"Accept": accept}),
        api.record(game, "-", headers={"Accept": accept}),
    ):
        assert (answer.status_code, answer.mimetype) == (406, "application/problem+json")
        assert "application/json" in answer.get_json()["detail"]
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 2


@pytest.mark.parametrize(
    "accept", ["*/*", "application/*", "text/html, */*;q=0.1", "Application/JSON", "", "text/*, application/json;q=0.2"]
)
def test_who_takes_json_gets_it(api: Api, accept: str) -> None:
    answer = api.get("/v1/rulesets", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (200, "application/json")


def test_an_export_comes_in_the_form_that_is_asked_for(api: Api) -> None:
    game = api.play()
    path = f"/v1/games/{game}/export"
    for query, accept, form in (
        ("", "*/*", "application/x-ndjson"),
        ("", "text/plain", "text/plain"),
        ("", "application/x-ndjson;q=0.1, text/*", "text/plain"),
        ("?format=text", "*/*", "text/plain"),
        ("?format=ndjson", "application/x-ndjson", "application/x-ndjson"),
    ):
        answer = api.get(path + query, headers={"Accept": accept})
        assert (answer.status_code, answer.mimetype, "Accept" in answer.vary) == (200, form, True)
    for query, accept in (("", "application/json"), ("?format=text", "application/x-ndjson")):
        assert api.get(path + query, headers={"Accept": accept}).status_code == 406


@pytest.mark.slow
def test_parts_of_an_answer_are_not_served_and_said_not_to_be(api: Api) -> None:
    game = api.play()
    for path in (f"/v1/games/{game}", "/v1/exports/games.csv", "/v1/openapi.yaml", f"/v1/games/{game}/board.svg"):
        answer = api.get(path, headers={"Range": "bytes=0-3"})
        assert (answer.status_code, answer.headers["Accept-Ranges"]) == (200, "none")
        assert len(answer.data) > 4


def test_the_service_as_a_whole_lists_its_methods(api: Api) -> None:
    answer = api.request("OPTIONS", "/*")  # so the front passes on `OPTIONS *`
    assert (answer.status_code, answer.data) == (204, b"")
    assert {"GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"} <= set(answer.headers["Allow"].split(", "))
    for method in ("GET", "POST"):
        refused = api.request(method, "/*")
        assert (refused.status_code, refused.headers["Allow"]) == (405, "OPTIONS")


@pytest.mark.slow
def test_a_refusal_of_a_stranger_has_the_same_head_with_its_body_and_without(api: Api) -> None:
    requests, anybody = RequestBuilder(api), Client(api.app)
    refused = 0
    for route in sorted(routes(api.app)):
        if not route.startswith("GET ") or route.endswith("/stream"):
            continue
        path = requests.path(route)
        whole, head = anybody.get(path), anybody.head(path)
        refused += whole.status_code == 401
        if whole.status_code == 401:
            assert (head.status_code, head.content_length, head.data) == (401, len(whole.data), b""), path
    assert refused > 20


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")


@pytest.mark.slow
def test_every_address_lists_its_methods_and_refuses_all_others(api: Api) -> None:
    by_path: dict[str, set[str]] = {}
    for route in routes(api.app):
        method, path = route.split(" ")
        by_path.setdefault(path, set()).update({method, *(["HEAD"] if method == "GET" else [])})
    requests = RequestBuilder(api)
    for path, methods in by_path.items():
        address = requests.path(f"GET {path}")
        options = api.request("OPTIONS", address)
        assert (options.status_code, options.data) == (200, b""), path
        assert set(options.headers["Allow"].split(", ")) == methods | {"OPTIONS"}, path
        for method in set(METHODS) - methods:
            refused = api.request(method, address)
            assert (refused.status_code, refused.mimetype) == (405, "application/problem+json"), (method, path)
            assert set(refused.headers["Allow"].split(", ")) == methods | {"OPTIONS"}, path


def test_a_file_of_no_named_type_is_imported_by_its_beginning(api: Api, elsewhere: Api) -> None:
    game = api.play("b-d")
    for form in ("ndjson", "text"):
        exported = api.get(f"/v1/games/{game}/export?format={form}").data
        answer = elsewhere.post(f"/v1/imports?id={uuid7()}", data=exported, content_type="application/octet-stream")
        assert (answer.status_code, answer.headers["Kifu-New-Entries"]) == (201, "3"), answer.text


@pytest.mark.parametrize("path", ["/v1/tree/tile/entries/%2Fx000", "//v1/games", "/v1//games"])
def test_an_address_with_two_slashes_is_none_and_leads_nowhere_else(api: Api, path: str) -> None:
    answer = api.client.get("/", environ_overrides={"PATH_INFO": unquote(path)})  # as it comes in by the front
    assert (answer.status_code, answer.content_type) == (404, "application/problem+json")


@pytest.mark.parametrize("sent", ["a" * 200 + " ", " " * 201, "e\u0301" * 101])
def test_a_name_is_as_long_as_it_was_sent(api: Api, sent: str) -> None:
    """The description gives a most length, and blanks that are not kept count, too."""
    answers = [
        api.request("PUT", f"/v1/players/{uuid7()}", json={"name": sent}),
        api.post("/v1/oauth/device_authorization", data={"client_id": sent}),
        api.post("/v1/games", {"id": str(uuid7()), "ruleset": "kahuna", "title": sent}),
    ]
    assert [answer.status_code for answer in answers] == [400, 400, 400]


@pytest.mark.parametrize(
    ("ruleset", "move", "why"),
    [
        ("kahuna", {"type": "castle"}, "type: 'castle' is unknown; choose one of `deal`, `row`, `build`, "),
        ("kahuna", {"type": "take", "seat": 2}, "seat: 2 is unknown; choose one of `0`, `1`"),
        ("kahuna", {"type": "remove", "seat": 0, "cards": ["ALOA", "COCU"]}, "cards[1]: 'COCU' is unknown; choose one"),
        ("kahuna", {"type": "decline", "seat": 0, "why": "x"}, "why: unknown field; choose one of `seat`"),
        ("kahuna", {"seat": 0}, "type: missing"),
        ("catan_cards", {"type": "pick", "seat": 0, "cards": ["Abby", None, None]}, "cards[0]: 'Abby' is unknown"),
    ],
)
def test_a_wrong_word_or_field_of_a_move_is_answered_with_those_that_there_are(
    api: Api, ruleset: str, move: dict[str, Any], why: str
) -> None:
    game = api.open(ruleset=ruleset)
    answer = api.post(f"/v1/games/{game}/events", {"events": [entry(move)]})
    assert answer.get_json()["detail"].startswith(f"data.move.{why}")


def test_a_wrong_word_of_a_ruling_is_answered_with_those_that_there_are(api: Api) -> None:
    data = {"adjustments": [{"type": "point", "seat": 0}], "reason": "late"}
    body = {"events": [{"id": str(uuid7()), "type": "ruling.given", "data": data}]}
    detail = api.post(f"/v1/games/{api.open()}/events", body).get_json()["detail"]
    assert "data.adjustments[0].type: 'point' is unknown; choose one of `points`, " in detail
