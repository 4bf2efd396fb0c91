"""The start page: what is played, who plays, and off. `opening.mjs` has what needs no screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from games.rulesets import RULESETS
from games.scoresheet.ready import READY
from tests.choosing import soak_except
from tests.service.pages.steps import NO_GAMES, Finger, Gate, choose_game, pause_between_taps

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

FIRST_NUMBER = 8
"""Taps from the list to the first number that is stored, with three people who are known, at the most."""


def titled(ruleset: str) -> str:
    return READY["plain"]["name"] if ruleset == "scoresheet" else RULESETS[ruleset].title.en


def search(page: Page) -> Locator:
    return page.locator("#opening").get_by_role("searchbox")


def found(page: Page) -> Locator:
    return page.locator("#opening .playable button")


def know_nobody(page: Page) -> None:
    """Let the form offer no people, as where no game with names was played."""
    page.locator("#opening .known").evaluate(
        "it => it.querySelectorAll('[data-person]').forEach(chip => chip.remove())"
    )


def played_by(service: Service, *names: str, template: str = "uno") -> str:
    """A game on a sheet that has just been opened."""
    body = {
        "id": str(uuid7()),
        "ruleset": "scoresheet",
        "options": {"template": template},
        "seats": [{"name": name} for name in names],
    }
    service.api.post("/v1/games", json=body).raise_for_status()
    service.catch_up()
    return body["id"]


def _a_list_that_is_found_anew_under_a_finger_loses_no_tap(page: Page) -> None:
    offered = found(page).first
    offered.wait_for()
    late = Gate(page, "**/v1/playable?*")
    with page.expect_request("**/v1/playable?*"):
        search(page).fill(offered.inner_text())
    offered.hover()
    page.mouse.down()
    with page.expect_response("**/v1/playable?*"):
        late.open()
    page.mouse.up()
    expect(page.locator("#opening [data-seat]").first).to_be_visible()


@pytest.mark.soak  # `redrawn.test.mjs` keeps the tap, and the next journey counts taps
def test_a_list_that_is_found_anew_loses_no_tap_and_the_first_number_is_stored_in_few_taps(
    visit: Callable[..., Page], service: Service
) -> None:
    played_by(service, "Lisa", "Tom", "Mia")
    page, taps = visit(NO_GAMES), 0
    _a_list_that_is_found_anew_under_a_finger_loses_no_tap(page)
    page.get_by_role("button", name="Another game").click()
    search(page).fill("UNO")
    finger = Finger(page)

    def tap(target: Locator) -> None:
        nonlocal taps
        finger.tap(target)
        taps += 1

    tap(found(page).get_by_text("UNO", exact=True))
    people = page.locator("#opening .known")
    for name in ("Mia", "Lisa", "Tom"):
        tap(people.locator(f"[data-person='{name}']"))
    start = page.get_by_role("button", name="Start the game")
    expect(start).to_be_in_viewport(ratio=1)
    tap(start)
    page.wait_for_url("**/games/*")
    tap(page.locator("#keypad").get_by_role("button", name="5", exact=True))
    tap(page.locator("#keypad .next"))
    game = page.url.rpartition("/")[2]
    expect(page.locator(".scoreboard li").first).to_contain_text("Mia")
    assert taps <= FIRST_NUMBER
    expect(page.locator("#keypad .next")).to_be_visible()
    seats = service.api.get(f"/v1/games/{game}").json()["seats"]
    assert [seat["name"] for seat in seats] == ["Mia", "Lisa", "Tom"]


FAMILY = ("Ada", "Bo", "Cleo", "Dai", "Eva", "Finn", "Gil")
BESIDES_PEOPLE = 4
"""Taps from the list to the first number beside one for each person: the game, the start, the number, and *Next*."""


@pytest.mark.soak  # the first number of three people is stored in as many taps
@pytest.mark.parametrize("count", [4, 5, 6, 7])
def test_each_known_person_more_takes_one_tap_more_and_the_start_stays_in_sight(
    visit: Callable[..., Page], service: Service, count: int
) -> None:
    played_by(service, *FAMILY, template="skyjo")
    played_by(service, *(name * 9 for name in FAMILY[:4]), template="azul")
    page = visit(NO_GAMES)
    finger = Finger(page)
    finger.tap(found(page).get_by_text("Skyjo", exact=True))
    people = page.locator("#opening .known")
    for name in FAMILY[:count]:
        finger.tap(people.locator(f"[data-person='{name}']"))
    start = page.get_by_role("button", name="Start the game")
    expect(start).to_be_in_viewport(ratio=1)
    expect(people.locator(f"[data-person='{FAMILY[0]}']")).to_be_in_viewport()
    finger.tap(start)
    page.wait_for_url("**/games/*")
    finger.tap(page.locator("#keypad").get_by_role("button", name="5", exact=True))
    finger.tap(page.locator("#keypad .next"))
    expect(page.locator("#keypad .chip b").first).to_have_text("5")
    assert finger.taps == count + BESIDES_PEOPLE


TAP, LETTER = 1.2, 0.3
"""Seconds that somebody takes for a tap, and for a letter of a name."""
NEW_HERE = 60
"""Seconds of taps and letters up to a whole first round, at the most: the pages have as long for themselves."""


def test_somebody_new_here_enters_a_whole_round_of_a_first_game_within_two_minutes(
    visit: Callable[..., Page], service: Service
) -> None:
    page, taps, names = visit(NO_GAMES), 0, ("Aiko", "Jonas", "Chiara")
    know_nobody(page)
    page.set_viewport_size({"width": 360, "height": 740})
    finger = Finger(page)

    def tap(target: Locator) -> None:
        nonlocal taps
        finger.tap(target)
        taps += 1

    tap(search(page))
    page.keyboard.type("sky")
    tap(found(page).get_by_text("Skyjo", exact=True))
    seats = page.locator("#opening [data-seat]")
    for number, name in enumerate(names):
        tap(seats.nth(number))
        page.keyboard.type(name)
    tap(page.get_by_role("button", name="Start the game"))
    page.wait_for_url("**/games/*")
    for key in ("7", "next", "0", "next", "3", "next"):
        shown = (
            page.locator("#keypad .next")
            if key == "next"
            else page.locator("#keypad .pad").get_by_text(key, exact=True)
        )
        tap(shown)
    expect(page.locator("#scoreboard .points")).to_have_text(["7", "0", "3"])
    spent = taps * TAP + len("sky" + "".join(names)) * LETTER
    assert spent <= NEW_HERE
    game = service.api.get(f"/v1/games/{page.url.rpartition('/')[2]}").json()
    assert [seat["name"] for seat in game["seats"]] == list(names)


@pytest.mark.parametrize(
    "ruleset", soak_except(sorted(name for name, each in RULESETS.items() if len(each.seats) > 1), "scoresheet")
)
def test_enter_goes_on_after_a_name_and_names_that_are_typed_after_the_number_of_seats_stay(
    visit: Callable[..., Page], ruleset: str
) -> None:
    page = visit(NO_GAMES)
    _enter_after_a_name_goes_on_to_the_next_seat_and_starts_no_game(page)
    page.get_by_role("button", name="Another game").click()
    form = choose_game(page, titled(ruleset))
    least, most = RULESETS[ruleset].seats[0], RULESETS[ruleset].seats[-1]
    keyboard = form.page.keyboard
    form.get_by_label("Seats").click()
    keyboard.press("ControlOrMeta+a")
    keyboard.type(str(most))
    first = form.locator("[data-seat='0']")
    pause_between_taps(form.page)
    first.click(trial=True)  # the page has come to rest
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


def _enter_after_a_name_goes_on_to_the_next_seat_and_starts_no_game(page: Page) -> None:
    know_nobody(page)
    form = choose_game(page, "UNO")
    seats, free = form.locator("[data-seat]"), form.locator("[data-free]")
    expect(free).to_have_count(3)
    seats.first.click()
    page.keyboard.type("Aiko")
    page.keyboard.press("Enter")
    expect(seats.nth(1)).to_be_focused()
    form.get_by_role("button", name="One more player").click()
    expect(seats.nth(1)).to_be_focused()
    expect(free).to_have_count(2)
    seats.nth(3).fill("Ben")
    expect(free).to_have_count(0)
    page.keyboard.press("Enter")
    expect(form.get_by_role("button", name="One more player")).to_be_focused()
    page.keyboard.press("Enter")
    expect(seats.nth(4)).to_be_focused()
    assert form.get_by_label("Seats").input_value() == "5"
    seats.nth(3).fill("")
    form.get_by_label("Seats").fill("20")
    expect(form.get_by_role("button", name="One more player")).to_be_hidden()
    seats.last.press("Enter")
    expect(form.get_by_role("button", name="Start the game")).to_be_focused()
    assert [seat.input_value() for seat in seats.all()][:2] == ["Aiko", ""]
    seats.first.fill("")
