"""What rulesets say of games at random, with slips: nothing of it is English in Japanese, and one card is no cards."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from games import adjustments
from games.errors import ImpossibleError, NotationError
from games.examination.forms import any_move
from games.examination.plays import random_game, random_game_with_rulings
from games.rulesets import SHIPPED
from games.words import Sentence
from projections.timeline import explain
from service.languages import sentences
from service.languages.plain import translated_to
from tests.cases import cases
from tests.english import english
from tests.games.garbling import garbled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Ruleset, State

COUNTED = "cards|chips|points|resources|winners|spaces|islands|bridges|posts|rounds|seats|cells|dice|actions|houses"
ONE = re.compile(rf"(?<![\w.,/:-])(?<!layer )(?<!seat )1 (?:trading )?(?:{COUNTED})\b")
"""One of what there should be several of. A number after `player` is no count."""
DOUBLED = re.compile(r"です ?です|ます ?です|です。か|\b(?:or|and|has|is|of|should|stand|here|none)\b")
"""What a Japanese sentence has if a part of it was none, or stayed English."""


@cache
def _states(name: str) -> list[State]:
    """States of games without and with a referee."""
    return [
        step.before for way in (random_game, random_game_with_rulings) for step in way(SHIPPED[name], 0, 1).steps[::6]
    ]


@cache
def _said(name: str) -> tuple[str, ...]:
    """What follows, what is broken and why something cannot be, where anything is tried; what tables and audits have.

    They are sentences, or texts with terms in them.
    """
    return tuple(dict.fromkeys(_told(SHIPPED[name])))


def _told(ruleset: Ruleset) -> Iterator[str]:
    chance = random.Random(ruleset.name)
    for way in (random_game, random_game_with_rulings):
        for step in way(ruleset, 0, 1).steps:
            yield from (explain(ruleset, effect).text for effect in step.effects)
    for at, state in enumerate(_states(ruleset.name)):
        for _ in range(25):
            move = any_move(ruleset, state.seats, chance)
            yield from (breach.why for breach in state.breaches(move))
            try:
                yield from (explain(ruleset, effect).text for effect in state.copy().apply(move))
            except ImpossibleError as error:
                yield error.why
        if at % 4 == 0:
            yield from (line.note for line in state.scores())
            for table in state.tables():
                yield from (table.caption, *table.columns, *(cell for row in table.rows for cell in row))


@cache
def _refused(name: str) -> tuple[str, ...]:
    """Why lines that went wrong are not read."""
    ruleset, chance, found = SHIPPED[name], random.Random(name), {}
    for state in _states(name):
        lines = [state.notation(move) for move, _ in zip(state.legal_moves(), range(20), strict=False)]
        for _ in range(40):
            text = state.notation(any_move(ruleset, state.seats, chance))
            if lines and chance.random() < 0.7:
                text = garbled(chance.choice((text, *lines)), lines, chance)
            text = text if chance.random() < 0.7 else " ".join(text.split()[: chance.randrange(1, 3)])
            try:
                state.parse(text)
            except NotationError as error:
                found[error.why] = None
    return tuple(found)


def _known(name: str) -> re.Pattern[str]:
    """What stands in English in Japanese, too: what is typed. A sheet has ids of its own."""
    typed = {"kahuna": "black|white|deal|row|show", "scoresheet": r"[a-z]+(?:_[a-z]+)*|First to|Auction|ruling"}
    return re.compile(rf"\b(?:{typed.get(name, '(?!)')}|leave)\b")


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.slow
def test_what_happens_and_why_something_is_refused_has_no_english_in_japanese(name: str) -> None:
    for text in _said(name):
        result = (
            sentences.translated_sentence(text, "ja", name)
            if isinstance(text, Sentence)
            else sentences.with_translated_terms(text, "ja", name)
        )
        assert not english(result, _known(name)), (text, result)
        assert not DOUBLED.search(result), (text, result)


@pytest.mark.parametrize("name", [name for name in SHIPPED if name != "scoresheet"])
def test_why_a_line_is_not_read_has_no_english_in_japanese(name: str) -> None:
    for why in _refused(name):
        result = translated_to("ja", why, name)
        assert not DOUBLED.search(re.sub(r"[a-z0-9]+(?:, [a-z0-9]+)+", "", result)), (why, result)


@cases("name", SHIPPED)
def test_one_card_is_no_cards(name: str) -> None:
    assert [text for text in (*_said(name), *_refused(name)) if ONE.search(text)] == []


@cases("text", ["player 1 holds 1 cards", "expected 1 chips here", "the row has 1 cards"])
def test_a_wrong_plural_is_found(text: str) -> None:
    assert ONE.search(text)


@cases("text", ["The referee gave Player 1 points: 1", "10 cards", "1 card", "2.1 points", "seat 1 cards"])
def test_no_other_number_is_taken_for_a_wrong_plural(text: str) -> None:
    assert not ONE.search(text)


@cases("said", ["いまはこれです です", "材木 2 or 3 です", "there is none"])
def test_a_part_that_is_not_translated_is_found(said: str) -> None:
    assert DOUBLED.search(said)


def test_a_switched_option_is_told_in_words() -> None:
    state = SHIPPED["catan_cards"].open({}, None, 2)
    for line in ("start 1", "lay g1 o2 w3 l4 b5 a6", "lay g2 o3 w4 l5 b6 a1", "pick 1 ? ? ?", "pick 2 ? ? ?"):
        state.apply(state.parse(line))
    (effect, *_) = state.adjust(adjustments.parse_all(state.ruleset, "option name=demolish value=true"))
    text = explain(state.ruleset, effect).text
    assert str(text) == "From here on: Own expansions may be demolished: on"
    assert sentences.translated_sentence(text, "ja", "catan_cards") == "ここから: 自分の拡大カードを取り壊せる: あり"
