"""The page of a game shows what newer rules would change in it, and a referee moves it on there."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.rulesets import RULESETS
from service.app import create_app
from service.settings import Settings
from tests.served import Service, serve_here
from tests.service.conftest import UNLIMITED
from tests.service.pages.steps import about_entry, entry, wait_until_stored
from tests.sticks import STICKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

RECORD = '[Ruleset "sticks"]\n[Revision "1"]\n\n2\n2\n3\n1\n'


@pytest.fixture
def sticks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A service with the ruleset of two revisions."""
    monkeypatch.setitem(RULESETS, "sticks", STICKS)
    with closing(create_app(Settings(data=tmp_path, **UNLIMITED))) as app, serve_here(app) as base:
        running = Service(base, app.context.owner_token, tmp_path)
        with running.api:
            yield running


@pytest.fixture
def look(browser: Browser, sticks: Service) -> Iterator[Callable[..., Page]]:
    """The page of a game, for the owner or for a stranger."""
    context = browser.new_context(base_url=sticks.base, service_workers="block")

    def visit(game: str, *, owner: bool = True) -> Page:
        context.clear_cookies()
        if owner:
            context.add_cookies([sticks.cookie])
        page = context.new_page()
        page.goto(f"/games/{game}")
        page.get_by_role("tab", name="About").click()
        return page

    yield visit
    context.close()


def test_a_game_is_moved_on_where_it_says_what_newer_rules_would_change(
    sticks: Service, look: Callable[..., Page]
) -> None:
    game = sticks.import_text(RECORD)
    stranger = look(game, owner=False)
    expect(stranger.get_by_role("region", name="Newer rules")).to_contain_text("change 3 entries")
    expect(stranger.get_by_role("button", name="Move the game on")).to_have_count(0)
    page = look(game)
    expect(page.locator("#revision")).to_have_text("Sticks, revision 1")
    newer = page.get_by_role("region", name="Newer rules")
    expect(newer).to_contain_text("Newer rules would change 3 entries.")
    expect(newer).to_contain_text(STICKS.changes[1])
    expect(newer).to_contain_text("Score: 2 – 2 5 – 3")
    newer.get_by_text("Entry by entry").click()
    expect(newer).to_contain_text("2 were taken right before")
    page.get_by_role("button", name="Move the game on to revision 2").click()
    dialog = page.get_by_role("dialog", name="Move the game on to revision 2?")
    dialog.get_by_label("Keep").first.check()
    expect(dialog).to_contain_text("2 – 2")
    dialog.get_by_role("button", name="Move it on").click()
    wait_until_stored(page, 6)
    expect(page.locator("#revision")).to_have_text("Sticks, revision 2, adopted in entry 6")
    expect(newer).to_be_hidden()
    page.get_by_role("tab", name="History").click()
    expect(entry(page, 6)).to_contain_text("Moved on from revision 1 of the rules to revision 2")
    expect(entry(page, 6).locator(".points")).to_have_text("5 – 3")
    expect(entry(page, 2).locator(".points")).to_have_text("2 – 0")
    about_entry(page, 6, "Withdraw").get_by_role("button", name="Withdraw").click()
    wait_until_stored(page, 7)
    expect(entry(page, 2).locator(".points")).to_have_text("1 – 0")
    assert sticks.api.get(f"/v1/games/{game}").json()["revision"] == 1
