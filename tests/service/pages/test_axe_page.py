"""Every page passes axe-core, in light and in dark, on a phone: names, roles, landmarks, contrast, sizes of targets.

`tests/axe/` holds axe-core as it is published, under its own licence.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests import goldens
from tests.choosing import some
from tests.service.pages.steps import (
    DEAL,
    GAMES,
    choose_game,
    fill_access,
    join_seat,
    show_all_tabs,
    wait_until_loaded,
    wait_until_stored,
)
from tests.service.test_apps import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playwright.sync_api import Page

    from tests.served import Service
    from tests.service.pages.conftest import Scheme

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parents[2] / "axe" / "axe.min.js").read_text(encoding="utf-8")
EXAMINE = """async (only) => {
  const ALSO = ["label-content-name-mismatch", "target-size"];
  const all = new CSSStyleSheet();  // entries far off the screen are not laid out: nothing can be measured in them
  all.replaceSync(".timeline .entry { content-visibility: visible !important; }"
    + ".timeline .entry:nth-of-type(n + 30) { display: none; }");  // the hundredth is as the others are
  document.adoptedStyleSheets.push(all);
  const dialog = [...document.querySelectorAll("dialog:modal")].pop();  // all else can be neither reached nor heard
  const {violations} = await axe.run(dialog ?? document, {
    resultTypes: ["violations"],
    ...(only ? {runOnly: only} : {}),
    rules: Object.fromEntries(ALSO.map((rule) => [rule, {enabled: !only}])),
  });
  const told = (id) => ({html, failureSummary}) => `${id}: ${html.slice(0, 160)} ${failureSummary}`;
  return violations.flatMap(({id, nodes}) => nodes.map(told(id)));
}"""
"""What is wrong on a page, behind all its tabs, or in its open dialog. It applies all rules, also those not tried
unasked, or `only` these.
"""
LIGHT: tuple[Scheme, None] = ("light", None)
SCHEMES: tuple[tuple[Scheme, list[str] | None], ...] = (("dark", ["color-contrast"]), LIGHT)
"""The dark can change nothing but contrasts; all the rest is seen in the light."""
SHOWN = ("kahuna/points", "catan_cards/buildings", "scoresheet/wizard")
"""Games with a page that passes in a short run: a board, cards, and a sheet. `verraeter` has its scoreboard there, and
all rulesets fit and stand out from their ground (`test_layout_page`).
"""
OTHERS = (
    "/",
    "/?q=none",
    "/rulesets",
    "/rulesets/kahuna/notation",
    "/rulesets/scoresheet/template",
    "/clubs",
    "/export",
    "/tournaments",
    "/people",
    "/people/merges",
    "/statistics",
    "/year",
    "/problems/rule-broken",
    "/https",
    "/login",
    "/join",
    "/device",
    "/access",
    "/none",
)


ALIKE = {"/rulesets", "/rulesets/kahuna/notation", "/problems/rule-broken", "/none"}
"""Pages that are the same for everybody, but for the menu."""


def examine(page: Page, schemes: Sequence[tuple[Scheme, list[str] | None]] = SCHEMES) -> list[Any]:
    """What axe objects to on a page, in dark and in light."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
        show_all_tabs(page)
    found: list[Any] = []
    for scheme, only in schemes:
        page.emulate_media(color_scheme=scheme)
        found += [f"in {scheme}: {told}" for told in page.evaluate(EXAMINE, only)]
    return found


TARGETS = """async () => (await axe.run(document, { runOnly: ["target-size"] })).violations.flatMap(({ nodes }) =>
  nodes.map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`))"""


CORNERS = """[...document.querySelectorAll("#record .entry .head:has(.more)")].slice(0, 30).map((head) =>
  [".more", ".number"].map((part) => head.querySelector(part).getBoundingClientRect().top))"""


@pytest.mark.parametrize("language", some(["en", "ja"], "ja"))
def test_what_can_be_tapped_in_a_long_record_is_large_enough_as_it_stands(
    visit: Callable[..., Page], finished: str, language: str
) -> None:
    """Also where entries are not drawn, as they are far off, and where their heads are long."""
    for owner in (True, False):
        page = visit(f"/games/{finished}?lang={language}", owner=owner)
        page.locator("#record .entry").first.wait_for()
        page.evaluate(AXE)
        assert page.evaluate(TARGETS) == []


def test_the_menu_of_an_entry_stands_in_its_corner(visit: Callable[..., Page], finished: str) -> None:
    page = visit(f"/games/{finished}?lang=ja")
    page.locator("#record .entry .more").first.wait_for()
    heads = page.evaluate(CORNERS)
    assert heads
    assert all(abs(more - number) < 8 for more, number in heads)


@pytest.mark.parametrize("path", some(OTHERS, *(path for path in OTHERS if path != "/?q=none")))
def test_a_page_passes(visit: Callable[..., Page], path: str) -> None:
    for owner in (True,) if path in ALIKE else (True, False):
        page = visit(path, owner=owner)
        wait_until_loaded(page, path)
        while (folded := page.locator("details:not([open]) > summary:visible")).count():
            folded.first.click()
        assert examine(page, SCHEMES if owner else (LIGHT,)) == []


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


def test_a_club_its_season_and_its_tournament_pass_and_fit(visit: Callable[..., Page], service: Service) -> None:
    for path in _club_with_a_season_and_a_tournament(service):
        page = visit(path)
        page.set_viewport_size({"width": 360, "height": 800})
        while (folded := page.locator("details:not([open]) > summary:visible")).count():
            folded.first.click()
        assert examine(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


def test_the_wall_follows_a_result_by_itself(visit: Callable[..., Page], service: Service) -> None:
    path = _club_with_a_season_and_a_tournament(service)[-1]
    page = visit(path)
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"4[45]:\d\d"))
    expect(page.get_by_role("main")).not_to_contain_text("77")
    body = {"id": str(uuid7()), "type": "tournament.result_entered"}
    body |= {"data": {"round": 1, "table": 1, "scores": [77, 3]}}
    assert service.api.post(f"/v1{path.removesuffix('/wall')}/entries", json=body).is_success
    expect(page.get_by_role("main")).to_contain_text("77", timeout=60_000)


def test_a_program_that_asks_to_be_let_in_passes(visit: Callable[..., Page], service: Service) -> None:
    asked = service.api.post("/v1/oauth/device_authorization", data={"client_id": "The scoreboard"}).json()
    page = visit(f"/device?user_code={asked['user_code']}")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Approve").wait_for()
    assert examine(page) == []


def test_access_and_its_dialogs_pass(visit: Callable[..., Page], service: Service) -> None:
    fill_access(service, "Mirjam")
    page = visit("/access")
    page.locator("#people li").first.wait_for()
    assert examine(page) == []
    for opened in ("Invite somebody", "Make a token"):
        page.get_by_role("button", name=opened).click()
        page.locator("dialog[open]").wait_for()
        for summary in page.locator("dialog[open] summary").all():
            summary.click()
        assert examine(page) == []
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Show: Mirjam").first.click()
    page.locator("dialog[open] img.qr").wait_for()
    assert examine(page) == []


def test_the_sharing_of_a_game_passes(visit: Callable[..., Page], service: Service) -> None:
    page = visit(f"/games/{fill_access(service, 'Mirjam')}")
    page.get_by_role("tab", name="About").click()
    page.get_by_role("button", name="Revoke: Mirjam").wait_for()
    assert examine(page) == []
    page.get_by_role("button", name="Make a share link").click()
    page.locator("dialog[open]").wait_for()
    assert examine(page) == []


def test_a_page_of_a_player_passes(phone: Page, service: Service, game: str) -> None:
    join_seat(phone, service, game, 0)
    phone.locator(".choice").first.wait_for()
    assert examine(phone) == []


@pytest.mark.parametrize("owner", some([True, False], True))
def test_a_game_without_its_ruleset_passes(visit: Callable[..., Page], unread: str, owner: bool) -> None:
    page = visit(f"/games/{unread}", owner=owner)
    expect(page.get_by_role("main")).to_contain_text("not readable here")
    assert examine(page) == []


def test_an_app_that_asks_to_be_let_in_passes(visit: Callable[..., Page], game: str) -> None:
    for owner in (True, False):
        page = visit(f"/authorize?{urlencode(asked(scope='games:read admin'))}", owner=owner)
        expect(page.get_by_role("main")).to_contain_text("It leads you back to score.example")
        assert examine(page) == []


@pytest.mark.parametrize("name", some(GAMES, "verraeter/four_players", "scoresheet/wizard"))
def test_a_scoreboard_passes(visit: Callable[..., Page], service: Service, name: str) -> None:
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    page = visit(f"/games/{game}/scoreboard")
    page.locator("#game[aria-busy=false]").wait_for()
    assert examine(page) == []


@pytest.mark.parametrize("name", some(["kahuna", "verraeter", "scoresheet", "catan_cards?lang=ja"], "kahuna"))
def test_a_rulebook_passes(visit: Callable[..., Page], name: str) -> None:
    assert examine(visit(f"/rulesets/{name}", owner=False)) == []


@pytest.mark.parametrize("name", some(GAMES, *SHOWN))
def test_a_game_passes_in_all_its_parts(visit: Callable[..., Page], service: Service, name: str) -> None:
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    page = visit(f"/games/{game}")
    page.locator("#game[aria-busy=false]").wait_for()
    page.locator("#audit .sum").first.wait_for(state="attached")
    for tab in page.get_by_role("tab").all():
        tab.click()
    assert examine(page) == []


def test_a_game_that_is_recorded_passes(visit: Callable[..., Page], service: Service) -> None:
    game = service.open("Aiko", "Ben")
    service.record(game, DEAL, "BARI-DUDA", "+COCO")
    service.add(game, {"type": "note.added", "data": {"text": "the cat", "entry": 2, "bookmark": True}})
    service.add(game, {"type": "score.claimed", "data": {"scores": [3, 1]}})
    page = visit(f"/games/{game}")
    wait_until_stored(page, 6)
    page.locator(".choice").first.wait_for()
    assert examine(page) == []
    page.get_by_label("Move in notation").fill("b-d (c)")
    expect(page.get_by_role("alert")).to_be_visible()
    assert examine(page) == []
    page.get_by_role("tab", name="Score").click()
    expect(page.locator("#claims")).to_contain_text("It differs")
    assert examine(page) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("dialog")).to_contain_text("The score stays")
    assert examine(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More …", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert examine(page) == []


def test_a_sheet_that_is_recorded_passes(visit: Callable[..., Page], service: Service) -> None:
    game = service.open(ruleset="scoresheet", options={"template": "wizard"}, seats=[{"name": "Aiko"}, {"name": "Ben"}])
    page = visit(f"/games/{game}")
    page.locator("#keypad").wait_for()
    assert examine(page) == []


@pytest.mark.parametrize("game", ["Kahuna", "UNO"])
def test_the_form_of_a_chosen_game_passes(visit: Callable[..., Page], service: Service, game: str) -> None:
    service.open("Aiko", "Ben")
    service.catch_up()
    page = visit("/")
    choose_game(page, game)
    assert examine(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
