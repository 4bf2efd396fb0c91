"""The next move is picked or typed, tried before it is sent, and stored once; what is refused stays in the field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import (
    NO_GAMES,
    SENT,
    Gate,
    choose_game,
    enter,
    field,
    record_elsewhere,
    recorder,
    refresh,
    wait_for,
    wait_until_stored,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import APIResponse, Page, Route

pytestmark = pytest.mark.browser


def pick(page: Page, *texts: str) -> None:
    """Tap one choice after the other, and record."""
    for text in texts:
        page.get_by_role("button", name=re.compile(rf"^{re.escape(text)}( …|$)")).tap()
    page.get_by_role("button", name="Record", exact=True).tap()


@pytest.mark.soak
def test_a_game_is_opened_and_its_first_moves_recorded_by_tapping_alone(visit: Callable[..., Page], service) -> None:
    page = visit(NO_GAMES)
    choose_game(page, "Kahuna")
    expect(page.locator("#opening").get_by_label("Components")).to_have_count(0)  # every box is the same
    page.get_by_role("button", name="Start the game").tap()
    page.wait_for_url("**/games/*")
    pick(page, "deal black")
    wait_until_stored(page, 2)
    pick(page, "BARI", "BARI-DUDA")
    wait_until_stored(page, 3)
    pick(page, "+")
    wait_until_stored(page, 4)
    assert service.notations(page.url.rsplit("/", 1)[1]) == ["deal black", "BARI-DUDA", "+"]
    expect(field(page)).to_have_value("")
    expect(page.locator("#turn")).to_have_text("White to move")


def test_what_is_typed_or_tapped_narrows_the_legal_moves_and_what_cannot_be_stays_in_the_field(
    page: Page, service, game: str
) -> None:
    legal = len(service.api.get(f"/v1/games/{game}/moves").json()["moves"])
    expect(page.locator(".count")).to_have_text(f"{legal} of {legal} legal moves")
    field(page).fill("b-d")
    expect(page.locator(".count")).to_have_text(f"1 of {legal} legal moves")
    expect(page.locator(".choice")).to_have_text(["BARI-DUDA"])
    field(page).fill("+")
    expect(page.locator(".choice")).to_have_text(["+BARI", "+COCO", "+DUDA", "+"])
    page.get_by_role("button", name="Clear the move").click()
    expect(page.locator(".count")).to_have_text(f"{legal} of {legal} legal moves")
    line = page.locator("#board svg line[data-at='BARI-DUDA']").bounding_box()
    page.touchscreen.tap(line["x"] + line["width"] / 2 + 6, line["y"] + line["height"] / 2 + 6)
    expect(field(page)).to_have_value("BARI-DUDA")
    expect(page.locator(".choice")).to_have_text(["BARI-DUDA", "DUDA-BARI"])
    field(page).fill("+COCO/")
    page.locator("#board svg g[data-at='HUNA']").tap()
    expect(field(page)).to_have_value("+COCO/HUNA")
    field(page).fill("+KAHU")
    expect(page.get_by_role("alert")).to_contain_text("Impossible move")
    expect(page.get_by_label("why does it count")).to_be_hidden()
    field(page).press("Enter")
    expect(field(page)).to_have_value("+KAHU")
    field(page).fill("b-zzz")
    expect(page.get_by_role("alert").locator("mark")).to_have_text("zzz")
    field(page).fill("b-")
    expect(page.get_by_role("alert")).to_have_count(0)
    field(page).press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("expected an island here")
    page.get_by_role("button", name="Clear the move").click()
    page.locator("#stepper [data-go=back]").click()
    expect(field(page)).to_be_hidden()
    page.get_by_role("button", name="Go to the newest entry").click()
    field(page).press_sequentially("b-d")
    field(page).press("Enter")
    expect(page.locator("#preview")).to_contain_text("Anna built BARI-DUDA")
    assert len(service.entries(game)) == 2
    field(page).press("Enter")
    wait_until_stored(page, 3)


def test_a_broken_rule_is_cited_and_the_move_recorded_with_a_reason_and_a_legal_one_with_its_effects(
    page: Page, service, game: str
) -> None:
    _a_move_against_the_rules_is_entered_by_taps_with_a_reason_to_tap(page, service, game)
    field(page).fill("b-d (coco)")
    problem = page.get_by_role("alert")
    expect(problem).to_contain_text("The move breaks a rule PLAY-2")
    expect(problem).to_contain_text("COCO is at neither end of BARI-DUDA")
    field(page).press("Enter")
    expect(page.get_by_label("why does it count")).to_be_focused()
    page.get_by_label("why does it count").fill("nobody noticed")
    expect(page.locator("#preview")).to_contain_text("Irregular: COCO is at neither end of BARI-DUDA")
    page.get_by_role("button", name="Record as irregular").click()
    wait_until_stored(page, 4)
    entry = service.entries(game)[-1]
    assert entry["override"] == "nobody noticed"
    assert [breach["rule"] for breach in entry["irregular"]] == ["kahuna:PLAY-2"]
    record_elsewhere(page, service, game, "ALOA-BARI")
    field(page).fill("f-b")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("Anna gained BARI CTRL-1")
    expect(preview).to_contain_text("The score stays 0 – 0.")
    assert len(service.entries(game)) == 5
    field(page).press("Enter")
    wait_until_stored(page, 6)
    assert service.notations(game)[-1] == "FAAA-BARI"


def _a_move_against_the_rules_is_entered_by_taps_with_a_reason_to_tap(page: Page, service, game: str) -> None:
    """Enter one, as entry 3."""
    page.get_by_role("button", name="It really happened").tap()
    expect(page.locator(".count")).to_contain_text("moves against the rules")
    page.locator("#board g[data-at='BARI']:has(circle)").tap()
    page.locator("#board g[data-at='DUDA']:has(circle)").tap()
    page.locator(".choice").get_by_text("BARI-DUDA (COCO)", exact=True).tap()
    expect(field(page)).to_have_value("BARI-DUDA (COCO)")
    expect(page.locator("#preview .problem")).to_contain_text("breaks a rule")
    expect(page.locator(".override").get_by_role("button", name="seen too late")).to_be_visible()
    page.get_by_role("button", name="Clear the move").tap()
    expect(page.locator(".count")).to_contain_text("moves against the rules")
    page.locator(".choice").get_by_text("white: +", exact=True).tap()
    expect(page.locator("#preview")).to_contain_text("it is Anna's turn, not Björn's")
    page.locator(".override").get_by_role("button", name="agreed by both").tap()
    expect(page.locator("#preview .dry-run.irregular")).to_be_visible()
    page.get_by_role("button", name="Record as irregular").tap()
    wait_until_stored(page, 3)
    (entry,) = service.entries(game)[-1:]
    assert (entry["notation"], entry["override"]) == ("white: +", "agreed by both")
    assert [breach["rule"] for breach in entry["irregular"]] == ["kahuna:SET-2"]
    expect(page.get_by_role("button", name="It really happened")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".count")).to_contain_text("legal moves")


def test_an_entry_stands_in_the_record_of_all_tabs_before_it_is_stored_and_goes_if_it_is_not(
    page: Page, service, game: str
) -> None:
    other = page.context.new_page()
    other.goto(f"/games/{game}")
    wait_until_stored(other, 2)
    gate = Gate(page, SENT)
    predicted, elsewhere = (tab.locator("#record .entry.predicted") for tab in (page, other))
    enter(page, "b-d")
    expect(elsewhere).to_contain_text("BARI-DUDA")
    expect(predicted).to_contain_text("BARI-DUDA")
    expect(predicted).to_contain_text("Anna built BARI-DUDA")
    expect(predicted).to_contain_text("being stored")
    expect(page.locator("#predicted")).to_have_text("Anna: BARI-DUDA")
    expect(page.locator("#turn")).to_be_hidden()
    assert len(service.entries(game)) == 2
    gate.open()
    wait_until_stored(page, 3)
    expect(predicted).to_have_count(0)
    expect(page.locator("#predicted")).to_be_hidden()
    expect(page.locator("#turn")).to_have_text("Anna to move")
    expect(page.locator("#record .entry")).to_have_count(3)
    wait_until_stored(other, 3)
    expect(elsewhere).to_have_count(0)
    other.close()
    gate = Gate(page, SENT)
    enter(page, "d-e")
    expect(predicted).to_have_count(1)
    service.record(game, "+COCO")
    gate.open()
    expect(page.get_by_role("list", name="Not stored yet")).to_contain_text("somebody else has recorded meanwhile")
    expect(predicted).to_have_count(0)
    wait_until_stored(page, 4)
    assert service.notations(game)[-1] == "+COCO"
    page.get_by_role("list", name="Not stored yet").get_by_role("button", name="Discard it").click()
    expect(page.locator("#outbox li")).to_have_count(0)
    _no_tap_is_lost_or_counts_twice_when_new_legal_moves_arrive_or_an_answer_is_late(page, service, game)


def _no_tap_is_lost_or_counts_twice_when_new_legal_moves_arrive_or_an_answer_is_late(
    page: Page, service, game: str
) -> None:
    """Record four entries after the fourth one."""
    asked, tried = re.compile(r"/moves\?"), "**/events?dry_run=true"
    moves = Gate(page, asked)
    with page.expect_request(asked):
        service.record(game, "+")
        refresh(page)
    wait_until_stored(page, 5)
    trials = Gate(page, tried)
    field(page).fill("+")
    with page.expect_request(tried):
        page.get_by_role("button", name="Record", exact=True).click()
    with page.expect_request(tried):  # what is typed is tried again beside the new moves
        moves.open()
    trials.open()
    wait_until_stored(page, 6)
    assert service.notations(game)[-1] == "+"
    _a_move_with_a_late_answer_is_not_recorded_twice_and_the_same_can_be_told_again(page, service, game)


def _a_move_with_a_late_answer_is_not_recorded_twice_and_the_same_can_be_told_again(
    page: Page, service, game: str
) -> None:
    """Enter a move, as entry 7, and once more, as entry 8."""
    late: list[tuple[Route, APIResponse]] = []
    page.route(SENT, lambda route: late.append((route, route.fetch())), times=1)
    enter(page, "+")
    page.locator("#board[data-shown='7']").wait_for()  # told by the stream
    expect(recorder(page).locator(".record")).to_have_text("Recording …")
    assert recorder(page).locator(".record").is_disabled()
    recorder(page).locator(".choice[value='+']").tap()
    page.locator("#recorder[data-offered='7']").wait_for(state="attached")
    wait_for(page, lambda: late)  # the stream can tell of the entry before its answer is here
    (route, answer), *_ = late
    route.fulfill(response=answer)
    page.wait_for_function("async () => !(await navigator.locks.query()).held.length")  # nothing is being sent any more
    expect(field(page)).to_have_value("+")
    recorder(page).locator(".record").tap()
    wait_until_stored(page, 8)
    assert service.notations(game)[-2:] == ["+", "+"]
