"""A moment of a game is handed to other apps: its address, with a picture of it where the browser takes one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import pause_between_taps

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SHARES = """taken => {
  Object.defineProperty(navigator, "canShare", {configurable: true, value: ({files}) => taken || !files});
  Object.defineProperty(navigator, "share", {configurable: true, value: async ({url, title, files}) => {
    const bytes = files ? [...new Uint8Array(await files[0].arrayBuffer()).slice(1, 4)] : [];
    const told = {url, title, kind: files?.[0].type ?? "", bytes: String.fromCharCode(...bytes)};
    document.body.dataset.shared = JSON.stringify(told);
  }});
}"""
NO_SHARING = """() => Object.defineProperty(navigator, "share", {configurable: true, value: undefined})"""
CLIPBOARD = """() => Object.defineProperty(navigator, "clipboard", {
  configurable: true, value: {writeText: async (text) => { window.copied = text; }},
})"""


@pytest.fixture
def page(visit: Callable[..., Page], finished: str) -> Page:
    page = visit(f"/games/{finished}")
    page.locator("#game[aria-busy=false]").wait_for()
    page.locator("#stepper [data-go=back]").click()
    page.get_by_role("tab", name="About").click()
    return page


def test_a_moment_is_handed_on_with_its_picture_where_files_are_taken_and_else_copied(page: Page) -> None:
    share = page.get_by_role("button", name="Share this moment")
    for taken, kind, begins in ((True, "image/png", "PNG"), (False, "", "")):
        page.evaluate("delete document.body.dataset.shared")
        page.evaluate(SHARES, taken)
        pause_between_taps(page)
        share.click()
        page.locator("body[data-shared]").wait_for()
        shared = json.loads(page.locator("body").get_attribute("data-shared") or "")
        assert (shared["kind"], shared["bytes"], shared["url"]) == (kind, begins, page.url)
    assert "#" in page.url
    page.evaluate(NO_SHARING)
    page.evaluate(CLIPBOARD)
    pause_between_taps(page)
    share.click()
    expect(page.get_by_role("button", name="Its address is copied")).to_be_visible()
    assert page.evaluate("window.copied") == page.url
