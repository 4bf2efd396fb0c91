"""A key that says all of a move records it once, however it is tapped: `recording.mjs` has what needs no finger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.service.pages.steps import field, wait_until_stored
from tests.service.pages.test_double_tap_page import double_tap, rest

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
CONFLICT = "verraeter", "three_players", 22
"""A recorded game with so many entries, at which somebody lays cards or none."""


@pytest.fixture
def open_page(visit: Callable[..., Page]) -> Callable[[str], Page]:
    """The page of a game on a phone, ready for a tap."""

    def open_it(game: str) -> Page:
        page = visit(f"/games/{game}", viewport=PHONE, motion=True)
        page.locator("#recorder[data-offered]").wait_for(state="attached")
        return page

    return open_it


def key(page: Page, text: str) -> Locator:
    return page.locator(f'.choice[value="{text}"]')


@pytest.mark.soak  # `recording.mjs` records by such keys
def test_a_key_that_says_all_of_a_move_records_it_once_and_others_are_confirmed(open_page, service: Service) -> None:
    game = service.import_text(goldens.cut(*CONFLICT))
    before = service.version(game)
    page = open_page(game)
    expect(key(page, "lay -")).to_have_accessible_description("recorded at once")
    expect(key(page, "lay 3")).to_have_accessible_description("")
    key(page, "lay 3").tap()
    expect(page.locator("#preview .dry-run")).to_be_visible()
    assert service.version(game) == before
    field(page).fill("")
    rest(page)
    double_tap(key(page, "lay -"), 150)
    wait_until_stored(page, before + 1)
    rest(page)
    assert service.notations(game)[-1] == "lay -"
    assert service.version(game) == before + 1
    page.get_by_role("button", name="Undo").tap()
    dialog = page.locator("dialog.form-dialog[open]")
    expect(dialog).to_contain_text("lay -")
    rest(page)
    dialog.get_by_role("button", name="Withdraw").tap()
    wait_until_stored(page, before + 2)
    expect(key(page, "lay -")).to_be_visible()
    _a_key_that_is_held_down_is_pressed_once(page, service, game)


def _a_key_that_is_held_down_is_pressed_once(page: Page, service: Service, game: str) -> None:
    before = service.version(game)
    key(page, "lay -").focus()
    for _ in range(8):
        page.keyboard.down("Enter")
        page.wait_for_timeout(60)
    page.keyboard.up("Enter")
    wait_until_stored(page, before + 1)
    rest(page)
    assert service.version(game) == before + 1
