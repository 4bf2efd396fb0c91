"""Waiting times on a slow phone: until a page can be used, until an entry is on the screen, and until it is stored.

A real Chromium, four times slower than this machine, loads a page over slow 4G with nothing kept from before. Entries
are typed where the service stands in the same room: without such a network, on the slow processor.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from benchmarks.table import Row
from tests import goldens
from tests.browser import FLAGS, find
from tests.served import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.served import Service

LOADS = 7
SLOWER = 4
"""The factor by which a phone is slower than this machine."""
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1_638_400 / 8, "uploadThroughput": 768_000 / 8}
"""The network of Lighthouse: milliseconds of a round trip, bytes per second."""
GAME = goldens.FOLDER / "kahuna" / "draw.txt"
FINISHED = goldens.FOLDER / "kahuna" / "points.txt"
UNDER_WAY = 40
"""The number of moves of the game before the first typed one."""
ENTRIES = 30
PHONE: Any = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "locale": "en-GB"}


BLOCKED = """
  globalThis.blocked = [];
  new PerformanceObserver((seen) => seen.getEntries().forEach((task) => blocked.push(task.startTime + task.duration)))
    .observe({ type: "longtask", buffered: true });
"""
"""Record the end of each task that blocked the page for more than 50 ms."""

USABLE = """() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
  done(Math.max(...blocked, performance.now()));
})))"""
"""The milliseconds since navigation, once the current content is painted and no long task runs."""

ENTERED = """() => new Promise((done) => {
  const find = (selector) => document.querySelector(selector);
  const [button, count, predicted] = [find("#recorder button.record"), find("#stepper output"), find("#predicted")];
  const [before, label] = [count.textContent, button.textContent];
  const [begun, seen] = [performance.now(), {}];
  const painted = (what) => {
    if (what in seen) return;
    seen[what] = null;  // taken when it is painted
    requestAnimationFrame(() => setTimeout(() => {
      seen[what] = performance.now() - begun;
      if (seen.recorded) done(seen);
    }));
  };
  new PerformanceObserver((found) => found.getEntries().forEach(({ name, responseEnd }) => {
    if (name.includes("/events?look=")) seen.stored = responseEnd - begun;
  })).observe({ type: "resource" });
  new MutationObserver(() => {
    if (button.textContent !== label) painted("told");
    if (predicted.textContent || count.textContent !== before) painted("shown");
    if (count.textContent !== before) painted("recorded");
  }).observe(find("#game"), { subtree: true, childList: true, characterData: true });
  button.click();
})"""
"""Record what is in the field; the milliseconds until the button answers, the entry stands there, it is stored, and the
record has it."""


def run() -> list[Row]:
    """All figures; none without Chromium."""
    path = find()
    if path is None:
        print("no Chromium was found: the pages are not measured")
        return []
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder)) as service,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=path, args=FLAGS) as browser,
    ):
        moves = [entry.text for entry in goldens.game(GAME).entries]
        game = service.open("Anna", "Björn")
        service.record(game, *moves[:UNDER_WAY])
        over = service.import_text(FINISHED.read_text(encoding="utf-8"))
        service.catch_up()
        pages = {
            "list": ("/", "footer"),
            "game": (f"/games/{over}", "#game[aria-busy=false] #board[aria-busy=false] svg"),
            "recording page": (f"/games/{game}", "#game[aria-busy=false] .choice"),
        }
        loads = {name: _loads(browser, service, *where) for name, where in pages.items()}
        entries = _entries(browser, service, game, moves[UNDER_WAY : UNDER_WAY + ENTRIES])
    return [
        *(
            Row(f"{name} on slow 4G, until it can be used", median(times), "ms", target="<= 1500")
            for name, times in loads.items()
        ),
        *_figures("Record tapped until the button answers", [each["told"] for each in entries], ""),
        *_figures("until the entry is on the screen", [each["shown"] for each in entries], "<= 100"),
        *_figures("until it is stored", [each["stored"] for each in entries], "<= 300"),
        *_figures("until the record has it, board and all", [each["recorded"] for each in entries], ""),
    ]


def _figures(name: str, times: list[float], target: str) -> Iterator[Row]:
    yield Row(f"{name}, median", median(times), "ms", target=target)
    yield Row(f"{name}, p95", quantiles(times, n=20)[-1], "ms", target=target)


def _known(service: Service) -> Any:
    """The storage state of a logged-in browser."""
    return [service.cookie]


def _slow(page: Page, network: dict[str, Any] | None = None) -> None:
    """Slow a page down to the speed of a phone, and to that of a network if given."""
    control = page.context.new_cdp_session(page)
    control.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    if network:
        control.send("Network.enable")
        control.send("Network.emulateNetworkConditions", network)


def _loads(browser: Browser, service: Service, path: str, usable: str) -> list[float]:
    """Milliseconds until a page can be used, each time in a new browser without a cache."""
    return [_load(browser, service, path, usable) for _ in range(LOADS)]


def _load(browser: Browser, service: Service, path: str, usable: str) -> float:
    context = browser.new_context(base_url=service.base, service_workers="block", **PHONE)
    context.add_cookies(_known(service))
    context.add_init_script(BLOCKED)
    page = context.new_page()
    _slow(page, SLOW_4G)
    page.goto(path, wait_until="commit")
    page.locator(usable).first.wait_for()
    took: float = page.evaluate(USABLE)
    context.close()
    return took


def _entries(browser: Browser, service: Service, game: str, moves: list[str]) -> list[dict[str, float]]:
    """The waiting times of each entry, while the moves of a game are typed."""
    context = browser.new_context(base_url=service.base, service_workers="block", **PHONE)
    context.add_cookies(_known(service))
    page = context.new_page()
    page.goto(f"/games/{game}")
    page.locator(".choice").first.wait_for()
    _slow(page)
    taken = []
    for move in moves:
        page.get_by_label("Move in notation").fill(move)
        page.locator("#preview[aria-busy=false] > *").first.wait_for()
        taken.append(page.evaluate(ENTERED))
        page.locator("#recorder button.record:disabled").wait_for()
    context.close()
    return taken
