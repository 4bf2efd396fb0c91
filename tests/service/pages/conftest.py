"""A real Chromium in front of a real server: one of each for every test worker, a fresh browser profile a test."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from games.rulesets import RULESETS
from service.app import create_app
from service.settings import Settings
from tests import goldens
from tests.browser import FLAGS, MISSING, environment, find
from tests.plugins import reversi
from tests.served import Service, serve
from tests.service.conftest import Api
from tests.service.entries import entry, recorded_entry, send
from tests.service.pages.steps import DEAL, PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Frame, Page, ViewportSize

    Scheme = Literal["light", "dark"]

DRIVER = Path(__file__).with_name("driver.cjs")
"""What Playwright's driver is to leave out."""
PHONE: ViewportSize = {"width": 360, "height": 740}
LEFT = "sessionStorage.setItem('kifu:left', 'yes')"
"""Says in a tab that a test has left it."""
FORGET = """(() => {
  if (location.protocol !== "http:" || self.origin === "null" || !sessionStorage.getItem("kifu:left")) return;
  sessionStorage.removeItem("kifu:left");
  localStorage.clear();
  indexedDB.deleteDatabase("kifu");
})()"""
"""Forgets what the last test left, before the first page of the next one begins, and after the last page has ended. To
open an empty page in between cost a tenth of a second of processor time, a third of what the page of a game costs.
"""
ASIDE = "/static/icon.svg"
"""A picture without scripts, of the same site as the pages."""
FORGET_ALL = """async () => {
  localStorage.clear();
  for (const name of await caches.keys()) await caches.delete(name);
  await new Promise((done) => {
    const gone = indexedDB.deleteDatabase("kifu");
    gone.onsuccess = gone.onerror = gone.onblocked = done;
  });
}"""
"""Forgets all that a browser kept, while no page that keeps anything is open."""
EXPECTED = ("Failed to load resource", "Service Worker registration blocked by Playwright", "The resource http")
"""Messages of Chromium that tests cause on purpose: about every refusal and every lost connection. There is also one
where no worker is to answer instead of the network, so that tests can hold it up. Another one says that something was
preloaded and not used for a while, because scripts take their time on a busy machine. `test_weight_page` checks that
all of it is used.
"""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = find()
    if path is None:
        pytest.skip(MISSING)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with ExitStack() as running:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NODE_OPTIONS", f'--require "{DRIVER}"')
            playwright = running.enter_context(sync_playwright())
        yield playwright.chromium.launch(executable_path=path, args=FLAGS, env=environment())


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serve(tmp_path_factory.mktemp("service")) as running:
        yield running


def profile(
    browser: Browser,
    service: Service,
    *,
    locale: str = "en-GB",
    service_workers: Literal["allow", "block"] = "block",
) -> BrowserContext:
    """A browser of somebody on a phone who wants no motion, in which nothing is kept yet."""
    context = browser.new_context(
        base_url=service.base,
        has_touch=True,
        locale=locale,
        viewport=PHONE,
        service_workers=service_workers,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    return context


def forget_routes(page: Page) -> None:
    """Let no answer be changed any more. What still waits for its answer would fail in the next test."""
    page.unroute_all(behavior="ignoreErrors")


class Visitor:
    """Somebody with a browser. The page is kept and cleaned between tests: a new one costs more than most tests."""

    def __init__(self, browser: Browser, service: Service) -> None:
        self._service = service
        self.complaints: list[str] = []
        self._left = False
        context = profile(browser, service)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("dialog", self._dismiss)
        context.add_init_script(FORGET)
        self._page = context.new_page()
        self._page.on("framenavigated", self._arrive)

    def visit(
        self,
        path: str,
        *,
        owner: bool = True,
        viewport: ViewportSize = PHONE,
        color_scheme: Scheme = "light",
        motion: bool = False,
    ) -> Page:
        """Open a page on a screen of this size, in light or in dark, logged in or not, with motion or without.

        Without it a tap takes a fifth less processor time.
        """
        if owner:
            self._page.context.add_cookies([self._service.cookie])
        else:
            self._page.context.clear_cookies()
        self._page.set_viewport_size(viewport)
        wanted: Literal["no-preference", "reduce"] = "no-preference" if motion else "reduce"
        self._page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion=wanted)
        if "#" in path:  # a place of the page that the last test left would not load it again
            self._page.goto("about:blank")
        self._page.goto(path)
        assert self._page.evaluate("String(setTimeout)").endswith("{ [native code] }"), "scripts stay in the page"
        return self._page

    def leave(self) -> None:
        """Forget all that the last test left in the browser."""
        context = self._page.context
        forget_routes(self._page)
        context.set_offline(False)
        context.clear_cookies()
        for other in context.pages:
            if other is not self._page:
                other.close()
        if not self._page.url.startswith(self._service.base):
            self._page.goto("/none")
        self._page.evaluate(LEFT)
        self._left = True

    def _arrive(self, _: Frame) -> None:
        """What the page of the last test says when it ends is nothing that the next one has caused."""
        if self._left:
            self.complaints.clear()
            self._left = False

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(EXPECTED):
            self.complaints.append(message.text)

    def _dismiss(self, dialog: Dialog) -> None:
        """No page of ours has any: it is a script that somebody typed, and that runs."""
        self.complaints.append(f"a dialog says {dialog.message}")
        dialog.dismiss()


class Browsing:
    """A browser profile that stays, with a new page for each test: another profile would start and compile all anew.

    A page that stands aside keeps its process alive.
    """

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._complaints: list[str] = []
        context.on("weberror", lambda error: self._complaints.append(str(error.error)))
        context.on("console", self._hear)
        self._aside = context.new_page()
        self._aside.goto(ASIDE)

    @classmethod
    def kept(
        cls, browser: Browser, service: Service, *, service_workers: Literal["allow", "block"] = "block"
    ) -> Iterator[Browsing]:
        """A profile for all tests."""
        context = profile(browser, service, service_workers=service_workers)
        yield cls(context)
        context.close()

    def page(self, *cookies: dict[str, str]) -> Iterator[Page]:
        """A page of somebody with these cookies. Every complaint in the console fails the test."""
        self._aside.evaluate(FORGET_ALL)
        self._complaints.clear()
        self._context.add_cookies([*cookies])
        yield self._context.new_page()
        complaints = list(self._complaints)
        for page in self._context.pages:
            if page is not self._aside:
                forget_routes(page)
                page.close()
        self._context.set_offline(False)
        self._context.clear_cookies()
        assert complaints == []

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(EXPECTED):
            self._complaints.append(message.text)


@pytest.fixture(scope="package")
def visitor(browser: Browser, service: Service) -> Visitor:
    return Visitor(browser, service)


@pytest.fixture
def visit(visitor: Visitor) -> Iterator[Callable[..., Page]]:
    """Open a page, as `Visitor.visit` has it. Every complaint in the console fails the test."""
    yield visitor.visit
    complaints = list(visitor.complaints)
    visitor.leave()
    assert complaints == []


@pytest.fixture(scope="package")
def finished(service: Service) -> str:
    """A game that was played to its end."""
    return service.import_text((goldens.FOLDER / "kahuna" / "points.txt").read_text(encoding="utf-8"))


@pytest.fixture
def game(service: Service) -> str:
    """A game that has just been dealt."""
    game = service.open()
    service.record(game, DEAL)
    return game


@pytest.fixture(scope="package")
def strangers(browser: Browser, service: Service) -> Iterator[Browsing]:
    """Another browser than the owner's."""
    yield from Browsing.kept(browser, service)


@pytest.fixture
def phone(strangers: Browsing) -> Iterator[Page]:
    """A page of another browser than the owner's, where nobody is logged in."""
    yield from strangers.page()


@pytest.fixture
def unreadable_game(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game of a ruleset that is not here, recorded at a service that has it."""
    monkeypatch.setitem(RULESETS, "reversi", reversi())
    app = create_app(Settings(data=tmp_path / "elsewhere"))
    there = Api(app)
    game = there.open(ruleset="reversi", title="In the park", seats=[{"name": "Anna"}, {}])
    assert there.record(game, "f5", "f6").status_code == 201
    recorded_entry(send(there, game, entry("note.added", text="what a game")))
    record = there.get(f"/v1/games/{game}/export?names=true").data
    app.close()
    answer = service.api.post("/v1/imports", content=record, headers={"Content-Type": "application/x-ndjson"})
    assert answer.status_code == 201, answer.text
    return service.show(game)


@pytest.fixture(scope="package")
def owner_browser(browser: Browser, service: Service) -> Iterator[Browsing]:
    """The owner's phone, which keeps what it saw."""
    yield from Browsing.kept(browser, service, service_workers="allow")


@pytest.fixture
def device(owner_browser: Browsing, service: Service) -> Iterator[Page]:
    """A page of the owner's phone, where nothing is kept yet."""
    yield from owner_browser.page(service.log_in())


@pytest.fixture
def page(visit: Callable[..., Page], game: str) -> Page:
    """The game's page, ready for the first move."""
    page = visit(f"/games/{game}")
    page.locator(".choice").first.wait_for()
    return page
