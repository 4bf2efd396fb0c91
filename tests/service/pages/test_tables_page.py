"""The board is there in rows and columns, too: always for a person who listens, and in its place for a person who asks
for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import enter, wait_until_stored

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

ISLANDS = "Islands, and where their bridges lead"


def table(page: Page, caption: str = ISLANDS) -> Locator:
    return page.get_by_role("table", name=caption)


def cell(page: Page, row: str, column: int, caption: str = ISLANDS) -> Locator:
    """The cell in a column of the row with this head, as a screen reader finds it."""
    head = page.get_by_role("rowheader", name=row, exact=True)
    return table(page, caption).get_by_role("row").filter(has=head).get_by_role("cell").nth(column - 1)


@pytest.mark.soak  # `moments.mjs` has the tables, and `share-button.test.mjs` the moment
def test_the_board_is_there_in_tables_which_follow_every_entry_and_a_switch_shows_them_to_everybody(page: Page) -> None:
    heads = table(page).get_by_role("columnheader")
    expect(heads).to_have_text(["Island", "Owner", "Bridges of Anna", "Bridges of Björn", "Free spaces"])
    row = page.locator("#tables tbody tr").filter(has_text="BARI").first.element_handle()
    expect(cell(page, "BARI", 2)).to_have_text("none")
    enter(page, "b-d")
    wait_until_stored(page, 3)
    expect(cell(page, "BARI", 2)).to_have_text("DUDA")
    assert row.evaluate("row => row.isConnected")  # who reads there does not lose the place
    page.locator("#stepper [data-go=back]").click()
    expect(cell(page, "BARI", 2)).to_have_text("none")
    board, tables = page.locator("#board"), page.locator("#tables")
    switch = page.get_by_role("button", name="Show the board as tables")
    expect(board).to_be_visible()
    assert tables.evaluate("part => part.offsetHeight") == 1
    switch.tap()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(board).to_be_hidden()
    assert tables.evaluate("part => part.offsetHeight") > 200
    page.reload()
    expect(table(page)).to_be_visible()
    expect(board).to_be_hidden()
    switch.tap()
    expect(board.locator("svg[role=img]")).to_be_visible()
    _its_moment_is_shared(page)


CLIPBOARD = """() => {
  const own = (name, value) => Object.defineProperty(navigator, name, {configurable: true, value});
  own("share", undefined);
  own("clipboard", {writeText: async (text) => { window.copied = text; }});
}"""
"""A browser that hands nothing on to other apps. `share-button.test.mjs` has those that do."""


def _its_moment_is_shared(page: Page) -> None:
    page.evaluate(CLIPBOARD)
    page.get_by_role("tab", name="About").click()
    page.get_by_role("button", name="Share this moment").click()
    expect(page.get_by_role("button", name="Its address is copied")).to_be_visible()
    assert page.evaluate("window.copied") == page.url
    assert page.url.endswith("#2")
