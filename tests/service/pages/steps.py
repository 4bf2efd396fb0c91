"""What people do on a game's page, for tests of all its parts."""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from playwright.sync_api import expect
from uuid_utils import uuid7

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page, Route

    from tests.served import Service

PATIENCE = 60_000
"""Milliseconds that a busy machine may take for what is a matter of moments."""

DOUBLE_TAP = 400
"""Milliseconds after which another tap on the same spot is no double tap."""
SPOT = 30
"""Pixels within which two taps can be on the same spot."""
MIDDLE = """(part) => {
  part.scrollIntoViewIfNeeded();
  const {x, y, width, height} = part.getBoundingClientRect();
  return width ? [x + width / 2, y + height / 2] : null;
}"""
"""Where the middle of an element is once it is in sight; nothing if it is hidden."""

DEAL = "deal black BARI COCO DUDA"
GAMES = (
    "kahuna/points",
    "catan_cards/buildings",
    "manapani/two_players",
    "scoresheet/wizard",
    "verraeter/four_players",
)
"""A golden record of every ruleset."""

SENT = re.compile(r"/events(\?look=\w+)?$")
"""Where entries are sent to be stored."""

OVERLOADED = {"type": "/problems/overloaded", "title": "Too much to do", "status": 503, "detail": "come again"}

NO_GAMES = "/?q=none"
"""The list with nothing in it, for tests of the form above it. To draw the small boards of fifty games costs half a
second of processor time, and more where they are new.
"""

KEPT = """async () => Promise.all((await caches.keys()).map(async (name) => {
  const kept = await (await caches.open(name)).keys();
  return [name, kept.map(({url}) => url)];
}))"""
"""The name of every copy that there is, with the addresses of its parts."""


class Busy:
    """Refuses what is asked for first at each address, and says after how many seconds to ask again."""

    def __init__(self, wait: int) -> None:
        self.refused: set[str] = set()
        self._wait = wait

    def __call__(self, route: Route) -> None:
        path = urlsplit(route.request.url).path
        if path in self.refused or route.request.method != "GET":
            route.fallback()
            return
        self.refused.add(path)
        headers = {"Retry-After": str(self._wait)}
        route.fulfill(status=503, headers=headers, content_type="application/problem+json", json=OVERLOADED)


class Gate:
    """Holds back what the page asks for at some addresses, until it is opened."""

    def __init__(self, page: Page, addresses: str | re.Pattern[str]) -> None:
        self.opened = False
        self.waiting: list[Route] = []
        page.route(addresses, self._hold)

    def open(self) -> None:
        """Let everything through."""
        self.opened = True
        for route in self.waiting:
            route.continue_()

    def _hold(self, route: Route) -> None:
        if self.opened:
            route.continue_()
        else:
            self.waiting.append(route)


class Finger:
    """Taps as a person does: on the spot of the last tap only after a pause, as a double tap is one tap."""

    spot: ClassVar[tuple[float, float]] = (-math.inf, -math.inf)
    time: ClassVar[float] = 0.0

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0

    def tap(self, target: Locator) -> None:
        """Tap the middle of an element."""
        if not (middle := target.evaluate(MIDDLE)):
            target.wait_for()
            middle = target.evaluate(MIDDLE)
        x, y = middle
        self._rest(x, y)
        target.tap()
        self.taps += 1
        Finger.time = time.monotonic()

    def tap_at(self, x: float, y: float) -> None:
        """Tap a spot of the screen."""
        self._rest(x, y)
        self.page.touchscreen.tap(x, y)
        self.taps += 1
        Finger.time = time.monotonic()

    def _rest(self, x: float, y: float) -> None:
        if math.dist((x, y), Finger.spot) <= SPOT:
            pause_between_taps(self.page, since=Finger.time)
        Finger.spot = x, y


def pause_between_taps(page: Page, since: float | None = None) -> None:
    """Pause between two taps, as a person does: what is scrolled to for a tap can come to lie under the last one.

    `since` is from when on nothing was tapped, by the monotonic clock: from now on, if it is left out.
    """
    rested = 0.0 if since is None else (time.monotonic() - since) * 1000
    page.wait_for_timeout(max(0.0, DOUBLE_TAP - rested))


def recorder(page: Page) -> Locator:
    """The part of a game's page in which moves are entered.

    A search by name costs little inside it. In all of the page, Playwright computes the names and styles of hundreds of
    buttons. That was half of the work of a page's process in these tests.
    """
    return page.locator("#recorder")


def record_button(page: Page) -> Locator:
    """What records the move that was entered."""
    return recorder(page).get_by_role("button", name="Record", exact=True)


def field(page: Page) -> Locator:
    """Where the next move is typed."""
    return recorder(page).get_by_label("Move in notation")


def wait_until_stored(page: Page, version: int) -> None:
    """Wait until the page shows the end of a record of so many entries."""
    expect(page.locator("#stepper output")).to_have_text(f"{version} / {version}")


def enter(page: Page, move: str) -> None:
    """Type a move, see what it does as far as that can be known, and record it with the Enter key.

    Nothing typed is held up. A second tap on the same key counts only after a pause, as it may belong to a double tap.
    """
    put_keypad_away(page)
    field(page).fill(move)
    expect(page.locator("#preview[aria-busy=false] > *")).to_be_visible()
    expect(record_button(page)).to_be_enabled()
    field(page).press("Enter")


def put_keypad_away(page: Page) -> None:
    """Put the keypad of a score sheet away, if there is one: the form takes its place."""
    pad = page.locator("#keypad")
    if page.locator(".sheet-game").count():
        pad.locator("summary").wait_for(state="attached")
        page.locator("#recorder[data-offered]").wait_for(state="attached")
    if pad.locator("details[open] > summary").is_visible():
        pad.locator("summary").click()


def refresh(page: Page) -> None:
    """Let the page notice at once what others recorded."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def record_elsewhere(page: Page, service: Service, game: str, *moves: str) -> None:
    """Let somebody else record moves, and wait until the page shows them."""
    service.record(game, *moves)
    refresh(page)
    wait_until_stored(page, len(service.entries(game)))


def lose_network(page: Page) -> None:
    """As it can happen once a page has at hand what is asked for in dialogs, which it has soon after it stands."""
    page.wait_for_function(
        "performance.getEntriesByType('resource').some(({name}) => name.includes('/record/actions'))"
    )
    page.context.set_offline(True)


def show_all_tabs(page: Page) -> None:
    """Show what is behind all tabs of a page at once."""
    page.evaluate("""() => {
      const shown = new CSSStyleSheet();
      shown.replaceSync("[role=tabpanel] { display: block !important; }");
      document.adoptedStyleSheets.push(shown);
    }""")


def about_entry(page: Page, version: int, action: str) -> Locator:
    """Choose what to do about an entry of the record; the dialog that asks for more."""
    entry(page, version).get_by_role("button", name=f"More about entry {version}", exact=True).click()
    return _choose(page, action)


def about_game(page: Page, action: str) -> Locator:
    """Choose what to do about the game; the dialog that asks for more.

    The menu offers what fits the game as the page knew it when it was opened: so it is opened again while it does not.
    """
    menu = page.locator("dialog.sheet")
    for _ in range(5):
        page.get_by_role("button", name="More …", exact=True).click()
        expect(menu).to_be_visible()
        if menu.get_by_role("button", name=action).is_visible():
            break
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
    return _choose(page, action)


def record_more(page: Page) -> None:
    """Bring back the form for moves on the page of a game that is over."""
    page.get_by_role("button", name="More …", exact=True).click()
    page.locator("dialog.sheet").get_by_role("button", name="Show the form for moves").click()
    recorder(page).wait_for()


def _choose(page: Page, action: str) -> Locator:
    page.locator("dialog.sheet").get_by_role("button", name=action).click()
    return page.locator("dialog.form-dialog[open]")


def entry(page: Page, version: int) -> Locator:
    """An entry in the record."""
    return page.locator(f"#record [data-version='{version}']")


def fill_access(service: Service, name: str) -> str:
    """People with phones and roles, invitations, tokens and share links, all of this name; a game of theirs."""
    game, person = service.open("Aiko", name, title=name[:100]), str(uuid7())
    service.open()  # one without a title
    service.api.put(f"/v1/players/{person}", json={"name": name}).raise_for_status()
    service.api.put(f"/v1/roles/{person}", json={"role": "recorder"}).raise_for_status()
    service.api.put(f"/v1/games/{game}/roles/{person}", json={"seats": [0]}).raise_for_status()
    for path, body in (
        ("/v1/tokens", {"name": name, "role": "viewer"}),
        ("/v1/tokens", {"name": name, "person": person}),
        ("/v1/invitations", {"player": person}),
        (f"/v1/games/{game}/invitations", {"seat": 1}),
        (f"/v1/games/{game}/links", {"name": name}),
    ):
        service.api.post(path, json=body).raise_for_status()
    return game


def join_seat(phone: Page, service: Service, game: str, seat: int) -> Page:
    """Type the code of an invitation to a seat: the page of the game, as it is seen from there."""
    made = service.api.post(f"/v1/games/{game}/invitations", json={"seat": seat}).json()
    phone.goto("/join")
    phone.get_by_label("The code of your invitation").fill(made["info"]["code"].lower())
    phone.get_by_role("button", name="Join").click()
    phone.locator("#game[aria-busy=false]").wait_for()
    return phone


def wait_until_true(device: Page, true: Callable[[dict[str, list[str]]], bool]) -> None:
    """Wait until this is true of what is kept."""
    wait_for(device, lambda: true(dict(device.evaluate(KEPT))))


def wait_for(page: Page, happens: Callable[[], Any]) -> None:
    """Wait until this is so, and let the browser tell meanwhile what it does."""
    for _ in range(PATIENCE // 50):
        if happens():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"waited in vain for {happens}, and what is kept is {page.evaluate(KEPT)}")


def wait_until_kept(device: Page, path: str, part: str) -> None:
    """Wait until a page is kept, with this part of it; what is kept of it last is the page itself."""

    def whole(copies: dict[str, list[str]]) -> bool:
        return any(
            name.split(" ")[2] == path and urls[-1].endswith(path) and any(url.endswith(part) for url in urls)
            for name, urls in copies.items()
            if urls
        )

    wait_until_true(device, whole)


def wait_until_loaded(page: Page, path: str) -> None:
    """Wait until a page other than a game's stands. The list's stream keeps the network from ever being idle."""
    if path.partition("?")[0] == "/":
        page.wait_for_load_state("load")
        page.locator(".games, .empty").wait_for()
        page.wait_for_timeout(300)
    else:
        page.wait_for_load_state("networkidle")


def choose_game(page: Page, name: str) -> Locator:
    """Look for a game by its name where one is opened, and tap on it; the form, with all of it unfolded."""
    form = page.locator("#opening form")
    form.get_by_role("searchbox").fill(name)
    form.locator(".playable").get_by_role("button", name=name, exact=True).click()
    expect(form.locator("[data-seat]").first).to_be_visible()
    form.locator("details.more").evaluate("details => { details.open = true; }")
    return form
