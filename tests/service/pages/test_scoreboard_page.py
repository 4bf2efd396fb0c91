"""The page for a big screen: it shows a whole room how a game stands, follows it, and needs nobody to look after it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests import goldens, tiers
from tests.service.drawing.test_cards import NAMES
from tests.service.pages.steps import GAMES
from tests.service.pages.test_following import DEAF

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, ViewportSize

    from tests.served import Service

pytestmark = pytest.mark.browser

TV: ViewportSize = {"width": 1920, "height": 1080}
SMALLER: ViewportSize = {"width": 1280, "height": 720}
LEGIBLE = 36
"""Pixels that letters need on a screen of 1080 lines, a metre across, to be read from three metres."""

SMALLEST = """() => Math.min(...[...document.querySelectorAll("main *")]
  .filter((part) => part.checkVisibility() && !part.closest("svg, .middle"))
  .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((part) => parseFloat(getComputedStyle(part).fontSize)))"""
CUT = """() => [...document.querySelectorAll("#scoreboard li, #turn, #last .what, .qr, #board")]
  .filter((part) => {
    const {top, left, right, bottom} = part.getBoundingClientRect();
    return top < 0 || left < 0 || right > innerWidth || bottom > innerHeight;
  }).map((part) => part.outerHTML.slice(0, 200))"""
"""What of a page does not fit the screen."""
HALVED = """() => {
  const room = document.getElementById("last").getBoundingClientRect();
  return [...document.querySelectorAll("#last p")].map((told) => [told.textContent, told.getBoundingClientRect()])
    .filter(([, {top, right, bottom}]) => right <= room.right + 1 && (top < room.top - 1 || bottom > room.bottom + 1));
}"""
"""Sentences about the last entry that are in sight in part."""
SOON = 20_000
"""Milliseconds until a page asks again; a silent stream is not missed yet."""
NUMB = """(() => {
  const ask = window.fetch;
  const sign = new TextEncoder().encode("\\n");
  window.fetch = async (path, request) => {
    if (path.includes("/stream") && navigator.onLine)
      return new Response(new ReadableStream({start: (stream) => stream.enqueue(sign)}));
    const answer = await ask(path, request);
    if (window.late) {
      await new Promise((gone) => addEventListener("offline", gone, {once: true}));
      setTimeout(window.late, 50);
      window.late = null;
    }
    return answer;
  };
})()"""
"""A stream that does not notice that the network has gone, as Chromium's does now and then. Where `late` is set,
answers that have come by then are read later.
"""


LOOK = """() => {
  window.read = new Promise((done) => { window.late = done; });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Lets a page ask, and read the answer late: `read` is when it has."""


def shown(page: Page) -> Page:
    page.locator("main[aria-busy=false]").wait_for()
    return page


def test_a_scoreboard_tells_how_it_stands_as_everybody_may_see_it_and_a_share_link_has_one_that_leads_to_itself(
    visit: Callable[..., Page], service: Service, phone: Page, game: str
) -> None:
    page = visit("/none", viewport=TV).context.new_page()
    page.add_init_script(DEAF)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/games/{game}/scoreboard")
    shown(page)
    expect(page.locator("#scoreboard bdi")).to_have_text(["Anna", "Björn"])
    expect(page.locator("#scoreboard .points")).to_have_text(["0", "0"])
    expect(page.locator("#turn")).to_have_text("Anna to move")
    service.record(game, "BARI-DUDA", "+COCO")
    expect(page.locator("#turn")).to_have_text("Björn to move")
    expect(page.locator("#last")).to_contain_text("Anna: +COCO")
    expect(page.locator("#last")).to_contain_text("Anna took COCO from the row")
    expect(page.locator("#scoreboard [aria-current]")).to_contain_text("Björn")
    expect(page.locator("#board svg")).to_contain_text("COCO")
    for control in ("button", "link", "textbox"):
        expect(page.get_by_role(control)).to_have_count(0)
    parts = [urlsplit(url) for url in asked if f"/v1/games/{game}/" in url and "/stream" not in url]
    assert {part.path.rpartition("/")[2] for part in parts} >= {"timeline", "state", "board.svg"}
    assert all(parse_qs(part.query)["seat"] == ["public"] for part in parts)
    page.close()
    _it_says_that_a_game_is_shown_no_more_and_a_share_link_has_one_that_leads_to_itself(phone, service, game)


def _it_says_that_a_game_is_shown_no_more_and_a_share_link_has_one_that_leads_to_itself(
    phone: Page, service: Service, game: str
) -> None:
    phone.goto(f"/games/{game}/scoreboard")
    shown(phone)
    service.show(game, "private")
    expect(phone.get_by_role("main")).to_contain_text("no game")
    link = service.api.post(f"/v1/games/{game}/links", json={}).json()["path"]
    phone.goto(f"{link}/scoreboard")
    shown(phone)
    service.record(game, "+")
    expect(phone.locator("#last")).to_contain_text("Björn drew from the deck")
    label = phone.locator(".qr").get_attribute("aria-label")
    assert label
    assert label.endswith(link)
    assert phone.goto(f"/games/{game}/scoreboard").status == 404  # type: ignore[union-attr]
    moment = service.api.post(f"/v1/games/{game}/links", json={"at": 2}).json()["path"]
    assert phone.goto(f"{moment}/scoreboard").status == 404  # type: ignore[union-attr]


def test_a_scoreboard_waits_for_the_service_and_goes_on_by_itself_after_the_network_was_gone(
    visit: Callable[..., Page], service: Service, game: str
) -> None:
    page = visit("/none")
    page.route("**/v1/**", lambda route: route.abort())
    page.goto(f"/games/{game}/scoreboard")
    connection = page.locator("#connection")
    expect(connection).to_be_visible()
    page.unroute("**/v1/**")
    shown(page)
    expect(connection).to_be_hidden()
    page.context.set_offline(True)
    expect(connection).to_have_text("No connection: this may be out of date.")
    service.record(game, "BARI-DUDA")
    page.context.set_offline(False)
    expect(page.locator("#last")).to_contain_text("BARI-DUDA")
    expect(connection).to_be_hidden()
    page.goto("/none")  # its stream would be shared
    _what_was_answered_before_the_network_was_gone_does_not_bring_it_back(page.context.new_page(), game)


def _what_was_answered_before_the_network_was_gone_does_not_bring_it_back(page: Page, game: str) -> None:
    page.add_init_script(NUMB)
    page.goto(f"/games/{game}/scoreboard")
    shown(page)
    with page.expect_response(f"**/v1/games/{game}"):
        page.evaluate(LOOK)
    page.context.set_offline(True)
    page.evaluate("read")
    expect(page.locator("#connection")).to_be_visible(timeout=SOON)


CAPITALS = """() => [...document.querySelectorAll("#scoreboard bdi, #scoreboard .points, #turn")].map((part) => {
  const brush = document.createElement("canvas").getContext("2d");
  const {fontWeight, fontSize, fontFamily} = getComputedStyle(part);
  brush.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return brush.measureText("H").actualBoundingBoxAscent / innerHeight;
})"""
"""How high capitals are of names, points and turn, in heights of the screen."""
LETTER = 0.02 / 0.498
"""A 200th of four metres, in heights of a screen of 40 inches."""
OVER = """() => [...document.querySelectorAll("#scoreboard li")].flatMap((seat) => {
  const [name, points] = [...seat.querySelectorAll("bdi, .points")].map((part) => part.getBoundingClientRect());
  const line = parseFloat(getComputedStyle(seat.querySelector("bdi")).fontSize);
  return name.right > points.left || name.width < 4 * line ? [seat.outerHTML] : [];
})"""
"""Names that reach into their points, or have room for less than six letters."""


def test_a_scoreboard_is_legible_from_afar_and_fits_the_screen(visit: Callable[..., Page], service: Service) -> None:
    for count in range(2, 9) if tiers.SOAK else (8,):
        seats = [{"name": name} for name in (NAMES * 2)[:count]]
        game = service.open(ruleset="scoresheet", options={"template": "go"}, seats=seats)
        service.record(game, f"territory {' '.join(str(207 + seat) for seat in range(count))}", "p2 komi 6.5")
        page = shown(visit(f"/games/{game}/scoreboard", viewport=TV))
        expect(page.get_by_text("with komi: 214.5")).to_be_visible()
        for screen in (TV, SMALLER):
            page.set_viewport_size(screen)
            assert min(page.evaluate(CAPITALS)[:-1]) >= LETTER
            assert page.evaluate(CAPITALS)[-1] >= 0.85 * LETTER
            assert page.evaluate(SMALLEST) >= LEGIBLE * screen["height"] / 1080
            assert page.evaluate(CUT) == []
            assert page.evaluate(HALVED) == []
            assert page.evaluate(OVER) == []
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, "nor is it wider than a small phone"
    _every_scoreboard_fits_the_screen(visit, service)


def _every_scoreboard_fits_the_screen(visit: Callable[..., Page], service: Service) -> None:
    for name in (*GAMES, "many") if tiers.SOAK else ("many",):
        if name == "many":
            seats = [{"name": f"Somebody with a long name {number}"} for number in range(20)]
            game = service.open(ruleset="scoresheet", options={"template": "plain"}, seats=seats)
        else:
            game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
        page = shown(visit(f"/games/{game}/scoreboard", viewport=TV))
        assert page.evaluate(SMALLEST) >= LEGIBLE, name
        assert page.evaluate(CUT) == [], name
