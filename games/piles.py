"""Piles: the deal and each shuffle, as sources of cards in hands. What everybody knows of them answers cheaply."""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.hidden import Hand


class Piles(msgspec.Struct):
    """One way in which named cards can have come from piles: the deal, and a new pile at each shuffle.

    The cards of a pile can lie in any order. So the cards that nobody has seen are slots: each is any of the cards that
    are `left` of its pile. `slots` counts them by seat and pile, the discards being the last seat. A card that is named
    is taken for a slot of the newest pile that can have it. `choices` are the seat, card and pile of those that can be
    one of an older pile, too, so that the choice can be changed. What does not fit can still be possible.
    """

    left: list[dict[str, int]]
    slots: list[list[int]]
    choices: list[tuple[int, str, int]]

    @classmethod
    def of(cls, unseen: dict[str, int], hands: Iterable[Hand], discards: Hand) -> Piles:
        """Before the first shuffle, if the deck is empty: all cards that nobody has seen are in hands or put away."""
        return cls([unseen], [*[[hand.unknown] for hand in hands], [discards.unknown]], [])

    def shuffle(self, discards: Iterable[str]) -> None:
        """The discards are a new pile. Those that were put away unseen become the most frequent cards of their pile."""
        mixed = dict(Counter(discards))
        for left, count in zip(self.left, self.slots[-1], strict=True):
            for card in _frequent(left, count):
                left[card] -= 1
                mixed[card] = mixed.get(card, 0) + 1
        self.left.append(mixed)
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
        seat, cards = named[0]
        if len(named) == len(cards) == 1:
            slots, card = self.slots[seat], cards[0]
            for pile, left in enumerate(self.left):
                if slots[pile] and left.get(card):
                    return True
        twin = self.copy()
        return all(twin.name(seat, cards) for seat, cards in named)

    def copy(self) -> Piles:
        """An independent copy."""
        return Piles(list(map(dict.copy, self.left)), list(map(list.copy, self.slots)), self.choices.copy())

    def name(self, seat: int, cards: Sequence[str]) -> bool:
        """Take cards that are named for slots of a hand, unless they do not fit."""
        slots, left = self.slots[seat], self.left
        newest_first = range(len(left) - 1, -1, -1)
        for card in cards:
            found = -1
            for pile in newest_first:
                if slots[pile] and left[pile].get(card):
                    if found >= 0:
                        self.choices.append((seat, card, found))
                        break
                    found = pile
            if found >= 0:
                slots[found] -= 1
                left[found][card] -= 1
            elif not self._name_by_another_choice(seat, card):
                return False
        return True

    def _name_by_another_choice(self, seat: int, card: str) -> bool:
        """Let a card that was named before be one of an older pile, which leaves its slot or its copy for this one.

        No slot has come to a hand from an older pile since then, so it was there at that time.
        """
        for number, (namer, named, pile) in enumerate(self.choices):
            if not (namer == seat and self.left[pile].get(card)) and not (named == card and self.slots[seat][pile]):
                continue
            for older in range(pile):
                if self.slots[namer][older] and self.left[older].get(named):
                    self._move(namer, named, pile, older)
                    del self.choices[number]
                    return self.name(seat, (card,))
        return False

    def _move(self, seat: int, card: str, pile: int, older: int) -> None:
        self.slots[seat][pile] += 1
        self.left[pile][card] += 1
        self.slots[seat][older] -= 1
        self.left[older][card] -= 1


def _frequent(left: Mapping[str, int], count: int) -> list[str]:
    """So many of the cards that are left: one of each and the most frequent first, then again."""
    if not count:
        return []
    ranked = sorted(left, key=left.__getitem__, reverse=True)
    rounds = ([card for card in ranked if left[card] > before] for before in range(left[ranked[0]]))
    return list(islice(chain.from_iterable(rounds), count))
