"""How often somebody may ask; that nobody can guess; and what pages of other origins may do."""

from __future__ import annotations

import re
import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access import limiting, secrets
from service.access.limiting import Limits
from service.app import create_app
from service.problems.kinds import ProblemError
from service.settings import Settings
from tests.service.conftest import Api, Guest, entry
from tests.traces import files_with

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.app import Application


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that limits go by: it stands still."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(limiting, "time", SimpleNamespace(time=lambda: now[0], monotonic=time.monotonic))
    return now


@pytest.fixture
def app(tmp_path: Path, clock: list[float]) -> Iterator[Application]:
    made = create_app(Settings(data=tmp_path / "data", reads=5, writes=3, guesses=4))
    yield made
    made.close()


def made(api: Api, role: str = "recorder") -> Guest:
    token = api.post("/v1/tokens", {"name": "x", "role": role}).get_json()["token"]
    return Guest(api.app, "", token)


def test_a_token_may_ask_so_often_and_is_told_what_is_left(api: Api, clock: list[float]) -> None:
    guest, other = made(api), made(api)
    left = [guest.get("/v1/games").headers["RateLimit"] for _ in range(5)]
    assert left == [f'"reads";r={number};t=60' for number in (4, 3, 2, 1, 0)]
    clock[0] += 20
    refused = guest.get("/v1/games")
    assert (refused.status_code, refused.mimetype) == (429, "application/problem+json")
    assert refused.get_json()["violated-policies"] == ["reads"]
    assert refused.get_json()["detail"] == "more than 5 reads in 60 seconds; try again in 40 s"
    assert refused.headers["Retry-After"] == "40"
    assert refused.headers["RateLimit-Policy"] == '"reads";q=5;w=60'
    assert re.fullmatch(r'"reads";r=0;t=40', refused.headers["RateLimit"])
    assert other.get("/v1/games").status_code == 200, "each token by itself"
    clock[0] += 40
    assert guest.get("/v1/games").status_code == 200


def test_a_refused_write_stores_nothing_and_reads_go_on(api: Api) -> None:
    game = api.play()
    guest = made(api)
    for _ in range(3):
        guest.post(f"/v1/games/{game}/events", {"events": [entry("?")]})
    answer = guest.record(game, "-")
    assert (answer.status_code, answer.get_json()["violated-policies"]) == (429, ["writes"])
    assert guest.get(f"/v1/games/{game}").get_json()["version"] == 2


def test_strangers_are_counted_by_their_address_and_the_owner_not_at_all(api: Api) -> None:
    for _ in range(20):
        assert api.get("/v1/games").status_code == 200
        assert "RateLimit" not in api.get("/v1/games").headers
    api.token = None
    answers = [api.get("/v1/games").status_code for _ in range(7)]
    assert answers == [200] * 5 + [429] * 2
    assert api.get("/v1/games", environ_overrides={"REMOTE_ADDR": "192.0.2.7"}).status_code == 200
    assert api.get("/").status_code == 429


def test_all_addresses_of_a_network_of_ipv6_count_as_one(api: Api) -> None:
    def asked(path: str, address: str, token: str | None = None) -> int:
        guest = Guest(api.app, "", token)
        return guest.get(path, environ_overrides={"REMOTE_ADDR": address}).status_code

    own, other = [f"2001:db8:0:7::{number:x}" for number in range(1, 8)], "2001:db8:0:8::1"
    assert [asked("/v1/games", address) for address in own] == [200] * 5 + [429] * 2
    assert asked("/v1/games", other) == 200
    assert [asked("/v1/token", address, secrets.make("app")) for address in own] == [401] * 4 + [429] * 3
    assert asked("/v1/token", other, secrets.make("app")) == 401
    mapped = [asked("/v1/games", address) for address in ["192.0.2.9", "::ffff:192.0.2.9"] * 3]
    assert mapped == [200] * 5 + [429]


def test_guessing_is_stopped_before_anything_is_looked_up(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    known, asked = made(api), []
    assert known.get("/v1/games").status_code == 200
    find = api.access.find
    monkeypatch.setattr(api.access, "find", lambda digest: asked.append(digest) or find(digest))
    guesser = Guest(api.app, "", None)
    found = []
    for _ in range(50):
        guesser.token = secrets.make("app")
        found.append(guesser.get("/v1/token").status_code)
    assert found == [401] * 4 + [429] * 46
    assert len(asked) == 4
    assert known.get("/v1/games").status_code == 200, "who was here a moment ago goes on"
    api.request("PUT", f"/v1/roles/{uuid7()}", json={"role": "viewer"})  # after which everybody is looked up anew
    assert (known.get("/v1/games").status_code, api.get("/v1/games").status_code) == (200, 200)
    assert guesser.client.post("/login", data={"code": secrets.make("log")}).status_code == 429
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    assert guesser.get("/v1/token", environ_overrides=elsewhere).status_code == 401


def test_codes_are_guessed_no_more_than_tokens(api: Api, clock: list[float]) -> None:
    code = api.post("/v1/login-links").get_json()["path"].partition("=")[2]
    client = Client(api.app)
    found = [client.post("/login", data={"code": secrets.make("log")}).status_code for _ in range(9)]
    assert found == [401] * 4 + [429] * 5
    assert client.post("/login", data={"code": code}).status_code == 429, "nor the right one, at that moment"
    clock[0] += 60
    assert client.post("/login", data={"code": code}).status_code == 303


def test_a_limit_of_nothing_is_none(tmp_path: Path) -> None:
    limits = Limits(Settings(data=tmp_path, reads=0))
    assert [limits.count("reads", "a") for _ in range(1000)] == [None] * 1000


def test_counting_in_memory_starts_no_thread_and_keeps_no_more_than_a_minute(
    tmp_path: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[threading.Thread]()
    monkeypatch.setattr(threading.Thread, "start", started.append)
    limits = Limits(Settings(data=tmp_path, writes=3))
    for _ in range(3):
        limits.count("writes", "a")
        time.sleep(0.02)
    assert started == []
    for number in range(1000):
        limits.count("writes", f"address {number}")
    clock[0] += limiting.WINDOW
    assert limits.count("writes", "a") == limiting.QuotaLeft("writes", 3, 2, limiting.WINDOW)
    assert len(limits._memory._counts) == 1


def test_limits_are_counted_in_memory_while_redis_is_away(tmp_path: Path, clock: list[float]) -> None:
    limits = Limits(Settings(data=tmp_path, writes=2, redis_url=f"unix://{tmp_path}/nobody.sock"))
    assert [limits.count("writes", "a").left for _ in range(2)] == [1, 0]
    with pytest.raises(ProblemError):
        limits.count("writes", "a")


def test_limits_are_counted_once_for_all_who_serve(tmp_path: Path, redis_url: str, clock: list[float]) -> None:
    one, other = (Limits(Settings(data=tmp_path, writes=3, redis_url=redis_url)) for _ in range(2))
    assert [each.count("writes", "a").left for each in (one, other, one)] == [2, 1, 0]
    with pytest.raises(ProblemError, match="more than 3 writes"):
        other.count("writes", "a")


def test_long_reads_never_take_all_threads(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path / "data", threads=8))
    try:
        api = Api(app)
        game = api.play()
        path = f"/v1/games/{game}/export"
        held = [Client(app).get(path, headers=bearer(api), buffered=False) for _ in range(2)]
        refused = api.get(f"/v1/games/{game}/export")
        assert (refused.status_code, refused.get_json()["type"]) == (503, "/problems/overloaded")
        assert refused.headers["Retry-After"] == "2"
        imported = api.post("/v1/imports", data=b"{}", content_type="application/x-ndjson")
        assert imported.status_code == 503
        assert api.get(f"/v1/games/{game}/moves?irregular=true").status_code == 503
        assert api.get(f"/v1/games/{game}/moves").status_code == 200
        for answer in held:
            answer.close()
        for _ in range(5):  # what failed has given its place back, too
            for asked, status in ((path, 200), (f"{path}?format=nonsense", 400), (f"/v1/games/{uuid7()}/export", 404)):
                with api.get(asked) as answer:
                    assert (answer.status_code, len(answer.get_data()) > 0) == (status, True)
            assert api.post("/v1/imports", data=b"{}", content_type="application/x-ndjson").status_code == 400
    finally:
        app.close()


def bearer(api: Api) -> dict[str, str]:
    return {"Authorization": f"Bearer {api.token}"}


# Pages of other origins

ELSEWHERE = {"Origin": "https://score.example"}


def test_a_page_of_any_origin_may_use_the_api_with_a_token(api: Api) -> None:
    game = api.play()
    preflight = ELSEWHERE | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,if-match",
    }
    asked = Client(api.app).options(f"/v1/games/{game}/events", headers=preflight)
    assert asked.status_code == 200
    assert asked.headers["Access-Control-Allow-Origin"] == "*"
    assert "POST" in asked.headers["Access-Control-Allow-Methods"]
    taken = {name.strip().lower() for name in asked.headers["Access-Control-Allow-Headers"].split(",")}
    assert {"authorization", "content-type", "if-match", "idempotency-key", "last-event-id"} <= taken
    assert asked.headers["Access-Control-Max-Age"] == "86400"
    for path, status in ((f"/v1/games/{game}", 200), (f"/v1/games/{uuid7()}", 404), ("/v1/nowhere", 404)):
        answer = api.get(path, headers=ELSEWHERE)
        assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (status, "*"), path
        assert "ETag" in answer.headers["Access-Control-Expose-Headers"]
    assert api.record(game, "-", headers=ELSEWHERE).status_code == 201


def test_a_page_of_any_origin_is_told_that_nothing_is_there(api: Api) -> None:
    """Otherwise a browser tells it nothing: to ask with a token it asks first whether it may."""
    preflight = ELSEWHERE | {
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
    }
    asked = Client(api.app).options("/v1/nowhere", headers=preflight)
    assert (asked.status_code, asked.data, asked.headers["Access-Control-Allow-Origin"]) == (204, b"", "*")
    assert "Authorization" in asked.headers["Access-Control-Allow-Headers"]
    for path, headers in (("/nowhere", preflight), ("/v1/nowhere", {}), ("/v1/nowhere", ELSEWHERE)):
        assert Client(api.app).options(path, headers=headers).status_code == 404


def test_no_page_of_another_origin_is_let_use_a_cookie_or_read_a_page(api: Api) -> None:
    game = api.play()
    api.client.post("/login", data={"token": api.token})
    api.token = None
    answer = api.get(f"/v1/games/{game}", headers=ELSEWHERE)
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert answer.headers["Access-Control-Allow-Origin"] == "*", "which browsers do not take with cookies"
    assert api.record(game, "-", headers=ELSEWHERE).status_code == 403
    for path in ("/", f"/games/{game}", "/login"):
        assert "Access-Control-Allow-Origin" not in api.get(path, headers=ELSEWHERE).headers


# The same request again

KEY = {"Idempotency-Key": '"0199d2f3-6a00-7000-8000-00000000000c"'}


def test_a_token_that_is_asked_for_again_is_the_same_one(api: Api, tmp_path: Path) -> None:
    body: dict[str, Any] = {"name": "x", "role": "viewer"}
    first, again = (api.post("/v1/tokens", body, headers=KEY) for _ in range(2))
    assert (first.status_code, again.status_code, first.data) == (201, 201, again.data)
    assert len([each for each in api.access.credentials() if each.name == "x"]) == 1
    token = first.get_json()["token"].encode()
    assert files_with(tmp_path, token) == []
    other = api.post("/v1/tokens", body | {"days": 3}, headers=KEY)
    assert (other.status_code, other.get_json()["type"]) == (422, "/problems/key-reused")
    link = api.post("/v1/login-links", headers=KEY)
    assert link.status_code == 201, "another operation has keys of its own"
    somebody = api.let_in("viewer")
    mine = somebody.post("/v1/tokens", body, headers=KEY)
    assert (mine.status_code, mine.data == first.data) == (201, False)


def test_a_key_without_quotes_is_taken_and_is_the_same_key(api: Api) -> None:
    body: dict[str, Any] = {"name": "x", "role": "viewer"}
    bare = {"Idempotency-Key": KEY["Idempotency-Key"].strip('"')}
    first, again, quoted = (api.post("/v1/tokens", body, headers=key) for key in (bare, bare, KEY))
    assert (first.status_code, first.data) == (201, again.data)
    assert quoted.data == first.data


def test_what_failed_is_not_kept_and_what_is_no_key_is_refused(api: Api) -> None:
    assert api.post("/v1/tokens", {"name": "x"}, headers=KEY).status_code == 400
    assert api.post("/v1/tokens", {"name": "x", "role": "viewer"}, headers=KEY).status_code == 201
    bare = ("abc", "a" * 300, "a" * 15 + ",b", "a" * 16 + ";x=1")
    for wrong in (*bare, '"' + "a" * 16, '"short"', '"' + "a" * 300 + '"', '"ÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿÿ"', ""):
        answer = api.post("/v1/tokens", {"name": "x", "role": "viewer"}, headers={"Idempotency-Key": wrong})
        assert (answer.status_code, answer.get_json()["errors"][0]["field"]) == (400, "Idempotency-Key"), wrong


def test_the_same_request_at_the_same_moment_is_carried_out_once(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, result = threading.Event(), threading.Event(), []
    add = api.access.add

    def slowly(*said: Any, **more: Any) -> None:
        begun.set()
        assert go_on.wait(30)
        add(*said, **more)

    monkeypatch.setattr(api.access, "add", slowly)

    def ask() -> None:
        client = Client(api.app)
        body = {"name": "twice", "role": "viewer"}
        result.append(client.post("/v1/tokens", json=body, headers=bearer(api) | KEY).status_code)

    first = threading.Thread(target=ask)
    first.start()
    assert begun.wait(30)
    ask()
    go_on.set()
    first.join()
    assert result == [409, 201]
    assert len([each for each in api.access.credentials() if each.name == "twice"]) == 1
