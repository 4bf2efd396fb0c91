"""The moves of the table: the deal, and the row of each round."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import GAP, Blank, Effect
from games.errors import ImpossibleError
from games.hidden import Hand, cards_text
from games.kahuna.components import CARDS
from games.kahuna.moves.base import Card, Seat, TableMove
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from games.contract import Chance, Viewpoint
    from games.kahuna.state import KahunaState

ROW = 3
"""The number of cards in the row."""


class Deal(TableMove, frozen=True, kw_only=True, tag="deal"):
    """The cards are dealt: who starts, the row, and of each hand the cards that are known. None is a card not noted."""

    unknown_fields: ClassVar[tuple[str, ...]] = ("row", "hands")

    starts: Seat
    row: tuple[Card | None, Card | None, Card | None] = (None, None, None)
    hands: tuple[
        Annotated[tuple[Card, ...], msgspec.Meta(max_length=3)],
        Annotated[tuple[Card, ...], msgspec.Meta(max_length=3)],
    ] = ((), ())

    @classmethod
    def legal(cls, state: KahunaState) -> Iterator[Self]:
        """Both deals: either player may start."""
        if state.due == "deal" and not state.ending:
            yield cls(starts=0)
            yield cls(starts=1)

    def apply(self, state: KahunaState) -> list[Effect]:
        """Lay out the row, give the hands their cards, and begin round 1."""
        if state.due != "deal":
            raise ImpossibleError("the cards have been dealt already", "kahuna:SET-1")
        state.require_copies([card for cards in (self.row, *self.hands) for card in cards if card])
        state.told.append((state.version, self))
        state.hands = [Hand(sorted(known), 3 - len(known)) for known in self.hands]
        state.row = list(self.row)
        state.deck = len(CARDS) - 9
        state.due = None
        state.round = 1
        state.active = self.starts
        return [Effect("cards.dealt", "kahuna:SET-1", self.starts, count=state.deck)]

    def seen(self, viewpoint: Viewpoint) -> Self:
        """The deal without the hands that the viewpoint does not see."""
        black, white = (hand if viewpoint.sees(seat) else () for seat, hand in enumerate(self.hands))
        return msgspec.structs.replace(self, hands=(black, white))

    def informed_seats(self) -> tuple[int, ...]:
        """Both seats: each knows its hand."""
        return (0, 1)

    def blanks(self, state: KahunaState) -> tuple[Blank, ...]:
        """Blanks for the row and the cards of both hands."""
        return tuple(Blank(seat, state.drawable_cards()) for seat in (None, 0, 1) for _ in range(ROW))

    def with_gaps(self, state: KahunaState) -> Self:  # noqa: ARG002
        """The deal with gaps for all nine cards."""
        cards = (GAP,) * ROW
        return msgspec.structs.replace(self, row=cards, hands=(cards, cards))

    def sample_chance(self, state: KahunaState, chance: Chance) -> Self:  # noqa: ARG002
        """The deal with nine random cards."""
        cards = chance.sample(CARDS, 9)
        row = (cards[0], cards[1], cards[2])
        return msgspec.structs.replace(self, row=row, hands=(tuple(cards[3:6]), tuple(cards[6:])))


class Row(TableMove, frozen=True, kw_only=True, tag="row"):
    """The face-up cards as they lie: laid out for a new round, or looked at again where one was not noted."""

    unknown_fields: ClassVar[tuple[str, ...]] = ("cards",)

    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=1, max_length=ROW)]

    @classmethod
    def legal(cls, state: KahunaState) -> Iterator[Self]:
        """An unknown row, for a new round."""
        if state.due == "row" and not state.ending:
            yield cls(cards=(None,) * min(ROW, state.deck))

    def turned_up(self, state: KahunaState) -> Sequence[str]:
        """The noted cards of the row that were not known there."""
        return [*(Counter(filter(None, self.cards)) - Counter(filter(None, state.row))).elements()]

    def apply(self, state: KahunaState) -> list[Effect]:
        """Lay out the row, or note its unknown cards. Known cards of the row stay."""
        if state.due == "deal":
            raise ImpossibleError("the cards have not been dealt yet", "kahuna:SET-1")
        size = min(ROW, state.deck) if state.due else len(state.row)
        if len(self.cards) != size:
            raise ImpossibleError(
                "the row has {size}, not {count}",
                "kahuna:ROUND-3",
                size=count_and_noun(size, "card"),
                count=len(self.cards),
            )
        if gone := Counter(filter(None, state.row)) - Counter(filter(None, self.cards)):
            error = ImpossibleError("{gone} is known to lie in the row", "kahuna:CARD-2", gone=cards_text(gone))
            raise error.shown_by(state.evidence().of_place("row", gone))
        state.require_copies(self.turned_up(state))
        state.told.append((state.version, self))
        state.row = list(self.cards)
        if state.due:
            state.deck -= size
            state.due = None
        return [Effect("row.laid", "kahuna:ROUND-3", at=tuple(card or "?" for card in self.cards))]

    def blanks(self, state: KahunaState) -> tuple[Blank, ...]:
        """A blank for each card of the row."""
        others = self.cards[1:]
        choices = state.turnable_cards(lambda card: msgspec.structs.replace(self, cards=(card, *others)))
        return (Blank(choices=choices),) * len(self.cards)

    def sample_chance(self, state: KahunaState, chance: Chance) -> Self:
        """The row with random cards from the deck."""
        return state.consistent(self._sample, chance)

    def _sample(self, state: KahunaState, chance: Chance) -> Self:
        unknown = iter(state.random_unplaced(chance, self.cards.count(None)))
        return msgspec.structs.replace(self, cards=tuple(card or next(unknown) for card in self.cards))
