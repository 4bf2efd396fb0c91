"""A policy that plays for points: cities, settlements and buildings first, and trades for missing resources.

A card that is of little use is exchanged. The dice, event cards and regions come by their odds.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from games.catan_cards.components import ACTIONS, SIDES_WITH, STORE
from games.catan_cards.moves.building import Build, City, Regions, Road, Settle
from games.catan_cards.moves.duels import Duel
from games.catan_cards.moves.events import Gain, Happen, Roll, Take
from games.catan_cards.moves.hand import Draw, End, Return
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
USEFUL = 2
"""The least value of a card in a full hand. One of less value is exchanged."""


def choose(state: CatanCardsState, chance: Chance) -> Move | None:
    """A move that brings points now, else one that prepares for points, else a draw or the end of the turn."""
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
        case "gain":
            needs = cache(partial(_needs, state))
            return max(Gain.legal(state), key=lambda gain: needs(gain.seat)[gain.at], default=None)
        case "take":
            needs = cache(partial(_needs, state))
            return max(Take.legal(state), key=lambda take: needs(take.seat)[take.to], default=None)
        case "give" | "excess":
            return _put_away(state, chance) or random_move(state, chance)
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
    """The first possible one: a city, a settlement, the most valuable expansion, or a road for a new settlement."""
    if found := next(City.legal(state), None) or next(Settle.legal(state), None):
        return found
    best = max(Build.cards(state), key=partial(_worth, state.box.cards), default=None)
    if (best is None or not state.box.cards[best].points) and not _open(state, state.active):
        return next(Road.legal(state), None)
    return next(Build.ways_to_build(state, best)) if best else None


def _worth(cards: Mapping[str, Card], card: str) -> int:
    printed = cards[card]
    return 4 * printed.points + printed.strength + printed.commerce + 1


def _open(state: CatanCardsState, seat: int) -> bool:
    """Whether an open road leads to a place for a settlement."""
    own = state.principalities[seat]
    return own.open_road(right=True) or own.open_road(right=False)


def _trade(state: CatanCardsState) -> Move | None:
    """A trade of surplus resources for a missing one of the next aim."""
    own = state.principalities[state.active]
    held = own.holdings()
    for cost in _next_costs(state, state.active):
        lacking = [kind for kind, count in cost.items() if held[kind] < count]
        room = next((place for kind in lacking for place in own.places_of(kind) if own.stocks[place] < STORE), None)
        if room is not None and (give := _spare(state, held, cost)):
            return Trade(seat=state.active, give=give, get=room)
    return None


def _spare(
    state: CatanCardsState, held: Mapping[Resource, int], cost: Mapping[Resource, int]
) -> tuple[str, ...] | None:
    """The regions that give the resources of a trade, from the surplus beyond a cost."""
    for kind, count in held.items():
        spare = count - cost.get(kind, 0)
        if spare > 0 and spare >= (price := rate(state, state.active, kind)):
            return next(ways_to_pay(state.principalities[state.active], {kind: price}))
    return None


def _next_costs(state: CatanCardsState, seat: int) -> list[Mapping[Resource, int]]:
    """The costs of the next things to build: cards with points, a city, a settlement, or a road to one."""
    own = state.principalities[seat]
    red = "city" in own.line.values()
    cards = [card for card in state.hands[seat].known if red and state.box.cards[card].points]
    things = ["city"] * ("settlement" in own.line.values()) + ["settlement" if _open(state, seat) else "road"]
    return [cost_of(state, thing) for thing in [*cards, *filter(state.supply.__getitem__, things)]]


def _needs(state: CatanCardsState, seat: int) -> dict[str, tuple[int, int]]:
    """How urgent a resource is at each region: how many the next aims lack, and the room there."""
    own, aims = state.principalities[seat], _next_costs(state, seat)
    lacking = {
        kind: max([cost.get(kind, 0) - count for cost in aims], default=0) for kind, count in own.holdings().items()
    }
    return {place: (lacking[region.resource], -own.stocks[place]) for place, region in own.regions.items()}


def _put_away(state: CatanCardsState, chance: Chance) -> Move | None:
    """Put the worst known card of the hand under any stack; None if no card is known."""
    put = chance.choice(list(Return.legal(state)))
    known = state.hands[put.seat].known
    if not known:
        return None
    return Return(seat=put.seat, stack=put.stack, card=min(known, key=partial(_use, state.box.cards)))


def _use(cards: Mapping[str, Card], card: str) -> int:
    """The value of a card in hand. This policy plays no action cards."""
    return 0 if card in ACTIONS else _worth(cards, card)


def _draw(state: CatanCardsState, chance: Chance) -> Move | None:
    """Draw a card; or exchange a card of little value; or end the turn."""
    unseen = list(Draw.free_draws(state))
    if unseen:
        return chance.choice(unseen)
    hand = state.hands[state.active].known if state.phase == "actions" else []
    if any(_use(state.box.cards, card) < USEFUL for card in hand) and next(Return.legal(state), None):
        return _put_away(state, chance)
    return next(End.legal(state), None) or random_move(state, chance)


POLICY = Policy("points first", 6, choose)
