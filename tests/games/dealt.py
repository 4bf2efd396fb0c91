"""How far hands that are dealt again are from all arrangements."""

from __future__ import annotations

import random
from collections import Counter
from copy import copy
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.hidden import CardState
    from games.knowledge import Knowledge

DEALS = 400


def card_deviation(state: CardState, known: Knowledge, places: Sequence[str], cards: Iterable[str]) -> float:
    """By how many standard deviations a card comes too often, or too rarely, to hands that are dealt again."""
    dealt, worst = [Counter[str]() for _ in state.hands], 0.0
    for number in range(DEALS):
        twin = state.copy()
        twin.decide_hidden(random.Random(number))
        assert not any(hand.unknown for hand in twin.hands)
        for count, hand in zip(dealt, twin.hands, strict=True):
            count.update(set(hand.known))
    for seat, card in product(range(len(dealt)), cards):
        p = float(chance_to_hold(known, places[seat], card))
        spread = (p * (1 - p) / DEALS) ** 0.5
        off = abs(dealt[seat][card] / DEALS - p)
        worst = max(worst, off / spread if spread > 1e-6 else off * 1e6)
    return worst


def chance_to_hold(known: Knowledge, place: str, card: str) -> Fraction:
    """The part of all arrangements in which a hand has such a card."""
    having = copy(known)
    before = Fraction(sum(having._weights.values()), having._whole)
    having.see(place, [card])
    return Fraction(sum(having._weights.values()), having._whole) / before
