"""The stacks of expansion cards, and what is known of the cards in them."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

import msgspec

from games.hidden import certain_after_losing, removed

if TYPE_CHECKING:
    from collections.abc import Sequence


PLAYERS = -1
"""In the place of a seat: both players, but not the public."""


class Group(msgspec.Struct, frozen=True):
    """Cards that entry `version` put under a stack together, in any order, None being any card.

    Seat `seer` saw them, or both `PLAYERS`, or nobody.
    """

    version: int
    cards: tuple[str | None, ...]
    seer: int | None

    def without(self, card: str | None, seat: int | None) -> list[Group]:
        """What is left of it, if anything, after a card was drawn that only one player saw."""
        if len(self.cards) == 1:
            return []
        left: list[str | None] = [None] * (len(self.cards) - 1)
        if card:
            left = list(self.cards)
            left.remove(card)
        return [Group(self.version, tuple(left), seat if self.seer in (PLAYERS, seat) else None)]

    def seen(self, seat: int | None) -> Group:
        """The same as a player knows it, or who is none."""
        if seat is not None and self.seer in (PLAYERS, seat):
            return self
        return Group(self.version, (None,) * len(self.cards), self.seer)


class Stack(msgspec.Struct):
    """A face-down stack of expansion cards: how many, and which of them are known to be in it.

    `under` is how many cards were put under it at the most: as long as there are more, the top one is none of them.
    `sure` are the cards that are certainly in it, as far as everything tells that is noted. Each player knows less:
    `known` has by seat what only he is certain of, `common` what both are. `order` are the cards that were put under
    it, the first ones first. Once any of them may be gone, nothing is known of their order any more.
    """

    size: int = 0
    under: int = 0
    known: list[list[str]] = []
    common: list[str] = []
    sure: list[str] = []
    order: list[Group] = []

    def coming(self) -> Group | None:
        """The group of the next card, if the cards are known of which it is one."""
        if not self.order or self.size > self.under or None in self.order[0].cards:
            return None
        return self.order[0]

    def follow(self, seat: int | None, card: str | None, *, top: bool) -> None:
        """Keep the order when a card is about to leave the stack; only this player sees it.

        Nobody knows any more after a search what lies under the stack, or after another card than one of those next.
        """
        if not self.order or (top and self.size > self.under):
            return
        first = self.order[0].cards
        if not top or (card and card not in first and None not in first):
            self.order = [group.seen(None) for group in self.order]
        if top:
            gone = card if card in self.order[0].cards else None
            self.order = [*self.order[0].without(gone, seat), *self.order[1:]]

    def put(self, seers: Sequence[int], card: str | None) -> None:
        """Put a card under the stack, None being one that was not noted; `seers` are the players who see which."""
        self.size += 1
        self.under += 1
        if card is None:
            return
        insort(self.sure, card)
        if len(seers) == len(self.known):
            insort(self.common, card)
        else:
            for seat in seers:
                insort(self.known[seat], card)

    def take(self, seers: Sequence[int], card: str | None, *, top: bool) -> None:
        """Take a card from the top, or from anywhere. What may have gone is not known to be there any more."""
        certain = top and self.size > self.under
        self.size -= 1
        self.under = min(self.under, self.size)
        if certain or not (self.sure or self.common or any(self.known)):
            return
        told = [_left(cards + self.common, card if seat in seers else None) for seat, cards in enumerate(self.known)]
        self.common = _left(self.common, card if len(seers) == len(self.known) else None)
        self.known = [removed(cards, self.common) for cards in told] if self.common else told
        self.sure = _left(self.sure, card)

    def rule_out(self, seers: Sequence[int], card: str) -> None:
        """Know better than that a card lies here: it turned up elsewhere, as `seers` saw."""
        self.sure = removed(self.sure, [card])
        for seat in seers:
            self.known[seat] = removed(self.known[seat], [card])
        if len(seers) == len(self.known):
            self.common = removed(self.common, [card])

    def seen(self, seat: int | None) -> Stack:
        """The same stack as a player knows it, or who is none."""
        if seat is None:
            return Stack(
                self.size, self.under, [[] for _ in self.known], order=[group.seen(None) for group in self.order]
            )
        known = [cards.copy() if seat == owner else [] for owner, cards in enumerate(self.known)]
        order = [group.seen(seat) for group in self.order]
        return Stack(self.size, self.under, known, self.common.copy(), sorted(self.known[seat] + self.common), order)

    def known_cards(self) -> list[str]:
        """The cards that are known to be in it."""
        return self.sure

    def reachable(self) -> list[str]:
        """The cards that are known to be in it, if one of them can be the top card."""
        return self.sure if self.size <= self.under else []


def _left(cards: list[str], card: str | None) -> list[str]:
    """The cards that are certain to be left after this one went; None is any card."""
    return certain_after_losing(cards, 1) if card is None else removed(cards, [card])
