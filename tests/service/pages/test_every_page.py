"""Every page speaks one language, fits every screen, and passes axe-core.

axe-core looks at each page in one language. What it finds in the other one alone, `assert_usable` finds, too. Pages
that need no script are read in both languages without a browser, by `test_one_language`.
"""

from __future__ import annotations

import itertools
import re
from itertools import product
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests import goldens, tiers
from tests.choosing import soak_except
from tests.served import serve
from tests.service.pages.conftest import PATIENCE, PHONE, profile
from tests.service.pages.looks import (
    ALL_WIDTHS,
    WIDTHS,
    assert_heading_levels,
    assert_text_fits,
    assert_usable,
    examine,
    unfold,
)
from tests.service.pages.steps import GAMES, fill_access, show_all_tabs, wait_until_loaded
from tests.service.pages.test_layout_page import what_can_be_tapped_in_a_long_record_is_large_enough

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
  #audit .note small, body [data-person], [data-people], [value=kahuna]"""
"""What people typed, names, and codes."""
PAGES = {
    "read": (
        *("/rulesets", "/rulesets/kahuna", "/rulesets/kahuna/notation", "/problems/rule-broken"),
        *("/people", "/statistics", "/year", "/clubs"),
    ),
    "acted on": (
        *("/", "/rulesets/scoresheet/template", "/export", "/import", "/login", "/join?code=x", "/device"),
        "/access",
    ),
}
"""Pages by what is done on them."""
MORE = (
    *("/?q=none", "/login?code=x", "/rulesets/verraeter", "/rulesets/scoresheet", "/rulesets/catan_cards"),
    *("/https", "/problems", "/none", "/people/merges", "/statistics/games", "/tournaments", "/join"),
)
"""Pages that differ least from the others."""
DRAWN = ("/", "/rulesets/scoresheet/template", "/access")
"""Pages that scripts draw: a short run looks at them in Japanese. `test_layout_page` looks at them in English, and
`test_one_language` reads the others.
"""
ENLARGED = ("/", "/rulesets/kahuna", "/rulesets/scoresheet/template", "/login", "/access", "/statistics")
"""Pages that are also looked at with text of twice the size."""
LOCALES = {"en": "en-GB", "ja": "ja-JP"}
PLAYED = (
    *("kahuna/points", "catan_cards/settlement", "manapani/shared_victory"),
    *("scoresheet/wizard", "verraeter/four_players"),
)
"""A finished game of every ruleset. All entries of a page are measured and read: long ones say the same more often."""
SEEN = "kahuna/points"
"""The game that is looked at and examined in a short run, in Japanese. `test_one_language` reads the boards of all
rulesets, and `test_layout_page` looks at a sheet.
"""
JAPANESE = re.compile(r"[぀-ヿ一-鿿]")
ENGLISH = re.compile(r"\b[A-Z]?[a-z]{3,}\b")
SEPARATE = "[lang=en], select[name=ruleset], select[name=template], select[name=club], .entered, #options, option[lang]"
"""What stands in English on a page in Japanese, and says so, or is somebody's own."""
NAMES = re.compile(
    r"、and、or、not）|Aiko|Ben|Chiara|Jonas|Mirela|Mirj\w*|Tom|Anna|Kifu|BG Stats|kifu_|https?://\S+|/none|p\. \d+"
    r"|\b(?:null|true|false)\b"
    r"|\((?:The )?[A-Z][a-z]+(?:(?: (?:the|of))? [A-Z][a-z]+)*\)"  # the English name of a card, behind the Japanese one
)


PICTURED = """() => {
  const {shadowRoot} = document.querySelector("#board");
  const said = [...shadowRoot.querySelectorAll("svg > title, svg text")].map((text) => text.textContent);
  const state = [...document.querySelectorAll("#state > dl dt, #state > dl th")].map((text) => text.textContent);
  const notes = [...document.querySelectorAll("#audit .note small")].map((text) => text.textContent);
  return [...said, ...state, ...notes].filter((text) => /[A-Za-z]{2,}/.test(text));
}"""
"""What the picture, the parts of the state and the notes say with a word of English in it."""
SIGNS = r"[A-Z]{4}(-[A-Z]{4})?|\b[12]?[a-u][ud][12]?\b|Aiko|Jonas|Mirela|Tom"
"""Islands, bridges and places, which are called so in every language, and people."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service of its own: names that other tests typed are words of any language. It has a game of long names."""
    with serve(tmp_path_factory.mktemp("pages")) as running:
        game = running.open("W" * 40, "M" * 40, ruleset="scoresheet", options={"template": "rounds"})
        running.record(game, "r1 5 2", "end")
        running.catch_up()
        yield running


@pytest.fixture(scope="module")
def readers(browser: Browser, service: Service) -> Iterator[dict[str, Page]]:
    """The owner's phones, each in a language that its browser prefers."""
    contexts = {language: profile(browser, service, locale=locale) for language, locale in LOCALES.items()}
    complaints: list[str] = []
    for context in contexts.values():
        context.add_cookies([service.log_in()])
        context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield {language: context.new_page() for language, context in contexts.items()}
    for context in contexts.values():
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def stranger(browser: Browser, service: Service) -> Iterator[Page]:
    """The phone of somebody who is not logged in."""
    context = profile(browser, service)
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
@pytest.mark.parametrize("kind", soak_except([*PAGES, "more"], *PAGES))
def test_pages_speak_one_language_fit_every_screen_and_pass(readers: dict[str, Page], kind: str) -> None:
    for path, (language, page) in product(PAGES.get(kind, MORE), readers.items()):
        if (language == "ja") is not (path in DRAWN) and not tiers.SOAK:
            continue
        page.set_viewport_size(PHONE)
        page.goto(path)
        wait_until_loaded(page, path)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert others(page) == [], path
        unfold(page)
        assert_usable(page, _widths(path))
        if language == "en" or tiers.SOAK:
            page.set_viewport_size(PHONE)
            assert examine(page) == [], path
        if language == "ja" and path == "/access":
            page.get_by_role("button", name="招待する").click()
            expect(page.get_by_role("dialog")).to_contain_text("30 分以内に 1 台のスマートフォンが参加できます。")
            assert others(page) == [], "in its dialog"
        if language == "ja" and path == "/rulesets/scoresheet/template":
            _a_ready_sheet_is_taken_as_a_start_with_what_it_says_in_japanese(page)
        if path in ENLARGED and (language == "en" or path in DRAWN):
            page.keyboard.press("Escape")
            assert_text_fits(page)


def _widths(path: str) -> tuple[int, ...]:
    if path == "/":
        return ALL_WIDTHS
    return WIDTHS if tiers.SOAK else WIDTHS[:1]


def _a_ready_sheet_is_taken_as_a_start_with_what_it_says_in_japanese(page: Page) -> None:
    page.get_by_role("searchbox").fill("ボウリング")
    page.locator("#finder li", has_text="ボウリング").get_by_role("button").click()
    result = page.locator("[data-path=about] textarea")
    expect(result).not_to_have_value("")
    assert re.search("[ぁ-ヿ]", result.input_value())
    assert not re.search("[A-Za-z]{3}", result.input_value())


@pytest.mark.soak  # they have fewer parts than those of the owner
@pytest.mark.usefixtures("filled")
def test_pages_of_strangers_fit_every_screen_and_pass(stranger: Page) -> None:
    for path in (*itertools.chain.from_iterable(PAGES.values()), *MORE):
        stranger.set_viewport_size(PHONE)
        stranger.goto(path)
        wait_until_loaded(stranger, path)
        unfold(stranger)
        assert_usable(stranger)
        stranger.set_viewport_size(PHONE)
        assert examine(stranger, also_dark=False) == [], path


def test_a_pasted_table_fits_every_screen_and_passes(readers: dict[str, Page], service: Service) -> None:
    game = service.open("Aiko", "Jonas", ruleset="scoresheet", options={"template": "skyjo"})
    for language, page in readers.items():
        page.set_viewport_size(PHONE)
        page.goto(f"/games/{game}/table")
        page.locator("textarea").fill("\tAiko\tJonas\n1\t5\tx\n2\t3\t4\nTotal\t9\t9\n")
        page.locator("button[value=try]").click()
        expect(page.locator("[name=rows-4]")).to_have_value("-")
        wait_until_loaded(page, "/table")
        assert_usable(page)
        if language == "en" or tiers.SOAK:
            assert examine(page) == []


def english_of_the_picture(page: Page) -> list[str]:
    """What the picture and the state of a game say in English, but for signs and people."""
    return [
        said
        for said in (re.sub(SIGNS, "", said) for said in page.evaluate(PICTURED))
        if re.search("[A-Za-z]{2,}", said)
    ]


@pytest.mark.parametrize(
    ("name", "language"),
    soak_except(product(dict.fromkeys((*PLAYED, *GAMES)), LOCALES), (SEEN, "ja")),
)
def test_the_pages_of_a_game_speak_one_language_fit_every_screen_and_pass(
    readers: dict[str, Page], service: Service, name: str, language: str
) -> None:
    game = service.import_text((goldens.FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    page = readers[language]
    page.set_viewport_size(PHONE)
    page.goto(f"/games/{game}")
    page.locator("#game[aria-busy=false] #board[aria-busy=false]").wait_for()
    expect(page.locator("#moment .meta")).not_to_be_empty()
    page.locator("#audit .sum").first.wait_for(state="attached")
    if name == SEEN:
        what_can_be_tapped_in_a_long_record_is_large_enough(page)
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert_heading_levels(page)
    show_all_tabs(page)
    page.locator("#rulebook").scroll_into_view_if_needed()
    assert others(page) == []
    if language == "ja" and not name.startswith("scoresheet"):  # its words are those of the sheet's author
        assert english_of_the_picture(page) == []
    assert_usable(page, ALL_WIDTHS if name == SEEN else WIDTHS)
    assert examine(page) == []
    page.set_viewport_size(PHONE)
    page.goto(f"/games/{game}/scoreboard")
    page.locator("#game[aria-busy=false]").wait_for()
    assert others(page) == []
    assert examine(page) == []


@pytest.mark.parametrize("language", soak_except(LOCALES, "ja"))
def test_the_menus_and_dialogs_of_a_game_speak_one_language(
    readers: dict[str, Page], filled: str, language: str
) -> None:
    reader = readers[language]
    asked: set[Request] = set()
    reader.on("request", lambda request: asked.add(request))  # noqa: PLW0108 - no built-in function will do
    reader.on("requestfinished", lambda request: asked.discard(request))  # noqa: PLW0108
    reader.goto(f"/games/{filled}")
    reader.locator("#recorder[data-offered]").wait_for()
    more = reader.locator("#more")
    more.click()
    choices = reader.locator("dialog.sheet[open] .menu button")
    expect(choices.nth(5)).to_be_visible()
    for index in range(choices.count()):
        if index:
            more.click()
        choice = choices.nth(index)
        switches = choice.inner_text()
        choice.click()
        for _ in range(PATIENCE // 20):  # the form of a ruling comes after its ruleset
            if not any("/v1/rulesets/" in each.url for each in asked):
                break
            reader.wait_for_timeout(20)
        assert others(reader) == [], switches
        if reader.locator("dialog[open]").count():
            reader.keyboard.press("Escape")
        expect(reader.locator("dialog[open]")).to_have_count(0)
