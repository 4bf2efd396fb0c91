"""A choice is told by what it does whatever comes by chance."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from games.chance import choice_effects, events_of, without_outcomes
from games.contract import RECORD
from games.rulesets import RULESETS

if TYPE_CHECKING:
    from games.contract import State


def told(name: str, notation: str, *moves: str) -> list[str]:
    """The kinds of effects of a choice after some moves."""
    state = RULESETS[name].open({}, None, 2)
    for version, text in enumerate(moves, 2):
        state.apply(state.parse(text), version)
    choice = without_outcomes(state, state.parse(notation))
    return [effect.kind for effect in choice_effects(state, choice, 9)]


def test_a_choice_has_its_effects_without_those_of_chance() -> None:
    deal = "deal black BARI COCO DUDA"
    assert told("kahuna", "BARI-DUDA", deal) == ["cards.played", "bridge.built"]
    assert told("kahuna", "+?COCO", deal, "BARI-DUDA") == ["card.drawn", "turn.passed"]
    assert told("manapani", "roll 2 5", "start 1") == [], "where the pawn comes to is open"


@pytest.mark.parametrize("name", ["kahuna", "verraeter", "manapani", "catan_cards"])
def test_no_effect_of_a_choice_depends_on_an_outcome(name: str) -> None:
    ruleset, chance = RULESETS[name], random.Random(7)
    state: State = ruleset.open({}, None, ruleset.seats[0])
    tried = 0
    for version in range(2, 60):
        for move in chance.sample(found := list(state.legal_moves()), min(3, len(found))):
            choice = without_outcomes(state.view(RECORD), move)
            effects = choice_effects(state, choice, version)
            for event in events_of(state, choice):
                outcome = chance.choice([*event.odds])
                other = event.with_outcome(outcome) if event.with_outcome else choice
                after = state.copy().apply(other, version)
                assert all(effect in after for effect in effects), (name, choice, outcome)
                tried += 1
        chosen = ruleset.policy.choose(state, chance)
        if chosen is None or state.outcome():
            break
        state.apply(state.sample_chance(chosen, chance), version)
    assert tried
