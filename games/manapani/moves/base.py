"""What the moves of Manapani share: the words for cards, chips and places, and the step at which each can be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeVar

import msgspec

from games.contract import Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.manapani import chips
from games.manapani.components import CARDS, COLOURS, COSTS, MOST_COPIES, MOST_SQUARES, SEATS
from games.manapani.turns import Due, step_rule, step_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.manapani.state import ManapaniState

    Seat = int
    Card = str
    Chip = str
    Die = int
else:  # The names are data; a decoder that knows them says which field is wrong. Seats and places count from 0.
    Seat = Literal[tuple(range(SEATS.stop - 1))]
    Card = Literal[CARDS]
    Chip = Literal[COLOURS]
    Die = Literal[1, 2, 3, 4, 5, 6]

Place = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SQUARES)]
MOST_CHIPS = 200
"""Of what is paid: as many as there are with 40 chips of each of the five colours."""
Chips = Annotated[tuple[Chip, ...], msgspec.Meta(max_length=MOST_CHIPS)]
"""Chips by colour, in any order."""
MaybeCards = Annotated[tuple[Card | None, ...], msgspec.Meta(max_length=MOST_COPIES)]
"""None is a card that is not known from here, or not yet."""

F = TypeVar("F", int, str)


class StepMove(Move, frozen=True, kw_only=True):
    """A move at its step; `untimely` is what its kind adds to that.

    `legal` has each move with a whole payment, the sensible one first. Where the same thing can be paid in very many
    ways, only sensible ones are listed, and any other can be typed.
    """

    steps: ClassVar[tuple[Due, ...]]
    """The steps at which it can be made, be it against the rules, as an exchange after the roll is."""

    def breaches(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """What the move breaks by itself, at a step at which it can be made."""
        if state.ending and (over := state.over()):
            return (over,)
        return () if self.untimely(state) else self.own_breaches(state)

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Carry the move out, at a step at which it can be made."""
        if reason := self.untimely(state):
            raise reason
        return self.carry_out(state)

    def untimely(self, state: ManapaniState) -> ImpossibleError | None:
        """Why nobody, or not this player, can make the move now."""
        if state.due in self.steps:
            return None
        return ImpossibleError("now {step_words}", step_rule(state), step_words=step_words(state))


class TableMove(StepMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(StepMove, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat

    def untimely(self, state: ManapaniState) -> ImpossibleError | None:
        """There is such a player."""
        return no_player(state, self.seat) or StepMove.untimely(self, state)


class TurnMove(SeatMove, frozen=True, kw_only=True):
    """A move of the player who has the turn: the own pawn is the one that moves, and no other can stand in for it."""

    def untimely(self, state: ManapaniState) -> ImpossibleError | None:
        """It is this player's turn."""
        if self.seat == state.active and state.due in self.steps:
            return None
        if reason := SeatMove.untimely(self, state):
            return reason
        return ImpossibleError(
            "it is {whose}'s turn, not {name}'s",
            "manapani:4",
            whose=state.seat_name(state.active),
            name=state.seat_name(self.seat),
        )


class BeforeRoll(TurnMove, frozen=True, kw_only=True):
    """A move that comes before the dice, or in place of them."""

    steps: ClassVar[tuple[Due, ...]] = ("turn",)

    def untimely(self, state: ManapaniState) -> ImpossibleError | None:
        """What was noted of a roll in part comes to its end first."""
        reason = TurnMove.untimely(self, state)
        if reason or not state.dice:
            return reason
        return ImpossibleError("the dice are rolled, and what they show is to be noted", "manapani:4")


def no_player(state: ManapaniState, seat: int) -> ImpossibleError | None:
    """Why a seat does not play, if it does not."""
    if seat < state.seats:
        return None
    return ImpossibleError(
        "{seats} play: there is no {name}", "manapani:1", seats=state.seats, name=state.seat_name(seat)
    )


def demand_player(state: ManapaniState, seat: int) -> None:
    """Make sure that the seat plays. Raises `ImpossibleError`."""
    if reason := no_player(state, seat):
        raise reason


def demand_square(state: ManapaniState, place: int) -> None:
    """Make sure that the track is so long. Raises `ImpossibleError`."""
    if place >= len(state.box.board):
        raise ImpossibleError("the squares are 0 to {number}", "manapani:1", number=len(state.box.board) - 1)


def not_the_cost(card: str, paid: Sequence[str]) -> Iterable[RuleBrokenError]:
    """Whether something else is paid for a card than what it costs."""
    cost = COSTS[card]
    if chips.is_proper(cost, chips.tally(paid)):
        return ()
    return [RuleBrokenError("manapani:16", "{card} costs {cost_words}", card=card, cost_words=chips.cost_words(cost))]


def noted_beside(before: Sequence[F | None], now: Sequence[F | None], text: str, rule: str) -> list[F | None]:
    """As many facts as were noted in part before, with what is noted of them now.

    Raises `ImpossibleError` if that gainsays it, with the `text` that says so of what is `known` and what was `told`.
    """
    for known, told in zip(before, now, strict=True):
        if known and told and known != told:
            raise ImpossibleError(text, rule, known=known, told=told)
    return [told or known for told, known in zip(now, before, strict=True)]
