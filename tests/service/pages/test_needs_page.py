"""A person who needs large text, colours of their own, no motion or only the keyboard has all of a game's page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.choosing import soak_except
from tests.service.pages.looks import LARGER, assert_text_fits
from tests.service.pages.steps import (
    GAMES,
    about_game,
    enter,
    field,
    show_all_tabs,
    wait_until_stored,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

MOVING = """() => document.getAnimations({ subtree: true }).map((one) => one.constructor.name)"""
PAINTED = """(part) => {
  const { backgroundColor, borderTopColor, borderTopWidth, outlineStyle } = getComputedStyle(part);
  return [backgroundColor, borderTopColor, borderTopWidth, outlineStyle].join();
}"""


def test_a_game_is_there_in_colours_of_ones_own_without_motion_and_with_text_of_twice_the_size(page: Page) -> None:
    _tells_what_is_chosen_in_few_colours(page)
    _moves_nothing(page)
    assert_text_fits(page)
    field(page).fill("b-c (d)")
    expect(page.get_by_role("alert")).to_be_visible()
    assert_text_fits(page)
    about_game(page, "Give a ruling")
    assert_text_fits(page)
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_in_viewport()


def _tells_what_is_chosen_in_few_colours(page: Page) -> None:
    """Where a browser paints in few colours, grounds go: what they say has to be said by something else."""
    page.emulate_media(forced_colors="active")
    try:
        chosen, other = page.get_by_role("tab", name="History"), page.get_by_role("tab", name="Score")
        assert chosen.evaluate(PAINTED) != other.evaluate(PAINTED)
        now, later = page.locator("#scoreboard li[aria-current]"), page.locator("#scoreboard li:not([aria-current])")
        assert now.evaluate(PAINTED) != later.evaluate(PAINTED)
        stones = page.locator("#scoreboard .stone")
        assert stones.nth(0).evaluate(PAINTED) != stones.nth(1).evaluate(PAINTED)
    finally:
        page.emulate_media(forced_colors="none")


def _moves_nothing(page: Page) -> None:
    """See that keys and cards move for somebody who wants motion, and that nothing does for anybody else."""
    wanted: Literal["no-preference", "reduce"]
    for wanted, moves in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=wanted)
        for selector in ("button", ".card"):
            lasts = page.locator(selector).first.evaluate("(part) => getComputedStyle(part).transitionDuration")
            assert (lasts != "0s") is moves, selector
    enter(page, "b-d")
    assert page.evaluate(MOVING) == []
    wait_until_stored(page, 3)
    assert page.evaluate(MOVING) == []


@pytest.mark.parametrize("name", soak_except(GAMES, "catan_cards/buildings"))
@pytest.mark.soak
def test_all_tabs_of_a_game_have_room_for_text_of_twice_the_size(
    visit: Callable[..., Page], service: Service, name: str
) -> None:
    page = visit(f"/games/{service.import_text(goldens.cut(*name.split('/'), 12))}")
    stands = page.locator("#game[aria-busy=false] #board[aria-busy=false] svg")
    stands.wait_for(state="attached")
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert_text_fits(page)
    page.get_by_role("button", name="Show the board as tables").click()
    assert_text_fits(page)
    page.reload()
    stands.wait_for(state="attached")
    show_all_tabs(page)
    assert_text_fits(page, LARGER)
