"""The orders in which the cards of each stack can lie, as long as no card went unseen that was known to lie elsewhere.

Then only a search leaves an order open: a card that was taken may have been one of several places. So a few orders of
each stack tell all, far faster than all arrangements of all cards (`games/knowledge`).
"""

from __future__ import annotations

from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING

from games.catan_cards.stacks import BOX, STACK_PILES, stack_of
from games.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.seen_cards import Told

Order = tuple[tuple[str | None, ...], ...]
"""The cards of a stack in groups from its top; None is any card. The cards of a group lie in any order."""
MOST = 200
MOST_WAYS = 2000
"""The most orders of a stack, and the most combinations of the orders of all stacks, that are looked at."""


class StackOrders:
    """The possible orders of all stacks by all sightings; `are_known` is false if there are too many."""

    def __init__(self, copies: Mapping[str, int], told: list[tuple[int, Told]]) -> None:
        """All cards lie in the box at first. Where the deal was forgotten, nothing is known."""
        self.are_known = told[0][1][0] == BOX if told else False
        self._copies, self._told, self._count = copies, told, 0
        self._outside = dict.fromkeys(copies, 0)
        self._orders: dict[str, list[Order]] = {pile: [()] for pile in STACK_PILES}

    @classmethod
    def from_sightings(cls, copies: Mapping[str, int], told: list[tuple[int, Told]]) -> StackOrders:
        """The orders after all sightings of a list. The list only grows, so the next call goes on from there."""
        taken = (kept for kept in _RECENT if kept._told is told and _RECENT.take(kept))
        found = next(taken, None) or cls(copies, told)
        for _, word in told[found._count :]:
            if found.are_known:
                found._take(word)
        found._count = len(told)
        _RECENT.add(found)
        return found

    def _take(self, word: Told) -> None:
        """Take in the next sighting."""
        source, to, cards, _ = word
        if (pile := stack_of(source)) in self._orders:
            for card in cards:
                self._leave(pile, card, 1 if source == pile else None)
        if cards and to in self._orders:
            for card in filter(None, cards):
                self._outside[card] -= 1
            self._orders[to] = [(*order, cards) for order in self._orders[to]]

    def _leave(self, pile: str, card: str | None, reach: int | None) -> None:
        """Remove a card from one of the first `reach` groups of a stack."""
        if card:
            self._outside[card] += 1
        found: list[Order] = []
        for order in self._orders[pile]:
            found += self._without(order, card, reach)
        self._orders[pile] = list(dict.fromkeys(found))
        self.are_known = 0 < len(self._orders[pile]) <= MOST

    def _without(self, order: Order, card: str | None, reach: int | None) -> list[Order]:
        """The possible orders after a card left: it was a known card of its group, or an unknown one."""
        found: list[Order] = []
        for at, group in enumerate(order[:reach]):
            for item in (card, None) if card else dict.fromkeys(group):
                if item in group:
                    place = group.index(item)
                    left = (*group[:place], *group[place + 1 :])
                    after = (*order[:at], *([left] if left else ()), *order[at + 1 :])
                    if item or not card or self._is_there(card, after):
                        found.append(after)
        return found

    def _is_there(self, card: str, after: Order) -> bool:
        """Whether a copy of a card is left for an unknown place, beside those in an order and outside the stacks."""
        return self._outside[card] + [*chain.from_iterable(after)].count(card) <= self._copies[card]

    def drawable(self, place: str, cards: Sequence[str], free: Mapping[str, int]) -> list[str]:
        """The cards among these that a stack can give, from its top or in a search; none if that is unknown.

        `free` is the number of copies of each card that can be in stacks. Orders name some of them. Any other one can
        be in an unknown place.
        """
        pile = stack_of(place)
        able: set[str | None] = set()
        for named, left in self._ways(pile, 1 if place == pile else None, free) if self.are_known else ():
            able.update(named, [card for card in cards if left[card]] if None in named else ())
        return [card for card in cards if card in able]

    def _ways(
        self, pile: str, reach: int | None, free: Mapping[str, int]
    ) -> list[tuple[tuple[str | None, ...], Mapping[str, int]]]:
        """For each combination of the stacks' orders: the cards within reach, and the copies that no stack names."""
        stacks = self._orders[pile], *[orders for other, orders in self._orders.items() if other != pile]
        if prod(map(len, stacks)) > MOST_WAYS:
            return []
        found = [(way[0], _less(free, chain.from_iterable(way))) for way in product(*stacks)]
        return [(tuple(chain.from_iterable(order[:reach])), left) for order, left in found if left]


def _less(free: Mapping[str, int], groups: Iterable[Sequence[str | None]]) -> dict[str, int]:
    """The remaining copies of each card without those that groups name; empty if there are not enough."""
    left = dict(free)
    for card in filter(None, chain.from_iterable(groups)):
        if left[card] < 1:
            return {}
        left[card] -= 1
    return left


_RECENT = Recent[StackOrders](8)
"""The most recently used orders."""
