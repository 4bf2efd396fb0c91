"""Without a network the games last seen are there all the same, for whoever saw them and nobody else."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error, expect

from tests import goldens
from tests.service.pages.conftest import EXPECTED, PATIENCE, PHONE
from tests.service.pages.steps import DEAL, enter, stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

KEPT = """async () => Promise.all((await caches.keys()).map(async (name) => {
  const kept = await (await caches.open(name)).keys();
  return [name, kept.map(({url}) => url)];
}))"""
"""The name of every copy that there is, with the addresses of its parts."""


@pytest.fixture
def device(browser: Browser, service: Service) -> Iterator[Page]:
    """The owner's phone, which keeps what it saw."""
    context = browser.new_context(base_url=service.base, has_touch=True, locale="en-GB", viewport=PHONE)
    context.set_default_timeout(PATIENCE)
    context.add_cookies([service.log_in()])
    complaints: list[str] = []
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    context.on(
        "console",
        lambda said: complaints.append(said.text) if said.type == "error" and not said.text.startswith(EXPECTED) else 0,
    )
    yield context.new_page()
    context.close()
    assert complaints == []


def until(device: Page, true: Callable[[dict[str, list[str]]], bool]) -> None:
    """Wait until this is true of what is kept."""
    for _ in range(PATIENCE // 50):
        if true(dict(device.evaluate(KEPT))):
            return
        device.wait_for_timeout(50)
    raise AssertionError(device.evaluate(KEPT))


def kept(device: Page, path: str, part: str) -> None:
    """Wait until a page is kept, with this part of it; what is kept of it last is the page itself."""

    def whole(copies: dict[str, list[str]]) -> bool:
        return any(
            name.split(" ")[2] == path and urls[-1].endswith(path) and any(url.endswith(part) for url in urls)
            for name, urls in copies.items()
            if urls
        )

    until(device, whole)


def see_game(device: Page, game: str, version: int) -> None:
    """Look at a game until it is kept."""
    device.goto(f"/games/{game}")
    kept(device, f"/games/{game}", f"at={version}")


def test_a_game_is_recorded_to_its_end_without_a_network_with_reloads_in_the_middle(
    device: Page, service: Service, game: str
) -> None:
    moves = [entry.text for entry in goldens.game(goldens.FOLDER / "kahuna" / "points.txt").entries]
    played = service.open("Aiko", "Ben")
    service.record(played, *moves[:-15])
    see_game(device, played, len(moves) - 14)
    device.context.set_offline(True)
    device.reload()
    banner = device.locator("#connection")
    expect(banner).to_have_text(re.compile(r"^No connection\. You see this as of \d\d:\d\d\. What you enter is kept"))
    expect(device.locator("#board svg[role=img], #board svg [data-at]").first).to_be_visible()
    stored(device, len(moves) - 14)
    expect(device.locator(".choice").first).to_be_visible()
    for index, move in enumerate(moves[-15:]):
        if index % 5 == 4:
            device.reload()
            expect(device.locator("#outbox li")).to_have_count(index)
        enter(device, move)
        expect(device.locator("#outbox li")).to_have_count(index + 1)
    assert service.notations(played) == moves[:-15]
    device.context.set_offline(False)
    stored(device, len(moves) + 1)
    expect(banner).to_be_hidden()
    assert service.notations(played) == moves


def test_what_was_kept_is_as_new_as_what_was_seen(device: Page, service: Service, game: str) -> None:
    see_game(device, game, 2)
    enter(device, "b-d")
    stored(device, 3)
    kept(device, f"/games/{game}", "at=3")
    device.context.set_offline(True)
    device.reload()
    stored(device, 3)
    enter(device, "+c/h")
    device.context.set_offline(False)
    stored(device, 4)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]


def test_what_a_page_loads_only_when_it_is_asked_for_is_kept_as_well(device: Page, game: str) -> None:
    see_game(device, game, 2)
    device.context.set_offline(True)
    device.reload()
    stored(device, 2)
    device.get_by_role("tab", name="About").click()
    expect(device.get_by_label("Visibility")).to_be_visible()


def test_after_logging_out_nobody_sees_what_was_kept(device: Page, service: Service, game: str) -> None:
    service.show(game, "private")
    see_game(device, game, 2)
    device.get_by_role("button", name="Log out").click()
    device.wait_for_url("**/")
    until(device, lambda copies: bool(copies) and all(name.startswith("kept none ") for name in copies))
    device.context.set_offline(True)
    device.goto(f"/games/{game}")
    expect(device.locator("h1")).to_have_text("No connection")


def test_logging_out_without_a_network_leaves_nothing_that_was_kept(device: Page, game: str) -> None:
    see_game(device, game, 2)
    device.context.set_offline(True)
    with contextlib.suppress(Error):
        device.get_by_role("button", name="Log out").click()
    device.context.set_offline(False)
    device.goto("/problems")  # of the same session, which the service knows still
    until(device, lambda copies: not copies)


def test_another_session_sees_nothing_of_what_was_kept_before(device: Page, service: Service, game: str) -> None:
    service.show(game, "private")
    see_game(device, game, 2)
    device.context.clear_cookies()  # as when it ended elsewhere
    device.goto("/login")
    until(device, lambda copies: not copies)
    device.context.set_offline(True)
    device.goto(f"/games/{game}")
    expect(device.locator("h1")).to_have_text("No connection")


def test_a_game_is_opened_on_a_list_that_was_kept(device: Page, service: Service) -> None:
    device.goto("/")
    kept(device, "/", "/v1/rulesets/kahuna")
    device.context.set_offline(True)
    device.reload()
    expect(device.locator("#connection")).to_contain_text("You see this as of")
    device.get_by_text("Record a new game").click()
    device.get_by_label("Title").fill("In the tunnel")
    device.get_by_role("button", name="Open the game").click()
    expect(device.get_by_role("list", name="Not sent yet")).to_contain_text("In the tunnel")
    device.reload()
    device.context.set_offline(False)
    device.wait_for_url("**/games/*")
    expect(device.locator("h1")).to_have_text("In the tunnel")
    service.settle()
    assert len(service.api.get("/v1/games?q=tunnel").json()["games"]) == 1


def test_the_last_game_is_the_one_seen_last_where_there_is_no_network(
    device: Page, service: Service, game: str
) -> None:
    other = service.open("Carla", "Dan")
    service.record(other, DEAL)
    see_game(device, other, 2)
    see_game(device, game, 2)
    device.context.set_offline(True)
    device.goto("/games/last")
    device.wait_for_url(f"**/games/{game}")
    stored(device, 2)


def test_where_no_page_can_be_kept_the_list_says_so(device: Page) -> None:
    device.goto("/")
    device.locator("#opening").wait_for()
    expect(device.locator("#unkept")).to_be_hidden()
    device.add_init_script("delete Navigator.prototype.serviceWorker")  # as over HTTP at the table
    device.goto("/")
    expect(device.locator("#unkept")).to_contain_text("Over plain HTTP")
