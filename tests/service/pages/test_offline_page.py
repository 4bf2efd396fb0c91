"""Nothing entered is lost or stored twice, with a real network and tabs. `offline.mjs` has all that becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.choosing import soak_except
from tests.service.pages.steps import (
    DEAL,
    NO_GAMES,
    SENT,
    Gate,
    choose_game,
    enter,
    wait_for,
    wait_until_stored,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.soak  # `offline.mjs` has these entries, and `test_kept_page` a whole game
def test_entries_made_offline_outlive_their_page_and_are_stored_once_in_order(page: Page, service, game: str) -> None:
    page.route(SENT, lambda route: route.abort())
    enter(page, "b-d")
    outbox = page.get_by_role("list", name="Not stored yet")
    waiting = outbox.get_by_role("listitem")
    expect(waiting).to_contain_text(["b-d"])
    page.unroute(SENT)
    page.reload()
    wait_until_stored(page, 3)
    page.context.set_offline(True)
    enter(page, "+c/h")
    expect(page.locator("#connection")).to_contain_text("No connection")
    enter(page, "a-h")
    expect(waiting).to_contain_text(["+c/h", "a-h"])
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    page.context.set_offline(False)
    wait_until_stored(page, 5)
    expect(waiting).to_have_count(0)
    expect(page.locator("#connection")).to_be_hidden()
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA", "ALOA-HUNA"]


PATIENT = """(() => {
  const later = setTimeout;
  window.setTimeout = (work, ms, ...more) => later(work, ms === 15000 ? 600000 : ms, ...more);
})()"""
"""Lets a page wait for an answer however long it takes."""


@pytest.mark.parametrize("locks", soak_except([True, False], True))
def test_of_two_tabs_one_sends_at_a_time(page: Page, service, game: str, locks: bool) -> None:
    answered: list[str] = []
    page.context.on("response", lambda response: SENT.search(response.url) and answered.append(response.url))
    page.route(SENT, lambda route: route.abort())  # until the gate, which comes before it
    enter(page, "b-d")
    expect(page.locator("#outbox li")).to_contain_text("b-d")
    other = page.context.new_page()
    if not locks:
        page.evaluate("Object.defineProperty(navigator, 'locks', {value: undefined})")  # as over HTTP at the table
        other.add_init_script("Object.defineProperty(navigator, 'locks', {value: undefined})")
    page.evaluate(PATIENT)
    gate = Gate(page, SENT)
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(page, lambda: gate.waiting)
    other.goto(page.url)
    other.locator(".choice").first.wait_for()
    expect(other.locator("#stepper output")).to_have_text("2 / 2" if locks else "3 / 3")
    gate.open()
    for tab in (page, other):
        wait_until_stored(tab, 3)
        expect(tab.locator("#outbox li")).to_have_count(0)
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    wait_for(page, lambda: len(answered) >= (1 if locks else 2))
    assert len(answered) == (1 if locks else 2)


def test_a_game_opened_offline_is_opened_once_it_is_back_and_the_list_says_where_no_page_is_kept(
    visit: Callable[..., Page], service
) -> None:
    page = visit(NO_GAMES)
    expect(page.locator("#unkept")).to_be_hidden()
    choose_game(page, "Kahuna")
    page.get_by_label("Black").fill("Carla")
    page.get_by_label("Title").fill("On the train")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("list", name="Not sent yet")).to_contain_text("On the train")
    page.context.set_offline(False)
    page.wait_for_url("**/games/*")
    expect(page.locator("h1")).to_have_text("On the train")
    found = service.api.get("/v1/games?q=train").json()["games"]
    assert len(found) <= 1
    plain = page.context.new_page()
    plain.add_init_script("delete Navigator.prototype.serviceWorker")  # as over HTTP at the table
    plain.goto(NO_GAMES)
    expect(plain.locator("#unkept")).to_contain_text("Over plain HTTP")
