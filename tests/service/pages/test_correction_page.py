"""Any entry is corrected from the page: shown beforehand with all that it changes, and stored once everything fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.service.pages.steps import (
    DEAL,
    Gate,
    about_entry,
    enter,
    entry,
    field,
    lose_network,
    pause_between_taps,
    record_elsewhere,
    refresh,
    wait_until_stored,
)
from tests.service.pages.test_following import DEAF

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

REMOVAL = ("ELAI-FAAA", "+", "x ELAI-FAAA (ELAI FAAA)")
"""Black builds, and white removes it: without the bridge the removal cannot be."""


def kinds(service, game: str) -> list[str]:
    return [entry["type"] for entry in service.entries(game)]


def conflict(dialog: Locator, version: int) -> Locator:
    return dialog.get_by_role("group", name=f"Entry {version} ·")


def test_undo_withdraws_the_last_entry_that_counts_after_a_confirmation_and_redo_brings_it_back(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open()
    page = visit(f"/games/{game}")
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    wait_until_stored(page, 1)
    expect(undo).to_be_disabled()
    expect(page.locator("#turn")).to_have_text("Cards or dice next")
    expect(page.locator("#keypad")).to_have_count(0)
    enter(page, DEAL)
    wait_until_stored(page, 2)
    expect(undo).to_be_enabled()
    expect(redo).to_be_hidden()
    _undo_offers_what_the_service_says(page, service, game)

    record_elsewhere(page, service, game, "BARI-DUDA", "+COCO")
    expect(redo).to_be_hidden()
    undo.click()
    dialog = page.get_by_role("dialog", name="Withdraw entry 7?")
    expect(dialog).to_contain_text("Anna: +COCO")
    expect(dialog).to_contain_text("The score stays 0 – 0.")
    dialog.get_by_label("Reason").fill("wrong card")
    dialog.get_by_role("button", name="Withdraw").click()
    wait_until_stored(page, 8)
    expect(entry(page, 7).locator("del")).to_have_text("+COCO")
    expect(entry(page, 7)).to_contain_text("withdrawn")
    expect(page.locator("#turn")).to_have_text("Anna to move")
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    undo.click()
    page.get_by_role("dialog", name="Withdraw entry 6?").get_by_role("button", name="Withdraw").click()
    wait_until_stored(page, 9)
    assert service.notations(game) == [DEAL]
    for version, head in ((6, 10), (7, 11)):
        redo.click()
        dialog = page.get_by_role("dialog", name=f"Let entry {version} count again?")
        expect(dialog).to_contain_text("It counts again.")
        dialog.get_by_role("button", name="Let it count").click()
        wait_until_stored(page, head)
    expect(redo).to_be_hidden()
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO"]
    expect(entry(page, 11)).to_contain_text("Took back entry 8")
    undo.click()
    page.get_by_role("dialog", name="Withdraw entry 7?").get_by_role("button", name="Withdraw").click()
    wait_until_stored(page, 12)
    enter(page, "+DUDA")
    wait_until_stored(page, 13)
    expect(redo).to_be_hidden()


def _undo_offers_what_the_service_says(page: Page, service: Service, game: str) -> None:
    """See which entry both would be about once the only move after the deal was replaced and withdrawn: do neither."""
    record_elsewhere(page, service, game, "BARI-DUDA")
    service.add(game, {"type": "entry.replaced", "data": {"entry": 3, "move": "b-e"}})
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 3}})
    refresh(page)
    wait_until_stored(page, 5)
    info = service.api.get(f"/v1/games/{game}").json()
    assert (info["undo"]["entry"], info["redo"]["entry"]) == (2, 3)
    for button, name in (("Redo", "Let entry 3 count again?"), ("Undo", "Withdraw entry 2?")):
        page.get_by_role("button", name=button).click()
        page.get_by_role("dialog", name=name).get_by_role("button", name="Leave it").click()
        expect(page.get_by_role("dialog", name=name)).to_be_hidden()
    assert len(service.entries(game)) == 5


def test_corrections_made_offline_are_stored_once_it_is_back_and_their_conflicts_settled_where_they_wait(
    page: Page, service, game: str
) -> None:
    record_elsewhere(page, service, game, "BARI-DUDA")
    lose_network(page)
    dialog = about_entry(page, 3, "Replace")
    dialog.get_by_label("Move that was made").fill("ALOA-BARI")
    expect(dialog).to_contain_text("No connection")
    dialog.get_by_role("button", name="Replace").click()
    outbox = page.get_by_role("list", name="Not stored yet")
    expect(outbox).to_contain_text("replace entry 3: ALOA-BARI")
    assert len(service.entries(game)) == 3
    page.context.set_offline(False)
    wait_until_stored(page, 4)
    expect(outbox.get_by_role("listitem")).to_have_count(0)
    assert service.notations(game) == [DEAL, "ALOA-BARI"]
    page.context.set_offline(True)
    dialog = about_entry(page, 3, "Withdraw")
    dialog.get_by_role("button", name="Withdraw", exact=True).click()
    expect(outbox.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.context.set_offline(False)
    wait_until_stored(page, 5)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    assert service.notations(game) == [DEAL]
    record_elsewhere(page, service, game, *REMOVAL)
    page.context.set_offline(True)
    dialog = about_entry(page, 6, "Withdraw")
    dialog.get_by_role("button", name="Withdraw").click()
    expect(dialog).to_be_hidden()  # it was tried, and waits
    expect(outbox).to_contain_text("withdraw entry 6")
    page.context.set_offline(False)
    conflict(outbox, 8).get_by_label("Withdraw it, too").check()
    outbox.get_by_role("button", name="Send again").click()
    wait_until_stored(page, 9)
    assert service.notations(game) == [DEAL, "+"]


def test_an_entry_is_replaced_after_what_it_did_and_would_do_was_seen(page: Page, service, game: str) -> None:
    record_elsewhere(page, service, game, "ELAI-FAAA", "+")
    page.keyboard.press("Home")
    page.get_by_role("link", name="Entry 3", exact=True).click()
    page.get_by_role("button", name="Correct and more").click()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    dialog = page.get_by_role("dialog", name="Replace entry 3")
    move = dialog.get_by_label("Move that was made")
    expect(move).to_have_value("ELAI-FAAA")
    expect(dialog.locator(".choice").first).to_be_visible()
    expect(dialog.get_by_role("button", name="Replace")).to_be_disabled()
    move.fill("faa")
    dialog.get_by_role("button", name="FAAA-BARI").click()
    before, after = (dialog.locator(".sides section").nth(side) for side in (0, 1))
    expect(before).to_contain_text("Anna built ELAI-FAAA")
    expect(after).to_contain_text("Anna built BARI-FAAA")
    expect(dialog).to_contain_text("The score stays 0 – 0.")
    assert len(service.entries(game)) == 4
    dialog.get_by_label("Reason").fill("the neighbouring line")
    dialog.get_by_role("button", name="Replace").click()
    expect(dialog).to_be_hidden()
    line = entry(page, 3)
    expect(line.locator(".what b")).to_have_text("FAAA-BARI")
    expect(line).to_contain_text("replaced")
    expect(line.locator(".flags")).to_have_text("Recorded first as ELAI-FAAA; changed by entry 5")
    expect(entry(page, 5)).to_contain_text("Replaced entry 3: the neighbouring line")
    expect(page.locator("#stepper output")).to_have_text("3 / 5")
    expect(page.locator("#board svg line[data-at='BARI-FAAA'].touched").first).to_be_attached()
    expect(page.locator("#stepper input")).to_have_attribute(
        "aria-valuetext", re.compile("entry 3, replaced: FAAA-BARI")
    )


def test_a_misread_roll_is_replaced_by_tapping_what_the_dice_showed(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open(ruleset="manapani", seats=[{"name": "Mia"}, {"name": "Noah"}])
    service.record(game, "start 1")
    page = visit(f"/games/{game}")
    for die, face in (("Mia 1", "2"), ("Mia 2", "1")):
        page.get_by_role("group", name=die).get_by_role("button", name=face).tap()
    wait_until_stored(page, 3)
    dialog = about_entry(page, 3, "Replace")
    for die, face in (("Mia 1", "2"), ("Mia 2", "2")):
        dialog.get_by_role("group", name=die).get_by_role("button", name=face).tap()
    expect(dialog.locator(".dry-run")).to_contain_text("Mia rolled 2, 2")
    dialog.get_by_role("button", name="Replace").click()
    wait_until_stored(page, 4)
    assert service.notations(game) == ["start 1", "roll 2 2"]


def test_a_record_that_is_followed_through_corrections_is_the_one_that_is_read_anew(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open(ruleset="scoresheet", options={"template": "rounds"}, seats=[{"name": "Ada"}, {"name": "Ben"}])
    service.record(game, *(f"r{number} {number} 10" for number in range(1, 7)))
    page = visit(f"/games/{game}")
    corrections: list[tuple[str, dict[str, Any]]] = [
        ("entry.inserted", {"after": 3, "move": "p1 +3 forgotten"}),
        ("entry.replaced", {"entry": 5, "move": "r4 44 10"}),
        ("entry.replaced", {"entry": 8, "move": "p2 +5 forgotten"}),
        ("entry.withdrawn", {"entry": 9}),
        ("ruling.given", {"after": 2, "reason": "slow", "adjustments": [{"type": "points", "seat": 1, "points": -1}]}),
        ("entry.withdrawn", {"entry": 11}),
        ("ruling.revoked", {"ruling": 12}),
        ("entry.withdrawn", {"entry": 8}),
    ]
    for version, (kind, data) in enumerate(corrections, 8):
        service.add(game, {"type": kind, "data": data})
        refresh(page)
        expect(entry(page, version)).to_be_attached()
    followed = page.locator("#record").text_content()
    page.reload()
    wait_until_stored(page, len(service.entries(game)))
    assert page.locator("#record").text_content() == followed


def test_a_forgotten_move_is_inserted_where_it_happened_and_a_text_is_erased_after_a_question(
    page: Page, service, game: str
) -> None:
    record_elsewhere(page, service, game, "ELAI-FAAA", "+")
    dialog = about_entry(page, 2, "Insert after it")
    dialog.get_by_label("Move that was forgotten").fill("COCO-FAAA")
    expect(dialog.locator(".dry-run")).to_contain_text("Anna built COCO-FAAA")
    dialog.get_by_role("button", name="Insert").click()
    expect(entry(page, 5)).to_contain_text("inserted")
    expect(entry(page, 5).locator(".flags")).to_have_text("Inserted after entry 2")
    assert [int(text) for text in page.locator("#record .number").all_text_contents()] == [4, 3, 5, 2, 1]
    expect(page.locator("#stepper output")).to_have_text("3 / 5")
    built = page.locator("#board svg [stroke-width='24'] line")
    expect(built).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#moment .notation")).to_have_text("ELAI-FAAA")
    expect(built).to_have_count(2)
    page.keyboard.press("End")
    expect(field(page)).to_be_visible()
    service.add(game, {"type": "note.added", "data": {"text": "what nobody should read"}})
    refresh(page)
    wait_until_stored(page, 6)
    for answer in ("Cancel", "Erase"):
        expect(page.get_by_text("what nobody should read").first).to_be_visible()
        page.get_by_role("button", name="More about entry 6").click()
        page.get_by_role("button", name="Erase its text").click()
        dialog = page.get_by_role("dialog", name="Erase its text for good?")
        dialog.get_by_role("button", name=answer).click()
        expect(dialog).to_be_hidden()
    expect(page.get_by_text("Its text was erased on").first).to_be_visible()
    expect(page.get_by_text("what nobody should read")).to_have_count(0)


@pytest.mark.soak
def test_what_nobody_saw_is_told_later_and_a_replacement_against_the_rules_stands_with_its_reason(
    page: Page, service, game: str
) -> None:
    dialog = about_entry(page, 2, "Add details")
    move = dialog.get_by_label("Move with all that is known now")
    expect(move).to_have_value(DEAL)
    move.fill("deal black BARI COCO LALE")
    expect(dialog.get_by_role("alert")).to_contain_text("what was seen cannot be told anew")
    expect(dialog.get_by_role("button", name="Add them")).to_be_disabled()
    move.fill(f"{DEAL} / ALOA ALOA KAHU / LALE LALE JOJO")
    expect(dialog.locator(".dry-run")).to_be_visible()
    dialog.get_by_role("button", name="Add them").click()
    wait_until_stored(page, 3)
    page.get_by_role("tab", name="Table").click()
    expect(page.locator("#state")).to_contain_text("ALOAALOAKAHU")
    page.get_by_role("tab", name="History").click()
    record_elsewhere(page, service, game, "ALOA-HUNA")
    dialog = about_entry(page, 4, "Replace")
    excuse = dialog.get_by_label("why does it count")
    expect(excuse).to_be_hidden()
    dialog.get_by_label("Move that was made").fill("a-h (kahu)")
    expect(dialog.get_by_role("alert")).to_contain_text("The move breaks a rule PLAY-2")
    excuse.fill("nobody noticed")
    expect(dialog.locator(".dry-run .flags")).to_contain_text("Irregular: KAHU is at neither end of ALOA-HUNA")
    dialog.get_by_role("button", name="Replace").click()
    wait_until_stored(page, 5)
    expect(entry(page, 4).locator(".flags")).to_contain_text("It stands: nobody noticed")


def test_conflicts_name_their_rule_and_what_would_be_legal_and_nothing_is_stored_before_they_are_settled(
    page: Page, service, game: str
) -> None:
    record_elsewhere(page, service, game, *REMOVAL)
    _another_move_is_asked_about_anew(page, service, game)
    dialog = about_entry(page, 3, "Withdraw")
    found = conflict(dialog, 5)
    expect(dialog.locator(".conflicts .told")).to_be_in_viewport()  # what keeps the button from being pressed
    expect(dialog.get_by_role("status")).to_contain_text("1 later entry no longer fits")
    expect(found).to_contain_text("Björn: x ELAI-FAAA (ELAI FAAA)")
    expect(found).to_contain_text("no bridge lies on ELAI-FAAA REM-1")
    found.get_by_text("What would be legal there").click()
    assert found.locator("code").count() >= 2
    expect(found.get_by_role("radio")).to_have_count(1)
    button = dialog.get_by_role("button", name="Withdraw", exact=True)
    expect(button).to_be_disabled()
    found.get_by_label("Withdraw it, too").check()
    expect(dialog.get_by_role("status")).to_contain_text("everything fits")
    expect(dialog.locator(".consequences")).to_contain_text(
        "Entry 5 Björn: x ELAI-FAAA (ELAI FAAA)It no longer counts."
    )
    assert len(service.entries(game)) == 6
    button.click()
    wait_until_stored(page, 7)
    expect(entry(page, 7).locator(".flags")).to_have_text("Withdrew entry 5, too")
    expect(entry(page, 5).locator(".flags")).to_have_text("Withdrawn by entry 7")
    assert service.notations(game) == [DEAL, "+"]


def _another_move_is_asked_about_anew(page: Page, service, game: str) -> None:
    """Replace a bridge by another one, which the removal does not fit, and then by the same one."""
    dialog = about_entry(page, 3, "Replace")
    move = dialog.get_by_label("Move that was made")
    move.fill("ALOA-BARI")
    conflict(dialog, 5).get_by_label("Withdraw it, too").check()
    expect(dialog.get_by_role("status").last).to_contain_text("everything fits")
    move.fill("FAAA-ELAI")
    expect(dialog.get_by_role("region", name="Entries that no longer fit")).to_be_hidden()
    dialog.get_by_role("button", name="Replace").click()
    wait_until_stored(page, 6)
    assert service.notations(game) == [DEAL, "FAAA-ELAI", "+", "x ELAI-FAAA (ELAI FAAA)"]


@pytest.fixture
def turns(page: Page, service, game: str) -> Locator:
    """The dialog that withdraws the end of a turn: what follows is out of turn, as long as none of it is withdrawn."""
    record_elsewhere(page, service, game, "ELAI-FAAA", "+", "LALE-IFFI", "+", "COCO-FAAA")
    return about_entry(page, 4, "Withdraw")


def test_each_entry_that_no_longer_fits_is_kept_irregular_or_withdrawn_as_it_was_chosen(
    turns: Locator, page: Page, service, game: str
) -> None:
    status = turns.get_by_role("status")
    too, kept = "Withdraw it, too", "Keep it, flagged irregular"
    expect(conflict(turns, 5)).to_contain_text("it is Anna's turn, not Björn's SET-2")
    turns.get_by_role("button", name="Withdraw all").click()
    expect(status).to_contain_text("everything fits")
    for version in (5, 6):
        expect(conflict(turns, version).get_by_label(too)).to_be_checked()
    conflict(turns, 5).get_by_label(kept).check()
    expect(status).to_contain_text("everything fits")
    expect(conflict(turns, 6)).to_have_count(0)  # nothing is wrong with it any more
    conflict(turns, 5).get_by_label(too).check()
    conflict(turns, 6).get_by_label(kept).check()
    expect(status).to_contain_text("everything fits")
    changed = turns.locator(".consequences > li")
    expect(changed.filter(has_text="Entry 5")).to_contain_text("It no longer counts.")
    expect(changed.filter(has_text="Entry 6")).to_contain_text("Irregular: it is Anna's turn")
    turns.get_by_role("button", name="Withdraw", exact=True).click()
    wait_until_stored(page, 8)
    correction = service.entries(game)[7]
    assert (correction["keep"], correction["withdraw"]) == ([6], [5])
    expect(entry(page, 6).locator(".flags")).to_contain_text("It was kept by entry 8")
    expect(entry(page, 8).locator(".flags li")).to_have_text(["Kept entry 6 as irregular", "Withdrew entry 5, too"])


@pytest.mark.soak
@pytest.mark.parametrize(
    ("switch", "chosen"),
    [
        ("Keep what can stand", {"keep": [5]}),
        ("Withdraw all", {"withdraw": [5, 6]}),
    ],
)
def test_one_switch_settles_all_conflicts(
    turns: Locator, page: Page, service, game: str, switch: str, chosen: dict[str, list[int]]
) -> None:
    turns.get_by_role("button", name=switch).click()
    expect(turns.get_by_role("status")).to_contain_text("everything fits")
    turns.get_by_role("button", name="Withdraw", exact=True).click()
    wait_until_stored(page, 8)
    correction = service.entries(game)[7]
    assert {name: correction[name] for name in ("keep", "withdraw") if name in correction} == chosen


def test_what_could_not_be_loaded_is_at_hand_once_the_network_was_back(
    visit: Callable[..., Page], service: Service, game: str
) -> None:
    page = visit("/none").context.new_page()
    page.add_init_script(DEAF)
    page.route(
        "**/stream*", lambda route: route.abort()
    )  # the stream of the game would show that the service can be reached
    page.route("**/record/actions.js*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/record/actions" in request.url):
        page.goto(f"/games/{game}")
    entry(page, 2).get_by_role("button", name="More about entry 2", exact=True).click()
    expect(page.locator("#connection")).to_contain_text("No connection")
    page.unroute_all()
    with page.expect_event("requestfinished", lambda request: "/record/actions" in request.url):
        # it was never away to the browser, which tells of changes alone
        page.evaluate("dispatchEvent(new Event('online'))")
    lose_network(page)
    pause_between_taps(page)
    expect(about_entry(page, 2, "Replace")).to_be_visible()


def press(button: Locator) -> None:
    """Press a button with the keyboard, once it can be: a key that comes before is lost."""
    expect(button).to_be_enabled()
    button.press("Enter")


def test_a_correction_is_made_and_taken_back_with_the_keyboard_and_knows_what_others_record_meanwhile(
    page: Page, service, game: str
) -> None:
    record_elsewhere(page, service, game, "BARI-DUDA")
    more = page.get_by_role("button", name="More about entry 3", exact=True)
    more.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Withdraw")).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Withdraw entry 3?")
    expect(dialog.get_by_role("button", name="Withdraw")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(more).to_be_focused()
    assert len(service.entries(game)) == 3
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Withdraw")).to_be_focused()
    page.keyboard.press("Enter")
    press(dialog.get_by_role("button", name="Withdraw"))
    wait_until_stored(page, 4)
    dialog = about_entry(page, 3, "Let it count again")
    expect(dialog).to_contain_text("Anna built BARI-DUDA")
    press(dialog.get_by_role("button", name="Let it count"))
    wait_until_stored(page, 5)
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    _what_others_record_meanwhile_is_taken_into_account_before_a_correction_is_stored(page, service, game)


def _what_others_record_meanwhile_is_taken_into_account_before_a_correction_is_stored(
    page: Page, service, game: str
) -> None:
    """Withdraw a bridge, as entry 7, that others remove meanwhile."""
    record_elsewhere(page, service, game, *REMOVAL[:2])
    dialog = about_entry(page, 6, "Withdraw")
    button = dialog.get_by_role("button", name="Withdraw", exact=True)
    expect(button).to_be_enabled()
    unheard = Gate(page, re.compile(rf"/v1/games/{game}$"))
    service.record(game, REMOVAL[2])
    button.click()
    expect(dialog).to_contain_text("Others recorded something meanwhile")
    unheard.open()
    expect(conflict(dialog, 8)).to_be_visible()
    assert kinds(service, game)[-1] == "move.made"
