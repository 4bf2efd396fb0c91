"""Nothing entered is lost or stored twice: not without a connection, nor when answers are lost or others record too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests.service.pages.steps import (
    DEAL,
    NO_GAMES,
    SENT,
    Gate,
    choose_game,
    enter,
    pause_between_taps,
    wait_for,
    wait_until_stored,
)

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


def test_entries_made_offline_are_stored_once_in_order_beside_those_of_others_or_are_taken_back(
    page: Page, service, game: str
) -> None:
    page.context.set_offline(True)
    enter(page, "b-d")
    expect(page.locator("#connection")).to_contain_text("No connection")
    enter(page, "+c/h")
    outbox = page.get_by_role("list", name="Not stored yet")
    waiting = outbox.get_by_role("listitem")
    expect(waiting).to_contain_text(["b-d", "+c/h"])
    assert service.notations(game) == [DEAL]
    page.context.set_offline(False)
    wait_until_stored(page, 4)
    expect(waiting).to_have_count(0)
    expect(page.locator("#connection")).to_be_hidden()
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]

    # a stale entry shows what was missed, and can be sent again
    page.context.set_offline(True)
    enter(page, "d-e")
    service.record(game, "ALOA-HUNA")
    page.context.set_offline(False)
    expect(outbox).to_contain_text("somebody else has recorded meanwhile")
    expect(outbox).to_contain_text("5 · Björn: ALOA-HUNA")
    assert service.notations(game)[3:] == ["ALOA-HUNA"]
    outbox.get_by_role("button", name="Record it after them").click()
    wait_until_stored(page, 6)
    expect(waiting).to_have_count(0)
    assert service.notations(game)[3:] == ["ALOA-HUNA", "DUDA-ELAI"]

    # the same move that two phones entered at once is offered to be dropped
    page.context.set_offline(True)
    enter(page, "c-f")
    enter(page, "+d/e")
    service.record(game, "COCO-FAAA")
    page.context.set_offline(False)
    expect(outbox).to_contain_text("c-f is in the record already, as entry 7")
    expect(outbox.get_by_role("button", name="Record it once more")).to_be_visible()
    outbox.get_by_role("button", name="Discard it").first.click()
    wait_until_stored(page, 8)  # what follows upon it follows upon the other's
    expect(waiting).to_have_count(0)
    assert service.notations(game)[5:] == ["COCO-FAAA", "+DUDA/ELAI"]

    # what still waits is taken back
    page.context.set_offline(True)
    enter(page, "a-b")
    enter(page, "+b/g")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Move in notation")).to_have_value("+b/g")
    expect(waiting).to_have_count(1)
    page.get_by_label("Move in notation").fill("+h/f")
    expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
    page.context.set_offline(False)
    wait_until_stored(page, 9)
    expect(page.locator("#preview")).to_contain_text("Anna took HUNA from the row")
    page.get_by_role("button", name="Record", exact=True).click()
    wait_until_stored(page, 10)
    assert service.notations(game)[7:] == ["ALOA-BARI", "+HUNA/FAAA"]


def test_what_waits_in_an_open_page_is_not_sent_as_that_of_somebody_who_logs_in_beside_it(
    page: Page, service, game: str
) -> None:
    person = str(uuid7())
    service.api.put(f"/v1/players/{person}", json={"name": "Ben"}).raise_for_status()
    service.api.put(f"/v1/roles/{person}", json={"role": "recorder"}).raise_for_status()
    token = service.api.post("/v1/tokens", json={"name": "Ben", "person": person}).json()["token"]
    owners = page.context.cookies()
    page.route(SENT, lambda route: route.abort())
    enter(page, "b-d")
    waiting = page.get_by_role("list", name="Not stored yet")
    expect(waiting).to_contain_text("b-d")

    page.context.clear_cookies()
    login = f"{page.url.partition('/games/')[0]}/login"
    assert page.request.post(login, form={"token": token}).ok
    page.unroute(SENT)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(waiting).to_contain_text("Log in and try again.")
    page.reload()
    expect(waiting).to_contain_text("b-d")
    assert service.notations(game) == [DEAL]

    page.context.clear_cookies()
    page.context.add_cookies(owners)
    page.reload()
    wait_until_stored(page, 3)
    assert service.notations(game) == [DEAL, "BARI-DUDA"]


def test_an_entry_outlives_its_page_refusals_and_a_lost_answer_and_is_stored_once_and_a_double_of_others_is_shown(
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
    page.unroute(SENT)
    _asks_about_doubles(page, service, game)


def _asks_about_doubles(page: Page, service, game: str) -> None:
    """See that a move that others recorded once more is shown to the person who was first, as entry 5."""
    duplicates = page.locator("#duplicates")
    expect(duplicates).to_be_hidden()
    service.add(game, {"data": {"move": "black: +", "override": {"reason": "sent by another phone"}}})
    expect(duplicates).to_contain_text("stands twice: you recorded entry 5, and somebody else entry 6")
    duplicates.get_by_role("button", name="Take one back").click()
    page.get_by_role("dialog", name="Withdraw entry 6?").get_by_role("button", name="Withdraw", exact=True).click()
    wait_until_stored(page, 7)
    expect(duplicates).to_be_hidden()
    assert service.notations(game)[-1:] == ["+"]
    enter(page, "+")
    wait_until_stored(page, 8)
    service.add(game, {"data": {"move": "white: +", "override": {"reason": "two cards"}}})
    expect(duplicates).to_contain_text("you recorded entry 8, and somebody else entry 9")
    duplicates.get_by_role("button", name="Both happened").click()
    expect(duplicates).to_be_hidden()


def test_what_was_refused_is_mended_stands_as_irregular_or_is_dropped_and_all_is_kept_before_it_is_shown(
    page: Page, service, game: str
) -> None:
    page.context.set_offline(True)
    for move in ("b-d", "+KAHU", "a-h"):
        enter(page, move)
    page.context.set_offline(False)
    outbox = page.get_by_role("list", name="Not stored yet")
    expect(outbox.get_by_role("alert")).to_contain_text("Impossible move")
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    outbox.get_by_label("Move").fill("+c/h")
    outbox.get_by_role("button", name="Send again").first.click()
    wait_until_stored(page, 5)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA", "ALOA-HUNA"]

    page.context.set_offline(True)
    enter(page, "d-e (c)")
    enter(page, "+KAHU")
    page.context.set_offline(False)
    outbox.get_by_label("Why it counts").fill("nobody noticed")
    pause_between_taps(page)  # the key has just appeared under the tap before
    outbox.get_by_role("button", name="Send again").first.click()
    expect(outbox.get_by_role("alert")).to_contain_text("Impossible move")
    outbox.get_by_role("button", name="Discard it").click()
    expect(outbox.get_by_role("listitem")).to_have_count(0)
    assert service.entries(game)[-1]["override"] == "nobody noticed"

    _is_kept_before_the_screen_tells_of_it(page, "e-f")
    page.context.set_offline(False)
    wait_until_stored(page, 7)
    _what_an_earlier_release_kept_is_taken_over(page, service, game, 7, "+b/g", "c-g")
    assert service.notations(game)[-3:] == ["ELAI-FAAA", "+BARI/GOLA", "COCO-GOLA"]


def _is_kept_before_the_screen_tells_of_it(page: Page, move: str) -> None:
    page.context.set_offline(True)
    page.get_by_label("Move in notation").fill(move)
    expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
    page.evaluate(SLOW_DISK)
    page.get_by_role("button", name="Record", exact=True).click()
    page.wait_for_function(f"async (move) => ({KEPT})().then((kept) => kept.includes(move))", arg=move)
    waiting = page.locator("#outbox li")
    assert waiting.count() == 0
    page.evaluate("release()")
    expect(waiting).to_have_count(1)


def _what_an_earlier_release_kept_is_taken_over(page: Page, service, game: str, version: int, *moves: str) -> None:
    page.context.set_offline(True)
    for base, move in enumerate(moves, version):
        body = {"events": [{"id": str(uuid7()), "data": {"move": move}}]}
        key = str(uuid7())
        item = {"key": key, "path": f"/v1/games/{game}/events", "body": body, "base": base, "label": move}
        page.evaluate(
            "([name, item]) => localStorage.setItem(name, JSON.stringify(item))", [f"kifu:{game}:{key}", item]
        )
    page.context.set_offline(False)
    page.reload()
    wait_until_stored(page, version + len(moves))
    expect(page.locator("#outbox li")).to_have_count(0)
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.length > 40)") == []


@pytest.mark.soak
@pytest.mark.parametrize("fault", ["FORBIDDEN", "FULL"])
def test_where_nothing_can_be_kept_it_is_said_and_stored_all_the_same(
    page: Page, service, game: str, fault: str
) -> None:
    page.evaluate(globals()[fault])
    page.context.set_offline(True)
    enter(page, "b-d")
    enter(page, "+c/h")
    expect(page.locator("#connection")).to_contain_text("No connection. This browser cannot keep entries")
    expect(page.locator("#outbox li")).to_contain_text(["b-d", "+c/h"])
    assert page.evaluate("!dispatchEvent(new Event('beforeunload', {cancelable: true}))")  # leaving is asked about
    page.context.set_offline(False)
    wait_until_stored(page, 4)
    page.wait_for_function("dispatchEvent(new Event('beforeunload', {cancelable: true}))")
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]


def test_what_cannot_be_kept_is_said_kept_once_there_is_room_and_stored_all_the_same(
    page: Page, service, game: str
) -> None:
    page.evaluate(FULL)
    page.context.set_offline(True)
    enter(page, "b-d")
    expect(page.locator("#connection")).to_contain_text("No connection. This browser cannot keep entries")
    assert page.evaluate("!dispatchEvent(new Event('beforeunload', {cancelable: true}))")  # leaving is asked about
    page.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    enter(page, "+c/h")
    expect(page.locator("#connection")).not_to_contain_text("keeps nothing")
    assert page.evaluate(KEPT) == ["b-d", "+c/h"]
    page.context.set_offline(False)
    wait_until_stored(page, 4)
    page.wait_for_function("dispatchEvent(new Event('beforeunload', {cancelable: true}))")
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO/HUNA"]


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


def test_a_game_opened_offline_is_opened_once_it_is_back_and_the_list_says_where_no_page_is_kept(
    visit: Callable[..., Page], service
) -> None:
    page = visit(NO_GAMES)
    expect(page.locator("#unkept")).to_be_hidden()
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
    plain = page.context.new_page()
    plain.add_init_script("delete Navigator.prototype.serviceWorker")  # as over HTTP at the table
    plain.goto(NO_GAMES)
    expect(plain.locator("#unkept")).to_contain_text("Over plain HTTP")
