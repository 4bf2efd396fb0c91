"""Games that are played at random, for every ruleset and every setting of its options."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from games.contract import Adjustment
from games.playout import playout
from games.rulesets import RULESETS
from tests.games import rulings
from tests.games.settings import settings

if TYPE_CHECKING:
    from games.contract import Effect, Move, Ruleset, State


class Step(NamedTuple):
    """The state before a move or an adjustment, the move, its effects, and the state after it."""

    before: State
    move: Any
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


@cache
def ruled(name: str, setting: int, seed: int) -> Play:
    """A game that was played at random while a referee ruled at random, before it, in it and after its end."""
    ruleset = RULESETS[name]
    options = settings(ruleset)[setting]
    chance = random.Random(f"ruled {name} {setting} {seed}")
    seats = chance.choice(ruleset.seats)
    state = ruleset.open(options, None, seats)
    steps: list[Step] = []

    def note(move: Move | Adjustment, effects: list[Effect]) -> None:
        before = steps[-1].after if steps else ruleset.open(options, None, seats)
        steps.append(Step(before, move, effects, ruleset.copy(state)))

    def give(likely: float) -> None:
        if chance.random() < likely:
            state.version += 1
            given = rulings.rule(ruleset, state, seats, chance)
            if given:
                note(*given)

    give(0.5)
    for move, effects in playout(ruleset, state, chance):
        note(move, effects)
        give(0.2)
    for _ in range(6):
        give(1)
    return Play(ruleset, options, seats, steps)


def carry_out(ruleset: Ruleset[Any, Any], state: State, move: Move | Adjustment) -> list[Effect]:
    """Apply a move, or adjust the state."""
    return ruleset.adjust(state, move) if isinstance(move, Adjustment) else ruleset.apply(state, move)


CASES = [(name, setting) for name, ruleset in RULESETS.items() for setting in range(len(settings(ruleset)))]
GAMES = 12
"""Random games a ruleset, at the least, spread over its settings."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every ruleset's games for the tests of all rulesets, and its own for those in a ruleset's folder."""
    folder = metafunc.definition.path.parent.name
    for fixture in {"play", "ruled_play"} & set(metafunc.fixturenames):
        cases = [
            (name, setting, seed)
            for name, setting in CASES
            if folder in ("games", name)
            for seed in range(max(1, GAMES // len(settings(RULESETS[name]))))
        ]
        metafunc.parametrize(fixture, cases, indirect=True, ids=["-".join(map(str, case)) for case in cases])
    if "ruleset" in metafunc.fixturenames:
        metafunc.parametrize("ruleset", RULESETS.values(), ids=RULESETS)


@pytest.fixture
def any_play(ruleset: Ruleset[Any, Any]) -> Play:
    """One game of a ruleset, where any will do."""
    return played(ruleset.name, 0, 0)


@pytest.fixture
def play(request: pytest.FixtureRequest) -> Play:
    return played(*request.param)


@pytest.fixture
def ruled_play(request: pytest.FixtureRequest) -> Play:
    return ruled(*request.param)
