"""The list of games: found by what people remember of them, opened and imported from a form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_games_are_found_by_title_place_player_and_status(visit: Callable[..., Page], service, finished: str) -> None:
    game = service.open("Dörte", "Emil", title="Quarterfinal", place="Osaka")
    service.settle()
    page = visit("/")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Quarterfinal"))
    expect(card).to_contain_text("being played")
    expect(card).to_contain_text("Osaka")
    for text in ("Quarterf", "saka", "dörte"):
        page.get_by_role("searchbox").fill(text)
        page.get_by_role("searchbox").press("Enter")
        expect(page.locator(".games h2")).to_have_text(["Quarterfinal"])
    page.get_by_label("Status").select_option("finished")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No game fits.")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Search").click()
    won = page.locator(f".card:has(a[href='/games/{finished}'])")
    expect(won.locator(".won")).to_contain_text("Aiko")
    expect(won.locator(".won")).to_contain_text("won")
    page.get_by_label("Status").select_option("playing")
    page.get_by_role("searchbox").fill("emil")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Quarterfinal").click()
    page.wait_for_url(f"**/games/{game}")


def test_a_game_is_opened_with_names_title_and_place(visit: Callable[..., Page], service) -> None:
    service.open("Frida", "Gustav")
    page = visit("/")
    page.get_by_text("Record a new game").click()
    page.get_by_label("Black").press_sequentially("Fri")
    expect(page.locator("datalist option[value='Frida']")).to_have_count(1)
    expect(page.locator("datalist option:not([value*='fri' i])")).to_have_count(0)
    page.get_by_label("Black").fill("Frida")
    page.get_by_label("Title").fill("Rematch")
    page.get_by_label("Place").fill("Kiel")
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_url("**/games/*")
    expect(page.locator("#scoreboard")).to_contain_text("FridaBlack 黒")
    expect(page.locator("#scoreboard")).to_contain_text("White")
    expect(page.locator(".title")).to_contain_text("Kiel")


def test_names_stay_while_the_number_of_seats_is_found(visit: Callable[..., Page]) -> None:
    page = visit("/")
    page.get_by_text("Record a new game").click()
    page.get_by_label("Ruleset").select_option("manapani")
    for seat, name in enumerate(("Mia", "Noah"), 1):
        page.get_by_label(f"Player {seat}").fill(name)
    for seats in ("4", "2", "3"):
        page.get_by_label("Seats").fill(seats)
        page.get_by_label("Seats").blur()
        expect(page.locator("[data-seat]")).to_have_count(int(seats))
        if seats == "4":
            page.get_by_label("Player 3").fill("Zoë")
    assert [field.input_value() for field in page.locator("[data-seat]").all()] == ["Mia", "Noah", "Zoë"]


def test_a_form_with_many_options_shows_the_first_ones_and_in_words(visit: Callable[..., Page]) -> None:
    page = visit("/")
    page.get_by_text("Record a new game").click()
    page.get_by_label("Ruleset").select_option("catan_cards")
    switch = page.get_by_label("In whose turn one wins")
    expect(page.get_by_label("Profile: ")).to_be_visible()
    expect(switch).to_be_hidden()
    page.get_by_text("more options").click()
    switch.select_option("own turn")
    page.get_by_label("Ruleset").select_option("scoresheet")
    expect(page.get_by_label("Ready template").locator("option", has_text="_")).to_have_count(0)
    expect(page.get_by_label("A sheet of your own")).to_contain_text("none: the ready one")
    page.get_by_role("link", name="Draw up a sheet").click()
    page.wait_for_url("**/rulesets/scoresheet/template")


def test_a_game_that_cannot_be_opened_is_refused_at_the_form_which_keeps_its_words(visit: Callable[..., Page]) -> None:
    page = visit("/")
    page.get_by_text("Record a new game").click()
    page.get_by_label("Title").fill("a\x7fb")
    page.get_by_role("button", name="Open the game").click()
    expect(page.get_by_role("alert")).to_contain_text("title")
    expect(page.get_by_label("Title")).to_have_value("a\x7fb")


@pytest.mark.parametrize("name", ["points.txt", "broken.txt"])
def test_a_file_is_imported_or_refused_with_its_line(visit: Callable[..., Page], name: str) -> None:
    text = (goldens.FOLDER / "kahuna" / "points.txt").read_text(encoding="utf-8")
    broken = text.replace("DUDA-ALOA", "DUDA-OLAF", 1)
    line = 1 + broken[: broken.index("OLAF")].count("\n")
    content = (broken if name == "broken.txt" else text).encode()
    page = visit("/")
    page.get_by_text("Import a game").click()
    page.get_by_label("File").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Import").click()
    if name == "broken.txt":
        expect(page.get_by_role("alert")).to_contain_text(f"line {line}:")
    else:
        page.wait_for_url("**/games/*")
        expect(page.locator("#turn")).to_contain_text("Aiko won")


def test_an_export_comes_back_as_the_same_game(visit: Callable[..., Page], service, finished: str) -> None:
    page = visit(f"/games/{finished}")
    page.get_by_role("tab", name="About").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export with its chain").click()
    page.goto("/")
    page.get_by_text("Import a game").click()
    page.get_by_label("File").set_input_files(download.value.path())
    page.get_by_role("button", name="Import").click()
    page.wait_for_url(f"**/games/{finished}")
