"""A page is light, asks for little, and stays where it is while it loads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests import goldens
from tests.service.pages.steps import DEAL, GAMES, settle

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Request

    from tests.served import Service

pytestmark = pytest.mark.browser

HEAVIEST = 90_000
"""Bytes that a page may load, as they are sent."""
MOST = 16
"""Requests that a page may make before it stands."""
SHIFT = 0.1
"""How far what is seen may move about while a page loads (cumulative layout shift): more is not good."""

SHIFTED = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((seen) => seen.getEntries().forEach(({value, hadRecentInput}) => {
    if (!hadRecentInput) moved += value;
  })).observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => setTimeout(() => done(moved)));
})"""
SCREENS = ({"width": 390, "height": 844}, {"width": 1280, "height": 900})
OTHERS = ("/", "/rulesets/kahuna", "/rulesets/scoresheet/template", "/login", "/join", "/access", "/problems")


def measured(page: Page, path: str) -> tuple[list[int], float]:
    """How many bytes each answer had, and how far what is seen moved about."""
    answered: list[Request] = []

    def note(request: Request) -> None:
        answered.append(request)

    network = page.context.new_cdp_session(page)
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.on("requestfinished", note)
    page.goto(path)
    if path.endswith("/scoreboard"):
        page.locator("#game[aria-busy=false]").wait_for()
    elif path.startswith("/games/"):
        page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
        page.locator("#audit .sum").wait_for(state="attached")
    else:
        settle(page, path)
    page.remove_listener("requestfinished", note)
    network.detach()
    return [max(0, request.sizes()["responseBodySize"]) for request in answered], page.evaluate(SHIFTED)


def check(page: Page, path: str) -> None:
    for screen in SCREENS:
        page.set_viewport_size(screen)
        sizes, shift = measured(page, path)
        assert sum(sizes) <= HEAVIEST
        assert len(sizes) <= MOST
        assert shift <= SHIFT


@pytest.mark.parametrize("name", [*GAMES, "playing"])
def test_a_game_is_light_and_stays_where_it_is_while_it_loads(
    visit: Callable[..., Page], service: Service, name: str
) -> None:
    if name == "playing":
        game = service.open("Aiko", "Ben")
        service.record(game, DEAL, "BARI-DUDA")
    else:
        game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    for path in (f"/games/{game}", f"/games/{game}/scoreboard"):
        check(visit("/none"), path)


@pytest.mark.parametrize("path", OTHERS)
def test_any_other_page_is_light_and_stays_where_it_is_while_it_loads(visit: Callable[..., Page], path: str) -> None:
    check(visit("/none"), path)
