"""A score sheet is kept with a thumb: a field for every player, and the line of notation that they make."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.choosing import some
from tests.service.pages.steps import (
    Finger,
    Gate,
    pause_between_taps,
    put_keypad_away,
    record_button,
    wait_until_stored,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser


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


def record(page: Page) -> None:
    expect(page.locator(".preview .dry-run")).to_be_visible()
    Finger(page).tap(record_button(page))


def test_a_round_is_filled_in_field_by_field_corrected_by_its_cell_and_refused_with_names(sheet):
    page = sheet("rounds", "Aiko", "Ben", "Chiara")
    move = page.get_by_label("Move in notation")
    page.get_by_label("Aiko", exact=True).fill("12")
    page.get_by_label("Chiara", exact=True).fill("4")
    page.get_by_role("button", name="Minus for Chiara").tap()
    expect(move).to_have_value("r1 12 ? -4")
    page.get_by_label("Ben", exact=True).fill("7")
    record(page)
    wait_until_stored(page, 2)
    expect(page.locator("#scoreboard .points")).to_have_text(["12", "7", "-4"])
    expect(page.locator(".blanks summary").first).to_have_text("Round 2, points")
    page.locator('#board [data-at="r1 p2"]').tap()
    expect(move).to_have_value("r1 p2 7")
    expect(page.locator(".preview .dry-run")).to_be_visible()
    move.press_sequentially("20")  # what stands is selected, so that it is typed over
    expect(move).to_have_value("r1 p2 20")
    expect(page.locator(".preview")).to_contain_text("7 → 20")
    record(page)
    wait_until_stored(page, 3)
    expect(page.locator("#scoreboard .points")).to_have_text(["12", "20", "-4"])
    expect(page.locator("#moment")).to_contain_text("7 → 20")
    move.fill("p2 out")
    record(page)
    wait_until_stored(page, 4)
    move.fill("r2 p2 3")
    expect(page.get_by_role("alert")).to_contain_text("Ben has dropped out")


def test_labels_are_picked_lifted_by_a_second_tap_and_recorded_by_a_tap_that_does_not_wait(sheet):
    page = sheet("win_loss_draw", "Erin", "Farid")
    move = page.get_by_label("Move in notation")
    win = page.get_by_role("group", name="Erin").get_by_role("button", name="win")
    win.tap()
    expect(win).to_have_attribute("aria-pressed", "true")
    expect(move).to_have_value("result win ?")
    expect(page.locator(".count")).to_be_empty()
    pause_between_taps(page)
    win.tap()
    expect(win).to_have_attribute("aria-pressed", "false")
    expect(move).to_have_value("")
    gate = Gate(page, re.compile("dry_run"))
    pause_between_taps(page)
    win.tap()
    page.get_by_role("group", name="Farid").get_by_role("button", name="loss").tap()
    expect(move).to_have_value("result win loss")
    page.get_by_role("button", name="Record", exact=True).tap()
    expect(page.locator("#preview[aria-busy=true]")).to_be_attached()
    gate.open()
    wait_until_stored(page, 2)
    page.get_by_role("button", name="end", exact=True).tap()
    page.get_by_role("button", name="Finish: Erin wins with 2", exact=True).tap()
    expect(page.locator("#turn")).to_contain_text("Erin won (points)")


def test_the_sheet_names_its_players_as_far_as_there_is_room_and_is_as_light_as_the_page(sheet):
    page = sheet("rounds", "Aiko", "Bartholomew the Second", "C", "D", "E")
    heads = page.locator("#board [data-seat]")
    expect(heads).to_have_text(["Aiko", re.compile("^Bar.*…$"), "C", "D", "E"])
    boxes = [head.bounding_box() for head in heads.all()]
    assert all(left["x"] + left["width"] <= right["x"] for left, right in pairwise(boxes))
    expect(page.locator(".title .meta")).to_contain_text(": Rounds with a running total")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        turned = page.locator("#board svg").evaluate("svg => getComputedStyle(svg).filter.includes('invert')")
        assert turned is (scheme == "dark")


def test_the_oldest_line_that_is_not_complete_is_open_and_named_in_words(sheet, service):
    page = sheet("wizard", "Aiko", "Ben", "Chiara")
    summaries = page.locator(".blanks summary")
    expect(summaries).to_have_text(["Round 1, bid", "Round 1, tricks"])
    for name, bid in (("Aiko", "1"), ("Ben", "0"), ("Chiara", "1")):
        page.locator("details[open]").get_by_label(name, exact=True).fill(bid)
    record(page)
    wait_until_stored(page, 2)
    expect(summaries).to_have_text(["Round 1, tricks", "Round 2, bid"])
    expect(page.locator(".blanks details[open] summary")).to_have_text("Round 1, tricks")
    expect(page.locator(".choice", has_text="?")).to_have_count(0)
    page.locator('#board [data-at="r1 p2 tricks"]').tap()
    expect(page.locator("details[open]").get_by_label("Ben", exact=True)).to_be_focused()
    page.keyboard.type("1")
    expect(page.get_by_label("Move in notation")).to_have_value("r1 tricks ? 1 ?")
    for name, tricks in (("Aiko", "1"), ("Ben", "0"), ("Chiara", "0")):
        page.locator("details[open]").get_by_label(name, exact=True).fill(tricks)
    expect(page.get_by_label("Move in notation")).to_have_value("r1 tricks 1 0 0")
    expect(page.locator(".preview .dry-run")).to_contain_text("Aiko entered round 1, tricks, 1")


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
    for line, cell in enumerate(page.locator("#board [data-at]").all()[::11]):
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


@pytest.mark.parametrize(("template", "lines"), some([("rounds", 12), ("yahtzee", 0), ("wizard", 5)], ("wizard", 5)))
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


def test_the_folded_keypad_covers_no_button_on_a_desk(visit: Callable[..., Page], service: Service) -> None:
    game = service.open("Ada", "Ben", "Cleo", "Dov", ruleset="scoresheet", options={"template": "rounds"})
    service.record(game, "r1 3 8 13 18")
    page = visit(f"/games/{game}", viewport={"width": 1280, "height": 800})
    expect(page.locator(".keypad summary")).to_be_visible()
    bottom = page.locator("#more").evaluate("it => it.getBoundingClientRect().bottom")
    for height in range(int(bottom) + 1, int(bottom) + 120, 12):
        page.set_viewport_size({"width": 1280, "height": height})
        assert page.evaluate(COVERED) == [], height
    page.locator(".keypad summary").click()
    expect(page.locator(".keypad .pad")).to_be_in_viewport(ratio=1)
