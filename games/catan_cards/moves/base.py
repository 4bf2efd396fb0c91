"""The common parts of the card game's moves: the types of cards and places, and the time of each move.

A move names the regions that give and store, regardless of who chose them at the table (catan_cards:Q43).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from games.catan_cards.components import CARDS, COUNTERS, EVENTS, FACES, short_name
from games.catan_cards.principality import CENTRES, PLACES, ROADS, SITES
from games.catan_cards.stacks import STACK_PILES
from games.catan_cards.state import AT_ANY_STEP_SINCE, TOGETHER_SINCE
from games.catan_cards.steps import SETUP, Due, Kind, Pending, Phase, out_of_step, step_breach
from games.catan_cards.turns import continue_turn, proceed
from games.contract import GAP, Blank, Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.catan_cards.state import CatanCardsState
    from games.contract import Chance
    from games.seen_cards import Named

    Seat = int
    Card = str
    Event = str
    Face = str
    Place = str
    Site = str
    Column = str
    Centre = str
    Stack = int
    Side = str
    Duellist = str
else:  # The names are data; a decoder that knows them says which field is wrong. Seats count from 0, stacks from 1.
    Seat = Literal[0, 1]
    Card = Literal[CARDS]
    Event = Literal[EVENTS]
    Face = Literal[FACES]
    Place = Literal[PLACES]
    Site = Literal[SITES]
    Column = Literal[tuple(sorted(ROADS + CENTRES))]
    Centre = Literal[tuple(CENTRES)]
    Stack = Literal[1, 2, 3, 4, 5]
    Side = Literal["left", "right"]
    Duellist = Literal[tuple(COUNTERS)]

NUMBERS = (1, 2, 3, 4, 5, 6)
"""The numbers of a die."""
MOST_PLACES, MOST_CARDS = 30, 12
"""The most regions and cards that a move can name, even against the rules. More are typing errors."""
Places = Annotated[tuple[Place, ...], msgspec.Meta(max_length=MOST_PLACES)]
SomePlaces = Annotated[tuple[Place, ...], msgspec.Meta(min_length=1, max_length=MOST_PLACES)]


class StepMove(Move, frozen=True, kw_only=True):
    """A move of the game. Its kinds add their own breaches of time and player in `wrong_step_breach`."""

    steps: ClassVar[tuple[Due, ...]] = ()
    allowed_any_time: ClassVar[bool] = False
    """Whether the move can also be made after the end."""
    builds: ClassVar[bool] = False
    """Whether the move can change the holder of a token (catan_cards:35)."""
    names_cards: ClassVar[bool] = False
    """Whether the move has `newly_seen_cards`."""
    is_at_times_doubtful: ClassVar[bool] = False
    """Whether the move has an own `is_doubtful`."""
    wrong_step_rule: ClassVar[Sentence]
    """The words of the breach at any other step."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.names_cards = cls.newly_seen_cards is not StepMove.newly_seen_cards

    def breaches(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """All breaches: of the end if the game is over; else of the time, the move, and the cards' places."""
        if state.ending and (over := state.game_over_breach()):
            if not self.allowed_any_time:
                return (over,)
            if state.revision < AT_ANY_STEP_SINCE:
                return ()
        breaches = [*self.wrong_step_breach(state), *self.check(state)]
        if not self.names_cards:
            return breaches
        named = self.newly_seen_cards()
        for each in named:
            if state.any_stacked(each[1]):
                is_joint = state.revision >= TOGETHER_SINCE
                breaches += self._misplaced(state, named if is_joint else [each])
                if is_joint:
                    break
        is_doubtful = state.looks_back or (self.is_at_times_doubtful and self.is_doubtful(state))
        if is_doubtful and named and not (breaches and any(breach.rule == state.seen_rule for breach in breaches)):
            breaches += self.contradictions(state, named)
        return breaches

    def is_doubtful(self, state: CatanCardsState) -> bool:  # noqa: ARG002
        """Whether to check the named cards against all sightings, although no card was moved unseen."""
        return False

    def contradictions(self, state: CatanCardsState, named: Sequence[Named]) -> list[RuleBrokenError]:
        """The breaches of named cards that contradict all sightings together."""
        return state.contradictions(*named)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:  # noqa: ARG002
        """The breaches by the move's time or its player."""
        return ()

    def _misplaced(self, state: CatanCardsState, named: Sequence[Named]) -> list[RuleBrokenError]:
        """The breaches by cards that are known to lie in a stack instead: the order in a stack does not change."""
        breaches: list[RuleBrokenError] = []
        lacking = [card for holder, cards in named for card in self.missing_cards(state, holder, cards)]
        for card in dict.fromkeys(lacking):
            if state.any_stacked((card,)) and lacking.count(card) > state.unlocated_copies(card):
                number = next(number for number, stack in enumerate(state.stacks, 1) if card in stack.sure)
                error = RuleBrokenError(
                    "catan_cards:14", "{card} was put under stack {number}", card=card, number=number
                )
                breaches.append(error.shown_by(state.evidence().of_place(STACK_PILES[number - 1], (card,))))
        return [] if breaches and self.is_scarce(state, named) else breaches

    def require_phase(self, state: CatanCardsState, phase: Phase) -> None:
        """Require a phase of the setup: each needs the cards of the one before. Raises `ImpossibleError`."""
        if state.pending or state.phase != phase:
            raise out_of_step(state, self.wrong_step_rule)

    def require_begun(self, state: CatanCardsState) -> None:
        """Require that the first turn has begun. Raises `ImpossibleError`."""
        if not any(state.turns):
            raise out_of_step(state, self.wrong_step_rule)

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The named cards, with the seat of the hand that they come from or go to."""
        return ()

    def missing_cards(self, state: CatanCardsState, holder: int, cards: Sequence[str]) -> list[str]:
        """The cards among these that are not known to be in their source. For most moves it is a hand."""
        return state.hands[holder].missing(cards)

    def is_scarce(self, state: CatanCardsState, named: Sequence[Named]) -> bool:
        """Whether the box has too few of the named cards. Then the move is impossible, and no override helps."""
        return state.is_any_scarce(named)

    def apply(self, state: CatanCardsState) -> list[Effect]:
        """Apply the move and its automatic consequences."""
        effects = self.execute(state)
        effects += proceed(state) if self.builds else continue_turn(state)
        if self.names_cards:
            for _, cards in self.newly_seen_cards():
                # a move that informs no seat alone shows its cards to both
                state.correct_stacks(self.informed_seats() or (0, 1), cards)
        return effects


class TableMove(StepMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(StepMove, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat

    def off_turn(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if it is the other player's turn."""
        if self.seat == state.active:
            return ()
        whose, name = state.seat_name(state.active), state.seat_name(self.seat)
        return [RuleBrokenError("catan_cards:20", "it is {whose}'s turn, not {name}'s", whose=whose, name=name)]

    def not_chosen_now(self, state: CatanCardsState, kind: Kind) -> Iterable[RuleBrokenError]:
        """The breach if no choice of this kind is due, or if it is the other player's choice."""
        if state.phase in SETUP:
            return ()  # it cannot be made at all
        first = state.pending[0] if state.pending else None
        if first is None or first.kind != kind:
            return [step_breach(state, self.wrong_step_rule)]
        if first.seat == self.seat:
            return ()
        whose, name = state.seat_name(first.seat), state.seat_name(self.seat)
        later = any(pending.kind == kind and pending.seat == self.seat for pending in state.pending)
        text = "{whose} chooses first, not {name}" if later else "it is {whose} who chooses, not {name}"
        return [RuleBrokenError(first.rule, text, whose=whose, name=name)]

    def require_choice(self, state: CatanCardsState, kind: Kind) -> Pending:
        """The pending choice of this kind, even if another one is due first or it is the other player's.

        Raises `ImpossibleError` without such a choice.
        """
        found = state.pending_choice(kind, self.seat)
        if found is None:
            raise out_of_step(state, self.wrong_step_rule)
        return found

    def require_own_choice(self, state: CatanCardsState, kind: Kind) -> Pending:
        """The player's own pending choice of this kind. Raises `ImpossibleError` without one."""
        found = self.require_choice(state, kind)
        if found.seat != self.seat:
            whose, name = state.seat_name(found.seat), state.seat_name(self.seat)
            raise ImpossibleError("it is {whose} who chooses, not {name}", found.rule, whose=whose, name=name)
        return found

    def rule_of_choice(self, state: CatanCardsState, kind: Kind) -> str:
        """Drop the pending choice that the move makes, and return its rule; catan_cards:3 if none was pending.

        Raises `ImpossibleError` before the first turn.
        """
        found = state.pending_choice(kind, self.seat)
        if found is None:
            self.require_begun(state)
            return "catan_cards:3"
        state.drop_choice(found)
        return found.rule


class FreeMove(SeatMove, frozen=True, kw_only=True):
    """The actions of the active player (catan_cards:1), in any number and any order (catan_cards:36)."""

    steps: ClassVar[tuple[Due, ...]] = ("actions",)
    too_soon: ClassVar[str] = "catan_cards:20"
    """The rule that the move breaks before the dice."""

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches outside the actions, which come after the dice and their results, and before the refill."""
        if state.phase == "actions" and self.seat == state.active and not state.pending:
            return [step_breach(state, self.wrong_step_rule)] if state.anyone_over_limit() else ()
        if state.phase in SETUP:
            return [step_breach(state, self.wrong_step_rule)]
        early = self.off_turn(state)
        if state.pending or state.anyone_over_limit():
            return [*early, step_breach(state, self.wrong_step_rule)]
        if state.phase == "roll":
            return [*early, step_breach(state, self.wrong_step_rule, self.too_soon)]
        if state.phase in ("refill", "exchange"):
            return [
                *early,
                RuleBrokenError("catan_cards:58", "{whose} has begun to draw", whose=state.seat_name(state.active)),
            ]
        return early


def noted_cards(*cards: str | None) -> tuple[str, ...]:
    """The cards without unknown ones (None)."""
    return tuple(filter(None, cards))


def sample_hand(state: CatanCardsState, seat: int, chance: Chance) -> list[str]:
    """A possible hand by all sightings: its known cards, with sampled ones for the unknown ones."""
    if not state.hands[seat].unknown:
        return state.hands[seat].known
    twin = state.copy()
    twin.decide_hidden(chance)
    return twin.hands[seat].known


def fill_unknown_cards(cards: Sequence[str | None], among: Sequence[str], chance: Chance) -> tuple[str, ...]:
    """The cards, with unknown ones (None) sampled from `among`."""
    left = Counter(among) - Counter(noted_cards(*cards))
    rest = iter(chance.sample(sorted(left.elements()), cards.count(None)))
    return tuple(card or next(rest) for card in cards)


def place_blanks(state: CatanCardsState, mover: int, *lots: tuple[int, Sequence[str]]) -> tuple[Blank, ...]:
    """A blank for each gap in groups of places of a seat. The first place of a group is required.

    Places are named as in notation: own ones without a number.
    """
    return tuple(
        Blank(
            seat, tuple(place[1:] if seat == mover else place for place in state.principalities[seat].regions), at > 0
        )
        for seat, places in lots
        for at in range(places.count(GAP))
    )


def held_blanks(state: CatanCardsState, seat: int, cards: Sequence[str]) -> tuple[Blank, ...]:
    """A blank for each gap among the cards, with the cards that the hand can hold."""
    names = tuple(map(short_name, state.holdable_cards(seat)))
    return (Blank(seat, names, optional=True),) * cards.count(GAP)


def card_blanks(seat: int, cards: Iterable[str | None], can_be: Iterable[str]) -> tuple[Blank, ...]:
    """A blank for each unknown card (None), with the possible cards."""
    names = tuple(map(short_name, can_be))
    return tuple(Blank(seat, names) for card in cards if card is None)
