"""On a phone the board and what to do next stand on one screen, and what was tapped is all that it takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import tiers
from tests.goldens import cut
from tests.service.pages.steps import DOUBLE_TAP, field, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import FloatRect, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
HEIGHTS = """all => all.map(text => text.getScreenCTM().a * parseFloat(text.getAttribute("font-size")))
  .filter(size => size)"""
"""Of texts: the size of their letters on the screen."""
BUZZ = "navigator.vibrate = (length) => { document.body.dataset.buzzed = length; return true; }"


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found, selector
    return found


def turn(page: Page, switch: str, to: str) -> None:
    """Turn one of the recorder's switches."""
    now = {"on": "off", "off": "on"}[to]
    page.get_by_role("button", name="More …", exact=True).tap()
    page.locator("dialog.sheet").get_by_role("button", name=f"{switch}: {now}").tap()
    expect(page.locator("dialog.sheet")).to_be_hidden()


PLAIN = (("kahuna/points", 12), ("manapani/two_players", 12))
CROWDED = (
    *(("verraeter/four_players", entries) for entries in (7, 9, 10)),
    *(("catan_cards/later_knights", entries) for entries in (60, 61)),
)
"""Games with so many entries, after which a board has much on it."""


def test_the_board_and_what_to_do_next_stand_on_one_screen(visit: Callable[..., Page], service: Service) -> None:
    for name, entries in (*PLAIN, *CROWDED) if tiers.SOAK else (*PLAIN, CROWDED[2], CROWDED[4]):
        page = visit(f"/games/{service.import_text(cut(*name.split('/'), entries))}", viewport=PHONE)
        _stand_on_one_screen(page, name)
        if (name, entries) in CROWDED:
            _a_board_with_much_on_it_is_as_large_as_it_has_to_be_and_shows_what_is_on(page, name)
        if name.startswith("verraeter"):
            _a_choice_shows_what_it_stores_or_where_it_leads_and_no_number_beside(page)


SEEN = """all => all.map((choice) => {
  const seen = [...choice.childNodes].filter((part) => !part.classList?.contains("hidden"));
  return [choice.value, choice.classList.contains("more"), seen.map(({textContent}) => textContent).join("")];
})"""


def _a_choice_shows_what_it_stores_or_where_it_leads_and_no_number_beside(page: Page) -> None:
    choices = page.locator(".choice").evaluate_all(SEEN)
    assert choices
    for value, leads, seen in choices:
        result = re.sub(r" \?.*", "", value)  # what goes beside the play is called by its beginning
        assert f" {result}".endswith(f" {seen.removesuffix(' …')}")
        assert seen.endswith(" …") == leads


@pytest.mark.soak
@pytest.mark.parametrize(("name", "entries"), [("four_players", 0), ("three_players", 20), ("four_players", 60)])
def test_a_choice_shows_what_it_stores_or_where_it_leads_and_no_number_beside(
    visit: Callable[..., Page], service: Service, name: str, entries: int
) -> None:
    page = visit(f"/games/{service.import_text(cut('verraeter', name, entries))}")
    page.locator(".choice").first.wait_for()
    _a_choice_shows_what_it_stores_or_where_it_leads_and_no_number_beside(page)


def _stand_on_one_screen(page: Page, name: str) -> None:
    page.locator("#recorder[data-offered]").wait_for()
    page.locator("#board[aria-busy=false] svg").wait_for()
    board, dock = box(page, "#board"), box(page, "#recorder")
    undo, record = box(page, "#undo"), box(page, "#recorder .record")
    assert board["y"] + board["height"] <= dock["y"] + 1, name
    assert board["height"] >= 280, name
    for button in (undo, record):
        assert button["y"] >= PHONE["height"] * 2 / 3, name
        assert button["y"] + button["height"] <= PHONE["height"]
    expect(page.locator(".choice:visible, .keys button:visible").first).to_be_in_viewport()
    assert page.locator("#viewpoint").evaluate(NARROWER) == [], name


def _a_board_with_much_on_it_is_as_large_as_it_has_to_be_and_shows_what_is_on(page: Page, name: str) -> None:
    """It scrolls in the room that it has, by a finger and by keys."""
    page.locator("#board[tabindex='0'] [data-now]").wait_for()
    letters = page.locator("#board svg text").evaluate_all(HEIGHTS)
    assert min(letters) >= 9, f"letters of {name} that cannot be read"
    seen, now = box(page, "#board"), box(page, "#board [data-now]")
    inside = min(seen["y"] + seen["height"], now["y"] + now["height"]) - max(seen["y"], now["y"])
    assert inside >= min(now["height"], seen["height"]) - 2, name
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name


NARROWER = """select => {
  const style = getComputedStyle(select);
  const brush = document.createElement("canvas").getContext("2d");
  brush.font = style.font;
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return [...select.options].map(({ text }) => text).filter((text) => brush.measureText(text).width > room);
}"""
"""What one can choose of a list, and would not see whole."""


def from_where_it_is_seen_can_be_read(page: Page) -> None:
    """See that what can be chosen of the points of view is seen whole, in one row, on a phone."""
    page.locator("#board[aria-busy=false] svg").wait_for()
    assert page.locator("#viewpoint").evaluate(NARROWER) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert box(page, ".turn")["height"] <= 50, "one row"


@pytest.mark.soak
def test_from_where_a_game_is_seen_can_be_read(visit: Callable[..., Page], service: Service) -> None:
    game = service.import_text(cut("kahuna", "points", 6))
    from_where_it_is_seen_can_be_read(visit(f"/games/{game}?lang=en", viewport=PHONE))


def test_moves_are_tapped_on_the_board_and_confirmed_by_what_was_tapped(page: Page) -> None:
    page.locator(".jumps").get_by_role("link", name="Audit").tap()
    expect(page.locator("#audit")).to_be_in_viewport()
    page.evaluate("scrollTo(0, 0)")
    page.locator(".jumps").get_by_role("link", name="History").tap()
    expect(page.locator("#record .timeline")).to_be_in_viewport()
    page.evaluate("scrollTo(0, 0)")

    shown, ready = page.locator("#moment"), page.locator("#preview .dry-run")
    page.locator("#board g[data-at='BARI']:has(circle)").tap()
    expect(page.locator("#board line.target").first).to_be_attached()
    page.locator("#board g[data-at='DUDA']:has(circle)").tap()  # chooses among what the first one left
    expect(field(page)).to_have_value("BARI-DUDA")
    expect(ready).to_be_visible()
    page.get_by_role("button", name="Clear the move").tap()

    coco = page.locator("#board [data-means='type=take card=COCO']")
    coco.tap()
    expect(ready).to_be_visible()
    expect(page.locator("#board [data-means='type=take card=COCO'].target")).to_be_attached()
    wait_until_stored(page, 2)
    page.wait_for_timeout(DOUBLE_TAP)
    coco.tap()  # a second tap on the piece that told the move confirms it
    wait_until_stored(page, 3)
    expect(shown).to_contain_text("+COCO")

    page.locator("#board[data-shown='3'] [data-means='type=draw']").tap()
    expect(ready).to_be_visible()
    page.locator(".blank.now .keys").get_by_role("button", name="ALOA", exact=True).tap()  # the last fact confirms, too
    wait_until_stored(page, 4)
    expect(shown).to_contain_text("+?ALOA")

    page.locator("#board[data-shown='4'] [data-means='type=take card=BARI']").tap()
    expect(page.locator(".blank.now")).to_be_visible()
    page.get_by_role("button", name="Record", exact=True).tap()  # what was not noted is recorded so
    wait_until_stored(page, 5)
    expect(shown).to_contain_text("+BARI")
    expect(page.locator(".blank")).to_have_count(0)
    _confirming_vibrating_and_the_screen_that_stays_on_are_switched_off(page)


def _confirming_vibrating_and_the_screen_that_stays_on_are_switched_off(page: Page) -> None:
    """Draw a card, as entry 6, and pass."""
    page.evaluate(BUZZ)
    page.evaluate("""() => Object.defineProperty(navigator, "wakeLock", {configurable: true, value: {
      async request() {
        document.body.dataset.awake = "";
        return {released: false, async release() { this.released = true; delete document.body.dataset.awake; }};
      },
    }})""")
    page.locator("#board [data-means='type=draw']").tap()
    expect(page.locator("#preview .dry-run")).to_be_visible()
    wait_until_stored(page, 5)
    page.get_by_role("button", name="Clear the move").tap()
    turn(page, "Confirm each move", "off")
    page.locator("#board [data-means='type=draw']").tap()
    page.locator(".blank.now .keys").get_by_role("button", name="ALOA", exact=True).tap()
    expect(page.locator("body[data-buzzed='10']")).to_be_attached()
    wait_until_stored(page, 6)
    expect(page.locator("#moment")).to_contain_text("+?ALOA")
    expect(page.locator("#undo")).to_be_enabled()
    page.evaluate("delete document.body.dataset.buzzed")
    turn(page, "Vibrate when stored", "off")
    field(page).fill("-")
    page.get_by_role("button", name="Record", exact=True).tap()
    wait_until_stored(page, 7)
    expect(page.locator("body[data-buzzed]")).to_have_count(0)
    turn(page, "Keep the screen on", "off")
    turn(page, "Keep the screen on", "on")
    expect(page.locator("body[data-awake]")).to_be_attached()
    turn(page, "Keep the screen on", "off")
    expect(page.locator("body[data-awake]")).to_have_count(0)


@pytest.mark.soak
def test_the_only_legal_move_stands_ready_and_typed_text_takes_its_place(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.import_text(cut("manapani", "four_players", 118))
    page = visit(f"/games/{game}", viewport=PHONE)
    expect(field(page)).to_have_value("go")
    expect(page.locator("#preview .dry-run")).to_be_visible()
    field(page).focus()
    page.keyboard.type("x")
    expect(field(page)).to_have_value("x")
    field(page).fill("go")
    known = len(service.entries(game))
    page.get_by_role("button", name="Record", exact=True).tap()
    wait_until_stored(page, known + 1)
    assert service.notations(game)[-1] == "go"
    expect(field(page)).not_to_have_value("go")


def is_told_of_beside_its_board(page: Page) -> None:
    """See that a desk has room for a game that is only looked at, beside its board."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    title, board, told = (box(page, part) for part in (".title", "#board", "#told"))
    assert 0 <= told["y"] - title["y"] - title["height"] < 40
    assert told["x"] > board["x"] + board["width"]


@pytest.mark.soak  # `test_proceedings_page` looks at one that is closed there
@pytest.mark.parametrize("owner", [True, False])
def test_on_a_desk_a_game_that_is_only_looked_at_is_told_of_beside_its_board(
    visit: Callable[..., Page], service: Service, owner: bool
) -> None:
    game = service.open("Aiko", "Ben")
    service.add(game, {"type": "game.closed", "data": {"how": "abandoned"}})
    is_told_of_beside_its_board(visit(f"/games/{game}", owner=owner))
