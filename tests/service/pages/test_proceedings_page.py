"""What happens around the moves, as one way: a receipt, a ruling that ends the game, signatures, and the closed record.

`proceedings.mjs` has each of these with all that it can say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import about_entry, about_game, entry, wait_until_stored
from tests.service.pages.test_one_screen_page import is_told_of_beside_its_board

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.soak  # `proceedings.mjs` has receipts, signatures and rulings
def test_a_receipt_is_saved_the_record_signed_and_a_game_ended_by_a_ruling_and_closed(
    page: Page, service, game: str
) -> None:
    _a_receipt_is_a_picture_and_a_file(page)
    _the_device_keeps_its_key(page, service, game)
    dialog = about_game(page, "Give a ruling")
    dialog.get_by_label("What it changes").select_option("adjudge")
    ranked = dialog.get_by_role("group", name="Tap who is first")
    for name in ("Björn", "Anna"):
        ranked.get_by_role("button", name=name).tap()
    expect(dialog.locator(".dry-run")).to_contain_text("Björn won · A referee decided")
    dialog.get_by_role("button", name="the referee decided").tap()
    dialog.get_by_role("button", name="Give the ruling").tap()
    wait_until_stored(page, 5)
    about_game(page, "Close the record as adjudicated").get_by_role("button", name="Close the record").click()
    expect(page.get_by_role("region", name="The record is closed")).to_contain_text("adjudicated")
    assert service.api.get(f"/v1/games/{game}").json()["closed"] == "adjudicated"
    is_told_of_beside_its_board(page)


def _a_receipt_is_a_picture_and_a_file(page: Page) -> None:
    dialog = about_entry(page, 2, "Receipt")
    expect(dialog.get_by_alt_text("The receipt as a QR code")).to_be_visible()
    page.wait_for_function("() => document.querySelector('img.qr').naturalWidth > 100")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save the file").click()
    assert saved.value.path().read_text(encoding="utf-8").startswith("c2sp.org/tlog-proof@v1")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def _the_device_keeps_its_key(page: Page, service, game: str) -> None:
    """Sign twice, as entries 3 and 4, with another page in between."""
    for version, seat in ((3, "1"), (4, "")):
        dialog = about_game(page, "Sign the record")
        dialog.get_by_label("Who signs").select_option(seat)
        dialog.get_by_role("button", name="Sign", exact=True).click()
        wait_until_stored(page, version)
        expect(entry(page, version)).to_contain_text(f"Signed the record up to entry {version - 1}")
        page.reload()
        wait_until_stored(page, version)
    first, second = (entry["signed"]["key"] for entry in service.entries(game)[-2:])
    assert first == second
