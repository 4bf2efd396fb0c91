"""Appends take a short way through the service. Its answers are, byte for byte, those of the way of all requests."""

from __future__ import annotations

import gc
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from flask import Blueprint, Flask
from uuid_utils import uuid7
from werkzeug.routing import Map
from werkzeug.test import Client, EnvironBuilder, run_wsgi_app

from benchmarks import steps
from service import app as application
from service.app import create_app
from service.appending import ENDPOINT, Appends
from service.settings import Settings
from tests.cases import cases
from tests.service.access.test_sessions import cookie_of, log_in
from tests.service.conftest import Api

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.app import Application

pytestmark = pytest.mark.service("file")

HEADERS: dict[str, dict[str, str]] = {
    "none": {},
    "a page of another origin": {"Origin": "http://elsewhere.example"},
    "a page with a session": {"Origin": "http://localhost", "Cookie": "kifu_session=kifu_ses_x; lang=ja"},
    "Japanese": {"Accept-Language": "ja,en;q=0.5"},
    "gzip": {"Accept-Encoding": "gzip"},
    "JSON": {"Accept": "application/json"},
    "HTML": {"Accept": "text/html"},
    "a version": {"If-Match": '"v2"'},
    "a version with its suffix": {"If-Match": '"v2-gzip"'},
    "a version that is stale": {"If-Match": '"v1"'},
    "no version": {"If-Match": "newest"},
    "another type": {"Content-Type": "text/plain"},
    "a type with its charset": {"Content-Type": "application/json; charset=utf-8"},
    "an encoded body": {"Content-Encoding": "gzip"},
    "no token": {"Authorization": ""},
    "a wrong token": {"Authorization": "Bearer kifu_dev_wrong"},
    "another name": {"Host": "elsewhere.example"},
    "a name that is none": {"Host": "local host"},
    "a socket": {"Connection": "Upgrade", "Upgrade": "websocket"},
}

ID = "0199d2f3-6a00-7000-8000-000000000001"
BUILD = {"id": ID, "data": {"move": "b-d"}}
BODIES: dict[str, bytes] = {
    name: sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    for name, sent in {
        "a move": {"events": [BUILD]},
        "many moves": {"events": [BUILD, *({"id": str(uuid7()), "data": {"move": "-"}} for _ in range(2))]},
        "a note": {"events": [{"id": ID, "type": "note.added", "data": {"text": "well played"}}]},
        "a broken rule": {"events": [{"id": ID, "data": {"move": "e-d"}}]},
        "no move": {"events": [{"id": ID, "data": {"move": "so-so"}}]},
        "an unknown field": {"events": [BUILD | {"more": 1}]},
        "no entries": {"events": []},
        "no JSON": b"{",
        "a repeated key": b'{"events": [], "events": []}',
        "nothing": b"",
    }.items()
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    app = create_app(Settings(data=tmp_path_factory.mktemp("data")))
    yield app
    app.close()


@pytest.fixture
def owner(service: Application) -> Api:
    return Api(service)


Answer = tuple[str, list[tuple[str, str]], bytes]


def answer(app: Application, path: str, body: bytes, headers: dict[str, str]) -> Answer:
    """The answer to a POST of this body."""
    content_type = {"Content-Type": "application/json"}
    builder = EnvironBuilder(path, method="POST", data=body, headers=content_type | headers)
    environ = builder.get_environ()
    builder.close()
    if "Host" in headers:
        environ["HTTP_HOST"] = headers["Host"]
    parts, status, found = run_wsgi_app(app, environ, buffered=True)
    return status, [*found], b"".join(parts)


def both(app: Application, path: str, body: bytes, headers: dict[str, str]) -> tuple[Answer, Answer]:
    """The answers of the short way and of the way of all requests, which come one after the other."""
    short = answer(app, path, body, headers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app.site, "appends", None)
        return short, answer(app, path, body, headers)


def authorized(api: Api, headers: dict[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {api.token}"} | headers


@cases("headers", HEADERS.values(), ids=[*HEADERS])
def test_an_append_with_any_headers_gets_the_answer_of_the_usual_way(owner: Api, headers: dict[str, str]) -> None:
    path = f"/v1/games/{owner.play()}/events"
    body = json.dumps({"events": [BUILD | {"id": str(uuid7())}]}).encode()
    short, usual = both(owner.app, path, body, authorized(owner, headers))
    assert short == usual


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_an_append_of_anything_gets_the_answer_of_the_usual_way(app: Application, body: bytes) -> None:
    api = Api(app)
    short, usual = both(app, f"/v1/games/{api.play()}/events", body, authorized(api, {}))
    assert short == usual


@pytest.mark.parametrize(
    "path",
    [
        f"/v1/games/{ID}/events",
        "/v1/games/aiko/events",
        "//v1/games/{game}/events",
        "/v1/games/{game}/events/",
        "/v1/games/{game}/events\n",
        "/v1/games/{game}/events?dry_run=true",
        "/v1/games/{game}/events?dry_run=perhaps",
        "/v1/games/{game}/events?look=public",
        "/v1/games/{game}/events?lang=ja",
    ],
)
def test_an_append_to_any_address_gets_the_answer_of_the_usual_way(owner: Api, path: str) -> None:
    body = json.dumps({"events": [BUILD | {"id": str(uuid7())}]}).encode()
    short, usual = both(owner.app, path.format(game=owner.play()), body, authorized(owner, {}))
    assert short == usual


@pytest.mark.parametrize("origin", ["http://localhost", "http://elsewhere.example"])
@pytest.mark.parametrize("asked", ["", "?look=record"])
def test_an_append_of_a_page_gets_the_answer_of_the_usual_way(owner: Api, origin: str, asked: str) -> None:
    """With a session, and with what the page asks for next."""
    session = cookie_of(log_in(owner, Client(owner.app)))
    headers = {"Cookie": f"kifu_session={session}; kifu_language=ja", "Origin": origin, "Accept-Encoding": "gzip"}
    body = json.dumps({"events": [BUILD | {"id": str(uuid7())}]}).encode()
    short, usual = both(owner.app, f"/v1/games/{owner.play()}/events{asked}", body, headers)
    assert short == usual
    assert short[0][:3] == ("201" if origin == "http://localhost" else "403")


def test_who_is_limited_is_told_what_is_left_in_the_usual_way(owner: Api) -> None:
    game = owner.play()
    wanted = {"name": "table 4", "scopes": ["games:read", "games:record"], "games": [game]}
    token = owner.post("/v1/tokens", wanted).get_json()["token"]
    body = json.dumps({"events": [BUILD | {"id": str(uuid7())}]}).encode()
    found = both(owner.app, f"/v1/games/{game}/events", body, {"Authorization": f"Bearer {token}"})
    short, usual = (
        (status, [(name, re.sub("[rt]=[0-9]+", "", value)) for name, value in headers], content)
        for status, headers, content in found
    )
    assert short == usual
    left = [int(dict(headers)["RateLimit"].partition("r=")[2].partition(";")[0]) for _, headers, _ in found]
    assert left[0] == left[1] + 1


def test_an_append_does_not_look_for_its_route(owner: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    path, body = f"/v1/games/{owner.play()}/events", json.dumps({"events": [BUILD | {"id": str(uuid7())}]}).encode()

    def bind(*_: Any, **__: Any) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(Map, "bind_to_environ", bind)
    assert answer(owner.app, path, body, authorized(owner, {}))[0] == "201 CREATED"


@pytest.mark.slow
def test_the_requests_of_a_journal_go_the_usual_way(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, log="json"))
    try:
        api = Api(app)
        assert api.record(api.play(), "b-d").headers["X-Request-Id"]
    finally:
        app.close()


@pytest.mark.parametrize("length", ["900", "9", "0", "-1", "x", "٣", ""])
def test_a_body_that_is_not_as_long_as_it_says_is_refused(owner: Api, length: str) -> None:
    builder = EnvironBuilder(
        f"/v1/games/{owner.play()}/events", method="POST", data=b"{}", headers=authorized(owner, {})
    )
    environ = builder.get_environ() | {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": length}
    parts, status, _ = run_wsgi_app(owner.app, environ, buffered=True)
    assert status[:3] == "400"
    assert json.loads(b"".join(parts))["type"] in {"/problems/bad-json", "/problems/bad-request"}


def test_a_move_passes_few_files_and_functions(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path))
    try:
        passed = steps.count(app)
    finally:
        app.close()
    assert 30 < passed.files <= 45
    assert 100 < passed.functions <= 180


def test_hooks_that_appends_would_not_call_are_refused() -> None:
    app = Flask("service")
    app.add_url_rule("/", ENDPOINT, lambda: "")
    Appends(app)
    app.teardown_request(lambda _: None)
    with pytest.raises(RuntimeError, match="would not be called"):
        Appends(app)


def test_hooks_of_the_route_are_refused() -> None:
    app, part = Flask("service"), Blueprint("entries", __name__)
    part.add_url_rule("/", "record_entries", lambda: "")
    part.before_request(lambda: None)
    app.register_blueprint(part)
    with pytest.raises(RuntimeError, match="would not be called"):
        Appends(app)


def test_what_a_check_answers_is_the_answer(owner: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check refuses, fails, or answers in place of the view."""
    path, body = f"/v1/games/{owner.play()}/events", json.dumps({"events": [BUILD]}).encode()
    checks = owner.app.site.before_request_funcs[None]
    monkeypatch.setattr(owner.app.site.appends, "_checks_without_query", [*checks, lambda: ("another", 202)])
    assert answer(owner.app, path, body, authorized(owner, {}))[0] == "202 ACCEPTED"

    def fail() -> None:
        raise LookupError("unforeseen")

    monkeypatch.setattr(owner.app.site.appends, "_checks_without_query", [*checks, fail])
    status, headers, content = answer(owner.app, path, body, authorized(owner, {}))
    assert status[:3] == "500"
    assert json.loads(content)["type"] == "/problems/internal"
    assert dict(headers)["X-Content-Type-Options"] == "nosniff"


@pytest.mark.slow
def test_an_append_leaves_no_garbage_so_it_is_seldom_looked_for(owner: Api) -> None:
    path, environs = f"/v1/games/{owner.play()}/events", []
    for _ in range(20):
        note = {"id": str(uuid7()), "type": "note.added", "data": {"text": "well played"}}
        body = json.dumps({"events": [note]}).encode()
        content_type = {"Content-Type": "application/json"}
        headers = authorized(owner, content_type).items()
        environs.append(EnvironBuilder(path, method="POST", data=body, headers=headers).get_environ())
    stati = list[str]()
    gc.collect()
    gc.disable()
    try:
        for environ in environs:
            list(owner.app(environ, lambda status, *_: stati.append(status)))  # type: ignore[arg-type]
        garbage = gc.collect()
    finally:
        gc.enable()
    assert stati == ["201 CREATED"] * 20
    assert garbage < 5 * 20, "what other threads leave is not counted so exactly; a refused append leaves 140 objects"


def test_a_service_sets_how_often_cycles_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_threshold()
    monkeypatch.setattr(application, "COLLECTING", (4321, 3, 7))
    try:
        create_app(Settings(data=tmp_path / "data")).close()
        assert gc.get_threshold() == (4321, 3, 7)
    finally:
        gc.set_threshold(*before)
