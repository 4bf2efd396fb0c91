"""The list of games follows what is recorded: nothing is loaded anew, and nothing moves under a finger."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect
from uuid_utils import uuid7

from tests.service.pages.steps import DEAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

IMPATIENT = """(() => {
  const later = setTimeout;
  window.setTimeout = (work, ms, ...more) => ms === 15000 ? 0 : later(work, ms, ...more);
  window.loaded = true;
})()"""
"""Lets the page never ask by itself what is new, so that only a stream can tell it."""

ROOMIER = """() => {
  const style = new CSSStyleSheet();
  style.replaceSync(".games [data-version='3'] .meta { padding-bottom: 3rem; }");
  document.adoptedStyleSheets.push(style);
}"""
"""Lets a game of three entries take more room than before, with any fonts."""


def row(page: Page, game: str) -> Locator:
    return page.locator(f".games > [data-game='{game}']")


def listed(visit: Callable[..., Page], path: str) -> Page:
    """The list, once its stream holds."""
    page = visit("/none").context.new_page()
    page.add_init_script(IMPATIENT)
    with page.expect_response(re.compile("/v1/stream")):
        page.goto(path)
    return page


def places(page: Page) -> list[tuple[str, float, float]]:
    """Where each game stands on the screen."""
    found: list[tuple[str, float, float]] = page.locator(".games > li").evaluate_all(
        "rows => rows.map(row => [row.dataset.game, row.getBoundingClientRect().top, row.getBoundingClientRect().left])"
    )
    return found


def titled(service: Service, count: int) -> tuple[str, *tuple[str, ...]]:
    """A search for a title that nothing else has, and games of that title: fewer rows have fewer boards to draw."""
    title = f"Row {uuid7()}"
    games = [service.open(title=title) for _ in range(count)]
    service.catch_up()
    return f"/?q={title}", *games


def end(service: Service, game: str) -> None:
    service.add(game, {"type": "game.closed", "data": {"how": "abandoned", "reason": "dinner"}})


def test_the_list_shows_moves_and_ends_where_a_game_stands_and_new_games_once_somebody_wants_to_see_them(
    visit: Callable[..., Page], service: Service
) -> None:
    path, below, game, above = titled(service, 3)
    page = listed(visit, f"{path}&status=playing")
    expect(row(page, game)).to_contain_text("1 entry")
    page.evaluate(ROOMIER)
    before = places(page)
    link = row(page, game).get_by_role("link")
    link.evaluate("link => link.focus({ preventScroll: true })")
    service.record(game, DEAL)
    expect(row(page, game)).to_contain_text("2 entries")
    end(service, game)
    expect(row(page, game)).to_contain_text("abandoned")
    expect(row(page, game)).to_contain_text("3 entries")
    assert places(page) == before
    assert [game for game, *_ in before] == [above, game, below]
    expect(link).to_be_focused()
    height = row(page, game).evaluate("row => row.style.height")
    page.mouse.wheel(0, 100)
    expect(row(page, game)).not_to_have_attribute("style", re.compile("height"))
    assert height, "it needs more room, and has it once the page is scrolled"
    service.open(title="Something else")
    fits = service.open(title=path.partition("=")[2])
    expect(page.locator("#news")).to_have_text("Show 1 new game")
    page.locator("#news button").click()
    _what_was_found_is_seen_before_new_games(page, fits)
    _new_games_wait_until_somebody_wants_to_see_them(page, service)


def _what_was_found_is_seen_before_new_games(page: Page, game: str) -> None:
    expect(row(page, game)).to_be_in_viewport()
    page.locator("#opening [name=what]").fill("kahuna")
    expect(page.locator("#opening .playable button").first).to_be_visible()
    page.goto("/")
    expect(page.locator("#opening")).to_be_in_viewport()
    assert places(page)[0][1] > page.locator("#opening").bounding_box()["y"]  # type: ignore[index]


def _new_games_wait_until_somebody_wants_to_see_them(page: Page, service: Service) -> None:
    old = service.open()
    expect(page.locator("#news")).to_have_text("Show 1 new game")
    page.locator("#news button").click()
    before = places(page)
    first = service.open(title="The first")
    news = page.locator("#news")
    expect(news).to_have_text("Show 1 new game")
    second = service.open(title="The second")
    expect(news).to_have_text("Show 2 new games")
    service.record(first, DEAL)
    service.record(old, DEAL)
    expect(row(page, old)).to_contain_text("2 entries")
    assert places(page) == before
    news.get_by_role("button").click()
    expect(news).to_be_empty()
    expect(row(page, first)).to_contain_text("2 entries")
    shown = [game for game, *_ in places(page)]
    assert shown[:2] in ([first, second], [second, first])
    service.record(second, DEAL)
    expect(row(page, second)).to_contain_text("2 entries")
    row(page, second).get_by_role("link").click()
    page.wait_for_url(f"**/games/{second}")
