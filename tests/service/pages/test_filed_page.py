"""A game in a file, opened from the file system: it replays the game and proves the record, without any network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import tiers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

LINES = """(cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getClientRects().length;
}"""
"""In how many lines the words of a cell stand."""

HEIGHTS = "(board) => [...board.querySelectorAll('[y]')].map((part) => part.getAttribute('y'))"
"""Where the parts of a board stand."""


@pytest.fixture
def file(service: Service, finished: str, tmp_path: Path) -> Callable[..., Path]:
    def make(language: str = "en") -> Path:
        address = f"/v1/games/{finished}/export?format=html"
        answer = service.api.get(address, headers={"Accept-Language": language}).raise_for_status()
        path = tmp_path / "game.html"
        path.write_text(answer.text, encoding="utf-8", newline="")
        return path

    return make


def test_a_file_replays_its_game_proves_its_record_and_asks_for_nothing(
    visit: Callable[..., Page], file: Callable[..., Path], service: Service, finished: str
) -> None:
    page = visit("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    path = file()
    page.goto(path.as_uri())
    version, points = service.version(finished), page.locator("#scores b")
    expect(page.locator("#moment")).to_have_text(f"Entry {version}")
    ends = points.all_inner_texts()
    page.get_by_role("button", name="First entry").click()
    expect(page.locator("#moment")).to_have_text("Entry 1")
    assert points.all_inner_texts() == ["0", "0"] != ends
    begins = page.locator("#board").inner_html()
    page.get_by_role("slider").press("ArrowRight")
    expect(page.locator("#moment")).to_have_text("Entry 2")
    expect(page.locator("#entry-2")).to_have_class("shown")
    page.locator("#entries").get_by_role("button", name=str(version), exact=True).click()
    assert points.all_inner_texts() == ends
    assert page.locator("#board").inner_html() != begins
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.set_viewport_size({"width": 360, "height": 740})
    for language in VERDICTS if tiers.SOAK else ("ja",):
        _proves_its_record(page, file(language), language)
    assert [url for url in asked if not url.startswith("file:")] == []


VERDICTS = {"ja": ("記録を検証する", "記録されたときのまま"), "en": ("Verify the record", "are as they were recorded")}
"""What is pressed, and what is said of a record that nobody changed."""


def _proves_its_record(page: Page, path: Path, language: str) -> None:
    """`proof.test.mjs` has the records that somebody changed."""
    button, verdict = VERDICTS[language]
    page.goto(path.as_uri())
    page.get_by_role("button", name=button).click()
    expect(page.locator("#verdict")).to_contain_text(verdict)
    assert page.evaluate("document.documentElement.scrollWidth") == 360, "a hash is broken into lines"


def test_a_file_of_eight_with_long_names_fits_a_phone(
    visit: Callable[..., Page], service: Service, tmp_path: Path
) -> None:
    """Also where a name, a title, a place or a note is one word without an end."""
    word = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwaren"
    people = [f"{word}{number}" for number in range(4)] + ["寿限無" * 12, "김수한무거북이와두루미" * 3, "Ana", "Ben"]
    game = service.open(*people, ruleset="scoresheet", options={"template": "skyjo"}, title=word, place=word)
    service.record(game, *(f"r{number} 1 2 3 4 5 6 7 8" for number in range(1, 6)))
    answer = service.api.get(f"/v1/games/{game}/export?format=html").raise_for_status()
    path = tmp_path / "eight.html"
    path.write_text(answer.text, encoding="utf-8", newline="")
    page = visit("about:blank")
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.locator("#entries th").first.evaluate(LINES) == 1
    page.emulate_media(color_scheme="dark")
    assert page.locator("#board svg").evaluate("board => getComputedStyle(board).filter") != "none"


ROUNDS = 40 if tiers.SOAK else 12
"""The rounds of a long sheet. A board of each is stored by its difference from the one before."""


def test_each_board_of_a_long_sheet_is_drawn_as_it_was(
    visit: Callable[..., Page], service: Service, tmp_path: Path
) -> None:
    game = service.open("Ana", "Ben", ruleset="scoresheet", options={"template": "rounds"})
    service.record(game, *(f"r{turn} {turn % 7} {turn % 5}" for turn in range(1, ROUNDS + 1)))
    answer = service.api.get(f"/v1/games/{game}/export?format=html").raise_for_status()
    path = tmp_path / "sheet.html"
    path.write_text(answer.text, encoding="utf-8", newline="")
    page = visit("about:blank")
    page.goto(path.as_uri())
    for version in range(ROUNDS + 1, 0, -1):
        expect(page.locator("#moment")).to_have_text(f"Entry {version}")
        picture = service.api.get(f"/v1/games/{game}/board.svg?at={version}").raise_for_status().text
        seen = re.sub('<rect [^>]*opacity="0" ?/>', "", picture)  # nobody taps a file
        assert page.locator("#board svg").evaluate(HEIGHTS) == re.findall(r' y="([^"]+)"', seen)
        page.get_by_role("button", name="One entry back").click()
