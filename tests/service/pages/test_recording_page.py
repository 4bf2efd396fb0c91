"""The next move is picked or typed, tried before it is sent, and stored once; what is refused stays in the field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

DEAL = "deal black BARI COCO DUDA"


@pytest.fixture
def game(service) -> str:
    game = service.open()
    service.record(game, DEAL)
    return game


@pytest.fixture
def page(visit: Callable[..., Page], game: str) -> Page:
    page = visit(f"/games/{game}")
    expect(page.locator(".choice").first).to_be_visible()
    return page


def field(page: Page) -> Locator:
    return page.get_by_label("Move in notation")


def stored(page: Page, version: int) -> None:
    """Wait until the newest entry on the page is `version`."""
    expect(page.locator("#stepper output")).to_have_text(f"{version} / {version}")


def record_elsewhere(page: Page, service, game: str, *moves: str) -> None:
    """Let somebody else record moves, and the page notice at once."""
    service.record(game, *moves)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    stored(page, 2 + len(moves))


def pick(page: Page, *texts: str) -> None:
    """Tap one choice after the other, and record."""
    for text in texts:
        page.get_by_role("button", name=re.compile(rf"^{re.escape(text)}( …|$)")).tap()
    page.get_by_role("button", name="Record", exact=True).tap()


def test_a_game_is_opened_and_its_first_moves_recorded_by_tapping_alone(visit: Callable[..., Page], service) -> None:
    page = visit("/")
    page.get_by_text("Record a new game").tap()
    page.get_by_role("button", name="Open the game").tap()
    page.wait_for_url("**/games/*")
    pick(page, "deal black")
    stored(page, 2)
    pick(page, "BARI", "BARI-DUDA")
    stored(page, 3)
    pick(page, "+")
    stored(page, 4)
    assert service.notations(page.url.rsplit("/", 1)[1]) == ["deal black", "BARI-DUDA", "+"]
    expect(field(page)).to_have_value("")
    expect(page.locator("#turn")).to_have_text("White to move")


def test_what_is_typed_narrows_the_legal_moves_as_the_notation_is_typed(page: Page, service, game: str) -> None:
    legal = len(service.api.get(f"/v1/games/{game}/moves").json()["moves"])
    expect(page.locator(".count")).to_have_text(f"{legal} of {legal} legal moves")
    field(page).fill("b-d")
    expect(page.locator(".count")).to_have_text(f"1 of {legal} legal moves")
    expect(page.locator(".choice")).to_have_text(["BARI-DUDA"])
    field(page).fill("+")
    expect(page.locator(".choice")).to_have_text(["+BARI", "+COCO", "+DUDA", "+"])
    page.get_by_role("button", name="Clear the move").click()
    expect(page.locator(".count")).to_have_text(f"{legal} of {legal} legal moves")


def test_a_tap_on_the_board_names_the_place(page: Page) -> None:
    line = page.locator("#board svg line[data-at='BARI-DUDA']").bounding_box()
    page.touchscreen.tap(line["x"] + line["width"] / 2 + 6, line["y"] + line["height"] / 2 + 6)
    expect(field(page)).to_have_value("BARI-DUDA")
    expect(page.locator(".choice")).to_have_text(["BARI-DUDA", "DUDA-BARI"])
    field(page).fill("+COCO/")
    page.locator("#board svg g[data-at='HUNA']").tap()
    expect(field(page)).to_have_value("+COCO/HUNA")


def test_a_move_is_shown_with_its_effects_before_it_is_stored(page: Page, service, game: str) -> None:
    record_elsewhere(page, service, game, "ALOA-BARI", "ELAI-BARI")
    field(page).fill("f-b")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("Anna gained BARI CTRL-1")
    expect(preview).to_contain_text("The score stays 0 – 0.")
    assert len(service.entries(game)) == 4
    field(page).press("Enter")
    stored(page, 5)
    assert service.notations(game)[-1] == "FAAA-BARI"


def test_enter_shows_what_a_move_does_before_it_records_it(page: Page, service, game: str) -> None:
    field(page).press_sequentially("b-d")
    field(page).press("Enter")
    expect(page.locator("#preview")).to_contain_text("Anna built BARI-DUDA")
    assert len(service.entries(game)) == 2
    field(page).press("Enter")
    stored(page, 3)


def test_a_broken_rule_is_cited_and_the_move_recorded_with_a_reason(page: Page, service, game: str) -> None:
    field(page).fill("b-d (coco)")
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The move breaks a rule PLAY-2")
    expect(problem).to_contain_text("COCO is at neither end of BARI-DUDA")
    field(page).press("Enter")
    expect(page.get_by_label("why does it stand")).to_be_focused()
    page.get_by_label("why does it stand").fill("nobody noticed")
    expect(page.locator("#preview")).to_contain_text("Irregular: COCO is at neither end of BARI-DUDA")
    page.get_by_role("button", name="Record as irregular").click()
    stored(page, 3)
    entry = service.entries(game)[-1]
    assert entry["override"] == "nobody noticed"
    assert [breach["rule"] for breach in entry["irregular"]] == ["kahuna:PLAY-2"]


def test_an_impossible_move_is_refused_in_words_and_stays_in_the_field(page: Page, game: str, service) -> None:
    field(page).fill("+KAHU")
    expect(page.get_by_role("alert")).to_contain_text("The move cannot be")
    expect(page.get_by_label("why does it stand")).to_be_hidden()
    field(page).press("Enter")
    expect(field(page)).to_have_value("+KAHU")
    assert len(service.entries(game)) == 2


def test_notation_that_does_not_parse_is_shown_with_its_place(page: Page) -> None:
    field(page).fill("b-zzz")
    expect(page.get_by_role("alert").locator("mark")).to_have_text("zzz")
    field(page).fill("b-")
    expect(page.get_by_role("alert")).to_have_count(0)
    field(page).press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("an island should stand here")


def test_undo_withdraws_the_last_entry_that_counts_after_a_confirmation(page: Page, service, game: str) -> None:
    record_elsewhere(page, service, game, "BARI-DUDA", "+COCO")
    page.get_by_role("button", name="Undo").click()
    dialog = page.get_by_role("dialog", name="Withdraw entry 4?")
    dialog.get_by_role("button", name="Keep it").click()
    assert len(service.entries(game)) == 4
    page.get_by_role("button", name="Undo").click()
    expect(dialog).to_contain_text("Anna: +COCO")
    expect(dialog).to_contain_text("The score stays 0 – 0.")
    dialog.get_by_label("Reason").fill("wrong card")
    dialog.get_by_role("button", name="Withdraw").click()
    stored(page, 5)
    expect(page.locator("#record [data-version='4'] del")).to_have_text("+COCO")
    expect(page.locator("#turn")).to_have_text("Anna to move")
    assert service.notations(game) == [DEAL, "BARI-DUDA"]


def test_a_withdrawal_that_later_entries_do_not_survive_names_them(page: Page, service, game: str) -> None:
    record_elsewhere(page, service, game, "ELAI-FAAA", "+", "x ELAI-FAAA (ELAI FAAA)")
    page.locator("#record").get_by_role("link", name="Entry 3", exact=True).click()
    page.get_by_role("button", name="Withdraw this entry").click()
    dialog = page.get_by_role("dialog", name="Withdraw entry 3?")
    expect(dialog.get_by_role("alert")).to_contain_text("Entry 5: no bridge lies on ELAI-FAAA")
    expect(dialog.get_by_role("button", name="Withdraw")).to_be_disabled()


def test_a_note_is_added_about_the_entry_shown(page: Page, service, game: str) -> None:
    page.get_by_text("Add a note").click()
    page.get_by_label("Note", exact=True).fill("The dealer sneezed.")
    page.get_by_label("about the entry shown, entry 2").check()
    page.get_by_role("button", name="Add the note").click()
    stored(page, 3)
    expect(page.locator("#record [data-version='2'] .notes")).to_have_text("The dealer sneezed.")


def test_moves_are_recorded_at_the_end_only(page: Page) -> None:
    page.keyboard.press("Home")
    expect(field(page)).to_be_hidden()
    page.get_by_role("button", name="Go to the newest entry").click()
    expect(field(page)).to_be_visible()
