"""The analyses of a game are made, looked at and printed on its page. `analyses.mjs` has what each of them says."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.service.pages.conftest import PHONE
from tests.service.pages.looks import assert_usable, examine
from tests.service.pages.steps import enter, wait_until_stored
from tests.service.pages.test_print_page import PAPER
from tests.service.pages.test_weight_page import HEAVIEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Request, Route, ViewportSize

    from tests.served import Service

pytestmark = pytest.mark.browser

DESK: ViewportSize = {"width": 1280, "height": 800}
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
def read(service: Service) -> str:
    """A game that was analysed as far as it went: nobody adds anything to it."""
    game = service.open("Aiko", "Jonas")
    service.record(game, *MOVES)
    for kind in KINDS:
        analyse(kind, service, game)
    return game


def cancel_analyses(service: Service, game: str) -> None:
    """Cancel what a page asked for and left."""
    path = f"/v1/games/{game}/analyses"
    for each in service.api.get(path).raise_for_status().json()["analyses"]:
        if each["status"] in {"waiting", "running"}:
            service.api.delete(f"{path}/{each['id']}").raise_for_status()


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


def analyse(kind: str, service: Service, game: str) -> None:
    """Have one kind of analysis made."""
    body = {"kind": kind, "seat": "record", "parameters": KINDS[kind]}
    answer = service.api.post(f"/v1/games/{game}/analyses", json=body).raise_for_status()
    found = answer.json()
    while found["status"] in {"waiting", "running"}:
        found = service.api.get(answer.headers["Location"]).raise_for_status().json()
    assert found["status"] == "done", found


def open_tab(page: Page) -> None:
    """Open the tab with the keyboard: what comes to stand where somebody has just tapped takes no tap for a moment."""
    page.get_by_role("tab", name="Analysis").press("Enter")


def _not_at_one_look(request: Request) -> dict[str, Any] | None:
    body: dict[str, Any] | None = request.post_data_json
    return body | {"parameters": LONGER if body["kind"] == "win-line" else KINDS[body["kind"]]} if body else None


def told(route: Route) -> None:
    """Answer with what so short and rough a game does not have."""
    answer = route.fetch()
    body = answer.json()
    if body.get("kind") == "turning-points":
        body["result"]["points"] = [TURN]
    if body.get("kind") == "review":
        accuracy = {"p": 0.82, "low": 0.75, "high": 0.9}
        body["result"]["seats"][0] |= {"accuracy": accuracy, "turns": 12, "slips": [SLIP]}
    route.fulfill(response=answer, json=body)


def test_what_was_analysed_fits_and_passes_its_plot_leads_to_entries_and_a_turning_point_is_tried_in_a_fork(
    visit: Callable[..., Page], read: str
) -> None:
    page = visit("/none")
    page.route(re.compile(r"/analyses/[^/?]+$"), told)
    page.goto(f"/games/{read}")
    open_tab(page)
    panel = page.locator("#analysis")
    expect(panel.locator("h3")).to_have_count(len(KINDS))  # each that comes draws all anew
    review = panel.locator("section", has=page.get_by_role("heading", name="Review", exact=True))
    expect(review.get_by_text("is better than")).to_be_hidden()
    expect(review.locator(".slip-board svg")).to_contain_text("Aiko to move")
    review.get_by_role("button", name="BARI-COCO").click()
    expect(review.get_by_text("COCO-GOLA is better than DUDA-ALOA by 22 ± 7 points.")).to_be_visible()
    panel.evaluate("it => { for (const folded of it.querySelectorAll('details')) folded.open = true; }")
    assert_usable(page)
    _the_choices_of_a_slip_stand_beside_its_board_on_a_desk_and_its_answer_on_paper(page)
    page.set_viewport_size(PHONE)
    assert examine(page) == []
    _its_plot_leads_to_entries_and_is_printed(page)
    panel.get_by_role("button", name="What if …").click()
    expect(page.get_by_role("dialog")).to_contain_text("A game of its own goes on after entry 3")
    page.get_by_role("button", name="Begin it").click()
    page.wait_for_url(lambda url: "/games/" in url and read not in url)


def _the_choices_of_a_slip_stand_beside_its_board_on_a_desk_and_its_answer_on_paper(page: Page) -> None:
    slip = page.locator(".slip")
    board, choices, answer = (slip.locator(part) for part in ("figure", ".choices", "details"))
    for viewport in (PHONE, DESK):
        page.set_viewport_size(viewport)
        seen, beside = board.bounding_box(), choices.bounding_box()
        assert seen
        assert beside
        assert (beside["x"] >= seen["x"] + seen["width"]) is (viewport == DESK)
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    expect(choices).to_be_hidden()
    expect(page.get_by_role("link", name="All figures of luck")).to_be_hidden()
    printed, beside = board.bounding_box(), answer.bounding_box()
    assert printed
    assert beside
    assert beside["x"] >= printed["x"] + printed["width"]
    assert printed["height"] < PAPER["height"] / 2, "two slips fit on a sheet"
    assert answer.locator("summary").evaluate("it => getComputedStyle(it, '::before').content") == "none"
    page.emulate_media(media="screen")


def _its_plot_leads_to_entries_and_is_printed(page: Page) -> None:
    plot = page.get_by_role("img", name="Each seat’s chance to win")
    size = plot.bounding_box()
    assert size is not None
    plot.click(position={"x": size["width"] * 0.61, "y": size["height"] / 2})
    expect(page.locator("#stepper output")).to_have_text("4 / 6")
    expect(plot.locator(".cursor")).to_have_attribute("x1", "3")
    page.keyboard.press("End")
    expect(plot.locator(".cursor")).to_have_attribute("x1", "5")
    page.emulate_media(media="print")
    expect(plot).to_be_visible()
    expect(page.get_by_role("tab", name="Analysis")).to_be_hidden()
    for made in page.get_by_text("Up to entry 6, seen from").all():
        expect(made).to_be_visible()
    page.emulate_media(media="screen")


@pytest.mark.soak  # `analyses.mjs` has its board without a network
def test_a_slip_stays_as_it_was_tapped_while_others_record_and_its_board_comes_with_the_connection(
    visit: Callable[..., Page], service: Service, played: str
) -> None:
    analyse("review", service, played)
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


IMPATIENT = """(() => {
  const later = setTimeout;
  window.setTimeout = (work, ms, ...more) => work.name === "look" && ms === 2000 ? 0 : later(work, ms, ...more);
})()"""
"""Lets a page never ask how far an analysis is while its stream holds, so that only the stream can tell it."""
OF_ANALYSIS = re.compile(r"/analyses/[^/]+/stream")


@pytest.mark.soak  # `analyses.mjs` asks for analyses, and goes on
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
    expect(page.locator("#analysis")).to_contain_text("chance alone explains")
    expect(page.get_by_role("button", name="Analyse the game")).to_have_count(0)
    enter(page, "ALOA-BARI")
    wait_until_stored(page, 7)
    expect(page.locator("#analysis")).to_contain_text("It was analysed up to entry 6.")
    expect(page.get_by_role("button", name="Analyse what came since")).to_be_visible()


def test_the_script_of_the_analyses_is_loaded_when_somebody_wants_them_and_is_light(
    visit: Callable[..., Page], read: str
) -> None:
    page = visit("/none")
    sizes: list[tuple[str, Request]] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def note(request: Request) -> None:
        sizes.append((request.url, request))

    page.on("requestfinished", note)
    page.goto(f"/games/{read}")
    page.locator("#game[aria-busy=false] #board[aria-busy=false] svg").wait_for()
    page.wait_for_timeout(300)  # the page's own stream keeps the network from ever being idle
    assert not [url for url, _ in sizes if SCRIPT.search(url)]
    open_tab(page)
    expect(page.get_by_role("img", name="Each seat’s chance to win")).to_be_visible()
    page.remove_listener("requestfinished", note)
    network.detach()
    assert [url for url, _ in sizes if SCRIPT.search(url)]
    assert sum(max(0, request.sizes()["responseBodySize"]) for _, request in sizes) <= HEAVIEST
