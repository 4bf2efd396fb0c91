"""The start page: what is played, who plays, and off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from games.rulesets import RULESETS
from games.scoresheet.ready import READY
from tests.choosing import some
from tests.service.pages.steps import NO_GAMES, Finger, Gate, choose_game, pause_between_taps, wait_for

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


OPENED = {"kahuna", "scoresheet", "verraeter"}
"""Games of these rulesets are opened in `test_recording_page`, below, and in `test_components_page`."""


def test_every_ruleset_opens_a_game_and_a_name_at_two_seats_is_asked_about_once(visit: Callable[..., Page]) -> None:
    for name in RULESETS.keys() - OPENED:
        page = visit(NO_GAMES)
        form = choose_game(page, titled(name))
        form.get_by_label("Title").fill(f"The first of {name}")
        for seat, called in enumerate(("Lisa", "ｌｉｓａ")):
            form.locator(f"[data-seat='{seat}']").fill(called)
        form.get_by_role("button", name="Start the game").click()
        expect(form.get_by_text("ｌｉｓａ sits at two seats.")).to_be_visible()
        form.get_by_role("button", name="Start the game").click()
        expect(page.get_by_role("heading", name=f"The first of {name}")).to_be_visible()


FOUND = (
    ("ウノ", "UNO"),
    ("ｕｎｏ", "UNO"),
    ("カタン", "Catan"),
    ("アズール", "Azul"),
    ("kahuna", "Kahuna"),
    ("kniffel", "Yahtzee"),
)


ASKED = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/v1/rulesets/')).length"
"""How often a page asked for what opens a game."""


def test_a_game_is_found_by_any_name_and_one_without_a_sheet_is_scored_in_plain_points(
    visit: Callable[..., Page],
) -> None:
    page = visit(NO_GAMES)
    found(page).first.wait_for()
    page.wait_for_function("document.readyState === 'complete'")
    told = page.locator("#opening .what [role=status]")
    page.route("**/v1/playable*", lambda route: route.abort())
    search(page).fill("azul")
    expect(told).to_contain_text("No connection")
    page.unroute("**/v1/playable*")
    for typed, expected in FOUND:
        search(page).fill(typed)
        expect(found(page).first).to_have_text(expected)
    assert page.evaluate(ASKED) == 0
    search(page).press("Enter")
    expect(page.locator("#opening .game-name b")).to_have_text(FOUND[-1][1])
    expect(page.locator("#opening [data-seat]").first).to_be_visible()
    assert page.evaluate(ASKED) == 1
    page.get_by_role("button", name="Another game").click()
    _a_list_that_is_found_anew_under_a_finger_loses_no_tap_and_the_last_game_chosen_is_asked_about(page)
    page.get_by_role("button", name="Another game").click()
    search(page).fill("Mensch ärgere dich nicht")
    expect(told).to_contain_text("No game goes by that name.")
    found(page).get_by_text("Plain points").click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("heading", name="Mensch ärgere dich nicht")).to_be_visible()


def _a_list_that_is_found_anew_under_a_finger_loses_no_tap_and_the_last_game_chosen_is_asked_about(page: Page) -> None:
    offered = found(page).first
    late = Gate(page, "**/v1/playable?*")
    with page.expect_request("**/v1/playable?*"):
        search(page).fill(offered.inner_text())
    offered.hover()
    page.mouse.down()
    with page.expect_response("**/v1/playable?*"):
        late.open()
    page.mouse.up()
    expect(page.locator("#opening [data-seat]").first).to_be_visible()
    page.get_by_role("button", name="Another game").click()
    late = Gate(page, "**/v1/rulesets/manapani")
    search(page).fill(titled("manapani"))
    found(page).get_by_text(titled("manapani"), exact=True).click()
    choose_game(page, titled("verraeter"))
    with page.expect_response("**/v1/rulesets/manapani"):
        late.open()
    page.wait_for_timeout(300)
    expect(page.locator("#opening [data-option]")).to_have_count(len(RULESETS["verraeter"].options))
    expect(page.locator("#opening .game-name b")).to_have_text(titled("verraeter"))


def test_the_first_number_is_stored_in_few_taps(visit: Callable[..., Page], service: Service) -> None:
    played_by(service, "Lisa", "Tom", "Mia")
    page, taps = visit(NO_GAMES), 0
    finger = Finger(page)

    def tap(target: Locator) -> None:
        nonlocal taps
        finger.tap(target)
        taps += 1

    tap(found(page).get_by_text("UNO", exact=True))
    people = page.locator("#opening .known")
    for name in ("Mia", "Lisa", "Tom"):
        tap(people.locator(f"[data-person='{name}']"))
    tap(page.get_by_role("button", name="Start the game"))
    page.wait_for_url("**/games/*")
    tap(page.locator("#keypad").get_by_role("button", name="5", exact=True))
    tap(page.locator("#keypad .next"))
    game = page.url.rpartition("/")[2]
    expect(page.locator(".scoreboard li").first).to_contain_text("Mia")
    assert taps <= FIRST_NUMBER
    expect(page.locator("#keypad .next")).to_be_visible()
    seats = service.api.get(f"/v1/games/{game}").json()["seats"]
    assert [seat["name"] for seat in seats] == ["Mia", "Lisa", "Tom"]


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


def test_the_same_people_play_again_in_two_taps_and_stand_up_in_one(
    visit: Callable[..., Page], service: Service
) -> None:
    played_by(service, "Lisa", "Tom", "Mia")
    page = visit(NO_GAMES)
    found(page).get_by_text("UNO", exact=True).tap()
    start = page.get_by_role("button", name="Start as last time")
    expect(start).to_be_visible()
    page.locator("#opening [data-people]").tap()
    seats = page.locator("#opening [data-seat]")
    wait_for(page, lambda: [seat.input_value() for seat in seats.all()] == ["Lisa", "Tom", "Mia"])
    page.locator("#opening [data-person='Tom']").tap()
    expect(seats).to_have_count(2)
    expect(page.locator("#opening [data-person='Tom']")).to_have_attribute("aria-pressed", "false")
    assert [seat.input_value() for seat in seats.all()] == ["Lisa", "Mia"]
    start.tap()
    page.wait_for_url("**/games/*")
    game = service.api.get(f"/v1/games/{page.url.rpartition('/')[2]}").json()
    assert [seat["name"] for seat in game["seats"]] == ["Lisa", "Tom", "Mia"]


@pytest.mark.parametrize(
    "ruleset", some(sorted(name for name, each in RULESETS.items() if len(each.seats) > 1), "scoresheet")
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


def test_house_rules_and_expansions_of_a_sheet_are_ticked_and_of_its_maps_one_stays(visit: Callable[..., Page]) -> None:
    form = choose_game(visit(NO_GAMES), READY["ticket_to_ride"]["name"])
    form.get_by_label("Nordic Countries").check()
    form.get_by_label("India").check()
    expect(form.get_by_label("Nordic Countries")).not_to_be_checked()
    expect(form.get_by_label("India")).to_be_checked()
    form.get_by_role("button", name="Another game").click()
    choose_game(form.page, READY["seven_wonders"]["name"])
    form.get_by_label("Leaders").check()
    form.get_by_label("Cities").check()
    form.get_by_role("button", name="Start the game").click()
    expect(form.page.locator("#board")).to_contain_text("leaders (white)")
    expect(form.page.locator("#board")).not_to_contain_text("naval conflicts")


def test_where_there_are_fewer_seats_than_people_of_last_time_it_is_asked_who_sits_out(
    visit: Callable[..., Page], service: Service
) -> None:
    seats = [{"name": name} for name in ("Ottilie", "Pia", "Quentin", "Rosa")]
    service.open(ruleset="scoresheet", options={"template": "uno"}, seats=seats)
    service.catch_up()
    page = visit(NO_GAMES)
    form = choose_game(page, "Kahuna")
    expect(form.get_by_role("button", name="Start as last time")).to_be_hidden()
    form.get_by_role("button", name="As last time: Ottilie, Pia, Quentin, Rosa").tap()
    asked = form.get_by_role("group", name="Who sits out?")
    expect(form.locator(".answer")).to_contain_text("There are 2 seats. Who sits out?")
    pause_between_taps(page)
    asked.get_by_role("button", name="Pia").tap()
    expect(asked.get_by_role("button")).to_have_text(["Ottilie", "Quentin", "Rosa"])
    pause_between_taps(page)
    asked.get_by_role("button", name="Rosa").tap()
    expect(asked).to_have_count(0)
    seated = form.locator("[data-seat]")
    wait_for(page, lambda: [seat.input_value() for seat in seated.all()] == ["Ottilie", "Quentin"])
    pause_between_taps(page)
    form.locator("[data-person='Pia']").tap()
    expect(asked.get_by_role("button")).to_have_text(["Ottilie", "Quentin", "Pia"])


def test_a_club_fills_in_its_house_rules_and_offers_its_members_first(
    visit: Callable[..., Page], service: Service
) -> None:
    club = str(uuid7())
    service.api.post("/v1/clubs", json={"id": club, "name": "Island Club"}).raise_for_status()
    rules = {"ruleset": "kahuna", "options": {"seafarer": True, "scoring": "opodopo"}, "text": "No tea on the map."}
    for type_, data in (("club.member_joined", {"name": "Zoe"}), ("club.rules_set", rules)):
        body = {"id": str(uuid7()), "type": type_, "data": data}
        service.api.post(f"/v1/clubs/{club}/entries", json=body).raise_for_status()
    played_by(service, "Lisa", "Tom")
    form = choose_game(visit(f"/?club={club}#opening"), "Kahuna")
    page, field, people = form.page, form.locator("[name=club]"), form.locator("[data-person]")
    seafarer, scoring = form.locator("[data-option=seafarer]"), form.locator("[data-option=scoring]")
    expect(people.first).to_have_text("Zoe")
    expect(field).to_have_value(club)
    expect(seafarer).to_be_checked()
    expect(scoring).to_have_value('"opodopo"')
    expect(form.locator(".house")).to_have_text("House rules No tea on the map.")
    field.select_option("")
    expect(form.locator("[data-person=Zoe]")).to_have_count(0)
    expect(seafarer).not_to_be_checked()
    expect(form.locator(".house")).to_be_empty()
    field.select_option(club)
    expect(people.first).to_have_text("Zoe")
    people.first.click()
    scoring.select_option('"standard"')
    form.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/games/*")
    game = page.url.rpartition("/")[2]
    assert service.api.get(f"/v1/clubs/{club}").json()["games"] == [game]
    opened = service.api.get(f"/v1/games/{game}").json()
    assert (opened["options"]["seafarer"], opened["options"]["scoring"]) == (True, "standard")
    assert opened["seats"][0]["name"] == "Zoe"
