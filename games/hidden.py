"""Cards that nobody, or not everybody, has seen: some known, and a number of unknown ones. Nothing is ever invented."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Hand(msgspec.Struct):
    """Cards held, or put away: `known` by name (sorted, repeats and all) and `unknown` ones that only count.

    `open` names those of the known ones that everybody has seen, so that it can be said what others know; `peeked`
    those that beyond them the opponent has seen, where there is one.
    """

    known: list[str] = []
    unknown: int = 0
    open: list[str] = []
    peeked: list[str] = []

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def lacking(self, cards: Sequence[str]) -> list[str]:
        """Which of these cards, all wanted at once, are not among the known ones."""
        lacking = list(cards)
        for card in self.known:
            if card in lacking:
                lacking.remove(card)
        return lacking

    def can_hold(self, cards: Sequence[str]) -> bool:
        """Whether all these cards can be in the hand: each is known to be, or is one of the unknown ones."""
        if len(cards) == 1:
            return self.unknown > 0 or cards[0] in self.known
        return len(self.lacking(cards)) <= self.unknown

    def take(self, card: str | None, *, open: bool = False) -> None:  # noqa: A002  the word of the field
        """Take a card in; None is one that was not seen."""
        if card is None:
            self.unknown += 1
            return
        insort(self.known, card)
        if open:
            insort(self.open, card)

    def give(self, card: str) -> None:
        """Let a card out that `can_hold` it: the known one, else an unknown one, which was this one all the time."""
        if card in self.known:
            self.known.remove(card)
            if card in self.open:
                self.open.remove(card)
            elif card in self.peeked:
                self.peeked.remove(card)
        else:
            self.unknown -= 1

    def give_unseen(self, count: int, named: Sequence[str] = (), *, peeked: bool = False) -> Hand:
        """Let out `count` cards that others did not see, and of which only the `named` are known here.

        Returns them. What stays and what went is known as far as it is certain: of two BARI in five cards, one stays
        when one card goes. If they are `peeked` at, the opponent sees what the holder does.
        """
        stay = len(self) - count
        gone = Hand(list(named), 0, beyond(self.open, stay))
        told = sorted(self.open + self.peeked)
        told = beyond(without(told, named), count - len(named)) if peeked else beyond(told, count)
        self.open = beyond(self.open, count)
        self.peeked = without(told, self.open)
        for card in named:
            if card in self.known:
                self.known.remove(card)
        rest = count - len(named)
        gone.known = sorted([*gone.known, *beyond(self.known, stay)])
        gone.unknown = count - len(gone.known)
        self.known = beyond(self.known, rest)
        self.unknown = stay - len(self.known)
        return gone

    def hand_over(self, card: str | None, *, secret: bool) -> Hand:
        """Let out one card that `can_hold` it, None being one that was not noted; with what is known of it.

        If it is `secret`, only the holder sees it; else all who note it do, and nobody knows one that was not noted.
        """
        if secret:
            return self.give_unseen(1, [card] if card else [])
        if card is None:
            return self.give_unseen(1).hidden()
        self.give(card)
        return Hand([card], 0, [card])

    @classmethod
    def of(cls, card: str | None, *, secret: bool) -> Hand:
        """One card of a pile, None being one that was not noted; if it is `secret`, only its holder sees it."""
        hand = cls()
        hand.take(card, open=not secret)
        return hand

    def put(self, cards: Hand) -> None:
        """Put cards in that came out of another hand, with what is known of them."""
        self.known = sorted(self.known + cards.known)
        self.open = sorted(self.open + cards.open)
        self.unknown += cards.unknown

    def note(self, cards: Sequence[str]) -> None:
        """Learn of some cards that `can_hold` them, all at once."""
        lacking = self.lacking(cards)
        self.unknown -= len(lacking)
        self.known = sorted(self.known + lacking)

    def show(self, cards: Sequence[str]) -> None:
        """Let everybody see some cards that `can_hold` them."""
        self.note(cards)
        told = sorted((Counter(cards) | Counter(self.open + self.peeked)).elements())
        self.open = sorted((Counter(cards) | Counter(self.open)).elements())
        self.peeked = without(told, self.open)

    def hidden(self) -> Hand:
        """The same cards as others know them."""
        return Hand(self.open.copy(), len(self) - len(self.open), self.open.copy())

    def opposite(self) -> Hand:
        """The same cards as the opponent knows them."""
        told = sorted(self.open + self.peeked)
        return Hand(told, len(self) - len(told), self.open.copy(), self.peeked.copy())

    def copy(self) -> Hand:
        """An independent copy."""
        return Hand(self.known.copy(), self.unknown, self.open.copy(), self.peeked.copy())


def without(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    """The cards but for these, as far as they are among them."""
    return sorted((Counter(cards) - Counter(gone)).elements())


def beyond(cards: list[str], count: int) -> list[str]:
    """What is certain to be left of cards when any `count` of a larger lot are taken away."""
    if not count:
        return cards.copy()
    if len(cards) <= count:
        return []
    return sorted(Counter({card: held - count for card, held in Counter(cards).items() if held > count}).elements())
