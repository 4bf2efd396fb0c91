"""The page of access: people, devices, invitations, tokens, share links and the trail; and sharing on a game's page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import httpx
import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests import tiers
from tests.plain_http import PLAIN
from tests.service.pages.looks import examine
from tests.service.pages.steps import DEAL, fill_access

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page, Route

    from tests.served import Service

pytestmark = pytest.mark.browser

CODE = re.compile("[B-Z]{4}-[B-Z]{4}")


def line(page: Page, where: str, text: str) -> Locator:
    """The lines of a list that say this."""
    return page.locator(f"#{where} > li").filter(has_text=text)


def dialog(page: Page) -> Locator:
    return page.locator("dialog[open]")


@pytest.fixture
def name() -> str:
    """A name that nobody else has in this service."""
    return f"Mirjam {uuid7()}"


def test_the_owner_invites_somebody_who_comes_in_by_the_code_and_a_phone_of_their_own_and_withdraws_others(
    visit: Callable[..., Page], service: Service, phone: Page, name: str
) -> None:
    page = visit("/access")
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_label("Who", exact=True).fill(name)
    page.get_by_label("What they may do").select_option("recorder")
    page.get_by_role("button", name="Invite", exact=True).click()
    code = dialog(page).locator("p.code").inner_text()
    assert CODE.fullmatch(code)
    expect(dialog(page).get_by_role("img")).to_have_attribute("src", f"/join/{code}.svg")
    assert dialog(page).get_by_role("img").evaluate("image => image.decode().then(() => image.naturalWidth > 100)")
    expect(dialog(page)).to_contain_text("30 minutes are left")
    link = dialog(page).get_by_label("The link of the invitation").input_value()
    assert "/login?code=kifu_log_" in link
    page.get_by_role("button", name="Done").click()
    expect(line(page, "invitations", name)).to_contain_text(code)
    phone.goto(f"/join?code={code}")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_text("What do you play?")).to_be_visible()
    page.reload()
    expect(line(page, "people", name)).to_contain_text("Browser: ")
    expect(line(page, "invitations", name)).to_have_count(0)
    expect(line(page, "trail", f"{name} logged a browser in")).to_have_count(1)
    page.get_by_role("button", name="Add your phone").click()
    code = dialog(page).locator("p.code").inner_text()
    phone.context.clear_cookies()
    phone.goto(f"/join?code={code}")
    phone.get_by_role("button", name="Join").click()
    phone.wait_for_url(f"{service.base}/")
    phone.goto("/access")
    expect(phone.locator("#people")).to_be_visible()  # as the owner sees them
    page.get_by_role("button", name="Done").click()
    if tiers.SOAK:
        _invitations_are_withdrawn_and_links_revoked_where_all_are_listed_and_the_trail_goes_back_to_its_beginning(
            page, service
        )


@pytest.mark.soak  # `access.mjs` changes all of these
def test_roles_devices_tokens_and_people_who_were_entered_twice_are_changed_on_one_page(
    visit: Callable[..., Page], service: Service, name: str
) -> None:
    person = str(uuid7())
    service.api.put(f"/v1/players/{person}", json={"name": name})
    tokens = [
        service.api.post("/v1/tokens", json={"name": device, "person": person}).json()["token"]
        for device in ("one", "two", "three")
    ]

    def opened() -> list[int]:
        return [opens(service, token) for token in tokens]

    game = service.open(title=f"Of {name}")
    service.catch_up()
    reader = f"Reader {uuid7()}"
    read = _a_token_with_its_reader(service, reader)
    page = visit("/access")
    page.get_by_role("button", name=f"More …: {name}").click()
    page.get_by_role("button", name="Change what they may do").click()
    page.get_by_label("Role").select_option("referee")
    page.get_by_role("button", name="Change it").click()
    expect(line(page, "people", name)).to_contain_text("referee")
    assert {"player": person, "role": "referee"}.items() <= service.api.get("/v1/roles").json()["roles"][-1].items()
    line(page, "people", name).get_by_role("button", name="Let out: Device: two").click()
    dialog(page).get_by_role("button", name="Let").click()
    expect(line(page, "people", name)).not_to_contain_text("Device: two")
    assert opened() == [200, 401, 200]
    page.get_by_role("button", name=f"More …: {name}").click()
    page.get_by_role("button", name="Log out on all devices").click()
    dialog(page).get_by_role("button", name="Let").click()
    expect(line(page, "people", name)).not_to_contain_text("Device: ")
    assert opened() == [401] * 3
    _a_token_is_made_shown_once_and_revoked(page, service, name, game)
    _who_revokes_a_token_is_told_what_was_made_with_it(page, service, reader, read, kept=True)
    _one_person_entered_twice_is_merged_and_split_again_also_without_a_part_here(page, service, f"Miriam {uuid7()}")


def _a_token_is_made_shown_once_and_revoked(page: Page, service: Service, name: str, game: str) -> None:
    page.get_by_role("button", name="Make a token").click()
    page.get_by_label("What it is for").fill(name)
    page.get_by_text("One by one").click()
    page.get_by_label("see games as the public at the table sees them (games:read)").check()
    page.get_by_text("Only in some games").click()
    page.get_by_label(f"Of {name}").check()
    page.get_by_label("How many days it lasts").fill("7")
    _make_it_where_the_first_answer_is_lost(page, "**/v1/tokens")
    token = page.get_by_label("The token", exact=True).input_value()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name=re.compile("Copied|Copy it by hand"))).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.locator("input.secret")).to_have_count(0)
    assert token not in page.content()
    made = httpx.get(f"{service.base}/v1/token", headers={"Authorization": f"Bearer {token}"}, verify=PLAIN).json()[
        "token"
    ]
    assert (made["scopes"], made["games"], made["name"]) == (["games:read"], [game], name)
    expect(line(page, "tokens", name)).to_contain_text("see games as the public at the table sees them · 1 game")
    page.get_by_role("button", name=f"Revoke: {name}").click()
    dialog(page).get_by_role("button", name="Revoke").click()
    expect(line(page, "tokens", name)).to_have_count(0)
    assert (
        httpx.get(f"{service.base}/v1/token", headers={"Authorization": f"Bearer {token}"}, verify=PLAIN).status_code
        == 401
    )


def _make_it_where_the_first_answer_is_lost(page: Page, path: str) -> None:
    """Tap twice: the service carries out what the first tap asks for, but its answer does not arrive."""

    def lose(route: Route) -> None:
        assert route.fetch().status == 201
        route.abort()

    page.route(path, lose, times=1)
    page.get_by_role("button", name="Make it").click()
    expect(dialog(page)).to_contain_text("No connection: try again once it is back.")
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("button", name="Copy").wait_for()


def _a_token_with_its_reader(service: Service, name: str) -> tuple[str, str]:
    """A token of this name, and another one that was made with it, which has read a game of this name."""
    game = service.open(title=f"Of {name}")

    def make(called: str, by: str | None = None) -> str:
        headers = {"Authorization": f"Bearer {by}"} if by else {}
        body = {"name": called, "scopes": ["games:read", "tokens:write"]}
        return str(service.api.post("/v1/tokens", json=body, headers=headers).json()["token"])

    token = make(name)
    child = make("child", token)
    assert opens(service, child, f"/v1/games/{game}/state") == 200
    return token, child


def opens(service: Service, token: str, path: str = "/v1/token") -> int:
    return httpx.get(f"{service.base}{path}", headers={"Authorization": f"Bearer {token}"}, verify=PLAIN).status_code


@pytest.mark.soak  # the other answer is given in the journey through all tokens
def test_what_was_made_with_a_token_ends_with_it(visit: Callable[..., Page], service: Service, name: str) -> None:
    tokens = _a_token_with_its_reader(service, name)
    _who_revokes_a_token_is_told_what_was_made_with_it(visit("/access"), service, name, tokens, kept=False)


def _who_revokes_a_token_is_told_what_was_made_with_it(
    page: Page, service: Service, name: str, tokens: tuple[str, str], *, kept: bool
) -> None:
    """Revoke a token; see what was made and read with it, and say what becomes of that."""
    token, child = tokens
    page.get_by_role("button", name=f"Revoke: {name}").click()
    expect(dialog(page)).to_contain_text("End what was made with it, too: 1 program")
    dialog(page).get_by_text("What was read with it").click()
    expect(dialog(page)).to_contain_text(f"Of {name}")
    if kept:
        dialog(page).get_by_label("End what was made with it").uncheck()
    dialog(page).get_by_role("button", name="Revoke").click()
    expect(line(page, "tokens", name)).to_have_count(0)
    assert (opens(service, token), opens(service, child)) == (401, 200 if kept else 401)


def _invitations_are_withdrawn_and_links_revoked_where_all_are_listed_and_the_trail_goes_back_to_its_beginning(
    page: Page, service: Service
) -> None:
    name = f"Mirela {uuid7()}"
    for other in range(7):
        fill_access(service, f"Other {other}")
    game = fill_access(service, name)
    page.reload()
    expect(line(page, "invitations", name)).to_have_count(2)
    for left in (1, 0):
        page.get_by_role("button", name=f"Withdraw: {name}").first.click()
        expect(line(page, "invitations", name)).to_have_count(left)
    expect(line(page, "links", name)).to_contain_text("opened 0 times")
    page.get_by_role("button", name=f"Revoke: {name}").last.click()
    dialog(page).get_by_role("button", name="Revoke").click()
    expect(line(page, "links", name)).to_have_count(0)
    assert service.api.get(f"/v1/games/{game}/links").json()["links"] == []
    expect(page.locator("#trail > li").first).to_contain_text("owner revoked a share link")
    for _ in range(100):
        if page.get_by_role("button", name="Show earlier").is_hidden():
            break
        before = page.locator("#trail > li").count()
        page.get_by_role("button", name="Show earlier").click()
        expect(page.locator("#trail > li").nth(before)).to_be_visible()
    expect(page.locator("#trail > li").last).to_contain_text("Kifu made the owner’s token")
    assert page.locator("#trail > li").count() == len(service.api.get("/v1/trail?limit=1000").json()["steps"])


def _somebody_who_plays_a_seat_shares_nothing_sees_that_device_alone_and_logs_out_everywhere(phone: Page) -> None:
    phone.locator("#recorder").wait_for()
    phone.get_by_role("tab", name="About").click()
    assert examine(phone, also_dark=False) == []
    expect(phone.locator("#sharing")).to_have_count(0)
    phone.get_by_role("link", name="Access").click()
    expect(phone.locator("#own > li")).to_have_count(1)
    expect(phone.locator("#own")).to_contain_text("this browser")
    for others in ("people", "invitations", "tokens", "links", "trail"):
        expect(phone.locator(f"#{others}")).to_have_count(0)
    phone.get_by_role("button", name="Log out everywhere").click()
    expect(phone.get_by_role("link", name="Log in", exact=True)).to_be_visible()


def _a_game_is_shown_shared_by_a_link_and_to_somebody_with_a_role(
    page: Page, service: Service, game: str, name: str
) -> None:
    """Share a game that nobody else was let in to, where its page says so."""
    sharing = page.locator("#sharing")
    expect(page.get_by_label("Visibility")).to_have_value("public")
    for level in ("link", "private"):
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            page.get_by_label("Visibility").select_option(level)
        assert service.api.get(f"/v1/games/{game}/visibility").json()["visibility"] == level
    expect(sharing).to_contain_text("Only its players and people with a role may see it.")
    page.get_by_role("button", name="Make a share link").click()
    page.get_by_label("From where").select_option("0")
    page.get_by_label("What it is for").fill("the club")
    page.get_by_role("button", name="Make it").click()
    address = page.get_by_label("The link", exact=True).input_value()
    page.get_by_role("button", name="Done").click()
    expect(sharing).to_contain_text("opened 0 times")
    assert httpx.get(address, verify=PLAIN).status_code == 200
    page.get_by_role("button", name="Let somebody else …").click()
    page.get_by_label("Who", exact=True).fill(name)
    page.get_by_label("What they may do").select_option("referee")
    page.get_by_label("The seat they play").select_option("1")
    page.get_by_role("button", name="Let them").press("Enter")  # it lies where a tap has just been: one waits, or types
    expect(sharing).to_contain_text("referee · plays White")
    (given,) = service.api.get(f"/v1/games/{game}/roles").json()["roles"]
    assert (given["name"], given["role"], given["seats"]) == (name, "referee", [1])
    page.reload()
    page.get_by_role("tab", name="About").click()
    expect(sharing).to_contain_text("opened 1 time ·")
    page.get_by_role("button", name="Revoke: the club").click()
    dialog(page).get_by_role("button", name="Revoke").click()
    expect(sharing).to_contain_text("There are none.")
    assert httpx.get(address, verify=PLAIN).status_code == 404


@pytest.mark.soak  # `access.mjs` invites to seats, shares games and changes who sees them
def test_the_code_of_a_seat_stands_on_the_screen_at_the_table_and_a_game_is_shown_and_shared_on_its_page(
    visit: Callable[..., Page], service: Service, phone: Page, name: str
) -> None:
    game = service.open()
    service.record(game, DEAL)
    page = visit(f"/games/{game}")
    page.locator(".choice").first.wait_for()
    page.get_by_role("button", name="More …", exact=True).click()
    page.get_by_role("button", name="Let a player’s phone in").click()
    page.get_by_role("button", name="Invite Björn").click()
    code = dialog(page).locator("p.code").inner_text()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Invite Björn").click()
    expect(dialog(page).locator("p.code")).to_have_text(code)
    phone.goto(f"/join?code={code}")
    phone.get_by_role("button", name="Join").click()
    expect(phone).to_have_url(f"{service.base}/games/{game}")
    expect(phone.get_by_label("Point of view")).to_have_value("1")
    _somebody_who_plays_a_seat_shares_nothing_sees_that_device_alone_and_logs_out_everywhere(phone)
    page.reload()
    page.get_by_role("tab", name="About").click()
    expect(page.locator("#sharing")).to_contain_text("plays White")
    page.get_by_role("button", name="Take it back: Björn").click()
    dialog(page).get_by_role("button", name="Take it back").click()
    expect(page.locator("#sharing")).to_contain_text("Nobody else has a part in this game.")
    if tiers.SOAK:
        _a_game_is_shown_shared_by_a_link_and_to_somebody_with_a_role(page, service, game, name)


def _one_person_entered_twice_is_merged_and_split_again_also_without_a_part_here(
    page: Page, service: Service, name: str
) -> None:
    one, kept = str(uuid7()), str(uuid7())
    for person, said in ((one, f"{name} K."), (kept, name)):
        service.api.put(f"/v1/players/{person}", json={"name": said})
        service.api.put(f"/v1/roles/{person}", json={"role": "viewer"})
    service.api.post("/v1/tokens", json={"name": "an old phone", "person": one})
    alike, first, second = f"Twin {name}", str(uuid7()), str(uuid7())
    for person in (first, second):
        service.api.put(f"/v1/players/{person}", json={"name": alike})
    page.reload()
    page.get_by_role("button", name=f"More …: {name} K.").click()
    page.get_by_role("button", name="This is the same person as …").click()
    expect(page.get_by_label("Entered as")).to_have_value(one)
    page.get_by_label("Is the same person as").select_option(kept)
    page.get_by_role("button", name="Make them one").click()
    expect(line(page, "merges", f"{name} K.")).to_have_count(1)
    expect(line(page, "people", name)).to_have_count(1)
    expect(line(page, "people", name)).to_contain_text("an old phone")
    assert service.api.get(f"/v1/players/{one}").json()["id"] == kept
    page.get_by_role("button", name=f"More …: {name}").click()
    page.get_by_role("button", name="Change what they may do").click()
    page.get_by_label("Role").select_option("")
    page.get_by_role("button", name="Change it").click()
    expect(line(page, "people", name)).to_contain_text("player")
    assert not {one, kept} & {role["player"] for role in service.api.get("/v1/roles").json()["roles"]}
    line(page, "merges", name).get_by_role("button").click()
    expect(line(page, "merges", name)).to_have_count(0)
    expect(line(page, "people", f"{name} K.")).to_contain_text("an old phone")
    assert service.api.get(f"/v1/players/{one}").json()["id"] == one
    page.get_by_role("button", name="Somebody was entered twice").click()
    page.get_by_label("Entered as").select_option(first)
    page.get_by_label("Is the same person as").select_option(f"{alike} (…{second[-4:]})")
    page.get_by_role("button", name="Make them one").click()
    expect(line(page, "merges", alike)).to_have_count(1)
    assert service.api.get(f"/v1/players/{first}").json()["id"] == second
