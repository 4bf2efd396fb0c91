"""Supply cards that come to hands: draws beyond the hand limit, and notes of an own hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import GAP, Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import SecretMove
from games.verraeter.components import HAND_LIMIT
from games.verraeter.moves.base import Card, SeatMove, cannot_hold
from games.verraeter.rounds import Due, draw, draw_in_turn, excess
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from games.contract import Chance
    from games.verraeter.state import VerraeterState


class Draw(SeatMove, frozen=True, kw_only=True, tag="draw"):
    """A draw beyond the hand limit, with the discards before it. Without a discard fewer are drawn."""

    steps: ClassVar[tuple[Due, ...]] = ("draw",)
    wrong_step_rule = ("verraeter:26", Sentence("no draw is due that would bring too many cards"))

    discards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=HAND_LIMIT)] = ()

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """A move for each choice of discards, up to the excess of the draw; with the option only all of it or none."""
        limit = excess(state)
        seat, _ = state.draws[0]
        for cards in state.possible_cards(seat, limit):
            if not state.options.strict_overflow or len(cards) in (0, limit):
                yield cls(seat=seat, discards=cards)

    @classmethod
    def legal_at_random(cls, state: VerraeterState, chance: Chance) -> Self | None:
        """A choice of discards, as in `legal`."""
        limit = excess(state)
        seat, _ = state.draws[0]
        choices = state.holdable_choices(seat, limit)
        if state.options.strict_overflow:
            choices = [cards for cards in choices if len(cards) in (0, limit)]
        return cls(seat=seat, discards=state.random_possible_choice(seat, choices, chance))

    def check(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breaches of the order, of too many or too few discards, and of cards that the hand cannot hold."""
        index = self._place(state)
        if index is None:
            return ()
        limit, count, name = max(0, excess(state, index)), len(self.discards), state.seat_name(self.seat)
        gone = [*self._too_soon(state, index), *cannot_hold(state, self.seat, self.discards)]
        if count > limit:
            return [
                RuleBrokenError(
                    "verraeter:A13",
                    "{name} can discard {limit} before this draw, not {count}",
                    name=name,
                    limit=limit,
                    count=count,
                ),
                *gone,
            ]
        if state.options.strict_overflow and 0 < count < limit:
            return [
                RuleBrokenError(
                    "verraeter:A28",
                    "{name} discards all that is too much, {limit}, or nothing",
                    name=name,
                    limit=count_and_noun(limit, "card"),
                ),
                *gone,
            ]
        return gone

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Discard and draw. Raises `ImpossibleError` if no draw of this player is due."""
        index = self._place(state)
        if index is None:
            raise ImpossibleError(
                "no draw waits for {other}: it is {name} who draws now",
                "verraeter:24",
                name=state.seat_name(state.draws[0][0]),
                other=state.seat_name(self.seat),
            )
        seat, count = state.draws[index]
        state.require_hand(seat, self.discards)
        effects = []
        if self.discards:
            state.give_to(seat, "discards", self.discards)
            state.discards += self.discards
            effects.append(Effect("cards.discarded", "verraeter:26", seat, self.discards))
        drawn = min(count, HAND_LIMIT - len(state.hands[seat]))
        if drawn < count:
            effects.append(Effect("cards.forgone", "verraeter:26", seat, count=count - drawn))
        if drawn:
            effects += draw(state, seat, drawn)
        del state.draws[index]
        return effects + draw_in_turn(state)

    def _place(self, state: VerraeterState) -> int | None:
        """The index of this player's next draw among the due ones; None without one."""
        for index, (seat, _) in enumerate(state.draws):
            if seat == self.seat:
                return index
        return None

    def _too_soon(self, state: VerraeterState, index: int) -> Iterable[RuleBrokenError]:
        if index:
            first, name = state.seat_name(state.draws[0][0]), state.seat_name(self.seat)
            yield RuleBrokenError("verraeter:24", "{first} draws before {name}", first=first, name=name)


class Hold(SeatMove, SecretMove, frozen=True, kw_only=True, tag="hold"):
    """A player notes own cards in secret; `drawn` ones are the last draw."""

    steps: ClassVar[tuple[Due, ...]] = ()
    unknown_fields: ClassVar[tuple[str, ...]] = ("cards",)

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=HAND_LIMIT)] = ()
    drawn: bool = False

    @classmethod
    def off_turn_moves(cls, state: VerraeterState) -> Iterator[Self]:
        """For each player with unknown cards, the known cards and a gap for each unknown one; or the last draw."""
        for seat, cards, drawn in state.hands_to_note():
            yield cls(seat=seat, cards=cards, drawn=drawn)

    def blanks(self, state: VerraeterState) -> tuple[Blank, ...]:
        """A blank for each card that is not noted yet."""
        names = state.newly_drawable(self.seat) if self.drawn else state.holdable_cards(self.seat)
        return (Blank(self.seat, names, optional=not self.drawn),) * self.cards.count(GAP)

    def can_be_late(self, state: VerraeterState) -> bool:  # noqa: ARG002
        """Always true: cards can be noted at any step."""
        return True

    def breaches(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breaches of cards that the hand cannot hold. The move is allowed at any time, even after the end."""
        if self.seat >= state.seats:
            return ()
        if state.keeps_draws_apart:
            return state.note_contradictions(self.seat, self.cards, drawn=self.drawn)
        return cannot_hold(state, self.seat, state.noted_hand(self.seat, self.cards, drawn=self.drawn))

    def execute(self, state: VerraeterState) -> list[Effect]:
        """Note the cards. Raises `ImpossibleError` if the hand cannot hold them."""
        state.note_hand(self.seat, self.cards, drawn=self.drawn)
        return [Effect("hand.noted", "verraeter:A18", self.seat)]
