"""Every page fits a phone, a thumb, a magnified screen and a keyboard, and nothing that people typed can run in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, expect
from uuid_utils import uuid7

from service import cli
from tests import tiers
from tests.choosing import soak_except
from tests.service.access.test_apps import asked
from tests.service.pages.conftest import PHONE
from tests.service.pages.looks import (
    AXE,
    HOSTILE,
    LONG,
    WIDTHS,
    assert_contrast,
    assert_text_fits,
    assert_usable,
    examine,
    low_contrast_texts,
    unfold,
)
from tests.service.pages.steps import (
    about_entry,
    about_game,
    choose_game,
    fill_access,
    show_all_tabs,
    wait_until_stored,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser


@pytest.fixture
def hostile(service: Service) -> str:
    """A game in which every text that people can enter tries to run, and is long."""
    game = service.open(HOSTILE, LONG, title=HOSTILE + LONG[:90], place=HOSTILE)
    service.record(game, "deal black BARI COCO DUDA", "BARI-DUDA", "+COCO/ELAI")
    service.add(game, {"type": "note.added", "data": {"text": HOSTILE + LONG, "entry": 2}})
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 5, "reason": HOSTILE}})
    service.add(game, {"data": {"move": "black: ALOA-BARI", "override": {"reason": HOSTILE}}})
    service.add(game, {"type": "score.claimed", "data": {"scores": [3, 1]}})
    service.catch_up()
    return game


def test_access_and_its_dialogs_fit_every_screen_run_nothing_and_pass(
    visit: Callable[..., Page], service: Service
) -> None:
    name = HOSTILE[:80] + LONG[:20]
    game = fill_access(service, name)
    page = visit("/access")
    expect(page.locator("#people").get_by_text(name).first).to_be_visible()
    expect(page.locator("#links").get_by_text(name).first).to_be_visible()
    assert_usable(page)
    page.set_viewport_size(PHONE)
    assert examine(page) == []
    for opened in ("Invite somebody", "Make a token", "More …: "):
        page.get_by_role("button", name=opened).first.click()
        page.locator("dialog[open]").wait_for()
        unfold(page)
        assert_usable(page, (320, 1280))
        assert examine(page, also_dark=False) == []
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Show: ").last.click()
    expect(page.locator("dialog[open] img.qr")).to_be_visible()
    assert_usable(page, (320, 1280))
    assert examine(page) == []
    page = visit(f"/games/{game}")
    page.get_by_role("tab", name="About").click()
    expect(page.locator("#sharing .list").last).to_contain_text(name)
    assert_usable(page)
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="Revoke: ").first.wait_for()
    assert examine(page) == []
    if tiers.SOAK:
        page.get_by_role("button", name="Make a share link").click()
        page.locator("dialog[open]").wait_for()
        assert examine(page) == []


@pytest.mark.parametrize("owner", soak_except([True, False], True))
def test_a_game_without_its_ruleset_fits_every_screen_and_passes(
    visit: Callable[..., Page], unreadable_game: str, owner: bool
) -> None:
    page = visit(f"/games/{unreadable_game}", owner=owner)
    expect(page.get_by_role("main")).to_contain_text("not readable here")
    assert_usable(page)
    assert examine(page) == []


def test_programs_and_apps_that_ask_to_be_let_in_fit_every_screen_and_run_nothing(
    visit: Callable[..., Page], service: Service, hostile: str
) -> None:
    address = f"https://{'a' * 60}.example/{LONG.replace('ä', 'a')}"
    named = ({"client_id": HOSTILE + LONG[:90]}, {"client_id": address, "redirect_uri": address})
    for more in named if tiers.SOAK else named[:1]:
        page = visit(f"/authorize?{urlencode(asked(state=HOSTILE, scope='games:read admin') | more)}")
        page.get_by_role("radio", name="Only these").check()
        expect(page.get_by_role("checkbox", name=HOSTILE).first).to_be_visible()
        assert_usable(page)
    assert examine(page) == []
    page = visit(f"/authorize?{urlencode(asked(scope='games:read admin'))}", owner=False)
    expect(page.get_by_role("main")).to_contain_text("It leads you back to score.example")
    name = HOSTILE + LONG[:90]
    code = service.api.post("/v1/oauth/device_authorization", data={"client_id": name, "scope": "admin"}).json()
    page = visit(f"/device?user_code={code['user_code']}")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("main").get_by_text(name)).to_be_visible()
    page.get_by_role("button", name="Approve").wait_for()
    assert_usable(page)
    assert examine(page) == []


def test_the_list_and_the_form_of_a_game_fit_every_screen_run_nothing_and_pass(
    visit: Callable[..., Page], hostile: str
) -> None:
    page = visit("/")
    _its_head_is_one_line(page)
    expect(page.locator(f"a[href='/games/{hostile}']")).to_have_text(HOSTILE + LONG[:90])
    for summary in filter(Locator.is_visible, page.locator("summary").all()):
        summary.click()
    assert_usable(page)
    for chosen in ("Kahuna", "UNO"):
        if chosen == "UNO":
            page.get_by_role("button", name="Another game").click()
        choose_game(page, chosen)
        assert_usable(page)
        page.set_viewport_size({"width": 360, "height": 740})
        assert examine(page) == [], chosen
    assert_text_fits(page)


def test_the_editor_of_sheets_fits_every_screen_runs_nothing_and_stands_out_from_its_ground(
    visit: Callable[..., Page],
) -> None:
    page = visit("/rulesets/scoresheet/template")
    for summary in filter(Locator.is_visible, page.locator("summary").all()):
        summary.click()
    assert_usable(page)
    page.set_viewport_size(PHONE)
    assert examine(page) == []
    for typed in ("Whatever", ""):
        page.get_by_label("Name of the sheet").fill(typed)
    expect(page.locator(".error-slot:not(:empty)")).to_have_count(1)
    assert_contrast(page)
    page.get_by_label("Name of the sheet").fill("Whatever")
    expect(page.locator(".verdict")).to_have_text("Everything fits.")
    assert_contrast(page)
    page.get_by_label("Name of a game").fill("Wizard")
    page.get_by_role("button", name="Take as a start: Wizard").click()
    expect(page.get_by_label("Name of the sheet")).to_have_value("Wizard")
    page.get_by_label("They play").select_option("in teams")
    for summary in filter(Locator.is_visible, page.locator("summary").all()):
        summary.click()
    page.get_by_role("button", name="Add a word").first.click()
    page.get_by_role("button", name="Add a range").first.click()
    for label in ("Formula", "Name", "Team 1", "Under the name"):
        page.get_by_label(label, exact=True).first.fill(HOSTILE + LONG[:20])
        expect(page.locator(".error-slot:not(:empty)")).to_have_count(1)
        assert_usable(page, WIDTHS if tiers.SOAK else WIDTHS[:1])


@pytest.mark.parametrize("template", soak_except(["rounds", "win_loss_draw", "bridge"], "rounds"))
def test_the_keypad_of_a_sheet_fits_every_screen_and_runs_nothing(
    visit: Callable[..., Page], service: Service, template: str
) -> None:
    seats = [{"name": name} for name in (HOSTILE, LONG, "Aiko", "Ben")]
    page = visit(f"/games/{service.open(ruleset='scoresheet', options={'template': template}, seats=seats)}")
    page.locator("#keypad .chip").first.wait_for()
    assert_usable(page)
    page.set_viewport_size({"width": 360, "height": 740})
    if template == "rounds":
        assert examine(page) == []
    if template != "win_loss_draw":
        page.get_by_role("button", name="Choose the quick keys").click()
        expect(page.get_by_label("Numbers, with spaces between them")).to_be_visible()
        assert_usable(page, (320, 1280))


def test_a_game_and_its_scoreboard_fit_every_screen_in_all_parts_run_nothing_and_pass(
    visit: Callable[..., Page], hostile: str
) -> None:
    page = visit(f"/games/{hostile}")
    wait_until_stored(page, 8)
    expect(page.locator("#record [data-version='2'] .notes")).to_have_count(0)
    expect(page.locator("#record [data-version='5']")).to_contain_text(HOSTILE)
    expect(page.locator("#record [data-version='7'] .flags")).to_contain_text(HOSTILE)
    expect(page.locator("#scoreboard bdi").first).to_have_text(HOSTILE)
    for summary in page.locator("summary:visible").all():
        summary.click()
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert_usable(page, (320,))
    show_all_tabs(page)
    assert_usable(page)
    page.get_by_label("Move in notation").fill(HOSTILE)
    expect(page.get_by_role("alert")).to_contain_text("<script>alert(2)</script>")
    assert_usable(page, (320,))
    page.get_by_label("Move in notation").fill("b-c (d)")
    expect(page.get_by_label("why does it count")).to_be_visible()
    assert_usable(page, (320,))
    expect(page.locator("#claims")).to_contain_text("It differs")
    page.set_viewport_size({"width": 360, "height": 740})
    assert examine(page) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("dialog")).to_contain_text("The score")
    assert_usable(page, (320,))
    assert examine(page) == []
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="More …", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert examine(page) == []
    page = visit(f"/games/{hostile}/scoreboard")
    expect(page.locator("#scoreboard bdi").first).to_have_text(HOSTILE)
    expect(page.locator("#last")).not_to_be_empty()
    assert_usable(page, (*WIDTHS, 1920))
    assert low_contrast_texts(page, "light") == []


SAMPLES = {path.stem: path for path in (Path(cli.__file__).parent / "samples").glob("*.txt")}
LEGIBLE = 300
"""Pixels across which a board has to be drawn to be read."""


@pytest.mark.soak  # `test_every_page` measures the last moment, and `test_one_screen_page` others on a phone
@pytest.mark.parametrize("sample", sorted(SAMPLES))
def test_a_game_of_every_ruleset_fits_every_screen_at_every_moment(
    visit: Callable[..., Page], service: Service, sample: str
) -> None:
    game = service.import_text(SAMPLES[sample].read_text(encoding="utf-8"))
    page = visit(f"/games/{game}")
    last = len(service.entries(game))
    wait_until_stored(page, last)
    show_all_tabs(page)
    for entry in (last, last // 2, 2):
        page.evaluate("entry => { location.hash = entry }", entry)
        expect(page.locator("#audit")).to_contain_text(f"After entry {entry}:")
        expect(page.locator("#state dt").first).to_be_visible()
        assert_usable(page, (320, 1280))
        assert page.locator("#board svg").evaluate("svg => svg.getBoundingClientRect().width") >= LEGIBLE


def dialogs(page: Page) -> Iterator[Locator]:
    """Every dialog that a game's page asks in, opened one after the other, each with all that it can hold."""
    for action in ("Withdraw", "Replace", "Insert after it", "Add details", "Bookmark this moment", "What if …"):
        yield about_entry(page, 3, action)
    ruling = about_game(page, "Give a ruling")
    for kind in ("points", "adjudge", "option", "bridge", "card"):
        ruling.get_by_label("What it changes").select_option(kind)
    yield ruling
    claim = about_game(page, "What does your paper say?")
    claim.get_by_role("button", name="Add a line of it").click()
    yield claim
    for action in ("Change the player of a seat", "Abandon the game"):
        yield about_game(page, action)


def test_every_dialog_fits_every_screen_and_thumb_and_runs_nothing(visit: Callable[..., Page], hostile: str) -> None:
    page = visit(f"/games/{hostile}")
    wait_until_stored(page, 8)
    for dialog in dialogs(page):
        expect(dialog).to_be_visible()
        assert_usable(page, WIDTHS if tiers.SOAK else WIDTHS[:1])
        inside = dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
        assert inside, dialog.text_content()
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="More about entry 3", exact=True).click()
    assert_usable(page, (320, 1280))


def test_a_game_can_be_gone_through_with_the_keyboard_alone_and_its_text_stands_out_from_its_ground(
    visit: Callable[..., Page], hostile: str
) -> None:
    page = visit(f"/games/{hostile}")
    wait_until_stored(page, 8)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_role("tab", name="History").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Score")).to_be_focused()
    expect(page.locator("#score")).to_be_visible()
    wait_until_stored(page, 8)
    page.locator("#score .rule-id").or_(page.locator("#moment .rule-id")).first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.get_by_role("tab", name="History").click()
    assert_contrast(page)
    about_entry(page, 2, "Withdraw")
    expect(page.locator(".conflict").first).to_be_visible()
    assert_contrast(page)
    page.get_by_role("button", name="Withdraw all").click()
    expect(page.locator(".conflicts.settled")).to_be_visible()
    assert_contrast(page)


HIGH = """() => {
  const links = [...document.querySelectorAll(".top nav :is(a, button)")];
  const sizes = links.map((link) => parseFloat(getComputedStyle(link).fontSize));
  for (const [at, link] of links.entries()) link.style.fontSize = `${1.1 * sizes[at]}px`;
  const height = document.querySelector(".top").offsetHeight;
  for (const link of links) link.style.fontSize = "";
  return height;
}"""
"""How high the head of a page is with fonts that are a tenth wider."""


def _its_head_is_one_line(page: Page) -> None:
    """See it with fonts that are a tenth wider than those of the tests."""
    assert page.evaluate(HIGH) <= 60


TARGETS = """async () => (await axe.run(document, { runOnly: ["target-size"] })).violations.flatMap(({ nodes }) =>
  nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`))"""


CORNERS = """[...document.querySelectorAll("#record .entry .head:has(.more)")].slice(0, 30).map((head) =>
  [".more", ".number"].map((part) => head.querySelector(part).getBoundingClientRect().top))"""


def what_can_be_tapped_in_a_long_record_is_large_enough(page: Page, *, owner: bool = True) -> None:
    """See it as it stands, also where entries are not drawn, as they are far off, and where their heads are long."""
    page.locator("#record .entry").first.wait_for()
    if owner:
        heads = page.evaluate(CORNERS)
        assert heads
        assert all(abs(more - number) < 8 for more, number in heads), "a menu stands in the corner of its entry"
    page.evaluate(AXE)
    assert page.evaluate(TARGETS) == []
    _its_head_is_one_line(page)


@pytest.mark.soak  # `test_every_page` looks at one in Japanese
@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_can_be_tapped_in_a_long_record_is_large_enough_as_it_stands(
    visit: Callable[..., Page], finished: str, language: str
) -> None:
    for owner in (True, False):
        page = visit(f"/games/{finished}?lang={language}", owner=owner)
        what_can_be_tapped_in_a_long_record_is_large_enough(page, owner=owner)


def _club_with_a_season_and_a_tournament(service: Service) -> list[str]:
    """The pages of a club, of its season with a game, and of its tournament with a round."""
    club, season, cup, game = (str(uuid7()) for _ in range(4))

    def post(path: str, **body: Any) -> Any:
        answer = service.api.post(f"/v1/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def say(record: str, type_: str, **data: Any) -> Any:
        return post(f"{record}/entries", id=str(uuid7()), type=type_, data=data)

    post("clubs", id=club, name="Thursday Club")
    for name in ("Aiko", "Ben"):
        members = say(f"clubs/{club}", "club.member_joined", name=name)["members"]
    seats = [{"player": each["player"]} for each in members[-2:]]
    options = {"template": "rounds"}
    post(f"clubs/{club}/games", id=game, ruleset="scoresheet", options=options, seats=seats)
    moves = [{"id": str(uuid7()), "data": {"move": move}} for move in ("r1 7 4", "end")]
    post(f"games/{game}/events", events=moves)
    rules = {"tie_breaks": ["wins", "average"], "bonuses": [{"kind": "played", "points": 1}]}
    post("seasons", id=season, name="Autumn", club=club, rules=rules)
    say(f"seasons/{season}", "season.points_given", **seats[0], points=-1, reason="late")
    post("tournaments", id=cup, name="Cup", club=club, rules={"tie_breaks": ["buchholz"], "minutes": 45})
    for seat in seats:
        say(f"tournaments/{cup}", "tournament.player_entered", **seat)
    say(f"tournaments/{cup}", "tournament.round_paired")
    return [f"/clubs/{club}", f"/seasons/{season}", f"/tournaments/{cup}", f"/tournaments/{cup}/wall"]


def test_a_club_its_season_and_its_tournament_pass_and_fit_and_the_wall_follows_a_result(
    visit: Callable[..., Page], service: Service
) -> None:
    for path in _club_with_a_season_and_a_tournament(service):
        page = visit(path)
        unfold(page)
        assert_usable(page, (360,))
        assert examine(page) == [], path
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"4[45]:\d\d"))
    expect(page.get_by_role("main")).not_to_contain_text("77")
    body = {"id": str(uuid7()), "type": "tournament.result_entered"}
    body |= {"data": {"round": 1, "table": 1, "scores": [77, 3]}}
    assert service.api.post(f"/v1{path.removesuffix('/wall')}/entries", json=body).is_success
    expect(page.get_by_role("main")).to_contain_text("77", timeout=60_000)


def test_a_wall_is_read_from_four_metres_and_shows_a_field_of_forty_whole(
    visit: Callable[..., Page], service: Service
) -> None:
    """Where a screen is a metre wide, 40 of its 1,920 pixels are 2 cm."""

    def cup(people: int) -> str:
        id_ = str(uuid7())
        assert service.api.post("/v1/tournaments", json={"id": id_, "name": "Cup"}).is_success
        entries = [("player_entered", {"name": f"Player {number} of {people}"}) for number in range(people)]
        for kind, data in [*entries, ("round_paired", {})]:
            body = {"id": str(uuid7()), "type": f"tournament.{kind}", "data": data}
            assert service.api.post(f"/v1/tournaments/{id_}/entries", json=body).is_success
        return f"/tournaments/{id_}/wall"

    size = "(row) => parseFloat(getComputedStyle(row).fontSize)"
    sizes = []
    for people in (6, 40):
        page = visit(cup(people))
        page.set_viewport_size({"width": 1920, "height": 1080})
        sizes.append(page.locator(".wall .rows li").first.evaluate(size))
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), people
    page.set_viewport_size(PHONE)
    assert sizes[0] >= 40
    assert sizes[1] >= 15


def test_equal_ranks_and_the_end_are_said(visit: Callable[..., Page], service: Service) -> None:
    """Three beat each other in a ring, so nothing decides between them. No button pairs a round that there is not."""
    cup, beaten = (
        str(uuid7()),
        {("Ann", "Bob"), ("Bob", "Cid"), ("Cid", "Ann"), ("Ann", "Dan"), ("Bob", "Dan"), ("Cid", "Dan")},
    )
    rules = {"format": "round_robin", "tie_breaks": ["direct_encounter", "wins"]}
    service.api.post("/v1/tournaments", json={"id": cup, "name": "Cup", "rules": rules})

    def say(kind: str, **data: Any) -> Any:
        body = {"id": str(uuid7()), "type": f"tournament.{kind}", "data": data}
        return service.api.post(f"/v1/tournaments/{cup}/entries", json=body).json()

    for name in ("Ann", "Bob", "Cid", "Dan"):
        names = {each["player"]: each["name"] for each in say("player_entered", name=name)["players"]}
    for number in (1, 2, 3):
        for at, table in enumerate(say("round_paired")["rounds"][-1]["tables"], 1):
            first, second = (names[player] for player in table["players"])
            say("result_entered", round=number, table=at, places=[1, 2] if (first, second) in beaten else [2, 1])
        page = visit(f"/tournaments/{cup}")
        expect(page.get_by_role("button", name="Pair the next round")).to_have_count(int(number < 3))
    expect(page.get_by_text("All rounds are played.")).to_be_visible()
    expect(page.get_by_text("Equal ranks: nothing decides between these.")).to_be_visible()
