"""The curve of the scores under the slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

DESK = {"width": 1280, "height": 900}
ROUNDS = ("r1 5 2", "r2 0 9", "r3 1 0", "r4 20 0")
"""Ada leads, then Ben, then Ada again, as it stands after each round."""


def opened(service: Service) -> str:
    game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {"name": "Ben"}])
    service.record(game, *ROUNDS)
    return game


def test_the_scores_stand_under_the_slider_and_in_a_table_with_the_changes_of_the_lead(
    visit: Callable[..., Page], service: Service
) -> None:
    page = visit(f"/games/{opened(service)}", viewport=DESK)
    curve = page.locator("#curve")
    expect(curve.locator("path")).to_have_count(2)
    expect(curve.locator(".lead")).to_have_count(3)
    now = curve.locator(".now")
    expect(now).to_have_attribute("x1", "5")
    page.locator("#stepper [data-go=back]").click()
    expect(now).to_have_attribute("x1", "4")
    page.get_by_text("The scores as a table").click()
    assert [row.split() for row in curve.locator("tbody tr").all_inner_texts()][1:3] == [
        ["2", "5", "2", "Ada"],
        ["3", "5", "11", "Ben"],
    ]
