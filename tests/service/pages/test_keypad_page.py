"""A score sheet is kept with a keypad of its own: the system's keyboard stays away, and few taps do."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.choosing import some
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
    "back": "Delete the last sign",
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
    pad.page.get_by_label("Numbers, with blanks between them").fill("0 25, -5")
    pad.page.get_by_role("button", name="Keep them").tap()
    expect(quick).to_have_text(["0", "25", "-5", "✎"])
    for key in (0, 1, 2, 0):
        quick.nth(key).tap()
    wait_until_stored(pad.page, 3)
    pad.element.get_by_role("button", name=re.compile("Chiara")).tap()
    pad.tap("8", "Next round")
    wait_until_stored(pad.page, 4)
    assert moves(service, pad.game) == ["r1 7 0 3 9", "r2 0 25 -5 0", "r3 ? ? 8 ?"]
    pad.tap("4", "next", "1", "2")
    pad.page.reload()
    expect(quick).to_have_text(["0", "25", "-5", "✎"])
    expect(pad.line_chips()).to_have_text(["4", "12", "–", "–"])
    pad.says("Round 4, points")


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


def test_scores_that_are_missing_or_come_from_another_phone_stand_beside_what_is_typed_and_who_dropped_out_has_none(
    sheet, service
):
    pad = sheet("rounds", "Aiko", "Ben", "Chiara")
    pad.tap("5", "next", "±", "7", "Next round")
    wait_until_stored(pad.page, 2)
    assert moves(service, pad.game) == ["r1 5 -7 ?"]
    pad.page.reload()
    pad.says("Round 2, points")
    expect(pad.line_chips()).to_have_text(["–", "–", "–"])
    pad.tap("1", "next", "2", "next", "3", "end")
    wait_until_stored(pad.page, 3)
    pad.tap("Round 1, points, Chiara")
    pad.says("Round 1, points")
    expect(pad.line_chips()).to_have_text(["5", "−7", "–"])
    pad.tap("9", "end")
    wait_until_stored(pad.page, 4)
    assert moves(service, pad.game) == ["r1 5 -7 ?", "r2 1 2 3", "r1 ? ? 9"]
    pad.says("Round 3, points")
    expect(pad.element.locator(".gap")).to_have_count(0)
    chip = pad.element.get_by_role("button", name=re.compile("Chiara"))
    chip.hover()
    with pad.held():
        service.record(pad.game, "r3 p2 5")
        wait_until_stored(pad.page, 5)
        expect(pad.line_chips()).to_have_text(["–", "5", "–"])
    expect(chip).to_have_attribute("aria-pressed", "true")
    pad.tap("4")
    pad.says("Round 3, points")
    expect(pad.line_chips()).to_have_text(["–", "5", "4"])
    pad.tap("2", "end")
    wait_until_stored(pad.page, 6)
    assert moves(service, pad.game)[3:] == ["r3 p2 5", "r3 ? ? 42"]
    service.record(pad.game, "p2 out")
    expect(pad.line_chips()).to_have_count(2)
    pad.tap("4", "next", "3", "end")
    wait_until_stored(pad.page, 8)
    assert moves(service, pad.game)[-1] == "r4 4 ? 3"


def test_rounds_are_entered_without_a_network_stored_in_order_and_joined_with_those_of_another_phone(sheet, service):
    pad = sheet("rounds", "Aiko", "Ben")
    pad.page.context.set_offline(True)
    pad.tap("7", "Next round")
    pad.says("Round 2, points")
    pad.tap("Round 1, points, Ben")
    expect(pad.line_chips()).to_have_text(["7", "–"])
    pad.tap("8", "end")
    for number in (2, 3):
        pad.says(f"Round {number}, points")
        pad.tap(str(number), "next", "9", "end")
    pad.says("Round 4, points")
    expect(pad.page.locator("#outbox li")).to_have_count(4)
    pad.page.context.set_offline(False)
    wait_until_stored(pad.page, 5)
    assert moves(service, pad.game) == ["r1 7 ?", "r1 ? 8", "r2 2 9", "r3 3 9"]
    pad.says("Round 4, points")
    outbox = pad.page.get_by_role("list", name="Not stored yet")
    pad.page.context.set_offline(True)
    pad.tap("7", "Next round")
    service.record(pad.game, "r4 ? 8")
    pad.page.context.set_offline(False)
    wait_until_stored(pad.page, 7)
    expect(outbox.get_by_role("listitem")).to_have_count(0)
    assert moves(service, pad.game)[4:] == ["r4 ? 8", "r4 7 ?"]
    pad.says("Round 5, points")
    pad.page.context.set_offline(True)
    pad.tap("4", "next", "5", "end")
    expect(outbox).to_contain_text("kept here until it is stored")
    service.record(pad.game, "r5 ? 6")
    pad.page.context.set_offline(False)
    expect(outbox).to_contain_text("somebody else has filled in the sheet meanwhile, and not the same")
    expect(outbox).to_contain_text("r5 ? 6")
    outbox.get_by_role("button", name="Record it after them").click()
    wait_until_stored(pad.page, 9)
    assert moves(service, pad.game)[6:] == ["r5 ? 6", "r5 4 5"]
    _somebody_comes_late(pad, service)


def _somebody_comes_late(pad: Pad, service) -> None:
    """Let somebody in who has no seat yet, with a name and without, after five rounds of two."""
    points = pad.page.locator("#scoreboard .points")
    expect(points).to_have_text(["23", "39"])
    pad.page.get_by_role("button", name="More …", exact=True).tap()
    pad.page.get_by_role("button", name=re.compile("Somebody comes late")).tap()
    dialog = pad.page.locator("dialog[open]")
    expect(dialog.get_by_label("Player", exact=True)).to_have_value("2")
    dialog.get_by_label("Name", exact=True).fill("BEN ")
    expect(dialog.get_by_text("BEN sits at two seats. Is that right?")).to_be_visible()
    dialog.get_by_label("Name", exact=True).fill("Chiara")
    expect(dialog.get_by_text("two seats")).to_have_count(0)
    dialog.get_by_label("Points to begin with").select_option("the lowest score of the others")
    dialog.get_by_role("button", name="Let the player in", exact=True).tap()
    wait_until_stored(pad.page, 11)
    expect(pad.page.locator("#scoreboard .name bdi")).to_have_text(["Aiko", "Ben", "Chiara"])
    expect(points).to_have_text(["23", "39", "23"])
    pad.says("Round 6, points")
    pad.tap("1", "next", "2", "next", "5", "end")
    wait_until_stored(pad.page, 12)
    expect(points).to_have_text(["24", "41", "28"])
    pad.page.get_by_role("button", name="More …", exact=True).tap()
    pad.page.get_by_role("button", name=re.compile("Somebody comes late")).tap()
    dialog.get_by_label("Points to begin with").select_option("the average of the others")
    dialog.get_by_role("button", name="Let the player in", exact=True).tap()
    wait_until_stored(pad.page, 13)
    assert moves(service, pad.game)[8:] == ["p3 in lowest", None, "r6 1 2 5", "p4 in average"]
    expect(points).to_have_text(["24", "41", "28", "31"])


def test_cells_and_notes_of_others_join_and_a_check_that_all_of_it_breaks_is_asked_about(sheet, service):
    pad = sheet("hearts", "Aiko", "Ben")
    expect(pad.element.locator("summary > span")).to_have_text("Round 1, penalty points")  # as its column is called
    outbox = pad.page.get_by_role("list", name="Not stored yet")
    pad.page.context.set_offline(True)
    pad.tap("2", "0", "Next round")
    expect(outbox).to_contain_text("kept here until it is stored")
    service.add(pad.game, {"type": "note.added", "data": {"text": "A hand to remember."}})
    service.record(pad.game, "r1 p2 9")
    pad.page.context.set_offline(False)
    expect(outbox).to_contain_text("here are 29")
    outbox.get_by_label("Why it counts").fill("counted so")
    outbox.get_by_role("button", name="Send again").click()
    wait_until_stored(pad.page, 4)
    assert moves(service, pad.game) == [None, "r1 p2 9", "r1 20 ?"]


def test_a_tap_on_a_cell_fills_in_this_cell_and_no_key_another_line_than_the_chosen_one(sheet, service):
    pad = sheet("yahtzee", "Aiko", "Ben")
    _a_cell_after_a_gap_is_no_end_of_the_line(pad, service)
    pad.tap("Next line")
    wait_until_stored(pad.page, 3)
    for version, (seat, box, points) in enumerate(
        ((2, "ones", 1), (1, "twos", 2), (2, "chance", 21), (1, "chance", 20)), 4
    ):
        pad.page.locator(f'#board [data-at="p{seat} {box}"]').tap()
        pad.page.wait_for_timeout(50)  # a browser tells late that a line was opened
        pad.tap(*str(points), "end" if seat == 2 else "Next line")
        wait_until_stored(pad.page, version)
    expect(pad.page.locator("#scoreboard .points")).to_have_text(["25", "26"])
    _the_chosen_line_is_gone(pad, service)
    assert moves(service, pad.game)[6:] == ["threes 3 6", "fours ? 8", "fives ? 5"]


def _a_cell_after_a_gap_is_no_end_of_the_line(pad: Pad, service) -> None:
    pad.page.locator('#board [data-at="p1 ones"]').tap()
    pad.tap("3")
    pad.page.locator('#board [data-at="p2 twos"]').tap()
    pad.says("Twos")
    expect(pad.element.get_by_role("button", name="Ones, Aiko, not recorded")).to_have_text("Aikoones 3")
    pad.tap("4", "end")
    wait_until_stored(pad.page, 2)
    assert moves(service, pad.game) == ["twos ? 4"]
    pad.says("Ones")
    expect(pad.line_chips()).to_have_text(["3", "–"])


def _the_chosen_line_is_gone(pad: Pad, service) -> None:
    """Choose a line that another phone fills in before a key is pressed."""
    pad.page.locator('#board [data-at="p2 threes"]').tap()
    pad.line_chips().first.hover()
    with pad.held():
        service.record(pad.game, "threes 3 6")
        wait_until_stored(pad.page, 8)
        expect(pad.element.get_by_role("alert")).to_contain_text("Threes is not due any more")
    expect(pad.element.locator(".chip[aria-pressed=true]")).to_have_count(0)
    expect(pad.element.get_by_role("alert")).to_contain_text("Threes is not due any more")
    pad.tap("3")
    expect(pad.line_chips()).to_have_text(["–", "–"])
    pad.page.locator('#board [data-at="p2 fours"]').tap()
    pad.tap("8", "end")
    wait_until_stored(pad.page, 9)
    ben = pad.page.locator('#board [data-at="p2 fives"]')
    ben.tap()
    pad.element.get_by_role("button", name=re.compile("Aiko")).first.tap()
    pause_between_taps(pad.page)
    ben.tap()
    pad.tap("5", "end")
    wait_until_stored(pad.page, 10)


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


def test_what_is_refused_is_said_to_be_mended_and_a_game_is_stopped_early(sheet, service):
    pad = sheet("farkle", "Aiko", "Ben")
    pad.tap("4", "next", "3", "end")
    expect(pad.element.get_by_role("alert")).to_contain_text("points: 4 cannot be")
    expect(pad.chips()).to_have_text(["4", "3"])
    pad.says("Round 1, points")
    assert len(service.entries(pad.game)) == 1
    pad.element.get_by_role("button", name=re.compile("Aiko")).tap()
    pad.tap(*"500", "next", *"350", "end")
    wait_until_stored(pad.page, 2)
    assert moves(service, pad.game) == ["r1 500 350"]
    _is_stopped_early(pad, service, "nobody has won", ())


@pytest.mark.soak  # `lines.test.mjs` has which line is due
def test_a_line_in_which_nothing_has_to_stand_is_passed_over(sheet, service):
    pad = sheet("skull_king", "Aiko", "Ben")
    pad.says("Round 1, bid")
    pad.tap("1", "next", "0", "end")
    pad.says("Round 1, tricks")
    pad.tap("1", "next", "0", "end")
    wait_until_stored(pad.page, 3)
    pad.says("Round 1, bonus")
    pad.tap("Next round")
    pad.says("Round 2, bid")
    assert moves(service, pad.game) == ["r1 1 0", "r1 tricks 1 0"]


def test_what_cannot_be_is_asked_about_at_the_keys_and_recorded_with_a_reason(sheet, service) -> None:
    pad = sheet("tichu", "Aiko", "Ben", "Chiara", "Dana")
    pad.tap("1", "5", "0", "next", "1", "5", "0")
    said = pad.element.get_by_role("alert")
    expect(said).to_contain_text("the deal has 100 points")
    pad.page.evaluate("globalThis.pressed = document.querySelector('#keypad .cause button')")
    pad.tap("end")
    expect(said).to_contain_text(re.compile("Not recorded: .*here are 300"))
    assert pad.page.evaluate("pressed.isConnected"), "a tap meant for it goes amiss"
    pad.tap("Record it anyway …")
    recorder = pad.page.locator("#recorder")
    recorder.get_by_role("button", name="agreed by all", exact=True).tap()
    expect(recorder.locator(".preview")).to_contain_text("Irregular: the deal has 100 points")
    recorder.get_by_role("button", name="Record as irregular", exact=True).tap()
    wait_until_stored(pad.page, 2)
    info = service.api.get(f"/v1/games/{pad.game}").json()
    assert (info["scores"], info["irregular"]) == ([150] * 4, {"2": ["scoresheet:CHECK-1"]})


@pytest.mark.soak
def test_a_game_that_is_stopped_early_can_have_a_winner(sheet, service) -> None:
    pad = sheet("first_to_100", "Aiko", "Ben")
    pad.tap("3", "next", "9", "end")
    wait_until_stored(pad.page, 2)
    _is_stopped_early(pad, service, "who is ahead has won", (1,))


def _is_stopped_early(pad: Pad, service, how: str, winners: tuple[int, ...]) -> None:
    """Stop a game by a few taps."""
    pad.page.get_by_role("button", name="More …", exact=True).tap()
    pad.page.get_by_role("button", name=re.compile("Stopped early")).tap()
    pad.page.get_by_label("How it counts").select_option(how)
    pad.page.locator("dialog[open]").get_by_role("button", name="Stop the game", exact=True).tap()
    expect(pad.page.locator("#turn")).to_contain_text("stopped")
    info = service.api.get(f"/v1/games/{pad.game}").json()
    assert (info["status"], info["outcome"]["winners"], info["irregular"]) == ("finished", [*winners], {})


def test_what_decides_stands_beside_the_totals_and_a_marker_goes_round_or_to_somebody_else(sheet, service) -> None:
    pad = sheet("skat", "Aiko", "Ben", "Chiara")
    dealers = pad.page.locator("#scoreboard .marker")
    expect(dealers).to_have_text(["dealer"])
    deals = pad.page.locator("#scoreboard li:has(.marker)")
    expect(deals).to_contain_text("Aiko")
    pad.page.get_by_role("button", name="More …", exact=True).tap()
    pad.page.get_by_role("button", name=re.compile("Change a marker")).tap()
    dialog = pad.page.locator("dialog[open]")
    dialog.get_by_label("Player", exact=True).select_option("Chiara")
    dialog.get_by_role("button", name="Change it", exact=True).tap()
    wait_until_stored(pad.page, 2)
    assert moves(service, pad.game) == ["r1 dealer p3"]
    expect(deals).to_contain_text("Chiara")
    service.record(pad.game, "r1 24 0 0")
    expect(deals).to_contain_text("Aiko")
    pad = sheet("doppelkopf", *FOUR)
    service.record(pad.game, "solo p1")
    marked = pad.page.locator("#scoreboard li:has(.marker)")
    expect(marked.locator(".marker")).to_have_text("dealer, has had the solo")
    name, marker = marked.locator(".name").bounding_box(), marked.locator(".marker").bounding_box()
    assert marker["y"] >= name["y"] + name["height"] - 1, "it has a line of its own on a phone"
    assert marker["height"] <= 60
    assert pad.page.evaluate("document.documentElement.scrollWidth") <= 360
    pad = sheet("go", "Aiko", "Ben")
    service.record(pad.game, "territory 40 38", "p2 komi 6.5")
    deciding = pad.page.locator("#scoreboard .deciding").nth(1)
    expect(deciding).to_have_text("with komi: 44.5")
    expect(deciding).to_be_visible()
    pad = sheet("concordia", *SIX[:5])
    service.record(pad.game, *(f"{god} 9 9 9 9 9" for god in ("vesta", "mars")), "magnus 1 2 3 4 5")
    deciding = pad.page.locator("#scoreboard .deciding").nth(4)
    expect(deciding).to_have_text(re.compile("turns to the Praefectus Magnus.*: 5$"))
    assert deciding.evaluate("line => line.scrollWidth <= Math.min(line.clientWidth, line.parentElement.clientWidth)")


SIX = ("Lisa", "Bartholomäus der Zweite", "千代子", "Dana", "Emil", "Maximilian")
CUT = """names => names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent)"""
"""Of names: those that are not seen whole."""
CLAMPED = CUT.replace("Width", "Height")
"""Of names on two lines: those that are not seen whole."""


def test_names_of_six_players_can_be_read_and_any_others_fit(sheet) -> None:
    pad = sheet("rounds", *SIX)
    assert pad.element.locator(".chip bdi").evaluate_all(CUT) == ["Bartholomäus der Zweite"]
    for chip in pad.element.locator(".chip").all():
        expect(chip).to_be_in_viewport(ratio=1)
    assert set(pad.page.locator("#scoreboard bdi").evaluate_all(CLAMPED)) <= {"Bartholomäus der Zweite"}
    heads = pad.page.locator("#board [data-seat] text").all_text_contents()
    assert [name for name in heads if name not in SIX and not name.startswith("Barth")] == [], "smaller, not fewer"
    assert pad.page.evaluate("document.documentElement.scrollWidth") <= 360
    _any_name_fits(sheet, 8)
    pad = _any_name_fits(sheet, 4)
    assert pad.element.locator(".cells").evaluate("cells => cells.scrollWidth <= cells.clientWidth")
    for texts in (["Undo", "Redo", "More …"], ["元に戻す", "やり直す", "その他…"]):
        room = pad.element.evaluate(ROOM, texts)
        assert room >= 0, f"{texts} cover {-room} pixels of the title"


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
@pytest.mark.parametrize("count", [2, 3, 5])
def test_any_number_of_players_of_any_name_fits(sheet, count: int) -> None:
    _any_name_fits(sheet, count)


def test_a_line_has_one_form_undo_stands_beside_its_keys_and_an_earlier_cell_is_changed_by_tapping_it(
    sheet, service
) -> None:
    pad = sheet("rounds", "Aiko", "Ben")
    expect(pad.page.locator("#recorder")).to_be_hidden()
    undo = pad.element.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_be_in_viewport()
    pad.tap("7", "next", "9", "end")
    wait_until_stored(pad.page, 2)
    pad.tap("Undo")
    pad.page.get_by_role("dialog").get_by_role("button", name="Withdraw", exact=True).click()
    wait_until_stored(pad.page, 3)
    pad.says("Round 1, points")
    pad.element.locator("summary").tap()
    expect(pad.page.get_by_label("Move in notation")).to_be_visible()
    expect(pad.page.locator("#recorder #undo")).to_be_visible()
    assert [each for each in pad.page.locator("#recorder .choice").all_inner_texts() if "?" in each] == []
    pad.element.locator("summary").tap()
    expect(pad.page.locator("#recorder")).to_be_hidden()
    for digits in ("12", "34"):
        pad.tap(digits[0], "next", digits[1], "end")
    wait_until_stored(pad.page, 5)
    pad.page.locator('#board [data-at="r1 p2"]').tap()
    pad.says("Change r1 Ben")
    pad.tap("2", "0")
    pad.page.reload()
    pad.says("Change r1 Ben")
    expect(pad.element.locator(".chip")).to_have_text(["20"])
    pad.tap("end")
    wait_until_stored(pad.page, 6)
    expect(pad.page.locator("#scoreboard .points")).to_have_text(["4", "24"])
    expect(pad.page.locator("#moment")).to_contain_text("2 → 20")
    pad.says("Round 3, points")
    pad.page.locator('#board [data-at="r2 p1"]').tap()
    pad.tap("Leave it as it was")
    pad.says("Round 3, points")
    assert moves(service, pad.game)[-1] == "r1 p2 20"
    _is_finished_by_a_key_that_says_who_wins(pad, service)


def _is_finished_by_a_key_that_says_who_wins(pad: Pad, service) -> None:
    """Finish a sheet of two rounds, at the second try."""
    pad.tap("Finish …")
    finish = pad.page.get_by_role("button", name="Finish: Ben wins with 24", exact=True)
    expect(finish).to_be_focused()
    expect(finish).to_have_class(re.compile("primary"))
    pad.page.get_by_role("button", name="Clear the move").tap()
    pad.says("Round 3, points")
    expect(pad.element).to_be_visible()
    pad.tap("Finish …")
    finish.tap()
    wait_until_stored(pad.page, 7)
    expect(pad.page.locator("#ended")).to_contain_text("Ben won (points)")
    expect(pad.page.get_by_role("button", name="See how it went")).to_be_focused()
    expect(pad.page.get_by_label("Move in notation")).to_be_hidden()
    expect(pad.page.locator("#undo")).to_be_visible()
    assert service.api.get(f"/v1/games/{pad.game}").json()["status"] == "finished"


@pytest.mark.parametrize(
    ("points", "said"),
    some(
        [(("533", "0"), "Finish: Lisa wins with 533"), (("500", "500"), "Finish: A draw")],
        (("500", "500"), "Finish: A draw"),
    ),
)
def test_where_nothing_else_is_due_the_key_that_ends_the_game_stands_ready(
    visit, service, points: tuple[str, str], said: str
) -> None:
    seats = [{"name": "Lisa"}, {"name": "Max"}]
    game = service.open(ruleset="scoresheet", options={"template": "first_to_100"}, seats=seats)
    service.record(game, f"r1 {' '.join(points)}")
    page = visit(f"/games/{game}")
    finish = page.get_by_role("button", name=said, exact=True)
    expect(finish).to_have_class(re.compile("primary"))
    finish.tap()
    wait_until_stored(page, 3)
