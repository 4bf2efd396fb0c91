"""A held Enter is one press: what it leads to is not pressed, sent or left with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import NO_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

REPEATS = 12
"""How often a keyboard repeats a key that is held for a second, or a little less."""


def hold_enter(page: Page) -> None:
    for _ in range(REPEATS):
        page.keyboard.down("Enter")
        page.wait_for_timeout(30)
    page.keyboard.up("Enter")


def test_a_held_enter_goes_one_cell_on_and_records_no_line_with_gaps(visit: Callable[..., Page], service) -> None:
    seats = [{"name": name} for name in ("Aiko", "Ben", "Chiara")]
    game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    page = visit(f"/games/{game}")
    page.locator("#recorder[data-offered]").wait_for(state="attached")
    pad = page.locator("#keypad")
    expect(pad.locator('.chip[aria-pressed="true"]')).to_contain_text("Aiko")
    page.keyboard.press("5")
    expect(pad.locator(".chip b")).to_have_text(["5", "–", "–"])
    hold_enter(page)
    assert service.version(game) == 1
    expect(pad.locator('.chip[aria-pressed="true"]')).to_contain_text("Ben")
    expect(pad.locator(".chip b")).to_have_text(["5", "–", "–"])


@pytest.mark.soak  # no page takes the repeats of a key: a sheet shows it
def test_a_held_enter_adds_no_seats_and_starts_no_game(visit: Callable[..., Page], service: Service) -> None:
    page = visit(NO_GAMES)
    form = page.locator("#opening")
    form.get_by_role("searchbox").fill("running")
    expect(form.locator(".playable button").first).to_have_text("Rounds with a running total")
    form.locator(".playable button").first.click()
    seats = form.locator("input[data-seat]")
    expect(seats.first).to_be_visible()
    before = seats.count()
    seats.last.fill("Aiko")
    hold_enter(page)
    assert seats.count() == before
    expect(form.locator("button.another")).to_be_focused()
