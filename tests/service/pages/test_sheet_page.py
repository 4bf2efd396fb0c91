"""A score sheet fits a thumb: its fields, its cells and its heads. `sheets.mjs` has what is filled in."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import tiers
from tests.choosing import soak_except
from tests.service.pages.steps import (
    put_keypad_away,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, ViewportSize

    from tests.served import Service

pytestmark = pytest.mark.browser

DESK: ViewportSize = {"width": 1280, "height": 800}
ROUNDS = {"ruleset": "scoresheet", "options": {"template": "rounds"}}


@pytest.fixture
def sheet(visit: Callable[..., Page], service) -> Callable[..., Page]:
    """The page of a new sheet of a ready template, with these players."""

    def open_sheet(template: str, *names: str) -> Page:
        seats = [{"name": name} for name in names]
        game = service.open(ruleset="scoresheet", options={"template": template}, seats=seats)
        page = visit(f"/games/{game}")
        put_keypad_away(page)
        expect(page.locator(".blanks details").first).to_be_visible()
        return page

    return open_sheet


def every_field_is_wide_enough_for_a_thumb_and_nothing_hangs_over(page: Page) -> None:
    for field in page.locator(".blanks details[open] input").all():
        box = field.bounding_box()
        assert box
        assert box["height"] >= 40
        assert box["width"] >= 60
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


LONG_NAMES = tuple(f"Player with a long name {number}" for number in range(1, 8))


@pytest.mark.soak
@pytest.mark.parametrize("template", ["rounds", "wizard"])
def test_every_field_is_wide_enough_for_a_thumb_and_nothing_hangs_over(sheet, template):
    every_field_is_wide_enough_for_a_thumb_and_nothing_hangs_over(sheet(template, *LONG_NAMES))


def test_every_field_is_wide_enough_and_a_tap_on_any_cell_types_what_the_service_understands(sheet, service):
    page = sheet("farm", *LONG_NAMES)
    every_field_is_wide_enough_for_a_thumb_and_nothing_hangs_over(page)
    game = page.url.rsplit("/", 1)[1]
    page.locator("#board[aria-busy=false] svg").wait_for()
    for line, cell in enumerate(page.locator("#board [data-at]").all()[:: 11 if tiers.SOAK else 55]):
        page.get_by_role("button", name="Clear the move").tap()
        cell.tap()
        typed = page.get_by_label("Move in notation").input_value()
        if not typed:
            page.locator("details[open] :is(input, select):focus").wait_for()
            continue
        answer = service.api.post(f"/v1/games/{game}/events?dry_run=true", json={"events": [{"data": {"move": typed}}]})
        assert answer.status_code == 201 or answer.json()["type"] != "/problems/bad-notation", typed
        assert line < 100


CELLS = """[...document.querySelector("#board").shadowRoot.querySelectorAll("svg [data-at]")]
  .map((cell) => cell.getBoundingClientRect()).map(({ width, height }) => [width, height])"""


@pytest.mark.parametrize(
    ("template", "lines"), soak_except([("rounds", 12), ("yahtzee", 0), ("wizard", 5)], ("wizard", 5))
)
def test_each_cell_of_a_sheet_is_large_enough_to_be_tapped(visit, service, template: str, lines: int) -> None:
    names = ("Aiko", "Ben", "Chika", "Dora", "Emil") if template == "wizard" else ("Aiko", "Ben")
    game = service.open(*names, ruleset="scoresheet", options={"template": template})
    for number in range(1, lines + 1):
        service.record(game, f"r{number}{' 1' * len(names)}")
    page = visit(f"/games/{game}")
    page.locator("#board[aria-busy=false] svg").wait_for()
    cells = page.evaluate(CELLS)
    assert cells
    assert min(min(cell) for cell in cells) >= 24
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("#board").evaluate("board => board.scrollWidth <= board.clientWidth")


def test_the_line_that_is_due_is_in_sight_where_a_sheet_is_longer_than_its_room(visit, service) -> None:
    game = service.open("Aiko", "Ben", ruleset="scoresheet", options={"template": "yahtzee"})
    service.record(
        game,
        *(
            f"{line} {3 * eyes} {2 * eyes}"
            for eyes, line in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), 1)
        ),
    )
    page = visit(f"/games/{game}")
    page.locator("#board[aria-busy=false] [data-now]").wait_for()
    page.locator("#keypad:not([hidden])").wait_for()
    board, due = page.locator("#board").bounding_box(), page.locator("#board [data-now]").bounding_box()
    assert board["y"] <= due["y"]
    assert due["y"] + due["height"] <= board["y"] + board["height"]
    assert min(min(cell) for cell in page.evaluate(CELLS)) >= 24


COVERED = """() => [...document.querySelectorAll("#recorder .actions button")].filter((button) => {
  if (!button.checkVisibility()) return false;
  const {left, top, width, height} = button.getBoundingClientRect();
  return top + height <= innerHeight && !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((button) => button.textContent)"""
"""The buttons of the form that something else lies upon, of those that are on the screen."""


def test_the_sheet_names_its_players_as_far_as_there_is_room_and_its_folded_keypad_covers_no_button(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open("Ada", "Ben", "Cleo", "Dov", **ROUNDS)
    service.record(game, "r1 3 8 13 18")
    _the_folded_keypad_covers_no_button_on_a_desk(visit(f"/games/{game}", viewport=DESK))
    page = visit(f"/games/{service.open('Aiko', 'Bartholomew the Second', 'C', 'D', 'E', **ROUNDS)}")
    heads = page.locator("#board [data-seat]")
    expect(heads).to_have_text(["Aiko", re.compile("^Bar.*…$"), "C", "D", "E"])
    boxes = [head.bounding_box() for head in heads.all()]
    assert all(left["x"] + left["width"] <= right["x"] for left, right in pairwise(boxes))
    expect(page.locator("h1")).to_have_text("Rounds with a running total")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        turned = page.locator("#board svg").evaluate("svg => getComputedStyle(svg).filter.includes('invert')")
        assert turned is (scheme == "dark")


def _the_folded_keypad_covers_no_button_on_a_desk(page: Page) -> None:
    expect(page.locator(".keypad summary")).to_be_visible()
    bottom = page.locator("#more").evaluate("it => it.getBoundingClientRect().bottom")
    for height in range(int(bottom) + 1, int(bottom) + 120, 12):
        page.set_viewport_size({"width": 1280, "height": height})
        assert page.evaluate(COVERED) == [], height
    page.locator(".keypad summary").click()
    expect(page.locator(".keypad .pad")).to_be_in_viewport(ratio=1)
