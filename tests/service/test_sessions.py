"""Sessions: what a browser holds in place of the token, how it ends, and what is kept of it."""

from __future__ import annotations

import stat
import time
from typing import TYPE_CHECKING

import pytest

from service import sessions
from service.app import create_app
from service.sessions import Sessions
from service.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

    from tests.service.conftest import Api

TOKEN = "kifu_owner_" + "a" * 32


def log_in(api: Api, client: FlaskClient | None = None, **more: object) -> TestResponse:
    answer = (client or api.client).post("/login", data={"token": api.app.config["OWNER_TOKEN"]}, **more)
    assert answer.status_code == 303
    return answer


def cookie_of(answer: TestResponse) -> str:
    (cookie,) = answer.headers.getlist("Set-Cookie")
    name, _, value = cookie.partition(";")[0].partition("=")
    assert name == "kifu_session"
    return value


def test_the_cookie_is_another_secret_than_the_token(api: Api, tmp_path: Path) -> None:
    first, second = (cookie_of(log_in(api, api.app.test_client())) for _ in range(2))
    token = api.app.config["OWNER_TOKEN"]
    assert len(first) >= 32
    assert len({first, second, token}) == 3
    for secret in (first, second):
        client = api.app.test_client()
        assert client.get("/v1/feed", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
        assert client.get("/login", query_string={"token": secret}).status_code == 401
    client = api.app.test_client()
    client.set_cookie("kifu_session", token)
    assert client.get("/v1/feed").status_code == 401
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if first.encode() in path.read_bytes()] == []
    assert stat.S_IMODE((tmp_path / "data" / "sessions.json").stat().st_mode) == 0o600


def test_a_copied_cookie_is_dead_after_log_out_and_others_are_not(api: Api) -> None:
    thief, elsewhere = api.app.test_client(), api.app.test_client()
    thief.set_cookie("kifu_session", cookie_of(log_in(api)))
    log_in(api, elsewhere)
    assert thief.get("/v1/feed").status_code == 200
    answer = api.client.post("/logout")
    assert (answer.status_code, "Max-Age=0" in answer.headers["Set-Cookie"]) == (303, True)
    assert thief.get("/v1/feed").status_code == 401
    assert thief.get("/v1/feed").get_json()["type"] == "/problems/token-unknown"
    assert elsewhere.get("/v1/feed").status_code == 200
    assert api.get("/v1/feed").status_code == 200, "the token is not concerned"


def test_a_session_outlives_a_restart_and_its_end_does_too(tmp_path: Path) -> None:
    path = tmp_path / "sessions.json"
    before = Sessions(path, TOKEN)
    kept, ended = before.begin(), before.begin()
    before.end(ended)
    after = Sessions(path, TOKEN)
    assert (after.holds(kept), after.holds(ended)) == (True, False)


def test_a_new_token_ends_every_session(tmp_path: Path) -> None:
    path = tmp_path / "sessions.json"
    session = Sessions(path, TOKEN).begin()
    assert Sessions(path, TOKEN).holds(session)
    assert not Sessions(path, TOKEN + "b").holds(session)


def test_a_session_ends_by_itself_some_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Sessions(tmp_path / "sessions.json", TOKEN)
    session = found.begin()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + sessions.LIFETIME - 60)
    assert found.holds(session)
    monkeypatch.setattr(time, "time", lambda: now + sessions.LIFETIME + 60)
    assert not found.holds(session)
    found.begin()
    assert (tmp_path / "sessions.json").read_text().count(":") == 1, "what has ended is not kept"


def test_there_are_no_more_sessions_than_are_allowed(tmp_path: Path) -> None:
    found = Sessions(tmp_path / "sessions.json", TOKEN)
    begun = [found.begin() for _ in range(sessions.MOST + 2)]
    assert [found.holds(session) for session in begun] == [False] * 2 + [True] * sessions.MOST


@pytest.mark.parametrize("garbage", [b"", b"{", b"[]", b"\xff" * 99, b'{"a": "b"}', b'{"a": 1e999}'])
def test_garbage_in_the_file_of_sessions_ends_them_and_not_the_service(tmp_path: Path, garbage: bytes) -> None:
    path = tmp_path / "data" / "sessions.json"
    path.parent.mkdir()
    path.write_bytes(garbage)
    app = create_app(Settings(data=path.parent))
    try:
        client = app.test_client()
        assert client.post("/login", data={"token": app.config["OWNER_TOKEN"]}).status_code == 303
        assert client.get("/v1/feed").status_code == 200
    finally:
        app.extensions["kifu"].close()


def test_a_full_disk_lets_people_in_and_says_when_the_way_out_is_not_kept(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(sessions.safekeeping, "put", fail)
        log_in(api)
        api.token = None
        assert api.get("/v1/feed").status_code == 200
        told = api.client.post("/logout")
        assert (told.status_code, "No space left" in told.text) == (507, True)
        assert api.get("/v1/feed").status_code == 401
    assert api.client.post("/logout").status_code == 303


@pytest.mark.parametrize(
    ("proxies", "told", "secure"),
    [
        (0, {}, False),
        (0, {"X-Forwarded-Proto": "https"}, False),
        (1, {"X-Forwarded-Proto": "https"}, True),
        (1, {}, False),
        (1, {"X-Forwarded-Proto": "https, http"}, False),
    ],
)
def test_a_cookie_of_a_page_behind_tls_is_secure(
    tmp_path: Path, proxies: int, told: dict[str, str], secure: bool
) -> None:
    """A proxy in front is believed only if the settings say that there is one."""
    app = create_app(Settings(data=tmp_path, proxies=proxies))
    try:
        answer = app.test_client().post("/login", data={"token": app.config["OWNER_TOKEN"]}, headers=told)
        cookie = answer.headers["Set-Cookie"]
        assert ("; Secure" in cookie) is secure
        assert "; HttpOnly" in cookie
        assert "; SameSite=Lax" in cookie
        assert "; Path=/" in cookie
    finally:
        app.extensions["kifu"].close()


def test_a_page_behind_a_proxy_may_write_under_its_public_name(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, proxies=1))
    try:
        client = app.test_client()
        known = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "kifu.example"}
        client.post("/login", data={"token": app.config["OWNER_TOKEN"]}, headers=known)
        cookie = client.get_cookie("kifu_session")
        sent = known | {"Cookie": f"kifu_session={cookie.value}"} if cookie else known
        for origin, status in (("https://kifu.example", 400), ("https://elsewhere.example", 403), ("null", 403)):
            answer = app.test_client(use_cookies=False).post("/v1/games", json={}, headers=sent | {"Origin": origin})
            assert answer.status_code == status, answer.text
    finally:
        app.extensions["kifu"].close()
