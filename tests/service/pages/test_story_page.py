"""A game that is over opens as a story: who won and why, the standing, the curve, moments to look at, the record."""

from __future__ import annotations

import re
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect
from uuid_utils import uuid7

from tests import goldens
from tests.choosing import some
from tests.service.pages.steps import entry, field, record_elsewhere, record_more, refresh, wait_for, wait_until_stored
from tests.service.pages.test_analysis_page import cancel_analyses

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import FloatRect, Locator, Page, Route

    from tests.served import Service

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
ANALYSES = re.compile(r"/analyses($|\?)")
SHEET: dict[str, Any] = {"ruleset": "scoresheet", "options": {"template": "rounds"}}
ROUNDS = ("r1 5 2", "r2 0 9", "r3 1 0", "r4 20 0")
"""Ada leads, then Ben, then Ada again, who got most at once in the end."""
KEPT = "#highlights li a, .standing li, #told .why > *, .legend li"
"""The moments, the standing, why it ended so, and the names at the curves: a note changes none of them."""


@pytest.fixture
def told(service: Service) -> str:
    """A sheet of four rounds that Ada won."""
    game = service.open("Ada", "Ben", **SHEET)
    service.record(game, *ROUNDS, "end")
    return game


def box(page: Page, selector: str) -> FloatRect:
    """Where an element is: one that is drawn anew meanwhile is looked for again."""
    found: list[FloatRect] = []
    wait_for(page, lambda: found.extend(filter(None, [page.locator(selector).first.bounding_box()])) or found)
    return found[0]


def moments(page: Page) -> Locator:
    return page.locator("#highlights li a")


def with_workers(route: Route) -> None:
    """Tell a page that there are workers, as it is told by a service that has some."""
    answer = route.fetch()
    kinds = "timeline luck-counts win-line" if 'data-ruleset="kahuna"' in answer.text() else "timeline"
    route.fulfill(response=answer, body=answer.text().replace('data-completes=""', f'data-completes="{kinds}"'))


def posted(page: Page) -> list[dict[str, Any]]:
    """What a page sends from now on."""
    found: list[dict[str, Any]] = []
    page.on("request", lambda request: request.method == "POST" and found.append(request.post_data_json))
    return found


def menu(page: Page) -> Locator:
    page.get_by_role("button", name="More …", exact=True).click()
    return page.locator("dialog.sheet")


def test_it_says_who_won_and_why_tells_its_moments_and_follows_marks_and_corrections(
    visit: Callable[..., Page], service: Service, told: str
) -> None:
    page = visit(f"/games/{told}")
    wins(page)
    for hidden in ("#recorder", "#keypad", "#scoreboard", "#turn", ".jumps"):
        assert page.locator(hidden).first.is_hidden(), hidden
    expect(moments(page)).to_have_text(
        [
            re.compile("Ada was 6 points behind, and won"),
            re.compile("Ada took the lead for the last time"),
            re.compile("The last move"),
        ]
    )
    expect(page.locator("#highlights .telling")).to_have_text(
        "Ada went ahead first (entry 2). Ada was 6 points behind (entry 3). The lead changed 2 times, the last time at "
        "entry 5. Ada got 20 points at once (entry 5). Ada won (entry 6), and was never behind after entry 5."
    )
    expect(page.locator("#curve .marks span")).to_have_text(["1", "2", "3"])
    last, curve = box(page, "#curve .marks span:last-child"), box(page, "#curve")
    assert last["x"] + last["width"] <= curve["x"] + curve["width"] + 1, "the last number stands within the curve"
    moments(page).first.tap()
    output = page.locator("#stepper output")
    expect(output).to_have_text("3 / 6")
    expect(page.locator("#board[data-shown='3']")).to_be_in_viewport()
    expect(page.locator("#moment")).to_contain_text("r2")
    page.keyboard.press("End")
    expect(output).to_have_text("6 / 6")
    lines = page.locator("#curve > svg")
    width = lines.evaluate("svg => svg.getBoundingClientRect().width")
    lines.click(position={"x": width * 0.39, "y": 40})
    expect(output).to_have_text("3 / 6")
    page.keyboard.press("End")
    _its_curve_has_each_change_of_the_lead_and_a_table(page)
    record_more(page)
    expect(field(page)).to_be_visible()
    expect(page.locator("#told")).to_be_hidden()
    expect(page.locator("#ended")).to_contain_text("Ada won (points)")
    page.get_by_role("button", name="See how it went").click()
    expect(page.get_by_role("heading", name="Ada won")).to_be_focused()
    expect(page.locator("#recorder")).to_be_hidden()
    service.add(told, {"type": "note.added", "data": {"text": "The <b>double</b> six", "entry": 2, "bookmark": True}})
    refresh(page)
    expect(moments(page).first).to_contain_text("★ The <b>double</b> six")
    expect(moments(page)).to_have_count(3)
    service.add(told, {"type": "entry.replaced", "data": {"entry": 5, "move": "r4 0 0", "reason": "misheard"}})
    refresh(page)
    expect(page.get_by_role("heading", name="Ben won")).to_be_visible()
    expect(page.locator(".standing .name").first).to_have_text("Ben")
    expect(page.locator("#highlights .telling")).to_contain_text(
        "Ben won (entry 6), and was never behind after entry 3."
    )
    expect(entry(page, 5)).to_contain_text("r4")


def _its_curve_has_each_change_of_the_lead_and_a_table(page: Page) -> None:
    curve = page.locator("#curve")
    expect(curve.locator("path")).to_have_count(2)
    expect(curve.locator(".lead")).to_have_count(3)
    now = curve.locator(".now")
    expect(now).to_have_attribute("x1", "6")
    page.keyboard.press("ArrowLeft")
    expect(now).to_have_attribute("x1", "5")
    page.keyboard.press("End")
    page.get_by_text("The scores as a table").press("Enter")
    expect(curve.locator("tbody tr").nth(2)).to_be_visible()
    for row, said in ((1, "2 5 2 Ada"), (2, "3 5 11 Ben")):
        expect(curve.locator("tbody tr").nth(row)).to_have_text(said, use_inner_text=True)


def wins(page: Page) -> None:
    """See that the page says who won, why, and how all stand."""
    expect(page.get_by_role("heading", name="Ada won")).to_be_visible()
    expect(page.locator("#told .why")).to_have_text(re.compile(r"Points WIN-1 · 15 points ahead of Ben"))
    rows = page.get_by_role("list", name="The standing").get_by_role("listitem")
    expect(rows).to_have_text(["1 Ada 26", "2 Ben 11"], use_inner_text=True)


def test_a_game_is_analysed_by_itself_from_where_it_is_looked_at(
    visit: Callable[..., Page], service: Service, finished: str
) -> None:
    page = visit("/none")
    page.route(f"**/games/{finished}", with_workers)
    asked = posted(page)
    page.goto(f"/games/{finished}")
    course = page.locator("#course")
    expect(course.get_by_role("progressbar")).to_be_visible()
    expect(page.locator("#highlights").get_by_role("heading", name="Luck")).to_be_visible()
    course.get_by_role("button", name="Cancel").click()
    expect(course.get_by_role("progressbar")).to_have_count(0)
    assert asked == [{"kind": kind, "seat": "record"} for kind in ("timeline", "luck-counts", "win-line")]
    cancel_analyses(service, finished)


def test_strangers_and_share_links_are_told_the_story_and_only_the_owner_asks_for_the_course_again_after_a_correction(
    visit: Callable[..., Page], service: Service, told: str
) -> None:
    page = visit("/none", owner=False)
    page.route(f"**/games/{told}", with_workers)
    sent = posted(page)
    with page.expect_response(ANALYSES):
        page.goto(f"/games/{told}")
    wins(page)
    expect(moments(page)).to_have_count(3)
    page.wait_for_timeout(200)
    assert sent == []
    _moments_stay_under_a_finger(page, service, told)
    link = service.api.post(f"/v1/games/{told}/links", json={"name": "family"}).raise_for_status().json()
    page.goto(link["path"])
    wins(page)
    expect(moments(page)).to_have_count(3)
    expect(page.get_by_role("button", name="More …", exact=True)).to_have_count(0)
    page.context.add_cookies([service.cookie])
    page.goto(f"/games/{told}")
    page.get_by_role("tab", name="Analysis").press("Enter")
    expect(page.locator("#analysis h3")).to_have_text(["How it went"])
    expect(page.locator("#analysis .problem")).to_have_count(0)
    expect(page.locator("#course").get_by_role("progressbar")).to_have_count(0)
    course = {"kind": "timeline", "seat": "record"}
    assert sent == [course]
    page.locator("#analysis p").first.wait_for()  # it is made: what is asked for later is of the corrected record
    service.add(told, {"type": "entry.replaced", "data": {"entry": 5, "move": "r4 0 0", "reason": "misheard"}})
    refresh(page)
    expect(page.get_by_role("heading", name="Ben won")).to_be_visible()
    wait_for(page, lambda: len(sent) > 1)
    assert sent == [course] * 2


def _moments_stay_under_a_finger(page: Page, service: Service, told: str) -> None:
    """See that they are not drawn anew as somebody adds a note: a browser drops the click on what is."""
    page.evaluate(f"globalThis.pressed = [...document.querySelectorAll('{KEPT}')]")
    assert page.evaluate("pressed.length") == 3 + 2 + 2 + 2
    service.add(told, {"type": "note.added", "data": {"text": "what a game"}})
    refresh(page)
    wait_until_stored(page, 7)
    assert page.evaluate("pressed.filter((part) => !part.isConnected).length") == 0
    # browsers tell of a new address a moment later: an entry that was shown meanwhile may have written its own
    page.evaluate("location.hash = '#3'; history.replaceState(null, '', location.pathname);")
    expect(page.locator("#stepper output")).to_have_text("3 / 7")


def test_a_closed_record_is_reopened_and_its_last_entry_taken_back_by_the_menu(
    visit: Callable[..., Page], service: Service, told: str
) -> None:
    service.add(told, {"type": "game.closed", "data": {"how": "finished"}})
    page = visit(f"/games/{told}")
    expect(page.get_by_role("region", name="The record is closed")).to_contain_text("finished")
    sheet = menu(page)
    expect(sheet.get_by_role("button", name="Show the form for moves")).to_have_count(0)
    sheet.get_by_role("button", name="Reopen the record").click()
    page.get_by_label("Why it goes on").fill("a number was wrong")
    page.get_by_role("dialog").get_by_role("button", name="Reopen").click()
    wait_until_stored(page, 8)
    expect(page.get_by_role("region", name="The record is closed")).to_be_hidden()
    expect(page.get_by_role("heading", name="Ada won")).to_be_visible()
    menu(page).get_by_role("button", name="Undo").click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw", exact=True).click()
    wait_until_stored(page, 9)
    expect(page.locator("#told")).to_be_hidden()
    expect(page.locator("#keypad .pad")).to_be_visible()
    assert service.api.get(f"/v1/games/{told}").json()["status"] == "playing"


def test_a_game_that_was_closed_too_early_goes_on_after_one_tap_of_who_may_open_it(
    visit: Callable[..., Page], service: Service, told: str
) -> None:
    service.add(told, {"type": "game.closed", "data": {"how": "finished"}})
    _a_recorder_is_not_offered_to_record_more(visit("/none", owner=False), service, told)
    page = visit(f"/games/{told}")
    page.get_by_role("button", name="Record more").tap()
    wait_until_stored(page, 9)
    expect(page.locator("#told")).to_be_hidden()
    expect(page.locator("#keypad .pad")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    assert service.notations(told) == list(ROUNDS)
    abandoned = service.open("Ada", "Ben")
    service.add(abandoned, {"type": "game.closed", "data": {"how": "abandoned"}})
    page = visit(f"/games/{abandoned}")
    expect(menu(page).get_by_role("button", name="Reopen the record")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Record more").tap()
    wait_until_stored(page, 3)
    expect(field(page)).to_be_visible()


def _a_recorder_is_not_offered_to_record_more(page: Page, service: Service, told: str) -> None:
    person = str(uuid7())
    service.api.put(f"/v1/players/{person}", json={"name": "Ada"}).raise_for_status()
    service.api.put(f"/v1/roles/{person}", json={"role": "recorder"}).raise_for_status()
    token = service.api.post("/v1/tokens", json={"name": "phone", "person": person}).json()["token"]
    page.context.add_cookies([service.log_in(token)])
    page.goto(f"/games/{told}")
    expect(page.get_by_role("button", name="More …", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Record more")).to_be_hidden()


def test_what_scored_and_ended_a_game_is_taken_back_only_after_a_question(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.import_text((goldens.FOLDER / "kahuna" / "points.txt").read_text(encoding="utf-8"))
    page = visit(f"/games/{game}")
    page.get_by_role("button", name="Record more").tap()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("The game goes on")
    asked.get_by_role("button", name="Leave it").click()
    assert service.api.get(f"/v1/games/{game}").json()["status"] == "finished"
    page.get_by_role("button", name="Record more").tap()
    asked.get_by_role("button", name="Withdraw", exact=True).click()
    expect(field(page)).to_be_visible()


def test_a_text_that_was_erased_stands_nowhere_on_the_page(
    visit: Callable[..., Page], service: Service, told: str
) -> None:
    service.add(told, {"type": "note.added", "data": {"text": "The double six", "entry": 2, "bookmark": True}})
    service.api.post(f"/v1/games/{told}/erasures", json={"entry": 7, "what": "text"}).raise_for_status()
    page = visit(f"/games/{told}")
    expect(entry(page, 7)).to_contain_text("Its text was erased on")
    expect(moments(page).first).to_contain_text("★")
    expect(page.locator("#bookmarks")).to_contain_text("entry 2")
    expect(page.get_by_role("main")).not_to_contain_text("(sealed)")


def test_a_game_that_ends_while_it_is_recorded_keeps_its_form_until_somebody_wants_the_story(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open("Ada", "Ben", **SHEET)
    service.record(game, *ROUNDS)
    page = visit(f"/games/{game}")
    wait_until_stored(page, 5)
    record_elsewhere(page, service, game, "end nobody")
    expect(page.locator("#ended")).to_contain_text("Nobody won")
    expect(page.locator("#undo")).to_be_enabled()
    page.get_by_role("button", name="See how it went").click()
    expect(page.get_by_role("heading", name="Nobody won")).to_be_visible()
    expect(page.locator(".standing .rank")).to_have_text(["", ""])
    expect(moments(page).first).to_be_visible()
    expect(page.locator(".table #stepper")).to_be_visible()


@pytest.mark.soak
def test_who_follows_a_game_is_told_the_story_when_it_ends_with_equal_ranks(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open("Ada", "Ben", **SHEET)
    service.record(game, *ROUNDS, "r5 0 15")
    page = visit(f"/games/{game}", owner=False)
    wait_until_stored(page, 6)
    expect(page.locator("#told")).to_be_hidden()
    service.record(game, "end")
    refresh(page)
    expect(page.get_by_role("heading", name="A draw")).to_be_visible()
    expect(page.locator(".standing .rank")).to_have_text(["1", "1"])
    expect(page.locator("#told .why")).not_to_contain_text("ahead")
    expect(moments(page).first).to_be_visible()


@pytest.mark.parametrize(
    ("name", "owner"),
    some(
        product(["kahuna/points", "catan_cards/settlement", "scoresheet/wizard"], [True, False]),
        ("kahuna/points", True),
    ),
)  # fmt: skip
def test_no_column_is_empty_and_all_stands_in_the_order_of_a_story(
    visit: Callable[..., Page], service: Service, name: str, owner: bool
) -> None:
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    page = visit(f"/games/{game}", owner=owner, viewport=PHONE)
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    expect(moments(page).first).to_be_visible()
    parts = ("#told", "#curve", "#board", "#stepper", "#moment", "#highlights", ".tabs")
    assert page.locator("#board").evaluate("board => board.scrollWidth <= board.clientWidth")
    tops = [box(page, part)["y"] for part in parts]
    assert tops == sorted(tops)
    for above, below in pairwise(parts):
        assert box(page, below)["y"] - box(page, above)["y"] - box(page, above)["height"] < 150, (above, below)
    page.set_viewport_size(DESK)
    title = box(page, ".title")
    for column in (".table", "#told"):
        assert 0 <= box(page, column)["y"] - title["y"] - title["height"] < 40
    assert box(page, "#told")["x"] > box(page, "#board")["x"] + box(page, "#board")["width"]
    page.evaluate("document.querySelector('.tabs').scrollIntoView()")
    expect(page.locator("#board")).to_be_in_viewport()


LONE = """(group) => [...document.querySelectorAll(`${group} li`)].filter((line) => {
  const [mark, name] = [line.querySelector("svg, .stone"), line.querySelector("bdi")];
  return mark.getBoundingClientRect().bottom <= name.getBoundingClientRect().top;
}).length"""
"""How many lines of a group have their mark above the name, on a line of its own."""


def test_eight_people_of_long_names_and_many_points_fit_in_the_story_and_in_the_list(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.open(*(f"{seat}{'Wolfeschlegelsteinhausenbergerdorff' * 2}"[:40] for seat in range(8)), **SHEET)
    service.record(game, "r1 " + " ".join(f"-{seat}98765" for seat in range(1, 9)), "end")
    page = visit(f"/games/{game}", viewport=PHONE)
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    expect(page.locator("#moment .points")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(LONE, "#curve .legend") == 0
    service.catch_up()
    page.goto("/")
    page.locator(f".games [data-game='{game}'] bdi").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(LONE, f".games [data-game='{game}'] .result") == 0
    points = page.locator(f".games [data-game='{game}'] .points")
    assert points.count() == 8
    assert points.evaluate_all("all => Math.max(...all.map((one) => one.offsetHeight))") < 40, "one line"
    again = page.locator("[aria-labelledby=again-title] button").filter(has_text="Wolfe").first
    assert again.evaluate("it => it.offsetHeight") <= 100, "three lines"
