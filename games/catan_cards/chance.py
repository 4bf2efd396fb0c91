"""What shuffled stacks would have brought: for random play and for guessing at what was not noted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from games.catan_cards.components import ACTIONS, RESOURCES, UNITS, Land
from games.catan_cards.moves import CatanCardsMove, Confiscate, Draw, Lay, Pick, Return, Spy

if TYPE_CHECKING:
    from games.catan_cards.state import CatanCardsState
    from games.contract import Chance


def fill_in(state: CatanCardsState, move: CatanCardsMove, chance: Chance) -> CatanCardsMove:
    """The move with the cards and regions that it leaves open drawn from all that are not known to lie elsewhere."""
    match move:
        case Lay() if None in move.regions:
            return _laid(state, move, chance)
        case Pick() if None in move.cards:
            return msgspec.structs.replace(move, cards=_completed(move.cards, state.hidden(), chance))
        case Draw(card=None):
            return msgspec.structs.replace(move, card=_from_stack(state, move, chance))
        case Return(card=None):
            return msgspec.structs.replace(move, card=chance.sample(_guessed(state, move.seat, chance), 1)[0])
        case Confiscate() if None in move.cards:
            hand = _guessed(state, 1 - move.seat, chance)
            return msgspec.structs.replace(move, cards=_completed(move.cards, hand, chance))
        case Spy(card=None, taken=True):
            return _spied(state, move, chance)
        case _:
            return move


def _laid(state: CatanCardsState, move: Lay, chance: Chance) -> Lay:
    """A crest that the other does not have, its regions in any order; what was noted stays."""
    lands, taken = state.laid(move.seat, move.regions), state.crest(1 - move.seat)
    free = [number for number in (0, 1) if number != taken]
    fitting = [number for number in state.crests(lands) if number != taken]
    (number,) = chance.sample(fitting or free, 1)
    numbers = state.box.starting_regions[number]
    left = [resource for resource in RESOURCES if not any(land and land.resource == resource for land in lands)]
    rest = iter(chance.sample(left, len(left)))
    return Lay(seat=move.seat, regions=tuple(land or Land(resource := next(rest), numbers[resource]) for land in lands))


def _from_stack(state: CatanCardsState, move: Draw, chance: Chance) -> str | None:
    stack = state.stacks[move.stack - 1]
    known = stack.named() if move.search else stack.reachable()
    cards = known + (state.hidden() if stack.size > len(stack.named()) else [])
    return chance.sample(cards, 1)[0] if cards else None


def _guessed(state: CatanCardsState, seat: int, chance: Chance) -> list[str]:
    """A hand as it could be: the known cards, and others for the unknown ones."""
    hand = state.hands[seat]
    return hand.known + chance.sample(state.hidden(), hand.unknown)


def _completed(cards: tuple[str | None, ...], among: list[str], chance: Chance) -> tuple[str, ...]:
    """Cards of which some were not noted, with others out of what they are among in their places."""
    left = Counter(among) - Counter(card for card in cards if card)
    rest = iter(chance.sample(sorted(left.elements()), cards.count(None)))
    return tuple(card or next(rest) for card in cards)


def _spied(state: CatanCardsState, move: Spy, chance: Chance) -> Spy:
    """A card of the kind that can be taken; if the hand turns out to hold none, nothing."""
    cards = _guessed(state, 1 - move.seat, chance)
    if not state.options.spy_any:
        cards = [card for card in cards if card in UNITS or card in ACTIONS]
    if not cards:
        return Spy(seat=move.seat, taken=False)
    return Spy(seat=move.seat, card=chance.sample(cards, 1)[0])
