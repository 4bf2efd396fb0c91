"""Rulebooks in other languages: that of every ruleset is there and whole, and what one gets wrong is found."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from games.examination.translations import differences
from games.kahuna import KAHUNA
from games.rulebook import Rulebook
from games.rulesets import SHIPPED
from tests.plugins import reversi

ENGLISH = """# Nim

Two players take sticks from a heap of fifteen. See `kifu`.

## Play

### TURN-1 Taking / 棒を取る

In a turn a player takes up to three sticks, by `take 3`, and notes them (END-2).

* `points`: points for a seat.
* `resign`: a seat gives up.

### END-2 The last stick / 最後の棒

Whoever takes the last stick scores 1 point. Half of the third heap stays.

| heap | sticks |
|---|---|
| second | 8 |
"""

JAPANESE = """# ニム

2人のプレイヤーが、15本の山から棒を取る。`kifu` を参照。

## プレイ

### TURN-1 棒を取る

手番では `take 3` により三本までの棒を取り、書き留める（END-2）。

* `points`：席に与える得点。
* `resign`：席が投了する。

### END-2 最後の棒

最後の棒を取った人が1点を得る。第3の山の半分は残る。

| 山 | 本数 |
|---|---|
| 第2 | 8 |
"""

FAULTS = {
    "a rule is missing": ("### END-2 最後の棒\n", "", "RULES.ja.md has nothing where RULES.md has ### END-2"),
    "a rule has another id": ("### END-2", "### END-3", "RULES.ja.md has ### END-3 where RULES.md has ### END-2"),
    "a chapter is another rank": ("## プレイ", "# プレイ", "RULES.ja.md has # 2 where RULES.md has ## 1"),
    "a rule has another title": (
        "### END-2 最後の棒",
        "### END-2 終わり",
        "calls nim:END-2 '終わり', RULES.md '最後の棒'",
    ),
    "a text is empty": ("2人のプレイヤーが、15本の山から棒を取る。`kifu` を参照。\n", "", "# 1: the text is empty"),
    "a text stayed English": (
        "手番では",
        "In a turn a player takes",
        "### TURN-1: it stayed English: 'a turn a player takes'",
    ),
    "a number is another": ("三本", "四本", "### TURN-1: it lacks the numbers 3"),
    "a figure is another": ("1点", "5点", "### END-2: it lacks the numbers 1"),
    "a number is added": ("残る", "7本残る", "### END-2: it has the numbers 7 of its own"),
    "a spelled number is lost": ("15本の", "", "# 1: it lacks the numbers 15"),
    "a number in a table is another": ("| 8 |", "| 9 |", "### END-2: it lacks the numbers 8"),
    "code is another": ("`take 3`", "`take 4`", "### TURN-1: the code `take 3`, `take 4` stand in one of them alone"),
    "code is translated": ("`points`", "`得点`", "### TURN-1: the code `points`, `得点` stand in one of them alone"),
    "a reference is lost": ("（END-2）", "", "### TURN-1: the rules END-2 stand in one of them alone"),
    "an item is lost": (
        "* `resign`：席が投了する。",
        "`resign`",
        "### TURN-1: it has other paragraphs, lists or tables",
    ),
    "a row is lost": ("| 第2 | 8 |", "8", "### END-2: it has other paragraphs, lists or tables"),
}


def told(markdown: str, language: str = "ja") -> list[str]:
    """What a translation of the small rulebook does otherwise."""
    english = Rulebook.parse("nim", ENGLISH)
    return list(differences(english, english.translated("nim", markdown, language)))


def test_every_ruleset_is_told_whole_in_japanese(ruleset):
    book = ruleset.rulebook_in("ja")
    assert [rule.id for rule in book.values()] == list(ruleset.rulebook)
    assert {rule.lang for rule in book.values()} == {"ja"}
    assert list(differences(ruleset.rulebook, ruleset.translations["ja"])) == []


def test_the_ruleset_of_the_example_is_told_in_japanese():
    found = reversi()
    assert list(differences(found.rulebook, found.translations["ja"])) == []


def test_a_true_translation_is_found_true():
    assert told(JAPANESE) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_translation_gets_wrong_is_named_with_its_place(fault: str):
    right, wrong, why = FAULTS[fault]
    assert right in JAPANESE
    result = told(JAPANESE.replace(right, wrong, 1))
    assert any(why in each for each in result), result


def test_a_language_in_which_numbers_are_spelled_out_is_held_to_its_figures():
    french = JAPANESE.replace("15本", "quinze").replace("三本", "trois")
    assert told(french, "fr") == []
    assert told(french.replace("1点", "5点"), "fr") != []


def test_a_language_without_a_rulebook_or_with_a_part_of_one_is_answered_in_english(monkeypatch):
    assert KAHUNA.rulebook_in("fr") is KAHUNA.rulebook
    part = KAHUNA.rulebook.translated("kahuna", "### CARD-1 各島のカードは2枚\n\n2枚ずつある。\n", "ja")
    monkeypatch.setitem(vars(KAHUNA), "translations", MappingProxyType({"ja": part}))
    assert KAHUNA.rulebook_in("ja") is KAHUNA.rulebook


def test_titles_and_texts_are_in_the_language_that_a_rule_says():
    rule = SHIPPED["kahuna"].rulebook_in("ja")["kahuna:DRAW-2"]
    assert (rule.lang, rule.title, rule.text) == ("ja", "手札の上限は5枚", "手札が5枚のときは補充できない。")
    english = SHIPPED["kahuna"].rulebook["kahuna:DRAW-2"]
    assert (english.lang, english.title) == ("en", "Five cards in hand")
    assert (rule.id, rule.en, rule.ja) == (english.id, english.en, english.ja)
