"""Every page fits a phone, a thumb, a magnified screen and a keyboard, and nothing that people typed can run in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, expect

from service.cli import samples
from tests.service.pages.steps import (
    about_entry,
    about_game,
    choose_game,
    fill_access,
    show_all_tabs,
    wait_until_stored,
)
from tests.service.test_apps import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page

    from tests.served import Service

pytestmark = pytest.mark.browser

WIDTHS = (320, 360, 640, 1280)
"""A small phone, a phone, a desk at 200 %, a desk."""
THUMB = 44
HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script><svg/onload=alert(3)>{{7*7}}'
LONG = "Donaudampfschifffahrtsgesellschaftskapitänswitwe" * 2

UNNAMED = """() => [...document.querySelectorAll('input, select, textarea, button, a, [role=region], dialog')]
  .filter(part => part.checkVisibility() && !part.labels?.length && !part.getAttribute('aria-label')
    && !part.getAttribute('aria-labelledby') && !part.textContent.trim())
  .map(part => part.outerHTML)"""
SMALL = """(thumb) => [...document.querySelectorAll('button, .button, input, select, textarea, summary, nav a')]
  .filter(part => part.checkVisibility({visibilityProperty: true}))
  .filter(part => !['checkbox', 'radio', 'range'].includes(part.type))
  .filter(part => Math.min(part.getBoundingClientRect().height, part.getBoundingClientRect().width) < thumb)
  .map(part => part.outerHTML)"""


@pytest.fixture
def hostile(service) -> str:
    """A game in which every text that people can enter tries to run, and is long."""
    game = service.open(HOSTILE, LONG, title=HOSTILE + LONG[:90], place=HOSTILE)
    service.record(game, "deal black BARI COCO DUDA", "BARI-DUDA", "+COCO/ELAI")
    service.add(game, {"type": "note.added", "data": {"text": HOSTILE + LONG, "entry": 2}})
    service.add(game, {"type": "entry.withdrawn", "data": {"entry": 5, "reason": HOSTILE}})
    service.add(game, {"data": {"move": "black: ALOA-BARI", "override": {"reason": HOSTILE}}})
    service.catch_up()
    return game


def check(page: Page, widths: tuple[int, ...] = WIDTHS) -> None:
    for width in widths:
        page.set_viewport_size({"width": width, "height": 740})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{page.url} is {wide} px wide on a screen of {width}"
    assert page.evaluate(UNNAMED) == []
    assert page.evaluate(SMALL, THUMB) == []


@pytest.mark.parametrize(
    "path",
    [
        "/rulesets",
        "/rulesets/kahuna",
        "/rulesets/kahuna/notation",
        "/problems",
        "/problems/rule-broken",
        "/https",
        "/login",
        "/login?code=x",
        "/device",
        "/join",
        "/access",
        "/none",
    ],
)
def test_a_page_of_text_fits_every_screen(visit: Callable[..., Page], path: str) -> None:
    page = visit(path, owner=False)
    for summary in filter(Locator.is_visible, page.locator("summary").all()):
        summary.click()
    check(page)


def test_a_program_that_asks_to_be_let_in_fits_every_screen_and_runs_nothing(
    visit: Callable[..., Page], service: Service
) -> None:
    name = HOSTILE + LONG[:90]
    asked = service.api.post("/v1/oauth/device_authorization", data={"client_id": name, "scope": "admin"}).json()
    page = visit(f"/device?user_code={asked['user_code']}")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("main").get_by_text(name)).to_be_visible()
    check(page)


def test_access_and_its_dialogs_fit_every_screen_and_run_nothing(visit: Callable[..., Page], service: Service) -> None:
    name = HOSTILE[:80] + LONG[:20]
    game = fill_access(service, name)
    page = visit("/access")
    expect(page.locator("#people").get_by_text(name).first).to_be_visible()
    expect(page.locator("#links").get_by_text(name).first).to_be_visible()
    check(page)
    for opened in ("Invite somebody", "Make a token", "More …: "):
        page.get_by_role("button", name=opened).first.click()
        for summary in page.locator("dialog[open] summary").all():
            summary.click()
        check(page)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Show: ").last.click()
    expect(page.locator("dialog[open] img.qr")).to_be_visible()
    check(page)
    page = visit(f"/games/{game}")
    page.get_by_role("tab", name="About").click()
    expect(page.locator("#sharing .list").last).to_contain_text(name)
    check(page)


def test_a_game_without_its_ruleset_fits_every_screen(visit: Callable[..., Page], unread: str) -> None:
    check(visit(f"/games/{unread}"))


def test_an_app_that_asks_to_be_let_in_fits_every_screen_and_runs_nothing(
    visit: Callable[..., Page], service: Service, hostile: str
) -> None:
    address = f"https://{'a' * 60}.example/{LONG.replace('ä', 'a')}"
    for more in ({"client_id": HOSTILE + LONG[:90]}, {"client_id": address, "redirect_uri": address}):
        page = visit(f"/authorize?{urlencode(asked(state=HOSTILE, scope='games:read admin') | more)}")
        page.get_by_role("radio", name="Only these").check()
        expect(page.get_by_role("checkbox", name=HOSTILE).first).to_be_visible()
        check(page)


def test_the_list_fits_every_screen_and_runs_nothing(visit: Callable[..., Page], hostile: str) -> None:
    page = visit("/")
    expect(page.locator(f"a[href='/games/{hostile}']")).to_have_text(HOSTILE + LONG[:90])
    for summary in filter(Locator.is_visible, page.locator("summary").all()):
        summary.click()
    check(page)
    choose_game(page, "Kahuna")
    expect(page.get_by_label("Black")).to_be_visible()
    check(page)


def test_a_scoreboard_fits_every_screen_and_runs_nothing(visit: Callable[..., Page], hostile: str) -> None:
    page = visit(f"/games/{hostile}/scoreboard")
    expect(page.locator("#scoreboard bdi").first).to_have_text(HOSTILE)
    expect(page.locator("#last")).not_to_be_empty()
    check(page, (*WIDTHS, 1920))
    assert page.evaluate(FAINT) == []


def test_the_editor_of_sheets_fits_every_screen_and_runs_nothing(visit: Callable[..., Page]) -> None:
    page = visit("/rulesets/scoresheet/template")
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
        check(page)


@pytest.mark.parametrize("template", ["rounds", "win_loss_draw", "bridge"])
def test_the_keypad_of_a_sheet_fits_every_screen_and_runs_nothing(
    visit: Callable[..., Page], service: Service, template: str
) -> None:
    seats = [{"name": name} for name in (HOSTILE, LONG, "Aiko", "Ben")]
    page = visit(f"/games/{service.open(ruleset='scoresheet', options={'template': template}, seats=seats)}")
    page.locator("#keypad .chip").first.wait_for()
    check(page)
    page.set_viewport_size({"width": 360, "height": 740})
    if template != "win_loss_draw":
        page.get_by_role("button", name="Choose the quick keys").click()
        expect(page.get_by_label("Numbers, with blanks between them")).to_be_visible()
        check(page, (320, 1280))


def test_a_game_fits_every_screen_in_all_its_parts_and_runs_nothing(visit: Callable[..., Page], hostile: str) -> None:
    page = visit(f"/games/{hostile}")
    wait_until_stored(page, 7)
    expect(page.locator("#record [data-version='2'] .notes")).to_have_count(0)
    expect(page.locator("#record [data-version='5']")).to_contain_text(HOSTILE)
    expect(page.locator("#record [data-version='7'] .flags")).to_contain_text(HOSTILE)
    expect(page.locator("#scoreboard bdi").first).to_have_text(HOSTILE)
    for summary in page.locator("summary:visible").all():
        summary.click()
    for tab in page.get_by_role("tab").all():
        tab.click()
        check(page, (320,))
    show_all_tabs(page)
    check(page)
    page.get_by_label("Move in notation").fill(HOSTILE)
    expect(page.get_by_role("alert")).to_contain_text("<script>alert(2)</script>")
    check(page, (320,))
    page.get_by_label("Move in notation").fill("b-c (d)")
    expect(page.get_by_label("why does it count")).to_be_visible()
    check(page, (320,))
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("dialog")).to_contain_text("The score")
    check(page, (320,))


SAMPLES = {path.stem: path for path in (Path(samples.__file__).parent / "samples").glob("*.txt")}
LEGIBLE = 300
"""Pixels across which a board has to be drawn to be read."""


FEW = ("catan_cards_knights", "kahuna_irregular", "manapani_three_players", "scoresheet_wizard")
"""The samples that show most; the others are looked at with the long forms."""


@pytest.mark.parametrize(
    "sample", [sample if sample in FEW else pytest.param(sample, marks=pytest.mark.soak) for sample in sorted(SAMPLES)]
)
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
        check(page, (320, 1280))
        assert page.locator("#board svg").evaluate("svg => svg.getBoundingClientRect().width") >= LEGIBLE


def dialogs(page: Page) -> Iterator[Locator]:
    """Every dialog that a game's page asks in, opened one after the other, each with all that it can hold."""
    for action in ("Withdraw", "Replace", "Insert after it", "Tell what it was", "Bookmark this moment", "What if …"):
        yield about_entry(page, 3, action)
    ruling = about_game(page, "Give a ruling")
    for kind in ("points", "adjudge", "option", "bridge", "card"):
        ruling.get_by_label("What it changes").select_option(kind)
    yield ruling
    claim = about_game(page, "What does your paper say?")
    claim.get_by_role("button", name="Add a line of it").click()
    yield claim
    for action in ("Somebody else sits down", "Abandon the game"):
        yield about_game(page, action)


def test_every_dialog_fits_every_screen_and_thumb_and_runs_nothing(visit: Callable[..., Page], hostile: str) -> None:
    page = visit(f"/games/{hostile}")
    wait_until_stored(page, 7)
    for dialog in dialogs(page):
        expect(dialog).to_be_visible()
        check(page, (320, 1280))
        inside = dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
        assert inside, dialog.text_content()
        page.keyboard.press("Escape")
        page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="More about entry 3", exact=True).click()
    check(page, (320, 1280))


def test_a_game_can_be_gone_through_with_the_keyboard_alone(visit: Callable[..., Page], hostile: str) -> None:
    page = visit(f"/games/{hostile}")
    wait_until_stored(page, 7)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_role("tab", name="History").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Score")).to_be_focused()
    expect(page.locator("#score")).to_be_visible()
    wait_until_stored(page, 7)
    page.locator("#score .rule-id").or_(page.locator("#moment .rule-id")).first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


def stands_out(page: Page) -> None:
    """See that the text stands out from its ground, in light and in dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FAINT) == [], f"in {scheme}"


def test_text_stands_out_from_its_ground(visit: Callable[..., Page], hostile: str) -> None:
    page = visit(f"/games/{hostile}")
    wait_until_stored(page, 7)
    stands_out(page)
    about_entry(page, 2, "Withdraw")
    expect(page.locator(".conflict").first).to_be_visible()
    stands_out(page)
    page.get_by_role("button", name="Withdraw all").click()
    expect(page.locator(".conflicts.settled")).to_be_visible()
    stands_out(page)


def test_text_of_the_editor_stands_out_from_its_ground(visit: Callable[..., Page]) -> None:
    page = visit("/rulesets/scoresheet/template")
    for summary in filter(Locator.is_visible, page.locator("summary").all()):
        summary.click()
    for typed in ("Whatever", ""):
        page.get_by_label("Name of the sheet").fill(typed)
    expect(page.locator(".error-slot:not(:empty)")).to_have_count(1)
    stands_out(page)
    page.get_by_label("Name of the sheet").fill("Whatever")
    expect(page.locator(".verdict")).to_have_text("Everything fits.")
    stands_out(page)


FAINT = """() => {
  const channel = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (part) => {
    for (; part; part = part.parentElement) {
      const colour = rgba(getComputedStyle(part).backgroundColor);
      if (colour[3] !== 0) return colour;
    }
  };
  const clear = (part) => !part || (getComputedStyle(part).opacity === "1" && clear(part.parentElement));
  return [...document.querySelectorAll("main *, header *, footer *, dialog *")]
    .filter((part) => part.checkVisibility() && clear(part) && !part.disabled)
    .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((part) => {
      const [a, b] = [light(rgba(getComputedStyle(part).color)), light(ground(part))].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05) < 4.5;
    })
    .map((part) => part.outerHTML.slice(0, 200));
}"""
"""Every text with a contrast below 4.5 : 1 against its background."""


WIDER = """() => document.querySelectorAll(".top nav :is(a, button)").forEach((link) => {
  link.style.fontSize = `${1.1 * parseFloat(getComputedStyle(link).fontSize)}px`;
})"""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_head_of_a_page_is_one_line_on_a_phone_whatever_the_fonts(
    visit: Callable[..., Page], language: str
) -> None:
    """Fonts are up to a tenth wider than those of the tests."""
    page = visit(f"/?lang={language}")
    page.evaluate(WIDER)
    assert page.locator(".top").evaluate("head => head.offsetHeight") <= 60
