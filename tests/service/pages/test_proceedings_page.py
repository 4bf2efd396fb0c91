"""What happens around the moves: bookmarks, the table's own score, changes of seats, closing and reopening."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.service.pages.conftest import PHONE
from tests.service.pages.steps import (
    about_entry,
    about_game,
    entry,
    field,
    record_elsewhere,
    refresh,
    wait_until_stored,
)
from tests.service.pages.test_one_screen_page import is_told_of_beside_its_board

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser


def test_notes_bookmarks_receipts_papers_scores_and_ends_are_about_an_entry_or_the_whole_game(
    page: Page, service, game: str
) -> None:
    dialog = about_game(page, "Add a note")
    dialog.get_by_label("Note", exact=True).fill("The dealer sneezed.")
    dialog.get_by_role("button", name="Add the note").click()
    wait_until_stored(page, 3)
    expect(entry(page, 2).locator(".notes")).to_have_text("The dealer sneezed.")
    dialog = about_game(page, "Add a note")
    dialog.get_by_label("Note", exact=True).fill("It rains.")
    dialog.get_by_label("about entry 3").uncheck()
    dialog.get_by_role("button", name="Add the note").click()
    wait_until_stored(page, 4)
    assert "entry" not in service.entries(game)[3]

    record_elsewhere(page, service, game, "BARI-DUDA", "+")
    bookmarks = page.get_by_role("navigation", name="Bookmarks")
    expect(bookmarks).to_be_hidden()
    dialog = about_entry(page, 5, "Bookmark this moment")
    dialog.get_by_label("Note", exact=True).fill("The first bridge")
    dialog.get_by_role("button", name="Set the bookmark").click()
    wait_until_stored(page, 7)
    bookmarks.get_by_role("link", name="The first bridge").click()
    expect(page.locator("#stepper output")).to_have_text("5 / 7")
    about_entry(page, 7, "Withdraw").get_by_role("button", name="Withdraw").click()
    expect(bookmarks).to_be_hidden()

    _a_receipt_that_is_refused_says_why(page)
    dialog = about_entry(page, 2, "Receipt")
    picture = dialog.get_by_alt_text("The receipt as a QR code")
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('img.qr').naturalWidth > 100")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save the file").click()
    assert saved.value.path().read_text(encoding="utf-8").startswith("c2sp.org/tlog-proof@v1")
    page.keyboard.press("Escape")
    _a_score_that_agrees_says_so_and_what_is_none_is_objected_to_in_the_words_of_its_field(page)
    _a_game_under_way_can_only_be_abandoned_goes_on_once_it_is_reopened_and_takes_no_correction_while_closed(
        page, service, game
    )


def _a_receipt_that_is_refused_says_why(page: Page) -> None:
    why = "proofs would reveal hidden facts, because an older release recorded a game here without seals"
    body = {"type": "/problems/scope-needed", "title": "Permission denied", "status": 403, "detail": why}
    page.route(
        "**/receipt*", lambda route: route.fulfill(status=403, content_type="application/problem+json", json=body)
    )
    dialog = about_entry(page, 2, "Receipt")
    expect(dialog.get_by_role("alert")).to_contain_text(why)
    expect(dialog.locator("img")).to_have_count(0)
    dialog.get_by_role("button", name="Save the file").click()
    expect(dialog.get_by_role("alert")).to_contain_text(why)
    page.unroute("**/receipt*")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.fixture
def over(service) -> str:
    """A game that was played to its end by Aiko and Jonas."""
    return service.import_text((goldens.FOLDER / "kahuna" / "points.txt").read_text(encoding="utf-8"))


def open_claim(page: Page) -> Locator:
    page.get_by_role("tab", name="Score").click()
    page.get_by_role("button", name="What does your paper say?").click()
    return page.get_by_role("dialog", name="What does your paper say?")


def test_the_papers_score_is_compared_with_the_audit_and_a_difference_leads_to_its_entry(
    visit: Callable[..., Page], service: Service, over: str
) -> None:
    audit = service.api.get(f"/v1/games/{over}/score").json()
    scores, line = audit["scores"], next(line for line in audit["lines"] if line["points"])
    wrong = [points - line["points"] * (seat == line["seat"]) for seat, points in enumerate(scores)]
    page = visit(f"/games/{over}")
    expect(page.locator("#headline")).to_contain_text("won")
    claims = page.locator("#claims .claim")
    dialog = open_claim(page)
    for seat, name in enumerate(("Aiko", "Jonas")):
        dialog.get_by_label(name, exact=True).fill(str(wrong[seat]))
    dialog.get_by_label("A remark").fill("from the score pad")
    dialog.get_by_role("button", name="Compare it").click()
    expect(claims).to_contain_text("It differs from the audit.")
    row = claims.locator("tr.differs")
    expect(row).to_have_count(1)
    expect(row.locator("td").last).to_have_text(f"-{line['points']}")
    source = claims.locator("tr.note").get_by_role("link", name="entry").first
    version = source.get_attribute("href")
    source.click()
    expect(page.locator("#moment .number")).to_have_attribute("href", version)

    page.keyboard.press("End")
    expect(page.locator("#moment .number")).not_to_have_attribute("href", version or "")
    category = line["category"].replace("-", " ")
    dialog = open_claim(page)
    dialog.get_by_role("button", name="Add a line of it").click()
    dialog.get_by_label("Seat").select_option(str(line["seat"]))
    dialog.get_by_label("For", exact=True).fill(category)
    dialog.get_by_label("Points").fill(str(line["points"]))
    dialog.get_by_role("button", name="Compare it").click()
    expect(claims).to_have_count(2)
    expect(claims.last.locator("tr", has_text=category).first.locator("td").last).to_have_text("0")

    dialog = open_claim(page)
    dialog.get_by_label("Aiko", exact=True).fill(str(scores[0] + 997))
    dialog.get_by_role("button", name="Compare it").click()
    expect(claims).to_have_count(3)
    note = claims.last.locator("tr.note")
    expect(note).to_contain_text("Line by line against the paper, the audit has")
    own = [line for line in audit["lines"] if line["seat"] == 0 and line["points"]]
    expect(note.get_by_role("link", name="entry")).to_have_count(len(own))

    claim = {"scores": [scores[0] + 997, None], "lines": [{"seat": 0, "category": "something else", "points": 997}]}
    service.add(over, {"type": "score.claimed", "data": claim})
    refresh(page)
    expect(claims).to_have_count(4)
    expect(claims.last).to_contain_text("The lines of paper and audit stand side by side below.")
    expect(claims.last.locator("tr", has_text="something else")).to_contain_text("+997")


def _a_score_that_agrees_says_so_and_what_is_none_is_objected_to_in_the_words_of_its_field(page: Page) -> None:
    dialog = open_claim(page)
    compare = dialog.get_by_role("button", name="Compare it")
    expect(compare).to_be_disabled()
    for points in ("1.5", "1e30"):
        dialog.get_by_label("Anna").fill(points)
        expect(dialog.get_by_role("alert")).to_contain_text("Anna: ")
        expect(dialog).not_to_contain_text("data.")
        expect(compare).to_be_disabled()
        dialog.get_by_label("Anna").fill("0")
        expect(dialog.get_by_role("alert")).to_have_count(0)
        expect(compare).to_be_enabled()
    compare.click()
    expect(page.locator("#claims")).to_contain_text("It agrees with the audit.")
    dialog = open_claim(page)
    dialog.get_by_label("Björn").fill("4")
    compare.click()
    expect(page.locator("#claims tr.differs")).to_contain_text("+4")
    expect(page.locator("#claims")).to_contain_text("The audit has no points of this seat.")


def _a_game_under_way_can_only_be_abandoned_goes_on_once_it_is_reopened_and_takes_no_correction_while_closed(
    page: Page, service, game: str
) -> None:
    last = len(service.entries(game))
    page.get_by_role("tab", name="History").click()
    page.get_by_role("button", name="Go to the newest entry").click()
    dialog = about_game(page, "Abandon the game")
    dialog.get_by_label("Reason").fill("the last train")
    dialog.get_by_role("button", name="Abandon the game").click()
    closed = page.get_by_role("region", name="The record is closed")
    expect(closed).to_contain_text("abandoned")
    expect(page.get_by_role("heading", name="The game was abandoned")).to_be_visible()
    expect(field(page)).to_be_hidden()
    is_told_of_beside_its_board(page)
    page.set_viewport_size(PHONE)
    expect(entry(page, last + 1)).to_contain_text("The record was closed: abandoned: the last train")
    page.get_by_role("button", name="More about entry 2", exact=True).click()
    sheet = page.locator("dialog.sheet")
    expect(sheet.get_by_role("button", name="Withdraw")).to_have_count(0)
    expect(sheet.get_by_role("button", name="Add a note")).to_be_visible()
    sheet.get_by_role("button", name="Reopen the record it is closed, and takes no corrections").click()
    dialog = page.get_by_role("dialog", name="Reopen the record?")
    expect(dialog.get_by_role("button", name="Reopen")).to_be_disabled()
    dialog.get_by_label("Why it goes on").fill("the train was late")
    dialog.get_by_role("button", name="Reopen").click()
    expect(field(page)).to_be_visible()
    assert service.api.get(f"/v1/games/{game}").json()["status"] == "playing"
    dialog = about_entry(page, 2, "Add details")
    service.add(game, {"type": "game.closed", "data": {"how": "abandoned"}})
    dialog.get_by_label("Move with all").fill("deal black BARI COCO DUDA / ALOA ALOA KAHU / LALE LALE JOJO")
    expect(dialog.get_by_role("alert")).to_contain_text("The game is closed")
    expect(dialog.get_by_role("button", name="Add them")).to_be_disabled()


@pytest.mark.soak  # `test_ruling_page` closes one that was adjudicated
@pytest.mark.parametrize("how", ["finished", "adjudicated"])
def test_a_game_is_closed_as_it_ended(visit: Callable[..., Page], service, over: str, how: str) -> None:
    game = over if how == "finished" else service.open()
    if how == "adjudicated":
        service.add(game, {"type": "ruling.given", "data": {"reason": "agreed", "adjustments": ["adjudge ranks=1,2"]}})
    page = visit(f"/games/{game}")
    wait_until_stored(page, len(service.entries(game)))
    dialog = about_game(page, f"Close the record as {how}")
    dialog.get_by_role("button", name="Close the record").click()
    expect(page.get_by_role("region", name="The record is closed")).to_contain_text(how)
    assert service.api.get(f"/v1/games/{game}").json()["closed"] == how


def test_who_sits_down_later_is_named_from_then_on_and_players_sign_on_their_device(
    page: Page, service, game: str
) -> None:
    record_elsewhere(page, service, game, "BARI-DUDA")
    dialog = about_game(page, "Change the player of a seat")
    dialog.get_by_label("Seat", exact=True).select_option("Black: Anna")
    dialog.get_by_label("Who sits there from now on").fill("a\x07b")
    expect(dialog.get_by_role("alert")).to_have_text("Invalid entryname: a name holds no control characters")
    dialog.get_by_label("Who sits there from now on").fill("Carla Neumann")
    dialog.get_by_role("button", name="Change the seat").click()
    wait_until_stored(page, 4)
    expect(page.locator("#scoreboard")).to_contain_text("Carla Neumann")
    record_elsewhere(page, service, game, "+")
    expect(entry(page, 3)).to_contain_text("Anna built BARI-DUDA")
    expect(entry(page, 4)).to_contain_text("Carla Neumannsits here from now on, as Black")
    expect(entry(page, 5)).to_contain_text("Carla Neumann drew from the deck")
    page.get_by_role("link", name="Entry 3", exact=True).click()
    expect(page.locator("#scoreboard")).to_contain_text("Anna")
    page.reload()
    expect(entry(page, 3)).to_contain_text("Anna built BARI-DUDA")
    page.keyboard.press("End")
    wait_until_stored(page, 5)
    _somebody_known_sits_down_as_that_person(page, service, game)
    _players_sign(page, service, game)


def _somebody_known_sits_down_as_that_person(page: Page, service, game: str) -> None:
    """Let somebody sit down, as entry 6, whom the service knows from another game."""
    service.open("Dora Known", "Emil")
    dialog = about_game(page, "Change the player of a seat")
    dialog.get_by_label("Seat", exact=True).select_option("White: Björn")
    name = dialog.get_by_label("Who sits there from now on")
    name.fill("ｃａｒｌａ neumann")
    expect(dialog.get_by_text("ｃａｒｌａ neumann sits at two seats. Is that right?")).to_be_visible()
    name.fill("björn")
    expect(dialog.get_by_text("two seats")).to_have_count(0)
    name.fill("")
    name.press_sequentially("Dora")
    expect(dialog.locator("datalist option[value='Dora Known']")).to_have_count(1)
    name.fill("Dora Known")
    dialog.get_by_role("button", name="Change the seat").click()
    wait_until_stored(page, 6)
    known = service.api.get("/v1/players?q=Dora Known").json()["players"]
    assert [player["id"] for player in known] == [service.entries(game)[5]["player"]]


def _players_sign(page: Page, service, game: str) -> None:
    """Sign a record of six entries. One of them is corrected afterwards."""
    dialog = about_game(page, "Sign the record")
    expect(dialog).to_contain_text("up to entry 6")
    dialog.get_by_label("Who signs").select_option("1")
    dialog.get_by_role("button", name="Sign", exact=True).click()
    wait_until_stored(page, 7)
    expect(entry(page, 7)).to_contain_text("Signed the record up to entry 6")
    signed = service.entries(game)[-1]
    assert (signed["type"], signed["seat"], len(signed["signed"]["key"])) == ("record.signed", 1, 16)
    dialog = about_game(page, "Sign the record")
    dialog.get_by_label("Who signs").select_option("")
    dialog.get_by_role("button", name="Sign", exact=True).click()
    wait_until_stored(page, 8)
    assert service.entries(game)[-1]["signed"]["key"] == signed["signed"]["key"]  # the device keeps its key
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 5}})
    wait_until_stored(page, 9)
    expect(entry(page, 7)).to_contain_text("What was signed was corrected since: entry 9")
