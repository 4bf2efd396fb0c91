"""Somebody who plays the card game for points: cities, settlements and buildings first, and trades for what is lacking.

The dice, event cards and regions come by their odds.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from games.catan_cards.components import SIDES_WITH, STORE
from games.catan_cards.moves.building import Build, City, Regions, Road, Settle
from games.catan_cards.moves.duels import Duel
from games.catan_cards.moves.events import Happen, Roll
from games.catan_cards.moves.hand import Draw, End
from games.catan_cards.moves.trade import Trade
from games.catan_cards.payments import cost_of, rate, ways_to_pay
from games.contract import Policy
from games.playout import random_move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.catan_cards.components import Card, Resource
    from games.catan_cards.state import CatanCardsState
    from games.contract import Chance, Move

FACES = tuple(face for face, sides in SIDES_WITH.items() for _ in range(sides))
NUMBERS = (1, 2, 3, 4, 5, 6)


def choose(state: CatanCardsState, chance: Chance) -> Move | None:
    """A move with points now, else one towards points, else a card, or the end of the turn."""
    match state.due:
        case "roll":
            number = None if state.alchemist else chance.choice(NUMBERS)
            return Roll(seat=state.active, event=chance.choice(FACES), number=number)
        case "event" if state.pending:
            return Happen(seat=state.pending[0].seat, card=_event_card(state, chance))
        case "duel":
            return Duel(seat=state.pending[0].seat, number=chance.choice(NUMBERS))
        case "regions" if len(state.lands) > 1:
            up, down = chance.sample(state.lands, 2)
            return Regions(seat=state.pending[0].seat, up=up, down=down)
        case "actions":
            return _build(state) or _trade(state) or _draw(state, chance)
        case "refill" | "exchange":
            return _draw(state, chance)
        case _:
            return random_move(state, chance)


def _event_card(state: CatanCardsState, chance: Chance) -> str:
    below = [card for card, count in state.box.events.items() for _ in range(count - state.events.count(card))]
    return state.events[0] or chance.choice(below)


def _build(state: CatanCardsState) -> Move | None:
    """A city, a settlement, the most valuable expansion, or a road to a place for a settlement."""
    if found := next(City.legal(state), None) or next(Settle.legal(state), None):
        return found
    best = max(Build.cards(state), key=partial(_worth, state.box.cards), default=None)
    if (best is None or not state.box.cards[best].points) and not _open(state):
        return next(Road.legal(state), None)
    return next(Build.of(state, best)) if best else None


def _worth(cards: Mapping[str, Card], card: str) -> int:
    printed = cards[card]
    return 4 * printed.points + printed.strength + printed.commerce + 1


def _open(state: CatanCardsState) -> bool:
    """Whether a road leads to a place for a settlement."""
    own = state.principalities[state.active]
    return own.open_road(right=True) or own.open_road(right=False)


def _trade(state: CatanCardsState) -> Move | None:
    """Surplus for the next city or settlement, in exchange for missing resources."""
    own = state.principalities[state.active]
    held = own.holdings()
    for cost in _aims(state):
        lacking = [kind for kind, count in cost.items() if held[kind] < count]
        room = next((place for kind in lacking for place in own.of(kind) if own.stocks[place] < STORE), None)
        if room is not None and (give := _spare(state, held, cost)):
            return Trade(seat=state.active, give=give, get=room)
    return None


def _spare(
    state: CatanCardsState, held: Mapping[Resource, int], cost: Mapping[Resource, int]
) -> tuple[str, ...] | None:
    """As much of one kind as a trade takes, from the surplus beyond a cost."""
    for kind, count in held.items():
        spare = count - cost.get(kind, 0)
        if spare > 0 and spare >= (price := rate(state, state.active, kind)):
            return next(ways_to_pay(state.principalities[state.active], {kind: price}))
    return None


def _aims(state: CatanCardsState) -> list[Mapping[Resource, int]]:
    """The costs of what is to be built next."""
    own = state.principalities[state.active]
    cities = ["city"] if "settlement" in own.line.values() else []
    wanted = [*cities, "settlement" if _open(state) else "road"]
    return [cost_of(state, thing) for thing in wanted if state.supply[thing]]


def _draw(state: CatanCardsState, chance: Chance) -> Move | None:
    """A card from the top of a stack, if one may be drawn; else the turn ends."""
    unseen = list(Draw.unseen(state))
    if unseen:
        return chance.choice(unseen)
    return next(End.legal(state), None) or random_move(state, chance)


POLICY = Policy("points first", 2, choose)
