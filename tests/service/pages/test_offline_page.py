"""Nothing entered is lost or stored twice: not without a connection, nor when answers are lost or others record too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests.choosing import some
from tests.service.pages.steps import DEAL, SENT, Gate, choose_game, enter, wait_for, wait_until_stored

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

KEPT = """() => new Promise((done) => {
  const opening = indexedDB.open("kifu");
  opening.onsuccess = () => {
    const reading = opening.result.transaction("waiting").objectStore("waiting").getAll();
    reading.onsuccess = () => {
      opening.result.close();
      done(reading.result.sort((one, other) => one.place - other.place).map(({label}) => label));
    };
  };
})"""
"""What is kept on the device, in its order."""

SLOW_DISK = """() => {
  const held = new Promise((done) => { window.release = done; });
  Object.defineProperty(IDBTransaction.prototype, "oncomplete", {
    set(told) { this.addEventListener("complete", (event) => held.then(() => told(event))); },
  });
}"""
"""Lets nothing know that it is kept, until it is released."""

FORBIDDEN = """() => {
  IDBDatabase.prototype.transaction = () => { throw new DOMException("no", "SecurityError"); };
}"""
FULL = """() => {
  window.put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (item) {
    put.call(this, item).onsuccess = () => this.transaction.abort();
  };
}"""


def test_entries_made_offline_are_kept_and_stored_once_in_order_when_it_is_back(page: Page, service, game: str) -> None:
    page.context.set_offline(True)
    enter(page, "b-d")
    expect(page.locator("#connection")).to_contain_text("No connection")
    enter(page, "+c/h")
    outbox = page.get_by_role("list", name="Not stored yet").get_by_role("listitem")
    expect(outbox).to_contain_text(["b-d", "+c/h"])
    assert service.notations(game) == [DEAL]
    page.context.set_offline(False)
    wait_until_stored(page, 4)
    expect(outbox).to_have_count(0)
    expect(page.locator("#connection")).to_be_hidden()
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]


def test_an_entry_outlives_its_page_refusals_and_a_lost_answer_and_is_stored_once(
    page: Page, service, game: str
) -> None:
    page.route(SENT, lambda route: route.abort())
    enter(page, "b-d")
    expect(page.get_by_role("list", name="Not stored yet")).to_contain_text("b-d")
    page.unroute(SENT)
    page.reload()
    wait_until_stored(page, 3)
    assert service.notations(game) == [DEAL, "BARI-DUDA"]

    refusals = [
        {"type": "/problems/storage-full", "title": "The disk is full", "status": 507, "detail": "no room"},
        {"type": "/problems/quota-exceeded", "title": "Too many requests", "status": 429, "detail": "wait a second"},
    ]

    def refuse(route: Route) -> None:
        if refusals:
            body, later = refusals[0], {"Retry-After": "1"}
            route.fulfill(status=body["status"], headers=later, content_type="application/problem+json", json=body)
        else:
            route.fallback()

    page.route(SENT, refuse)
    enter(page, "d-e")
    waiting = page.get_by_role("list", name="Not stored yet")
    for why in ("no room", "wait a second"):
        expect(waiting).to_contain_text(f"not stored yet, tried again: {why}")
        refusals.pop(0)
    wait_until_stored(page, 4)
    page.unroute(SENT)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "DUDA-ELAI"]

    lost = []

    def lose(route: Route) -> None:
        if not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.fallback()

    page.route(SENT, lose)
    enter(page, "+")
    wait_until_stored(page, 5)
    expect(waiting.get_by_role("listitem")).to_have_count(0)
    assert lost == [201]
    assert service.notations(game) == [DEAL, "BARI-DUDA", "DUDA-ELAI", "+"]


def test_a_stale_entry_shows_what_was_missed_and_can_be_sent_again(page: Page, service, game: str) -> None:
    page.context.set_offline(True)
    enter(page, "d-e")
    service.record(game, "BARI-DUDA")
    page.context.set_offline(False)
    outbox = page.get_by_role("list", name="Not stored yet")
    expect(outbox).to_contain_text("somebody else has recorded meanwhile")
    expect(outbox).to_contain_text("3 · Anna: BARI-DUDA")
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    outbox.get_by_role("button", name="Record it after them").click()
    wait_until_stored(page, 4)
    expect(outbox.get_by_role("listitem")).to_have_count(0)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "DUDA-ELAI"]


def test_the_same_move_that_two_phones_entered_at_once_is_offered_to_be_dropped(page: Page, service, game: str) -> None:
    page.context.set_offline(True)
    enter(page, "b-d")
    enter(page, "+c")
    service.record(game, "BARI-DUDA")
    page.context.set_offline(False)
    outbox = page.get_by_role("list", name="Not stored yet")
    expect(outbox).to_contain_text("b-d is in the record already, as entry 3")
    expect(outbox.get_by_role("button", name="Record it once more")).to_be_visible()
    outbox.get_by_role("button", name="Discard it").first.click()
    wait_until_stored(page, 4)  # what follows upon it follows upon the other's
    expect(outbox.get_by_role("listitem")).to_have_count(0)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO"]


def test_a_move_that_others_recorded_once_more_is_shown_to_whoever_was_first(page: Page, service, game: str) -> None:
    enter(page, "+")
    wait_until_stored(page, 3)
    duplicates = page.locator("#duplicates")
    expect(duplicates).to_be_hidden()
    service.add(game, {"data": {"move": "black: +", "override": {"reason": "sent by another phone"}}})
    expect(duplicates).to_contain_text("stands twice: you recorded entry 3, and somebody else entry 4")
    duplicates.get_by_role("button", name="Take one back").click()
    page.get_by_role("dialog", name="Withdraw entry 4?").get_by_role("button", name="Withdraw", exact=True).click()
    wait_until_stored(page, 5)
    expect(duplicates).to_be_hidden()
    assert service.notations(game) == [DEAL, "+"]


def test_a_move_that_was_made_twice_on_one_phone_raises_no_question(visit: Callable[..., Page], service) -> None:
    game = service.open(ruleset="scoresheet", options={"template": "plain"}, seats=[{"name": "Aiko"}, {"name": "Ben"}])
    page = visit(f"/games/{game}")
    page.locator(".blanks details").first.wait_for(state="attached")
    for version in (2, 3):
        enter(page, "points 1 2")
        wait_until_stored(page, version)
    expect(page.locator("#duplicates")).to_be_hidden()
    service.record(game, "points 1 2")
    expect(page.locator("#duplicates")).to_contain_text("somebody else entry 4")
    page.get_by_role("button", name="Both happened").click()
    expect(page.locator("#duplicates")).to_be_hidden()


def test_an_entry_that_turns_out_wrong_later_is_mended_where_it_stands(page: Page, service, game: str) -> None:
    page.context.set_offline(True)
    enter(page, "b-d")
    enter(page, "+KAHU")
    enter(page, "a-h")
    page.context.set_offline(False)
    outbox = page.get_by_role("list", name="Not stored yet")
    expect(outbox.get_by_role("alert")).to_contain_text("Impossible move")
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    outbox.get_by_label("Move").fill("+COCO")
    outbox.get_by_role("button", name="Send again").first.click()
    wait_until_stored(page, 5)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO", "ALOA-HUNA"]


def test_a_refused_entry_can_stand_as_irregular_or_be_dropped(page: Page, service, game: str) -> None:
    page.context.set_offline(True)
    enter(page, "b-d (c)")
    enter(page, "+KAHU")
    page.context.set_offline(False)
    outbox = page.get_by_role("list", name="Not stored yet")
    outbox.get_by_label("Why it counts").fill("nobody noticed")
    outbox.get_by_role("button", name="Send again").first.click()
    expect(outbox.get_by_role("alert")).to_contain_text("Impossible move")
    outbox.get_by_role("button", name="Discard it").click()
    expect(outbox.get_by_role("listitem")).to_have_count(0)
    assert service.entries(game)[-1]["override"] == "nobody noticed"


def test_undo_takes_back_what_still_waits(page: Page, service, game: str) -> None:
    page.context.set_offline(True)
    enter(page, "b-d")
    enter(page, "+c")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Move in notation")).to_have_value("+c")
    expect(page.get_by_role("list", name="Not stored yet").get_by_role("listitem")).to_have_count(1)
    page.get_by_label("Move in notation").fill("+d")
    expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
    page.context.set_offline(False)
    wait_until_stored(page, 3)
    expect(page.locator("#preview")).to_contain_text("Anna took DUDA from the row")
    page.get_by_role("button", name="Record", exact=True).click()
    wait_until_stored(page, 4)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+DUDA"]


def test_an_entry_is_kept_before_the_screen_tells_of_it(page: Page, game: str) -> None:
    page.context.set_offline(True)
    page.get_by_label("Move in notation").fill("b-d")
    expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
    page.evaluate(SLOW_DISK)
    page.get_by_role("button", name="Record", exact=True).click()
    page.wait_for_function(f"async () => ({KEPT})().then((kept) => kept.includes('b-d'))")
    waiting = page.locator("#outbox li")
    assert waiting.count() == 0
    page.evaluate("release()")
    expect(waiting).to_have_count(1)


def test_what_an_earlier_release_kept_is_taken_over_and_stored_in_order(page: Page, service, game: str) -> None:
    page.context.set_offline(True)
    for index, move in enumerate(("b-d", "+c/h")):
        body = {"events": [{"id": str(uuid7()), "data": {"move": move}}]}
        key = str(uuid7())
        item = {"key": key, "path": f"/v1/games/{game}/events", "body": body, "base": 2 + index, "label": move}
        page.evaluate(
            "([name, item]) => localStorage.setItem(name, JSON.stringify(item))", [f"kifu:{game}:{key}", item]
        )
    page.context.set_offline(False)
    page.reload()
    wait_until_stored(page, 4)
    expect(page.locator("#outbox li")).to_have_count(0)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.length > 40)") == []


@pytest.mark.parametrize("fault", some(["FORBIDDEN", "FULL"], "FORBIDDEN"))
def test_where_nothing_can_be_kept_it_is_said_and_stored_all_the_same(
    page: Page, service, game: str, fault: str
) -> None:
    page.evaluate(globals()[fault])
    page.context.set_offline(True)
    enter(page, "b-d")
    enter(page, "+c/h")
    expect(page.locator("#connection")).to_contain_text("No connection. This browser keeps nothing")
    expect(page.locator("#outbox li")).to_contain_text(["b-d", "+c/h"])
    assert page.evaluate("!dispatchEvent(new Event('beforeunload', {cancelable: true}))")  # leaving is asked about
    page.context.set_offline(False)
    wait_until_stored(page, 4)
    page.wait_for_function("dispatchEvent(new Event('beforeunload', {cancelable: true}))")
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]


def test_what_could_not_be_kept_is_kept_once_there_is_room(page: Page, game: str) -> None:
    page.evaluate(FULL)
    page.context.set_offline(True)
    enter(page, "b-d")
    expect(page.locator("#connection")).to_contain_text("keeps nothing")
    page.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    enter(page, "+c/h")
    expect(page.locator("#connection")).not_to_contain_text("keeps nothing")
    assert page.evaluate(KEPT) == ["b-d", "+c/h"]


PATIENT = """(() => {
  const later = setTimeout;
  window.setTimeout = (work, ms, ...more) => later(work, ms === 15000 ? 600000 : ms, ...more);
})()"""
"""Lets a page wait for an answer however long it takes."""


@pytest.mark.parametrize("locks", [True, False])
def test_of_two_tabs_one_sends_at_a_time(page: Page, service, game: str, locks: bool) -> None:
    answered: list[str] = []
    page.context.on("response", lambda response: SENT.search(response.url) and answered.append(response.url))
    page.route(SENT, lambda route: route.abort())  # until the gate, which comes before it
    enter(page, "b-d")
    expect(page.locator("#outbox li")).to_contain_text("b-d")
    other = page.context.new_page()
    if not locks:
        page.evaluate("Object.defineProperty(navigator, 'locks', {value: undefined})")  # as over HTTP at the table
        other.add_init_script("Object.defineProperty(navigator, 'locks', {value: undefined})")
    page.evaluate(PATIENT)
    gate = Gate(page, SENT)
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_for(page, lambda: gate.waiting)
    other.goto(page.url)
    other.locator(".choice").first.wait_for()
    expect(other.locator("#stepper output")).to_have_text("2 / 2" if locks else "3 / 3")
    gate.open()
    for tab in (page, other):
        wait_until_stored(tab, 3)
        expect(tab.locator("#outbox li")).to_have_count(0)
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    wait_for(page, lambda: len(answered) >= (1 if locks else 2))
    assert len(answered) == (1 if locks else 2)


def test_a_game_opened_offline_is_opened_once_it_is_back(visit: Callable[..., Page], service) -> None:
    page = visit("/")
    choose_game(page, "Kahuna")
    page.get_by_label("Black").fill("Carla")
    page.get_by_label("Title").fill("On the train")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("list", name="Not sent yet")).to_contain_text("On the train")
    page.context.set_offline(False)
    page.wait_for_url("**/games/*")
    expect(page.locator("h1")).to_have_text("On the train")
    found = service.api.get("/v1/games?q=train").json()["games"]
    assert len(found) <= 1
