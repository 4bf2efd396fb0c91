"""A game's page shows its record: the board, every entry and what it did, the score with its rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.service.pages.steps import record_elsewhere, record_more, refresh, wait_until_stored
from tests.service.pages.test_tables_page import cell, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

OPENING = ("deal black BARI COCO DUDA", "BARI-DUDA", "+COCO/ELAI", "DUDA-ALOA", "+BARI/FAAA")


@pytest.fixture
def game(service) -> str:
    """Five moves, a sixth that was withdrawn, an irregular seventh, and a note about the second entry."""
    game = service.open(title="By the window", place="Library")
    service.record(game, *OPENING, "HUNA-DUDA")
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 7, "reason": "typed twice"}})
    service.add(game, {"data": {"move": "white: IFFI-JOJO", "override": {"reason": "both agreed"}}})
    service.add(game, {"type": "note.added", "data": {"text": "A card fell.", "entry": 2}})
    return game


@pytest.fixture
def page(visit: Callable[..., Page], game: str) -> Page:
    page = visit(f"/games/{game}")
    wait_until_stored(page, 10)
    return page


def hands(page: Page) -> Locator:
    """The lines of the table's tab that say what is known of each hand."""
    page.get_by_role("tab", name="Table").click()
    return page.locator("#state dt", has_text="Hands").locator("xpath=../dd//li")


def test_a_long_record_is_drawn_where_somebody_looks(visit: Callable[..., Page], service) -> None:
    game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {"name": "Ben"}])
    service.record(game, *(f"r{number} {number} {number}" for number in range(1, 151)))
    service.record(game, *(f"r{1 + number % 150} p1 {number}" for number in range(500)))
    page = visit(f"/games/{game}")
    wait_until_stored(page, 651)
    lines = page.locator("#record .entry")
    expect(page.locator("#record [data-version='651']")).to_be_visible()
    assert lines.count() <= 50
    page.keyboard.press("Home")
    expect(page.locator("#record [data-version='1']")).to_have_attribute("aria-current", "true")
    expect(page.locator("#record [data-version='320']")).to_have_count(0)
    page.evaluate("document.querySelectorAll('.timeline > ul')[14].scrollIntoView()")
    expect(page.locator("#record [data-version='320']")).to_be_visible()
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 650}})
    refresh(page)
    expect(page.locator("#stepper output")).to_have_text("1 / 652")
    expect(page.locator("#record [data-version='650']")).to_have_class(re.compile("withdrawn"))
    shown = page.evaluate("[...document.querySelectorAll('#record .entry')].map(line => +line.dataset.version)")
    assert shown == sorted(shown, reverse=True)


def test_a_page_can_be_linked_at_an_entry_and_at_its_audit(visit: Callable[..., Page], game: str) -> None:
    page = visit(f"/games/{game}#5")
    expect(page.locator("#stepper output")).to_have_text("5 / 10")
    page.locator("#record").get_by_role("link", name="Entry 3", exact=True).click()
    expect(page.locator("#moment .notation")).to_have_text("BARI-DUDA")
    assert page.url.endswith("#3")
    page.evaluate("location.hash = 'score'")
    expect(page.locator("#score .sum").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("tab", name="Score")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#score .sum").first).to_be_visible()


def test_entries_say_what_they_did_with_its_rule_and_keys_slider_and_buttons_go_through_them(page: Page) -> None:
    entry = page.locator("#record [data-version='3']")
    expect(entry.locator(".effects li")).to_have_text(["Anna played BARI PLAY-3", "Anna built BARI-DUDA PLAY-2"])
    expect(entry.locator(".points")).to_have_text("0 – 0")
    expect(page.locator("#record [data-version='2'] .notes")).to_have_text("A card fell.")
    assert [int(text) for text in page.locator("#record .number").all_text_contents()] == list(range(10, 0, -1))
    withdrawn, irregular = page.locator("#record [data-version='7']"), page.locator("#record [data-version='9']")
    expect(withdrawn.locator("del")).to_have_text("HUNA-DUDA")
    expect(withdrawn.locator(".flags")).to_have_text("Withdrawn by entry 8")
    expect(page.locator("#record [data-version='8']")).to_contain_text("Withdrew entry 7: typed twice")
    expect(irregular.locator(".flags li")).to_have_text(
        ["Irregular: it is Anna's turn, not Björn's SET-2", "It stands: both agreed"]
    )
    page.locator("#record [data-version='3'] .rule-id", has_text="PLAY-2").click()
    dialog = page.get_by_role("dialog", name="Rule")
    expect(dialog).to_contain_text("One card builds a bridge")
    expect(dialog.locator("[lang=ja]")).to_have_count(0)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    wait_until_stored(page, 10)
    expect(hands(page).first).to_have_text("Anna COCO2 unknown")
    page.locator("h1").click()  # where keys are those of the record
    _goes_through_all_entries(page)


def _goes_through_all_entries(page: Page) -> None:
    """Go through ten entries by keys, the slider and the buttons, and let the page play them."""
    output, board = page.locator("#stepper output"), page.locator("#board svg")
    expect(board).to_be_visible()
    page.keyboard.press("Home")
    expect(output).to_have_text("1 / 10")
    expect(page.locator("#moment")).to_contain_text("The game was opened")
    expect(board.locator("title")).to_have_text(re.compile("before the deal"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(output).to_have_text("3 / 10")
    expect(page.locator("#moment .notation")).to_have_text("BARI-DUDA")
    expect(board.locator("[stroke-width='24'] line[data-at='BARI-DUDA'].touched")).to_have_count(1)
    page.locator("#stepper input").fill("5")
    expect(page.locator("#moment .notation")).to_have_text("DUDA-ALOA")
    expect(board.locator("[stroke-width='24'] line")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(output).to_have_text("4 / 10")
    page.keyboard.press("End")
    expect(output).to_have_text("10 / 10")
    page.get_by_role("button", name="First entry").click()
    page.get_by_role("button", name="One entry on").click()
    expect(output).to_have_text("2 / 10")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(output).to_have_text("3 / 10")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_score_audit_cites_entries_spells_rules_out_and_names_people(visit: Callable[..., Page], service) -> None:
    game = service.import_text((goldens.FOLDER / "kahuna" / "bridges.txt").read_text(encoding="utf-8"))
    page = visit(f"/games/{game}")
    page.get_by_role("tab", name="Score").click()
    score = page.locator("#score")
    audit = service.api.get(f"/v1/games/{game}/score").json()
    names = [seat["name"] for seat in service.api.get(f"/v1/games/{game}").json()["seats"]]
    _its_notes_name_people(score.locator(".note"), [line["note"] for line in audit["lines"] if line.get("note")], names)
    expect(score.locator("tbody tr:not(.note)")).to_have_count(len(audit["lines"]))
    expect(score.locator(".sum b")).to_have_text(" – ".join(map(str, audit["scores"])))
    first = score.locator("tbody tr").first
    expect(first).to_contain_text("round 1")
    expect(first).to_contain_text(names[audit["lines"][0]["seat"]])
    page.locator("#rulebook").evaluate(
        "(rules) => rules.scrollIntoView()"
    )  # they are loaded when a reader comes to them
    for rule in audit["rules"]:
        expect(score.locator("section.rule", has_text=rule["en"])).to_be_visible()
    first.get_by_role("link", name=str(audit["lines"][0]["version"]), exact=True).click()
    expect(page.locator("#stepper output")).to_have_text(re.compile(rf"^{audit['lines'][0]['version']} /"))


def _its_notes_name_people(shown: Locator, notes: list[str], names: list[str]) -> None:
    """See that the notes of an audit name people, where the ruleset names seats."""
    assert any("black" in note or "white" in note for note in notes)
    expect(shown).to_have_count(len(notes))
    content = " ".join(shown.all_text_contents())
    assert all(name in content for name in names)
    assert "black" not in content.lower()


def test_the_owner_sees_the_game_from_any_seat_and_takes_its_text_along_with_the_names(
    visit: Callable[..., Page], service
) -> None:
    game = service.open()
    service.record(game, "deal black BARI COCO DUDA / ALOA ALOA KAHU / LALE LALE JOJO")
    page = visit(f"/games/{game}")
    expect(hands(page)).to_have_text(["Anna ALOAALOAKAHU", "Björn JOJOLALELALE"])
    page.get_by_label("Point of view").select_option("Björn’s view")
    expect(hands(page)).to_have_text(["Anna 3 unknown", "Björn JOJOLALELALE"])
    page.get_by_label("Point of view").select_option("Public view")
    expect(hands(page)).to_have_text(["Anna 3 unknown", "Björn 3 unknown"])
    assert page.url.endswith("?seat=public")
    page.get_by_role("tab", name="About").click()
    page.get_by_role("link", name="Export", exact=True).click()
    address = page.locator("ul.files a[href*='format=text']").get_attribute("href")
    assert '[Black "Anna"]' in service.api.get(str(address)).text


def test_strangers_see_the_public_view_and_corrections_and_follow_and_record_nothing(
    visit: Callable[..., Page], service
) -> None:
    game = service.open()
    service.record(game, "deal black BARI COCO DUDA / ALOA ALOA KAHU / LALE LALE JOJO", "ALOA-BARI")
    service.add(game, {"type": "entry.replaced", "data": {"entry": 3, "move": "ALOA-HUNA"}})
    page = visit(f"/games/{game}", owner=False)
    expect(page.locator("#record [data-version='3']")).to_contain_text("Recorded first as ALOA-BARI")
    expect(page.get_by_role("button", name="More")).to_have_count(0)
    expect(hands(page)).to_have_text(["Anna 2 unknown", "Björn 3 unknown"])
    expect(page.locator("#recorder")).to_have_count(0)
    expect(page.get_by_role("link", name="log in", exact=True)).to_be_visible()
    output = page.locator("#stepper output")
    expect(output).to_have_text("4 / 4")
    service.record(game, "+")
    refresh(page)
    expect(output).to_have_text("5 / 5")
    expect(page.locator("#announcer")).to_have_text("Entry 5: Anna: +")
    page.get_by_role("button", name="One entry back").click()
    service.record(game, "-")
    refresh(page)
    expect(output).to_have_text("4 / 6")


def test_pictures_refusals_notes_and_tables_say_the_names_of_the_people(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open("Aiko", "Ben")
    service.record(game, "deal black BARI COCO DUDA")
    page = visit(f"/games/{game}")
    board = page.locator("#board svg")
    expect(board.locator("[data-room]")).to_have_text(["Round 1, Aiko to move", "Aiko", "Ben"])
    expect(board.locator("> desc")).to_contain_text("Ben holds no island")
    page.get_by_label("Move in notation").fill("white: a-b")
    expect(page.get_by_role("alert")).to_contain_text("it is Aiko's turn, not Ben's")
    page.get_by_label("why does it count").fill("he was quicker")
    expect(page.locator("#preview .flags")).to_contain_text("it is Aiko's turn, not Ben's")
    record_elsewhere(page, service, game, "BARI-DUDA", "+COCO", "+?ALOA")
    expect(table(page).get_by_role("columnheader").nth(2)).to_have_text("Bridges of Aiko")
    expect(cell(page, "Ben", 4, "Players")).to_contain_text("ALOA")
    page.get_by_label("Point of view").select_option("0")
    expect(cell(page, "Ben", 4, "Players")).not_to_contain_text("ALOA")


def _what_was_opened_of_the_table_stays_open_while_others_record(page: Page, service: Service, game: str) -> None:
    page.get_by_role("tab", name="Table").click()
    settings = page.locator("#state details").last
    settings.locator("summary").click()
    sum_ = page.locator("#audit .sum")
    before = sum_.text_content()
    service.add(game, {"type": "note.added", "data": {"text": "what a game"}})
    expect(sum_).not_to_have_text(before or "")
    expect(settings).to_have_attribute("open", "")


def test_a_game_that_is_over_waits_for_nobody_though_cards_may_still_be_noted(
    visit: Callable[..., Page], service: Service
) -> None:
    text = (goldens.FOLDER / "catan_cards" / "shortest.txt").read_text(encoding="utf-8")
    game = service.import_text(text)
    page = visit(f"/games/{game}")
    expect(page.locator("#recorder")).to_be_hidden()
    _what_was_opened_of_the_table_stays_open_while_others_record(page, service, game)
    record_more(page)
    expect(page.locator("#recorder .choice").first).to_be_visible()
    expect(page.locator("#recorder .count")).to_have_text("No move is legal now.")
