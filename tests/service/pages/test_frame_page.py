"""A game in a frame of another site: it fits the frame, is dark where its reader wants that, and says its height."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import goldens
from tests.choosing import soak_except
from tests.service.pages.steps import GAMES, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

FRAME = {"width": 480, "height": 720}
"""The frame that oEmbed offers."""
NARROW = {"width": 360, "height": 560}
STEEP = ("verraeter/four_players", "catan_cards/buildings", "kahuna/points", "manapani/two_players")
"""Boards that are much higher than wide."""
LETTERS = """() => [...document.querySelectorAll("svg text")].map((text) => {
  const { a, b } = text.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
})"""
"""How high each letter of a board is, in pixels."""
FITS = """() => {
  const low = document.querySelector(".by").getBoundingClientRect().bottom;
  const board = document.querySelector("svg").getBoundingClientRect();
  const figure = document.querySelector("figure").getBoundingClientRect();
  const all = document.documentElement.scrollHeight;
  return low <= innerHeight && board.bottom <= figure.bottom + 1 && all <= innerHeight;
}"""
"""Whether all of the page stands in its frame."""
LISTEN = """() => {
  addEventListener("message", ({ data }) => { if (data.type === "kifu.height") window.told = data; });
}"""


@pytest.mark.parametrize("name", soak_except(GAMES, "verraeter/four_players", "scoresheet/wizard"))
def test_a_board_fits_the_frame_that_sites_are_offered_and_asks_for_the_height_that_it_would_like(
    visit: Callable[..., Page], service: Service, name: str
) -> None:
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    page = visit(f"/embed/games/{game}", viewport=FRAME, color_scheme="dark", owner=False)
    assert name in STEEP or page.evaluate(FITS)
    assert page.locator("svg").evaluate("board => getComputedStyle(board).filter") != "none"
    page.evaluate(LISTEN)
    page.set_viewport_size({"width": 400, "height": 200})
    wait_for(page, lambda: page.evaluate("window.told"))
    told = page.evaluate("window.told")
    assert told["game"] == game
    page.set_viewport_size({"width": 400, "height": told["height"]})
    assert page.evaluate(FITS)
    full = page.evaluate("document.querySelector('svg').getBoundingClientRect().height")
    page.set_viewport_size({"width": 400, "height": 2000})
    assert page.evaluate("document.querySelector('svg').getBoundingClientRect().height") == pytest.approx(full, abs=1)


@pytest.mark.parametrize("name", soak_except(STEEP, "verraeter/four_players", "catan_cards/buildings"))
def test_a_steep_board_can_be_read_in_a_low_and_narrow_frame(
    visit: Callable[..., Page], service: Service, name: str
) -> None:
    """It was as high as the frame, with letters of 3 px. So the frame is scrolled, and a very wide board in it."""
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    page = visit(f"/embed/games/{game}", viewport=NARROW, owner=False)
    assert min(page.evaluate(LETTERS)) >= 6.9
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    board = page.locator("figure")
    wide = board.evaluate("(figure) => figure.scrollWidth > figure.clientWidth")
    assert board.evaluate("(figure) => figure.tabIndex") == (0 if wide else -1)
