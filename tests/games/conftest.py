"""Games that are played at random, for every ruleset and every setting of its options."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from games.playout import playout
from games.rulesets import RULESETS
from tests.games.settings import settings

if TYPE_CHECKING:
    from games.contract import Effect, Move, Ruleset, State


class Step(NamedTuple):
    """The state before a move, the move, its effects, and the state after it."""

    before: State
    move: Move
    effects: list[Effect]
    after: State


class Play(NamedTuple):
    """A game that was played at random to its end, by people who see everything."""

    ruleset: Ruleset[Any, Any]
    options: dict[str, bool | int | str]
    seats: int
    steps: list[Step]

    def fold(self, moves: list[Move]) -> State:
        """These moves from an opening of the same kind."""
        state = self.ruleset.open(self.options, None, self.seats)
        for move in moves:
            state.version += 1
            self.ruleset.apply(state, move)
        return state


@cache
def played(name: str, setting: int, seed: int) -> Play:
    ruleset = RULESETS[name]
    options = settings(ruleset)[setting]
    chance = random.Random(f"{name} {setting} {seed}")
    seats = chance.choice(ruleset.seats)
    state = ruleset.open(options, None, seats)
    steps: list[Step] = []
    before = ruleset.copy(state)
    for move, effects in playout(ruleset, state, chance):
        after = ruleset.copy(state)
        steps.append(Step(before, move, effects, after))
        before = after
    return Play(ruleset, options, seats, steps)


CASES = [(name, setting) for name, ruleset in RULESETS.items() for setting in range(len(settings(ruleset)))]
GAMES = 12
"""Random games a ruleset, at the least, spread over its settings."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "play" in metafunc.fixturenames:
        cases = [
            (name, setting, seed)
            for name, setting in CASES
            for seed in range(max(1, GAMES // len(settings(RULESETS[name]))))
        ]
        metafunc.parametrize("play", cases, indirect=True, ids=["-".join(map(str, case)) for case in cases])
    if "ruleset" in metafunc.fixturenames:
        metafunc.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@pytest.fixture
def any_play(ruleset: Ruleset[Any, Any]) -> Play:
    """One game of a ruleset, where any will do."""
    return played(ruleset.name, 0, 0)


@pytest.fixture
def play(request: pytest.FixtureRequest) -> Play:
    return played(*request.param)
