"""A score sheet is drawn up, kept and played, and goes along as a file or a link; the rest stands in `template.mjs`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from games.scoresheet.ready import READY

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import FilePayload, Locator, Page

pytestmark = pytest.mark.browser

KEPT = "/v1/components/scoresheet"


@pytest.fixture
def editor(visit: Callable[..., Page], service) -> Callable[..., Page]:
    """The editor, begun with a ready template or with an empty sheet."""
    for found in service.api.get(KEPT).json()["components"]:
        service.api.delete(f"{KEPT}/{found['name']}")

    def open_editor(ready: str = "") -> Page:
        page = visit("/rulesets/scoresheet/template")
        expect(verdict(page)).not_to_be_empty()
        page.locator(".found li").first.wait_for()
        if ready:
            begin(page, READY[ready]["name"])
            expect(page.locator("textarea[name=json]")).to_have_value(re.compile(re.escape(READY[ready]["name"])))
        return page

    return open_editor


def begin(page: Page, name: str) -> None:
    page.get_by_label("Name of a game").fill(name)
    take = page.get_by_role("button", name=f"Take as a start: {name}", exact=True).last  # kept ones stand first
    before = field(page, "Name of the sheet").element_handle()
    take.tap()
    page.wait_for_function("(field) => !field.isConnected", arg=before)  # all of the form is drawn anew
    field(page, "Name of the sheet").wait_for()


def verdict(page: Page) -> Locator:
    return page.locator(".verdict")


def fits(page: Page) -> None:
    expect(verdict(page)).to_have_text("Everything fits.")


def template(page: Page) -> Any:
    return json.loads(page.locator("textarea[name=json]").input_value())


def column(page: Page, number: int) -> Locator:
    """The card of a column, opened."""
    card = page.locator(".column").nth(number)
    if card.get_attribute("open") is None:
        card.locator("summary").press("Enter")  # a tap can miss it while the page scrolls to what was drawn anew
    return card


def field(place: Locator | Page, label: str) -> Locator:
    return place.get_by_label(label, exact=True)


@pytest.mark.soak  # `template.mjs` enters and keeps sheets
def test_a_sheet_is_drawn_up_kept_and_played(editor):
    page = editor()
    expect(verdict(page)).to_contain_text("To begin with: Name of the sheet")
    field(page, "Name of the sheet").fill("Islands")
    first = column(page, 0)
    field(first, "Name").fill("victory points")
    expect(field(first, "Id, for typing and for formulas")).to_have_value("points")
    page.get_by_role("button", name="Add a column").tap()
    second = page.locator(".column").nth(1)
    expect(field(second, "Name")).to_be_focused()
    field(second, "Name").fill("Longest road")
    expect(field(second, "Id, for typing and for formulas")).to_have_value("longest_road")
    field(second, "At most").fill("5")
    fits(page)
    expected = {
        "name": "Islands",
        "columns": [
            {"id": "points", "per": "round", "name": "victory points"},
            {"id": "longest_road", "name": "Longest road", "most": 5},
        ],
    }
    assert template(page) == expected
    page.get_by_label("Under the name").fill("Our islands")
    page.get_by_role("button", name="Keep it and open a game").tap()
    page.wait_for_url("**/?ruleset=scoresheet&components=Our+islands#opening")
    form = page.locator("#opening")
    expect(form.locator(".game-name")).to_contain_text("Our islands")
    form.locator("summary").click()
    form.get_by_label("Title").fill("On our own sheet")
    form.get_by_role("button", name="Start the game").tap()
    expect(page.get_by_role("heading", name="On our own sheet")).to_be_visible()
    game = page.url.rpartition("/")[2]
    (opened,) = page.request.get(f"/v1/games/{game}/events").json()["events"]
    assert opened["data"]["components"] == expected


BAD_FILES = {
    "not JSON": (b"{", "is not JSON"),
    "a list": (b"[]", "holds no sheet: a template must be an object"),
    "no columns": (b'{"name": "x"}', "holds no sheet: columns is a list of objects"),
    "aliases": (b'{"name": "x", "columns": [], "aliases": 3}', "holds no sheet: aliases is a list of names"),
    "too large": (b" " * 60_001, "is too large for a sheet"),
    "an image": (bytes(range(256)), "is not JSON"),
}


@pytest.mark.soak  # `template.mjs` has files and links
def test_a_sheet_goes_from_one_to_another_as_a_file_or_a_link_and_a_bad_one_says_so(editor, tmp_path):
    page = editor("bridge")
    fits(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save it as a file").tap()
    assert saving.value.suggested_filename == "Bridge.json"
    path = tmp_path / "sheet.json"
    saving.value.save_as(path)
    assert json.loads(path.read_text(encoding="utf-8")) == READY["bridge"]
    page.get_by_role("button", name="Begin with an empty sheet").tap()
    assert template(page) != READY["bridge"]
    page.locator("input[type=file]").set_input_files(path)
    expect(field(page, "Name of the sheet")).to_have_value("Bridge")
    fits(page)
    assert template(page) == READY["bridge"]
    bad = page.locator(".finder [role=alert]")
    for content, why in BAD_FILES.values():
        page.locator("input[type=file]").set_input_files([as_file(content)])
        expect(bad).to_contain_text(why)
        assert template(page) == READY["bridge"], "nothing is lost"

    page.get_by_role("button", name="Share it by a link").tap()
    link = page.get_by_label("Link to this sheet").input_value()
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(link)
    expect(field(page, "Name of the sheet")).to_have_value("Bridge")
    assert template(page) == READY["bridge"]
    for broken, why in ((link[:-20], "its end is missing"), (link.partition("#")[0] + "#sheet=!", "holds no sheet")):
        page.goto("about:blank")
        page.goto(broken)
        expect(bad).to_contain_text(why)
    columns = [{"id": "a"}, {"id": "b", "formula": "a +"}]
    wrong = json.dumps({"name": "Wrong", "columns": columns}).encode()
    page.locator("input[type=file]").set_input_files([as_file(wrong)])
    expect(page.locator('[data-path="columns[1].formula"] .error-slot')).to_contain_text("cannot be read as a formula")


def as_file(content: bytes) -> FilePayload:
    return {"name": "bad.json", "mimeType": "application/json", "buffer": content}


@pytest.mark.soak  # `drafts.test.mjs` has two tabs
def test_two_tabs_keep_their_drafts_apart(editor):
    """Nothing that was typed in one is written over by the other, and neither is lost when both are closed."""
    first = editor()
    field(first, "Name of the sheet").fill("Islands")
    second = first.context.new_page()
    second.goto(first.url)
    expect(field(second, "Name of the sheet")).to_have_value("Islands")
    expect(second.get_by_text("What you had begun is still here.")).to_be_visible()
    field(second, "Name of the sheet").fill("Mountains")
    expect(first.get_by_text("Another tab goes on with the draft that stood here.")).to_be_visible()
    for tab, name, other in ((first, "Islands", "Mountains"), (second, "Mountains", "Islands")):
        tab.reload()
        expect(field(tab, "Name of the sheet")).to_have_value(name)
        expect(tab.get_by_role("button", name=other, exact=True)).to_be_visible()
    second.close()
    first.evaluate("sessionStorage.clear()")  # the browser was closed
    first.reload()
    expect(field(first, "Name of the sheet")).to_have_value("Mountains")
    first.get_by_role("button", name="Islands", exact=True).tap()
    expect(field(first, "Name of the sheet")).to_have_value("Islands")
    expect(first.get_by_role("button", name="Mountains", exact=True)).to_be_visible()
