"""What the moves of Verräter share: the words for cards and places, and the step at which each can be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from games.contract import Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.verraeter.components import ACTIONS, COPIES, LANDS, PLACES
from games.verraeter.rounds import STEPS, Due, step_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.verraeter.state import VerraeterState

    Seat = int
    Card = str
    Land = str
    Action = str
    Place = int
else:  # The names are data; a decoder that knows them says which field is wrong. Seats and places count from 0.
    Seat = Literal[0, 1, 2, 3]
    Card = Literal[tuple(COPIES)]
    Land = Literal[tuple(LANDS)]
    Action = Literal[ACTIONS]
    Place = Literal[tuple(range(PLACES))]


class StepMove(Move, frozen=True, kw_only=True):
    """A move at its step."""

    steps: ClassVar[tuple[Due, ...]]
    """The steps at which it can be made. Each step builds on what lies there after the one before."""

    def breaches(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """What the move breaks by itself, at a step at which it can be made."""
        seat = self.seat
        if seat is not None and seat >= len(state.houses):
            return ()
        own = self.own_breaches(state) if state.due in self.steps or self.fits_late(state) else ()
        return (over, *own) if state.ending and (over := state.over()) else own

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Carry the move out, at a step at which it can be made."""
        demand_player(state, self.seat)
        if state.due not in self.steps and not self.fits_late(state):
            turn = state.to_move()
            rule = STEPS[state.due][1] if state.due else state.ending.rule if state.ending else None
            if turn is None:
                raise ImpossibleError("now {step_words}", rule, step_words=step_words(state))
            raise ImpossibleError(
                "now {step_words}: it is {whose}'s turn",
                rule,
                step_words=step_words(state),
                whose=state.seat_name(turn),
            )
        return self.carry_out(state)

    def fits_late(self, state: VerraeterState) -> bool:  # noqa: ARG002
        """Whether it can be made all the same when it is no step for such a move."""
        return False


class TableMove(StepMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(StepMove, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


def demand_player(state: VerraeterState, seat: int | None) -> None:
    """Make sure that the seat plays. Raises `ImpossibleError`."""
    if seat is not None and seat >= len(state.houses):
        raise ImpossibleError(
            "{seats} play: there is no {name}", "verraeter:1", seats=state.seats, name=state.seat_name(seat)
        )


def out_of_turn(state: VerraeterState, seat: int, rule: str) -> Iterable[RuleBrokenError]:
    """Going round the table from the start player on."""
    turn = state.to_move()
    if turn is None or turn == seat:
        return ()
    return [
        RuleBrokenError(
            rule, "it is {whose}'s turn, not {name}'s", whose=state.seat_name(turn), name=state.seat_name(seat)
        )
    ]


def not_drawn(state: VerraeterState, seat: int, cards: Sequence[str]) -> Iterable[RuleBrokenError]:
    """Whether cards are where they cannot be since the discards were shuffled."""
    if state.can_have(seat, cards) or not state.hands[seat].can_hold(cards):
        return ()
    name = state.seat_name(seat)
    return [
        RuleBrokenError(
            "verraeter:A17",
            "by what lay in the discards when they were shuffled {name} cannot hold {cards}",
            name=name,
            cards=" ".join(cards),
        )
    ]
