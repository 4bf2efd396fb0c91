"""What a service that has too much to do refuses is asked for again, without anybody's doing anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import (
    OVERLOADED,
    Busy,
    about_game,
    field,
    record_button,
    record_elsewhere,
    wait_until_stored,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.served import Service

pytestmark = pytest.mark.browser


@pytest.mark.soak  # `moments.mjs` has a service that is overloaded
def test_a_moment_that_was_refused_is_shown_later_and_a_move_that_cannot_be_tried_can_be_recorded(
    page: Page, service: Service, game: str
) -> None:
    page.route("**/v1/games/*/state?*", Busy(60))
    record_elsewhere(page, service, game, "BARI-DUDA", "+COCO")
    expect(page.locator("#board")).to_contain_text("come again")
    expect(page.locator("#turn")).to_have_text("Björn to move")
    expect(page.locator("#board")).not_to_contain_text("come again")
    away = "**/v1/games/*/board.svg?*"
    page.route(away, lambda route: route.abort())
    record_elsewhere(page, service, game, "-")
    expect(page.locator("#board")).to_contain_text("No connection")
    page.unroute(away)
    expect(page.locator("#board svg")).to_be_visible()
    what_cannot_be_tried_now_is_no_refusal_and_can_be_recorded_nor_is_a_fault(page, 503, version=5)


TRIED = "**/events?dry_run=true*"


def refuse(page: Page, status: int) -> None:
    """Refuse all dry runs for now."""
    body = OVERLOADED | {"status": status}

    def answer(route: Route) -> None:
        route.fulfill(status=status, content_type="application/problem+json", json=body)

    page.route(TRIED, answer)


def what_cannot_be_tried_now_is_no_refusal_and_can_be_recorded_nor_is_a_fault(
    page: Page, status: int, version: int
) -> None:
    """Record a move and two rulings, after so many entries, which cannot be tried."""
    refuse(page, status)
    field(page).fill("+")
    expect(page.locator("#preview")).to_contain_text("The service is overloaded: it cannot be checked now.")
    record_button(page).click()
    wait_until_stored(page, version + 1)
    dialog = about_game(page, "Give a ruling")
    dialog.get_by_label("What was decided, and why").fill("no talking")
    expect(dialog.locator(".answer")).to_contain_text("The service is overloaded: it cannot be checked now.")
    expect(dialog.get_by_role("alert")).to_have_count(0)
    dialog.get_by_role("button", name="Give the ruling").click()
    wait_until_stored(page, version + 2)
    page.unroute(TRIED)
    refuse(page, 500)
    dialog = about_game(page, "Give a ruling")
    dialog.get_by_label("What was decided, and why").fill("no shouting")
    expect(dialog.get_by_role("alert")).to_contain_text("come again")
    dialog.get_by_role("button", name="Give the ruling").click()
    wait_until_stored(page, version + 3)


@pytest.mark.soak
def test_who_asked_too_often_is_told_the_same(page: Page) -> None:
    what_cannot_be_tried_now_is_no_refusal_and_can_be_recorded_nor_is_a_fault(page, 429, version=2)
