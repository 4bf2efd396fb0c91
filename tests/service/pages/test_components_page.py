"""Components of a box on the pages: entered on the ruleset's, chosen where a game is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.rulesets import RULESETS
from tests.service.pages.steps import NO_GAMES, choose_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.soak  # `opening.mjs` enters, chooses and removes them
def test_components_are_entered_once_and_chosen_by_name_and_what_cannot_be_kept_is_said(
    visit: Callable[..., Page],
) -> None:
    page = visit("/rulesets/verraeter#components")
    card = page.locator("#components")
    card.get_by_label("Name").fill("My box")
    card.get_by_label("Components, as JSON").fill("{")
    card.get_by_role("button", name="Keep them").click()
    expect(card.locator(".answer")).to_contain_text("This is not JSON")
    card.get_by_label("Components, as JSON").fill('{"points": {"River": 3}}')
    card.get_by_role("button", name="Keep them").click()
    expect(card.locator(".answer")).to_contain_text("points.Wilderness")

    line = card.get_by_role("listitem").filter(has_text="invented points")
    expect(line).to_contain_text("made up")
    line.get_by_role("button", name="Take as a start").click()
    text = card.get_by_label("Components, as JSON")
    text.fill(text.input_value().replace("[5, 4, 3, 2]", "[8, 4, 3, 2]"))
    card.get_by_label("Name").fill("My box")
    card.get_by_role("button", name="Keep them").click()
    expect(card.locator(".answer")).to_contain_text("My box is kept")

    page.goto(NO_GAMES)
    form = choose_game(page, RULESETS["verraeter"].title.en)
    form.get_by_label("Components").select_option("My box")
    form.get_by_label("Title").fill("With my box")
    form.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("heading", name="With my box")).to_be_visible()
    game = page.url.rpartition("/")[2]
    state = page.request.get(f"/v1/games/{game}/state").json()["state"]
    assert state["components"]["points"]["River"] == [8, 4, 3, 2]

    page.goto("/rulesets/verraeter#components")
    page.locator("#components li").filter(has_text="My box").get_by_role("button", name="Remove").click()
    expect(page.locator("#components .answer")).to_contain_text("is removed")
    expect(page.locator("#components li").filter(has_text="My box")).to_have_count(0)
