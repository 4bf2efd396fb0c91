"""Pages follow what others record, and so does a browser's own EventSource."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import DEAL, about_game, enter, field, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Request, Route

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


def test_a_move_is_on_every_other_screen_at_once(
    deaf: Page, phone: Page, service: Service, game: str, visit: Callable[..., Page]
) -> None:
    phone.add_init_script(DEAF)
    link = service.api.post(f"/v1/games/{game}/links", json={}).json()["path"]
    shared = phone.context.new_page()
    shared.add_init_script(DEAF)
    for page, path in ((deaf, f"/games/{game}"), (phone, f"/games/{game}"), (shared, link)):
        page.goto(path)
        wait_until_stored(page, 2)
    recording = visit(f"/games/{game}")
    recording.locator(".choice").first.wait_for()
    enter(recording, "b-d")
    for page in (recording, deaf, phone, shared):
        wait_until_stored(page, 3)
        expect(page.locator("#record [data-version]")).to_have_count(3)


def test_a_page_that_can_have_no_stream_asks_by_itself(visit: Callable[..., Page], service: Service, game: str) -> None:
    page = visit("/none")
    asked: list[str] = []
    page.route("**/stream*", lambda route: (asked.append(route.request.url), route.fulfill(status=503)))
    page.goto(f"/games/{game}")
    wait_until_stored(page, 2)
    service.record(game, "BARI-DUDA")
    wait_until_stored(page, 3)
    assert asked
    expect(page.locator("#connection")).to_be_hidden()


def test_a_page_shows_all_of_a_game_that_grows_while_it_loads(phone: Page, service: Service, game: str) -> None:
    asked = f"/v1/games/{game}"

    def load(route: Route) -> None:
        """Tell the page of its entries, and not of the game, which has one more when it is asked for."""
        answer = route.fetch()
        before, mark, rest = answer.text().partition('id="embedded">')
        result, end, after = rest.partition("</script>")
        answers = {path: known for path, known in json.loads(result).items() if path != asked}
        assert len(answers) == len(json.loads(result)) - 1
        service.record(game, "b-d")
        route.fulfill(response=answer, body="".join((before, mark, json.dumps(answers), end, after)))

    phone.route(f"{service.base}/games/{game}", load)
    service.show(game, "public")
    phone.goto(f"/games/{game}")
    wait_until_stored(phone, 3)


def test_the_pages_of_one_browser_share_a_stream_let_go_of_it_while_nobody_looks_and_miss_nothing(
    deaf: Page, service: Service, game: str
) -> None:
    streams: list[Page] = []
    other = deaf.context.new_page()
    other.add_init_script(DEAF)
    for page in (deaf, other):
        page.on("request", lambda request, page=page: is_stream(request) and streams.append(page))
        page.goto(f"/games/{game}")
        wait_until_stored(page, 2)
    service.record(game, "BARI-DUDA")
    for page in (deaf, other):
        wait_until_stored(page, 3)
    assert streams == [deaf]
    with other.expect_response(lambda response: is_stream(response.request)):
        deaf.close()
    service.record(game, "+COCO")
    wait_until_stored(other, 4)
    with other.expect_event("requestfailed", is_stream):
        other.evaluate(SEEN, False)
    service.record(game, "+", "+")
    other.evaluate(SEEN, True)
    wait_until_stored(other, 6)
    service.record(game, "+")
    wait_until_stored(other, 7)
    expect(other.locator("#record [data-version]")).to_have_count(7)


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


def test_the_lines_of_a_sheet_keep_what_is_typed_while_others_record_another(
    visit: Callable[..., Page], service: Service
) -> None:
    seats = [{"name": "Aiko"}, {"name": "Ben"}, {"name": "Chiara"}]
    game = service.open(ruleset="scoresheet", options={"template": "wizard"}, seats=seats)
    page = visit(f"/games/{game}", viewport={"width": 1280, "height": 900})
    tricks = page.locator(".blanks details", has_text="Round 1, tricks")
    tricks.locator("summary").click()
    first = tricks.locator("input").first
    first.fill("1")
    service.record(game, "r1 1 0 0")
    wait_until_stored(page, 2)
    expect(page.locator(".blanks details", has_text="Round 1, bid")).to_have_count(0)
    expect(first).to_have_value("1")
    expect(first).to_be_focused()
    expect(tricks).to_have_attribute("open", "")
    expect(field(page)).to_have_value("r1 tricks 1 ? ?")
