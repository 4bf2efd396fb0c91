"""Three phones keep one sheet while everything fails that can: a network, the service, a session."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.ports import free_port
from tests.served import serve
from tests.service.pages.conftest import profile
from tests.service.pages.test_keypad_page import FOUR, Pad, moves

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator

    from tests.served import Service

pytestmark = [pytest.mark.browser, pytest.mark.soak]

ROUNDS = 10


class Phone(Pad):
    """A phone of somebody at the table."""

    def __init__(self, browser: Browser, service: Service, game: str) -> None:
        context = profile(browser, service)
        context.add_cookies([service.cookie])
        page = context.new_page()
        page.goto(f"/games/{game}")
        super().__init__(page, game)

    @property
    def outbox(self) -> Locator:
        return self.page.get_by_role("list", name="Not stored yet")

    def enters(self, name: str, points: int) -> None:
        """Enter the points of this player in the round that is due here, and go on with the next one."""
        self.finger.tap(self.element.get_by_role("button", name=name).first)
        self.tap(str(points), "Next round")

    def has_stored_all(self) -> None:
        expect(self.outbox.get_by_role("listitem")).to_have_count(0)


@pytest.mark.timeout(600)
def test_three_phones_keep_one_sheet_through_a_lost_network_a_killed_service_and_a_lost_session(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    with serve(tmp_path, port) as service:
        seats = [{"name": name} for name in FOUR]
        game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
        first, offline, third = (Phone(browser, service, game) for _ in range(3))
        offline.page.context.set_offline(True)
        for number in range(ROUNDS):
            offline.enters("Ben", number % 10)
        for _ in range(3):
            first.enters("Aiko", 1)
        os.kill(service.pid, signal.SIGKILL)
        for _ in range(3):
            first.enters("Aiko", 2)
    expect(first.outbox).to_contain_text("kept here until it is stored")
    with serve(tmp_path, port) as service:
        expect(third.page.locator("#scoreboard .points")).to_have_text(["9", "0", "0", "0"])
        third.enters("Dana", 5)
        expect(first.page.locator("#scoreboard .points")).to_have_text(["9", "0", "0", "5"])
        service.record(game, "r2 p2 9", "r4 p2 3", "r6 p2 9")
        offline.page.context.clear_cookies()
        offline.page.context.set_offline(False)
        expect(offline.outbox.get_by_role("alert").first.get_by_role("link", name="Log in")).to_be_visible()
        offline.page.context.add_cookies([service.cookie])
        offline.page.reload()
        asked = offline.outbox.get_by_role("listitem").first
        expect(asked).to_contain_text("r2 ? 1 ? ? is not stored: somebody else has filled in the sheet meanwhile")
        expect(asked.get_by_role("listitem").filter(has_text="9").first).to_be_visible()
        asked.get_by_role("button", name="Record it after them").click()
        expect(asked).to_contain_text("r6 ? 5 ? ? is not stored: somebody else has filled in the sheet meanwhile")
        asked.get_by_role("button", name="Discard it").click()
        offline.has_stored_all()
        for phone in (first, offline, third):
            expect(phone.page.locator("#scoreboard .points")).to_have_text(["9", "49", "0", "5"])
        made = moves(service, game)
        assert len(made) == len({*made}), "nothing is stored twice"
        filled = [each for each in made if not each.endswith("? ? 5") and "? ? ? 5" not in each]
        assert filled == [
            *(f"r{number} {points} ? ? ?" for number, points in enumerate((1, 1, 1, 2, 2, 2), 1)),
            *("r2 p2 9", "r4 p2 3", "r6 p2 9"),
            *(f"r{number} ? {number - 1} ? ?" for number in range(1, ROUNDS + 1) if number not in {4, 6}),
        ]
