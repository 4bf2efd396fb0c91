"""Games that are played at random, for every ruleset and every setting of its options."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from games.examination.plays import Play, option_settings, random_game
from games.rulesets import SHIPPED
from tests import tiers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.contract import Ruleset

GAMES = 24 if tiers.SOAK else 6
"""Random games a ruleset, at the least, spread over its settings."""
SHORTER = {("scoresheet", 5, 0): (5, 2), ("catan_cards", 2, 0): (2, 13)}
"""Games in the short run in the place of others, which have a thousand entries of one player of Hearts, and 529."""


@cache
def games_of(ruleset: Ruleset) -> list[tuple[int, int]]:
    """The random games of a ruleset: the setting and the seed of each."""
    every = option_settings(ruleset)
    tried = range(len(every)) if tiers.SOAK else few_settings(every, GAMES)
    games = [(setting, seed) for setting in tried for seed in range(max(1, GAMES // len(every)))]
    return games if tiers.SOAK else [SHORTER.get((ruleset.name, *game), game) for game in games]


def few_settings(every: Sequence[Mapping[str, Any]], enough: int) -> list[int]:
    """A few settings, the first among them: with every choice of every option, and with pairs of choices.

    It takes as many as it needs for the choices. Pairs that `enough` settings do not have are left out.
    """
    used: Counter[tuple[str, Any]] = Counter()
    pairs: set[Any] = set()
    taken: list[int] = []

    def gain(number: int) -> tuple[int, int, int]:
        choices = every[number].items()
        new = set(itertools.combinations(choices, 2)) - pairs
        return len(choices - used.keys()), len(new), -sum(used[choice] for choice in choices)

    best = 0
    while not taken or gain(best)[0] or (gain(best)[1] and len(taken) < enough):
        taken.append(best)
        used.update(every[best].items())
        pairs.update(itertools.combinations(every[best].items(), 2))
        best = max(range(len(every)), key=gain)
    return sorted(taken)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every ruleset's games for the tests of all rulesets, and its own for those in a ruleset's folder."""
    folder = metafunc.definition.path.parent.name
    if "play" in metafunc.fixturenames:
        cases = [
            (name, *game)
            for name, ruleset in SHIPPED.items()
            if folder in ("games", name)
            for game in games_of(ruleset)
        ]
        metafunc.parametrize("play", cases, indirect=True, ids=["-".join(map(str, case)) for case in cases])
    if "ruleset" in metafunc.fixturenames:
        metafunc.parametrize("ruleset", SHIPPED.values(), ids=SHIPPED)


@pytest.fixture
def any_play(ruleset: Ruleset) -> Play:
    """One game of a ruleset, where any will do."""
    return random_game(ruleset, 0, 0)


@pytest.fixture
def play(request: pytest.FixtureRequest) -> Play:
    name, setting, seed = request.param
    return random_game(SHIPPED[name], setting, seed)
