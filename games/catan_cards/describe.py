"""A state in words and lists, for programs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.catan_cards.components import box_data
from games.catan_cards.payments import search_price
from games.catan_cards.scoring import TOKENS, commerce, strength, tournament

if TYPE_CHECKING:
    from games.catan_cards.state import CatanCardsState
    from games.contract import JSON


def describe(state: CatanCardsState) -> JSON:
    """The state as data: all cards by place, the seat to move, the known cards of hands and stacks, and the sums."""
    return {
        "phase": state.phase,
        "due": state.due,
        "to_move": state.to_move(),
        "active": state.active,
        "turns": state.turns,
        "dice": {"event": state.face or None, "number": state.production or state.alchemist or None},
        "pending": [msgspec.to_builtins(pending) for pending in state.pending],
        "tokens": {token: {"holder": holder} for token, holder in zip(TOKENS, state.tokens, strict=True)},
        "players": [_player(state, seat) for seat in (0, 1)],
        "stacks": [{"size": stack.size, "known": stack.known_cards()} for stack in state.stacks],
        "supply": state.supply,
        "events": [card or None for card in state.events],
        "spent": state.spent,
        "options": msgspec.to_builtins(state.options),
        "components": box_data(state.box),
    }


def _player(state: CatanCardsState, seat: int) -> JSON:
    own, hand = state.principalities[seat], state.hands[seat]
    return {
        "points": state.points[seat],
        "strength": strength(state, seat),
        "commerce": commerce(state, seat),
        "tournament": tournament(state, seat),
        "hand": {"known": hand.known, "unknown": hand.unknown, "open": hand.open, "limit": state.limits[seat]},
        "excess": state.cards_over_limit(seat),
        "search": search_price(state, seat),
        "roads": sorted(own.roads),
        "line": dict(sorted(own.line.items())),
        "regions": {
            place: {"resource": land.resource, "number": land.number, "stock": own.stocks[place]}
            for place, land in own.regions.items()
        },
        "sites": dict(sorted(own.sites.items())),
    }
