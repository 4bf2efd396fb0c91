"""A game on paper: its audit, black on white, with room to sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests.choosing import soak_except
from tests.service.pages.steps import wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, ViewportSize

    from tests.served import Service

pytestmark = pytest.mark.browser

PAPER: ViewportSize = {"width": 672, "height": 984}
"""An A4 sheet within its margins, in pixels."""

LINES = """(cells) => cells.map((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
})"""
"""In how many lines the text of each cell stands."""


@pytest.fixture
def paper(visit: Callable[..., Page], finished: str) -> Iterator[Page]:
    page = visit(f"/games/{finished}", color_scheme="dark")
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    page.locator("#audit .sum").wait_for(state="attached")
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size(PAPER)
    yield page
    page.emulate_media(media="screen")


def test_a_game_is_printed_as_its_audit_black_on_white_on_a4_with_lines_to_sign_on(paper: Page) -> None:
    for what in ("#audit table", "#scoreboard", "h1", ".title time", ".signatures"):
        expect(paper.locator(what).first).to_be_visible()
    for what in (
        "#board",
        "#told",
        "#course",
        "#highlights",
        "#turn",
        "#stepper",
        "#recorder",
        "[role=tablist]",
        ".top",
        "#record",
        "footer",
        "#audit button",
    ):
        expect(paper.locator(what).first).to_be_hidden()
    signers = paper.locator(".signatures li").all_inner_texts()
    players = [name.split("\n")[0] for name in paper.locator("#scoreboard .name").all_inner_texts()]
    assert signers == [*players, "Referee", "Place and date"]
    row = paper.locator("#audit tbody tr").first.locator("td")
    assert all(row.all_inner_texts()), "what for, who, points, entry and rule"
    colour = "element => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]"
    assert paper.locator("body").evaluate(colour) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    assert paper.locator("#audit td").first.evaluate(colour)[0] == "rgb(0, 0, 0)"
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert paper.evaluate(wide)
    pdf = paper.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert b"/MediaBox [0 0 594.95996 841.91998]" in pdf
    paper.emulate_media(media="screen")
    paper.get_by_role("tab", name="Score").click()
    expect(paper.get_by_role("button", name="Print the audit")).to_be_visible()
    expect(paper.locator(".signatures")).to_be_hidden()  # they are for paper alone


@pytest.mark.soak  # `analyses.mjs` opens what is folded on paper
def test_a_story_is_printed_with_its_words_and_boards_where_its_analysis_is_open(
    visit: Callable[..., Page], finished: str
) -> None:
    page = visit(f"/games/{finished}")
    page.locator("#highlights li a").first.wait_for()
    page.get_by_role("tab", name="Analysis").press("Enter")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for what in ("#highlights .telling", "#highlights li a", "#curve .legend", "#audit table"):
        expect(page.locator(what).first).to_be_visible()
    for what in ("#told", "#board", "#curve details", "#curve h3"):
        expect(page.locator(what).first).to_be_hidden()
    page.locator("#course .chances").evaluate("it => it.insertAdjacentHTML('beforeend', '<div class=plot></div>')")
    expect(page.locator("#curve h3")).to_have_text("Scores")
    expect(page.locator("#curve h3")).to_be_visible()  # below the chances to win
    pictures = page.locator("#highlights li img")
    wait_for(page, lambda: pictures.evaluate_all("all => all.length > 0 && all.every((one) => one.naturalWidth > 0)"))
    page.emulate_media(media="screen")


@pytest.mark.parametrize(
    ("language", "total", "button"),
    soak_except(
        [("en", "Total", "Print the sheet"), ("ja", "合計", "スコアシートを印刷する")],
        ("ja", "合計", "スコアシートを印刷する"),
    ),
)
def test_a_sheet_of_eight_people_with_long_names_is_printed_whole_with_its_result_date_and_place(
    visit: Callable[..., Page], service: Service, language: str, total: str, button: str
) -> None:
    names = [f"{'Wolfeschlegelsteinhausen' * 2}"[: 39 - at] + str(at) for at in range(8)]
    game = service.open(
        *names, ruleset="scoresheet", options={"template": "rounds"}, title="On Friday", place="Café Central"
    )
    thousands = " ".join(f"{1 + at}000" for at in range(8))
    lines = [f"r{number} {thousands}" for number in range(1, 40)]
    service.record(game, *lines, "p1 +3 forgotten", "r40 7 ? ? ? ? ? ? ?")
    page = visit(f"/games/{game}?lang={language}", viewport=PAPER)
    page.locator("#audit .sum").wait_for(state="attached")
    expect(page.locator("#audit").get_by_text(button)).to_be_attached()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="On Friday")).to_be_visible()
    expect(page.locator(".title .meta")).to_contain_text("Café Central")
    expect(page.locator(".title time")).to_be_visible()
    sheet = page.locator("#tables table").first
    rows = sheet.locator("tr")
    expect(rows).to_have_count(1 + 40 + 1)  # every round, where the picture shows the last ones
    expect(rows.first.locator("th")).to_contain_text(names)
    expect(rows.nth(39)).to_contain_text("39")
    assert sheet.evaluate("sheet => sheet.getBoundingClientRect().right <= document.documentElement.clientWidth")
    numbers = rows.nth(39).locator("td")
    expect(numbers).to_have_text(thousands.split())
    assert numbers.evaluate_all(LINES) == [1] * 8
    expect(rows.last).to_contain_text(total)
    expect(rows.last).to_contain_text(f"{39 * 8000}")
    blank = rows.nth(40).locator("td").nth(1)
    assert blank.evaluate("cell => getComputedStyle(cell).color") == "rgba(0, 0, 0, 0)", (
        "a cell in which nothing stands"
    )
    expect(page.locator("#audit .sum")).to_be_visible()
    expect(page.locator(".signatures")).to_be_visible()
    for what in ("#audit table", "#board", "#keypad", "#recorder"):
        expect(page.locator(what).first).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    _the_list_is_printed_without_forms(page, service)
    page.emulate_media(media="screen")


def _the_list_is_printed_without_forms(page: Page, service: Service) -> None:
    service.catch_up()
    page.goto("/")
    page.locator(".games").wait_for()
    for what in ("#opening", ".search", "#import"):
        expect(page.locator(what).first).to_be_hidden()


def test_records_of_a_club_are_printed_whole_and_without_what_is_pressed(
    visit: Callable[..., Page], service: Service
) -> None:
    club, season, cup = (str(uuid7()) for _ in range(3))

    def post(path: str, **body: Any) -> Any:
        answer = service.api.post(f"/v1/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def say(record: str, type_: str, **data: Any) -> Any:
        return post(f"{record}/entries", id=str(uuid7()), type=type_, data=data)

    post("clubs", id=club, name="Thursday Club")
    for name in ("Aiko Wolfeschlegelsteinhausenbergerdorff", "Ben"):
        members = say(f"clubs/{club}", "club.member_joined", name=name)["members"]
    seats = [{"player": each["player"]} for each in members[-2:]]
    game = str(uuid7())
    post(f"clubs/{club}/games", id=game, ruleset="scoresheet", options={"template": "rounds"}, seats=seats)
    post(f"games/{game}/events", events=[{"id": str(uuid7()), "data": {"move": move}} for move in ("r1 7 4", "end")])
    post(f"clubs/{club}/invitations", name="Cai")
    post("seasons", id=season, name="Autumn", club=club, rules={"tie_breaks": ["wins", "average"]})
    post("tournaments", id=cup, name="Cup", club=club, rules={"rounds": 2})
    for seat in seats:
        say(f"tournaments/{cup}", "tournament.player_entered", **seat)
    for number in (1, 2):
        say(f"tournaments/{cup}", "tournament.round_paired")
        say(f"tournaments/{cup}", "tournament.result_entered", round=number, table=1, places=[1, 2])
    service.catch_up()
    shown = {
        f"/clubs/{club}": ["Aiko Wolfeschlegelsteinhausenbergerdorff", "Autumn", "Cup"],
        f"/seasons/{season}": ["Rounds with a running total"],
        f"/tournaments/{cup}": ["Round 1", "Round 2"],
    }
    for path, texts in shown.items():
        page = visit(path)
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        pressed = page.locator("button, input, select, textarea, a.button, details:has(> form)")
        expect(pressed.filter(visible=True)).to_have_count(0)
        for text in texts:
            expect(page.locator("main").get_by_text(text).filter(visible=True).first).to_be_visible()
        closed = page.locator("details:not([open]):not(:has(> form)) > :not(summary)").all()
        assert [each for each in closed if not each.evaluate("each => each.checkVisibility()")] == []
        wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert page.evaluate(wide), path
        assert "Open invitations" not in page.locator("main").inner_text()
