"""A page speaks one language: all that is read and all that is only heard, names and codes aside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens
from tests.served import serve
from tests.service.pages.conftest import PATIENCE, PHONE
from tests.service.pages.steps import fill_access, show_all_tabs, wait_until_loaded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Request

    from tests.served import Service

pytestmark = pytest.mark.browser

SAID = """(aside) => {
  const said = [];
  const walk = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const part = node.parentElement ?? node.getRootNode().host;
      if (node.nodeType === Node.TEXT_NODE) {
        if (!part.closest(`${aside}, script, style, noscript`)) said.push(node.data.trim());
        continue;
      }
      if (node.shadowRoot) walk(node.shadowRoot);
      if (node.closest(aside)) continue;
      for (const name of ["aria-label", "aria-description", "title", "placeholder", "alt"])
        if (node.hasAttribute(name)) said.push(node.getAttribute(name));
    }
  };
  walk(document.body);
  return said.filter(Boolean);
}"""
"""All that a page says, also what is folded away, hidden, or heard only, but for some elements."""
TYPED = """bdi, q, code, pre, .brand, .languages, .notation, .choice, .notes, .examples, .files, .editor, #last .what,
  #audit .note small, [data-person], [data-people], [value=kahuna]"""
"""What people typed, names, and codes."""
PATHS = (
    "/",
    "/rulesets",
    "/rulesets/kahuna",
    "/rulesets/kahuna/notation",
    "/rulesets/scoresheet/template",
    "/people",
    "/people/merges",
    "/statistics",
    "/year",
    "/export",
    "/https",
    "/statistics/games",
    "/clubs",
    "/tournaments",
    "/import",
    "/problems",
    "/problems/rule-broken",
    "/login",
    "/join",
    "/device",
    "/access",
    "/none",
)
GAMES = (
    "kahuna/points",
    "verraeter/four_players",
    "manapani/two_players",
    "catan_cards/buildings",
    "scoresheet/wizard",
)
JAPANESE = re.compile(r"[぀-ヿ一-鿿]")
ENGLISH = re.compile(r"\b[A-Z]?[a-z]{3,}\b")
SEPARATE = "[lang=en], select[name=ruleset], select[name=template], select[name=club], .entered, #options, option[lang]"
"""What stands in English on a page in Japanese, and says so, or is somebody's own."""
NAMES = re.compile(
    r"、and、or、not）|Aiko|Ben|Chiara|Jonas|Mirela|Mirj\w*|Tom|Anna|Kifu|BG Stats|kifu_|https?://\S+|/none|p\. \d+"
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of its own: names that other tests typed are words of any language."""
    with serve(tmp_path_factory.mktemp("labels")) as running:
        yield running


@pytest.fixture(scope="module", params=["en", "ja"])
def reader(request: pytest.FixtureRequest, browser: Browser, service: Service) -> Iterator[Page]:
    """The owner's phone, in each language."""
    locale = {"en": "en-GB", "ja": "ja-JP"}[request.param]
    context = browser.new_context(base_url=service.base, locale=locale, viewport=PHONE)
    context.set_default_timeout(PATIENCE)
    context.add_cookies([service.log_in()])
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def filled(service: Service) -> str:
    """People, tokens and links to look at; a game that shows them."""
    return fill_access(service, "Mirjam")


def others(page: Page) -> list[str]:
    """What a page says in another language than its own."""
    japanese = page.locator("html").get_attribute("lang") == "ja"
    wrong, aside = (ENGLISH, f"{TYPED}, {SEPARATE}") if japanese else (JAPANESE, TYPED)
    said = [NAMES.sub("", text) for text in page.evaluate(SAID, aside)]
    assert said
    return [text for text in said if wrong.search(text)]


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("path", PATHS)
def test_a_page_speaks_one_language(reader: Page, path: str) -> None:
    reader.goto(path)
    wait_until_loaded(reader, path)
    assert others(reader) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_a_game_speaks_one_language(reader: Page, service: Service, name: str) -> None:
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    reader.goto(f"/games/{game}")
    reader.locator("#game[aria-busy=false] #board[aria-busy=false]").wait_for()
    expect(reader.locator("#moment .meta")).not_to_be_empty()
    show_all_tabs(reader)
    reader.locator("#rulebook").scroll_into_view_if_needed()
    assert others(reader) == []
    reader.goto(f"/games/{game}/scoreboard")
    reader.locator("#game[aria-busy=false]").wait_for()
    assert others(reader) == []


def test_the_menus_and_dialogs_of_a_game_speak_one_language(reader: Page, filled: str) -> None:
    asked: set[Request] = set()
    reader.on("request", lambda request: asked.add(request))  # noqa: PLW0108 - no built-in function will do
    reader.on("requestfinished", lambda request: asked.discard(request))  # noqa: PLW0108
    reader.goto(f"/games/{filled}")
    reader.locator("#recorder[data-offered]").wait_for()
    more = reader.locator("#more")
    more.click()
    count = reader.locator("dialog.sheet[open] .menu button").count()
    assert count > 5
    for index in range(count):
        if index:
            more.click()
        choice = reader.locator("dialog.sheet[open] .menu button").nth(index)
        switches = choice.inner_text()
        choice.click()
        while any("/v1/rulesets/" in each.url for each in asked):  # the form of a ruling comes after its ruleset
            reader.wait_for_timeout(20)
        assert others(reader) == [], switches
        if reader.locator("dialog[open]").count():
            reader.keyboard.press("Escape")
        expect(reader.locator("dialog[open]")).to_have_count(0)
