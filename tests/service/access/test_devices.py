"""Devices without a browser: the code that they show, who lets them in, what they get, and what they are told."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from werkzeug.test import Client

from service.access import devices, limiting, secrets
from service.access.scopes import SCOPES
from service.access.store import StoreFullError
from service.app import create_app
from service.settings import Settings
from tests.service.conftest import UNLIMITED, Api, Guest
from tests.service.pages.test_stale_forms import Forms
from tests.traces import files_with

if TYPE_CHECKING:
    from pathlib import Path

    from werkzeug.test import TestResponse

pytestmark = pytest.mark.service("file")

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
NAME = "The scoreboard"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that devices and limits go by: it stands still."""
    now = [1_800_000_000.0]
    still = SimpleNamespace(time=lambda: now[0], monotonic=lambda: now[0])
    monkeypatch.setattr(devices, "time", still)
    monkeypatch.setattr(limiting, "time", still)
    return now


def ask(api: Api, **form: Any) -> dict[str, Any]:
    """A device that asks: what it is told."""
    answer = api.client.post("/v1/oauth/device_authorization", data={"client_id": NAME} | form)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    found: dict[str, Any] = answer.get_json()
    return found


def poll(api: Api, asked: dict[str, Any], **form: Any) -> TestResponse:
    """A device that asks whether it was let in."""
    sent = {"grant_type": GRANT, "device_code": asked["device_code"], "client_id": NAME} | form
    answer = api.client.post("/v1/oauth/token", data=sent)
    assert answer.headers["Cache-Control"] == "no-store"
    return answer


def error(answer: TestResponse) -> str:
    assert (answer.status_code, answer.mimetype) == (400, "application/json"), answer.text
    found = answer.get_json()
    assert re.fullmatch(r"[\x20\x21\x23-\x5b\x5d-\x7e]+", found["error_description"])
    return str(found["error"])


def browser(api: Api, token: str | None = None) -> Client:
    """A browser that somebody logged in."""
    client = Client(api.app)
    answer = client.post("/login", data={"token": token or api.app.context.owner_token})
    assert answer.status_code == 303
    return client


def decide(client: Client, code: str, decision: str = "approve") -> TestResponse:
    return client.post("/device", data={"user_code": code, "decision": decision})


def let_in(api: Api, asked: dict[str, Any], token: str | None = None) -> Guest:
    """The device once somebody has let it in."""
    answer = decide(browser(api, token), asked["user_code"])
    assert answer.status_code == 200, answer.text
    given = poll(api, asked)
    assert given.status_code == 200, given.text
    return Guest(api.app, "", given.get_json()["access_token"])


def test_a_device_is_let_in_by_a_code_and_does_what_it_asked_for(api: Api) -> None:
    asked = ask(api, scope="games:read games:open")
    assert re.fullmatch("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}", asked["user_code"])
    assert asked["verification_uri"] == "http://localhost/device"
    assert asked["verification_uri_complete"] == f"http://localhost/device?user_code={asked['user_code']}"
    assert (asked["expires_in"], asked["interval"]) == (900, 5)
    assert error(poll(api, asked)) == "authorization_pending"
    client = browser(api)
    shown = client.post("/device", data={"user_code": asked["user_code"]}).text
    assert NAME in shown
    assert [name for name in SCOPES if f"<code>{name}</code>" in shown] == ["games:read", "games:open"]
    assert error(poll(api, asked | {"device_code": secrets.make("dvc")})) == "invalid_grant", "to look lets nobody in"
    assert "has access" in decide(client, asked["user_code"]).text
    given = poll(api, asked).get_json()
    assert re.fullmatch("kifu_app_[0-9A-Za-z]{36}", given["access_token"])
    assert (given["token_type"], given["scope"]) == ("Bearer", "games:open games:read")
    assert 364 * 86_400 < given["expires_in"] <= 365 * 86_400
    device = Guest(api.app, "", given["access_token"])
    assert device.get(f"/v1/games/{device.open()}").status_code == 200
    assert device.get("/v1/feed").get_json()["scope"] == "hidden:read"
    listed = api.get("/v1/tokens").get_json()["tokens"]
    assert [each["scopes"] for each in listed if each["name"] == NAME] == [["games:open", "games:read"]]


@pytest.mark.service("test")
def test_a_code_gives_one_token_however_many_ask_at_once(api: Api) -> None:
    asked = ask(api)
    decide(browser(api), asked["user_code"])
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: poll(Api(api.app), asked), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
    assert {error(answer) for answer in answers if answer.status_code == 400} == {"invalid_grant"}
    assert len([each for each in api.access.credentials() if each.name == NAME]) == 1


def test_who_lets_a_device_in_gives_it_no_more_than_they_may(api: Api) -> None:
    viewer = api.let_in("viewer")
    asked = ask(api, scope="games:read games:record admin")
    shown = browser(api, viewer.token).post("/device", data={"user_code": asked["user_code"]}).text
    assert "You may not do it" in shown
    device = let_in(api, asked, viewer.token)
    assert device.get("/v1/token").get_json()["token"]["scopes"] == ["games:read"]
    api.request("PUT", f"/v1/roles/{viewer.person}", json={"role": "owner"})
    assert device.get("/v1/trail").status_code == 403, "nor what they came to be allowed later"
    api.request("DELETE", f"/v1/roles/{viewer.person}")
    assert device.get("/v1/games").get_json()["games"] == []


def test_who_may_do_nothing_of_what_a_device_asks_for_cannot_let_it_in(api: Api) -> None:
    viewer, asked = api.let_in("viewer"), ask(api, scope="admin")
    client = browser(api, viewer.token)
    assert 'value="approve"' not in client.post("/device", data={"user_code": asked["user_code"]}).text
    assert decide(client, asked["user_code"]).status_code == 403
    assert error(poll(api, asked)) == "authorization_pending"


def test_a_token_without_the_scope_to_make_tokens_lets_no_device_in(api: Api) -> None:
    game = api.play()
    for more in ({"scopes": ["games:read"]}, {"role": "viewer", "games": [game]}):
        made = api.post("/v1/tokens", {"name": "x"} | more).get_json()["token"]
        asked = ask(api)
        assert decide(browser(api, made), asked["user_code"]).status_code == 403
        assert error(poll(api, asked)) == "authorization_pending"


def test_a_stranger_and_a_foreign_page_decide_nothing(api: Api) -> None:
    asked = ask(api)
    stranger = Client(api.app)
    page = stranger.get(f"/device?user_code={asked['user_code']}").text
    assert NAME not in page
    assert f"/login?device={asked['user_code']}" in page
    assert decide(stranger, asked["user_code"]).status_code == 401
    answer = browser(api).post(
        "/device",
        data={"user_code": asked["user_code"], "decision": "approve"},
        headers={"Origin": "https://elsewhere.example"},
    )
    assert answer.status_code == 403
    assert browser(api).get(f"/device?user_code={asked['user_code']}&decision=approve").status_code == 200
    assert error(poll(api, asked)) == "authorization_pending"


@pytest.mark.service("test")
def test_a_program_is_let_in_by_a_person_who_follows_its_link_and_logs_in_on_the_way(api: Api) -> None:
    """Each step sends what the form of the page before it has, as a browser does."""
    asked, client = ask(api, scope="games:read admin"), Client(api.app)
    page = client.get(asked["verification_uri_complete"]).text
    (login,) = re.findall(r'href="(/login\?device=[^"]+)"', page)
    form = next(each for each in Forms(client.get(login).text).sent if "token" in each)
    page = client.post("/login", data=form | {"token": api.app.context.owner_token}, follow_redirects=True).text
    form = next(each for each in Forms(page).sent if "user_code" in each)
    assert form["user_code"] == [asked["user_code"]]
    page = client.post("/device", data=form).text
    assert f"<b>{NAME}</b> waits with the code" in page
    assert "<code>admin</code>" in page
    form = next(each for each in Forms(page).sent if "user_code" in each)
    assert f"<b>{NAME}</b> has access" in client.post("/device", data=form | {"decision": "approve"}).text
    device = Guest(api.app, "", poll(api, asked).get_json()["access_token"])
    assert device.get("/v1/trail").status_code == 200


@pytest.mark.parametrize("code", ["WDJB-MJHT", ""])
def test_who_logs_in_on_the_way_comes_back_to_the_code(api: Api, code: str) -> None:
    client = Client(api.app)
    assert f'name="device" value="{code}"' in client.get(f"/login?device={code}").text
    wrong = client.post("/login", data={"token": "x", "device": code})
    assert (wrong.status_code, f'name="device" value="{code}"' in wrong.text) == (401, True)
    answer = client.post("/login", data={"token": api.app.context.owner_token, "device": code})
    assert answer.headers["Location"] == "/device" + (f"?user_code={code}" if code else "")
    assert (
        client.post("/login", data={"token": api.token, "device": "//elsewhere.example"})
        .headers["Location"]
        .startswith("/device?")
    )


@pytest.mark.parametrize("typing", [str.lower, lambda code: code.replace("-", ""), lambda code: f" {' '.join(code)} "])
def test_a_code_can_be_typed_as_it_comes(api: Api, typing: Any) -> None:
    asked = ask(api)
    assert NAME in browser(api).post("/device", data={"user_code": typing(asked["user_code"])}).text


@pytest.mark.service("test")
def test_who_polls_too_soon_is_slowed_down_and_has_to_wait_longer(api: Api, clock: list[float]) -> None:
    asked = ask(api)
    found = []
    for seconds in (0, 5, 1, 10, 9, 15, 15):
        clock[0] += seconds
        found.append(error(poll(api, asked)))
    slow, pending = "slow_down", "authorization_pending"
    assert found == [pending, pending, slow, pending, slow, pending, pending]
    decide(browser(api), asked["user_code"])
    assert poll(api, asked).status_code == 200, "what was decided is told at once"


def test_a_refused_device_is_told_so_and_nobody_can_change_their_mind(api: Api) -> None:
    asked, client = ask(api), browser(api)
    assert "is refused" in decide(client, asked["user_code"], "refuse").text
    assert [error(poll(api, asked)) for _ in range(2)] == ["access_denied"] * 2
    assert decide(client, asked["user_code"]).status_code == 404
    assert error(poll(api, asked)) == "access_denied"


@pytest.mark.parametrize("approved", [True, False])
@pytest.mark.service("test")
def test_a_code_is_over_after_its_time(api: Api, clock: list[float], approved: bool) -> None:
    asked, client = ask(api), browser(api)
    if approved:
        decide(client, asked["user_code"])
    clock[0] += 899
    assert approved or error(poll(api, asked)) == "authorization_pending"
    clock[0] += 1
    assert error(poll(api, asked)) == "expired_token"
    assert decide(client, asked["user_code"]).status_code == 404
    clock[0] += 1000
    ask(api)
    assert error(poll(api, asked)) == "invalid_grant", "nothing is kept for ever"


def test_the_code_of_another_client_gives_nothing_and_is_not_used_up(api: Api) -> None:
    asked = ask(api)
    decide(browser(api), asked["user_code"])
    assert error(poll(api, asked, client_id="Another program")) == "invalid_grant"
    assert error(poll(api, {"device_code": asked["user_code"]})) == "invalid_grant"
    assert poll(api, asked).status_code == 200


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({}, "invalid_request"),
        ({"client_id": ""}, "invalid_request"),
        ({"client_id": "x" * 1000}, "invalid_request"),
        ({"client_id": "a\nb"}, "invalid_request"),
        ({"client_id": "\u202eevil"}, "invalid_request"),
        ({"client_id": ["a", "b"]}, "invalid_request"),
        ({"client_id": "x", "scope": "games:fly"}, "invalid_scope"),
        ({"client_id": "x", "scope": 'games:read "\\\u00e9'}, "invalid_scope"),
        ({"client_id": "x", "scope": "  "}, "invalid_scope"),
        ({"client_id": "x", "scope": ["games:read", "admin"]}, "invalid_request"),
    ],
)
def test_a_device_that_asks_wrongly_is_told_as_oauth_has_it(api: Api, form: dict[str, Any], told: str) -> None:
    assert error(api.client.post("/v1/oauth/device_authorization", data=form)) == told


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"grant_type": ""}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": [GRANT, GRANT]}, "invalid_request"),
        ({"device_code": ""}, "invalid_request"),
        ({"device_code": "nonsense"}, "invalid_grant"),
        ({"client_id": ""}, "invalid_request"),
        ({"client_id": "\x00"}, "invalid_grant"),
    ],
)
def test_a_token_that_is_asked_for_wrongly_is_refused_as_oauth_has_it(
    api: Api, form: dict[str, Any], told: str
) -> None:
    asked = ask(api)
    decide(browser(api), asked["user_code"])
    assert error(poll(api, asked, **form)) == told
    assert poll(api, asked, extension="is passed over").status_code == 200, "nothing of that used it up"


def test_only_forms_of_some_length_are_read(api: Api) -> None:
    for path in ("/v1/oauth/device_authorization", "/v1/oauth/token"):
        assert error(api.client.post(path, json={"client_id": NAME})) == "invalid_request"
        assert error(api.client.post(path)) == "invalid_request"
        assert api.client.post(path, data={"client_id": "x" * 20_000}).status_code == 413
        assert api.client.get(path).status_code == 405


@pytest.mark.service("test")
def test_five_wrong_codes_lock_typing_for_a_while_and_a_right_one_too(api: Api, clock: list[float]) -> None:
    asked, client = ask(api), browser(api)
    found = [client.post("/device", data={"user_code": "BBBB-BBBB"}).status_code for _ in range(4)]
    found.append(decide(client, "no code", "approve").status_code)
    assert found == [404] * 5
    locked = decide(client, asked["user_code"])
    assert (locked.status_code, int(locked.headers["Retry-After"]) > 0) == (429, True)
    assert f"more than 5 wrong codes in 60 seconds; try again in {locked.headers['Retry-After']} s" in locked.text
    assert decide(browser(api), asked["user_code"]).status_code == 429, "in whatever browser"
    assert error(poll(api, asked)) == "authorization_pending"
    clock[0] += 60
    assert decide(client, asked["user_code"]).status_code == 200


def test_who_has_logged_out_everywhere_or_was_erased_lets_no_device_in_any_more(api: Api) -> None:
    viewer = api.let_in("viewer")
    for path in ("/v1/sessions", f"/v1/players/{viewer.person}"):
        api.request("PUT", f"/v1/players/{viewer.person}", json={"name": "Anna"})
        asked = ask(api)
        decide(browser(api, viewer.token), asked["user_code"])
        (api if "players" in path else viewer).request("DELETE", path)
        assert error(poll(api, asked)) == "access_denied"


def test_a_token_that_cannot_be_stored_can_be_asked_for_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ask(api)
    decide(browser(api), asked["user_code"])

    def full(*_: Any, **__: Any) -> None:
        raise StoreFullError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(api.access, "add", full)
        form = {"grant_type": GRANT, "device_code": asked["device_code"], "client_id": NAME}
        assert api.client.post("/v1/oauth/token", data=form).status_code == 507
    assert poll(api, asked).status_code == 200


def test_a_device_lasts_no_longer_than_what_let_it_in(api: Api) -> None:
    short = api.let_in("viewer", days=2)
    device = let_in(api, ask(api), short.token)
    assert (
        device.get("/v1/token").get_json()["token"]["ends_at"] == short.get("/v1/token").get_json()["token"]["ends_at"]
    )


@pytest.mark.service("test")
def test_devices_that_wait_are_so_many_and_no_more(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "MOST_OF_AN_ADDRESS", 2)
    monkeypatch.setattr(devices, "MOST_WAITING", 3)
    first, *others = (ask(api) for _ in range(3))
    assert error(poll(api, first)) == "invalid_grant", "the oldest of the address makes room"
    assert [error(poll(api, asked)) for asked in others] == ["authorization_pending"] * 2
    elsewhere = {"environ_base": {"REMOTE_ADDR": "192.0.2.1"}}
    answers = [
        api.client.post("/v1/oauth/device_authorization", data={"client_id": NAME}, **elsewhere) for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [200, 503]
    assert "Retry-After" in answers[1].headers


def test_devices_of_one_network_of_ipv6_make_room_for_one_another(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "MOST_OF_AN_ADDRESS", 2)
    first, *others = (
        api.client.post(
            "/v1/oauth/device_authorization",
            data={"client_id": NAME},
            environ_base={"REMOTE_ADDR": f"2001:db8::{number}"},
        ).get_json()
        for number in (1, 2, 3)
    )
    assert error(poll(api, first)) == "invalid_grant"
    assert [error(poll(api, asked)) for asked in others] == ["authorization_pending"] * 2


def test_devices_are_limited_by_their_address(tmp_path: Path, clock: list[float]) -> None:
    app = create_app(Settings(data=tmp_path, **UNLIMITED | {"writes": 2}))
    try:
        api = Api(app)
        asked = ask(api)
        poll(api, asked)
        answer = api.client.post("/v1/oauth/token", data={})
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, str(60 - int(clock[0]) % 60))
    finally:
        app.close()


def test_nothing_of_a_device_is_on_disk_before_it_is_let_in(api: Api, tmp_path: Path) -> None:
    before = api.get("/v1/trail").get_json()["steps"]
    asked = ask(api, client_id="A device from nowhere")
    assert files_with(tmp_path, asked["device_code"], "A device from nowhere") == []
    assert api.get("/v1/trail").get_json()["steps"] == before
    decide(browser(api), asked["user_code"])
    assert poll(api, asked, client_id="A device from nowhere").status_code == 200
    assert api.get("/v1/trail").get_json()["steps"][-1]["what"] == "credential.made"


def test_what_there_is_of_oauth_is_told_where_programs_look(api: Api) -> None:
    found = api.client.get("/.well-known/oauth-authorization-server").get_json()
    assert found["issuer"] == "http://localhost"
    assert GRANT in found["grant_types_supported"]
    assert found["scopes_supported"] == list(SCOPES)
    asked = api.client.post(found["device_authorization_endpoint"], data={"client_id": NAME}).get_json()
    assert error(api.client.post(found["token_endpoint"], data={})) == "invalid_request"
    assert asked["verification_uri"].startswith(found["issuer"])
    foreign = api.client.get("/.well-known/oauth-authorization-server", headers={"Origin": "https://elsewhere.example"})
    assert foreign.headers["Access-Control-Allow-Origin"] == "*"
