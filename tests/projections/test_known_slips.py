"""Whole games with one known slip each: the review finds it, with the board before and a better move."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from games.chance import choice_text, resampled, without_outcomes
from games.contract import RECORD
from games.rulesets import SHIPPED
from projections.analyses.game_replay import replay_of
from tests.projections.recorded import record_moves
from tests.projections.test_review import reviewed

if TYPE_CHECKING:
    from games.contract import Move, State
    from projections.archive import Archive


class Slip(NamedTuple):
    """A game that the policy plays, but for `made` in entry `version`. Before, `better` won `loss` more often."""

    ruleset: str
    seed: int
    version: int
    made: str
    better: str
    loss: float


SLIPS = (
    Slip("kahuna", 3, 101, "d3", "x HUNA-LALE (HUNA HUNA)", 0.96),
    Slip("verraeter", 3, 86, "3-4", "11-12", 0.92),
    Slip("manapani", 13, 182, "gain r", "gain w", 0.9),
    Slip("catan_cards", 58, 267, "under 4", "build Library ld2 (gd gd mu mu od)", 0.85),
)


def play(slip: Slip) -> list[Move]:
    """The moves of a game by the policy with the slip in it."""
    ruleset, chance = SHIPPED[slip.ruleset], random.Random(slip.seed)
    assert ruleset.policy
    state, moves = ruleset.open({}, None, ruleset.seats[0]), []
    while True:
        state.decide_hidden(chance)
        move = None if state.ending else ruleset.policy.choose(state, chance)
        if move is None:
            return moves
        if len(moves) + 2 == slip.version:
            move = resampled(state, option(state, slip.made), chance)
        moves.append(state.sample_chance(move, chance))
        state.apply(moves[-1])


def option(state: State, text: str) -> Move:
    return next(move for move in state.legal_moves() if choice_text(state, without_outcomes(state, move)) == text)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.ruleset)
def test_a_known_slip_of_a_whole_game_is_told_first(archive: Archive, slip: Slip) -> None:
    game, version = record_moves(archive, SHIPPED[slip.ruleset], play(slip))
    whole = replay_of(archive.folds, game, version, RECORD)
    place = next(place for place, step in enumerate(whole.steps) if step.version == slip.version)
    end = replace(whole, seed="known slips", steps=whole.steps[place - 4 :])
    found = reviewed(end, games=10_000)
    (told, *_) = sorted((told for seat in found.seats for told in seat.slips), key=lambda each: -each.loss.p)
    assert (told.version, told.after) == (slip.version, slip.version - 1)
    assert told.loss.p == pytest.approx(slip.loss, abs=0.2)
    options = {told.better.move, *(each.move for each in told.others)}
    assert slip.better in options
    assert told.made.move not in options
