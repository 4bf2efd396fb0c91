"""Logging in: the token, of the link or typed, begins a session in a cookie that no script can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser


def test_the_login_link_logs_in_once_and_leaves_the_address(visit: Callable[..., Page], service) -> None:
    link = service.api.post("/v1/login-links").json()["path"]
    page = visit(link, owner=False)
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(f"{service.base}/")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    assert service.token not in page.content()
    assert page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in", exact=True)).to_be_visible()
    page.goto(link)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("this link was already used")


def test_a_program_is_let_in_by_whoever_follows_its_qr_code_and_logs_in_on_the_way(
    visit: Callable[..., Page], service
) -> None:
    form = {"client_id": "The scoreboard", "scope": "games:read admin"}
    with httpx.Client(base_url=service.base, trust_env=False) as program:
        asked = program.post("/v1/oauth/device_authorization", data=form).json()
        page = visit(asked["verification_uri_complete"].removeprefix(service.base), owner=False)
        page.get_by_role("main").get_by_role("link", name="Log in").click()
        page.get_by_label("Token").fill(service.token)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_label("The code that the program shows")).to_have_value(asked["user_code"])
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("main")).to_contain_text("The scoreboard waits with the code")
        expect(page.get_by_role("listitem").filter(has_text="admin")).to_be_visible()
        page.get_by_role("button", name="Approve").click()
        expect(page.get_by_role("status")).to_contain_text("The scoreboard is let in")
        grant = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": form["client_id"]}
        given = program.post("/v1/oauth/token", data=grant | {"device_code": asked["device_code"]}).json()
        token = {"Authorization": f"Bearer {given['access_token']}"}
        assert program.get("/v1/trail", headers=token).status_code == 200


def test_one_logs_out_everywhere_at_once(visit: Callable[..., Page], service) -> None:
    page, elsewhere = visit("/login"), service.cookie["value"]
    page.get_by_role("button", name="Log out everywhere").click()
    expect(page.get_by_role("link", name="Log in", exact=True)).to_be_visible()
    answer = httpx.get(f"{service.base}/v1/feed", cookies={"kifu_session": elsewhere})
    assert answer.status_code == 401
    del service.cookie


def test_a_session_that_is_lost_while_recording_loses_no_entry(visit: Callable[..., Page], service) -> None:
    game = service.open()
    page = visit(f"/games/{game}")
    page.get_by_label("Move in notation").fill("deal black")
    expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
    page.context.clear_cookies()
    page.get_by_role("button", name="Record", exact=True).click()
    outbox = page.get_by_role("list", name="Not stored yet")
    expect(outbox.get_by_role("alert").get_by_role("link", name="Log in")).to_be_visible()
    expect(outbox).not_to_contain_text("/v1/")
    page.context.add_cookies([session_of_another(service)])
    page.reload()
    expect(outbox).to_contain_text("kept here until the person logs in again who entered it")
    expect(outbox.get_by_role("button")).to_have_text(["Discard it"])
    page.context.clear_cookies()
    page.context.add_cookies([service.cookie])
    with page.expect_response(lambda answer: answer.url.endswith("/events") and answer.status == 201):
        page.goto("/")
    expect(page.locator("#outbox").get_by_role("listitem")).to_have_count(0)
    assert service.notations(game) == ["deal black"]


def session_of_another(service: Service) -> dict[str, str]:
    """The cookie of somebody else who records here."""
    person = str(uuid7())
    service.api.put(f"/v1/players/{person}", json={"name": f"Eve {person}"}).raise_for_status()
    service.api.put(f"/v1/roles/{person}", json={"role": "recorder"}).raise_for_status()
    token = service.api.post("/v1/tokens", json={"name": "a phone", "person": person}).json()["token"]
    return service.log_in(token)


def test_what_waits_goes_after_a_login_of_the_person_who_entered_it_and_of_nobody_else(visit, service) -> None:
    game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {"name": "Bo"}])
    page = visit(f"/games/{game}")
    page.context.set_offline(True)
    page.locator("#keypad").get_by_role("button", name="7", exact=True).tap()
    page.locator("#keypad").get_by_role("button", name="Next round").tap()
    expect(page.get_by_role("list", name="Not stored yet")).to_contain_text("r1 7 ?")
    page.goto("about:blank")
    page.context.set_offline(False)
    page.context.clear_cookies()
    page.context.add_cookies([session_of_another(service)])
    page.goto("/")
    waits = page.locator("#outbox").get_by_role("listitem")
    expect(waits).to_contain_text("It goes once the person logs in again who entered it.")
    page.context.clear_cookies()
    page.context.add_cookies([service.cookie])
    with page.expect_response(lambda answer: answer.url.endswith("/events") and answer.status == 201):
        page.goto("/")
    expect(waits).to_have_count(0)
    assert service.notations(game) == ["r1 7 ?"]


def test_whoever_has_a_share_link_follows_a_private_game_from_there(visit: Callable[..., Page], service) -> None:
    game = service.open(title="Shared")
    service.record(game, "deal black BARI COCO DUDA")
    service.show(game, "private")
    path = service.api.post(f"/v1/games/{game}/links", json={"seat": "0"}).json()["path"]
    page = visit(path, owner=False)
    expect(page.get_by_role("heading", name="Shared")).to_be_visible()
    expect(page.locator("#stepper output")).to_have_text("2 / 2")
    service.record(game, "a-h")
    expect(page.locator("#stepper output")).to_have_text("3 / 3")
    expect(page.locator("#recorder")).to_have_count(0)
    moment = service.api.post(f"/v1/games/{game}/links", json={"at": 2}).json()["path"]
    page = visit(moment, owner=False)
    expect(page.get_by_text("as it stood after entry 2")).to_be_visible()
    assert page.get_by_role("img", name="The table after entry 2").evaluate("image => image.naturalWidth > 0")
