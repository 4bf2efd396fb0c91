"""A key that says all of a move records it, and all that is chosen is confirmed: dice have tests with other taps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.service.pages.steps import Gate, field, lose_network, record_button, wait_for, wait_until_stored
from tests.service.pages.test_double_tap_page import double_tap, rest

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
CONFLICT = "verraeter", "three_players", 22
"""A recorded game with so many entries, at which somebody lays cards or none."""
LAST = "kahuna", "seafarer_both_removed", 121
"""The same, at which the game ends if nobody draws."""


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


def test_a_key_that_ends_the_game_is_confirmed(open_page, service: Service) -> None:
    game = service.import_text(goldens.cut(*LAST))
    before = service.version(game)
    page = open_page(game)
    key(page, "-").tap()
    expect(page.locator("#preview .dry-run")).to_be_visible()
    expect(record_button(page)).to_be_enabled()
    rest(page)
    assert service.version(game) == before
    record_button(page).tap()
    wait_until_stored(page, before + 1)


def test_while_such_a_key_is_tried_record_stores_nothing_twice_and_what_was_cleared_is_not_stored(
    open_page, service: Service
) -> None:
    game = service.import_text(goldens.cut(*CONFLICT))
    before = service.version(game)
    page = open_page(game)
    gate = Gate(page, re.compile(r"dry_run"))
    key(page, "lay -").tap()
    page.get_by_role("button", name="Clear the move").tap()
    wait_for(page, lambda: gate.waiting)
    gate.open()
    rest(page)
    expect(field(page)).to_have_value("")
    assert service.version(game) == before
    page.unroute_all(behavior="wait")
    gate = Gate(page, re.compile(r"dry_run"))
    key(page, "lay -").tap()
    record_button(page).tap()
    wait_for(page, lambda: gate.waiting)
    gate.open()
    wait_until_stored(page, before + 1)
    rest(page)
    assert service.version(game) == before + 1


def test_without_a_network_it_waits_and_undo_takes_it_back_with_one_tap(open_page, service: Service) -> None:
    game = service.import_text(goldens.cut(*CONFLICT))
    before = service.version(game)
    page = open_page(game)
    lose_network(page)
    key(page, "lay -").tap()
    expect(page.locator("#outbox")).to_contain_text("lay -")
    page.get_by_role("button", name="Undo").tap()
    expect(field(page)).to_have_value("lay -")
    expect(page.locator("#outbox")).not_to_contain_text("lay -")
    page.context.set_offline(False)
    rest(page)
    assert service.version(game) == before


def test_a_key_that_is_held_down_is_pressed_once(open_page, service: Service) -> None:
    game = service.import_text(goldens.cut(*CONFLICT))
    before = service.version(game)
    page = open_page(game)
    key(page, "lay -").focus()
    for _ in range(8):
        page.keyboard.down("Enter")
        page.wait_for_timeout(60)
    page.keyboard.up("Enter")
    wait_until_stored(page, before + 1)
    rest(page)
    assert service.version(game) == before + 1
