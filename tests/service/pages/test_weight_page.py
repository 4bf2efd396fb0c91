"""A page is light, asks for little, and stays where it is while it loads."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import takewhile
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from service.languages import COOKIE
from tests import goldens, tiers
from tests.service.pages.steps import DEAL, GAMES, field, wait_until_loaded, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from playwright.sync_api import Page, Request, ViewportSize

    from tests.served import Service

pytestmark = pytest.mark.browser

HEAVIEST = 90_000
"""Bytes that a page may load before it stands, as they are sent, with the record of a long game."""
SCRIPTS, STYLES = 59_500, 12_000
"""Bytes of scripts and of styles among them, with the words of another language."""
FOLLOWING = 37_500
"""Bytes of scripts where nobody records: in a game that is over, and for who may only look."""
LATER = "/later/"
"""Stands in the address of each script that another one loads. The page names those that it needs before it stands."""
SMALL_BOARD = "/board.svg?seat=public"
"""Stands in the address of each board in a row of the list. It is loaded once it is nearly in sight."""
SCRIPTS_LATER = 13_000
"""Bytes of such scripts."""
MOST = 16
"""Requests that a page may make before it stands."""
SHIFT = 0.05
"""How far what is seen may move about while a page loads (cumulative layout shift): more is not good."""

SHIFTED = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((seen) => seen.getEntries().forEach(({value, hadRecentInput}) => {
    if (!hadRecentInput) moved += value;
  })).observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => setTimeout(() => done(moved)));
})"""
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
SCREENS = (PHONE, DESK)
OTHERS = ("/", "/rulesets/kahuna", "/rulesets/scoresheet/template", "/login", "/join", "/access", "/problems")


def measured(page: Page, path: str) -> tuple[list[tuple[str, int]], float]:
    """Of what type each answer was and how many bytes it had, and how far what is seen moved about.

    Scripts and pictures that are loaded later are left out: it is chance whether one has come by the time that the page
    stands. Those scripts count that the page names.
    """
    answered: list[Request] = []

    def note(request: Request) -> None:
        answered.append(request)

    network = page.context.new_cdp_session(page)
    network.send("Network.enable")  # without which nothing is disabled
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.on("requestfinished", note)
    page.goto(path)
    if path.endswith("/scoreboard"):
        page.locator("#game[aria-busy=false]").wait_for()
    elif path.startswith("/games/"):
        page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
        page.locator("#audit .sum").wait_for(state="attached")
    else:
        wait_until_loaded(page, path)
    page.remove_listener("requestfinished", note)
    network.detach()
    needed = page.evaluate("[...document.querySelectorAll('link[rel=modulepreload]')].map(({href}) => href)")
    sizes = [
        (request.resource_type, max(0, request.sizes()["responseBodySize"]))
        for request in answered
        if request.url in needed or not (LATER in request.url or SMALL_BOARD in request.url)
    ]
    return sizes, page.evaluate(SHIFTED)


def check(page: Page, path: str, screens: Sequence[ViewportSize] = SCREENS, scripts: int = SCRIPTS) -> None:
    for screen in screens:
        page.set_viewport_size(screen)
        sizes, shift = measured(page, path)
        assert sum(size for _, size in sizes) <= HEAVIEST, path
        assert 0 < sum(size for kind, size in sizes if kind == "script") <= scripts, path
        assert 0 < sum(size for kind, size in sizes if kind == "stylesheet") <= STYLES, path
        assert len(sizes) <= MOST, path
        assert shift <= SHIFT, path


def test_a_game_is_light_and_stays_where_it_is_while_it_loads(visit: Callable[..., Page], service: Service) -> None:
    for name in (*GAMES, "playing") if tiers.SOAK else ("kahuna/points", "playing"):
        if name == "playing":
            game = service.open("Aiko", "Ben")
            service.record(game, DEAL, "BARI-DUDA")
        else:
            game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
        scripts = SCRIPTS if name == "playing" else FOLLOWING
        screen = PHONE if name == "playing" else DESK
        check(visit("/none"), f"/games/{game}", SCREENS if tiers.SOAK else [screen], scripts)
        check(visit("/none"), f"/games/{game}/scoreboard", [DESK], scripts)


@contextmanager
def told_all(page: Page) -> Iterator[None]:
    """See that a page is told what its script needs along with it: each question takes a phone there and back."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url.partition("/v1/")[2])

    page.on("request", note)
    yield
    wait_until_stored(page, 2)
    page.locator("#audit .sum").wait_for(state="attached")
    with_it = takewhile(lambda address: "/stream" not in address, filter(None, asked))  # following begins with it
    assert [*with_it] == []
    page.remove_listener("request", note)


def _who_only_looks_loads_nothing_that_records_and_asks_for_nothing(visit: Callable[..., Page], game: str) -> None:
    page = visit("/none", owner=False)
    with told_all(page):
        check(page, f"/games/{game}", [PHONE], FOLLOWING)
    page.wait_for_load_state("load")
    assert page.evaluate("performance.getEntriesByType('resource').filter(({name}) => name.includes('/record/'))") == []


def test_a_game_loads_little_later_and_asks_for_nothing_before_nor_after_an_entry(
    visit: Callable[..., Page], game: str
) -> None:
    _who_only_looks_loads_nothing_that_records_and_asks_for_nothing(visit, game)
    page = visit("/none")  # not the page of a game: its scripts could still be loading
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    with (
        told_all(page),
        page.expect_request_finished(lambda request: "/record/actions" in request.url) as found,
    ):
        page.goto(f"/games/{game}")
    assert 0 < found.value.sizes()["responseBodySize"] <= SCRIPTS_LATER
    session.detach()
    _an_entry_is_answered_with_what_its_page_shows_next(page)


def _an_entry_is_answered_with_what_its_page_shows_next(page: Page) -> None:
    field(page).fill("b-d")
    page.locator("#preview .dry-run").wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("/v1/")[2]))
    page.get_by_role("button", name="Record", exact=True).tap()
    wait_until_stored(page, 3)
    page.locator("#board[data-shown='3']").wait_for()
    page.locator("#recorder[data-offered='3']").wait_for()
    expect(page.locator("#audit .sum")).to_contain_text("After entry 3")
    assert [address for address in asked if address and "/stream" not in address] == [
        f"games/{page.url.rpartition('/')[2]}/events?look=record"
    ]


def _any_other_page_is_light_and_stays_where_it_is_while_it_loads(visit: Callable[..., Page]) -> None:
    """Its bytes are the same on every screen: a short run looks at each page on one."""
    screens = {"/": PHONE, "/rulesets/scoresheet/template": DESK, "/access": PHONE}
    for path in OTHERS if tiers.SOAK else screens:
        check(visit("/none"), path, SCREENS if tiers.SOAK else [screens[path]])


IN_JAPANESE = ("/", "/access", "/rulesets/scoresheet/template", "/games/{}", "/games/{}#score", "/games/{}#analysis")


def test_other_pages_pages_in_another_language_and_the_heaviest_games_are_light(
    visit: Callable[..., Page], service: Service, finished: str
) -> None:
    """As they are loaded for the first time, with no worker that keeps a copy."""
    _any_other_page_is_light_and_stays_where_it_is_while_it_loads(visit)
    heavy = service.import_text((goldens.FOLDER / "catan_cards/buildings.txt").read_text(encoding="utf-8"))
    page = visit("/none")
    page.context.add_cookies([{"name": COOKIE, "value": "ja", "url": page.url}])
    for path in IN_JAPANESE if tiers.SOAK else IN_JAPANESE[2:3]:
        check(page, path.format(finished), [PHONE])
        assert page.locator("html").get_attribute("lang") == "ja"
    check(page, f"/games/{heavy}", [PHONE], FOLLOWING)
