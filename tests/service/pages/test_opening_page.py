"""The form that opens a game: what it asks for, and what it makes of what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from games.rulesets import RULESETS
from games.scoresheet.components import READY
from tests.service.pages.steps import Gate

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

FINDER = "Find a sheet by name"


def opening(page: Page, ruleset: str) -> Locator:
    """The form for games of a ruleset, once it asks for its options."""
    form = page.locator("#opening form")
    form.locator("[name=ruleset]").select_option(ruleset)
    expect(form.locator("[data-option]")).to_have_count(len(RULESETS[ruleset].options))
    return form


def sheet_form(visit: Callable[..., Page]) -> Locator:
    form = visit("/?ruleset=scoresheet#opening").locator("#opening form")
    expect(form.locator("[data-option=template] option")).to_have_count(len(READY))
    return form


def test_every_ruleset_opens_a_game_and_only_score_sheets_are_found_by_name(visit: Callable[..., Page]) -> None:
    for name in RULESETS:
        page = visit("/#opening")
        form = opening(page, name)
        expect(form.get_by_label(FINDER)).to_have_count(1 if name == "scoresheet" else 0)
        form.get_by_label("Title").fill(f"The first of {name}")
        form.get_by_role("button", name="Open the game").click()
        expect(page.get_by_role("heading", name=f"The first of {name}")).to_be_visible()


def test_a_name_at_two_seats_is_asked_about_once(visit: Callable[..., Page]) -> None:
    page = visit("/#opening")
    form = opening(page, "kahuna")
    for field, name in zip(form.locator("[data-seat]").all(), ("Lisa", "ｌｉｓａ"), strict=True):
        field.fill(name)
    form.get_by_label("Title").fill("Alone")
    form.get_by_role("button", name="Open the game").click()
    expect(form.get_by_text("ｌｉｓａ sits at two seats.")).to_be_visible()
    form.get_by_role("button", name="Open the game").click()
    expect(page.get_by_role("heading", name="Alone")).to_be_visible()


def test_a_name_that_no_sheet_has_is_said_and_changes_nothing(visit: Callable[..., Page]) -> None:
    form = sheet_form(visit)
    sheets = form.locator("[data-option=template]")
    sheets.select_option('"azul"')
    form.get_by_label(FINDER).fill("no such game")
    expect(form.get_by_role("status")).to_have_text("No sheet goes by that name.")
    expect(sheets.locator("option")).to_have_count(len(READY))
    expect(sheets).to_have_value('"azul"')
    form.get_by_label(FINDER).fill("")
    expect(form.get_by_role("status")).to_be_empty()
    expect(sheets).to_have_value('"azul"')
    form.get_by_label(FINDER).fill("no such game")
    expect(form.get_by_role("status")).not_to_be_empty()
    form.get_by_role("button", name="Open the game").click()
    expect(form.page.locator(".title .meta")).to_contain_text("Azul")


def test_sheets_that_cannot_be_looked_for_leave_the_list_whole(visit: Callable[..., Page]) -> None:
    form = sheet_form(visit)
    form.page.route("**/v1/templates*", lambda route: route.abort())
    form.get_by_label(FINDER).fill("azul")
    expect(form.get_by_role("status")).to_contain_text("No connection")
    expect(form.locator("[data-option=template]")).to_have_value('"plain"')


def test_looking_for_a_sheet_opens_no_game(visit: Callable[..., Page]) -> None:
    form = sheet_form(visit)
    form.get_by_label(FINDER).fill("azul")
    expect(form.locator("[data-option=template]")).to_have_value('"azul"')
    form.get_by_label(FINDER).press("Enter")
    form.page.wait_for_timeout(300)
    expect(form).to_be_visible()


def test_a_sheet_that_was_kept_here_is_found_by_its_name(visit: Callable[..., Page], service: Service) -> None:
    name = f"Quartz {uuid7()}"
    body = {"data": {"name": name, "columns": [{"id": "stones"}]}}
    service.api.put(f"/v1/components/scoresheet/{name}", json=body).raise_for_status()
    form = sheet_form(visit)
    form.get_by_label(FINDER).fill(name)
    expect(form.locator("[name=components]")).to_have_value(name)
    expect(form.get_by_role("status")).to_contain_text("is a sheet of your own")
    form.get_by_label(FINDER).fill("azul")
    expect(form.locator("[name=components]")).to_have_value("")
    expect(form.locator("[data-option=template]")).to_have_value('"azul"')


@pytest.mark.parametrize("ruleset", sorted(name for name, each in RULESETS.items() if len(each.seats) > 1))
def test_names_that_are_typed_after_the_number_of_seats_stay(visit: Callable[..., Page], ruleset: str) -> None:
    form = opening(visit("/#opening"), ruleset)
    least, most = RULESETS[ruleset].seats[0], RULESETS[ruleset].seats[-1]
    keyboard = form.page.keyboard
    form.get_by_label("Seats").click()
    keyboard.press("ControlOrMeta+a")
    keyboard.type(str(most))
    first = form.locator("[data-seat='0']")
    box = first.bounding_box()
    assert box
    form.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    form.page.mouse.down()  # what lay under the finger is what takes the words
    form.page.mouse.up()
    keyboard.type("Aiko")
    expect(first).to_have_value("Aiko")
    expect(form.locator("[data-seat]")).to_have_count(most)
    form.locator(f"[data-seat='{most - 1}']").fill("Ben")
    for count in (least, most):
        form.get_by_label("Seats").fill(str(count))
        expect(form.locator("[data-seat]")).to_have_count(count)
    expect(first).to_have_value("Aiko")
    expect(form.locator(f"[data-seat='{most - 1}']")).to_have_value("Ben")


def test_the_ruleset_that_was_chosen_last_is_the_one_that_is_asked_about(visit: Callable[..., Page]) -> None:
    page = visit("/#opening")
    form = opening(page, "kahuna")
    late = Gate(page, "**/v1/rulesets/manapani")
    form.locator("[name=ruleset]").select_option("manapani")
    opening(page, "verraeter")
    with page.expect_response("**/v1/rulesets/manapani"):
        late.open()
    page.wait_for_timeout(300)
    expect(form.locator("[data-option]")).to_have_count(len(RULESETS["verraeter"].options))
    expect(form.locator("[data-option=chips]")).to_have_count(0)


def test_house_rules_and_expansions_of_a_sheet_are_ticked(visit: Callable[..., Page]) -> None:
    form = sheet_form(visit)
    expect(form.locator(".additions input")).to_have_count(0)
    form.get_by_label(FINDER).fill("7 wonders")
    form.get_by_label("Leaders").check()
    form.get_by_label("Cities").check()
    form.get_by_role("button", name="Open the game").click()
    expect(form.page.locator("#board")).to_contain_text("leaders (white)")
    expect(form.page.locator("#board")).not_to_contain_text("naval conflicts")
