"""What checked replay costs, in calls of Python functions: these are counted, where times depend on the machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.replay import recorded
from games.rulesets import SHIPPED

if TYPE_CHECKING:
    from types import FrameType

    from benchmarks.replay import Game
    from games.contract import Ruleset

MOST = {"kahuna": 25, "verraeter": 31, "manapani": 28, "catan_cards": 32}
"""Calls a move, for reading, checking and applying it."""


@pytest.mark.parametrize("name", MOST)
def test_a_recorded_move_is_checked_and_applied_in_few_calls(name: str) -> None:
    ruleset = SHIPPED[name]
    games = recorded(ruleset)[""]
    calls(ruleset, games)  # what is asked for the first time is found once and kept
    assert calls(ruleset, games) / sum(len(game.moves) for game in games) < MOST[name]


def calls(ruleset: Ruleset, games: list[Game]) -> int:
    """How many Python functions are called while the games are replayed."""
    count = 0

    def profile(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        for game in games:
            state = ruleset.open(game.opening.options, game.opening.components, game.opening.seats)
            for version, (data, irregular) in enumerate(game.moves, 1):
                move = ruleset.read_move(data)
                if not irregular:
                    state.verify(move)
                state.apply(move, version)
    finally:
        sys.setprofile(before)
    return count
