"""Any entry is corrected from the page: shown beforehand with all that it changes, and stored once everything fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import (
    DEAL,
    Gate,
    about_entry,
    entry,
    lose_network,
    pause_between_taps,
    record_elsewhere,
    refresh,
    wait_until_stored,
)
from tests.service.pages.test_following import DEAF

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

REMOVAL = ("ELAI-FAAA", "+", "x ELAI-FAAA (ELAI FAAA)")
"""Black builds, and white removes it: without the bridge the removal cannot be."""


def kinds(service, game: str) -> list[str]:
    return [entry["type"] for entry in service.entries(game)]


def conflict(dialog: Locator, version: int) -> Locator:
    return dialog.get_by_role("group", name=f"Entry {version} ·")


@pytest.mark.soak  # `corrections.mjs` replaces entries, and `story.mjs` erases a text
def test_an_entry_is_replaced_after_what_it_did_and_would_do_was_seen(page: Page, service, game: str) -> None:
    record_elsewhere(page, service, game, "ELAI-FAAA", "+")
    page.keyboard.press("Home")
    page.get_by_role("link", name="Entry 3", exact=True).click()
    page.get_by_role("button", name="Correct and more").click()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    dialog = page.get_by_role("dialog", name="Replace entry 3")
    move = dialog.get_by_label("Move that was made")
    expect(move).to_have_value("ELAI-FAAA")
    expect(dialog.locator(".choice").first).to_be_visible()
    expect(dialog.get_by_role("button", name="Replace")).to_be_disabled()
    move.fill("faa")
    dialog.get_by_role("button", name="FAAA-BARI").click()
    before, after = (dialog.locator(".sides section").nth(side) for side in (0, 1))
    expect(before).to_contain_text("Anna built ELAI-FAAA")
    expect(after).to_contain_text("Anna built BARI-FAAA")
    expect(dialog).to_contain_text("The score stays 0 – 0.")
    assert len(service.entries(game)) == 4
    dialog.get_by_label("Reason").fill("the neighbouring line")
    dialog.get_by_role("button", name="Replace").click()
    expect(dialog).to_be_hidden()
    line = entry(page, 3)
    expect(line.locator(".what b")).to_have_text("FAAA-BARI")
    expect(line).to_contain_text("replaced")
    expect(line.locator(".flags")).to_have_text("Recorded first as ELAI-FAAA; changed by entry 5")
    expect(entry(page, 5)).to_contain_text("Replaced entry 3: the neighbouring line")
    expect(page.locator("#stepper output")).to_have_text("3 / 5")
    expect(page.locator("#board svg line[data-at='BARI-FAAA'].touched").first).to_be_attached()
    expect(page.locator("#stepper input")).to_have_attribute(
        "aria-valuetext", re.compile("entry 3, replaced: FAAA-BARI")
    )
    _a_text_is_erased_after_a_question(page, service, game)


def _a_text_is_erased_after_a_question(page: Page, service, game: str) -> None:
    service.add(game, {"type": "note.added", "data": {"text": "what nobody should read"}})
    refresh(page)
    expect(entry(page, 6)).to_be_visible()
    for answer in ("Cancel", "Erase"):
        expect(page.get_by_text("what nobody should read").first).to_be_visible()
        page.get_by_role("button", name="More about entry 6").click()
        page.get_by_role("button", name="Erase its text").click()
        dialog = page.get_by_role("dialog", name="Erase its text for good?")
        dialog.get_by_role("button", name=answer).click()
        expect(dialog).to_be_hidden()
    expect(page.get_by_text("Its text was erased on").first).to_be_visible()
    expect(page.get_by_text("what nobody should read")).to_have_count(0)


def test_what_keeps_a_correction_from_being_stored_is_in_sight(page: Page, service, game: str) -> None:
    record_elsewhere(page, service, game, *REMOVAL)
    dialog = about_entry(page, 3, "Withdraw")
    expect(conflict(dialog, 5)).to_be_attached()
    expect(dialog.locator(".conflicts .told")).to_be_in_viewport()
    expect(dialog.get_by_role("button", name="Withdraw", exact=True)).to_be_disabled()


@pytest.mark.soak  # `lazy-scripts.test.mjs` loads what failed
def test_what_could_not_be_loaded_is_at_hand_once_the_network_was_back(
    visit: Callable[..., Page], service: Service, game: str
) -> None:
    page = visit("/none").context.new_page()
    page.add_init_script(DEAF)
    page.route(
        "**/stream*", lambda route: route.abort()
    )  # the stream of the game would show that the service can be reached
    page.route("**/record/actions.js*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/record/actions" in request.url):
        page.goto(f"/games/{game}")
    entry(page, 2).get_by_role("button", name="More about entry 2", exact=True).click()
    expect(page.locator("#connection")).to_contain_text("No connection")
    page.unroute_all()
    with page.expect_event("requestfinished", lambda request: "/record/actions" in request.url):
        # it was never away to the browser, which tells of changes alone
        page.evaluate("dispatchEvent(new Event('online'))")
    lose_network(page)
    pause_between_taps(page)
    expect(about_entry(page, 2, "Replace")).to_be_visible()


def press(button: Locator) -> None:
    """Press a button with the keyboard, once it can be: a key that comes before is lost."""
    expect(button).to_be_enabled()
    button.press("Enter")


@pytest.mark.soak  # `corrections.mjs` corrects, also while others record
def test_a_correction_is_made_and_taken_back_with_the_keyboard_and_knows_what_others_record_meanwhile(
    page: Page, service, game: str
) -> None:
    record_elsewhere(page, service, game, "BARI-DUDA")
    more = page.get_by_role("button", name="More about entry 3", exact=True)
    more.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Withdraw")).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Withdraw entry 3?")
    expect(dialog.get_by_role("button", name="Withdraw")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(more).to_be_focused()
    assert len(service.entries(game)) == 3
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Withdraw")).to_be_focused()
    page.keyboard.press("Enter")
    press(dialog.get_by_role("button", name="Withdraw"))
    wait_until_stored(page, 4)
    dialog = about_entry(page, 3, "Let it count again")
    expect(dialog).to_contain_text("Anna built BARI-DUDA")
    press(dialog.get_by_role("button", name="Let it count"))
    wait_until_stored(page, 5)
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    _what_others_record_meanwhile_is_taken_into_account_before_a_correction_is_stored(page, service, game)


def _what_others_record_meanwhile_is_taken_into_account_before_a_correction_is_stored(
    page: Page, service, game: str
) -> None:
    """Withdraw a bridge, as entry 7, that others remove meanwhile."""
    record_elsewhere(page, service, game, *REMOVAL[:2])
    dialog = about_entry(page, 6, "Withdraw")
    button = dialog.get_by_role("button", name="Withdraw", exact=True)
    expect(button).to_be_enabled()
    unheard = Gate(page, re.compile(rf"/v1/games/{game}$"))
    service.record(game, REMOVAL[2])
    button.click()
    expect(dialog).to_contain_text("Others recorded something meanwhile")
    unheard.open()
    expect(conflict(dialog, 8)).to_be_visible()
    assert kinds(service, game)[-1] == "move.made"
