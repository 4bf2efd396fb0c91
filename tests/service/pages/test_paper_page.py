"""Reports and blank sheets as sheets of paper, and on a phone."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest

from games.rulesets import SHIPPED
from service.languages import COOKIE
from tests import goldens, tiers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PHONE = {"width": 360, "height": 740}
SHEETS = [f"{name}/sheet" for name in SHIPPED]
SHEETS += ["scoresheet/sheet?template=wizard", "scoresheet/sheet?template=bridge"]


@pytest.fixture
def paper(visit: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """Open paper, which is sandboxed: a browser tells nothing of what such a page leaves in it."""
    page = visit("/problems")

    def open_paper(path: str) -> Page:
        page.goto(path)
        return page

    yield open_paper
    page.goto("/problems")


def sheets(page: Page) -> int:
    """How many sheets of paper a page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def long_game(ruleset: str) -> str:
    """A recorded game with about 150 entries."""
    texts = (path.read_text(encoding="utf-8") for path in goldens.FOLDER.glob(f"{ruleset}/*.txt"))
    return min(texts, key=lambda text: abs(text.partition("\n\n")[2].count("\n") - 150))


BROKEN = """cell => {
  const text = cell.firstChild;
  return (text?.textContent ?? "").split(" ").some((word, at, words) => {
    const range = document.createRange(), start = words.slice(0, at).join(" ").length + (at ? 1 : 0);
    if (!word.trim() || text.nodeType !== Node.TEXT_NODE) return false;
    range.setStart(text, start);
    range.setEnd(text, start + word.length);
    return range.getClientRects().length > 1;
  });
}"""
"""Whether a word of a cell stands in two lines."""

BOARDS = {"en": "Final board", "ja": "最後の盤面"}
PLAYED = [name for name in SHIPPED if name != "scoresheet"]


PRINTED = list(product(PLAYED, BOARDS)) if tiers.SOAK else list(zip(PLAYED[:2], BOARDS, strict=True))
"""Games that are printed, each in a language."""


def test_reports_fit_their_sheets_of_paper_and_a_phone(
    paper: Callable[..., Page], service: Service, finished: str
) -> None:
    _long_names_break_no_word_of_the_audit(paper, service)
    _a_score_sheet_is_one_sheet_also_of_eight_with_long_names(paper, service)
    page = paper("/v1/exports/report.html")
    assert page.get_by_role("heading", name="Games and standings").is_visible()
    assert finished
    page.set_viewport_size(PHONE)
    assert not page.evaluate(WIDER)
    _a_blank_sheet_is_one_sheet_and_leaves_room_to_write(paper)
    for ruleset, language in PRINTED:
        _a_game_of_150_entries_is_three_sheets_at_most(paper, service, ruleset, language)


def _a_game_of_150_entries_is_three_sheets_at_most(
    paper: Callable[..., Page], service: Service, ruleset: str, language: str
) -> None:
    game = service.import_text(long_game(ruleset))
    page = paper("/problems")
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": service.base}])
    page.goto(f"/v1/games/{game}/export?format=report")
    assert page.get_by_role("heading", name=BOARDS[language]).is_visible()
    assert 1 <= sheets(page) <= 3
    page.set_viewport_size(PHONE)
    assert not page.evaluate(WIDER)


def _long_names_break_no_word_of_the_audit(paper: Callable[..., Page], service: Service) -> None:
    names = ["Maximiliane-Elisabeth von Hohenlohe-Waldenburg", "Ångström-Þórðarson Jörmungandr Sigurðsson"]
    game = service.open(
        *names, "José María Fernández-Villaverde y Roca de Togores", "愛子・アレクサンドラ", ruleset="verraeter"
    )
    page = paper(f"/v1/games/{game}/export?format=report")
    page.emulate_media(media="print")
    told = page.locator(".audit tr > :is(:first-child, :last-child)").all()
    assert len(told) >= 4
    assert not any(cell.evaluate(BROKEN) for cell in told)
    page.emulate_media(media="null")


def _a_score_sheet_is_one_sheet_also_of_eight_with_long_names(paper: Callable[..., Page], service: Service) -> None:
    game = service.open("Aiko", "Ben", ruleset="scoresheet", options={"template": "rounds"}, title="On Friday")
    service.record(game, *(f"r{number} {number} 10" for number in range(1, 21)))
    page = paper(f"/v1/games/{game}/export?format=report")
    assert sheets(page) == 1
    assert "On Friday" in page.title()
    names = [f"Maximiliana Wolkenstein-Trostburg von der Hohen Warte {number}" for number in range(3)]
    people = [*names, "寿限無寿限無五劫の擦り切れ海砂利水魚", "Ana", "Ben", "Zbigniew Brzęczyszczykiewicz", "Dora"]
    game = service.open(*people, ruleset="scoresheet", options={"template": "skyjo"})
    service.record(game, *(f"r{number} 1 2 3 4 5 6 7 8" for number in range(1, 11)))
    page = paper(f"/v1/games/{game}/export?format=report")
    assert sheets(page) == 1
    heads = page.locator(".sheet thead th").evaluate_all("(cells) => cells.slice(1).map((cell) => cell.offsetWidth)")
    assert max(heads) - min(heads) <= 2, "each player has a column of the same width"


def _a_blank_sheet_is_one_sheet_and_leaves_room_to_write(paper: Callable[..., Page]) -> None:
    for path in SHEETS if tiers.SOAK else ("kahuna/sheet", "catan_cards/sheet", *SHEETS[-2:]):
        page = paper(f"/v1/rulesets/{path}")
        assert sheets(page) == 1, path
        page.set_viewport_size(PHONE)
        assert not page.evaluate(WIDER), path
    page = paper("/v1/rulesets/scoresheet/sheet?template=yahtzee&seats=4")
    page.set_viewport_size({"width": 700, "height": 1000})
    widths = page.evaluate("[...document.querySelectorAll('.blank td')].map((cell) => cell.offsetWidth)")
    assert min(widths) > 80, "two centimetres on paper"
