"""Deciding the cards of hidden hands one by one. What fits the cards so far is kept, so one more card is a small
question.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from games.knowledge import Fact
from games.piles import SlotsOfHand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Chance
    from games.knowledge import Course, Possibilities
    from games.seen_cards import ToldCardState


class HandsDecided:
    """Decides hands one after the other, so that all of them together agree with everything that was seen.

    `piles`, or else `way`, is one possible arrangement of the cards so far. A card that fits it is possible. Only a
    card that does not fit is compared with `every` arrangement. A card that is impossible beside some cards stays
    impossible beside more, and is not checked again.
    """

    def __init__(self, state: ToldCardState) -> None:
        """No hand is decided yet."""
        self._state, self._piles = state, state.piles.copy() if state.piles else None
        self._way: Possibilities | None = None
        self._untold: dict[int, Fact] = {}
        self._seat, self._held, self._ruled_out = 0, list[str](), set[str]()

    def decide(self, seat: int, count: int, loose: list[str], chance: Chance) -> list[str]:
        """The cards of a hand, with `count` of them taken from the `loose` cards."""
        self._seat, self._held, self._ruled_out = seat, self._state.hands[seat].known.copy(), set()
        for _ in range(min(count, len(loose))):
            card = self._decided(loose, chance)
            self._untold[seat] = self._having(card)
            self._held.append(card)
            loose.remove(card)
        return self._held

    def _decided(self, loose: Sequence[str], chance: Chance) -> str:
        """One more card of the hand; any card if the observations contradict each other."""
        able = loose
        while able:
            card = chance.choice(able)
            if self._can_be(card):
                return card
            able = [other for other in able if other != card]
        self._piles = self._way = None
        return chance.choice(loose)

    def _can_be(self, card: str) -> bool:
        """Whether the hand can also have this card, by all that was seen."""
        if not self._state.looks_back:
            return True
        if card in self._ruled_out:
            return False
        if self._fits(card):
            return True
        if not self._is_ruled_out(card) and (self._course.is_over or self._is_possible(card)):
            return True
        self._ruled_out.add(card)
        return False

    def _fits(self, card: str) -> bool:
        """Whether this card fits the known arrangement, which then includes it."""
        if self._piles:
            return self._piles.name(self._seat, [card])
        found = self._way.one_after(self._having(card)) if self._way else None
        self._way = found or self._way
        return found is not None

    def _is_ruled_out(self, card: str) -> bool:
        """Whether the piles alone show that the hand cannot also have this card."""
        return self._piles is not None and SlotsOfHand(self._piles, self._seat).can_be([card]) is False

    def _is_possible(self, card: str) -> bool:
        """Whether any arrangement also has this card. Such an arrangement becomes the known one."""
        having = self._having(card)
        if card not in self._known.kinds_in(having.source):
            return False
        way = self._every.first_way([*self._untold.values(), having])
        if way is None:
            for seat in list(self._untold):
                self._every = self._every.after(self._untold.pop(seat))
            if not (found := self._every.after(having)):
                return False
            self._every, way = found, found.first_only()
        self._piles, self._way = None, way
        return True

    def _having(self, card: str) -> Fact:
        """The fact that the hand also has this card."""
        place = self._state.hand_places[self._seat]
        return Fact(self._state.version, place, place, (*self._held, card))

    @cached_property
    def _course(self) -> Course:
        """The course of the game: the first that is not over, else the last, which knows least."""
        return list(self._state.courses())[-1]

    @cached_property
    def _every(self) -> Possibilities:
        """All arrangements with the decided cards, except cards that are still `untold`."""
        return self._known

    @cached_property
    def _known(self) -> Possibilities:
        """All arrangements before any card was decided."""
        return self._course.with_hands_together()
