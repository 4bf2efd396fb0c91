"""Somebody who plays a seat records what it does on the page of the game, and tells what only they know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import (
    DEAL,
    about_entry,
    enter,
    entry,
    field,
    join_seat,
    pause_between_taps,
    refresh,
    wait_until_stored,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser


@pytest.fixture
def table(service: Service) -> str:
    """A private game of two that has just been dealt."""
    game = service.open()
    service.record(game, DEAL)
    return service.show(game, "private")


def both(pages: tuple[Page, ...], version: int) -> None:
    for page in pages:
        refresh(page)
        wait_until_stored(page, version)


@pytest.mark.soak  # `moments.mjs` has a player's page, and `corrections.mjs` adds what was hidden
def test_the_owner_and_an_invited_player_record_a_game_each_on_their_own_page_and_the_player_tells_what_was_hidden(
    visit: Callable[..., Page], service: Service, phone: Page, table: str
) -> None:
    owner, player = visit(f"/games/{table}"), join_seat(phone, service, table, 1)
    expect(player.get_by_label("Point of view").locator("option")).to_have_text(["Björn’s view", "Public view"])
    expect(player.locator(".count")).to_have_text("It is not your turn.")
    service.record(table, "BARI-DUDA")
    both((owner, player), 3)
    enter(owner, "+COCO")
    both((owner, player), 4)
    player.locator(".choice").first.wait_for()
    enter(player, "a-h")
    both((owner, player), 5)
    enter(player, "+")
    both((owner, player), 6)
    expect(player.locator(".count")).to_have_text("It is not your turn.")
    assert service.notations(table)[1:3] == ["BARI-DUDA", "+COCO"]
    by = [recorded["recorder"] for recorded in service.entries(table)]
    assert len(set(by[:4])) == 1
    assert by[4] == by[5] != by[3]
    expect(entry(owner, 5)).to_contain_text("by Björn")
    expect(entry(owner, 4)).to_contain_text("by owner")
    expect(player.locator("#moment")).to_contain_text("by Björn")
    _is_offered_nothing_that_is_not_theirs(player, service, table)
    _a_player_tells_what_was_hidden_and_takes_back_the_last_entry(owner, player, service, table)


def _a_player_tells_what_was_hidden_and_takes_back_the_last_entry(
    owner: Page, player: Page, service: Service, table: str
) -> None:
    """Tell of the sixth entry."""
    player.get_by_role("tab", name="History").click()
    dialog = about_entry(player, 6, "Add details")
    dialog.get_by_label("Move with all that is known now").fill("+?gola")
    dialog.get_by_role("button", name="Add them").click()
    wait_until_stored(player, 7)
    assert "GOLA" in service.entries(table)[5]["notation"]
    assert "GOLA" not in str(service.api.get(f"/v1/games/{table}/timeline?seat=0").json()["entries"][5]["notation"]), (
        "to nobody else"
    )
    player.get_by_role("button", name="Undo").click()
    player.locator("dialog[open]").get_by_role("button", name="Withdraw").click()
    wait_until_stored(player, 8)
    expect(entry(player, 7)).to_contain_text("Withdrawn by")
    both((owner, player), 8)
    enter(owner, "-")
    both((owner, player), 9)
    expect(player.get_by_role("button", name="Undo")).to_be_disabled()


def _is_offered_nothing_that_is_not_theirs(player: Page, service: Service, table: str) -> None:
    """See what a player can do about six entries. The third is the other player's."""
    field(player).fill("black: +")
    expect(player.get_by_role("alert")).to_contain_text("this is not a move of your seat")
    assert len(service.entries(table)) == 6
    field(player).fill("")
    player.get_by_role("button", name="More about entry 3", exact=True).click()
    menu = player.locator("dialog.sheet")
    expect(menu.get_by_role("listitem")).to_contain_text(["Add a note", "Bookmark this moment", "Receipt"])
    player.keyboard.press("Escape")
    pause_between_taps(player)
    player.get_by_role("button", name="More …", exact=True).click()
    expect(menu.get_by_role("listitem")).to_contain_text(["Add a note", "Sign the record"])
    player.keyboard.press("Escape")
    expect(player.get_by_role("button", name="Redo")).to_be_hidden()
    player.get_by_role("tab", name="Score").click()
    expect(player.get_by_role("button", name="What does your paper say?")).to_have_count(0)
