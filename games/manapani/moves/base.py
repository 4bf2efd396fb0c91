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
from games.words import Sentence, count_and_noun

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
"""The most chips of a payment: all chips, with 40 of each of the five colours."""
Chips = Annotated[tuple[Chip, ...], msgspec.Meta(max_length=MOST_CHIPS)]
"""Chips by colour, in any order."""
MaybeCards = Annotated[tuple[Card | None, ...], msgspec.Meta(max_length=MOST_COPIES)]
"""Cards. None is one that is not known yet, or not from this viewpoint."""

F = TypeVar("F", int, str)


class StepMove(Move, frozen=True, kw_only=True):
    """A move at its step. At another one, or by another player, it breaks a rule, but it can have happened.

    `legal` lists each move with a complete payment, the sensible one first. If there are very many ways to pay, it
    lists only sensible ones. Any other can be typed.
    """

    steps: ClassVar[tuple[Due, ...]]
    """The steps at which the rules allow the move."""
    wrong_step_rule: ClassVar[tuple[str, Sentence]]
    """The rule that the move breaks at any other step, and its words."""

    def is_due(self, state: ManapaniState) -> bool:
        """Whether the step and the player allow such a move now."""
        return state.due in self.steps

    def breaches(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """All breaches: of the time first, then of the move itself."""
        if self.is_due(state):
            return self.check(state)
        if state.ending and (over := state.game_over_breach()):
            return (over,)
        return () if self.impossible_reason(state) else [*self.wrong_step_breach(state), *self.check_late(state)]

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Apply the move, at its step or against the rules."""
        if self.is_due(state):
            return self.execute(state)
        if reason := self.impossible_reason(state):
            raise reason
        return self.execute_late(state) if state.due else self._after_the_end(state)

    def _after_the_end(self, state: ManapaniState) -> list[Effect]:
        """The effects of a possible move after the chips were counted: it changes nothing (manapani:REC-1)."""
        self.execute_late(state.copy())
        return [Effect("move.uncounted", "manapani:REC-1", self.seat)]

    def check_late(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The move's own breaches at another step, or out of turn."""
        return self.check(state)

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Apply the move at another step, or out of turn."""
        return self.execute(state)

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if the move is impossible now, or impossible for this player; else None."""
        if state.turn:
            return None
        return ImpossibleError("nothing has been dealt yet: {step_words}", "manapani:3", step_words=step_words(state))

    def wrong_step_breach(self, state: ManapaniState) -> Iterator[RuleBrokenError]:
        """The breach of the time; it names the due step."""
        rule, wrong = self.wrong_step_rule
        yield RuleBrokenError(rule, "{wrong}: now {step_words}", wrong=wrong, step_words=step_words(state))


class TableMove(StepMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(StepMove, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat

    def is_due(self, state: ManapaniState) -> bool:
        """Whether the step allows such a move now, and the seat exists."""
        return state.due in self.steps and self.seat < state.seats

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if the seat does not exist, or nothing has been dealt yet; else None."""
        return no_player(state, self.seat) or StepMove.impossible_reason(self, state)


class TurnMove(SeatMove, frozen=True, kw_only=True):
    """A move of the player who has the turn."""

    def is_due(self, state: ManapaniState) -> bool:
        """Whether the step allows such a move now, and it is this player's turn."""
        return self.seat == state.active and state.due in self.steps

    def breaches(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """All breaches. The usual case, a move at its step, is checked first for speed."""
        if self.seat == state.active and state.due in self.steps:
            return self.check(state)
        return StepMove.breaches(self, state)

    def apply(self, state: ManapaniState) -> list[Effect]:
        """Apply the move. The usual case, a move at its step, is checked first for speed."""
        if self.seat == state.active and state.due in self.steps:
            return self.execute(state)
        return StepMove.apply(self, state)

    def wrong_step_breach(self, state: ManapaniState) -> Iterator[RuleBrokenError]:
        """The breach of the turn, else of the step; and of a toll that was not paid."""
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
        """Whether it is the time before the roll. A partly noted roll must be completed first."""
        return self.seat == state.active and state.due == "turn" and not state.dice

    def wrong_step_breach(self, state: ManapaniState) -> Iterator[RuleBrokenError]:
        """The breach of the time. It asks for the dice if a roll is partly noted."""
        if TurnMove.is_due(self, state):
            yield RuleBrokenError("manapani:4", "the dice are rolled, and what they show is to be noted")
        else:
            yield from TurnMove.wrong_step_breach(self, state)


class FightMove(SeatMove, frozen=True, kw_only=True):
    """A move in a fight."""

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if there is no fight; else None."""
        return SeatMove.impossible_reason(self, state) or no_fight(state)


def no_fight(state: ManapaniState) -> ImpossibleError | None:
    """The error of a fight's move without a fight; None in a fight."""
    if state.fight and state.due != "toll":
        return None
    return ImpossibleError("no fight goes on: now {step_words}", "manapani:17", step_words=step_words(state))


def toll_owed(state: ManapaniState) -> RuleBrokenError:
    """The breach of a due toll that was not paid before the next move."""
    return RuleBrokenError(
        "manapani:13" if state.due == "foreign" else "manapani:20",
        "a toll of {level} is owed at {label}: enter leave if it was not paid",
        level=state.levels[state.place],
        label=state.label(state.place),
    )


def follow_up(state: ManapaniState) -> list[Effect]:
    """The endings that changed chips bring, and the effects of the square after a move out of step.

    A fight or Brave Attack is completed before players without mana are looked for (manapani:D1, manapani:E2).
    """
    effects = end_without_white(state)
    if not (state.brave or state.fight):
        effects += end_without_mana(state)
    return effects if state.ending or state.due == "turn" else effects + check_land_again(state)


def require_loose(state: ManapaniState, seat: int, cards: Sequence[str | None]) -> None:
    """Require that a hand has these cards, not counting cards face down in a fight. Raises `ImpossibleError`."""
    down, named = state.face_down(seat), [card for card in cards if card]
    if named or down:
        state.require_hand(seat, [*named, *filter(None, down)])
    held = len(state.hands[seat]) - len(down)
    if len(cards) > held:
        text = "{name} holds {held}" if not down else "{name} holds {held} beside those that lie face down"
        error = ImpossibleError(text, state.hands_rule, name=state.seat_name(seat), held=count_and_noun(held, "card"))
        raise error.shown_by(state.evidence().of_last_change(state.hand_places[seat]))


def no_player(state: ManapaniState, seat: int) -> ImpossibleError | None:
    """The error of a seat that does not play; else None."""
    if seat < state.seats:
        return None
    return ImpossibleError(
        "{seats} play: there is no {name}", "manapani:1", seats=state.seats, name=state.seat_name(seat)
    )


def require_player(state: ManapaniState, seat: int) -> None:
    """Require that a seat plays. Raises `ImpossibleError`."""
    if reason := no_player(state, seat):
        raise reason


def require_square(state: ManapaniState, place: int) -> None:
    """Require that the track has this square. Raises `ImpossibleError`."""
    if place >= len(state.box.board):
        raise ImpossibleError("the squares are 0 to {number}", "manapani:1", number=len(state.box.board) - 1)


def not_the_cost(card: str, paid: Sequence[str]) -> Iterable[RuleBrokenError]:
    """The breach if the payment does not fit the cost of the card."""
    cost = COSTS[card]
    if chips.is_proper(cost, chips.tally(paid)):
        return ()
    return [RuleBrokenError("manapani:16", "{card} costs {cost_words}", card=card, cost_words=chips.cost_words(cost))]


def noted_beside(before: Sequence[F | None], now: Sequence[F | None], text: str, rule: str) -> list[F | None]:
    """Merge an earlier partial note with a new one.

    Raises `ImpossibleError` for a contradiction, with the `text` about the `known` and the `told` fact.
    """
    for known, told in zip(before, now, strict=True):
        if known and told and known != told:
            raise ImpossibleError(text, rule, known=known, told=told)
    return [told or known for told, known in zip(now, before, strict=True)]
