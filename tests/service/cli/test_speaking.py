"""The command line speaks the language of its terminal, or the one that is named; what programs read is the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from service import languages
from service.cli.commands import kifu as command
from service.cli.shell import helping
from tests.cases import cases

JAPANESE = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "ja_JP.UTF-8"}
KANA = re.compile("[ぁ-んァ-ヶ一-龠]")


@cases(
    ("environment", "tag"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja"}, "ja"),
        ({"LANG": "ja_JP.eucJP@extra"}, "ja"),
        ({"LC_MESSAGES": "ja_JP.UTF-8", "LANG": "en_GB.UTF-8"}, "ja"),
        ({"LC_ALL": "C", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LC_CTYPE": "ja_JP.UTF-8", "LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "../ja"}, "en"),
        ({"LANG": "POSIX"}, "en"),
    ],
)
def test_the_language_of_a_terminal_is_the_first_that_its_environment_says(environment, tag):
    assert languages.locale_of_terminal(environment) == tag


def test_help_is_in_the_language_that_is_named_and_in_english_again_afterwards(kifu):
    output = kifu("--lang", "ja", "show", "--help")
    assert output.startswith("使い方: kifu show ")
    assert "盤面" in output
    assert "この説明を表示して終わる。" in output
    assert kifu("show", "--help").startswith("Usage: kifu show ")
    assert "Show this message and exit." in kifu("show", "-h")


def test_help_is_in_the_language_of_the_terminal_unless_another_one_is_named(kifu):
    assert kifu("--help", **JAPANESE).startswith("使い方: kifu ")
    assert kifu("--lang", "en", "--help", **JAPANESE).startswith("Usage: kifu ")


def test_a_language_that_is_not_there_is_refused(kifu):
    assert "'xx' is not one of 'en', 'ja'" in kifu.fails("--lang", "xx", "games", code=2)


def test_every_command_and_option_is_explained_in_japanese():
    languages.set_language("ja")
    try:
        assert [text for _, text in helping.texts(command) if not KANA.search(languages.gettext(text))] == []
    finally:
        languages.set_language("en")


def test_click_still_says_what_the_catalogue_has_of_it():
    result = "".join(path.read_text(encoding="utf-8") for path in Path(click.__file__).parent.glob("*.py"))
    counted = [text for forms in helping.CLICK_COUNTS for text in forms]
    assert [text for text in (*helping.CLICK, *counted) if json.dumps(text)[1:-1] not in result] == []


@pytest.mark.slow
def test_a_game_is_recorded_and_told_in_japanese(kifu):
    game = kifu.play()
    output = kifu("show", game, **JAPANESE)
    assert "黒 Anna, 白 Ben" in output
    assert "Anna の番" in output
    listed = kifu("games", **JAPANESE)
    assert "進行中" in listed
    assert "プレイヤー" in listed
    replayed = kifu("replay", game, "--all", **JAPANESE)
    assert "黒が初手番。山札は 15 枚" in replayed
    assert kifu("note", game, "a note", **JAPANESE).startswith("記入 7 としてメモを残しました。")


def test_what_is_refused_is_told_in_japanese_with_its_advice(kifu):
    game = kifu.play()
    refused = kifu.fails("record", game, "-", stdin="white: +\n", **JAPANESE)
    assert "標準入力、1 行目" in refused
    assert "いまは黒の手番で、白の手番ではありません (kahuna:SET-2)" in refused
    assert "--override" in refused
    unknown = kifu.fails("show", "0000abcd", **JAPANESE)
    assert "0000abcd で始まるか終わる ID のゲームはありません" in unknown
    assert "エラー: 引数が足りません: 'GAME'" in kifu.fails("show", code=2, **JAPANESE)


@pytest.mark.slow
def test_programs_read_the_same_in_every_language(kifu):
    game = kifu.play()
    for words in (("replay", game), ("show", game), ("score", game), ("rulesets", "kahuna"), ("games",)):
        assert kifu(*words, "--json", **JAPANESE) == kifu(*words, "--json")
    assert kifu("export", game, "--format", "text", **JAPANESE) == kifu("export", game, "--format", "text")
