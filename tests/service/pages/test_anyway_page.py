"""What was against the rules is entered by the same taps, with a reason to tap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import field, wait_until_stored

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_move_against_the_rules_is_entered_by_taps_with_a_reason_to_tap(page: Page, service, game: str) -> None:
    page.get_by_role("button", name="It really happened").tap()
    expect(page.locator(".count")).to_contain_text("moves against the rules")
    page.locator("#board g[data-at='BARI']:has(circle)").tap()
    page.locator("#board g[data-at='DUDA']:has(circle)").tap()
    page.locator(".choice").get_by_text("BARI-DUDA (COCO)", exact=True).tap()
    expect(field(page)).to_have_value("BARI-DUDA (COCO)")
    expect(page.locator("#preview .problem")).to_contain_text("breaks a rule")
    expect(page.locator(".override").get_by_role("button", name="seen too late")).to_be_visible()
    page.get_by_role("button", name="Clear the move").tap()
    expect(page.locator(".count")).to_contain_text("moves against the rules")
    page.locator(".choice").get_by_text("white: +", exact=True).tap()
    expect(page.locator("#preview")).to_contain_text("it is Anna's turn, not Björn's")
    page.locator(".override").get_by_role("button", name="agreed by both").tap()
    expect(page.locator("#preview .dry-run.irregular")).to_be_visible()
    page.get_by_role("button", name="Record as irregular").tap()
    wait_until_stored(page, 3)
    (entry,) = service.entries(game)[-1:]
    assert (entry["notation"], entry["override"]) == ("white: +", "agreed by both")
    assert [breach["rule"] for breach in entry["irregular"]] == ["kahuna:SET-2"]
    expect(page.get_by_role("button", name="It really happened")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".count")).to_contain_text("legal moves")
