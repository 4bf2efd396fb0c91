"""Without a network the games last seen are there all the same, for the person who saw them and nobody else."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error, expect

from tests import goldens, tiers
from tests.service.pages.steps import DEAL, enter, wait_until_kept, wait_until_stored, wait_until_true
from tests.service.pages.test_tables_page import cell

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

LAST = 4
"""So many moves of a game, the last ones, are entered without a network."""


def see_game(device: Page, game: str, version: int) -> None:
    """Look at a game until it is kept."""
    device.goto(f"/games/{game}")
    wait_until_kept(device, f"/games/{game}", f"at={version}")


def test_a_game_is_recorded_to_its_end_without_a_network_with_reloads_in_the_middle(
    device: Page, service: Service, game: str
) -> None:
    moves = [entry.text for entry in goldens.game(goldens.FOLDER / "kahuna" / "points.txt").entries]
    played = service.open("Aiko", "Ben")
    service.record(played, *moves[:-LAST])
    see_game(device, played, len(moves) + 1 - LAST)
    device.context.set_offline(True)
    device.reload()
    banner = device.locator("#connection")
    expect(banner).to_have_text(re.compile(r"^No connection\. This is the state of \d\d:\d\d\. What you enter is kept"))
    expect(device.locator("#board svg[role=img], #board svg [data-at]").first).to_be_visible()
    wait_until_stored(device, len(moves) + 1 - LAST)
    expect(device.locator(".choice").first).to_be_visible()
    for index, move in enumerate(moves[-LAST:]):
        if index % 3 == 2:
            device.reload()
            expect(device.locator("#outbox li")).to_have_count(index)
        enter(device, move)
        expect(device.locator("#outbox li")).to_have_count(index + 1)
    assert service.notations(played) == moves[:-LAST]
    device.context.set_offline(False)
    wait_until_stored(device, len(moves) + 1)
    expect(banner).to_be_hidden()
    assert service.notations(played) == moves


def test_what_was_kept_is_as_new_as_what_was_seen_and_goes_by_logging_out(
    device: Page, service: Service, game: str
) -> None:
    other = service.open("Carla", "Dan")
    service.record(other, DEAL)
    see_game(device, other, 2)
    see_game(device, game, 2)
    enter(device, "b-d")
    wait_until_stored(device, 3)
    wait_until_kept(device, f"/games/{game}", "at=3")
    device.context.set_offline(True)
    device.goto("/games/last")
    device.wait_for_url(f"**/games/{game}")
    wait_until_stored(device, 3)
    expect(cell(device, "Deck", 1, "Cards")).to_have_text("15")  # of the board as tables
    device.get_by_role("tab", name="About").click()  # what a page loads only when it is asked for is kept as well
    expect(device.get_by_label("Visibility")).to_be_visible()
    enter(device, "+c/h")
    device.context.set_offline(False)
    wait_until_stored(device, 4)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]
    service.show(game, "private")
    if tiers.SOAK:
        _what_was_kept_goes_where_a_session_ends_without_a_network_or_elsewhere(device, service, game)
    device.get_by_role("button", name="Log out").click()
    device.wait_for_url("**/")
    wait_until_true(device, lambda copies: bool(copies) and all(name.startswith("kept none ") for name in copies))
    nothing_is_kept_of(device, game)


def _what_was_kept_goes_where_a_session_ends_without_a_network_or_elsewhere(
    device: Page, service: Service, game: str
) -> None:
    """See a private game with four entries, in two sessions more."""
    device.context.set_offline(True)
    with contextlib.suppress(Error):
        device.get_by_role("button", name="Log out").click()
    device.context.set_offline(False)
    device.goto("/problems")  # of the same session, which the service knows still
    wait_until_true(device, lambda copies: not copies)
    device.context.add_cookies([service.log_in()])
    see_game(device, game, 4)
    device.context.clear_cookies()  # as when it ended elsewhere
    device.goto("/login")
    wait_until_true(device, lambda copies: not copies)
    nothing_is_kept_of(device, game)
    device.context.set_offline(False)
    device.context.add_cookies([service.log_in()])
    see_game(device, game, 4)


def nothing_is_kept_of(device: Page, game: str) -> None:
    """See that a game is not there without a network."""
    device.context.set_offline(True)
    device.goto(f"/games/{game}")
    expect(device.locator("h1")).to_have_text("No connection")


def test_a_page_that_is_not_kept_leads_to_what_is(device: Page, game: str) -> None:
    see_game(device, game, 2)
    device.context.set_offline(True)
    device.goto("/rulesets/kahuna")
    expect(device.locator("h1")).to_have_text("No connection")
    expect(device.get_by_role("link")).to_have_text(["Last game", "Try again"])
    device.get_by_role("link", name="Last game").click()
    device.wait_for_url(f"**/games/{game}")
    wait_until_stored(device, 2)
    device.context.set_offline(False)
