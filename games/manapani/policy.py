"""Somebody who plays Manapani for chips: takes lands, strengthens them, and fights for those of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Policy
from games.manapani.components import COLOURS, WHITE
from games.manapani.fights import payable
from games.manapani.moves.cards import Mana
from games.manapani.moves.fighting import Attack, Defend, Pay
from games.manapani.moves.lands import Claim, Gain, Put
from games.manapani.moves.rolling import Go, Roll
from games.playout import random_move

if TYPE_CHECKING:
    from games.contract import Chance, Move
    from games.manapani.state import ManapaniState


def choose(state: ManapaniState, chance: Chance) -> Move | None:
    """The move that keeps or brings most chips at each step."""
    seat = state.to_move()
    match state.due:
        case "turn" if seat is not None:
            return _turn(state)
        case "gain" if seat is not None:
            return Gain(seat=seat, colour=_wanted(state, seat))
        case "land" if seat is not None:
            return Claim(seat=seat)
        case "put" if seat is not None:
            return max(Put.legal(state), key=lambda put: put.count, default=None)
        case "foreign" if seat is not None:
            return Attack(seat=seat, count=len(state.hands[seat]))
        case "defend" if seat is not None:
            return Defend(seat=seat, count=len(state.hands[seat]))
        case "pay" if seat is not None:
            return _cheapest(state) or random_move(state, chance)
        case _:
            return random_move(state, chance)


def _turn(state: ManapaniState) -> Move | None:
    """Mana is cast, as it costs nothing; then the dice."""
    found = next(Mana.legal(state), None)
    return found or next(Roll.legal(state), None) or next(Go.legal(state), None)


def _cheapest(state: ManapaniState) -> Move | None:
    found = [next(Pay.of(state, index)) for index in payable(state)]
    return min(found, key=lambda pay: len(pay.chips), default=None)


def _wanted(state: ManapaniState, seat: int) -> str:
    """The colour that is rarest in hand, white aside."""
    chips = state.chips[seat]
    return COLOURS[min(range(WHITE), key=lambda colour: (not state.source[colour], chips[colour]))]


POLICY = Policy("lands and chips", 3, choose)
