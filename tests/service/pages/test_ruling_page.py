"""A ruling is made of what the ruleset lets a ruling change, is shown beforehand, and can be revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import about_entry, about_game, entry, record_elsewhere, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

LANDS = (
    "lands E-Wilderness E-River E-Village R-Woods E-Woods R-Village "
    "E-Meadow R-Meadow R-River E-City R-City R-Wilderness"
)


def change(dialog: Locator, kind: str, **fields: str) -> None:
    """Add a change of this kind, with these choices and texts by label."""
    dialog.get_by_label("What it changes").select_option(kind)
    form = dialog.locator("fieldset").last
    for name, value in fields.items():
        control = form.get_by_label(name, exact=True)
        if control.evaluate("field => field.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)


def give(dialog: Locator, why: str) -> None:
    dialog.get_by_label("What was decided, and why").fill(why)
    dialog.get_by_role("button", name="Give the ruling").click()


def test_a_ruling_is_made_of_several_changes_shown_before_it_is_given_and_names_its_referee(
    page: Page, service, game: str
) -> None:
    dialog = about_game(page, "Give a ruling")
    change(dialog, "points", Seat="Björn", Points="-3")
    change(dialog, "bridge", Line="ALOA-BARI", Seat="Anna")
    expect(dialog.locator(".dry-run")).to_contain_text("The referee gave Björn points: -3 RULING")
    expect(dialog.locator(".dry-run")).to_contain_text("Anna built ALOA-BARI")
    expect(dialog).to_contain_text("The score becomes 0 : −3 (it was 0 – 0).")
    expect(dialog.get_by_role("button", name="Give the ruling")).to_be_disabled()
    assert len(service.entries(game)) == 2
    give(dialog, "bumped the board")
    wait_until_stored(page, 3)
    expect(entry(page, 3)).to_contain_text("Ruling: bumped the board")
    expect(entry(page, 3).locator(".adjustments li")).to_have_text(
        ["points seat=White points=-3", "bridge line=ALOA-BARI seat=Black"]
    )
    expect(page.locator("#scoreboard .points")).to_have_text(["0", "-3"])
    page.get_by_role("tab", name="Score").click()
    expect(page.locator("#audit")).to_contain_text("Entry 3: bumped the board")
    _names_its_referee(page, service, game)
    _has_a_control_for_every_kind_of_value(page)


def _names_its_referee(page: Page, service, game: str) -> None:
    """Give a ruling, as entry 4, of somebody whom the service knows, and later forgets."""
    service.open("Rita Known", "Emil")
    dialog = about_game(page, "Give a ruling")
    referee = dialog.get_by_label("Who ruled")
    referee.press_sequentially("Rita")
    expect(dialog.locator("datalist option[value='Rita Known']")).to_have_count(1)
    referee.fill("Rita Known")
    give(dialog, "no talking")
    wait_until_stored(page, 4)
    expect(entry(page, 4)).to_contain_text("Ruling of Rita Known: no talking")
    [rita] = service.api.get("/v1/players?q=Rita Known").json()["players"]
    assert service.entries(game)[3]["player"] == rita["id"]
    service.api.delete(f"/v1/players/{rita['id']}").raise_for_status()
    page.reload()
    expect(entry(page, 4)).to_contain_text("Ruling of somebody without a name: no talking")


def _has_a_control_for_every_kind_of_value(page: Page) -> None:
    """Fill in a form with every kind of value that a schema can ask for."""
    page.evaluate(FORM)
    form = page.locator("#tried")
    value = "() => window.tried.value"
    assert page.evaluate(value) is None
    form.get_by_label("Who").select_option("Björn")
    for number, name in (("Number 1", "BARI"), ("Number 2", "COCO")):
        form.get_by_label(number).select_option(name)
    assert page.evaluate(value) is None
    form.get_by_label("Open").select_option("no")
    asked = {"type": "sample", "who": 1, "places": ["BARI", "COCO"], "open": False}
    assert page.evaluate(value) == asked
    form.get_by_label("Times", exact=True).fill("3")
    form.get_by_label("Remark").fill("as agreed")
    assert page.evaluate(value) == asked | {"times": 3, "remark": "as agreed"}


def test_house_rules_are_told_in_words_or_switched_on_what_cannot_be_is_said_and_the_end_is_adjudged_and_closed(
    page: Page, service, game: str
) -> None:
    dialog = about_game(page, "Give a ruling")
    change(dialog, "turn", Seat="Björn")
    dialog.get_by_role("button", name="Leave it out").click()
    give(dialog, "no talking")
    wait_until_stored(page, 3)
    ruling = service.entries(game)[2]
    assert ruling["text"] == "no talking"
    assert "adjustments" not in ruling
    dialog = about_game(page, "Give a ruling")
    change(dialog, "bridge", Line="ALOA-BARI")
    expect(dialog.get_by_role("alert")).to_contain_text("no bridge lies on ALOA-BARI")
    expect(dialog.get_by_role("button", name="Give the ruling")).to_be_disabled()
    dialog.get_by_role("button", name="Leave it out").click()
    change(dialog, "option", Option="Seafarer: ships in the inland seas: on")
    give(dialog, "we found the ships")
    wait_until_stored(page, 4)
    assert service.entries(game)[3]["adjustments"] == ["option name=seafarer value=true"]
    dialog = about_game(page, "Give a ruling")
    dialog.get_by_label("What it changes").select_option("adjudge")
    dialog.get_by_label("Rank of Anna", exact=True).fill("2")
    expect(dialog.locator(".dry-run")).to_have_count(0)
    dialog.get_by_label("Rank of Björn", exact=True).fill("1")
    expect(dialog.locator(".dry-run")).to_contain_text("Björn won (adjudicated)")
    give(dialog, "Anna had to leave")
    wait_until_stored(page, 5)
    expect(page.locator("#turn")).to_contain_text("Björn won (adjudicated)")
    about_game(page, "Close the record as adjudicated").get_by_role("button", name="Close the record").click()
    expect(page.get_by_role("region", name="The record is closed")).to_contain_text("adjudicated")
    assert service.api.get(f"/v1/games/{game}").json()["closed"] == "adjudicated"


def test_a_ruling_stands_for_the_moment_it_is_given_for_and_is_revoked_with_a_reason(
    page: Page, service, game: str
) -> None:
    record_elsewhere(page, service, game, "BARI-DUDA", "+")
    dialog = about_entry(page, 3, "Give a ruling here")
    change(dialog, "points", Seat="Anna", Points="2")
    give(dialog, "a lost chip was found")
    wait_until_stored(page, 5)
    assert service.entries(game)[4]["after"] == 3
    expect(entry(page, 3).locator(".flags")).to_have_text("Ruled on in entry 5")
    expect(entry(page, 4).locator(".points")).to_have_text("2 – 0")
    dialog = about_entry(page, 5, "Revoke the ruling")
    expect(dialog).to_contain_text("The score becomes 0 – 0 (it was 2 – 0).")
    dialog.get_by_label("Reason").fill("it was ours")
    dialog.get_by_role("button", name="Revoke").click()
    wait_until_stored(page, 6)
    expect(entry(page, 6)).to_contain_text("Revoked the ruling of entry 5: it was ours")
    expect(entry(page, 4).locator(".points")).to_have_text("0 – 0")
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("dialog", name="Let entry 5 count again?").get_by_role("button", name="Let it count").click()
    wait_until_stored(page, 7)
    expect(page.locator("#scoreboard .points")).to_have_text(["2", "0"])
    _ranks_are_told_by_tapping_the_seats_in_order_and_points_by_steps(page, service, game)


def _ranks_are_told_by_tapping_the_seats_in_order_and_points_by_steps(page: Page, service, game: str) -> None:
    """Give a ruling, as entry 8, without typing."""
    dialog = about_game(page, "Give a ruling")
    kind = dialog.get_by_label("What it changes")
    kind.select_option("points")
    dialog.get_by_label("Seat", exact=True).select_option(label="Björn")
    for _ in range(2):
        dialog.get_by_role("button", name="Points: −1").tap()
    expect(dialog).to_contain_text("The referee gave Björn points: -2")  # with it, the keys come to lie elsewhere
    kind.select_option("adjudge")
    expect(dialog.locator(".dry-run")).to_have_count(0)
    ranked = dialog.get_by_role("group", name="Tap who is first")
    ranked.get_by_role("button", name="Björn").tap()
    ranked.get_by_role("button", name="Anna").tap()
    expect(dialog.locator(".dry-run")).to_be_visible()
    dialog.get_by_role("button", name="the referee decided").tap()
    dialog.get_by_role("button", name="Give the ruling").tap()
    wait_until_stored(page, 8)
    (given,) = service.entries(game)[-1:]
    assert given["adjustments"] == ["points seat=White points=-2", "adjudge ranks=2,1"]
    assert given["text"] == "the referee decided"


FORM = """async () => {
  const folder = document.querySelector("script[type=module]").src.replace("game.js", "");
  const { adjustmentForm } = await import(`${folder}record/adjustment.js`);
  const seat = { "x-seat": true, type: "integer" };
  const schema = {
    properties: {
      type: { enum: ["sample"] },
      who: seat,
      places: { type: "array", items: { enum: ["BARI", "COCO"] } },
      open: { type: "boolean" },
      times: { anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { type: "null" }], default: null },
      remark: { type: "string", default: "" },
    },
    required: ["type", "who", "places", "open"],
  };
  const seats = ["Anna", "Björn"].map((name, seat) => ({ seat, name }));
  window.tried = adjustmentForm({ name: "sample", schema }, null, { seats, name: (seat) => seats[seat].name,
    phrase: (text) => text, nameOf: (thing, name) => name });
  window.tried.element.id = "tried";
  document.querySelector("main").append(window.tried.element);
}"""
"""The form of a schema with every kind of value, whether or not a ruleset of today has it."""


@pytest.mark.parametrize(
    ("ruleset", "moves", "fields", "text"),
    [
        (
            "verraeter",
            ["start 1 E E E", LANDS, "estate 5", "estate 3", "estate 2"],
            {"kind": "land", "Land": "3", "House": "Rose"},
            "land land=3 house=Rose",
        ),
        pytest.param(
            "scoresheet", [], {"kind": "resign", "Seat": "Player 2"}, "resign seat=Player2", marks=pytest.mark.soak
        ),
    ],
)
def test_the_form_is_that_of_any_ruleset(
    visit: Callable[..., Page], service, ruleset: str, moves: list[str], fields: dict[str, str], text: str
) -> None:
    game = service.open(ruleset=ruleset, seats=[{}] * 3)
    if moves:
        service.record(game, *moves)
    page = visit(f"/games/{game}")
    wait_until_stored(page, 1 + len(moves))
    dialog = about_game(page, "Give a ruling")
    change(dialog, **fields)
    give(dialog, "as agreed")
    wait_until_stored(page, 2 + len(moves))
    assert service.entries(game)[-1]["adjustments"] == [text]
