"""The odds of Manapani's dice, and of what they bring, against every throw."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from games.chance import with_fields
from games.manapani import MANAPANI
from games.manapani.components import WHITE
from games.manapani.moves.rolling import Roll
from games.playout import choose_move

if TYPE_CHECKING:
    from games.contract import Effect
    from games.manapani.state import ManapaniState


def thrown(state: ManapaniState, roll: Roll, dice: tuple[int, ...]) -> int:
    """The chips that a throw brings on the way, found by making it. The Start gives a white one, which never panics."""
    twin, effects, move = state.copy(), list["Effect"](), with_fields(roll, dice=dice)
    while move:
        effects += twin.apply(move)
        move = None if twin.ending or twin.due != "gain" else twin.parse("gain w")
    return sum(effect.kind == "chip.gained" for effect in effects)


@pytest.mark.parametrize("seats", MANAPANI.seats)
def test_chips_of_the_way_are_held_against_all_throws(seats: int) -> None:
    """Each throw is made, in games with blunders. Near the last white chip the colour at the Start can end the game."""
    chance, policy, ways = random.Random(seats), msgspec.structs.replace(MANAPANI.policy, blunders=30), 0
    state: Any = MANAPANI.open({}, None, seats)
    for _ in range(120):
        state.decide_hidden(chance)
        move = state.sample_chance(choose_move(policy, state, chance), chance)
        if isinstance(move, Roll) and state.source[WHITE] > 2:
            (way,) = (event for event in MANAPANI.chances(state, move, ()) if event.kind == "way")
            throws = [*product(range(1, 7), repeat=len(move.dice))]
            assert way.odds == Counter(str(sum(dice)) for dice in throws)
            assert {thrown(state, move, dice) - way.gains[str(sum(dice))][move.seat] for dice in throws} == {0}
            ways += 1
        state.apply(move)
        if state.ending:
            break
    assert ways > 10
