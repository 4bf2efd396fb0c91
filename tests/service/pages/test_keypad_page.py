"""A score sheet is kept with a keypad of its own: the system's keyboard stays away, and few taps do."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import tiers
from tests.service.pages.steps import Finger, Gate, pause_between_taps, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

BOXES = "all => all.map((key) => key.getBoundingClientRect().toJSON())"
"""Where keys stand: to ask for each of them takes a hundred times as long."""
FOUR = ("Aiko", "Ben", "Chiara", "Dana")
THUMB = 44


class Pad:
    """The keypad of a sheet's page, and how often it was tapped."""

    def __init__(self, page: Page, game: str) -> None:
        self.page, self.game, self.taps = page, game, 0
        self.element, self.finger = page.locator("#keypad"), Finger(page)
        expect(self.element.locator(".pad button").first).to_be_visible()

    def tap(self, *keys: str) -> None:
        for key in keys:
            self.finger.tap(self.element.get_by_role("button", name=NAMES.get(key, key), exact=True).first)
            self.taps += 1

    def chips(self) -> Locator:
        return self.element.locator(".chip b")

    def line_chips(self) -> Locator:
        """Those of the line that is filled in, not of others."""
        return self.element.locator(".chip:not(.gap) b")

    @contextmanager
    def held(self) -> Iterator[None]:
        """While the button of the mouse is down."""
        self.page.mouse.down()
        yield
        self.page.mouse.up()

    def says(self, line: str) -> None:
        expect(self.element.locator("summary")).to_contain_text(line)


NAMES = {
    "next": "Next player",
    "end": "Enter the line",
    "back": "Delete the last character",
    "+": "And",
    "±": "Plus or minus",
}


@pytest.fixture
def sheet(visit: Callable[..., Page], service) -> Callable[..., Pad]:
    """The keypad of a new sheet of a ready template, with these players."""

    def open_sheet(template: str, *names: str, **more) -> Pad:
        seats = [{"name": name} for name in names]
        game = service.open(ruleset="scoresheet", options={"template": template}, seats=seats)
        return Pad(visit(f"/games/{game}", **more), game)

    return open_sheet


def moves(service, game: str) -> list[str]:
    return [entry.get("notation") for entry in service.api.get(f"/v1/games/{game}/timeline").json()["entries"][1:]]


def test_a_round_of_four_players_takes_eight_taps_and_fewer_by_quick_keys_of_the_device(sheet, service):
    pad = sheet("rounds", *FOUR)
    for width in (320, 360):
        pad.page.set_viewport_size({"width": width, "height": 740})
        boxes = pad.element.locator("button:visible").evaluate_all(BOXES)
        assert min(min(box["width"], box["height"]) for box in boxes) >= THUMB
        assert min(box["y"] for box in boxes) >= 740 / 2, "all keys are in the lower half"
        assert max(box["y"] + box["height"] for box in boxes) <= 740
    expect(pad.page.locator("#turn")).to_have_text("Write it down")
    pad.says("Round 1, points")
    pad.tap("7", "next", "0", "next", "3", "next", "9", "end")
    assert pad.taps == 8
    wait_until_stored(pad.page, 2)
    expect(pad.page.locator("#scoreboard .points")).to_have_text(["7", "0", "3", "9"])
    pad.says("Round 2, points")
    quick = pad.element.locator(".quick button")
    expect(quick).to_have_text(["0", "5", "10", "20", "✎"])
    pad.tap("Choose the quick keys")
    pad.page.get_by_label("Numbers, with spaces between them").fill("0 25, -5")
    pad.page.get_by_role("button", name="Keep them").tap()
    expect(quick).to_have_text(["0", "25", "-5", "✎"])
    for key in (0, 1, 2, 0):
        quick.nth(key).tap()
    wait_until_stored(pad.page, 3)
    pad.element.get_by_role("button", name=re.compile("Chiara")).tap()
    pad.tap("8", "Next round")
    wait_until_stored(pad.page, 4)
    assert moves(service, pad.game) == ["r1 7 0 3 9", "r2 0 25 -5 0", "r3 ? ? 8 ?"]
    _an_earlier_cell_is_changed_by_tapping_it(pad)
    pad.tap("4", "next", "1", "2")
    pad.page.reload()
    expect(quick).to_have_text(["0", "25", "-5", "✎"])
    expect(pad.line_chips()).to_have_text(["4", "12", "–", "–"])
    pad.says("Round 4, points")


def _an_earlier_cell_is_changed_by_tapping_it(pad: Pad) -> None:
    pad.page.locator('#board [data-at="r1 p2"]').tap()
    pad.says("Change round 1, Ben")
    expect(pad.page.locator("#recorder")).to_be_hidden()
    pad.tap("Leave it as it was")
    pad.says("Round 4, points")


@pytest.mark.soak  # `keypad.mjs` ends games by their keys
def test_a_game_is_finished_by_a_key_that_says_who_wins_and_the_focus_goes_along(sheet):
    pad = sheet("rounds", "Aiko", "Ben")
    pad.tap("2", "next", "4", "end")
    wait_until_stored(pad.page, 2)
    pad.tap("Finish …")
    finish = pad.page.get_by_role("button", name="Finish: Ben wins with 4", exact=True)
    expect(finish).to_be_focused()
    finish.tap()
    wait_until_stored(pad.page, 3)
    expect(pad.page.get_by_role("button", name="See how it went")).to_be_focused()
    expect(pad.page.get_by_label("Move in notation")).to_be_hidden()
    expect(pad.page.locator("#undo")).to_be_visible()


@pytest.mark.soak  # `keypad.mjs` adds up sums, and has the keyboard of the table
def test_sums_are_added_up_and_the_keyboard_of_the_table_works_while_that_of_the_system_stays_away(sheet, service):
    pad = sheet("rounds", "Aiko", "Ben")
    field = pad.page.locator(".blanks").get_by_label("Ben", exact=True)
    expect(field).to_have_attribute("inputmode", "none")
    pad.tap(*"10+15+8")
    expect(pad.chips().first).to_have_text("33")
    pad.says("10+15+8")
    pad.tap("next", *"4+", "±", "6")
    expect(pad.chips().last).to_have_text("−2")
    pad.tap("back", "1", "2", "end")
    wait_until_stored(pad.page, 2)
    pad.page.keyboard.type("12+3")
    pad.page.keyboard.press("Enter")
    pad.page.keyboard.type("48")
    pad.page.keyboard.press("Backspace")
    expect(pad.chips()).to_have_text(["15", "4"])
    pad.page.keyboard.press("Enter")
    wait_until_stored(pad.page, 3)
    assert moves(service, pad.game) == ["r1 33 -8", "r2 15 4"]
    pad.tap(".", ".", "5", "next", "1", "end")
    told = pad.element.get_by_role("alert")
    expect(told).to_have_text("Aiko: ..5 is not a number.")
    box, keys = told.bounding_box(), pad.element.locator(".pad").bounding_box()
    assert box
    assert keys
    assert box["y"] + box["height"] <= keys["y"] <= box["y"] + box["height"] + 20
    assert service.version(pad.game) == 3
    pad.element.locator("summary").tap()
    expect(field).to_have_attribute("inputmode", "decimal")
    expect(pad.element.locator(".pad")).to_be_hidden()
    pad.page.reload()
    expect(pad.element.locator("summary")).to_be_visible()
    expect(pad.element.locator(".pad")).to_be_hidden()


@pytest.mark.soak  # `taps.test.mjs` keeps the press, and `keypad.mjs` the cell and its key
def test_no_key_is_lost_or_means_another_cell_while_another_phone_records(sheet, service):
    pad = sheet("rounds", "Aiko", "Ben", "Chiara")
    chip = pad.element.get_by_role("button", name=re.compile("Chiara"))
    chip.hover()
    with pad.held():
        service.record(pad.game, "r1 p2 5")
        wait_until_stored(pad.page, 2)
        expect(pad.line_chips()).to_have_text(["–", "5", "–"])
    expect(chip).to_have_attribute("aria-pressed", "true")
    pad.tap("4")
    pad.says("Round 1, points")
    expect(pad.line_chips()).to_have_text(["–", "5", "4"])
    pad.tap("2", "end")
    wait_until_stored(pad.page, 3)
    assert moves(service, pad.game) == ["r1 p2 5", "r1 ? ? 42"]
    if tiers.SOAK:
        _the_chosen_line_is_gone(sheet("yahtzee", "Aiko", "Ben"), service)


def _the_chosen_line_is_gone(pad: Pad, service) -> None:
    """Choose a line that another phone fills in before a key is pressed."""
    pad.page.locator('#board [data-at="p2 threes"]').tap()
    pad.line_chips().first.hover()
    with pad.held():
        service.record(pad.game, "threes 3 6")
        wait_until_stored(pad.page, 2)
        expect(pad.element.get_by_role("alert")).to_contain_text("Threes is not due any more")
    expect(pad.element.locator(".chip[aria-pressed=true]")).to_have_count(0)
    expect(pad.element.get_by_role("alert")).to_contain_text("Threes is not due any more")
    pad.tap("3")
    expect(pad.line_chips()).to_have_text(["–", "–"])
    pad.page.locator('#board [data-at="p2 fours"]').tap()
    pad.tap("8", "end")
    wait_until_stored(pad.page, 3)
    ben = pad.page.locator('#board [data-at="p2 fives"]')
    ben.tap()
    pad.element.get_by_role("button", name=re.compile("Aiko")).first.tap()
    pause_between_taps(pad.page)
    ben.tap()
    pad.tap("5", "end")
    wait_until_stored(pad.page, 4)
    assert moves(service, pad.game) == ["threes 3 6", "fours ? 8", "fives ? 5"]


@pytest.mark.soak
def test_a_line_is_filled_in_while_another_phone_records_another_and_while_the_last_one_is_on_its_way(sheet, service):
    pad = sheet("wizard", "Aiko", "Ben")
    pad.tap("9")  # a rule that a number would break is said at the keys, and no second form comes
    expect(pad.element.get_by_role("alert")).to_contain_text("more is bid than there are tricks")
    expect(pad.page.locator("#recorder")).to_be_hidden()
    pad.tap("back")
    expect(pad.element.locator(".cause")).to_be_empty()
    pad.tap("1")
    service.record(pad.game, "r1 tricks 1 0")
    wait_until_stored(pad.page, 2)
    expect(pad.page.locator(".blanks details", has_text="Round 1, tricks")).to_have_count(0)
    pad.tap("0")
    expect(pad.chips()).to_have_text(["10", "–"])
    pad.tap("back")
    gate = Gate(pad.page, re.compile(r"/events$"))
    pad.tap("next", "0", "end")
    pad.says("Round 2, bid")
    pad.tap("2", "next", "0", "end")
    pad.says("Round 2, tricks")
    pad.tap("1", "next")
    gate.open()
    wait_until_stored(pad.page, 4)
    pad.says("Round 2, tricks")
    expect(pad.chips()).to_have_text(["1", "–"])
    pad.tap("1", "end")
    wait_until_stored(pad.page, 5)
    assert moves(service, pad.game) == ["r1 tricks 1 0", "r1 1 0", "r2 2 0", "r2 tricks 1 1"]


SIX = ("Lisa", "Bartholomäus der Zweite", "千代子", "Dana", "Emil", "Maximilian")
CUT = """names => names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent)"""
"""Of names: those that are not seen whole."""
CLAMPED = CUT.replace("Width", "Height")
"""Of names on two lines: those that are not seen whole."""


def _what_decides_fits_below_the_totals(sheet, service) -> None:
    pad = sheet("doppelkopf", *FOUR)
    service.record(pad.game, "solo p1")
    marked = pad.page.locator("#scoreboard li:has(.marker)")
    expect(marked.locator(".marker")).to_have_text("dealer, has had the solo")
    name, marker = marked.locator(".name").bounding_box(), marked.locator(".marker").bounding_box()
    assert marker["y"] >= name["y"] + name["height"] - 1, "it has a line of its own on a phone"
    assert marker["height"] <= 60
    assert pad.page.evaluate("document.documentElement.scrollWidth") <= 360
    pad = sheet("concordia", *SIX[:5])
    service.record(pad.game, *(f"{god} 9 9 9 9 9" for god in ("vesta", "mars")), "magnus 1 2 3 4 5")
    deciding = pad.page.locator("#scoreboard .deciding").nth(4)
    expect(deciding).to_have_text(re.compile("turns to the Praefectus Magnus.*: 5$"))
    expect(deciding).to_be_visible()
    assert deciding.evaluate("line => line.scrollWidth <= Math.min(line.clientWidth, line.parentElement.clientWidth)")


def test_names_of_six_players_can_be_read_any_others_fit_and_what_decides_does(sheet, service) -> None:
    pad = sheet("rounds", *SIX)
    assert pad.element.locator(".chip bdi").evaluate_all(CUT) == ["Bartholomäus der Zweite"]
    for chip in pad.element.locator(".chip").all():
        expect(chip).to_be_in_viewport(ratio=1)
    assert set(pad.page.locator("#scoreboard bdi").evaluate_all(CLAMPED)) <= {"Bartholomäus der Zweite"}
    heads = pad.page.locator("#board [data-seat] text").all_text_contents()
    assert [name for name in heads if name not in SIX and not name.startswith("Barth")] == [], "smaller, not fewer"
    assert pad.page.evaluate("document.documentElement.scrollWidth") <= 360
    service.record(pad.game, "r1 100 101 102 103 104 105")
    _a_desk_names_each_seat_in_one_line(pad.page)
    pad = _any_name_fits(sheet, 4)
    assert pad.element.locator(".cells").evaluate("cells => cells.scrollWidth <= cells.clientWidth")
    for texts in (["Undo", "Redo", "More …"], ["元に戻す", "やり直す", "その他…"]):
        room = pad.element.evaluate(ROOM, texts)
        assert room >= 0, f"{texts} cover {-room} pixels of the title"
    _what_decides_fits_below_the_totals(sheet, service)


def _a_desk_names_each_seat_in_one_line(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    expect(page.locator("#scoreboard .points").last).to_have_text("105")
    assert page.locator("#scoreboard .name small").evaluate_all(LINES) == [1] * 6


LINES = "all => all.map(part => Math.round(part.offsetHeight / parseFloat(getComputedStyle(part).lineHeight)))"
"""How many lines each text has."""

ROOM = """(keypad, texts) => {
  const buttons = ["undo", "redo", "more"].map((id) => document.getElementById(id));
  buttons.forEach((button, at) => { button.hidden = false; button.textContent = texts[at]; });
  const title = keypad.querySelector("summary > span").getBoundingClientRect();
  return buttons[0].getBoundingClientRect().left - title.right;
}"""
"""How much room is between the title of a keypad and the buttons beside it, with all of them and their `texts`."""


def _any_name_fits(sheet, count: int) -> Pad:
    """See that so many players of any name fit."""
    names = (CALLED * 2)[-count:]
    pad = sheet("rounds", *(f"{name[: 40 - len(str(seat))]}{seat}" for seat, name in enumerate(names)))
    assert pad.page.evaluate("document.documentElement.scrollWidth") <= 360
    pad.tap("7", "next")
    expect(pad.element.locator("[aria-pressed=true] bdi")).to_be_in_viewport()
    return pad


CALLED = ("A", "お" * 40, "مرحبا بالعالم", "x" * 40)


@pytest.mark.soak
@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_any_number_of_players_of_any_name_fits(sheet, count: int) -> None:
    _any_name_fits(sheet, count)


def test_the_key_that_ends_the_game_has_room_for_any_name(visit, service) -> None:
    pairs = (("W" * 40, "寿限無" * 13), ("W" * 40, "Max"))
    for names in pairs if tiers.SOAK else pairs[:1]:
        game = service.open(*names, ruleset="scoresheet", options={"template": "first_to_100"})
        service.record(game, "r1 500 500" if names[1] != "Max" else "r1 533 0")
        for width in (360, 1280):
            page = visit(f"/games/{game}", viewport={"width": width, "height": 740})
            finish = page.get_by_role("button", name=re.compile("Finish:"))
            expect(finish).to_be_enabled()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            finish.evaluate("button => { if (button.scrollWidth > button.clientWidth + 1) throw Error('cut') }")


def test_the_quick_keys_stay_whole_beside_the_key_that_ends_the_game(visit, service) -> None:
    game = service.open("Ann", "Ben", ruleset="scoresheet", options={"template": "rounds"})
    service.record(game, "r1 4 5")
    page = visit(f"/games/{game}")
    expect(page.locator("#keypad").get_by_role("button", name="Finish …")).to_be_visible()
    quick = page.locator("#keypad .quick")
    assert quick.evaluate("keys => keys.scrollWidth <= keys.clientWidth"), "the last one is cut"
    assert min(key["width"] for key in quick.locator("button").evaluate_all(BOXES)) >= THUMB
