"""The common parts of Verräter's moves: the types of cards and places, and the step of each move."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from games.contract import Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.verraeter.components import ACTIONS, COPIES, LANDS, PLACES
from games.verraeter.rounds import Due, step_words
from games.words import Sentence

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
    """A move at its step. At another step it breaks a rule, but it can have happened if it `can_be_late`."""

    steps: ClassVar[tuple[Due, ...]]
    """The steps at which the rules allow the move."""
    wrong_step_rule: ClassVar[tuple[str, Sentence]]
    """The rule that the move breaks at any other step, and its words."""

    def breaches(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """All breaches: of the time first, then of the move itself."""
        seat = self.seat
        if seat is not None and seat >= len(state.houses):
            return ()
        if state.due in self.steps:
            return self.check(state)
        over = state.game_over_breach()
        early = [over] if over else self.wrong_step_breach(state)
        return [*early, *self.check_late(state)] if self.can_be_late(state) else early if over else ()

    def apply(self, state: VerraeterState) -> list[Effect]:
        """Apply the move, at its step or against the rules."""
        seat = self.seat
        if seat is not None and seat >= len(state.houses):
            raise no_player(state, seat)
        if state.due in self.steps:
            return self.execute(state)
        if self.can_be_late(state):
            return self.execute_late(state)
        if state.due is None:
            raise ImpossibleError("the game is over", state.ending.rule if state.ending else None)
        rule, wrong = self.wrong_step_rule
        raise ImpossibleError("{wrong}: now {step_words}", rule, wrong=wrong, step_words=step_words(state))

    def can_be_late(self, state: VerraeterState) -> bool:  # noqa: ARG002
        """Whether the move is possible at another step."""
        return False

    def check_late(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The move's own breaches at another step."""
        return self.check(state)

    def execute_late(self, state: VerraeterState) -> list[Effect]:
        """Apply the move at another step."""
        return self.execute(state)

    def wrong_step_breach(self, state: VerraeterState) -> Iterable[RuleBrokenError]:
        """The breach of the time; it names the due step."""
        rule, wrong = self.wrong_step_rule
        yield RuleBrokenError(rule, "{wrong}: now {step_words}", wrong=wrong, step_words=step_words(state))


class TableMove(StepMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(StepMove, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


def no_player(state: VerraeterState, seat: int) -> ImpossibleError:
    """The error of a seat that does not play."""
    return ImpossibleError(
        "{seats} play: there is no {name}", "verraeter:1", seats=state.seats, name=state.seat_name(seat)
    )


def out_of_turn(state: VerraeterState, seat: int, rule: str) -> Iterable[RuleBrokenError]:
    """The breach of a move that is out of turn. Turns go around the table from the start player."""
    turn = state.to_move()
    if turn is None or turn == seat:
        return ()
    return [
        RuleBrokenError(
            rule, "it is {whose}'s turn, not {name}'s", whose=state.seat_name(turn), name=state.seat_name(seat)
        )
    ]


def cannot_hold(state: VerraeterState, seat: int, cards: Sequence[str]) -> Iterable[RuleBrokenError]:
    """The breach of cards that a hand cannot hold by all sightings; in older revisions since the last shuffle."""
    if not cards:
        return ()
    if state.looks_back and state.revision >= state.looks_back_since:
        return state.contradictions((seat, cards))
    if state.can_have(seat, cards) or not state.hands[seat].can_hold(cards) or state.is_any_scarce([(seat, cards)]):
        return ()
    name = state.seat_name(seat)
    return [
        RuleBrokenError(
            "verraeter:A17",
            "by what lay in the discards when they were shuffled {name} cannot hold {cards}",
            name=name,
            cards=" ".join(cards),
        ).shown_by(state.evidence().of_last_shuffle())
    ]
