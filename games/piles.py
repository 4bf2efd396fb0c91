"""Piles: the deal and each shuffle, as sources of cards in hands. They give cheap answers from common knowledge."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

    from games.hidden import Hand


Named = tuple[int, str, int]
"""A named card: its seat, the card, and the newest pile that it can be from."""
Wanted = tuple[list[int], str]
"""A card that needs a slot: the slots of its seat by pile, and the card."""
MOST_MOVABLE = 8
"""The most named cards that are moved to other piles in a search for room."""


class Piles(msgspec.Struct):
    """One possible assignment of named cards to piles: the deal, and a new pile at each shuffle.

    The cards of a pile can lie in any order. So cards that nobody has seen are slots: each is any of the cards `left`
    of its pile. `slots` counts them by seat and pile, the discards being the last seat. `newest` is the last pile that
    a seat has drawn from. A named card is assigned to a slot of the newest pile that can have it. `choices` are the
    named cards by pile, so that an assignment can be changed. Cards that do not fit can still be possible.

    `are_guessed` is true once cards were put away unseen. If some cards of that hand were known, the whole hand becomes
    a pile, too; so the `deck` is not always the last pile. A pile can have slots of older ones: `inner` counts them. It
    holds them like a seat, with its negative number as the seat. A card that such a slot is found to be is then `left`
    of the pile.
    """

    left: list[dict[str, int]]
    slots: list[list[int]]
    choices: list[list[Named]]
    newest: list[int]
    are_guessed: bool = False
    inner: dict[int, list[int]] = {}
    deck: int = 0

    @classmethod
    def before_shuffle(cls, unseen: dict[str, int], hands: Iterable[Hand], discards: Hand) -> Piles:
        """The piles before the first shuffle: all unseen cards are in hands, in the deck, or put away."""
        slots = [*[[hand.unknown] for hand in hands], [discards.unknown]]
        return cls([unseen], slots, [[]], [0] * len(slots), discards.unknown > 0)

    def shuffle(self, discards: Iterable[str]) -> None:
        """Make the discards a new pile, the deck."""
        self._mix(-1, discards)
        self.deck = len(self.left) - 1

    def _mix(self, seat: int, known: Iterable[str]) -> int:
        """Make a new pile of these cards and the slots of a seat. Return its size."""
        mixed: dict[str, int] = {}
        for card in known:
            mixed[card] = mixed.get(card, 0) + 1
        slots = self.slots[seat]
        hidden = sum(slots)
        if hidden:
            self.inner[len(self.left)] = slots.copy()
            slots[:] = [0] * len(slots)
        self.left.append(mixed)
        self.choices.append([])
        for each in self.slots:
            each.append(0)
        return hidden + sum(mixed.values())

    def draw(self, seat: int, count: int = 1) -> None:
        """Draw cards from the deck to a hand.

        Earlier named cards are not from this draw, even if the deck is an older pile.
        """
        self.slots[seat][self.deck] += count
        self.newest[seat] = self.deck
        for choices in self.choices[self.deck + 1 :]:
            for named in choices[:]:
                if named[0] == seat:
                    choices.remove(named)

    def put_away(self, seat: int, count: int, known: Sequence[str] = ()) -> None:
        """Put away cards of a hand unseen: any of these known cards and the unknown ones."""
        self.are_guessed = self.are_guessed or count > 0
        slots = self.slots[seat]
        piles = [pile for pile, held in enumerate(slots) if held]
        if known or len(piles) > 1:
            held = self._mix(seat, known)
            slots[-1], piles = held, [-1]
        for pile in piles:
            slots[pile] -= count
            self.slots[-1][pile] += count

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
        inner = {pile: slots.copy() for pile, slots in self.inner.items()}
        return Piles(list(left), list(slots), list(choices), self.newest.copy(), self.are_guessed, inner, self.deck)

    def name(self, seat: int, cards: Sequence[str]) -> bool:
        """Assign named cards to slots of a hand. False if they do not fit."""
        slots, left, inner = self.slots[seat], self.left, self.inner
        for card in cards:
            pile = len(left) - 1
            while pile >= 0 and not (slots[pile] and (left[pile].get(card) or pile in inner)):
                pile -= 1
            if pile >= 0 and left[pile].get(card):
                slots[pile] -= 1
                left[pile][card] -= 1
                self.choices[pile].append((seat, card, self.newest[seat]))
            elif not self._place((seat, card, self.newest[seat]), len(left), set()):
                return False
        return True

    def name_drawn(self, seat: int, cards: Sequence[str]) -> bool:
        """Assign cards for good to slots of the pile that a hand drew from last. False if they do not fit."""
        pile = self.newest[seat]
        slots, left = self.slots[seat], self.left[pile]
        for card in cards:
            if not slots[pile]:
                return False
            if not (left.get(card) or self._find(pile, set(), card) or self._vacate(pile, set(), card=card)):
                return False
            slots[pile] -= 1
            left[card] -= 1
        return True

    def _place(self, named: Named, end: int, tried: set[tuple[Named, int]]) -> bool:
        """Assign a card to a slot of a pile before `end`. Other cards of that pile may move to older ones.

        They can be from there: no slot of an older pile has come to a hand since they were named. `tried` are cards
        that cannot move.
        """
        seat, card, _ = named
        slots, left = self.slots[seat] if seat >= 0 else self.inner[-seat], self.left
        for pile in range(end - 1, -1, -1):
            if slots[pile] and (left[pile].get(card) or (pile in self.inner and self._find(pile, tried, card))):
                break
        else:
            for pile in range(end - 1, 0, -1):
                if (
                    self.choices[pile]
                    and (card in left[pile] or pile in self.inner)
                    and (slots[pile] or self._vacate(pile, tried, seat=seat))
                    and (left[pile].get(card) or self._find(pile, tried, card) or self._vacate(pile, tried, card=card))
                ):
                    break
            else:
                return False
        slots[pile] -= 1
        left[pile][card] -= 1
        self.choices[pile].append(named)
        return True

    def _find(self, pile: int, tried: set[tuple[Named, int]], card: str) -> bool:
        """Make an inner slot of a pile, a card put away unseen before a shuffle, this card. False if none can be."""
        named = -pile, card, pile - 1
        if pile not in self.inner or (named, pile) in tried:
            return False
        tried.add((named, pile))
        if not self._place(named, pile, tried):
            return False
        self.left[pile][card] = self.left[pile].get(card, 0) + 1
        return True

    def _vacate(
        self, pile: int, tried: set[tuple[Named, int]], *, seat: int | None = None, card: str | None = None
    ) -> bool:
        """Move a named card of a pile to an older pile: a card of this seat, or this card. False if none can move."""
        choices = self.choices[pile]
        for number, named in enumerate(choices):
            namer, moved, _ = named
            if (namer == seat or moved == card) and (named, pile) not in tried:
                tried.add((named, pile))
                del choices[number]
                if self._place(named, pile, tried):
                    (self.slots[namer] if namer >= 0 else self.inner[-namer])[pile] += 1
                    self.left[pile][moved] += 1
                    if moved != card:
                        self._open(pile, moved)
                    return True
                choices.insert(number, named)
        return False

    def _open(self, pile: int, card: str) -> None:
        """Make an inner slot any card again if it was found to be this card."""
        for older, choices in enumerate(self.choices[:pile] if pile in self.inner else []):
            for number, (holder, found, _) in enumerate(choices):
                if holder == -pile and found == card:
                    del choices[number]
                    self.inner[pile][older] += 1
                    self.left[pile][card] -= 1
                    self.left[older][card] += 1
                    return self._open(older, card)
        return None

    def movable_cards(self) -> list[tuple[Named, int]]:
        """The named cards that may move to another pile, each with its pile. No other card can.

        Another pile has a slot and a copy for it, or would have them if some of these cards moved.
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
    """Checks many times which cards the slots of a hand can be, while no card is named."""

    def __init__(self, piles: Piles, seat: int) -> None:
        """Copy the slots of a seat and the cards left of the piles."""
        self._piles, self._seat = piles, seat
        self._slots, self._left = piles.slots[seat].copy(), list(map(dict.copy, piles.left))

    def can_be(self, cards: Sequence[str]) -> bool | None:
        """Whether the slots can be these cards; None if piles alone cannot decide it."""
        slots = self._slots
        if _have_room([(slots, card) for card in cards], self._left):
            return True
        if not (self._piles.are_guessed or self._may_be(cards)):
            return False
        return self._piles.fit([(self._seat, cards)]) or None

    def _may_be(self, cards: Sequence[str]) -> bool:
        """Whether the slots could be these cards if movable cards went to any piles with room."""
        slots, left, movable = self._freed
        if not movable or len(movable) > MOST_MOVABLE:
            return bool(movable)
        return _have_room([(slots, card) for card in cards] + movable, left)

    @cached_property
    def _freed(self) -> tuple[list[int], list[dict[str, int]], list[Wanted]]:
        """The slots of the hand and the cards left of each pile without movable cards, and the movable cards."""
        slots, left = list(map(list.copy, self._piles.slots)), list(map(dict.copy, self._piles.left))
        wanted: list[Wanted] = []
        for (seat, card, _), pile in self._piles.movable_cards():
            slots[seat][pile] += 1
            left[pile][card] += 1
            wanted.append((slots[seat], card))
        return slots[self._seat], left, wanted


def _have_room(wanted: Sequence[Wanted], left: list[dict[str, int]]) -> bool:
    """Whether all of these cards (at least one) find a slot and a copy in a pile together."""
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
