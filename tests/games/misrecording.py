"""Games of cards that are recorded with errors: notes of cards that a hand may not have, and other cards than came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.errors import BadMoveError
from games.verraeter.components import COPIES
from tests.service.twins import CARDS

if TYPE_CHECKING:
    import random

    from games.contract import Move, State

NOTED, MISNAMED = 0.15, 0.05
"""How often cards are noted that a hand may not have, and cards are named that may not have come."""


def legal_or_odd_move(state: State, chance: random.Random) -> Move | None:
    """A legal move, one that names other cards, or a note of cards that a hand may not have."""
    name = state.ruleset.name
    if name != "kahuna" and chance.random() < NOTED:
        cards = list(COPIES) if name == "verraeter" else CARDS[name]
        noted = {"type": "hold", "seat": chance.randrange(state.seats), "cards": chance.choices(cards, k=2)}
        return state.ruleset.read_move(noted)
    legal = list(state.legal_moves())
    if not legal:
        return None
    move = state.sample_chance(chance.choice(legal), chance)
    return with_other_cards(state, move, chance) if chance.random() < MISNAMED else move


def with_other_cards(state: State, move: Move, chance: random.Random) -> Move:
    """The move with any cards in the place of its own, if that can be read."""
    cards = CARDS[state.ruleset.name]

    def other(value: Any) -> Any:
        if isinstance(value, list):
            return [other(each) for each in value]
        return chance.choice(cards) if value in cards else value

    data = state.ruleset.move_data(move)
    try:
        return state.ruleset.read_move({field: other(value) for field, value in data.items()})
    except BadMoveError:
        return move
