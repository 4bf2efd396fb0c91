"""A browser's own EventSource follows a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.service.pages.steps import DEAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

FOLLOW = """path => {
    window.told = [];
    window.stream = new EventSource(path);
    for (const kind of ["entry", "closed"])
        stream.addEventListener(kind, event => told.push(Number(event.lastEventId)));
    stream.addEventListener("gone", () => told.push("gone"));
}"""


def test_a_browser_follows_by_its_cookie_and_stops_when_it_may_not_any_more(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open()
    service.show(game, "private")
    page = visit(f"/games/{game}")
    page.evaluate(FOLLOW, f"/v1/games/{game}/stream?last_event_id=earliest")
    service.record(game, DEAL)
    page.wait_for_function("() => told.length === 2")
    assert page.evaluate("told") == [1, 2]
    page.evaluate("stream.close()")


def test_a_browser_is_told_that_a_game_is_gone_and_does_not_come_again(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open()
    page = visit(f"/games/{game}", owner=False)
    page.evaluate(FOLLOW, f"/v1/games/{game}/stream")
    page.wait_for_function("() => stream.readyState === EventSource.OPEN")
    service.show(game, "private")
    page.wait_for_function("() => told.length === 1 && told[0] === 'gone'")
    page.wait_for_function("() => stream.readyState === EventSource.CLOSED")
