"""The common parts of Manapani's moves: the types of cards, chips and places, and the step of each move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeVar

import msgspec

from games.contract import Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.manapani import chips
from games.manapani.components import CARDS, COLOURS, COSTS, MOST_COPIES, MOST_SQUARES, SEATS
from games.manapani.scoring import end_without_mana, end_without_white
from games.manapani.turns import Due, check_land_again, step_words
from games.words import Sentence, counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    """A move at its step. At another one, or by another player, it breaks a rule, but can have happened.

    `legal` has each move with a whole payment, the sensible one first. If there are very many ways to pay, only
    sensible ones are listed, and any other can be typed.
    """

    steps: ClassVar[tuple[Due, ...]]
    """The steps at which the rules allow it."""
    wrong_step_rule: ClassVar[tuple[str, Sentence]]
    """The rule that it breaks at any other step, and what it says."""

    def is_due(self, state: ManapaniState) -> bool:
        """Whether it is time for such a move by this player."""
        return state.due in self.steps

    def breaches(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """Breaches by the time come first, then the move's own."""
        if self.is_due(state):
            return self.check(state)
        if state.ending and (over := state.game_over_breach()):
            return (over,)
        return () if self.unavailable(state) else [*self.wrong_step_breach(state), *self.check_late(state)]

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Carry the move out, at its step or against the rules."""
        if self.is_due(state):
            return self.execute(state)
        if reason := self.unavailable(state):
            raise reason
        return self.execute_late(state) if state.due else self._after_the_end(state)

    def _after_the_end(self, state: ManapaniState) -> list[Effect]:
        """The chips have been counted: the move can be made, and changes nothing any more (manapani:REC-1)."""
        self.execute_late(state.copy())
        return [Effect("move.uncounted", "manapani:REC-1", self.seat)]

    def check_late(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The move's own breaches at another time, or out of turn."""
        return self.check(state)

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """The effects of the move at another time, or out of turn."""
        return self.execute(state)

    def unavailable(self, state: ManapaniState) -> ImpossibleError | None:
        """Why nobody, or not this player, can make such a move now."""
        if state.turn:
            return None
        return ImpossibleError("nothing has been dealt yet: {step_words}", "manapani:3", step_words=step_words(state))

    def wrong_step_breach(self, state: ManapaniState) -> Iterator[RuleBrokenError]:
        """The step that is due comes first."""
        rule, wrong = self.wrong_step_rule
        yield RuleBrokenError(rule, "{wrong}: now {step_words}", wrong=wrong, step_words=step_words(state))


class TableMove(StepMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(StepMove, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat

    def is_due(self, state: ManapaniState) -> bool:
        """The player is there."""
        return state.due in self.steps and self.seat < state.seats

    def unavailable(self, state: ManapaniState) -> ImpossibleError | None:
        """There is such a player."""
        return no_player(state, self.seat) or StepMove.unavailable(self, state)


class TurnMove(SeatMove, frozen=True, kw_only=True):
    """A move of the player who has the turn."""

    def is_due(self, state: ManapaniState) -> bool:
        """It is this player's turn."""
        return self.seat == state.active and state.due in self.steps

    def breaches(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """As of any move. The usual case, a move at its step, is checked first for speed."""
        if self.seat == state.active and state.due in self.steps:
            return self.check(state)
        return StepMove.breaches(self, state)

    def apply(self, state: ManapaniState) -> list[Effect]:
        """The same."""
        if self.seat == state.active and state.due in self.steps:
            return self.execute(state)
        return StepMove.apply(self, state)

    def wrong_step_breach(self, state: ManapaniState) -> Iterator[RuleBrokenError]:
        """The order of turns comes before the step; and a forgotten toll can be recorded."""
        if self.seat == state.active:
            yield from StepMove.wrong_step_breach(self, state)
        else:
            whose, name = state.seat_name(state.active), state.seat_name(self.seat)
            yield RuleBrokenError("manapani:4", "it is {whose}'s turn, not {name}'s", whose=whose, name=name)
        if state.due in ("foreign", "toll"):
            yield toll_owed(state)


class BeforeRoll(TurnMove, frozen=True, kw_only=True):
    """A move that comes before the dice, or in place of them."""

    steps: ClassVar[tuple[Due, ...]] = ("turn",)

    breaches, apply = StepMove.breaches, StepMove.apply

    def is_due(self, state: ManapaniState) -> bool:
        """A partly noted roll is completed first."""
        return self.seat == state.active and state.due == "turn" and not state.dice

    def wrong_step_breach(self, state: ManapaniState) -> Iterator[RuleBrokenError]:
        """The same."""
        if TurnMove.is_due(self, state):
            yield RuleBrokenError("manapani:4", "the dice are rolled, and what they show is to be noted")
        else:
            yield from TurnMove.wrong_step_breach(self, state)


class FightMove(SeatMove, frozen=True, kw_only=True):
    """A move in a fight."""

    def unavailable(self, state: ManapaniState) -> ImpossibleError | None:
        """A fight goes on."""
        return SeatMove.unavailable(self, state) or no_fight(state)


def no_fight(state: ManapaniState) -> ImpossibleError | None:
    """Why nothing of a fight can be done, if none goes on."""
    if state.fight and state.due != "toll":
        return None
    return ImpossibleError("no fight goes on: now {step_words}", "manapani:17", step_words=step_words(state))


def toll_owed(state: ManapaniState) -> RuleBrokenError:
    """The toll that is due is paid; who forgot it has left the square."""
    return RuleBrokenError(
        "manapani:13" if state.due == "foreign" else "manapani:20",
        "a toll of {level} is owed at {label}: enter leave if it was not paid",
        level=state.levels[state.place],
        label=state.label(state.place),
    )


def follow_up(state: ManapaniState) -> list[Effect]:
    """The ends that changed chips bring, and what the square brings after something was done out of step.

    A fight and Brave Attack are resolved whole before anybody is found empty (manapani:D1, manapani:E2).
    """
    effects = end_without_white(state)
    if not (state.brave or state.fight):
        effects += end_without_mana(state)
    return effects if state.ending or state.due == "turn" else effects + check_land_again(state)


def require_loose(state: ManapaniState, seat: int, cards: Sequence[str | None]) -> None:
    """Make sure that the hand has these cards beside those that lie face down. Raises `ImpossibleError`."""
    down, named = state.face_down(seat), [card for card in cards if card]
    if named or down:
        state.require_hand(seat, [*named, *filter(None, down)])
    held = len(state.hands[seat]) - len(down)
    if len(cards) > held:
        text = "{name} holds {held}" if not down else "{name} holds {held} beside those that lie face down"
        raise ImpossibleError(text, state.hands_rule, name=state.seat_name(seat), held=counted(held, "card"))


def no_player(state: ManapaniState, seat: int) -> ImpossibleError | None:
    """Why a seat does not play, if it does not."""
    if seat < state.seats:
        return None
    return ImpossibleError(
        "{seats} play: there is no {name}", "manapani:1", seats=state.seats, name=state.seat_name(seat)
    )


def require_player(state: ManapaniState, seat: int) -> None:
    """Make sure that the seat plays. Raises `ImpossibleError`."""
    if reason := no_player(state, seat):
        raise reason


def require_square(state: ManapaniState, place: int) -> None:
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
    """The facts of an earlier partial note, with the new ones.

    Raises `ImpossibleError` for a contradiction. Its `text` has places for the `known` and the `told` facts.
    """
    for known, told in zip(before, now, strict=True):
        if known and told and known != told:
            raise ImpossibleError(text, rule, known=known, told=told)
    return [told or known for told, known in zip(now, before, strict=True)]
