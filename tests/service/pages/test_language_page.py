"""Pages in Japanese: as the browser prefers, as somebody chose, without a network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.service.pages.conftest import profile
from tests.service.pages.looks import examine
from tests.service.pages.steps import (
    DEAL,
    KEPT,
    wait_for,
    wait_until_kept,
    wait_until_stored,
    wait_until_true,
)
from tests.service.pages.test_one_screen_page import from_where_it_is_seen_can_be_read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.served import Service

pytestmark = pytest.mark.browser

ENGLISH = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const {data, parentElement} = walker.currentNode;
    if (!parentElement.checkVisibility() || parentElement.closest("code, bdi, [lang=en], script, select[name=ruleset]"))
      continue;
    if (/[A-Za-z]{3,} [a-z]{2,}/.test(data)) found.push(data.trim());
  }
  return found;
}"""
"""Texts on the page that look like English, but for what people typed, and code."""
ENGLISH_OF_THE_PAGE = ENGLISH.replace("code, ", "code, .notation, .notes, q, .hint, .effects, .flags, .choice, ")
"""The same of a game's page, but for moves, and the words of rulesets and sheets."""


@pytest.fixture(scope="module")
def reader(browser: Browser, service: Service) -> Iterator[Page]:
    """The owner's phone, with a browser that prefers Japanese."""
    context = profile(browser, service, locale="ja-JP")
    context.add_cookies([service.log_in()])
    complaints: list[str] = []
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert complaints == []


@pytest.mark.soak  # `test_every_page` reads the page, its menus and dialogs in Japanese
def test_a_move_is_recorded_and_corrected_in_japanese(reader: Page, service: Service) -> None:
    game = service.open("花子", "Ben")
    service.record(game, DEAL, "BARI-DUDA")
    reader.goto(f"/games/{game}")
    reader.locator(".choice").first.wait_for()
    expect(reader.locator("#turn")).to_have_text("花子の手番")
    from_where_it_is_seen_can_be_read(reader)
    expect(reader.locator("#moment .effects")).to_contain_text("花子が BARI-DUDA に橋を架けました")
    reader.locator("#move").fill("white: +")
    expect(reader.locator("#preview")).to_contain_text("いまは花子の手番で、Benの手番ではありません")
    reader.locator("#move").fill("")
    reader.get_by_role("button", name="元に戻す").click()
    dialog = reader.get_by_role("dialog")
    expect(dialog).to_contain_text("記入 3 を取り消しますか?")
    expect(dialog).to_contain_text("花子が BARI-DUDA に橋を架けました")
    assert reader.evaluate(ENGLISH_OF_THE_PAGE) == []
    dialog.get_by_role("button", name="取り消す").click()
    expect(reader.locator("#record [data-version='3']")).to_contain_text("取り消し済み")
    expect(reader.locator("#record [data-version='4']")).to_contain_text("記入 3 を取り消しました")
    assert examine(reader, also_dark=False) == []


@pytest.mark.soak  # `test_every_page` reads a sheet with its audit in Japanese
def test_a_sheet_is_kept_in_japanese_and_goes_by_the_japanese_names_of_its_columns(
    reader: Page, service: Service
) -> None:
    """Where its lines are filled in, in what follows from them, in the audit and in the state."""
    seats = [{"name": "花子"}, {"name": "健"}]
    game = service.open(ruleset="scoresheet", options={"template": "wizard"}, seats=seats)
    reader.goto(f"/games/{game}")
    keypad = reader.locator("#keypad")
    keypad.get_by_role("button", name="1", exact=True).click()
    keypad.get_by_role("button", name="次のプレイヤー").click()
    keypad.get_by_role("button", name="0", exact=True).last.click()  # beside the quick key
    keypad.get_by_role("button", name="この行を書き込む").click()
    expect(reader.locator("#record [data-version='2']")).to_be_attached()
    service.record(game, "r1 tricks 1 0", "r1 p2 bid 1", "p1 +5 x")
    wait_until_stored(reader, 5)
    expect(reader.locator(".blanks summary")).to_have_text(["ラウンド 2、ビッド", "ラウンド 2、トリック"])
    expect(reader.locator("#record [data-version='3'] .effects")).to_contain_text("花子がラウンド 1、トリック、1を記入")
    reader.get_by_role("tab", name="得点").click()
    expect(reader.locator("#audit .sum")).to_have_text(re.compile(r"^記入 5 の直後: "))
    lines = reader.locator("#audit tbody")
    expect(lines).to_contain_text(
        "r1 得点 = 20 + 10 * トリック if トリック == ビッド else -10 * abs(トリック - ビッド)"
    )
    expect(lines).to_contain_text("（ビッド 1、トリック 1）")
    expect(lines.locator("tr:not(.note) td:first-child")).to_have_text(["ラウンド 1", "ラウンド 1", "ボーナス"])
    reader.get_by_role("tab", name="卓上").click()
    assert re.findall("[A-Za-z]{3,}", reader.locator("#state").inner_text()) == []


@pytest.mark.soak
def test_labels_of_a_sheet_are_in_japanese_where_the_keypad_is_put_away(reader: Page, service: Service) -> None:
    seats = [{"name": "花子"}, {"name": "健"}]
    game = service.open(ruleset="scoresheet", options={"template": "win_loss_draw"}, seats=seats)
    reader.goto(f"/games/{game}")
    reader.locator("#keypad summary").click()
    keys = reader.locator(".blanks .keys")
    expect(keys.first.get_by_role("button")).to_have_text(["勝ち", "引き分け", "負け"])
    keys.first.get_by_role("button", name="勝ち").click()
    expect(keys.first.get_by_role("button", name="勝ち")).to_have_attribute("aria-pressed", "true")
    keys.last.get_by_role("button", name="負け").click()
    expect(reader.locator("#move")).to_have_value("result win loss")
    reader.locator("#recorder .record").click()
    expect(reader.locator("#record [data-version='2']")).to_contain_text("勝ち")
    reader.evaluate("localStorage.removeItem('kifu:keypad')")  # for the next person


RENEW = "async () => (await navigator.serviceWorker.ready).update()"
RENEWED = """async () => {
  const {installing, waiting} = await navigator.serviceWorker.ready;
  return !installing && !waiting;
}"""


def is_unkept_in(device: Page, language: str) -> bool:
    """Go without a network to a page that is not kept: whether the worker says so in this language.

    It does after its next update. A browser joins an update to one that runs already, and that one may have asked
    before the language was chosen.
    """
    device.context.set_offline(False)
    device.goto("/")
    device.evaluate(RENEW)
    device.wait_for_function(RENEWED)
    device.context.set_offline(True)
    device.goto("/rulesets/kahuna")
    return device.locator("html").get_attribute("lang") == language


def test_without_a_network_all_is_in_the_language_that_was_chosen_last(device: Page) -> None:
    device.goto("/")
    wait_until_kept(device, "/", "/v1/components/kahuna")
    before = {name for name, _ in device.evaluate(KEPT)}
    device.get_by_role("button", name="日本語").click()
    expect(device.locator("html")).to_have_attribute("lang", "ja")
    wait_until_true(device, lambda copies: bool(copies) and not before & set(copies))
    wait_until_kept(device, "/", "words/ja/games.js")
    wait_for(device, lambda: is_unkept_in(device, "ja"))
    expect(device.locator("h1")).to_have_text("接続できません")
    device.goto("/")
    expect(device.locator("html")).to_have_attribute("lang", "ja")
    expect(device.locator("#connection")).to_have_text(re.compile("^接続できません。 ?.*時点の内容です。"))
