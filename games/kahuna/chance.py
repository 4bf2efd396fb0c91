"""What a shuffled box would have brought: for random play and for guessing at hidden cards."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from games.kahuna.components import CARDS, ISLANDS
from games.kahuna.moves import Deal, Discard, Draw, KahunaMove, Row, Take

if TYPE_CHECKING:
    from games.contract import Chance
    from games.kahuna.state import KahunaState


def fill_in(state: KahunaState, move: KahunaMove, chance: Chance) -> KahunaMove:
    """The move with its open cards drawn from all that are not known to lie somewhere."""
    match move:
        case Deal():
            cards = chance.sample(CARDS, 9)
            row = (cards[0], cards[1], cards[2])
            return msgspec.structs.replace(move, row=row, hands=(tuple(cards[3:6]), tuple(cards[6:])))
        case Row():
            unknown = iter(_pick(state, chance, move.cards.count(None)))
            return Row(cards=tuple(card or next(unknown) for card in move.cards))
        case Discard() if not state.hands[move.seat].unknown:
            cards = chance.sample(state.hands[move.seat].known, move.count)
            return msgspec.structs.replace(move, cards=tuple(sorted(cards)))
        case Draw():
            return Draw(seat=move.seat, card=_pick(state, chance, 1)[0])
        case Take():
            take, refill = not move.card, state.deck > 0
            cards = _pick(state, chance, take + refill)
            return Take(seat=move.seat, card=cards[0] if take else move.card, refill=cards[-1] if refill else None)
        case _:
            return move


def _pick(state: KahunaState, chance: Chance, count: int) -> list[str]:
    """Some of the cards that are not known to lie anywhere."""
    known = Counter({island: state.located(island) for island in ISLANDS})
    return chance.sample(sorted((Counter(CARDS) - known).elements()), count)
