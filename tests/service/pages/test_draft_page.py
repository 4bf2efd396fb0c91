"""A game is opened and recorded where there is no network, and lands whole once there is one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.rulesets import RULESETS
from games.scoresheet.ready import READY
from tests import goldens
from tests.service.pages.steps import (
    DEAL,
    GAMES,
    NO_GAMES,
    choose_game,
    enter,
    refresh,
    wait_until_kept,
    wait_until_stored,
)
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

SOME = 4
"""How many moves of a recorded game are entered."""

OFFERED = "all => all.map((line) => [line.dataset.move, line.querySelectorAll('.blank').length])"
"""The lines that are offered, and how many values each has."""


def go_offline(device: Page) -> None:
    """Look at the list until opening a game is kept, and lose the network."""
    device.goto("/")
    wait_until_kept(device, "/draft", "/v1/rulesets/kahuna")
    device.context.set_offline(True)
    device.reload()


def open_game(device: Page, ruleset: str, *names: str, title: str = "In the tunnel", template: str = "") -> str:
    """Open a game by the form of the list; its id."""
    if not device.url.endswith("/"):
        device.goto("/")
    sheet = READY[template or "plain"]["name"]
    form = choose_game(device, sheet if ruleset == "scoresheet" else RULESETS[ruleset].title.en)
    least, most = RULESETS[ruleset].seats[0], RULESETS[ruleset].seats[-1]
    if least < most:
        expect(form.get_by_label("Seats")).to_have_attribute("max", str(most))
        form.get_by_label("Seats").fill(str(len(names)))
        form.get_by_label("Seats").blur()
    for seat, name in enumerate(names):
        form.locator(f"[data-seat='{seat}']").fill(name)
    form.get_by_label("Title").fill(title)
    form.get_by_role("button", name="Start the game").click()
    device.wait_for_url("**/draft#*")
    return device.url.partition("#")[2]


def waiting(device: Page, count: int) -> None:
    """Wait until so much waits to be sent, with the opening."""
    expect(device.locator("#outbox li")).to_have_count(count)


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_any_ruleset_is_opened_and_recorded_without_a_network(
    device: Page, service: Service, name: str
) -> None:
    ruleset = name.partition("/")[0]
    played = goldens.game(goldens.FOLDER / f"{name}.txt")
    moves = [entry.text for entry in played.entries][:SOME]
    seats = int(played.tags["Seats"])
    go_offline(device)
    template = "wizard" if ruleset == "scoresheet" else ""
    game = open_game(device, ruleset, *(f"Player {seat}" for seat in range(seats)), template=template)
    for index, move in enumerate(moves):
        if index == SOME // 2:
            waiting(device, index + 1)  # what the screen shows is kept: nothing else is
            device.reload()
        waiting(device, index + 1)
        enter(device, move)
    waiting(device, len(moves) + 1)
    assert service.api.get(f"/v1/games/{game}").status_code == 404
    device.context.set_offline(False)
    device.wait_for_url(f"**/games/{game}")
    wait_until_stored(device, len(moves) + 1)
    expect(device.locator("h1")).to_have_text("In the tunnel")
    assert len(service.entries(game)) == len(moves) + 1
    options = service.api.get(f"/v1/games/{game}").json()["options"]
    twin = service.open(ruleset=ruleset, options=options, seats=[{}] * seats)
    service.record(twin, *moves)
    assert service.notations(game) == service.notations(twin)


@pytest.mark.soak
@pytest.mark.parametrize(("template", "names"), [("wizard", 3), ("bridge", 4), ("plain", 2), ("catan", 4)])
def test_a_sheet_offers_the_lines_that_the_service_would_offer(
    device: Page, service: Service, template: str, names: int
) -> None:
    go_offline(device)
    game = open_game(device, "scoresheet", *(f"Player {seat}" for seat in range(names)), template=template)
    lines = device.locator(".blanks details")
    lines.first.wait_for(state="attached")
    offered = lines.evaluate_all(OFFERED)
    device.context.set_offline(False)
    device.wait_for_url(f"**/games/{game}")
    moves = service.api.get(f"/v1/games/{game}/moves").json()["moves"]
    assert offered == [[move["notation"], len(move["blanks"])] for move in moves if move.get("blanks")]


def test_what_is_typed_before_the_game_is_opened_stands_on_its_page(device: Page, service: Service) -> None:
    """The network comes back in the middle of a line, and the page of the draft becomes that of the game."""
    go_offline(device)
    game = open_game(device, "scoresheet", "Aiko", "Ben", "Chiara", template="uno")
    pad = device.locator("#keypad")
    for key in ("7", "Next player"):
        pad.get_by_role("button", name=key, exact=True).first.tap()
    device.context.set_offline(False)
    device.wait_for_url(f"**/games/{game}")
    expect(pad.locator(".cells .chip").first).to_contain_text("7")
    assert len(service.entries(game)) == 1, "it is typed, and not recorded"


def keep_rounds(device: Page) -> None:
    """Keep three rounds of a sheet of two by the keypad, and load the page anew in between."""
    pad = device.locator("#keypad")
    for number in range(1, 4):
        expect(pad.locator("summary")).to_contain_text(f"Round {number}, points")
        for key in ("5", "Next player", "3", "Enter the line"):
            pad.get_by_role("button", name=key, exact=True).first.tap()
        waiting(device, number + 1)
        if number == 2:
            device.reload()


@pytest.mark.soak  # `moments.mjs` lists and forgets them, and `payload.test.mjs` takes them elsewhere
def test_games_that_wait_are_listed_forgotten_after_a_question_taken_in_elsewhere_and_gone_on_with(
    device: Page, service: Service, visit: Callable[..., Page], tmp_path: Path
) -> None:
    seen = service.open()
    service.catch_up()
    go_offline(device)
    picture = device.locator(f"[data-game='{seen}'] .view")
    expect(picture).to_have_count(1)
    expect(picture).to_be_hidden()  # no picture is kept, and it leaves no empty room
    game = open_game(device, "kahuna", "Anna", "Ben", title="First")
    enter(device, DEAL)
    waiting(device, 2)
    sheet = open_game(device, "scoresheet", "Aiko", "Ben", title="Second", template="rounds")
    keep_rounds(device)
    forgotten = open_game(device, "kahuna", "Carla", "Dan")
    enter(device, "deal black")
    waiting(device, 2)
    device.goto("/")
    forget_after_a_question(device, left=2)
    listed = device.get_by_role("list", name="Not sent yet")
    expect(listed.get_by_role("listitem").filter(has_text="First")).to_contain_text("is back, with 1 entry")

    other = visit(NO_GAMES)
    take_in(other, save(device, tmp_path))
    until(lambda: service.version(game) == 2 and service.version(sheet) == 4)
    expect(other.locator("#outbox li")).to_have_count(0)
    assert service.notations(sheet) == ["r1 5 3", "r2 5 3", "r3 5 3"]

    link = listed.get_by_role("link", name="First")
    drawn = link.element_handle()
    with device.expect_event("requestfailed"):
        refresh(device)  # it is tried again, in vain
    device.wait_for_timeout(100)
    assert drawn.evaluate("link => link.isConnected"), "a tap meant for it goes amiss"
    link.click()
    enter(device, "b-d")
    waiting(device, 3)
    device.goto("/")
    expect(listed.get_by_role("listitem")).to_have_count(2)
    device.context.set_offline(False)
    until(lambda: service.version(game) == 3)
    expect(listed.get_by_role("listitem")).to_have_count(0)
    assert service.notations(game) == [DEAL, "BARI-DUDA"]
    assert service.version(sheet) == 4, "nothing is stored twice"
    assert service.version(forgotten) == 0
    device.goto("/draft#none")  # which leads on, as nothing waits there
    device.wait_for_url("**/games/none")
    go_offline(device)
    _a_link_leads_on_while_the_network_comes_back_and_what_is_refused_is_said_and_asked_about(device, service)


def forget_after_a_question(device: Page, left: int) -> None:
    """Forget a game that waits, at the second try; so many others stay."""
    dialog = device.get_by_role("dialog", name="Forget In the tunnel?")
    line = device.locator("#outbox li").filter(has_text="In the tunnel")
    for answer, stay in (("Leave it", left + 1), ("Forget it", left)):
        line.get_by_role("button", name="Forget it …").click()
        expect(dialog).to_contain_text("This removes 2 entries")
        dialog.get_by_role("button", name=answer).click()
        expect(dialog).to_be_hidden()
        waiting(device, stay)


def save(device: Page, folder: Path) -> Path:
    """Save what waits as a file."""
    with device.expect_download() as saved:
        device.get_by_role("button", name="Save it as a file").click()
    assert re.fullmatch(r"kifu-outbox-\d{4}-\d\d-\d\d\.json", saved.value.suggested_filename)
    saved.value.save_as(folder / "outbox.json")
    return folder / "outbox.json"


def take_in(page: Page, file: Path) -> None:
    """Import the file of what waits on another phone."""
    page.get_by_text("Import a game").click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#import .answer")).to_contain_text("It is imported")


def _a_link_leads_on_while_the_network_comes_back_and_what_is_refused_is_said_and_asked_about(
    device: Page, service: Service
) -> None:
    game = open_game(device, "kahuna", "Anna", "Ben")
    device.goto("/")
    device.evaluate("addEventListener('beforeunload', () => setTimeout(() => dispatchEvent(new Event('online'))))")
    device.get_by_role("list", name="Not sent yet").get_by_role("link", name="In the tunnel").click()
    for move in (DEAL, "a-z", "+c"):
        enter(device, move)
    waiting(device, 4)
    device.context.clear_cookies()
    device.context.set_offline(False)
    refused = device.locator("#outbox li.refused")
    expect(refused).to_contain_text("In the tunnel is not opened")
    expect(device.locator("#outbox")).to_contain_text(DEAL)
    device.context.add_cookies([service.log_in()])
    refused.get_by_role("button", name="Send again").click()
    device.wait_for_url(f"**/games/{game}")
    expect(device.locator("h1")).to_have_text("In the tunnel")
    outbox = device.locator("#outbox")
    expect(outbox.get_by_role("alert")).to_be_visible()
    assert service.notations(game) == [DEAL]
    outbox.get_by_label("Move").fill("b-d")
    outbox.get_by_role("button", name="Send again").first.click()
    wait_until_stored(device, 4)
    assert service.notations(game) == [DEAL, "BARI-DUDA", "+COCO"]
