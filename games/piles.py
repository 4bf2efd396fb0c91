"""Piles: the deal and each shuffle, as sources of cards in hands. What everybody knows of them answers cheaply."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.hidden import Hand


Named = tuple[int, str, int]
"""A card that was named: its seat, the card, and the pile that it is taken to come from."""


class Piles(msgspec.Struct):
    """One way in which named cards can have come from piles: the deal, and a new pile at each shuffle.

    The cards of a pile can lie in any order. So the cards that nobody has seen are slots: each is any of the cards that
    are `left` of its pile. `slots` counts them by seat and pile, the discards being the last seat. A card that is named
    is taken for a slot of the newest pile that can have it. `choices` are the seats and cards of those by pile, but for
    the first one, so that the choice can be changed. What does not fit can still be possible.
    """

    left: list[dict[str, int]]
    slots: list[list[int]]
    choices: list[list[tuple[int, str]]]

    @classmethod
    def of(cls, unseen: dict[str, int], hands: Iterable[Hand], discards: Hand) -> Piles:
        """Before the first shuffle, if the deck is empty: all cards that nobody has seen are in hands or put away."""
        return cls([unseen], [*[[hand.unknown] for hand in hands], [discards.unknown]], [[]])

    def shuffle(self, discards: Iterable[str]) -> None:
        """The discards are a new pile. Those that were put away unseen become the most frequent cards of their pile."""
        mixed = dict(Counter(discards))
        for left, count in zip(self.left, self.slots[-1], strict=True):
            for card in _frequent(left, count):
                left[card] -= 1
                mixed[card] = mixed.get(card, 0) + 1
        self.left.append(mixed)
        self.choices.append([])
        for slots in self.slots:
            slots.append(0)
        self.slots[-1] = [0] * len(self.left)

    def put_away(self, seat: int, count: int) -> None:
        """Cards of a hand are put away unseen: those of the oldest piles."""
        for pile, held in enumerate(self.slots[seat]):
            if held and count:
                gone = held if held < count else count
                self.slots[seat][pile] -= gone
                self.slots[-1][pile] += gone
                count -= gone

    def fit(self, named: Sequence[tuple[int, Sequence[str]]]) -> bool:
        """Whether these cards of seats can be slots of their hands."""
        if len(named) == 1:
            seat, cards = named[0]
            slots = self.slots[seat]
            for pile, left in enumerate(self.left):
                if slots[pile] >= len(cards):
                    for card in cards:
                        if left.get(card, 0) < cards.count(card):
                            break
                    else:
                        return True
        twin = self.copy()
        return all(twin.name(seat, cards) for seat, cards in named)

    def copy(self) -> Piles:
        """An independent copy."""
        left, slots, choices = map(dict.copy, self.left), map(list.copy, self.slots), map(list.copy, self.choices)
        return Piles(list(left), list(slots), list(choices))

    def name(self, seat: int, cards: Sequence[str]) -> bool:
        """Take cards that are named for slots of a hand, unless they do not fit."""
        slots, left = self.slots[seat], self.left
        for card in cards:
            pile = len(left)
            while pile:
                pile -= 1
                if slots[pile] and left[pile].get(card):
                    slots[pile] -= 1
                    left[pile][card] -= 1
                    if pile:
                        self.choices[pile].append((seat, card))
                    break
            else:
                if not self._place(seat, card, len(left), set()):
                    return False
        return True

    def _place(self, seat: int, card: str, end: int, tried: set[Named]) -> bool:
        """Take a card for a slot of one of the piles before `end`. Others of that pile may go to older ones.

        No slot has come to a hand from an older pile since they were named, so they can be from there. `tried` are
        those that cannot go.
        """
        for pile in range(end - 1, -1, -1):
            copies = self.left[pile].get(card)
            if copies is None:
                continue
            if not self.slots[seat][pile] and not self._vacate(pile, tried, seat=seat):
                continue
            if copies or self._vacate(pile, tried, card=card):
                self._take(seat, card, pile)
                return True
        return False

    def _vacate(self, pile: int, tried: set[Named], *, seat: int | None = None, card: str | None = None) -> bool:
        """Let a card of a pile that was named be one of an older pile: one of this seat, or this card."""
        choices = self.choices[pile]
        for number, (namer, named) in enumerate(choices):
            if (namer == seat or named == card) and (namer, named, pile) not in tried:
                tried.add((namer, named, pile))
                del choices[number]
                if self._place(namer, named, pile, tried):
                    self.slots[namer][pile] += 1
                    self.left[pile][named] += 1
                    return True
                choices.insert(number, (namer, named))
        return False

    def _take(self, seat: int, card: str, pile: int) -> None:
        self.slots[seat][pile] -= 1
        self.left[pile][card] -= 1
        if pile:
            self.choices[pile].append((seat, card))


def _frequent(left: Mapping[str, int], count: int) -> list[str]:
    """So many of the cards that are left: one of each and the most frequent first, then again."""
    if not count:
        return []
    ranked = sorted(left, key=left.__getitem__, reverse=True)
    rounds = ([card for card in ranked if left[card] > before] for before in range(left[ranked[0]]))
    return list(islice(chain.from_iterable(rounds), count))
