"""Whole games with one known slip each: the review finds it, with the board before and a better move."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from games.chance import choice_text, resampled, without_outcomes
from games.contract import PUBLIC, RECORD, Viewpoint
from games.rulesets import SHIPPED
from projections.analyses.game_replay import replay_of
from projections.analyses.turning import Choice
from tests.projections.recorded import record_moves
from tests.projections.test_review import reviewed

if TYPE_CHECKING:
    from games.contract import Move, State
    from projections.analyses.game_replay import GameReplay
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


def around(archive: Archive, slip: Slip, viewpoint: Viewpoint, entries: int | None = None) -> GameReplay:
    """The game from four entries before the slip on, to its end or with so many entries after it."""
    game, version = record_moves(archive, SHIPPED[slip.ruleset], play(slip))
    whole = replay_of(archive.folds, game, version, viewpoint)
    place = next(place for place, step in enumerate(whole.steps) if step.version == slip.version)
    end = None if entries is None else place + entries + 1
    return replace(whole, seed="known slips", steps=whole.steps[place - 4 : end])


def option(state: State, text: str) -> Move:
    return next(move for move in state.legal_moves() if choice_text(state, without_outcomes(state, move)) == text)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.ruleset)
def test_a_known_slip_of_a_whole_game_is_told_first(archive: Archive, slip: Slip) -> None:
    found = reviewed(around(archive, slip, RECORD), games=10_000)
    (told, *_) = sorted((told for seat in found.seats for told in seat.slips), key=lambda each: -each.loss.p)
    assert (told.version, told.after) == (slip.version, slip.version - 1)
    assert told.loss.p == pytest.approx(slip.loss, abs=0.2)
    options = {told.better.move, *(each.move for each in told.others)}
    assert slip.better in options
    assert all(each.effects for each in (told.made, told.better, *told.others)), "each is told in words, too"
    assert told.made.move not in options


@pytest.mark.slow
@pytest.mark.parametrize("viewpoint", [RECORD, PUBLIC, Viewpoint("seat", 1)], ids=lambda each: each.name)
def test_a_slip_is_told_from_every_viewpoint_while_the_game_goes_on(archive: Archive, viewpoint: Viewpoint) -> None:
    slip = SLIPS[0]
    found = reviewed(around(archive, slip, viewpoint, 2), games=2_000, precision=20)
    assert found.games <= 2_000
    assert not found.over
    for seat in found.seats:
        assert seat.without_luck is None, "the game goes on"
        assert seat.turns > 0
        assert all(each.loss.p > each.loss.margin for each in seat.slips)
    (told,) = found.seats[1].slips + found.seats[0].slips
    assert told.version == slip.version
    assert told.loss.p == pytest.approx(slip.loss, abs=0.2)
    assert all(each.effects for each in (told.made, told.better, *told.others)), "each is told in words, too"


@pytest.mark.parametrize("slip", [SLIPS[0], SLIPS[-1]], ids=lambda slip: slip.ruleset)
def test_no_option_needs_a_card_that_the_seat_hardly_had(archive: Archive, slip: Slip) -> None:
    """In a record of backs, all is legal that any hand could allow."""
    ruleset = SHIPPED[slip.ruleset]
    game, version = record_moves(archive, ruleset, [move.seen(PUBLIC) for move in play(slip)])
    replay = replay_of(archive.folds, game, version, RECORD)
    assert ruleset.policy
    tried = left_out = 0
    for before, step in list(itertools.pairwise(replay.steps))[60:100:4]:
        if step.move is None or step.seat is None:
            continue
        choice = Choice(replay, ruleset.policy, step, before.version, step.seat, step.move)
        allowed: Counter[Move] = Counter()
        for number in range(12):
            world = step.before.copy()
            world.decide_hidden(random.Random(number))
            allowed.update(choice._choices(world).keys())
        tried += len(choice.options) - 1
        left_out += len(choice._choices(step.before).keys() - set(choice.options))
        assert [option for option in choice.options[1:] if allowed[option] < 6] == []
    assert tried
    assert left_out
