"""What opens nothing, opens nothing: it is told so, clearly, nothing is stored, and nothing is told besides."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from uuid_utils import uuid7
from werkzeug.test import Client

from service.access import apps, limiting, secrets
from service.access.devices import Approval
from service.access.sessions import LOGIN
from service.api.routes import PARTS
from service.app import create_app
from service.settings import Settings
from tests.served import serve
from tests.service.access.test_devices import ask as ask_device
from tests.service.access.test_devices import browser, decide, error, poll
from tests.service.conftest import Api, Guest, entry
from tests.traces import files_with

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from werkzeug.test import TestResponse

    from service.app import Application

pytestmark = pytest.mark.service("file")

DAY = 86_400


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let the clock of the service go wrong, or on."""
    now, exact = time.time(), time.time_ns()
    monkeypatch.setattr(time, "time", lambda: now + seconds)
    monkeypatch.setattr(time, "time_ns", lambda: exact + int(seconds * 10**9))


def alive(api: Api) -> str:
    """The stored access and games: a refused request changes nothing of it.

    The day of the last use is left out. Others use theirs, and it may be midnight.
    """
    api.catch_up()
    feed = api.get("/v1/feed").get_json()["items"]
    tokens = [each | {"used_on": None} for each in api.get("/v1/tokens?everybody=true").get_json()["tokens"][:-1]]
    return f"{api.get('/v1/trail').text} {len(feed)} {tokens}"


# Tokens


def truncated(api: Api, _: Api, __: pytest.MonkeyPatch) -> str:
    return str(api.let_in("owner").token)[:-1]


def foreign(_: Api, elsewhere: Api, __: pytest.MonkeyPatch) -> str:
    return str(elsewhere.let_in("owner").token)


def revoked(api: Api, _: Api, __: pytest.MonkeyPatch) -> str:
    guest = api.let_in("owner")
    guest.request("DELETE", "/v1/token")
    return str(guest.token)


def expired(api: Api, _: Api, monkeypatch: pytest.MonkeyPatch) -> str:
    guest = api.let_in("owner", days=1)
    later(monkeypatch, DAY + 1)
    return str(guest.token)


def erased(api: Api, _: Api, __: pytest.MonkeyPatch) -> str:
    guest = api.let_in("owner")
    api.request("PUT", f"/v1/players/{guest.person}", json={"name": "Anna"})
    api.request("DELETE", f"/v1/players/{guest.person}")
    return str(guest.token)


def of_a_session(api: Api, _: Api, __: pytest.MonkeyPatch) -> str:
    cookie = browser(api).get_cookie("kifu_session")
    assert cookie is not None
    return cookie.value


def code_of_a_device(api: Api, _: Api, __: pytest.MonkeyPatch) -> str:
    return str(ask_device(api)["device_code"])


def code_of_a_link(api: Api, _: Api, __: pytest.MonkeyPatch) -> str:
    return str(api.post("/v1/login-links").get_json()["path"].partition("code=")[2])


BAD = (truncated, foreign, revoked, expired, erased, of_a_session, code_of_a_device, code_of_a_link)


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: str(bad.__name__))
@pytest.mark.slow
def test_a_token_that_opens_nothing_stores_nothing_and_tells_nothing(
    api: Api, elsewhere: Api, monkeypatch: pytest.MonkeyPatch, bad: Callable[..., str]
) -> None:
    private, public = api.play(), api.play()
    api.show(public)
    guest = Guest(api.app, "", bad(api, elsewhere, monkeypatch))
    before, result = alive(api), set()
    for game in (private, public, str(uuid7())):
        for method, path, body in (
            ("GET", f"/v1/games/{game}", None),
            ("GET", f"/v1/games/{game}/state", None),
            ("POST", f"/v1/games/{game}/events", {"events": [entry("-")]}),
            ("PUT", f"/v1/games/{game}/visibility", {"visibility": "public"}),
            ("POST", "/v1/tokens", {"name": "x", "role": "owner"}),
            ("POST", "/v1/login-links", None),
            ("POST", "/v1/games", {"id": game, "ruleset": "kahuna"}),
            ("DELETE", "/v1/sessions", None),
        ):
            answer = guest.request(method, path, **({} if body is None else {"json": body}))
            assert (answer.status_code, answer.get_json()["type"]) == (401, "/problems/token-unknown"), path
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="kifu", error="invalid_token"'
            assert guest.token not in answer.text
            result.add(answer.data)
    assert len(result) == 1, "the same, whatever was asked for, and whether or not it is there"
    assert alive(api) == before


def test_a_token_of_a_seat_opens_no_other_seat_and_no_other_game(api: Api) -> None:
    game, other, open_to_all = (api.play("+?lale") for _ in range(3))
    api.show(open_to_all)
    player = api.let_in(games={game: 1})
    one_seat = Guest(api.app, "", None)
    link = api.post(f"/v1/games/{game}/links", {"seat": "1"}).get_json()["path"].removeprefix("/s/")
    before = alive(api)
    for part in ("state", "timeline", "score", "moves", "board.svg", "export"):
        for asker, headers in ((player, {}), (one_seat, {"Kifu-Share": link})):
            own = asker.get(f"/v1/games/{game}/{part}?seat=1", headers=headers)
            assert own.status_code == 200, part
            assert part != "state" or "LALE" not in str(own.get_json()["state"]["hands"])
            for seat in ("0", "record"):
                answer = asker.get(f"/v1/games/{game}/{part}?seat={seat}", headers=headers)
                assert answer.status_code in {401, 403}, (part, seat)
                assert "LALE" not in answer.text.upper()
            assert asker.get(f"/v1/games/{other}/{part}?seat=1", headers=headers).status_code == 404
    assert player.get(f"/v1/games/{open_to_all}/state?seat=1").status_code == 403
    assert player.record(game, "black: -").get_json()["type"] == "/problems/not-yours"
    assert player.record(other, "-").status_code == 404
    assert player.record(open_to_all, "-").get_json()["type"] == "/problems/scope-needed"
    assert alive(api) == before


# Clocks


@pytest.mark.service("test")
def test_what_was_used_up_or_ended_stays_so_when_the_clock_is_put_back(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, visitor = api.let_in("viewer"), browser(api)
    cookie = visitor.get_cookie("kifu_session")
    assert cookie is not None
    link = api.post("/v1/login-links").get_json()["path"].partition("code=")[2]
    game = api.play()
    shared = api.post(f"/v1/games/{game}/links", {}).get_json()
    assert Client(api.app).post("/login", data={"code": link}).status_code == 303
    guest.request("DELETE", "/v1/token")
    visitor.post("/logout")
    api.request("DELETE", f"/v1/games/{game}/links/{shared['info']['id']}")
    later(monkeypatch, -DAY)
    assert guest.get("/v1/token").status_code == 401
    visitor.set_cookie("kifu_session", cookie.value)
    assert visitor.get("/v1/feed").status_code == 401
    assert Client(api.app).post("/login", data={"code": link}).status_code == 401
    assert Client(api.app).get(shared["path"]).status_code == 404


@pytest.mark.parametrize("seconds", [-400 * DAY, -3600, 3600, 20 * DAY])
@pytest.mark.service("test")
@pytest.mark.slow
def test_a_clock_that_goes_wrong_brings_nothing_down_and_keeps_nobody_out_who_has_time_left(
    api: Api, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    game, guest, visitor = api.play(), api.let_in("recorder"), browser(api)
    link = api.post(f"/v1/games/{game}/links", {}).get_json()["path"]
    later(monkeypatch, seconds)
    assert guest.record(game, "-").status_code == 201
    assert visitor.get("/").status_code == 200
    assert "Log out" in visitor.get("/").text, "also after its secret was renewed"
    assert Client(api.app).get(link).status_code == 200
    times = [event["recorded_at"] for event in api.get(f"/v1/games/{game}/events").get_json()["events"]]
    assert times == sorted(times)


# Guessing

MINUTE = 1_800_000_000 // limiting.WINDOW * limiting.WINDOW


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that limits go by: it stands still, however long 10,000 wrong codes take."""
    now = [float(MINUTE)]
    monkeypatch.setattr(limiting, "time", SimpleNamespace(time=lambda: now[0], monotonic=time.monotonic))
    return now


@pytest.fixture
def guarded(tmp_path: Path, clock: list[float]) -> Iterator[Api]:
    """A service with the limits that it has unless somebody sets others."""
    app = create_app(Settings(data=tmp_path / "guarded"))
    yield Api(app)
    app.close()


def token_guessed(app: Application, guess: str | None) -> Callable[[], TestResponse]:
    client = Client(app, use_cookies=False)
    return lambda: client.get("/v1/token", headers={"Authorization": f"Bearer {guess or secrets.make('app')}"})


def session_guessed(app: Application, guess: str | None) -> Callable[[], TestResponse]:
    client = Client(app, use_cookies=False)
    return lambda: client.get("/v1/token", headers={"Cookie": f"kifu_session={guess or secrets.make('ses')}"})


def log_in_guessed(app: Application, guess: str | None) -> Callable[[], TestResponse]:
    client = Client(app, use_cookies=False)
    return lambda: client.post("/login", data={"code": guess or secrets.make("log")})


def link_guessed(app: Application, guess: str | None) -> Callable[[], TestResponse]:
    client = Client(app, use_cookies=False)
    return lambda: client.get(f"/s/{guess or secrets.make('app')[-22:]}/board.svg")


def device_code_guessed(app: Application, guess: str | None) -> Callable[[], TestResponse]:
    client, form = Client(app, use_cookies=False), {"client_id": "The scoreboard"}
    form |= {"grant_type": "urn:ietf:params:oauth:grant-type:device_code"}
    return lambda: client.post("/v1/oauth/token", data=form | {"device_code": guess or secrets.make("dvc")})


def app_code_guessed(app: Application, guess: str | None) -> Callable[[], TestResponse]:
    client, form = Client(app, use_cookies=False), {"client_id": "https://a.example", "code_verifier": "x" * 43}
    form |= {"grant_type": "authorization_code", "redirect_uri": "https://a.example"}
    return lambda: client.post("/v1/oauth/token", data=form | {"code": guess or secrets.make("cod")})


def user_code_guessed(app: Application, guess: str | None) -> Callable[[], TestResponse]:
    client = browser(Api(app))
    return lambda: client.post("/device", data={"user_code": guess or secrets.make("app")[-8:], "decision": "approve"})


def right(api: Api, kind: Callable[..., Any]) -> str | None:
    """A code that is right."""
    if kind is token_guessed:
        return str(api.let_in("viewer").token)
    if kind is session_guessed:
        cookie = browser(api).get_cookie("kifu_session")
        return cookie.value if cookie else None
    if kind is log_in_guessed:
        return code_of_a_link(api, api, pytest.MonkeyPatch())
    if kind is link_guessed:
        return str(api.post(f"/v1/games/{api.play()}/links", {}).get_json()["path"].removeprefix("/s/"))
    asked = ask_device(api)
    if kind is user_code_guessed:
        return str(asked["user_code"])
    if kind is device_code_guessed:
        decide(browser(api), asked["user_code"])
        return str(asked["device_code"])
    credential = api.access.find(secrets.digest(str(api.token)))
    assert credential is not None
    who, scopes = credential.person, frozenset({"games:read"})
    approval = Approval(person=who, by=who, credential=credential.id, scopes=scopes, ends=None)
    app = apps.app_of("https://a.example", "https://a.example")
    consent = apps.Consent(app=app, challenge=apps.challenge_of("x" * 43), approval=approval)
    return str(api.app.gate.apps.let_in(consent))


KINDS = {
    token_guessed: 20,
    session_guessed: 20,
    log_in_guessed: 20,
    link_guessed: 20,
    device_code_guessed: 120,
    app_code_guessed: 120,
    user_code_guessed: 5,
}
"""What can be guessed at, and how often within a minute."""


@pytest.mark.parametrize("more", [10, pytest.param(10_000, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__name__))
@pytest.mark.slow
def test_thousands_of_wrong_codes_in_a_minute_find_nothing_and_lock_nobody_out_for_good(
    guarded: Api, clock: list[float], kind: Callable[[Application, str | None], Callable[[], TestResponse]], more: int
) -> None:
    """What is heard no more costs nothing: thousands are as the first few."""
    code = right(guarded, kind)
    clock[0] += limiting.WINDOW
    guess = kind(guarded.app, None)
    before = alive(guarded)
    found = [guess().status_code for _ in range(KINDS[kind] + more)]
    assert found[KINDS[kind] :] == [429] * more
    assert 429 not in found[: KINDS[kind] - 1]
    assert max(found) < 500
    assert alive(guarded) == before
    locked = kind(guarded.app, code)()
    assert (locked.status_code, int(locked.headers["Retry-After"]) <= limiting.WINDOW) == (429, True), (
        "a right one, too"
    )
    clock[0] += limiting.WINDOW
    assert kind(guarded.app, code)().status_code in {200, 303}


# Tokens in addresses

HIDDEN = (
    "{path}?token={token}",
    "{path}?a=b&access_token={token}&c=d",
    "{path}?x={wrong}&y={token}",
    "{path}?q=a%20{coded}",
    "{path}/{token}",
    "/{token}",
    "/nowhere/{coded}?x",
)


@pytest.mark.parametrize("kind", secrets.KINDS)
def test_a_token_in_any_address_is_refused_before_anything_else(api: Api, kind: str) -> None:
    token, wrong = secrets.make(kind), secrets.make("app")[:-1] + "-"
    coded = "".join(f"%{ord(letter):02x}" for letter in token)
    for form in HIDDEN:
        for who in (api, Guest(api.app, "", None), Guest(api.app, "", "nonsense")):
            answer = who.get(form.format(path="/v1/games", token=token, wrong=wrong, coded=coded))
            assert (answer.status_code, answer.get_json()["type"]) == (400, "/problems/token-in-address"), form
            assert "Revoke it" in answer.get_json()["advice"]
            assert token not in f"{answer.text}{answer.headers}"
            assert "noindex" in answer.headers["X-Robots-Tag"]
    page = api.client.get(f"/login?token={token}", headers={"Accept": "text/html"})
    assert (page.status_code, "so revoke it" in page.text, token in page.text) == (400, True, False)
    assert page.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.slow
def test_a_token_in_the_address_of_any_route_is_refused(api: Api) -> None:
    token = api.let_in("owner").token
    before = alive(api)
    rules = {rule.rule: rule.methods or set() for rule in api.app.site.url_map.iter_rules()}
    assert len(rules) >= len([each for part in PARTS for each in part.described]) / 2
    for rule, methods in rules.items():
        path = rule.replace("<uuid:game>", str(uuid7()))
        path = "/".join("x" if "<" in part else part for part in path.split("/"))
        for method in methods - {"HEAD"}:
            answer = api.request(method, f"{path}?key={token}", json={})
            assert answer.status_code == 400, (method, rule)
            assert "token-in-address" in answer.text or "the URL contains a token" in answer.text, (method, rule)
    assert alive(api) == before


def test_what_only_looks_like_a_token_and_codes_that_belong_there_are_let_through(api: Api) -> None:
    token = secrets.make("app")
    for text in (token[:-1], token.upper(), f"kifu_{token[9:]}", "kifu_app_", quote("kifu 棋譜")):
        assert api.get(f"/v1/games?q={text}").status_code == 200, text
    path = api.post("/v1/login-links").get_json()["path"]
    assert LOGIN in path
    assert Client(api.app).get(path).status_code == 200


@pytest.mark.programs
def test_nothing_of_a_token_in_an_address_reaches_a_log(tmp_path: Path) -> None:
    with serve(tmp_path) as service:
        token = secrets.make("dev")
        for path in (f"/v1/games?token={token}", f"/{token}", f"/v1/{token}/x", f"/s/{token}", f"/login?t={token}"):
            answer = service.api.get(path)
            assert (answer.status_code, token in answer.text) == (400, False), path
        assert token not in service.api.get("/metrics").text
    assert files_with(tmp_path, token) == []


def test_a_device_that_was_let_in_and_an_app_get_one_token_for_a_code(api: Api) -> None:
    asked = ask_device(api)
    decide(browser(api), asked["user_code"])
    assert poll(api, asked).status_code == 200
    before = alive(api)
    assert error(poll(api, asked)) == "invalid_grant"
    assert alive(api) == before
