"""Cards that nobody, or not everybody, has seen: some known, and a number of unknown ones. Nothing is ever invented."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Hand(msgspec.Struct):
    """Cards held: `known` by name (sorted, repeats and all) and `unknown` ones that count but have no name."""

    known: list[str]
    unknown: int = 0

    def __len__(self) -> int:
        return len(self.known) + self.unknown

    def can_hold(self, cards: Sequence[str]) -> bool:
        """Whether all these cards can be in the hand: each is known to be, or is one of the unknown ones."""
        if len(cards) == 1:
            return self.unknown > 0 or cards[0] in self.known
        return (Counter(cards) - Counter(self.known)).total() <= self.unknown

    def take(self, card: str | None) -> None:
        """Take a card in; None is one that was not seen."""
        if card is None:
            self.unknown += 1
        else:
            self.known.append(card)
            self.known.sort()

    def give(self, card: str) -> None:
        """Let a card out that `can_hold` it: the known one, else an unknown one, which was this one all the time."""
        if card in self.known:
            self.known.remove(card)
        else:
            self.unknown -= 1

    def give_unseen(self, count: int) -> None:
        """Let `count` cards out that were not seen: what is left may be any of those held before, so it is unknown."""
        self.known, self.unknown = [], len(self) - count

    def hidden(self) -> Hand:
        """The same hand as somebody sees it who sees only backs."""
        return Hand([], len(self))

    def copy(self) -> Hand:
        """An independent copy."""
        return Hand(self.known.copy(), self.unknown)
