"""A game's page shows its record: the board, every entry and what it did, the score with its rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import refresh, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page


pytestmark = pytest.mark.browser

OPENING = ("deal black BARI COCO DUDA", "BARI-DUDA", "+COCO/ELAI", "DUDA-ALOA", "+BARI/FAAA")


@pytest.fixture
def game(service) -> str:
    """Five moves, a sixth that was withdrawn, an irregular seventh, and a note about the second entry."""
    game = service.open(title="By the window", place="Library")
    service.record(game, *OPENING, "HUNA-DUDA")
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 7, "reason": "typed twice"}})
    service.add(game, {"data": {"move": "white: IFFI-JOJO", "override": {"reason": "both agreed"}}})
    service.add(game, {"type": "note.added", "data": {"text": "A card fell.", "entry": 2}})
    return game


@pytest.fixture
def page(visit: Callable[..., Page], game: str) -> Page:
    page = visit(f"/games/{game}")
    wait_until_stored(page, 10)
    return page


def hands(page: Page) -> Locator:
    """The lines of the table's tab that say what is known of each hand."""
    page.get_by_role("tab", name="Table").click()
    return page.locator("#state dt", has_text="Hands").locator("xpath=../dd//li")


def test_a_long_record_is_drawn_where_somebody_looks(visit: Callable[..., Page], service) -> None:
    game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {"name": "Ben"}])
    service.record(game, *(f"r{number} {number} {number}" for number in range(1, 151)))
    service.record(game, *(f"r{1 + number % 150} p1 {number}" for number in range(500)))
    page = visit(f"/games/{game}")
    wait_until_stored(page, 651)
    lines = page.locator("#record .entry")
    expect(page.locator("#record [data-version='651']")).to_be_visible()
    assert lines.count() <= 50
    page.keyboard.press("Home")
    expect(page.locator("#record [data-version='1']")).to_have_attribute("aria-current", "true")
    expect(page.locator("#record [data-version='320']")).to_have_count(0)
    page.evaluate("document.querySelectorAll('.timeline > ul')[14].scrollIntoView()")
    expect(page.locator("#record [data-version='320']")).to_be_visible()
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 650}})
    refresh(page)
    expect(page.locator("#stepper output")).to_have_text("1 / 652")
    expect(page.locator("#record [data-version='650']")).to_have_class(re.compile("withdrawn"))
    shown = page.evaluate("[...document.querySelectorAll('#record .entry')].map(line => +line.dataset.version)")
    assert shown == sorted(shown, reverse=True)


@pytest.mark.soak  # `moments.mjs` goes through entries, and shows what they did
def test_entries_say_what_they_did_with_its_rule_links_keys_slider_and_buttons_go_through_them(
    page: Page, visit: Callable[..., Page], game: str
) -> None:
    entry = page.locator("#record [data-version='3']")
    expect(entry.locator(".effects li")).to_have_text(["Anna played BARI PLAY-3", "Anna built BARI-DUDA PLAY-2"])
    expect(entry.locator(".points")).to_have_text("0 – 0")
    expect(page.locator("#record [data-version='2'] .notes")).to_have_text("A card fell.")
    assert [int(text) for text in page.locator("#record .number").all_text_contents()] == list(range(10, 0, -1))
    withdrawn, irregular = page.locator("#record [data-version='7']"), page.locator("#record [data-version='9']")
    expect(withdrawn.locator("del")).to_have_text("HUNA-DUDA")
    expect(withdrawn.locator(".flags")).to_have_text("Withdrawn by entry 8")
    expect(page.locator("#record [data-version='8']")).to_contain_text("Withdrew entry 7: typed twice")
    expect(irregular.locator(".flags li")).to_have_text(
        ["Irregular: it is Anna's turn, not Björn's SET-2", "It stands: both agreed"]
    )
    page.locator("#record [data-version='3'] .rule-id", has_text="PLAY-2").click()
    dialog = page.get_by_role("dialog", name="Rule")
    expect(dialog).to_contain_text("One card builds a bridge")
    expect(dialog.locator("[lang=ja]")).to_have_count(0)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    wait_until_stored(page, 10)
    expect(hands(page).first).to_have_text("Anna COCO2 unknown")
    page.locator("h1").click()  # where keys are those of the record
    _goes_through_all_entries(page)
    _is_linked_at_an_entry_and_at_its_audit(visit(f"/games/{game}#5"))


def _is_linked_at_an_entry_and_at_its_audit(page: Page) -> None:
    expect(page.locator("#stepper output")).to_have_text("5 / 10")
    page.locator("#record").get_by_role("link", name="Entry 3", exact=True).click()
    expect(page.locator("#moment .notation")).to_have_text("BARI-DUDA")
    assert page.url.endswith("#3")
    page.evaluate("location.hash = 'score'")
    expect(page.locator("#score .sum").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("tab", name="Score")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#score .sum").first).to_be_visible()


def _goes_through_all_entries(page: Page) -> None:
    """Go through ten entries by keys, the slider and the buttons, and let the page play them."""
    output, board = page.locator("#stepper output"), page.locator("#board svg")
    expect(board).to_be_visible()
    page.keyboard.press("Home")
    expect(output).to_have_text("1 / 10")
    expect(page.locator("#moment")).to_contain_text("The game was opened")
    expect(board.locator("title")).to_have_text(re.compile("before the deal"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(output).to_have_text("3 / 10")
    expect(page.locator("#moment .notation")).to_have_text("BARI-DUDA")
    expect(board.locator("[stroke-width='24'] line[data-at='BARI-DUDA'].touched")).to_have_count(1)
    page.locator("#stepper input").fill("5")
    expect(page.locator("#moment .notation")).to_have_text("DUDA-ALOA")
    expect(board.locator("[stroke-width='24'] line")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(output).to_have_text("4 / 10")
    page.keyboard.press("End")
    expect(output).to_have_text("10 / 10")
    page.get_by_role("button", name="First entry").click()
    page.get_by_role("button", name="One entry on").click()
    expect(output).to_have_text("2 / 10")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(output).to_have_text("3 / 10")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
