"""What the moves of Verräter share: the words for cards and places, and the step at which each can be made."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from games.contract import Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.verraeter.components import ACTIONS, COPIES, LANDS, PLACES
from games.verraeter.rounds import STEPS, Due, step_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

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
    """A move at its step. `own_breaches`, `carry_out` and `legal_now` are what each kind of move adds to that."""

    steps: ClassVar[tuple[Due, ...]]
    """The steps at which it can be made. Each step builds on what lies there after the one before."""

    @classmethod
    def legal(cls, state: VerraeterState) -> Iterator[Self]:
        """The legal moves of this kind, at their step."""
        return cls.legal_now(state) if state.due in cls.steps else iter(())

    @classmethod
    def legal_now(cls, state: VerraeterState) -> Iterator[Self]:
        """The legal moves of this kind, when it is the step for them."""
        raise NotImplementedError

    def breaches(self, state: VerraeterState) -> Iterator[RuleBrokenError]:
        """What the move breaks by itself, at a step at which it can be made."""
        if self.seat is not None and self.seat >= state.seats:
            return
        if state.ending:
            yield RuleBrokenError(state.ending.rule, "the game is over")
        if self.is_time(state):
            yield from self.own_breaches(state)

    def own_breaches(self, state: VerraeterState) -> Iterator[RuleBrokenError]:  # noqa: ARG002
        """The rules that the move would break at a step at which it can be made."""
        return iter(())

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Carry the move out, at a step at which it can be made."""
        demand_player(state, self.seat)
        if not self.is_time(state):
            turn = state.to_move()
            whose = f": it is {state.seat_name(turn)}'s turn" if turn is not None else ""
            rule = STEPS[state.due][1] if state.due else state.ending.rule if state.ending else None
            raise ImpossibleError(f"now {step_words(state)}{whose}", rule)
        return self.carry_out(state)

    def carry_out(self, state: VerraeterState) -> list[Effect]:
        """As `apply`, at a step at which the move can be made."""
        raise NotImplementedError

    def is_time(self, state: VerraeterState) -> bool:
        """Whether it is the step for such a move, or one at which it can be all the same."""
        return state.due in self.steps


class TableMove(StepMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(StepMove, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


def demand_player(state: VerraeterState, seat: int | None) -> None:
    """Make sure that the seat plays. Raises `ImpossibleError`."""
    if seat is not None and seat >= state.seats:
        raise ImpossibleError(f"{state.seats} play: there is no {state.seat_name(seat)}", "verraeter:1")


def out_of_turn(state: VerraeterState, seat: int, rule: str) -> Iterator[RuleBrokenError]:
    """Going round the table from the start player on."""
    turn = state.to_move()
    if turn is not None and turn != seat:
        yield RuleBrokenError(rule, f"it is {state.seat_name(turn)}'s turn, not {state.seat_name(seat)}'s")


def not_drawn(state: VerraeterState, seat: int, cards: Sequence[str]) -> Iterator[RuleBrokenError]:
    """Whether cards are where they cannot be since the discards were shuffled."""
    if state.hands[seat].can_hold(cards) and not state.can_have(seat, cards):
        name = state.seat_name(seat)
        why = f"by what lay in the discards when they were shuffled {name} cannot hold {' '.join(cards)}"
        yield RuleBrokenError("verraeter:A17", why)
