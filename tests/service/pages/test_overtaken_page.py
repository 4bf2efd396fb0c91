"""Two phones record one game: a move that was shown for one moment is not recorded for another one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import field, record_button, record_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Route

    from tests.served import Service

pytestmark = pytest.mark.browser

PATHS = ("**/moves?*", "**/events?dry_run=true")
"""What a slow network can hold up: the legal moves, and the trial of one."""


@contextmanager
def held_up(page: Page, path: str) -> Iterator[list[Route]]:
    """Let requests wait as in a slow network, and go on in the end."""
    waiting: list[Route] = []
    page.route(path, lambda route: waiting.append(route))  # noqa: PLW0108 - the driver marks what it calls
    yield waiting
    for route in waiting:
        route.continue_()
    page.unroute(path)


@pytest.mark.soak  # `recording.mjs` has the trial of a move
@pytest.mark.parametrize("path", PATHS)
def test_a_move_that_somebody_else_has_just_recorded_is_not_recorded_for_the_next_seat(
    page: Page, service: Service, game: str, path: str
) -> None:
    """Both phones take a card for Black. Then the same word would take one for White."""
    field(page).fill("+")
    expect(page.locator("#preview .dry-run")).to_contain_text("Anna")
    with held_up(page, path) as waiting:
        record_elsewhere(page, service, game, "+")
        page.wait_for_timeout(500)
        assert waiting
        record_button(page).click()
    expect(page.locator("#preview .dry-run")).to_contain_text("Björn")
    page.wait_for_timeout(500)
    assert service.notations(game)[1:] == ["+"]
