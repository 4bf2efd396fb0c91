"""Recorded games are entered anew by Tab, arrows and Enter alone: nothing is typed or pointed at."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens, tiers
from tests.service.pages.steps import NO_GAMES, field, wait_until_stored
from tests.service.pages.test_by_taps import PARTS, Thumb, is_tapped, played, tapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 900}
FIRST = 3
"""Entries of a game that are entered in a short run; `make soak` enters the whole of it."""
FAR = 200
"""So many keys bring one anywhere."""
WAY = """part => {
  const at = document.activeElement;
  if (at === part) return ["", 0];
  const group = part.closest(".suggestions, .keys");
  const before = Boolean(part.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
  if (!group?.contains(at)) return [before && at !== document.body ? "Shift+Tab" : "Tab", 1];
  const all = [...group.querySelectorAll("button")].filter((one) => one.checkVisibility());
  const steps = all.indexOf(part) - all.indexOf(at);
  return [steps < 0 ? "ArrowLeft" : "ArrowRight", Math.abs(steps)];
}"""
"""The key that leads from where one is towards a part of the page, and how often; none if one is there."""


class Keys(Thumb):
    """Somebody with a keyboard and without a pointer, who sees at each step where one is."""

    def tap(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Enter")
        self.taps += 1

    def type(self, target: Locator, text: str) -> None:
        self.reach(target)
        self.page.keyboard.type(text)

    def reach(self, target: Locator) -> None:
        """Go to a part of the page, and see that one is there."""
        part = target.element_handle()
        for _ in range(FAR):
            key, times = part.evaluate(WAY)
            if not key:
                break
            for _ in range(times):
                self.page.keyboard.press(key)
        else:
            raise AssertionError(f"no key leads to {target}")
        assert part.evaluate("part => part.matches(':focus-visible') && getComputedStyle(part).outlineStyle !== 'none'")

    def on_board(self, place: str) -> bool:  # noqa: ARG002  a picture takes no keys
        return False


@pytest.fixture
def page_of(visit: Callable[..., Page]) -> Callable[..., Page]:
    def open_page(game: str, *, confirms: bool) -> Page:
        page = visit(f"/games/{game}", viewport=DESK)
        page.locator("#recorder[data-offered]").wait_for(state="attached")
        return page

    return open_page


def recorded(page_of: Callable[..., Page], service: Service, ruleset: str, name: str, length: int) -> None:
    counted = tapped(page_of, service, ruleset, name, 0, length, hand=Keys)
    entered = [is_tapped(before, step) for before, step, at in played(ruleset, name) if at < length]
    assert counted.total() == sum(entered)


@pytest.mark.soak  # the other tests begin a game of Kahuna, and keep a whole sheet
@pytest.mark.parametrize("ruleset_name", PARTS)
def test_a_game_is_entered_by_keys_that_type_nothing(page_of, service: Service, ruleset_name: str) -> None:
    recorded(page_of, service, ruleset_name, PARTS[ruleset_name][0][0], FIRST)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.skipif(not os.environ.get("KIFU_SOAK"), reason="takes minutes: make soak")
@pytest.mark.parametrize(
    ("ruleset_name", "name"), [(ruleset, name) for ruleset in PARTS for name in goldens.games(goldens.SHIPPED[ruleset])]
)
def test_a_whole_game_is_entered_by_keys_that_type_nothing(
    page_of, service: Service, ruleset_name: str, name: str
) -> None:
    recorded(page_of, service, ruleset_name, name, 1000)


def test_a_sheet_is_chosen_and_kept_to_its_end_by_keys_alone(visit: Callable[..., Page], service: Service) -> None:
    """From the list to the story: the game, two people, two rounds, and who won."""
    page = visit(NO_GAMES, viewport=DESK)
    keys, form = Keys(page, confirms=True), page.locator("#opening")
    keys.type(form.get_by_role("searchbox"), "running")
    expect(form.locator(".playable button").first).to_have_text("Rounds with a running total")
    page.keyboard.press("Enter")
    seats = form.locator("input[data-seat]")
    expect(seats.first).to_be_visible()
    for seat, name in enumerate(("Aiko", "Jonas")):
        if seats.count() == seat:
            keys.tap(form.locator("button.another"))
        keys.type(seats.nth(seat), name)
    keys.tap(form.get_by_role("button", name="Start the game"))
    page.wait_for_url("**/games/*")
    page.locator("#recorder[data-offered]").wait_for(state="attached")
    for number, points in enumerate((("7", "30"), ("12", "90")), 1):
        cells = page.locator(f"#recorder .blanks details[data-move^='r{number} '] input")
        cells.first.wait_for()
        for seat, value in enumerate(points):
            keys.type(cells.nth(seat), value)
        page.keyboard.press("Enter")
        wait_until_stored(page, number + 1)
    finish = page.locator("#recorder .record")
    if "Finish" not in (finish.text_content() or ""):
        keys.tap(page.locator(".choice[value=end]"))
    expect(finish).to_have_text("Finish: Jonas wins with 120")
    keys.tap(finish)
    expect(page.locator("#ended button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#headline")).to_have_text("Jonas won")
    expect(page.get_by_role("button", name="Play again with the same people")).to_be_visible()
    assert service.notations(page.url.rpartition("/")[2]) == ["r1 7 30", "r2 12 90", "end"]


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def test_many_choices_are_one_stop_of_the_tab_key_and_arrows_go_among_them(page: Page) -> None:
    first = page.locator(".choice").first
    assert page.locator(".choice[tabindex='0']").count() == 1
    field(page).focus()
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".choice").nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator(".choice").last).to_be_focused()
    page.keyboard.press("ArrowUp")
    above = page.locator(".choice").last.bounding_box()
    now = focused(page).bounding_box()
    assert above
    assert now
    assert now["y"] + now["height"] <= above["y"]
    wait_until_stored(page, 2)  # the record was not gone through by these keys
    text = focused(page).text_content() or ""
    page.keyboard.press("Shift+Tab")
    expect(focused(page)).not_to_have_class("choice")
    page.keyboard.press("Tab")
    expect(focused(page)).to_have_text(text)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(field(page)).to_be_focused()
    _the_focus_goes_on_to_what_is_to_be_done_next(page)


def _the_focus_goes_on_to_what_is_to_be_done_next(page: Page) -> None:
    """Record the first move that is offered, from the field on."""
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(focused(page)).to_have_class("choice")  # what goes on from this beginning
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_focused()
    expect(page.locator("#preview .dry-run")).to_be_visible()
    page.keyboard.press("Enter")
    wait_until_stored(page, 3)
    expect(page.locator("#recorder :focus")).to_be_visible()
    _moves_are_typed(page)
    if tiers.SOAK:
        _the_game_is_given_up(page)


def _moves_are_typed(page: Page) -> None:
    """Type two moves."""
    keys = page.keyboard
    field(page).focus()
    for number in (4, 5):
        keys.type("+")
        expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
        keys.press("Enter")
        wait_until_stored(page, number)
        expect(field(page)).to_be_focused()
        expect(field(page)).to_have_value("")


def _the_game_is_given_up(page: Page) -> None:
    """Close the game with a reason, and look at its audit."""
    keys = page.keyboard
    to(page, "#more")
    keys.press("Enter")
    to(page, "dialog[open] button:has-text('Abandon the game')")
    keys.press("Enter")
    to(page, "dialog[open] textarea")
    keys.type("It is late")
    to(page, "dialog[open] button.primary")
    keys.press("Enter")
    expect(page.locator("#closed")).to_contain_text("abandoned")
    to(page, "#tab-record")
    keys.press("ArrowRight")
    expect(page.locator("#score .sum").first).to_be_visible()


def to(page: Page, selector: str) -> None:
    """Go there by Tab, seeing at each step where one is."""
    wanted = page.locator(selector)
    for _ in range(150):
        if wanted.evaluate("(part) => part === document.activeElement"):
            assert wanted.evaluate("(part) => getComputedStyle(part).outlineStyle") != "none"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {selector}")
