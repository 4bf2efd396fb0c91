"""A score sheet is kept with a thumb: a field for every player, and the line of notation that they make."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import Gate, stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def sheet(visit: Callable[..., Page], service) -> Callable[..., Page]:
    """The page of a new sheet of a ready template, with these players."""

    def open_sheet(template: str, *names: str) -> Page:
        seats = [{"name": name} for name in names]
        game = service.open(ruleset="scoresheet", options={"template": template}, seats=seats)
        page = visit(f"/games/{game}")
        expect(page.locator(".blanks details").first).to_be_visible()
        return page

    return open_sheet


def record(page: Page) -> None:
    expect(page.locator(".preview .dry-run")).to_be_visible()
    page.get_by_role("button", name="Record", exact=True).tap()


def test_a_round_is_filled_in_field_by_field(sheet):
    page = sheet("rounds", "Aiko", "Ben", "Chiara")
    page.get_by_label("Aiko", exact=True).fill("12")
    page.get_by_label("Chiara", exact=True).fill("4")
    page.get_by_role("button", name="Minus for Chiara").tap()
    expect(page.get_by_label("Move in notation")).to_have_value("r1 12 ? -4")
    page.get_by_label("Ben", exact=True).fill("7")
    record(page)
    stored(page, 2)
    expect(page.locator("#scoreboard .points")).to_have_text(["12", "7", "-4"])
    expect(page.locator(".blanks summary").first).to_have_text("r2")
    expect(page.get_by_label("Ben", exact=True)).to_have_value("")


def test_labels_are_picked(sheet):
    page = sheet("win_loss_draw", "Erin", "Farid")
    page.get_by_role("group", name="Erin").get_by_role("button", name="win").tap()
    page.get_by_role("group", name="Farid").get_by_role("button", name="loss").tap()
    expect(page.get_by_label("Move in notation")).to_have_value("result win loss")
    record(page)
    stored(page, 2)
    page.get_by_role("button", name="end", exact=True).tap()
    record(page)
    expect(page.locator("#turn")).to_contain_text("Erin won (points)")


def test_fields_that_are_filled_in_are_recorded_by_a_tap_that_does_not_wait(sheet):
    page = sheet("win_loss_draw", "Erin", "Farid")
    gate = Gate(page, re.compile("dry_run"))
    for name, word in (("Erin", "win"), ("Farid", "loss")):
        page.get_by_role("group", name=name).get_by_role("button", name=word).tap()
    page.get_by_role("button", name="Record", exact=True).tap()
    expect(page.locator("#preview[aria-busy=true]")).to_be_attached()
    gate.open()
    stored(page, 2)


def test_a_word_is_lifted_by_a_second_tap_and_no_number_of_words_is_told_of_a_move_that_is_whole(sheet):
    page = sheet("win_loss_draw", "Erin", "Farid")
    win = page.get_by_role("group", name="Erin").get_by_role("button", name="win")
    win.tap()
    expect(win).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_label("Move in notation")).to_have_value("result win ?")
    expect(page.locator(".count")).to_be_empty()
    win.tap()
    expect(win).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("Move in notation")).to_have_value("")


def test_the_sheet_names_its_players_as_far_as_there_is_room(sheet):
    page = sheet("rounds", "Aiko", "Bartholomew the Second", "C", "D", "E")
    heads = page.locator("#board [data-seat]")
    expect(heads).to_have_text(["Aiko", re.compile("^Bar.*…$"), "C", "D", "E"])
    boxes = [head.bounding_box() for head in heads.all()]
    assert all(left["x"] + left["width"] <= right["x"] for left, right in pairwise(boxes))


def test_a_tap_on_a_cell_names_it_and_a_cell_is_corrected(sheet):
    page = sheet("rounds", "Aiko", "Ben")
    page.get_by_label("Aiko", exact=True).fill("1")
    page.get_by_label("Ben", exact=True).fill("2")
    record(page)
    stored(page, 2)
    page.locator('#board [data-at="r1 p2"]').tap()
    move = page.get_by_label("Move in notation")
    expect(move).to_have_value("r1 p2")
    move.fill("r1 p2 20")
    record(page)
    stored(page, 3)
    expect(page.locator("#scoreboard .points")).to_have_text(["1", "20"])
    expect(page.locator("#moment")).to_contain_text("2 → 20")


@pytest.mark.parametrize("template", ["rounds", "farm", "wizard"])
def test_every_field_is_wide_enough_for_a_thumb_and_nothing_hangs_over(sheet, template):
    page = sheet(template, *(f"Player with a long name {number}" for number in range(1, 8)))
    for field in page.locator(".blanks details[open] input").all():
        box = field.bounding_box()
        assert box["height"] >= 40
        assert box["width"] >= 60
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_won_together_is_no_draw(sheet, service, visit):
    game = service.open(ruleset="scoresheet", options={"template": "cooperative"}, seats=[{}, {}])
    service.record(game, "won")
    expect(visit(f"/games/{game}").locator("#turn")).to_have_text(re.compile("^Player 1 and Player 2 won"))
    game = service.open(ruleset="scoresheet", options={"template": "cooperative"}, seats=[{}])
    service.record(game, "lost")
    expect(visit(f"/games/{game}").locator("#turn")).to_have_text(re.compile("^Nobody won"))
