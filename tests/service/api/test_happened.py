"""Moves that could be made, in words: every option says what it is, and a question does not tell who would win."""

from __future__ import annotations

import random

import msgspec
import pytest

from games.chance import choice_effects, choice_text
from games.contract import Effect, Title
from games.playout import playout
from games.rulesets import SHIPPED
from projections.analyses.refining import Chances
from projections.analyses.turning import Option
from service.api.answers.games import SeatInfo
from service.api.happened import named_move, option_text

SEATS = [SeatInfo(seat, Title(name, name), None, name) for seat, name in enumerate(("Ann", "Ben", "Cem", "Dora"))]


def options(name: str, seed: int) -> list[Option]:
    """The moves of a game, as options of a decision."""
    ruleset, found = SHIPPED[name], list[Option]()
    state = ruleset.open({}, None, ruleset.seats[0])
    before = state.copy()
    for move, _ in playout(state, random.Random(seed)):
        text, effects = choice_text(before, move), choice_effects(before, move, 1)
        found.append(Option(text, 9, Chances(0.5, 0.4, 0.6), effects, str(move.__struct_config__.tag)))
        before = state.copy()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, ruleset in SHIPPED.items() if ruleset.policy])
def test_an_option_without_a_word_in_its_notation_is_told_in_words(name: str) -> None:
    found = {option.move: option for option in options(name, 1)}
    told = {move: (option_text(option, name, SEATS), named_move(option, name)) for move, option in found.items()}
    wordless = [move for move in found if not any(map(str.isalpha, move))]
    for move in wordless:
        kind = found[move].type.replace("_", " ")
        assert told[move][1] == f"{move} ({kind})"
        assert told[move][0].startswith(f"{move} ({kind}")
    assert {told[move][1] for move in found if move not in wordless} == found.keys() - wordless


def test_a_move_that_draws_no_card_is_told_in_words() -> None:
    option = Option("-", 9, Chances(0.5, 0.4, 0.6), [], "decline")
    assert (named_move(option, "kahuna"), option_text(option, "kahuna", SEATS)) == ("- (decline)", "- (decline)")
    assert named_move(msgspec.structs.replace(option, type=""), "kahuna") == "-", "an older result has no type"


def test_a_question_does_not_tell_who_would_win() -> None:
    ended, won = (Effect(f"game.{what}", "manapani:30", 0, ("source",), 42) for what in ("ended", "won"))
    option = Option("gain w", 9, Chances(0.5, 0.4, 0.6), [Effect("chip.gained", "manapani:20", 0, ("w",)), ended, won])
    assert "won with 42 mana" in option_text(option, "manapani", SEATS)
    (gained, *_) = option_text(option, "manapani", SEATS).split(" · ")
    assert option_text(option, "manapani", SEATS, is_asked=True) == f"{gained})"
