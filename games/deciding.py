"""Deciding what hidden hands hold, card by card. What fits the cards so far is kept: one more is a small question."""

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
    """Hands that are decided one after the other, as all that was seen allows them together.

    `piles`, or else `way`, show one way in which the cards so far can lie. What fits it, too, is possible for certain.
    Only a card that does not fit is held against `every` arrangement. A card that a hand cannot have beside some cards
    cannot be there beside more of them, and is not asked for again.
    """

    def __init__(self, state: ToldCardState) -> None:
        """Nothing is decided."""
        self._state, self._piles = state, state.piles.copy() if state.piles else None
        self._way: Possibilities | None = None
        self._untold: dict[int, Fact] = {}
        self._seat, self._held, self._ruled_out = 0, list[str](), set[str]()

    def decide(self, seat: int, count: int, loose: list[str], chance: Chance) -> list[str]:
        """The cards of a hand, so many of them from the loose ones, which they leave."""
        self._seat, self._held, self._ruled_out = seat, self._state.hands[seat].known.copy(), set()
        for _ in range(min(count, len(loose))):
            card = self._decided(loose, chance)
            self._untold[seat] = self._having(card)
            self._held.append(card)
            loose.remove(card)
        return self._held

    def _decided(self, loose: Sequence[str], chance: Chance) -> str:
        """One more card; any one, if what was seen contradicts itself."""
        able = loose
        while able:
            card = chance.choice(able)
            if self._can_be(card):
                return card
            able = [other for other in able if other != card]
        self._piles = self._way = None
        return chance.choice(loose)

    def _can_be(self, card: str) -> bool:
        """Whether the hand can have this card, too, by all that was seen."""
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
        """Whether this card fits into the way that is known, which has it then."""
        if self._piles:
            return self._piles.name(self._seat, [card])
        found = self._way.one_after(self._having(card)) if self._way else None
        self._way = found or self._way
        return found is not None

    def _is_ruled_out(self, card: str) -> bool:
        """Whether piles alone say that the hand cannot have this card, too."""
        return self._piles is not None and SlotsOfHand(self._piles, self._seat).can_be([card]) is False

    def _is_possible(self, card: str) -> bool:
        """Whether any arrangement has this card, too. One that has it is the way from there on."""
        having = self._having(card)
        if card not in self._known.kinds_in(having.source):
            return False
        way = self._every.first_way([*self._untold.values(), having])
        if way is None:
            for seat in list(self._untold):
                self._every = self._every.after(self._untold.pop(seat))
            if not (found := self._every.after(having)):
                return False
            self._every, way = found, found.one()
        self._piles, self._way = None, way
        return True

    def _having(self, card: str) -> Fact:
        """The hand has this card, too."""
        place = self._state.hand_places[self._seat]
        return Fact(self._state.version, place, place, (*self._held, card))

    @cached_property
    def _course(self) -> Course:
        """What was possible by all that was told; the last of several, which knows less, if the first ones are over."""
        return list(self._state.courses())[-1]

    @cached_property
    def _every(self) -> Possibilities:
        """All that is possible with the cards so far, but for what is still `untold`."""
        return self._known

    @cached_property
    def _known(self) -> Possibilities:
        """All that is possible before any card was decided."""
        return self._course.gathered()
