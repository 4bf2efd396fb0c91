"""What if it had gone another way: a fork says that it is one, and stands beside its origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import about_entry, enter, record_elsewhere, wait_until_stored

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

pytestmark = pytest.mark.browser

WIDE: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture
def fork(page: Page, service, game: str) -> Page:
    """The page of a fork that left after the third of five entries, and went another way. The second try began it."""
    record_elsewhere(page, service, game, "BARI-DUDA", "+", "LALE-IFFI")
    dialog = about_entry(page, 3, "What if …")
    expect(dialog).to_contain_text("after entry 3, Anna: BARI-DUDA")
    dialog.get_by_label("Title").fill("Another card")
    begin = dialog.get_by_role("button", name="Begin it")
    page.context.set_offline(True)
    begin.click()
    expect(dialog).to_contain_text("No connection")
    page.context.set_offline(False)
    begin.click()
    expect(page.locator("h1")).to_have_text("Another card")
    wait_until_stored(page, 3)
    enter(page, "+COCO")
    wait_until_stored(page, 4)
    return page


@pytest.mark.soak  # `moments.mjs` begins and compares a fork
def test_a_fork_goes_on_from_its_moment_leads_back_is_compared_from_either_side_and_wears_a_badge_in_the_list(
    fork: Page, service, game: str
) -> None:
    assert service.notations(fork.url.rpartition("/")[2])[-2:] == ["BARI-DUDA", "+COCO"]
    fork.get_by_role("tab", name="About").click()
    fork.get_by_role("button", name="Compare with its origin").click()
    comparison = fork.get_by_role("region", name="Comparison")
    expect(comparison).to_contain_text("2 moves and rulings are the same.")
    this, other = (comparison.locator(".sides section").nth(side) for side in (0, 1))
    expect(this).to_contain_text("Entry 4 Anna: +COCO")
    expect(other).to_contain_text("Entry 4 Anna: +")
    expect(other).to_contain_text("Score: 0 – 0")
    banner = fork.locator(".banner.fork")
    expect(banner).to_contain_text("This is a fork")
    banner.get_by_role("link").click()
    fork.wait_for_url(f"**/games/{game}#3")
    expect(fork.locator("#stepper output")).to_have_text("3 / 5")
    service.catch_up()
    assert len(service.api.get(f"/v1/games?origin={game}").json()["games"]) == 1, "it was begun once"
    fork.set_viewport_size(WIDE)  # on a phone, the tab alone leads there
    fork.goto(f"/games/{game}")
    fork.get_by_role("link", name="1 what-if").click()
    expect(fork.locator(".forks")).to_contain_text("Another card")
    fork.get_by_role("button", name="Compare", exact=True).click()
    expect(comparison.locator(".sides section").first).to_contain_text("Entry 4 Anna: +")
    fork.goto("/?q=Another card")
    expect(fork.locator(".games .badge.fork").first).to_have_text("what if")
