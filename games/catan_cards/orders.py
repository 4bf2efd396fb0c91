"""The orders in which the cards of each stack can lie, as long as no card went unseen that was known to lie elsewhere.

Then only a search leaves an order open: a card that was taken may have been one of several places. So a few orders of
each stack tell all, far faster than all arrangements of all cards (`games/knowledge.py`).
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from operator import gt
from typing import TYPE_CHECKING

from games.catan_cards.stacks import STACK_PILES, stack_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.seen_cards import Told

Order = tuple[tuple[str | None, ...], ...]
"""The cards of a stack in groups from its top, None being any card. Those of a group lie in any order."""
MOST = 200
"""The most orders of a stack that are looked at, and the most choices of cards that others name together."""


class StackOrders:
    """The orders of all stacks after what was told; `are_known` says that they are not too many."""

    def __init__(self, copies: Mapping[str, int], told: list[tuple[int, Told]]) -> None:
        """All cards lie in the box at first."""
        self.are_known = True
        self._copies, self._told, self._count = copies, told, 0
        self._outside = Counter[str]()
        self._orders: dict[str, set[Order]] = {pile: {()} for pile in STACK_PILES}

    @classmethod
    def of(cls, copies: Mapping[str, int], told: list[tuple[int, Told]]) -> StackOrders:
        """Those after all that is in this list by now, which only grows. So the next question goes on from there."""
        found = next((kept for kept in _RECENT if kept._told is told), None)
        if found is None:
            found = cls(copies, told)
            _RECENT[:] = [found, *_RECENT[: MOST_RECENT - 1]]
        for _, word in told[found._count :]:
            if found.are_known:
                found._take(word)
        found._count = len(told)
        return found

    def _take(self, word: Told) -> None:
        """What was told of the next cards."""
        source, to, cards, _ = word
        if (pile := stack_of(source)) in self._orders:
            for card in cards:
                if card:
                    self._outside[card] += 1
                self._orders[pile] = set(self._without(pile, card, 1 if source == pile else None))
            self.are_known = 0 < len(self._orders[pile]) <= MOST
        elif cards and to in self._orders:
            named = sorted(filter(None, cards))
            for card in named:
                self._outside[card] -= 1
            group = (*named, *[None] * cards.count(None))
            self._orders[to] = {(*order, group) for order in self._orders[to]}

    def _without(self, pile: str, card: str | None, reach: int | None) -> Iterator[Order]:
        """The orders after a card left one of the first groups: it was known to be there, or is one of the others."""
        for order in self._orders[pile]:
            for at, group in enumerate(order[:reach]):
                for item in {card, None}.intersection(group) if card else set(group):
                    place = group.index(item)
                    left = (*group[:place], *group[place + 1 :])
                    after = (*order[:at], *([left] if left else ()), *order[at + 1 :])
                    if item or not card or _named(after).count(card) + self._outside[card] <= self._copies[card]:
                        yield after

    def tops(self, pile: str, free: Mapping[str, int]) -> set[str]:
        """The cards that can come next from a stack, if so many of each lie in stacks; none if that is not known.

        What no order names can be any of the other cards. So an order is possible if the cards that it names, and those
        that some orders of the other stacks name, are there so often.
        """
        tops: set[str] = set()
        for others in self._named_elsewhere(pile, free) if self.are_known else ():
            for order in filter(None, self._orders[pile]):
                cards = (*_named(order), *others)
                if _are_there(cards, free):
                    tops.update(filter(None, order[0]))
                    if None in order[0]:
                        tops.update(card for card, count in free.items() if count > cards.count(card))
        return tops

    def _named_elsewhere(self, pile: str, free: Mapping[str, int]) -> set[tuple[str, ...]]:
        """The cards that the orders of the other stacks can name together; none if that are too many."""
        named: set[tuple[str, ...]] = {()}
        for other in {*STACK_PILES} - {pile}:
            here = set(map(_named, self._orders[other]))
            together = {tuple(sorted(one + two)) for one in named for two in here}
            named = {cards for cards in together if _are_there(cards, free)}
            if len(named) > MOST:
                return set()
        return named


def _named(order: Order) -> tuple[str, ...]:
    return tuple(sorted(filter(None, chain.from_iterable(order))))


def _are_there(cards: Sequence[str], free: Mapping[str, int]) -> bool:
    return not any(map(gt, map(cards.count, cards), map(free.__getitem__, cards)))


_RECENT: list[StackOrders] = []
"""The last ones that were asked for."""
MOST_RECENT = 8
