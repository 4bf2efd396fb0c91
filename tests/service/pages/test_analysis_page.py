"""The analyses of a game are looked at on its page: the win line, luck beside it, the course in words."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.goldens import cut
from tests.service.pages.conftest import PHONE
from tests.service.pages.looks import check, examine
from tests.service.pages.steps import Busy, Gate, enter, wait_for, wait_until_stored
from tests.service.pages.test_weight_page import HEAVIEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Locator, Page, Request, Route

    from tests.served import Service

pytestmark = pytest.mark.browser

MOVES = ("deal black BARI COCO DUDA", "BARI-DUDA", "+COCO/ELAI", "DUDA-ALOA", "+BARI/FAAA")
ROUGH = {"games": 100, "precision": 20}
PLAYED_ON = ("luck-value", "turning-points", "review", "win-line")
KINDS = {"timeline": {}, "luck-counts": {}} | dict.fromkeys(PLAYED_ON, ROUGH)
"""What the page asks for, and how roughly the tests do."""
LONGER = {"games": 2_000, "precision": 8}
"""How roughly they ask for what is not to be made at one look, which takes up to half a second."""
SCRIPT = re.compile(r"/analysis/analysis\.js")

SLIP = {
    "version": 4,
    "after": 3,
    "made": {"move": "DUDA-ALOA", "n": 90, "chances": {"p": 0.4, "low": 0.35, "high": 0.45}},
    "better": {"move": "COCO-GOLA", "n": 90, "chances": {"p": 0.62, "low": 0.57, "high": 0.67}},
    "others": [{"move": "BARI-COCO", "n": 90, "chances": {"p": 0.5, "low": 0.45, "high": 0.55}}],
    "loss": {"p": 0.22, "margin": 0.07},
}
"""A slip: of so short and rough a game none is known."""

TURN = {
    "seat": 0,
    "since": 3,
    "version": 4,
    "before": {"p": 0.4, "low": 0.35, "high": 0.45},
    "after": {"p": 0.6, "low": 0.55, "high": 0.65},
    "luck": {"p": 0.11, "margin": 0.04},
    "rest": {"p": 0.09, "margin": 0.08},
    "events": [{"version": 4}],
    "left_out": 0,
    "unseen": 0,
    "decisions": [
        {
            "version": 4,
            "after": 3,
            "seat": 0,
            "legal": 8,
            "tried": 5,
            "made": {"move": "DUDA-ALOA", "n": 90, "chances": {"p": 0.6, "low": 0.55, "high": 0.65}},
            "others": [{"move": "COCO-GOLA", "n": 90, "chances": {"p": 0.52, "low": 0.42, "high": 0.62}}],
        }
    ],
}
"""A turning point: of so short and rough a game there is none."""


@pytest.fixture
def played(service: Service) -> Iterator[str]:
    """A game of some turns. Its analyses end with the test: a person can have ten that are not done."""
    game = service.open("Aiko", "Jonas")
    service.record(game, *MOVES)
    yield game
    cancel_analyses(service, game)


@pytest.fixture(scope="module")
def read(service: Service) -> tuple[str, dict[str, Any]]:
    """A game that was analysed as far as it went, and its win line: nobody adds anything to it."""
    game = service.open("Aiko", "Jonas")
    service.record(game, *MOVES)
    return game, analysed(service, game)


def cancel_analyses(service: Service, game: str) -> None:
    """Cancel what a page asked for and left."""
    path = f"/v1/games/{game}/analyses"
    for each in service.api.get(path).raise_for_status().json()["analyses"]:
        if each["status"] in {"waiting", "running"}:
            service.api.delete(f"{path}/{each['id']}").raise_for_status()


def analysed(service: Service, game: str, seat: str = "record") -> dict[str, Any]:
    """Have a game analysed, roughly, as far as it went; its win line."""
    result: dict[str, Any] = {}
    for kind in KINDS:
        result = analysed_as(kind, service, game, seat)
    return result


def make(page: Page, service: Service, game: str) -> None:
    """Have every analysis made that the page asks for. Here only the request itself works on them."""
    ends = time.monotonic() + 60
    while True:
        asked = service.api.get(f"/v1/games/{game}/analyses").raise_for_status().json()["analyses"]
        for each in asked:
            service.api.get(f"/v1/games/{game}/analyses/{each['id']}").raise_for_status()
        if len(asked) == len(KINDS) and {each["status"] for each in asked} == {"done"}:
            return
        assert time.monotonic() < ends, asked
        page.wait_for_timeout(50)


def analysed_as(kind: str, service: Service, game: str, seat: str = "record") -> dict[str, Any]:
    """What one kind of analysis finds of a game."""
    body = {"kind": kind, "seat": seat, "parameters": KINDS[kind]}
    answer = service.api.post(f"/v1/games/{game}/analyses", json=body).raise_for_status()
    found = answer.json()
    while found["status"] in {"waiting", "running"}:
        found = service.api.get(answer.headers["Location"]).raise_for_status().json()
    assert found["status"] == "done", found
    result: dict[str, Any] = found["result"]
    return result


def open_tab(page: Page) -> None:
    """Open the tab with the keyboard: what comes to stand where somebody has just tapped takes no tap for a moment."""
    page.get_by_role("tab", name="Analysis").press("Enter")


def _but_what_takes_long(route: Route) -> None:
    """Let somebody ask for an analysis that is soon made, although only the request itself works on it."""
    body: dict[str, Any] = route.request.post_data_json or {}
    if body.get("kind") not in {"luck-value", "turning-points", "review"}:
        route.continue_(post_data=_roughly(route.request))
        return
    found = {"type": "/problems/bad-request", "title": "no", "errors": [{"field": "kind", "message": "not now"}]}
    route.fulfill(status=400, json=found, content_type="application/problem+json")


def _roughly(request: Request, but: str = "") -> dict[str, Any] | None:
    body: dict[str, Any] | None = request.post_data_json
    return body | {"parameters": KINDS[body["kind"]]} if body and body["kind"] != but else body


def _not_at_one_look(request: Request) -> dict[str, Any] | None:
    body = _roughly(request)
    return body | {"parameters": LONGER} if body and body["kind"] == "win-line" else body


def test_what_was_analysed_is_told_with_how_well_it_is_known_leads_to_entries_fits_and_is_printed(
    visit: Callable[..., Page], read: tuple[str, dict[str, Any]]
) -> None:
    game, line = read
    page = visit(f"/games/{game}")
    open_tab(page)
    panel, output = page.locator("#analysis"), page.locator("#stepper output")
    plot = page.get_by_role("img", name="Each seat’s chance to win")
    expect(plot).to_be_visible()
    expect(panel.locator("h3")).to_have_count(len(KINDS))  # each that comes draws all anew
    expect(panel).to_contain_text(f"“{line['policy']}” (revision {line['policy_revision']})")
    expect(panel).to_contain_text("would take more of them" if not line["enough"] else "± 20 points")
    for summary in panel.locator("summary").all():
        summary.press("Enter")
    expect(panel.locator("details:not([open])")).to_have_count(0)
    rows = panel.get_by_role("group", name="Chances to win after every turn").locator("tbody tr")
    expect(rows).to_have_count(len(line["points"]))
    last = line["points"][-1]
    expect(rows.last).to_contain_text(f"{int(100 * last['chances'][0]['p'] + 0.5)} %")
    expect(rows.last).to_contain_text(str(last["n"]))
    luck = panel.locator("section", has=page.get_by_role("heading", name="Luck", exact=True))
    expect(luck).to_contain_text(re.compile(r"Chance alone explains the differences in all \d+ figures"))
    expect(luck.locator("tbody tr").first).to_be_visible()
    worth = panel.locator("section", has=page.get_by_role("heading", name="What luck was worth"))
    expect(worth).to_contain_text(re.compile(r"worth −?\d+ ± \d+ points of winning chance|too little is known to tell"))
    expect(worth).to_contain_text(re.compile("left out: (its result|their results)"))
    expect(worth).to_contain_text("These were not enough to know everything")
    check(page)
    page.set_viewport_size(PHONE)
    assert examine(page) == []
    size = plot.bounding_box()
    assert size is not None
    plot.click(position={"x": size["width"] * 0.61, "y": size["height"] / 2})
    expect(output).to_have_text("4 / 6")
    expect(plot.locator(".cursor")).to_have_attribute("x1", "3")
    page.keyboard.press("End")
    expect(plot.locator(".cursor")).to_have_attribute("x1", "5")
    p = last["chances"][1]["p"]
    expect(page.locator(".legend li").last).to_contain_text(re.compile(rf"Jonas {int(100 * p + 0.5)} % \(\d+ to \d+\)"))
    table = worth.get_by_role("group", name="What each event of chance was worth")
    expect(table.locator("tbody tr")).not_to_have_count(0)
    table.get_by_role("link").last.click()
    expect(output).not_to_have_text("6 / 6")
    open_tab(page)
    page.emulate_media(media="print")
    expect(plot).to_be_visible()
    expect(page.get_by_role("tab", name="Analysis")).to_be_hidden()
    for made in page.get_by_text("Up to entry 6, seen from").all():
        expect(made).to_be_visible()
    page.emulate_media(media="screen")


def test_what_came_by_chance_and_was_worth_something_is_told_in_the_language_of_the_page(
    visit: Callable[..., Page], service: Service
) -> None:
    game = service.import_text(cut("verraeter", "four_players", 12))
    analysed_as("luck-value", service, game)
    page = visit(f"/games/{game}?lang=ja")
    page.get_by_role("tab", name="分析").press("Enter")
    panel = page.locator("#analysis section", has=page.get_by_role("heading", name="運の価値"))
    panel.get_by_text("偶然の出来事すべて").click()
    came = panel.locator("tbody td:nth-child(2)")
    expect(came).not_to_have_count(0)
    assert [said for said in came.all_inner_texts() if re.search("[A-Za-z]{2,}", said)] == []
    assert "並べられた土地" in panel.inner_text()
    expect(panel).to_contain_text("「強い公家」")


def told(route: Route) -> None:
    """Answer with what so short and rough a game does not have."""
    answer = route.fetch()
    body = answer.json()
    if body.get("kind") == "luck-counts":
        body["result"]["extreme"] |= {"stands_out": True, "by_chance": 0.0312, "seat": 1}
    if body.get("kind") == "turning-points":
        body["result"]["points"] = [TURN]
    if body.get("kind") == "review":
        accuracy = {"p": 0.82, "low": 0.75, "high": 0.9}
        body["result"]["seats"][0] |= {"accuracy": accuracy, "turns": 12, "slips": [SLIP]}
    route.fulfill(response=answer, json=body)


def test_what_stands_out_is_told_a_slip_is_asked_about_and_a_turning_point_is_tried_in_a_fork(
    visit: Callable[..., Page], read: tuple[str, dict[str, Any]]
) -> None:
    game, _ = read
    page = visit("/none")
    page.route(re.compile(r"/analyses/[^/?]+$"), told)
    streams: list[str] = []
    page.on("request", lambda request: OF_ANALYSIS.search(request.url) and streams.append(request.url))
    boards: list[str] = []
    page.on("request", lambda request: "after=3" in request.url and boards.append(request.url))
    page.goto(f"/games/{game}")
    open_tab(page)

    def panel(name: str) -> Locator:
        return page.locator("#analysis section", has=page.get_by_role("heading", name=name, exact=True))

    luck, turning, review = panel("Luck"), panel("Turning points"), panel("Review")
    expect(page.locator("#analysis h3")).to_have_count(len(KINDS))
    expect(luck).to_contain_text(
        re.compile(r"The most extreme of 12 figures: Cards laid into the row · Jonas · [A-Z]{4}: \d, where \d\.\d ± ")
    )
    expect(luck).to_contain_text("one of so many is as far off in at most 4 of 100 games.")
    expect(review).to_contain_text("Accuracy 82 % (75 to 90), by 12 turns.")
    expect(review).to_contain_text("What would you play?")
    expect(review.get_by_text("is better than")).to_be_hidden()
    expect(review.locator(".slip-board svg")).to_contain_text("Aiko to move")
    expect(review).to_contain_text("The board before entry 4")
    review.get_by_role("button", name="BARI-COCO").click()
    expect(review).to_contain_text("Another move is better.")
    expect(review.get_by_text("COCO-GOLA is better than DUDA-ALOA by 22 ± 7 points.")).to_be_visible()
    rows = review.get_by_role("group", name="Options at entry 4").locator("tbody tr")
    expect(rows).to_have_text([re.compile("COCO-GOLA.*better.*62 %"), re.compile("BARI"), re.compile("was made.*40 %")])
    review.get_by_role("button", name="COCO-GOLA").click()
    expect(review).to_contain_text("This is the best of these moves.")
    assert "at=" in boards[0], "the board is that of the record that was reviewed"
    expect(turning).to_contain_text("Entry 4: Aiko from 40 % (35 to 45) to 60 % (55 to 65)")
    assert streams == [], "nothing more is to come of what is done"
    expect(turning).to_contain_text(
        "Luck: 11 ± 4 points (1 event of chance). What was decided, and became known: 9 ± 8"
    )
    expect(turning).to_contain_text("7 other options, 5 of them played on")
    options = turning.get_by_role("group", name="Options at entry 4").locator("tbody tr")
    expect(options).to_have_text([re.compile(r"DUDA-ALOA.*was made.*60 %"), re.compile(r"COCO-GOLA.*instead.*52 %")])
    assert examine(page) == []
    check(page)
    page.set_viewport_size(PHONE)
    turning.get_by_role("button", name="What if …").click()
    expect(page.get_by_role("dialog")).to_contain_text("A game of its own goes on after entry 3")
    page.get_by_role("button", name="Begin it").click()
    page.wait_for_url(lambda url: "/games/" in url and game not in url)


def test_a_slip_stays_as_it_was_tapped_while_others_record_and_its_board_comes_with_the_connection(
    visit: Callable[..., Page], service: Service, played: str
) -> None:
    analysed_as("review", service, played)
    page = visit("/none")
    page.set_viewport_size(PHONE)
    page.route(re.compile(r"/analyses/[^/?]+$"), told_twice)
    cut_off = re.compile(r"board\.svg.*after=")
    page.route(cut_off, lambda route: route.abort("internetdisconnected"))
    page.goto(f"/games/{played}")
    open_tab(page)
    first, second = (page.locator(".slip").nth(number) for number in range(2))
    expect(first).to_contain_text("No connection: try again later.")
    page.unroute(cut_off)
    page.context.set_offline(True)
    page.context.set_offline(False)
    for slip in (first, second):
        expect(slip.locator(".slip-board svg")).to_be_visible()
        assert slip.locator(".slip-board").evaluate("board => board.scrollWidth - board.clientWidth") <= 0
    key = second.get_by_role("button", name="COCO-GOLA")
    key.press("Enter")
    expect(second.get_by_role("status")).to_have_text("This is the best of these moves.")
    service.add(played, {"type": "note.added", "data": {"text": "Tea."}})
    expect(page.locator("#analysis")).to_contain_text("It was analysed up to entry 6.")
    expect(second.get_by_role("status")).to_have_text("This is the best of these moves.")
    expect(second.locator("details")).to_have_attribute("open", "")
    expect(first.locator("details")).not_to_have_attribute("open", "")
    expect(key).to_be_focused()


def told_twice(route: Route) -> None:
    """Answer with two slips that have the same moves."""
    answer = route.fetch()
    body = answer.json()
    if body.get("kind") == "review":
        body["result"]["seats"][0] |= {"slips": [SLIP, SLIP | {"version": 6, "after": 5}]}
    route.fulfill(response=answer, json=body)


def test_an_analysis_shows_how_far_it_is_and_can_be_cancelled(
    visit: Callable[..., Page], service: Service, played: str
) -> None:
    page = visit(f"/games/{played}")
    open_tab(page)
    expect(page.locator("#analysis")).to_contain_text("has not been analysed")
    page.route("**/analyses", lambda route: route.continue_(post_data=_roughly(route.request, "win-line")))
    looks = Gate(page, re.compile(r"/analyses/[^/]+$"))
    page.get_by_role("button", name="Analyse the game").click()
    wait_for(page, lambda: looks.waiting)  # what was asked for is on its way: the page looks how far it is
    looks.open()
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_attribute("value", re.compile(r"[1-9]"))
    page.evaluate("globalThis.pressed = document.querySelector('#analysis .progress button')")
    before = bar.get_attribute("value") or ""
    expect(bar).not_to_have_attribute("value", before)
    assert page.evaluate("pressed.isConnected"), "a tap meant for it goes amiss"
    page.get_by_role("button", name="Cancel").click()
    expect(bar).to_have_count(0)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("progressbar").or_(page.get_by_role("img", name="Each seat’s")).first).to_be_visible()


IMPATIENT = """(() => {
  const later = setTimeout;
  window.setTimeout = (work, ms, ...more) => work.name === "look" && ms === 2000 ? 0 : later(work, ms, ...more);
})()"""
"""Lets a page never ask how far an analysis is while its stream holds, so that only the stream can tell it."""
OF_ANALYSIS = re.compile(r"/analyses/[^/]+/stream")


def test_a_game_is_analysed_on_its_page_and_shown_when_a_stream_tells_that_it_is_and_further_when_it_went_on(
    visit: Callable[..., Page], service: Service, played: str
) -> None:
    page = visit("/none").context.new_page()
    page.add_init_script(IMPATIENT)
    page.goto(f"/games/{played}")
    wait_until_stored(page, 6)
    open_tab(page)
    expect(page.locator("#analysis")).to_contain_text("has not been analysed")
    page.route("**/analyses", lambda route: route.continue_(post_data=_not_at_one_look(route.request)))
    with page.expect_response(OF_ANALYSIS):
        page.get_by_role("button", name="Analyse the game").click()
    make(page, service, played)
    expect(page.get_by_role("img", name="Each seat’s chance to win")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator("#analysis")).to_contain_text("How it went")
    expect(page.locator("#analysis")).to_contain_text("Chance alone explains")
    expect(page.get_by_role("button", name="Analyse the game")).to_have_count(0)
    enter(page, "ALOA-BARI")
    wait_until_stored(page, 7)
    expect(page.locator("#analysis")).to_contain_text("It was analysed up to entry 6.")
    expect(page.get_by_role("button", name="Analyse what came since")).to_be_visible()


def test_an_analysis_is_shown_when_it_is_made_though_no_stream_can_be_had(
    visit: Callable[..., Page], played: str
) -> None:
    page = visit("/none")
    page.route(OF_ANALYSIS, lambda route: route.fulfill(status=503))
    page.goto(f"/games/{played}")
    wait_until_stored(page, 6)
    open_tab(page)
    page.route("**/analyses", _but_what_takes_long)
    page.get_by_role("button", name="Analyse the game").click()
    expect(page.get_by_role("img", name="Each seat’s chance to win")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)


def test_what_is_analysed_is_shown_from_where_somebody_looks_though_the_service_has_too_much_to_do_and_in_a_story(
    visit: Callable[..., Page], service: Service, played: str
) -> None:
    analysed_as("luck-counts", service, played)
    page = visit(f"/games/{played}", owner=False)
    open_tab(page)
    expect(page.locator("#analysis")).to_contain_text("has not been analysed from this point of view")
    expect(page.locator("#analysis button")).to_have_count(0)
    line = analysed(service, played, "public")
    page.route(re.compile(r"/analyses/[^/?]+$"), Busy(60))
    page = visit(f"/games/{played}", owner=False)
    open_tab(page)
    expect(page.get_by_role("img", name="Each seat’s chance to win")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator("#analysis")).to_contain_text("seen from what everybody may see")
    service.add(played, {"type": "game.closed", "data": {"how": "abandoned"}})
    page = visit(f"/games/{played}", owner=False)
    _a_story_shows_chances_and_their_swings(page, line)
    _a_story_tells_nothing_of_a_record_that_was_corrected(page, service, played)


def _a_story_shows_chances_and_their_swings(page: Page, line: dict[str, Any]) -> None:
    expect(page.get_by_role("heading", name="The game was abandoned")).to_be_visible()
    expect(page.locator("#course").get_by_role("img", name="Each seat’s chance to win")).to_be_visible()
    moments, marks = page.locator("#highlights li a"), page.locator("#course .plot .marks span")
    wait_for(page, lambda: marks.count() == moments.count() > 0)  # each analysis that is there brings others
    expect(page.locator("#curve .marks span")).to_have_count(0)
    expect(moments.filter(has_text="chance to win went from")).to_have_count(min(3, len(line["swings"])))


def _a_story_tells_nothing_of_a_record_that_was_corrected(page: Page, service: Service, game: str) -> None:
    """The tab tells it, with the entry up to which it was analysed. A note changes nothing."""
    chances = page.locator("#course").get_by_role("img", name="Each seat’s chance to win")
    service.add(game, {"type": "note.added", "data": {"text": "tea"}})
    wait_until_stored(page, 8)
    expect(chances).to_be_visible()
    corrected = [
        {"type": "game.reopened", "data": {"reason": "miscounted"}},
        {"type": "entry.withdrawn", "data": {"entry": 6}},
    ]
    service.add(game, *corrected, {"type": "game.closed", "data": {"how": "abandoned"}})
    wait_until_stored(page, 11)
    expect(page.get_by_role("heading", name="The game was abandoned")).to_be_visible()
    expect(chances).to_have_count(0)
    expect(page.locator("#highlights li a", has_text="chance to win")).to_have_count(0)
    expect(page.locator("#highlights").get_by_role("heading", name="Luck")).to_have_count(0)
    open_tab(page)
    expect(page.locator("#analysis").get_by_role("img", name="Each seat’s chance to win")).to_be_visible()
    expect(page.locator("#analysis")).to_contain_text("It was analysed up to entry 6.")


def test_the_script_of_the_analyses_is_loaded_when_somebody_wants_them_and_is_light(
    visit: Callable[..., Page], read: tuple[str, dict[str, Any]]
) -> None:
    played, _ = read
    page = visit("/none")
    sizes: list[tuple[str, Request]] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def note(request: Request) -> None:
        sizes.append((request.url, request))

    page.on("requestfinished", note)
    page.goto(f"/games/{played}")
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    page.wait_for_timeout(300)  # the page's own stream keeps the network from ever being idle
    assert not [url for url, _ in sizes if SCRIPT.search(url)]
    open_tab(page)
    expect(page.get_by_role("img", name="Each seat’s chance to win")).to_be_visible()
    page.remove_listener("requestfinished", note)
    network.detach()
    assert [url for url, _ in sizes if SCRIPT.search(url)]
    assert sum(max(0, request.sizes()["responseBodySize"]) for _, request in sizes) <= HEAVIEST
