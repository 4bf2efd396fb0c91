"""Caching: an answer that somebody has is confirmed only as long as it would be the same, byte for byte."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from uuid_utils import uuid7

from games.kahuna.state import KahunaState
from service.access.needs import OPEN
from service.api.routes import PARTS
from service.app import create_app
from service.settings import Settings
from tests.cases import cases
from tests.service.asked import RequestBuilder, routes
from tests.service.conftest import UNLIMITED, Api

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.service("file")

CONDITIONAL = [
    endpoint for part in PARTS for endpoint in part.described if endpoint.conditional and endpoint.method == "GET"
]
NAMED = ("", "/timeline")
"""What of a game tells names."""


IMMUTABLE = {"show_tile", "show_tree_entries"}
"""What never changes once it is there."""
STREAMS = {"follow_game", "follow_all", "follow_analysis"}
"""What never comes twice."""


def status(api: Api, path: str, tag: str) -> int:
    return api.get(path, headers={"If-None-Match": tag}).status_code


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RequestBuilder]:
    """Requests to one service, about the same games."""
    app = create_app(Settings(data=tmp_path_factory.mktemp("cached"), **UNLIMITED))
    yield RequestBuilder(Api(app))
    app.close()


ALIKE = {endpoint.path for part in PARTS for endpoint in part.described if endpoint.need is OPEN} | {
    "/static/<release>/<path:filename>",
    "/manifest.webmanifest",
    "/worker.js",
    "/v1/tree/tile/<level>/<path:tile>",
    "/v1/tree/tile/entries/<path:tile>",
}
"""What is the same for everybody who may have it."""


@pytest.mark.slow
def test_everything_else_is_kept_by_the_browser_that_asked_and_for_its_visitor_alone(requests: RequestBuilder) -> None:
    shared = {}
    for route in sorted(routes(requests.api.app)):
        method, path = route.split(" ")
        if method != "GET" or path in ALIKE or path.endswith("/stream"):
            continue
        answer = requests.api.get(requests.path(route))
        kept, depends = answer.headers.get("Cache-Control", ""), answer.headers.get("Vary", "")
        answer.close()
        if "no-store" not in kept and not ("private" in kept and "Cookie" in depends):
            shared[route] = (answer.status_code, kept, depends)
    assert shared == {}


@pytest.mark.slow
@cases("route", [f"{endpoint.method} {endpoint.path}" for endpoint in CONDITIONAL])
def test_a_cached_answer_is_confirmed_until_it_changes(requests: RequestBuilder, route: str) -> None:
    api, path = requests.api, requests.path(route)
    first = api.get(path)
    assert (first.status_code, first.headers["Cache-Control"]) == (200, "private, no-cache")
    again = api.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for header in ("ETag", "Cache-Control", "Vary"):
        assert again.headers.get(header) == first.headers.get(header)
    for tag in ('"v0"', 'W/"v3"', "nonsense"):
        assert status(api, path, tag) == 200
    for tag in ("*", f'"a", W/{first.headers["ETag"]}'):
        assert status(api, path, tag) == 304
    head = api.request("HEAD", path)
    assert (head.status_code, head.headers["ETag"], head.data) == (200, first.headers["ETag"], b"")


def test_every_answer_that_can_be_asked_for_again_is_conditional() -> None:
    """But for what is other at every look, what is too long to be held, and what never changes."""
    asking = {endpoint.name for part in PARTS for endpoint in part.described if endpoint.method == "GET"}
    never = {"show_health", "show_metrics", "read_feed", "read_trail", "export_game", "export_games", "list_analyses"}
    never |= {"export_club", "export_tournament", "export_season", "print_blank_sheet"}
    never |= {*IMMUTABLE, *STREAMS}
    assert asking - {endpoint.name for endpoint in CONDITIONAL} == never


def test_a_name_that_was_changed_or_erased_is_in_no_answer_that_is_confirmed(api: Api) -> None:
    player, second = str(uuid7()), str(uuid7())
    for id_, name in ((player, "Anna"), (second, "Ben")):
        api.request("PUT", f"/v1/players/{id_}", json={"name": name})
    game = api.open(seats=[{"player": player}, {}])
    sat = {"id": str(uuid7()), "type": "seat.changed", "data": {"seat": 1, "player": player}}
    assert api.post(f"/v1/games/{game}/events", {"events": [sat]}).status_code == 201
    api.catch_up()
    paths = [*(f"/v1/games/{game}{part}" for part in NAMED), "/v1/games", "/v1/players"]
    for change in ("PUT", "DELETE"):
        before = {path: api.get(path) for path in paths}
        assert all("Ann" in answer.text for answer in before.values())
        body = {"json": {"name": "Annette"}} if change == "PUT" else {}
        assert api.request(change, f"/v1/players/{player}", **body).status_code in {200, 204}
        for path, answer in before.items():
            assert status(api, path, answer.headers["ETag"]) == 200, path
            assert ("Annette" in api.get(path).text) is (change == "PUT"), path


def test_an_answer_of_another_revision_of_the_rules_is_not_confirmed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    game = api.play("b-d")
    paths = [f"/v1/games/{game}/score?at=3", f"/v1/games/{game}/board.svg?at=3", "/v1/rulesets"]
    before = {path: api.get(path).headers["ETag"] for path in paths}
    assert all(status(api, path, tag) == 304 for path, tag in before.items())
    api.app.context.archive.folds.current(game)
    monkeypatch.setattr(KahunaState, "picture", lambda *_: "<svg>another release</svg>")
    assert status(api, paths[1], before[paths[1]]) == 200
    assert "immutable" not in "".join(api.get(path).headers["Cache-Control"] for path in paths)


def test_two_points_of_view_of_one_version_are_two_answers(api: Api) -> None:
    game = api.play("+?lale", "-")
    views = ("record", "public", "0", "1")
    tags = {seat: api.get(f"/v1/games/{game}/state?seat={seat}").headers["ETag"] for seat in views}
    assert len(set(tags.values())) == len(tags)
    assert all(re.fullmatch('"v4-[0-9a-f]{16}"', tag) for tag in tags.values())


def test_a_tag_names_the_version_for_the_next_writer(api: Api) -> None:
    game = api.play("b-d")
    tag = api.get(f"/v1/games/{game}/timeline").headers["ETag"]
    assert api.record(game, "+", headers={"If-Match": tag}).status_code == 201
    assert api.record(game, "+", headers={"If-Match": tag}).status_code == 412


@pytest.mark.parametrize("match", ["*", '"v1"', "nonsense"])
def test_reads_are_answered_with_any_if_match(api: Api, match: str) -> None:
    answer = api.get("/v1/rulesets", headers={"If-Match": match})
    assert (answer.status_code, answer.content_type) == (200, "application/json")


def test_the_same_record_has_the_same_tags_in_another_service(api: Api, elsewhere: Api) -> None:
    game = api.play("b-d")
    exported = api.get(f"/v1/games/{game}/export").data
    assert elsewhere.post("/v1/imports", data=exported, content_type="application/x-ndjson").status_code == 201
    for part in ("", "/state", "/timeline", "/score", "/board.txt"):
        path = f"/v1/games/{game}{part}"
        assert api.get(path).headers["ETag"] == elsewhere.get(path).headers["ETag"]


@pytest.mark.programs
def test_what_only_the_owner_sees_is_kept_by_no_cache_between(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path))
    try:
        api = Api(app)
        requests = RequestBuilder(api)
        for part in PARTS:
            for endpoint in part.described:
                if endpoint.method == "GET" and endpoint.need is not OPEN:
                    path = requests.path(f"GET {endpoint.path}")
                    answer = api.get(path)
                    kept = "private, max-age=31536000, immutable" if endpoint.name in IMMUTABLE else "private, no-cache"
                    kept = "no-store" if endpoint.name in STREAMS else kept
                    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, kept), path
                    assert {"Authorization", "Cookie"} <= set(answer.vary), path
    finally:
        app.close()


def test_no_cache_keeps_a_problem(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.api.routes.rulesets.ruleset_named", lambda *_: 1 / 0)
    asked = [
        ("GET", "/v1/nothing", {}, 404),
        ("GET", f"/v1/games/{uuid7()}", {}, 404),
        ("DELETE", "/v1/games", {}, 405),
        ("POST", "/v1/games", {"data": "{", "content_type": "application/json"}, 400),
        ("POST", "/v1/games", {"data": "{}", "content_type": "text/plain"}, 415),
        ("GET", "/v1/games?limit=x", {}, 400),
        ("GET", "/v1/games", {"headers": {"Accept": "text/csv"}}, 406),
        ("GET", "/v1/rulesets/kahuna", {}, 500),
        ("GET", "/v1/token", {"headers": {"Authorization": "Bearer nonsense"}}, 401),
        ("POST", "/v1/oauth/token", {"data": {}}, 400),
    ]
    for method, path, more, status in asked:
        answer = api.request(method, path, **more)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (status, "no-store"), (path, answer.text)
