"""A tap is for the key on which the finger came down, and a double tap is one tap: nobody meant what came under it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.choosing import soak_except
from tests.service.pages.steps import DOUBLE_TAP, field, record_button, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

PLACES = (("kahuna", "points", 1), ("verraeter", "three_players", 20))
"""Recorded games with so many of their entries, in which a choice leads to keys under the finger."""
WHOLE = "all => all.map(({value}) => value).filter((text) => !text.includes('?')).slice(0, 4)"
UNDER = "([x, y]) => document.elementFromPoint(x, y)?.closest('button, a, summary')?.className ?? ''"


@pytest.fixture
def open_page(visit: Callable[..., Page]) -> Callable[[str], Page]:
    """The page of a game, ready for a tap."""

    def open_it(game: str) -> Page:
        page = visit(f"/games/{game}", motion=True)
        page.locator("#recorder[data-offered], .story[aria-busy=false]").first.wait_for(state="attached")
        return page

    return open_it


def double_tap(target: Locator, pause: int = 80) -> tuple[float, float]:
    """Tap twice as fast as fingers do, on the same spot; the spot.

    The browser is told when the finger was there: a busy machine can be late with the second tap.
    """
    page = target.page
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session, began = page.context.new_cdp_session(page), time.time()
    for after in (0, pause):
        page.wait_for_timeout(after)
        for kind, points in (("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])):
            touch = {"type": kind, "touchPoints": points, "timestamp": began + after / 1000}
            session.send("Input.dispatchTouchEvent", touch)
    session.detach()
    return x, y


def rest(page: Page) -> None:
    """Wait until a tap on the same spot counts again."""
    page.wait_for_timeout(DOUBLE_TAP)


def confirm_nothing(page: Page) -> None:
    """Let moves be recorded without being confirmed."""
    page.get_by_role("button", name="More …", exact=True).tap()
    page.locator("dialog.sheet").get_by_role("button", name="Confirm each move").tap()
    expect(page.locator("dialog.sheet")).to_be_hidden()


@pytest.mark.parametrize(("ruleset", "name", "entries"), soak_except(PLACES, PLACES[0]))
@pytest.mark.soak
def test_a_double_tap_on_a_choice_picks_it_and_no_more(
    open_page, service: Service, ruleset: str, name: str, entries: int
) -> None:
    game = service.import_text(goldens.cut(ruleset, name, entries))
    before = service.version(game)
    page = open_page(game)
    under = set()
    for text in page.locator(".choice").evaluate_all(WHOLE):
        choice = page.locator(f'.choice[value="{text}"]')
        under.add(page.evaluate(UNDER, double_tap(choice)))
        expect(field(page)).to_have_value(text)
        field(page).fill("")
        rest(page)
    assert service.version(game) == before
    assert len(under) > 1, "nothing has appeared under the finger"


def test_a_double_tap_on_a_card_on_record_or_where_nothing_is_confirmed_is_one_tap_and_a_key_that_moves_has_its_tap(
    open_page, service: Service, game: str
) -> None:
    page = open_page(game)
    _a_key_that_moves_under_the_finger_has_the_tap_and_one_that_comes_over_it_has_not(page)
    field(page).fill("")
    rest(page)
    double_tap(page.locator('.choice[value="+COCO"]'))
    keys = page.locator(".blanks .keys button")
    expect(keys.first).to_be_visible()
    expect(page.locator('.blanks [aria-pressed="true"]')).to_have_count(0)  # no card that follows is invented
    rest(page)
    keys.first.tap()
    wait_until_stored(page, 3)
    card = page.locator("#board[data-shown='3'] [data-means='type=take card=BARI']")
    double_tap(card)
    expect(field(page)).to_have_value("+BARI")
    expect(page.locator("#preview .dry-run")).to_be_visible()
    assert service.version(game) == 3
    rest(page)
    card.tap()  # a later tap confirms it
    wait_until_stored(page, 4)
    for pause, before in ((20, 4), (150, 5)):
        rest(page)
        field(page).fill("+")
        expect(page.locator("#preview .dry-run")).to_be_visible()
        double_tap(record_button(page), pause)
        wait_until_stored(page, before + 1)
        rest(page)
        assert service.version(game) == before + 1
    confirm_nothing(page)
    double_tap(page.locator('.choice[value="-"]'), 150)
    wait_until_stored(page, 7)
    rest(page)
    assert service.version(game) == 7


@pytest.mark.soak
def test_a_double_tap_opens_no_rule_that_has_appeared(open_page, service: Service) -> None:
    game = service.import_text(goldens.cut("kahuna", "box_variant_points", 40))
    page = open_page(game)
    for choice in page.locator(".choice").all()[:2]:
        double_tap(choice, 200)
        expect(page.locator("dialog[open]")).to_have_count(0)
        field(page).fill("")
        rest(page)


@pytest.mark.soak  # cards, keys and Record are tapped twice above
def test_a_double_tap_on_a_quick_key_fills_in_one_cell_and_on_a_digit_two(open_page, service: Service) -> None:
    seats = [{"name": name} for name in ("Aiko", "Ben", "Chiara")]
    game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    page = open_page(game)
    pad = page.locator("#keypad")
    chips = pad.locator(".chip b")
    double_tap(pad.get_by_role("button", name="5, and on"))
    expect(chips).to_have_text(["5", "–", "–"])
    rest(page)
    double_tap(pad.get_by_role("button", name="Next player"))
    expect(pad.locator('.chip[aria-pressed="true"]')).to_contain_text("Chiara")
    double_tap(pad.get_by_role("button", name="7", exact=True))
    expect(chips).to_have_text(["5", "–", "77"])
    double_tap(pad.get_by_role("button", name="Enter the line"))
    wait_until_stored(page, 2)
    expect(pad.locator('.chip[aria-pressed="true"]')).to_contain_text("Aiko")
    _a_double_tap_on_a_label_fills_in_one_cell_and_words_are_keys(open_page, service)


def _a_double_tap_on_a_label_fills_in_one_cell_and_words_are_keys(open_page, service: Service) -> None:
    seats = [{"name": name} for name in ("Erin", "Farid")]
    game = service.open(ruleset="scoresheet", options={"template": "win_loss_draw"}, seats=seats)
    page = open_page(game)
    pad = page.locator("#keypad")
    double_tap(pad.get_by_role("button", name="win", exact=True))
    expect(pad.locator(".chip b")).to_have_text(["win", "–"])
    rest(page)
    assert service.version(game) == 1
    pad.get_by_role("button", name="loss", exact=True).tap()
    wait_until_stored(page, 2)
    assert service.notations(game) == ["result win loss"]
    expect(pad).to_be_hidden()


def tap_while(page: Page, key: Locator, change: str) -> None:
    """Put a finger on a key, change the page, and lift the finger."""
    key.scroll_into_view_if_needed()
    box = key.bounding_box()
    assert box
    spot = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [spot]})
    key.evaluate(change)
    under = page.evaluate("({x, y}) => document.elementFromPoint(x, y).closest('.choice')?.value", spot)
    assert under not in {None, key.get_attribute("value") if key.count() else None}, "another key is under the finger"
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


NEIGHBOUR = (
    "const other = [...document.querySelectorAll('.choice')].find((each) => each.parentElement === key.parentElement"
)
MOVE = f"""(key) => {{
  {NEIGHBOUR} && each !== key);
  const [there, here] = [key, other].map((each) => each.getBoundingClientRect());
  other.style.translate = `${{there.x - here.x}}px ${{there.y - here.y}}px`;
  key.style.translate = `${{here.x - there.x}}px ${{here.y - there.y}}px`;
}}"""
COVER = f"""(key) => {{
  {NEIGHBOUR} && each !== key);
  const [there, here] = [key, other].map((each) => each.getBoundingClientRect());
  other.style.cssText = `z-index: 9; position: relative; translate: ${{there.x - here.x}}px ${{there.y - here.y}}px`;
}}"""


def _a_key_that_moves_under_the_finger_has_the_tap_and_one_that_comes_over_it_has_not(page: Page) -> None:
    texts = page.locator(".choice").evaluate_all(WHOLE)
    tap_while(page, page.locator(f'.choice[value="{texts[0]}"]'), COVER)
    rest(page)
    expect(field(page)).to_have_value("")
    page.reload()
    page.locator("#recorder[data-offered]").wait_for(state="attached")
    tap_while(page, page.locator(f'.choice[value="{texts[0]}"]'), MOVE)
    expect(field(page)).to_have_value(texts[0])
