"""Piles: the deal and each shuffle, as sources of cards in hands. What everybody knows of them answers cheaply."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from games.hidden import Hand


Named = tuple[int, str, int]
"""A card that was named: its seat, the card, and the newest pile that it can be from."""
Wanted = tuple[list[int], str]
"""A card that wants a slot: those of its seat by pile, and the card."""
MOST_MOVABLE = 8
"""The most named cards that are taken for others of their piles, to see whether further ones fit."""


class Piles(msgspec.Struct):
    """One way in which named cards can have come from piles: the deal, and a new pile at each shuffle.

    The cards of a pile can lie in any order. So the cards that nobody has seen are slots: each is any of the cards that
    are `left` of its pile. `slots` counts them by seat and pile, the discards being the last seat. `newest` is the last
    pile that a seat has drawn from. A card that is named is taken for a slot of the newest pile that can have it.
    `choices` are those by pile, so that the choice can be changed. What does not fit can still be possible. With
    `are_guessed` cards were put away unseen, so that it is a guess what is left of each pile.
    """

    left: list[dict[str, int]]
    slots: list[list[int]]
    choices: list[list[Named]]
    newest: list[int]
    are_guessed: bool = False

    @classmethod
    def of(cls, unseen: dict[str, int], hands: Iterable[Hand], discards: Hand) -> Piles:
        """Before the first shuffle, if the deck is empty: all cards that nobody has seen are in hands or put away."""
        slots = [*[[hand.unknown] for hand in hands], [discards.unknown]]
        return cls([unseen], slots, [[]], [0] * len(slots), discards.unknown > 0)

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

    def draw(self, seat: int, count: int = 1) -> None:
        """A hand draws from the newest pile."""
        self.slots[seat][-1] += count
        self.newest[seat] = len(self.left) - 1

    def put_away(self, seat: int, count: int) -> None:
        """Cards of a hand are put away unseen: those of the oldest piles."""
        self.are_guessed = self.are_guessed or count > 0
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
            for slots, left in zip(self.slots[seat], self.left, strict=True):
                if slots >= len(cards):
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
        return Piles(list(left), list(slots), list(choices), self.newest.copy(), self.are_guessed)

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
                    self.choices[pile].append((seat, card, self.newest[seat]))
                    break
            else:
                if not self._place((seat, card, self.newest[seat]), len(left), set()):
                    return False
        return True

    def _place(self, named: Named, end: int, tried: set[tuple[Named, int]]) -> bool:
        """Take a card for a slot of one of the piles before `end`. Others of that pile may go to older ones.

        No slot has come to a hand from an older pile since they were named, so they can be from there. `tried` are
        those that cannot go.
        """
        seat, card, newest = named
        for pile in range(end - 1, -1, -1):
            copies = self.left[pile].get(card)
            if copies is None:
                continue
            if not self.slots[seat][pile] and not self._vacate(pile, tried, seat=seat):
                continue
            if copies or self._vacate(pile, tried, card=card):
                self._take(seat, card, pile, newest)
                return True
        return False

    def _vacate(
        self, pile: int, tried: set[tuple[Named, int]], *, seat: int | None = None, card: str | None = None
    ) -> bool:
        """Let a card of a pile that was named be one of an older pile: one of this seat, or this card."""
        choices = self.choices[pile] if pile else []  # there is none before the first one
        for number, named in enumerate(choices):
            namer, moved, _ = named
            if (namer == seat or moved == card) and (named, pile) not in tried:
                tried.add((named, pile))
                del choices[number]
                if self._place(named, pile, tried):
                    self.slots[namer][pile] += 1
                    self.left[pile][moved] += 1
                    return True
                choices.insert(number, named)
        return False

    def _take(self, seat: int, card: str, pile: int, newest: int) -> None:
        self.slots[seat][pile] -= 1
        self.left[pile][card] -= 1
        self.choices[pile].append((seat, card, newest))

    def movable(self) -> list[tuple[Named, int]]:
        """The named cards that may be from another pile than the one they are taken for. No other one can be.

        Another pile may have a slot and a copy for it, or would have them if some of these were from elsewhere.
        """
        taken = [(named, pile) for pile, choices in enumerate(self.choices) for named in choices]
        while True:
            slots, copies = {(named[0], pile) for named, pile in taken}, {(named[1], pile) for named, pile in taken}
            kept = [each for each in taken if self._may_move(*each, slots, copies)]
            if len(kept) == len(taken):
                return kept
            taken = kept

    def _may_move(self, named: Named, own: int, slots: Set[tuple[int, int]], copies: Set[tuple[str, int]]) -> bool:
        """Whether another pile has a slot and a copy for a named card, or these may become free there."""
        seat, card, newest = named
        for pile in range(newest + 1):
            if (
                pile != own
                and (self.slots[seat][pile] or (seat, pile) in slots)
                and (self.left[pile].get(card) or (card, pile) in copies)
            ):
                return True
        return False


class SlotsOfHand:
    """A hand that is asked again and again which cards its slots can be. Nothing is named meanwhile."""

    def __init__(self, piles: Piles, seat: int) -> None:
        """The slots of a seat in the piles as they are now."""
        self._piles, self._seat = piles, seat
        self._slots, self._left = piles.slots[seat].copy(), list(map(dict.copy, piles.left))

    def can_be(self, cards: Sequence[str]) -> bool | None:
        """Whether its slots can be these cards; None if only all that was seen can tell."""
        slots = self._slots
        if _have_room([(slots, card) for card in cards], self._left):
            return True
        if not (self._piles.are_guessed or self._may_be(cards)):
            return False
        return self._piles.fit([(self._seat, cards)]) or None

    def _may_be(self, cards: Sequence[str]) -> bool:
        """Whether its slots could be these cards, if named ones are of any piles that have room for them."""
        slots, left, movable = self._freed
        if not movable or len(movable) > MOST_MOVABLE:
            return bool(movable)
        return _have_room([(slots, card) for card in cards] + movable, left)

    @cached_property
    def _freed(self) -> tuple[list[int], list[dict[str, int]], list[Wanted]]:
        """The slots of the hand and what is left of each pile, if no movable card was named; and these cards."""
        slots, left = list(map(list.copy, self._piles.slots)), list(map(dict.copy, self._piles.left))
        wanted: list[Wanted] = []
        for (seat, card, _), pile in self._piles.movable():
            slots[seat][pile] += 1
            left[pile][card] += 1
            wanted.append((slots[seat], card))
        return slots[self._seat], left, wanted


def _have_room(wanted: Sequence[Wanted], left: list[dict[str, int]]) -> bool:
    """Whether each of these cards, at least one, has a slot and a copy in one of the piles, all at once."""
    (slots, card), others = wanted[0], wanted[1:]
    for pile, copies in enumerate(left):
        if slots[pile] and copies.get(card):
            if not others:
                return True
            slots[pile] -= 1
            copies[card] -= 1
            fit = _have_room(others, left)
            slots[pile] += 1
            copies[card] += 1
            if fit:
                return True
    return False


def _frequent(left: Mapping[str, int], count: int) -> list[str]:
    """So many of the cards that are left: one of each and the most frequent first, then again."""
    if not count:
        return []
    ranked = sorted(left, key=left.__getitem__, reverse=True)
    rounds = ([card for card in ranked if left[card] > before] for before in range(left[ranked[0]]))
    return list(islice(chain.from_iterable(rounds), count))
