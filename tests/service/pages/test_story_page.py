"""A game that is over opens as a story: who won and why, the standing, the curve, moments to look at, the record."""

from __future__ import annotations

import re
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.choosing import soak_except
from tests.service.pages.steps import entry, field, record_more, refresh, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import FloatRect, Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
TABLET = {"width": 768, "height": 1024}
HALF = """() => [document.querySelector("#board")]
  .filter((board) => board.scrollHeight > board.clientHeight + 1 || board.scrollWidth > board.clientWidth)
  .map((board) => [board.scrollHeight, board.clientHeight])"""
"""The board, if a part of it is out of sight."""
ANALYSES = re.compile(r"/analyses($|\?)")
SHEET: dict[str, Any] = {"ruleset": "scoresheet", "options": {"template": "rounds"}}
ROUNDS = ("r1 5 2", "r2 0 9", "r3 1 0", "r4 20 0")
"""Ada leads, then Ben, then Ada again, who got most at once in the end."""
KEPT = "#highlights li a, .standing li, #told .why > *, .legend li"
"""The moments, the standing, why it ended so, and the names at the curves: a note changes none of them."""


@pytest.fixture
def told(service: Service) -> str:
    """A sheet of four rounds that Ada won."""
    game = service.open("Ada", "Ben", **SHEET)
    service.record(game, *ROUNDS, "end")
    return game


def box(page: Page, selector: str) -> FloatRect:
    """Where an element is: one that is drawn anew meanwhile is looked for again."""
    found: list[FloatRect] = []
    wait_for(page, lambda: found.extend(filter(None, [page.locator(selector).first.bounding_box()])) or found)
    return found[0]


def moments(page: Page) -> Locator:
    return page.locator("#highlights li a")


@pytest.mark.soak  # `story.mjs` and `highlights.test.mjs` tell it
def test_it_says_who_won_and_why_tells_its_moments_and_follows_marks_and_corrections(
    visit: Callable[..., Page], service: Service, told: str
) -> None:
    page = visit(f"/games/{told}")
    wins(page)
    for hidden in ("#recorder", "#keypad", "#scoreboard", "#turn", ".jumps"):
        assert page.locator(hidden).first.is_hidden(), hidden
    expect(moments(page)).to_have_text(
        [
            re.compile("Ada was 6 points behind, and won"),
            re.compile("Ada took the lead for the last time"),
            re.compile("The last move"),
        ]
    )
    expect(page.locator("#highlights .telling")).to_have_text(
        "Ada went ahead first (entry 2). Ada was 6 points behind (entry 3). The lead changed 2 times, the last time to "
        "Ada (entry 5). Ada got 20 points at once (entry 5). Ada won (entry 6), and was never behind after entry 5."
    )
    expect(page.locator("#curve .marks span")).to_have_text(["1", "2", "3"])
    last, curve = box(page, "#curve .marks span:last-child"), box(page, "#curve")
    assert last["x"] + last["width"] <= curve["x"] + curve["width"] + 1, "the last number stands within the curve"
    moments(page).first.tap()
    output = page.locator("#stepper output")
    expect(output).to_have_text("3 / 6")
    expect(page.locator("#board[data-shown='3']")).to_be_in_viewport()
    expect(page.locator("#moment")).to_contain_text("r2")
    page.keyboard.press("End")
    expect(output).to_have_text("6 / 6")
    lines = page.locator("#curve > svg")
    width = lines.evaluate("svg => svg.getBoundingClientRect().width")
    lines.click(position={"x": width * 0.39, "y": 40})
    expect(output).to_have_text("3 / 6")
    page.keyboard.press("End")
    _its_curve_has_each_change_of_the_lead_and_a_table(page)
    record_more(page)
    expect(field(page)).to_be_visible()
    expect(page.locator("#told")).to_be_hidden()
    expect(page.locator("#ended")).to_contain_text("Ada won · Most points")
    page.get_by_role("button", name="See how it went").click()
    expect(page.get_by_role("heading", name="Ada won")).to_be_focused()
    expect(page.locator("#recorder")).to_be_hidden()
    service.add(told, {"type": "note.added", "data": {"text": "The <b>double</b> six", "entry": 2, "bookmark": True}})
    refresh(page)
    expect(moments(page).first).to_contain_text("★ The <b>double</b> six")
    expect(moments(page)).to_have_count(3)
    service.add(told, {"type": "entry.replaced", "data": {"entry": 5, "move": "r4 0 0", "reason": "misheard"}})
    refresh(page)
    expect(page.get_by_role("heading", name="Ben won")).to_be_visible()
    expect(page.locator(".standing .name").first).to_have_text("Ben")
    expect(page.locator("#highlights .telling")).to_contain_text(
        "Ben won (entry 6), and was never behind after entry 3."
    )
    expect(entry(page, 5)).to_contain_text("r4")


def _its_curve_has_each_change_of_the_lead_and_a_table(page: Page) -> None:
    curve = page.locator("#curve")
    expect(curve.locator("path")).to_have_count(2)
    expect(curve.locator(".lead")).to_have_count(3)
    now = curve.locator(".now")
    expect(now).to_have_attribute("x1", "6")
    page.keyboard.press("ArrowLeft")
    expect(now).to_have_attribute("x1", "5")
    page.keyboard.press("End")
    page.get_by_text("The scores as a table").press("Enter")
    expect(curve.locator("tbody tr").nth(2)).to_be_visible()
    for row, said in ((1, "2 5 2 Ada"), (2, "3 5 11 Ben")):
        expect(curve.locator("tbody tr").nth(row)).to_have_text(said, use_inner_text=True)


def wins(page: Page) -> None:
    """See that the page says who won, why, and how all stand."""
    expect(page.get_by_role("heading", name="Ada won")).to_be_visible()
    expect(page.locator("#told .why")).to_have_text(re.compile(r"Most points WIN-1 · 15 points ahead of Ben"))
    rows = page.get_by_role("list", name="The standing").get_by_role("listitem")
    expect(rows).to_have_text(["1 Ada 26", "2 Ben 11"], use_inner_text=True)


@pytest.mark.parametrize(
    ("name", "owner"),
    soak_except(
        product(["kahuna/points", "catan_cards/settlement", "scoresheet/wizard"], [True, False]),
        ("catan_cards/settlement", True),
    ),
)  # fmt: skip
def test_no_column_is_empty_and_all_stands_in_the_order_of_a_story(
    visit: Callable[..., Page], service: Service, name: str, owner: bool
) -> None:
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    page = visit(f"/games/{game}", owner=owner, viewport=PHONE)
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    expect(moments(page).first).to_be_visible()
    parts = ("#told", "#curve", "#board", "#stepper", "#moment", "#highlights", ".tabs")
    assert page.locator("#board").evaluate("board => board.scrollWidth <= board.clientWidth")
    tops = [box(page, part)["y"] for part in parts]
    assert tops == sorted(tops)
    for above, below in pairwise(parts):
        assert box(page, below)["y"] - box(page, above)["y"] - box(page, above)["height"] < 150, (above, below)
    for screen in (DESK, TABLET):
        page.set_viewport_size(screen)
        assert page.evaluate(HALF) == [], screen
    page.set_viewport_size(DESK)
    title = box(page, ".title")
    for column in (".table", "#told"):
        assert 0 <= box(page, column)["y"] - title["y"] - title["height"] < 40
    assert box(page, "#told")["x"] > box(page, "#board")["x"] + box(page, "#board")["width"]
    page.evaluate("document.querySelector('.tabs').scrollIntoView()")
    expect(page.locator("#board")).to_be_in_viewport()


LONE = """(group) => [...document.querySelectorAll(`${group} li`)].filter((line) => {
  const [mark, name] = [line.querySelector("svg, .stone"), line.querySelector("bdi")];
  return mark.getBoundingClientRect().bottom <= name.getBoundingClientRect().top;
}).length"""
"""How many lines of a group have their mark above the name, on a line of its own."""


def test_eight_people_of_long_names_and_many_points_fit_in_the_story_and_in_the_list(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open(*(f"{seat}{'Wolfeschlegelsteinhausenbergerdorff' * 2}"[:40] for seat in range(8)), **SHEET)
    service.record(game, "r1 " + " ".join(f"-{seat}98765" for seat in range(1, 9)), "end")
    page = visit(f"/games/{game}", viewport=PHONE)
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    expect(page.locator("#moment .points")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(LONE, "#curve .legend") == 0
    service.catch_up()
    page.goto("/")
    page.locator(f".games [data-game='{game}'] bdi").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(LONE, f".games [data-game='{game}'] .result") == 0
    points = page.locator(f".games [data-game='{game}'] .points")
    assert points.count() == 8
    assert points.evaluate_all("all => Math.max(...all.map((one) => one.offsetHeight))") < 40, "one line"
    again = page.locator("[aria-labelledby=again-title] button").filter(has_text="Wolfe").first
    assert again.evaluate("it => it.offsetHeight") <= 100, "three lines"


def test_a_name_stays_whole_beside_a_long_word_for_what_decided(visit: Callable[..., Page], service: Service) -> None:
    names = ("Aiko", "Ben", "Chiara")
    game = service.open(*names, ruleset="scoresheet", options={"template": "hanabi"})
    service.record(game, "points 23", "won")
    page = visit(f"/games/{game}", viewport=PHONE)
    expect(page.locator(".standing .deciding").last).to_be_visible()
    lines = page.locator(".standing bdi").evaluate_all("all => all.map((name) => name.getClientRects().length)")
    assert lines == [1] * len(names)
