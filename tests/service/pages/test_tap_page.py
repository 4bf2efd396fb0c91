"""A tap on the board says the move: the right line under a thumb, and cards, decks, stacks and squares as well."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import field, record_elsewhere, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
MISS = 10
"""How many pixels a thumb may miss a line by."""
WHERE = """() => {
  const root = document.querySelector("#board").shadowRoot;
  const middle = ({left, right, top, bottom}) => [(left + right) / 2, (top + bottom) / 2, (right - left) / 2];
  const end = (line, x, y) => {
    const {x: right, y: down} = new DOMPoint(line[x].baseVal.value, line[y].baseVal.value)
      .matrixTransform(line.getScreenCTM());
    return [right, down];
  };
  return {
    lines: [...root.querySelectorAll("line[data-at]")]
      .map((line) => [line.dataset.at, end(line, "x1", "y1"), end(line, "x2", "y2")]),
    islands: [...root.querySelectorAll("g[data-at] > circle:first-child")]
      .map((disc) => middle(disc.getBoundingClientRect())),
  };
}"""

Point = tuple[float, float]


def from_segment(point: Point, one: Point, other: Point) -> float:
    right, down = other[0] - one[0], other[1] - one[1]
    along = ((point[0] - one[0]) * right + (point[1] - one[1]) * down) / (right**2 + down**2)
    at = min(max(along, 0.0), 1.0)
    return math.hypot(point[0] - one[0] - at * right, point[1] - one[1] - at * down)


class Map:
    """Where the lines and islands of a board lie on the screen."""

    def __init__(self, page: Page) -> None:
        found = page.evaluate(WHERE)
        self.lines: dict[str, tuple[Point, Point]] = {
            at: (tuple(one), tuple(other)) for at, one, other in found["lines"]
        }
        self.islands: list[tuple[float, float, float]] = found["islands"]

    def nearest(self, point: Point, among: set[str]) -> str:
        return min(among, key=lambda at: from_segment(point, *self.lines[at]))

    def near(self, line: str, chance: random.Random) -> Point:
        """A point that somebody hits who means a line: near it, and on no island."""
        (x1, y1), (x2, y2) = self.lines[line]
        length = math.hypot(x2 - x1, y2 - y1)
        while True:
            along, off = chance.random(), chance.uniform(-MISS, MISS)
            x = x1 + along * (x2 - x1) - off * (y2 - y1) / length
            y = y1 + along * (y2 - y1) + off * (x2 - x1) / length
            if all(math.hypot(x - left, y - top) > radius + 2 for left, top, radius in self.islands):
                return round(x), round(y)  # as a screen tells it


@pytest.fixture
def board(visit: Callable[..., Page], service: Service) -> Callable[..., Page]:
    """The page of a game in which these moves were made, on a phone, ready for the next move."""

    def open_board(*moves: str, **opening: Any) -> Page:
        game = service.open(**opening)
        service.record(game, *moves)
        page = visit(f"/games/{game}", viewport=PHONE, motion=True)
        wait_until_stored(page, len(moves) + 1)
        page.locator(".choice").first.wait_for()
        page.locator("#board[aria-busy=false] svg").wait_for()
        return page

    return open_board


def tapped(page: Page, point: Point) -> str:
    field(page).fill("")  # a second tap on the same place would confirm the first
    page.touchscreen.tap(*point)
    return field(page).input_value()


def _an_unseen_card_is_tapped_and_a_new_tap_says_another_move_and_typing_asks_all_again(
    page: Page, service: Service
) -> None:
    page.locator("#board [data-means='type=discard']").first.tap()
    assert set(page.locator(".choice").all_text_contents()) == {"d1", "d2", "d3"}
    page.locator("#board [data-means='type=take card=COCO']").tap()
    expect(field(page)).to_have_value("+COCO")
    field(page).fill("+")
    expect(page.locator(".choice")).to_have_text(["+BARI", "+COCO", "+DUDA", "+"])
    game = page.url.rsplit("/", 1)[1]
    record_elsewhere(page, service, game, "BARI-DUDA")
    field(page).fill("")
    expect(page.locator(".count")).to_contain_text("legal moves")


def test_a_tap_near_a_line_means_this_line_an_unseen_card_is_discarded_and_a_new_tap_says_another_move(
    board, service
) -> None:
    page = board("deal black BARI COCO DUDA")
    places, chance = Map(page), random.Random(7)
    right = total = 0
    for line in [*places.lines][::2]:
        point = places.near(line, chance)
        nearest = places.nearest(point, set(places.lines))
        result = tapped(page, point)
        assert result, f"a tap at {point}, near {line}, says nothing"
        assert result == nearest
        right += result == line
        total += 1
    assert right / total >= 0.9, f"{right} of {total}"
    field(page).fill("")
    _an_unseen_card_is_tapped_and_a_new_tap_says_another_move_and_typing_asks_all_again(page, service)
    _of_the_lines_within_reach_of_a_thumb_those_come_first_that_can_be_built_and_cards_row_and_deck_are_tapped(board)


def _of_the_lines_within_reach_of_a_thumb_those_come_first_that_can_be_built_and_cards_row_and_deck_are_tapped(
    board,
) -> None:
    page = board("deal black BARI COCO DUDA / ALOA ELAI HUNA / ? ? ?")
    places, chance = Map(page), random.Random(7)
    legal = {line for line in places.lines if {"ALOA", "ELAI", "HUNA"} & {*line.split("-")}}
    tried = 0
    for line in sorted(legal):
        point = places.near(line, chance)
        result = tapped(page, point)
        assert result.split(" ")[0] in {f"{a}-{b}" for a, b in _both(places.nearest(point, legal))}
        tried += 1
    assert tried > 5
    field(page).fill("")
    card = "#board [data-means='type=take card=COCO']"
    page.locator(card).tap()
    expect(field(page)).to_have_value("+COCO")
    expect(page.locator("#preview")).to_contain_text("Anna")
    page.locator("#board [data-means='type=draw']").tap()
    expect(field(page)).to_have_value("+")
    page.locator("#board g[data-at='ELAI']:has(rect)").tap()
    expect(field(page)).to_have_value("ELAI")
    assert {text.split("-")[0] for text in page.locator(".choice").all_text_contents()} == {"ELAI"}
    page.get_by_role("button", name="Clear the move").click()
    page.locator("#board g[data-at='BARI']:has(circle)").tap()
    assert all("BARI" in text for text in page.locator(".choice").all_text_contents())


def _both(line: str) -> list[tuple[str, str]]:
    one, other = line.split("-")
    return [(one, other), (other, one)]


@pytest.mark.soak
def test_lands_and_sites_are_tapped(board) -> None:
    lands = (
        "R-Woods R-Village E-Wilderness R-Meadow R-City E-Woods E-Village E-Meadow R-Wilderness E-City R-River E-River"
    )
    seats = [{"name": name} for name in ("Aiko", "Ben", "Chiara", "Dana")]
    page = board("start 1 E E R E", f"lands {lands}", ruleset="verraeter", seats=seats)
    legal = [text for text in page.locator(".choice").all_text_contents() if text.startswith("estate")]
    number = legal[0].split(" ")[1]
    page.locator(f"#board [data-means^='type=put place={int(number) - 1}|']").tap()
    expect(field(page)).to_have_value(f"estate {number}")
    expect(page.locator("#preview")).to_contain_text("Aiko")
