"""Sessions: what a browser holds in place of the token, how it ends, and what is kept of it."""

from __future__ import annotations

import re
import stat
import time
from typing import TYPE_CHECKING, NoReturn

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access import sessions
from service.access.needs import OPEN
from service.access.store import StoreFullError
from service.app import create_app
from service.pages.blueprint import NEEDS, PERSON
from service.settings import Settings
from tests.service.asked import RequestBuilder
from tests.service.conftest import DEAL, Api
from tests.traces import files_with

if TYPE_CHECKING:
    from pathlib import Path

    from werkzeug.test import TestResponse

pytestmark = pytest.mark.service("file")


def log_in(api: Api, client: Client | None = None, **more: object) -> TestResponse:
    answer = (client or api.client).post("/login", data={"token": api.app.context.owner_token}, **more)
    assert answer.status_code == 303
    return answer


def cookie_of(answer: TestResponse) -> str:
    (cookie,) = answer.headers.getlist("Set-Cookie")
    name, _, value = cookie.partition(";")[0].partition("=")
    assert name == "kifu_session"
    return value


def test_the_cookie_is_another_secret_than_the_token(api: Api, tmp_path: Path) -> None:
    first, second = (cookie_of(log_in(api, Client(api.app))) for _ in range(2))
    token = api.app.context.owner_token
    assert len(first) >= 32
    assert len({first, second, token}) == 3
    for secret in (first, second):
        client = Client(api.app)
        assert client.get("/v1/feed", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
        assert client.post("/login", data={"token": secret}).status_code == 401
    client = Client(api.app)
    client.set_cookie("kifu_session", token)
    assert client.get("/v1/feed").status_code == 401
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files_with(tmp_path, first) == []
    assert {stat.S_IMODE(path.stat().st_mode) for path in files if path.name.startswith("access.db")} <= {0o600}


def test_a_copied_cookie_is_dead_after_log_out_and_others_are_not(api: Api) -> None:
    thief, elsewhere = Client(api.app), Client(api.app)
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
    app = create_app(Settings(data=tmp_path))
    kept, ended = Client(app), Client(app)
    cookies = [cookie_of(log_in(Api(app), client)) for client in (kept, ended)]
    ended.post("/logout")
    app.close()
    app = create_app(Settings(data=tmp_path))
    try:
        for cookie, status in zip(cookies, (200, 401), strict=True):
            client = Client(app)
            client.set_cookie("kifu_session", cookie)
            assert client.get("/v1/feed").status_code == status
    finally:
        app.close()


def test_another_token_in_the_file_ends_the_old_one_and_every_session(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path))
    token, cookie = app.context.owner_token, cookie_of(log_in(Api(app)))
    app.close()
    (tmp_path / "owner.token").unlink()
    app = create_app(Settings(data=tmp_path))
    try:
        client = Client(app)
        assert app.context.owner_token != token
        assert client.get("/v1/feed", headers={"Authorization": f"Bearer {token}"}).status_code == 401
        client.set_cookie("kifu_session", cookie)
        assert client.get("/v1/feed").status_code == 401
    finally:
        app.close()


@pytest.mark.service("test")
def test_a_session_ends_by_itself_some_day(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(api)
    api.token = None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + sessions.LIFETIME - 60)
    assert api.get("/v1/feed").status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + sessions.LIFETIME + 60)
    refused = api.get("/v1/feed")
    assert (refused.status_code, "this session has expired on" in refused.get_json()["detail"]) == (401, True)


@pytest.mark.service("test")
def test_a_session_gets_another_secret_every_day_and_the_old_one_ends(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cookie_of(log_in(api))
    assert "Set-Cookie" not in api.client.get("/").headers
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + (sessions.ROTATED + 1) * 10**9)
    monkeypatch.setattr(time, "time", lambda: time.time_ns() / 10**9)
    second = cookie_of(api.client.get("/"))
    assert second != first
    stale, fresh = (Client(api.app) for _ in range(2))
    stale.set_cookie("kifu_session", first)
    fresh.set_cookie("kifu_session", second)
    assert [client.get("/v1/feed").status_code for client in (stale, fresh)] == [200, 200]
    assert "Set-Cookie" not in fresh.get("/").headers
    monkeypatch.setattr(time, "time_ns", lambda: now + (sessions.ROTATED + sessions.OLD_SECRET_SECONDS + 2) * 10**9)
    assert [client.get("/v1/feed").status_code for client in (stale, fresh)] == [401, 200]


@pytest.mark.service("test")
def test_there_are_no_more_sessions_of_a_person_than_are_allowed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 3)
    clients = [Client(api.app) for _ in range(5)]
    for client in clients:
        log_in(api, client)
    assert [client.get("/v1/feed").status_code for client in clients] == [401] * 2 + [200] * 3


def test_logging_out_everywhere_ends_all_own_sessions_and_no_others(api: Api) -> None:
    mine, elsewhere, other = (Client(api.app) for _ in range(3))
    guest = api.let_in("recorder")
    log_in(api, mine)
    log_in(api, elsewhere)
    assert other.post("/login", data={"token": guest.token}).status_code == 303
    assert mine.post("/logout", data={"everywhere": "1"}).status_code == 303
    assert elsewhere.get("/v1/feed").status_code == 401
    assert other.get("/v1/feed").status_code == 200
    assert guest.request("DELETE", "/v1/sessions").status_code == 204
    assert other.get("/v1/feed").status_code == 401
    assert guest.get("/v1/feed").status_code == 200, "the token is not concerned"


def test_a_session_may_do_what_the_token_may_that_it_began_with(api: Api) -> None:
    made = api.post("/v1/tokens", {"name": "to look", "role": "viewer"}).get_json()
    browser = Client(api.app)
    assert browser.post("/login", data={"token": made["token"]}).status_code == 303
    assert browser.get("/v1/games").status_code == 200
    assert browser.get("/v1/feed").status_code == 403


def test_the_link_of_a_token_that_was_revoked_lets_nobody_in(api: Api) -> None:
    guest = api.let_in("viewer")
    code = guest.post("/v1/login-links").get_json()["path"].partition("=")[2]
    assert guest.request("DELETE", "/v1/token").status_code == 204
    assert Client(api.app).post("/login", data={"code": code}).status_code == 401


@pytest.mark.service("test")
def test_a_login_link_is_over_after_fifteen_minutes(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    code = api.post("/v1/login-links").get_json()["path"].partition("=")[2]
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 15 * 60 * 10**9 + 1)
    assert Client(api.app).post("/login", data={"code": code}).status_code == 401


@pytest.mark.service("test")
def test_a_full_disk_says_so_and_logging_out_works_all_the_same(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(api)
    api.token = None
    with monkeypatch.context() as full:
        full.setattr(api.access, "_change", fail)
        assert api.client.post("/login", data={"token": api.app.context.owner_token}).status_code == 507
        assert api.get("/v1/feed").status_code == 200
        result = api.client.post("/logout")
        assert (result.status_code, "database or disk is full" in result.text) == (507, True)
        assert api.get("/v1/feed").status_code == 401
    assert api.client.post("/logout").status_code == 303


def fail(**_: object) -> NoReturn:
    raise StoreFullError("database or disk is full")


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
        answer = Client(app).post("/login", data={"token": app.context.owner_token}, headers=told)
        cookie = answer.headers["Set-Cookie"]
        assert ("; Secure" in cookie) is secure
        assert "; HttpOnly" in cookie
        assert "; SameSite=Lax" in cookie
        assert "; Path=/" in cookie
        assert cookie.startswith("__Host-kifu_session=" if secure else "kifu_session=")
    finally:
        app.close()


def test_a_page_behind_a_proxy_may_write_under_its_public_name(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, proxies=1))
    try:
        client = Client(app)
        known = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "kifu.example"}
        client.post("/login", data={"token": app.context.owner_token}, headers=known)
        cookie = client.get_cookie("__Host-kifu_session")
        assert cookie
        sent = known | {"Cookie": f"{cookie.key}={cookie.value}"}
        for origin, status in (("https://kifu.example", 400), ("https://elsewhere.example", 403), ("null", 403)):
            answer = Client(app, use_cookies=False).post("/v1/games", json={}, headers=sent | {"Origin": origin})
            assert answer.status_code == status, answer.text
    finally:
        app.close()


def test_what_was_entered_in_a_page_of_somebody_else_is_not_stored_as_theirs(api: Api) -> None:
    """Anna's page is open, Ben logs in beside it with the same browser, and the page sends what Anna entered."""
    game, browser, tags = api.open(), Client(api.app), []
    for token in (api.let_in("recorder").token, api.let_in("recorder").token):
        assert browser.post("/login", data={"token": token}).status_code == 303
        found = re.search(r'data-person="([0-9a-f]+)"', browser.get(f"/games/{game}").text)
        assert found
        tags.append(found[1])
    path, deal = f"/v1/games/{game}/events", {"events": [{"id": str(uuid7()), "data": {"move": DEAL}}]}
    for page in (tags[0], "", "x", "é"):
        refused = browser.post(path, json=deal, headers={"Kifu-Person": page})
        assert (refused.status_code, refused.get_json()["type"]) == (401, "/problems/token-unknown")
        assert (
            browser.put(f"/v1/players/{uuid7()}", json={"name": "Clara"}, headers={"Kifu-Person": page}).status_code
            == 401
        )
    assert api.get(f"/v1/games/{game}").get_json()["version"] == 1
    assert browser.post(path, json=deal, headers={"Kifu-Person": tags[1]}).status_code == 201


def two_pages(api: Api, path: str) -> tuple[Client, list[str]]:
    """A browser that the owner logged in with after somebody else, and the same page as each of them got it."""
    browser, pages = Client(api.app), []
    for token in (api.let_in("recorder").token, api.app.context.owner_token):
        assert browser.post("/login", data={"token": token}).status_code == 303
        pages.append(browser.get(path).text)
    return browser, pages


def persons_of(page: str) -> list[str]:
    """The tag of a person that each form of a page has; nothing where it has none."""
    field = rf'<form\b[^>]*method="post"[^>]*>(?:<input type="hidden" name="{PERSON}" value="([0-9a-f]+)">)?'
    return re.findall(field, page)


def test_a_form_of_somebody_else_is_refused_on_every_page(api: Api) -> None:
    requests = RequestBuilder(api)
    browser, pages = two_pages(api, "/clubs")
    (anna,), (owner,) = (set(persons_of(page)) for page in pages)
    assert anna != owner
    rules = [rule for rule in api.app.site.url_map.iter_rules() if "POST" in (rule.methods or set())]
    asked = [rule.rule for rule in rules if NEEDS.get(rule.endpoint, OPEN) is not OPEN]
    assert len(asked) > 12
    for path in (*(requests.path(f"POST {rule}") for rule in asked), "/login", "/join"):
        refused = browser.post(path, data={PERSON: anna})
        assert refused.status_code == 401, path
        assert "somebody else has logged in since" in refused.text, path
    refused = browser.post("/logout", data={PERSON: anna, "everywhere": "1"})
    assert refused.status_code == 401
    club = {"id": str(uuid7()), "name": "Quintessence", PERSON: anna}
    assert "Quintessence" not in browser.get("/clubs").text
    assert browser.post("/clubs", data=club | {PERSON: owner}).status_code == 303
    api.catch_up()
    assert "Quintessence" in browser.get("/clubs").text


def test_a_page_of_anybody_logs_out(api: Api) -> None:
    browser, (page, _) = two_pages(api, "/")
    assert browser.post("/logout", data={PERSON: persons_of(page)[0]}).status_code == 303
    assert browser.get("/access", headers={"Accept": "text/html"}).status_code == 401


@pytest.mark.programs
def test_every_page_and_form_names_the_person_that_it_is_for(api: Api) -> None:
    """Also where a template has names of its own, such as that of a person."""
    requests, (browser, _) = RequestBuilder(api), two_pages(api, "/")
    rules = [rule for rule in api.app.site.url_map.iter_rules() if "GET" in (rule.methods or set())]
    named: dict[str, set[str]] = {}
    for rule in (rule.rule for rule in rules if rule.endpoint in NEEDS):
        page = browser.get(requests.path(f"GET {rule}"), headers={"Accept": "text/html"}, buffered=True)
        if page.content_type.startswith("text/html") and "<body" in page.text:
            tags = re.findall(r"<body[^>]* data-person=\"([^\"]*)", page.text)
            named.setdefault(",".join(sorted({*tags, *persons_of(page.text)})), set()).add(rule)
    embedded = named.pop("")  # a page of another site
    assert embedded == {"/embed/games/<uuid:game>"}
    (owner,) = named
    assert re.fullmatch("[0-9a-f]{16}", owner)
    assert len(named[owner]) > 30


@pytest.mark.parametrize("path", ["/login?code=abc", "/login", "/join?code=ABCD-EFGH"])
def test_the_page_of_a_link_says_as_whom_the_browser_is_logged_in(api: Api, path: str) -> None:
    def said(client: Client) -> list[str]:
        return re.findall(r"logged in as <b><bdi>(.*?)</bdi></b>", client.get(path).text)

    log_in(api)
    assert said(api.client) == ["the owner of this service"]
    seat, _ = api.get(f"/v1/games/{api.open(seats=[{'name': 'Bo <3'}, {}])}").get_json()["seats"]
    guest, browser = api.let_in("recorder", person=seat["player"]), Client(api.app)
    assert said(browser) == []
    assert browser.post("/login", data={"token": guest.token}).status_code == 303
    assert said(browser) == ["Bo &lt;3"]
    assert api.request("DELETE", f"/v1/players/{guest.person}").status_code == 204
    assert said(browser) == []
