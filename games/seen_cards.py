"""What all that was seen together allows of hidden cards, for games that keep in their state what was told of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

import msgspec

from games.contract import RECORD
from games.errors import RuleBrokenError
from games.hidden import CardState, cards_text
from games.knowledge import SHUFFLED, Course, Fact, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Viewpoint

Named = tuple[int, tuple[str, ...]]
"""A seat, and cards that are named of its hand."""


class FactTeller:
    """Tells what was kept: facts, as they are."""

    def told(self, version: int, word: Sequence[Fact]) -> Sequence[Fact]:  # noqa: ARG002
        """The facts of an entry."""
        return word


class LastShuffle(msgspec.Struct):
    """What everybody knows of the last shuffle: how many of each card were not seen then, so that they may be in hands.

    `held` counts the cards of each hand at the shuffle, `gone` those that left it since. `first` is whether nothing was
    shuffled before, but for the deal.
    """

    unseen: dict[str, int]
    held: list[int]
    gone: list[int]
    first: bool


class SeenCardState(CardState, kw_only=True):
    """A state that keeps what was told of its cards.

    `facts` are what entries told. `noted` are the seats that noted cards of their hands, `shuffle` is the last shuffle
    after the deal. `parted` is whether cards left a noted hand unseen, or were moved by a ruling. All but the facts is
    known to everybody.
    """

    hand_places: ClassVar[tuple[str, ...]]
    """The places of hands by seat, as rulings name them."""
    looks_back_since: ClassVar[int]
    """The first revision in which a card is against the rules that cannot be there by all that was seen together."""

    facts: list[Fact]
    noted: list[int]
    parted: bool
    shuffle: LastShuffle | None

    def table(self) -> Table:
        """The cards of the game, and the places where they can lie."""
        raise NotImplementedError

    def open_cards(self) -> Sequence[str]:
        """The cards that lie open to everybody."""
        raise NotImplementedError

    def tell(self, source: str, to: str, cards: Sequence[str | None] = (), seer: int | None = None) -> None:
        """Keep what the present entry tells of cards. If only one seat saw them, it is the `seer`."""
        self.facts.append(Fact(self.version, source, to, tuple(cards), seer=seer))
        if source == SHUFFLED:
            unseen = Counter(self.copies) - Counter(self.open_cards())
            held = [len(hand) for hand in self.hands]
            self.shuffle = LastShuffle(dict(unseen), held, [0] * len(held), self.shuffle is None)
        elif source in self.hand_places:
            self._note_hand(self.hand_places.index(source), cards, stay=source == to)

    def _note_hand(self, seat: int, cards: Sequence[str | None], *, stay: bool) -> None:
        """Keep what everybody knows of a hand: cards were noted in it, or left it."""
        if stay:
            self.noted = sorted({*self.noted, seat})
            return
        self.parted = self.parted or (seat in self.noted and None in cards)
        if self.shuffle:
            self.shuffle.gone[seat] += len(cards)

    def hide_facts(self, viewpoint: Viewpoint) -> None:
        """Forget what cannot be known from there."""
        if viewpoint != RECORD:
            self.facts = [
                fact if fact.seer is None or viewpoint.sees(fact.seer) else fact.unseen() for fact in self.facts
            ]

    def may_hold(self, seat: int, card: str) -> bool:
        """Whether a card can be in a hand, by all that was seen."""
        return super().may_hold(seat, card) and self.allows((seat, (card,)))

    def allows(self, *named: Named) -> bool:
        """Whether hands can hold these cards, by all that was seen together."""
        return not self._is_doubtful(named) or self._course().allows(self.version, _facts(self, named))

    def contradictions(self, *named: Named) -> list[RuleBrokenError]:
        """The rule that is broken by naming cards that hands cannot hold, by all that was seen together."""
        if not self._is_doubtful(named):
            return []
        found = self._course().contradicted_since(self.version, _facts(self, named))
        if found is None:
            return []
        entry, fact = found
        return [
            RuleBrokenError(
                self.hands_rule,
                "by all that was seen up to entry {entry} {name} cannot hold {cards}",
                entry=entry,
                name=self.seat_name(self.hand_places.index(fact.source)),
                cards=cards_text(fact.named(), self.card_separator),
            )
        ]

    def _is_doubtful(self, named: Sequence[Named]) -> bool:
        """Whether some cards are not there for certain: all that was seen has to be looked at, which takes long."""
        if not (self.shuffle or self.parted) or self.revision < self.looks_back_since:
            return False
        missing = [(seat, self.hands[seat].missing(cards)) for seat, cards in named]
        if not any(cards for _, cards in missing) or any(
            len(cards) > self.hands[seat].unknown for seat, cards in missing
        ):
            return False
        return self.parted or not self._came_by_shuffle(missing)

    def _came_by_shuffle(self, missing: Sequence[tuple[int, Sequence[str]]]) -> bool:
        """Whether cards can be in hands by what everybody knows of the last shuffle.

        Cards of one pile can lie in any order. So a card that was certainly shuffled can be any that a hand drew since.
        One that was not seen since the deal can be any that a hand had before the first shuffle.
        """
        told, used = self.shuffle, Counter[str]()
        if told is None:
            return False
        for seat, cards in missing:
            drawn, kept = self.hands[seat].unknown - told.held[seat], told.held[seat] - told.gone[seat]
            for card in cards:
                used[card] += 1
                unseen, loose = told.unseen.get(card, 0), self.unlocated_copies(card)
                if used[card] <= loose - unseen and drawn > 0:
                    drawn -= 1
                elif told.first and not self.noted and kept > 0 and loose == self.copies[card] and used[card] <= unseen:
                    kept -= 1
                else:
                    return False
        return True

    def _course(self) -> Course:
        return Course.of(self.table(), FactTeller, [(fact.version, (fact,)) for fact in self.facts])


def _facts(state: SeenCardState, named: Sequence[Named]) -> list[Fact]:
    places = state.hand_places
    return [Fact(state.version, places[seat], places[seat], tuple(cards)) for seat, cards in named]
