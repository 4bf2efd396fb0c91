"""A whole game through any cuts: the network goes, pages are loaded anew, answers are lost, the service restarts."""

from __future__ import annotations

import random
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error, expect

from tests import goldens
from tests.ports import free_port
from tests.served import PATIENCE as MOMENT
from tests.served import Service, serve
from tests.service.pages.steps import PATIENCE, SENT, enter, wait_for, wait_until_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.soak]

MOVES = [entry.text for entry in goldens.game(goldens.FOLDER / "kahuna" / "points.txt").entries]
SHORT = 14
OFTEN = 0.6
"""How likely something happens before an entry."""
SEED = 20261122
STORED = "() => Number(document.querySelector('#stepper output').textContent.split('/')[1])"
"""How many entries of the record a page shows."""


class Machine:
    """A service that ends and begins again at the same address, with the same data."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port, self._stack = folder, free_port(), ExitStack()
        self.service = self.begin()

    def begin(self) -> Service:
        self.service = self._stack.enter_context(serve(self._folder, self._port))
        return self.service

    def end(self) -> None:
        self._stack.close()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path)
    yield machine
    machine.end()


def wait_until_known(page: Page, entries: int) -> None:
    """Wait until a tab knows of so many entries, stored or waiting."""
    wait_for(page, lambda: int(page.evaluate(STORED)) + page.locator("#outbox li").count() >= entries)


class Table:
    """Somebody records a game in two tabs, while things go wrong as chance has it."""

    def __init__(self, context: BrowserContext, machine: Machine, chance: random.Random) -> None:
        self.context, self.machine, self.chance = context, machine, chance
        self.tabs: list[Page] = []
        self.path = ""
        self.up = self.online = True
        self.to_come: list[Callable[[], None]] = []

    def sit_down(self, game: str) -> None:
        self.path = f"/games/{game}"
        for _ in range(2):
            page = self.context.new_page()
            page.goto(self.path)
            page.locator(".choice").first.wait_for()
            self.tabs.append(page)
        wait_until_kept(self.tabs[0], self.path, "at=1")

    def record(self, move: str, waits: int) -> None:
        """Enter a move in one of the tabs, once it knows of all that was entered before."""
        page = self.chance.choice(self.tabs)
        wait_until_known(page, waits)
        enter(page, move)
        wait_until_known(page, waits + 1)  # the field may offer the only move that comes next

    def cut(self, waits: int) -> None:
        """Something happens: each of all that can, before any happens again.

        All tabs know of so many entries before, and so does the copy of the page. Without a network they could not
        learn of them any more.
        """
        for page in self.tabs:
            wait_until_known(page, waits)
        if self.up and self.online:
            wait_until_kept(self.tabs[0], self.path, f"at={waits}")
        if not self.to_come:
            self.to_come = [self.lose_network, self.reload, self.lose_answer, self.stop, self.run_for, self.run_for]
            self.chance.shuffle(self.to_come)
        self.to_come.pop()()

    def lose_network(self) -> None:
        self.online = False
        self.context.set_offline(True)

    def reload(self) -> None:
        page = self.chance.choice(self.tabs)
        page.reload()
        page.locator("#game[aria-busy=false]").wait_for()

    def lose_answer(self) -> None:
        """The service stores the next entry, and nobody hears of it."""
        lost: list[int] = []

        def lose(route: Route) -> None:
            if lost or not (self.up and self.online):
                route.fallback()
                return
            lost.append(0)
            try:
                route.fetch()
            except Error:
                route.abort()
            else:
                route.abort()

        self.chance.choice(self.tabs).route(SENT, lose)

    def stop(self) -> None:
        if self.up:
            self.machine.end()
            self.up = False

    def run_for(self) -> None:
        if not self.up:
            self.machine.begin()
            self.up = True
        self.online = True
        self.context.set_offline(False)


def play(browser: Browser, machine: Machine, moves: list[str], seed: int) -> None:
    """Record these moves through cuts as chance has them; each is stored once, in its order."""
    service = machine.service
    game = service.open()
    context = browser.new_context(base_url=service.base, has_touch=True, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    context.add_cookies([service.log_in()])
    table = Table(context, machine, random.Random(seed))
    try:
        table.sit_down(game)
        for number, move in enumerate(moves, 1):
            if table.chance.random() < OFTEN:
                table.cut(number)
            table.record(move, number)
        table.run_for()
        whole = f"{len(moves) + 1} / {len(moves) + 1}"
        for page in table.tabs:
            page.reload()
            expect(page.locator("#stepper output")).to_have_text(whole, timeout=1000 * MOMENT)
            expect(page.locator("#outbox li")).to_have_count(0)
        assert machine.service.notations(game) == moves
        assert len(machine.service.entries(game)) == len(moves) + 1
    finally:
        context.close()


def test_a_game_through_cuts_is_recorded_whole_and_nothing_twice(browser: Browser, machine: Machine) -> None:
    play(browser, machine, MOVES[:SHORT], SEED)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_through_any_cuts_are_recorded_whole_and_nothing_twice(
    browser: Browser, machine: Machine, seed: int
) -> None:
    play(browser, machine, MOVES, seed)
