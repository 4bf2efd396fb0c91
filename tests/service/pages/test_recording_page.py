"""The next move stands in all tabs before it is stored, and is stored once. `recording.mjs` has all other ways."""

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


@pytest.mark.soak  # `offline.mjs` and `record.test.mjs` show entries before they are stored
def test_an_entry_stands_in_the_record_of_all_tabs_before_it_is_stored_and_goes_if_it_is_not(
    page: Page, service, game: str
) -> None:
    other = page.context.new_page()
    other.goto(f"/games/{game}")
    wait_until_stored(other, 2)
    _a_tap_near_a_bridge_means_it(page)
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


def _a_tap_near_a_bridge_means_it(page: Page) -> None:
    """Tap beside a line, which is too thin for a finger."""
    line = page.locator("#board svg line[data-at='BARI-DUDA']").bounding_box()
    assert line
    page.touchscreen.tap(line["x"] + line["width"] / 2 + 6, line["y"] + line["height"] / 2 + 6)
    expect(field(page)).to_have_value("BARI-DUDA")
    expect(page.locator(".choice")).to_have_text(["BARI-DUDA", "DUDA-BARI"])
    page.get_by_role("button", name="Clear the move").click()


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
