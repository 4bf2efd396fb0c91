"""Cards put away unseen, and the end of a turn: a card from the row, one from the deck, or none."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec
from msgspec.structs import replace

from games.contract import GAP, Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import SecretMove, cards_text
from games.kahuna.moves.base import Card, SeatMove, not_in_hand
from games.kahuna.turns import end_turn, take_turn
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.contract import Chance
    from games.kahuna.state import KahunaState

HAND_LIMIT = 5
"""The most cards in a hand: with them nobody draws (kahuna:DRAW-2)."""
SHOWN_APART_SINCE = 5
"""The first revision in which cards that are shown at once leave the unseen ones one by one."""


class Discard(SeatMove, SecretMove, frozen=True, kw_only=True, tag="discard"):
    """Cards are put away without being played, `count` in all; `cards` are the known ones."""

    unknown_fields: ClassVar[tuple[str, ...]] = ("cards",)

    count: Annotated[int, msgspec.Meta(ge=1, le=24)]
    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=24)] = ()

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """Discards of each number of cards in hand, unnamed."""
        for count in range(1, len(state.hands[state.active]) + 1):
            yield cls(seat=state.active, count=count)

    def check(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """The cards must be possible in the hand."""
        return not_in_hand(state, self, self.cards)

    def from_hand(self) -> Sequence[str]:
        """The named cards."""
        return self.cards

    def execute(self, state: KahunaState) -> list[Effect]:
        """Put the cards away, known to their owner only."""
        seat, hand = self.seat, state.hands[self.seat]
        if len(self.cards) > self.count:
            raise ImpossibleError(
                "{named} are named, and {discarded} discarded",
                "kahuna:PLAY-4",
                named=count_and_noun(len(self.cards), "card"),
                discarded=self.count,
            )
        if len(hand) < self.count:
            raise ImpossibleError(
                "{name} has {held}, not {count}",
                "kahuna:PLAY-4",
                name=state.seat_name(seat),
                held=count_and_noun(len(hand), "card"),
                count=self.count,
            ).shown_by(state.evidence().of_hand(state.hand_places[seat], len(hand), [None] * self.count))
        state.require_hand(seat, self.cards)
        effects = take_turn(state, seat)
        known, seen = hand.known.copy(), hand.open.copy()
        gone = hand.give_unseen(self.count, self.cards)
        state.buried[seat].add_hand(gone)
        state.note_lost(seat, known, seen, (hand, gone))
        if state.shuffled:
            state.shuffled.lose_unseen(seat, Counter(seen) - Counter(hand.open), hand.unseen())
        return [*effects, Effect("cards.discarded", "kahuna:PLAY-4", seat, count=self.count)]

    def blanks(self, state: KahunaState) -> tuple[Blank, ...]:
        """A blank for each card, with the cards that the hand can hold."""
        return (Blank(self.seat, state.holdable_cards(self.seat)),) * self.count

    def with_gaps(self, state: KahunaState) -> Self:  # noqa: ARG002
        """The move with a gap for each card."""
        return replace(self, cards=(GAP,) * self.count)

    def sample_chance(self, state: KahunaState, chance: Chance) -> Self:
        """The move with random cards of a known hand."""
        hand = state.hands[self.seat]
        if hand.unknown:
            return self
        return replace(self, cards=tuple(sorted(chance.sample(hand.known, self.count))))


class _LastOfTurn(SeatMove, frozen=True, kw_only=True):
    """A card is taken into the hand, which ends the turn."""

    @classmethod
    def can_draw(cls, state: KahunaState) -> bool:
        """Whether the seat on turn may draw at all."""
        return not state.last_turns and len(state.hands[state.active]) < HAND_LIMIT

    def check(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """Nobody may draw in the last turns or with a full hand, and the cards must be possible."""
        wrong = state.contradictions(self, None, self.turned_up(state))
        held = len(state.hands[self.seat])
        if not state.last_turns and held < HAND_LIMIT:
            return wrong
        return chain(self._refused(state, held), wrong)

    def _refused(self, state: KahunaState, held: int) -> Iterator[RuleBrokenError]:
        """The breach if the seat may not draw with `held` cards in hand."""
        if state.last_turns:
            yield RuleBrokenError("kahuna:ROUND-4", "in the last turns nobody draws")
        if held >= HAND_LIMIT:
            yield RuleBrokenError(
                "kahuna:DRAW-2",
                "{name} has {held} in hand and cannot draw",
                name=state.seat_name(self.seat),
                held=count_and_noun(held, "card"),
            )


class Take(_LastOfTurn, frozen=True, kw_only=True, tag="take"):
    """A card of the row is taken, and `refill` laid in its place. None is one that was not noted, or no refill."""

    unknown_fields: ClassVar[tuple[str, ...]] = ("card", "refill")

    card: Card | None = None
    refill: Card | None = None

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """Taking each card of the row."""
        if cls.can_draw(state):
            for card in dict.fromkeys(state.row):
                yield cls(seat=state.active, card=card)

    def turned_up(self, state: KahunaState) -> Sequence[str]:
        """The refill of the row, and the card itself if it was unknown there."""
        refill = (self.refill,) if self.refill else ()
        return refill if self.card is None or self.card in state.row else (*refill, self.card)

    def execute(self, state: KahunaState) -> list[Effect]:
        """Take the card out of the row, seen by all, and refill the row from the deck."""
        seat, place = self.seat, self._place(state)
        if self.refill and not state.deck:
            raise ImpossibleError("the deck is empty, so that no card can refill the row", "kahuna:DRAW-4")
        if named := self.turned_up(state):
            state.require_copies(named)
        effects = take_turn(state, seat)
        state.hands[seat].take(self.card, open=True)
        if state.shuffled and not self.card:
            state.shuffled.draw(seat)
        if state.deck:
            state.deck -= 1
            state.row[place] = self.refill
        else:
            del state.row[place]
        effects.append(Effect("card.taken", "kahuna:DRAW-1", seat, (self.card or "a card",)))
        return effects + end_turn(state, seat, declined=False)

    def blanks(self, state: KahunaState) -> tuple[Blank, ...]:
        """Blanks for the card, if it was not noted in the row, and for the refill, if there is a deck."""
        taken = state.turnable_cards(lambda card: replace(self, card=card)) if self.card is None else None
        refills = state.turnable_cards(lambda card: replace(self, refill=card)) if state.deck else None
        return tuple(Blank(choices=cards, optional=True) for cards in (taken, refills) if cards is not None)

    def with_gaps(self, state: KahunaState) -> Self:
        """The move with gaps for the card and the refill."""
        return replace(self, card=self.card or GAP, refill=GAP if state.deck else None)

    def _place(self, state: KahunaState) -> int:
        """The index of the card in the row, or else of an unknown card there."""
        row = state.row
        if not row:
            raise ImpossibleError("no card lies in the row", "kahuna:DRAW-1")
        if self.card in row:
            return row.index(self.card)
        if None in row:
            return row.index(None)
        if self.card:
            raise ImpossibleError(
                "the row has no {card}: its cards are {row}", "kahuna:DRAW-1", row=cards_text(row, ", "), card=self.card
            ).shown_by(state.evidence().of_place("row"))
        raise ImpossibleError(
            "say which card was taken from the row: {row}", "kahuna:CARD-2", row=cards_text(row, ", ")
        )

    def sample_chance(self, state: KahunaState, chance: Chance) -> Self:
        """The move with a random refill, and a random card for an unknown one."""
        return state.consistent(self._sample, chance)

    def _sample(self, state: KahunaState, chance: Chance) -> Self:
        take, refill = not self.card, state.deck > 0 and not self.refill
        cards = state.random_unplaced(chance, take + refill)
        card, refilled = cards[0] if take else self.card, cards[-1] if refill else self.refill
        return type(self)(seat=self.seat, card=card, refill=refilled)


class Draw(_LastOfTurn, SecretMove, frozen=True, kw_only=True, tag="draw"):
    """The top card of the deck is drawn. None is one that was not seen."""

    unknown_fields: ClassVar[tuple[str, ...]] = ("card",)

    card: Card | None = None

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """Drawing, if there is a deck."""
        if state.deck and cls.can_draw(state):
            yield cls(seat=state.active)

    def turned_up(self, state: KahunaState) -> Sequence[str]:  # noqa: ARG002
        """The drawn card, if it is known."""
        return (self.card,) if self.card else ()

    def execute(self, state: KahunaState) -> list[Effect]:
        """Put the card into the hand, unseen by the opponent."""
        if not state.deck:
            raise ImpossibleError("the deck is empty", "kahuna:DRAW-4")
        if self.card:
            state.require_copies((self.card,))
        effects = take_turn(state, self.seat)
        state.deck -= 1
        state.hands[self.seat].take(self.card)
        if state.shuffled:
            state.shuffled.draw(self.seat)
        effects.append(Effect("card.drawn", "kahuna:DRAW-1", self.seat))
        return effects + end_turn(state, self.seat, declined=False)

    def blanks(self, state: KahunaState) -> tuple[Blank, ...]:
        """The card."""
        return (Blank(self.seat, state.turnable_cards(lambda card: replace(self, card=card))),)

    def with_gaps(self, state: KahunaState) -> Self:  # noqa: ARG002
        """With the card."""
        return replace(self, card=GAP)

    def sample_chance(self, state: KahunaState, chance: Chance) -> Self:
        """The move with a random card that has no known place."""
        return self if self.card else state.consistent(self._sample, chance)

    def _sample(self, state: KahunaState, chance: Chance) -> Self:
        return type(self)(seat=self.seat, card=state.random_unplaced(chance, 1)[0])


class Decline(SeatMove, frozen=True, kw_only=True, tag="decline"):
    """The turn ends without a card."""

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:
        """Declining, if the seat may."""
        if not state.must_draw and not _must_draw_after_sailing(state):
            yield cls(seat=state.active)

    def check(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """Players may not decline one after the other, nor after they moved a ship."""
        if self.seat != state.active:
            return
        name = state.seat_name(self.seat)
        if state.must_draw:
            yield RuleBrokenError(
                "kahuna:DRAW-3",
                "{name} must draw: {other} declined in the turn before",
                name=name,
                other=state.seat_name(1 - self.seat),
            )
        elif _must_draw_after_sailing(state):
            yield RuleBrokenError("kahuna:SEA-13", "{name} has moved a ship and must draw", name=name)

    def execute(self, state: KahunaState) -> list[Effect]:
        """End the turn. The opponent must draw."""
        return take_turn(state, self.seat) + end_turn(state, self.seat, declined=True)


class Show(SeatMove, frozen=True, kw_only=True, tag="show"):
    """Cards of a hand are shown to everybody, which is always allowed."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=24)]

    @classmethod
    def legal_on_turn(cls, state: KahunaState) -> Iterator[Self]:  # noqa: ARG003
        """Nothing: showing cards is not listed as play."""
        return iter(())

    @classmethod
    def off_turn_moves(cls, state: KahunaState) -> Iterator[Self]:
        """Shown cards of either player, of each number up to the whole hand."""
        for seat, hand in enumerate(state.hands):
            if len(hand):
                yield cls(seat=seat, cards=(GAP,) * len(hand))

    def blanks(self, state: KahunaState) -> tuple[Blank, ...]:
        """A blank for each card, with the cards that the hand can hold."""
        return (Blank(self.seat, state.holdable_cards(self.seat), optional=True),) * len(self.cards)

    def breaches(self, state: KahunaState) -> Iterable[RuleBrokenError]:
        """The breach of impossible cards; showing cards is allowed at any time."""
        return not_in_hand(state, self, self.cards)

    def from_hand(self) -> Sequence[str]:
        """All shown cards."""
        return self.cards

    def execute(self, state: KahunaState) -> list[Effect]:
        """Make the cards known to everybody."""
        state.require_hand(self.seat, self.cards)
        hand = state.hands[self.seat]
        was = Counter(hand.open)
        hand.show(self.cards)
        if state.shuffled:
            newly = sorted((Counter(hand.open) - was).elements())
            later = range(len(newly)) if state.revision >= SHOWN_APART_SINCE else [0] * len(newly)
            for count, card in zip(reversed(later), newly, strict=True):
                state.shuffled.give(self.seat, card, hand.unseen() + count)
        return [Effect("cards.shown", "kahuna:REC-2", self.seat, self.cards)]


def _must_draw_after_sailing(state: KahunaState) -> bool:
    return state.sailed and not state.last_turns and len(state.hands[state.active]) < HAND_LIMIT
