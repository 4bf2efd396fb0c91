"""A ruling is made of what the ruleset lets a ruling change, is shown beforehand, and can be revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import about_entry, about_game, entry, record_elsewhere, wait_until_stored

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser


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


def test_rulings_are_shown_before_they_are_given_name_their_referee_and_end_a_game(
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
    _tells_house_rules_in_words_or_switches_them_on_and_ends_the_game(page, service, game)


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


def _tells_house_rules_in_words_or_switches_them_on_and_ends_the_game(page: Page, service, game: str) -> None:
    """Give three rulings, as entries 5 to 7. What cannot be is said. The reason of the last one is tapped."""
    dialog = about_game(page, "Give a ruling")
    change(dialog, "turn", Seat="Björn")
    dialog.get_by_role("button", name="Leave it out").click()
    give(dialog, "no shouting")
    wait_until_stored(page, 5)
    ruling = service.entries(game)[-1]
    assert ruling["text"] == "no shouting"
    assert "adjustments" not in ruling
    dialog = about_game(page, "Give a ruling")
    change(dialog, "bridge", Line="BARI-DUDA")
    expect(dialog.get_by_role("alert")).to_contain_text("no bridge lies on BARI-DUDA")
    expect(dialog.get_by_role("button", name="Give the ruling")).to_be_disabled()
    dialog.get_by_role("button", name="Leave it out").click()
    change(dialog, "option", Option="Seafarer: ships in the inland seas: on")
    give(dialog, "we found the ships")
    wait_until_stored(page, 6)
    assert service.entries(game)[-1]["adjustments"] == ["option name=seafarer value=true"]
    dialog = about_game(page, "Give a ruling")
    dialog.get_by_label("What it changes").select_option("adjudge")
    ranked = dialog.get_by_role("group", name="Tap who is first")
    ranked.get_by_role("button", name="Björn").tap()
    expect(dialog.locator(".dry-run")).to_have_count(0)
    ranked.get_by_role("button", name="Anna").tap()
    expect(dialog.locator(".dry-run")).to_contain_text("Björn won (adjudicated)")
    dialog.get_by_role("button", name="the referee decided").tap()
    dialog.get_by_role("button", name="Give the ruling").tap()
    wait_until_stored(page, 7)
    given = service.entries(game)[-1]
    assert (given["adjustments"], given["text"]) == (["adjudge ranks=2,1"], "the referee decided")
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
