"""Pages follow what others record, and so does a browser's own EventSource."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import DEAL, about_game, enter, field, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Request

    from tests.served import Service

pytestmark = pytest.mark.browser

FOLLOW = """path => {
    window.told = [];
    window.stream = new EventSource(path);
    for (const kind of ["entry", "closed"])
        stream.addEventListener(kind, event => told.push(Number(event.lastEventId)));
    stream.addEventListener("gone", () => told.push("gone"));
}"""


DEAF = """(() => {
  const later = setTimeout;
  window.setTimeout = (work, ms, ...more) => ms === 4000 ? 0 : later(work, ms, ...more);
})()"""
"""Lets a page never ask by itself for what others recorded, so that only a stream can tell it."""
SEEN = """seen => {
  Object.defineProperty(document, "visibilityState", {value: seen ? "visible" : "hidden", configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Lets a page be looked at, or not."""


def is_stream(request: Request) -> bool:
    return "/stream" in request.url


@pytest.fixture
def deaf(visit: Callable[..., Page]) -> Page:
    """Another page of the same browser, which knows of others by streams alone."""
    page = visit("/none").context.new_page()
    page.add_init_script(DEAF)
    return page


def test_a_move_is_on_every_other_screen_at_once_and_the_pages_of_one_browser_share_a_stream(
    deaf: Page, phone: Page, service: Service, game: str, visit: Callable[..., Page]
) -> None:
    streams: list[Page] = []
    other, shared = deaf.context.new_page(), phone.context.new_page()
    link = service.api.post(f"/v1/games/{game}/links", json={}).json()["path"]
    for page in (other, phone, shared):
        page.add_init_script(DEAF)
    for page in (deaf, other):
        page.on("request", lambda request, page=page: is_stream(request) and streams.append(page))
    for page in (deaf, other, phone, shared):
        page.goto(link if page is shared else f"/games/{game}")
        wait_until_stored(page, 2)
    service.record(game, "BARI-DUDA")
    for page in (deaf, other, phone, shared):
        wait_until_stored(page, 3)
    assert streams == [deaf]
    with other.expect_response(lambda response: is_stream(response.request)):
        deaf.close()
    service.record(game, "+COCO")
    wait_until_stored(other, 4)
    _a_page_lets_go_of_its_stream_while_nobody_looks_and_misses_nothing(other, service, game)
    recording = visit(f"/games/{game}")
    recording.locator(".choice").first.wait_for()
    enter(recording, "+")
    for page in (recording, other, phone, shared):
        wait_until_stored(page, 8)
        expect(page.locator("#record [data-version]")).to_have_count(8)


def _a_page_lets_go_of_its_stream_while_nobody_looks_and_misses_nothing(
    page: Page, service: Service, game: str
) -> None:
    """Record three entries after the fourth one."""
    with page.expect_event("requestfailed", is_stream):
        page.evaluate(SEEN, False)
    service.record(game, "+", "+")
    page.evaluate(SEEN, True)
    wait_until_stored(page, 6)
    service.record(game, "+")
    wait_until_stored(page, 7)


@pytest.mark.soak  # `sending.test.mjs` says so, and `test_streams` ends streams
def test_a_page_says_that_what_may_be_seen_has_changed_and_a_browser_is_told_and_does_not_come_again(
    phone: Page, service: Service, game: str
) -> None:
    phone.goto(f"/games/{game}")
    wait_until_stored(phone, 2)
    phone.evaluate(FOLLOW, f"/v1/games/{game}/stream")
    phone.wait_for_function("() => stream.readyState === EventSource.OPEN")
    service.show(game, "private")
    banner = phone.locator("#connection")
    expect(banner).to_contain_text("What you may see here has changed")
    phone.wait_for_function("() => told.at(-1) === 'gone' && stream.readyState === EventSource.CLOSED")
    banner.get_by_role("button", name="Reload the page").click()
    expect(phone.get_by_role("main")).to_contain_text("no game")


def test_what_is_marked_focused_or_typed_stays_so_while_others_record(page: Page, service: Service, game: str) -> None:
    line = page.locator("#record [data-version='2'] .notation")
    line.evaluate("line => getSelection().selectAllChildren(line)")
    more = page.get_by_role("button", name="More about entry 2", exact=True)
    more.focus()
    service.record(game, "BARI-DUDA")
    wait_until_stored(page, 3)
    expect(more).to_be_focused()
    assert page.evaluate("getSelection().toString()") == DEAL
    about = page.get_by_role("button", name="Correct and more")
    about.focus()
    service.record(game, "+")
    wait_until_stored(page, 4)
    expect(page.locator("#moment")).to_contain_text("+")
    expect(about).to_be_focused()
    move = field(page)
    move.press_sequentially("e-f")
    move.evaluate("field => field.setSelectionRange(1, 3)")
    service.record(game, "DUDA-ELAI", "+")
    wait_until_stored(page, 6)
    expect(move).to_have_value("e-f")
    expect(move).to_be_focused()
    assert move.evaluate("field => [field.selectionStart, field.selectionEnd]") == [1, 3]
    move.fill("")
    dialog = about_game(page, "Add a note")
    text = dialog.get_by_role("textbox").first
    text.press_sequentially("what a ")
    service.record(game, "ELAI-FAAA")
    wait_until_stored(page, 7)
    text.press_sequentially("game")
    expect(text).to_have_value("what a game")
    expect(dialog).to_be_visible()
