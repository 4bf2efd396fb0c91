"""A score sheet is drawn up field by field: checked as it is typed, in step with its JSON, kept and played."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from playwright.sync_api import expect

from games.scoresheet.ready import READY
from games.scoresheet.template import Column, Team, Template, TieBreaker

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


SHAPES = ("auction", "bridge", "chess", "cooperative", "farm", "ticket_to_ride")
"""Sheets that between them have all that a form can show; the others are looked at with the long forms."""
OTHERS = tuple(name for name in sorted(READY) if name not in SHAPES)


@pytest.mark.parametrize("sheets", [SHAPES, pytest.param(OTHERS, marks=pytest.mark.soak)], ids=["few", "others"])
def test_every_ready_sheet_is_a_start_and_the_form_changes_nothing_in_it(editor, sheets):
    page = editor()
    for name in sheets:
        ready = READY[name]
        begin(page, ready["name"])
        expect(page.locator("textarea[name=json]")).to_have_value(re.compile(re.escape(ready["name"])))
        fits(page)
        assert template(page) == ready
        field(page, "Name of the sheet").fill(f"My {ready['name']}")
        assert template(page) == ready | {"name": f"My {ready['name']}"}
        expect(page.locator(".column")).to_have_count(len(ready["columns"]))


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


SAID = {
    "How to fill it in": "Enter it all.",
    "Checked against": "nothing in print",
}


def test_everything_that_a_template_can_say_can_be_entered(editor):
    page = editor()
    for label, value in (("Name of the sheet", "Whole"), ("Number at BoardGameGeek", "13"), ("Rounds", "4")):
        field(page, label).fill(value)
    for label, value in (("In Japanese", "全部"), ("Other names", "All of it, Everything"), *SAID.items()):
        field(page, label).first.fill(value)
    first = column(page, 0)
    field(first, "Name").fill("cards")
    field(first, "In Japanese").fill("カード")
    field(first, "At least").fill("5")
    first.get_by_role("button", name="Minus for At least").tap()
    field(first, "At most").fill("20")
    field(first, "If left empty").fill("0")
    field(first, "Holds for every value").fill("points % 5 == 0")
    field(page, "Names of the rounds").fill("前半, Große Pause")
    page.get_by_role("button", name="Add a column").tap()
    second = column(page, 1)
    field(second, "Name").fill("Weather")
    for label in ("All share one value", "Whole numbers only"):
        second.get_by_label(label).check()
    for number, (word, value) in enumerate((("fine", "1"), ("rainy", "2"))):
        second.get_by_role("button", name="Add a word").tap()
        field(second, "Word").nth(number).fill(word)
        field(second, "Value").nth(number).fill(value)
    page.get_by_role("button", name="Add a column").tap()
    third = column(page, 2)
    field(third, "Name").fill("Bonus")
    field(third, "Its values are").select_option("computed by a formula")
    field(third, "Formula").fill("sum(points) / 3 * weather")
    field(third, "Made whole").select_option("upwards")
    third.get_by_label("Its values are points").uncheck()
    for number, (start, gives) in enumerate((("0", "-1"), ("10", "4"))):
        third.get_by_role("button", name="Add a range").tap()
        field(third, "From").nth(number).fill(start)
        field(third, "it gives").nth(number).fill(gives)
    field(page, "They play").select_option("in teams")
    field(page, "Team 1").fill("Odd")
    field(page, "Team 2").fill("Even")
    for number, seats in enumerate(("1 3", "2, 4")):
        field(page, "Its players, by number").nth(number).fill(seats)
    field(page, "Who comes late begins with").select_option("the average of the others")
    field(page, "Winner").select_option("the lowest")
    field(page, "Played until a total of").fill("100")
    page.get_by_role("button", name="Add a tie-breaker").tap()
    field(page, "Tie-breaker 1").select_option("Bonus")
    field(page, "Better is").select_option("the lowest")
    field(page, "Forced loss, if").fill("total < 10")
    fits(page)
    field(page, "Played until a total of").fill("")
    field(page, "Decided by").select_option("Bonus")
    fits(page)
    made = template(page)
    assert made == {
        "name": "Whole",
        "ja": "全部",
        "aliases": ["All of it", "Everything"],
        "about": "Enter it all.",
        "checked": "nothing in print",
        "bgg": 13,
        "rounds": 4,
        "round_names": ["前半", "Große Pause"],
        "columns": [
            {
                "id": "points",
                "per": "round",
                "name": "cards",
                "ja": "カード",
                "least": -5,
                "most": 20,
                "default": 0,
                "check": "points % 5 == 0",
            },
            {
                "id": "weather",
                "name": "Weather",
                "counts": False,
                "shared": True,
                "whole": True,
                "labels": {"fine": 1, "rainy": 2},
            },
            {
                "id": "bonus",
                "name": "Bonus",
                "counts": False,
                "formula": "sum(points) / 3 * weather",
                "ranges": [[0, -1], [10, 4]],
                "round": "up",
            },
        ],
        "teams": [{"name": "Odd", "seats": [0, 2]}, {"name": "Even", "seats": [1, 3]}],
        "late": "average",
        "wins": "lowest",
        "by": "bonus",
        "ties": [{"column": "bonus", "wins": "lowest"}],
        "loses": "total < 10",
    }
    assert {name for one in made["columns"] for name in one} == names(Column) - AS_JSON
    assert {name for one in made["teams"] for name in one} == names(Team)
    assert {name for one in made["ties"] for name in one} == names(TieBreaker) - AS_JSON
    assert made.keys() | {"target"} == names(Template) - AS_JSON


AS_JSON = {
    *("when", "unless", "options", "chosen", "checks", "stops", "ends", "first_wins", "sources", "round_names_ja"),
    *("markers", "tie_round", "last_turn"),
}
"""What is written as JSON, below the form."""


def names(form: type[msgspec.Struct]) -> set[str]:
    return {found.encode_name for found in msgspec.structs.fields(form)}


BAD_FILES = {
    "not JSON": (b"{", "holds no JSON"),
    "a list": (b"[]", "holds no sheet: a template must be an object"),
    "no columns": (b'{"name": "x"}', "holds no sheet: columns is a list of objects"),
    "aliases": (b'{"name": "x", "columns": [], "aliases": 3}', "holds no sheet: aliases is a list of names"),
    "too large": (b" " * 60_001, "is too large for a sheet"),
    "an image": (bytes(range(256)), "holds no JSON"),
}


MISFITS = (
    ("Id, for typing and for formulas", "b g", "columns[0].id", "an id is made of letters, digits and _"),
    ("At least", "many", "columns[0].least", "Expected"),
    ("Name of the sheet", "", "name", "This is still to be filled in"),
    ("Rounds", "1000", "rounds", "Expected `int` <= 999"),
    ("Forced loss, if", "total <", "loses", "this cannot be read as a formula"),
)


def _the_form_and_the_json_are_in_step(page: Page) -> None:
    page.locator("summary", has_text="As JSON").tap()
    text = page.get_by_label("The same template as JSON")
    text.fill(json.dumps(READY["golf"]))
    expect(field(page, "Name of the sheet")).to_have_value(READY["golf"]["name"])
    fits(page)
    for broken, why in (
        ("{", "This is no JSON"),
        ("[]", "a template must be an object"),
        ('{"columns": 3}', "columns is a"),
    ):
        text.fill(broken)
        expect(page.locator(".json .answer")).to_contain_text(why)
        page.get_by_role("button", name="Keep it", exact=True).tap()
        expect(page.locator(".keep .answer")).to_contain_text("Mend the JSON first")
    expect(field(page, "Name of the sheet")).to_have_value(READY["golf"]["name"])
    text.fill(json.dumps(READY["golf"] | {"surprise": [1]}))
    expect(verdict(page)).to_contain_text("surprise")
    field(page, "Name of the sheet").fill("Links")
    assert template(page) == READY["golf"] | {"surprise": [1], "name": "Links"}


def test_what_does_not_fit_is_said_where_it_stands_and_is_not_kept_and_the_form_and_the_json_are_in_step(editor):
    page = editor("wizard")
    column(page, 0)
    page.get_by_label("Under the name").fill("Never kept")
    for label, typed, place, why in MISFITS:
        wrong = field(page, label).first
        before = wrong.input_value()
        wrong.fill(typed)
        expect(page.locator(f'[data-path="{place}"] .error-slot')).to_contain_text(why)
        keep = page.locator(".keep")
        keep.get_by_role("button", name="Keep it", exact=True).press("Enter")
        expect(keep.locator(".problem")).to_be_visible()
        wrong.fill(before)
        expect(keep.locator(".answer")).to_be_empty()
    fits(page)
    assert template(page) == READY["wizard"], "formulas name no column by what was no id"
    assert page.request.get(KEPT).json()["components"] == []
    _the_form_and_the_json_are_in_step(page)


def test_together_nothing_decides_columns_are_named_anew_put_in_order_and_removed_and_an_error_has_its_place(editor):
    page = editor("wizard")
    field(page, "Winner").select_option("all together or nobody: no score decides")
    fits(page)
    assert (template(page)["wins"], "ties" in template(page)) == ("cooperative", False)
    expect(field(page, "Decided by")).to_have_count(0)
    field(page, "Winner").select_option("the highest")
    assert template(page) == READY["wizard"]
    card = column(page, 2)
    field(card, "Its values are").select_option("written in by the players")
    expect(field(card, "Formula")).to_have_count(0)
    field(card, "Its values are").select_option("computed by a formula")
    assert template(page) == READY["wizard"]
    _a_column_named_anew_is_so_in_formulas(page)
    _an_error_in_a_formula_has_its_place(page)
    begin(page, READY["wizard"]["name"])
    fits(page)
    column(page, 0).get_by_role("button", name="Move bid down").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Move bid down")).to_be_focused()
    page.keyboard.press("Enter")
    assert [one["id"] for one in template(page)["columns"]] == ["tricks", "points", "bid"]
    expect(page.get_by_role("button", name="Move bid up")).to_be_focused()
    column(page, 2).get_by_role("button", name="Remove the column").focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-path="columns[1].formula"] .error-slot')).to_contain_text("there is no bid here")


def _a_column_named_anew_is_so_in_formulas(page: Page) -> None:
    begin(page, READY["sushi_go"]["name"])
    fits(page)
    name = field(column(page, 1), "Id, for typing and for formulas")
    name.fill("rank")  # which the formulas have as a word of their own
    name.press("Tab")
    for how_many in ("for each round", "for the whole game"):  # each draws the form anew
        field(column(page, 1), "There is one").select_option(how_many)
    expect(verdict(page)).to_contain_text("has a meaning of its own")
    name.fill("won")
    name.fill("taken")
    name.press("Tab")
    fits(page)
    made = template(page)
    assert made["ties"] == [{"column": "taken"}]
    assert made["columns"][2]["formula"] == READY["sushi_go"]["columns"][2]["formula"].replace("puddings", "taken")
    expect(field(column(page, 2), "Formula")).to_have_value(made["columns"][2]["formula"])


def _an_error_in_a_formula_has_its_place(page: Page) -> None:
    begin(page, READY["wizard"]["name"])
    fits(page)
    card = column(page, 2)
    formula = field(card, "Formula")
    formula.fill("20 + 10 * triks")
    below = page.locator('[data-path="columns[2].formula"] .error-slot')
    expect(below).to_contain_text("there is no triks here")
    expect(below.locator("mark")).to_have_text("triks")
    expect(formula).to_have_attribute("aria-invalid", "true")
    expect(formula).to_have_attribute("aria-describedby", below.get_attribute("id"))
    card.locator("summary").tap()
    verdict(page).get_by_role("button").tap()
    expect(formula).to_be_focused()
    formula.fill("20 + 10 * tricks")
    fits(page)
    expect(below).to_be_empty()
    expect(formula).not_to_have_attribute("aria-invalid", "true")


def test_a_kept_sheet_is_taken_up_again(editor):
    page = editor("farm")
    page.get_by_label("Under the name").fill("Our farm")
    page.get_by_role("button", name="Keep it", exact=True).tap()
    expect(page.locator(".keep .answer")).to_contain_text("Our farm is kept.")
    page.reload()
    expect(page.locator(".restored")).to_be_hidden()
    expect(page.locator(".found li").first).to_contain_text("Our farm")
    begin(page, "Our farm")
    expect(page.get_by_label("Under the name")).to_have_value("Our farm")
    expect(page.locator(".taken")).to_be_visible()
    field(page, "Name of the sheet").fill("Farm, ours")
    page.get_by_role("button", name="Keep it", exact=True).tap()
    expect(page.locator(".keep .answer")).to_contain_text("Our farm is kept.")
    (kept,) = page.request.get(KEPT).json()["components"]
    assert kept["data"] == READY["farm"] | {"name": "Farm, ours"}


def test_nothing_typed_is_lost_without_a_connection(editor):
    page = editor("rounds")
    page.route("**/v1/**", lambda route: route.abort())
    field(page, "Name of the sheet").fill("Written in a cellar")
    page.get_by_label("Under the name").fill("Cellar")
    expect(verdict(page)).to_contain_text("No connection")
    page.get_by_role("button", name="Keep it", exact=True).tap()
    expect(page.locator(".keep .answer")).to_contain_text("What you typed stays in this browser")
    page.reload()
    expect(page.get_by_text("What you had begun is still here.")).to_be_visible()
    expect(page.get_by_label("Under the name")).to_have_value("Cellar")
    expect(field(page, "Name of the sheet")).to_have_value("Written in a cellar")
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    fits(page)
    page.get_by_role("button", name="Keep it", exact=True).tap()
    expect(page.locator(".keep .answer")).to_contain_text("Cellar is kept.")
    assert page.request.get(f"{KEPT}/Cellar").json()["data"]["name"] == "Written in a cellar"


def test_a_sheet_is_found_by_what_people_call_the_game_also_by_a_visitor_who_changes_none(editor, visit):
    page = editor()
    page.get_by_label("Name of a game").fill("うぃんぐ")
    expect(page.locator(".found li")).to_have_count(1)
    expect(page.locator(".found li")).to_contain_text("Checked against Wingspan")
    page.get_by_role("link", name="Open a game with Wingspan").tap()
    page.wait_for_url("**/?ruleset=scoresheet&template=wingspan#opening")
    expect(page.locator("#opening .game-name")).to_contain_text("Wingspan")
    page = visit("/rulesets/scoresheet/template", owner=False)
    expect(page.get_by_text(re.compile("To keep sheets"))).to_be_visible()
    expect(page.locator("#template")).to_have_count(0)
    page.get_by_label("Name of a game").fill("bridge")
    expect(page.locator(".found")).to_contain_text("Checked against Laws of Duplicate Bridge, Law 77")
    expect(page.get_by_role("button", name=re.compile("Take"))).to_have_count(0)
    page.get_by_label("Name of a game").fill("no such game")
    expect(page.locator(".finder .count")).to_have_text("No sheet goes by that name.")


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
