"""The dice, the event cards, and the choices that they, and duels, bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.catan_cards.components import CARDS, EVENTS, FACES, Number
from games.catan_cards.happenings import ON_CARD, ON_FACE
from games.catan_cards.moves.base import (
    NUMBERS,
    Card,
    Event,
    Face,
    Place,
    SeatMove,
    Site,
    Stack,
    card_blanks,
    fill_unknown_cards,
    noted_cards,
    sample_hand,
)
from games.catan_cards.principality import owner
from games.catan_cards.resources import (
    remove,
    require_alike,
    require_own,
    require_room,
    require_stock,
    store,
    takeable_regions,
)
from games.catan_cards.scoring import take_off
from games.catan_cards.stacks import HANDS, OPEN
from games.catan_cards.steps import SETUP, Due, Kind, out_of_step, step_breach
from games.catan_cards.turns import STRUCK, begin_turn, drop_choices, pass_turn, targets
from games.contract import Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.catan_cards.state import CatanCardsState
    from games.catan_cards.steps import Pending
    from games.contract import Chance, Viewpoint


class Roll(SeatMove, frozen=True, kw_only=True, tag="roll"):
    """Both dice; no number if an Alchemist set it."""

    steps: ClassVar[tuple[Due, ...]] = ("roll",)
    wrong_step_rule = Sentence("the dice are rolled once a turn, at its beginning")

    event: Face
    number: Number | None = None

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each result of the dice. A number that an Alchemist set is left out."""
        numbers: tuple[int | None, ...] = (None,) if state.alchemist else NUMBERS
        for face in FACES:
            for number in numbers:
                yield cls(seat=state.active, event=face, number=number)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if the active player has rolled in this turn, or is another one."""
        if state.phase == "roll" and self.seat == state.active and not state.pending:
            return ()
        if state.phase in SETUP:
            return ()
        early = self.off_turn(state)
        return (
            early if state.phase == "roll" and not state.pending else [*early, step_breach(state, self.wrong_step_rule)]
        )

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if the number is not the one that an Alchemist set."""
        if state.phase != "roll" or not state.alchemist or self.number in (None, state.alchemist):
            return ()
        return [
            RuleBrokenError(
                "catan_cards:63",
                "an Alchemist has set the die to {alchemist}, not {number}",
                alchemist=state.alchemist,
                number=self.number,
            )
        ]

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Roll the dice. The event comes before the production. An unfinished turn ends first."""
        if state.phase != "roll":
            self.require_begun(state)
        number = self.number or state.alchemist
        if not number:
            raise ImpossibleError("the production die shows a number", "catan_cards:20")
        rolled = Effect("dice.rolled", "catan_cards:20", self.seat, (self.event,), number)
        if state.ending:  # nothing comes of it any more
            return [rolled]
        effects = []
        if state.phase == "roll" and self.seat != state.active:  # he has taken the turn, which the other did not have
            state.turns[state.active] -= 1
            effects = begin_turn(state, self.seat)
        elif state.phase != "roll":
            effects = drop_choices(state) if self.seat == state.active else pass_turn(state)
        state.phase, state.face, state.production = "event", self.event, number
        return [*effects, rolled, *ON_FACE[self.event](state)]


class Happen(SeatMove, frozen=True, kw_only=True, tag="event"):
    """The event card that was drawn."""

    steps: ClassVar[tuple[Due, ...]] = ("event",)
    wrong_step_rule = Sentence("an event card is drawn when the event die says so")

    card: Event

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """The top event card, if it is known; else each card that may lie on top."""
        seat, top = state.pending[0].seat, state.events[0]
        for card in (top,) if top else EVENTS:
            if top or state.events.count(card) < state.box.events[card]:
                yield cls(seat=seat, card=card)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if no event card is due now, or if another player rolled."""
        waiting = state.pending_choice("event", self.seat)
        if waiting is None and state.phase not in SETUP:
            yield step_breach(state, self.wrong_step_rule)
        if waiting and waiting.seat != self.seat:
            yield RuleBrokenError("catan_cards:26", "{name} draws the event card", name=state.seat_name(waiting.seat))
        if waiting and waiting != state.pending[0]:
            yield step_breach(state, self.wrong_step_rule)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Draw the card and put it under the event stack. Raises `ImpossibleError` if it cannot be on top."""
        top = state.events[0]
        if top and top != self.card:
            raise ImpossibleError(
                "the top event card is {top}: it was put under the stack before", "catan_cards:26", top=top
            ).shown_by(state.event_entries[:1])
        if not top and state.events.count(self.card) >= state.box.events[self.card]:
            raise ImpossibleError(
                "{card} lies further down: it was put under the stack before", "catan_cards:26", card=self.card
            ).shown_by(state.entries_of_event(self.card))
        self.rule_of_choice(state, "event")
        state.events = [*state.events[1:], self.card]
        state.event_entries = (*state.event_entries, state.version)[-len(state.events) :]
        follows = [] if state.ending else ON_CARD[self.card](state)
        return [Effect("event.drawn", "catan_cards:26", self.seat, (self.card,)), *follows]


class Gain(SeatMove, frozen=True, kw_only=True, tag="gain"):
    """A player gains one resource of choice."""

    steps: ClassVar[tuple[Due, ...]] = ("gain",)
    wrong_step_rule = Sentence("no resource of choice is due")

    at: Place

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each own region with room."""
        seat = state.pending[0].seat
        for place in state.principalities[seat].places_with_room():
            yield cls(seat=seat, at=place)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if no gain is due, or if it is the other player's."""
        return self.not_chosen_now(state, "gain")

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Store a resource, even if no gain was due."""
        require_own(state, self.seat, [self.at])
        require_room(state, [self.at])
        return [store(state, self.at, 1, self.rule_of_choice(state, "gain"))]


class Take(SeatMove, frozen=True, kw_only=True, tag="take"):
    """One resource is taken from the opponent, `at` his region, and stored `to` an own one."""

    steps: ClassVar[tuple[Due, ...]] = ("take",)
    wrong_step_rule = Sentence("no resource of the other player is due")

    at: Place
    to: Place

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each resource of the opponent, and each own region with room for it."""
        seat = state.pending[0].seat
        own, other = state.principalities[seat], state.principalities[1 - seat]
        for place in takeable_regions(state, seat):
            for room in own.room_for(other.regions[place].resource):
                yield cls(seat=seat, at=place, to=room)

    def wrong_step_breach(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if nothing is to be taken, or if the other player takes."""
        return self.not_chosen_now(state, "take")

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Move the resource, even if none was due. Raises `ImpossibleError` if it is not there, or has no room."""
        require_own(state, self.seat, [self.to])
        require_own(state, 1 - self.seat, [self.at])
        require_stock(state, [self.at])
        require_alike(state, [self.at], [self.to])
        require_room(state, [self.to])
        rule = self.rule_of_choice(state, "take")
        return [remove(state, self.at, 1, rule), store(state, self.to, 1, rule)]


class Strike(SeatMove, frozen=True, kw_only=True, tag="strike"):
    """An expansion of the opponent returns to his hand."""

    steps: ClassVar[tuple[Due, ...]] = ("strike",)
    builds: ClassVar[bool] = True
    wrong_step_rule = Sentence("no card goes back to a hand now")

    at: Site

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each of the opponent's sites that can be hit."""
        first = state.pending[0]
        for site in targets(state, first):
            yield cls(seat=first.seat, at=site)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches if the card is an own one, of the wrong kind, or kept by a Church."""
        first = state.pending_choice("strike", self.seat)
        card = state.principalities[owner(self.at)].sites.get(self.at)
        yield from self.not_chosen_now(state, "strike")
        if first is None or card is None:
            return
        if owner(self.at) == self.seat:
            yield RuleBrokenError(first.rule, "{name} chooses among the other's cards", name=state.seat_name(self.seat))
        if card not in STRUCK[first.card]:
            yield RuleBrokenError(first.rule, "{card} is no {card2}", card=card, card2=first.card)
        elif owner(self.at) == 1 - first.seat and self.at not in targets(state, first):
            yield RuleBrokenError("catan_cards:88", "a Church keeps {card} from Civil War", card=card)

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Return the card to its owner's hand. Raises `ImpossibleError` without a card there."""
        victim = owner(self.at)
        if self.at not in state.principalities[victim].sites:
            raise ImpossibleError("no card lies at {at}", "catan_cards:3", at=self.at)
        rule = self.rule_of_choice(state, "strike")
        card = take_off(state, self.at, rule)
        state.hands[victim].take(card, open=True)
        state.show_move(OPEN, HANDS[victim], card)
        return [Effect("card.struck", rule, victim, (card, self.at))]


CONFISCATED = 2
"""The number of cards that a Conflict takes away (catan_cards:74)."""


class Confiscate(SeatMove, frozen=True, kw_only=True, tag="confiscate"):
    """Cards of the opponent's hand are put under a stack. None is an unseen card."""

    steps: ClassVar[tuple[Due, ...]] = ("confiscate",)
    unknown_fields: ClassVar[tuple[str, ...]] = ("cards",)
    wrong_step_rule = Sentence("no cards of the other hand are put away now")

    stack: Stack
    cards: Annotated[tuple[Card | None, ...], msgspec.Meta(min_length=1, max_length=CONFISCATED)]

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each stack, with unknown cards."""
        seat = state.pending[0].seat
        count = _confiscated(state, 1 - seat)
        for number in range(1, len(state.stacks) + 1):
            yield cls(seat=seat, stack=number, cards=(None,) * count)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if fewer than two cards are taken from a hand that has two."""
        yield from self.not_chosen_now(state, "confiscate")
        if state.pending_choice("confiscate", self.seat) is None:
            return
        count = _confiscated(state, 1 - self.seat)
        if len(self.cards) < count:
            yield RuleBrokenError(
                "catan_cards:Q21b",
                "what is put away is {due}, not {count}",
                due=count_and_noun(count, "card"),
                count=len(self.cards),
            )

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """A blank for each card, with the cards that the opponent can hold."""
        return card_blanks(self.seat, self.cards, (card for card in CARDS if state.may_hold(1 - self.seat, card)))

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The cards, from the opponent's hand."""
        return [(1 - self.seat, noted_cards(*self.cards))]

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Put the cards under the stack. Both players see the cards and the stack."""
        victim, cards = 1 - self.seat, noted_cards(*self.cards)
        hand = state.hands[victim]
        if len(self.cards) > len(hand):
            raise ImpossibleError(
                "{name} holds {held}",
                "catan_cards:Q21b",
                name=state.seat_name(victim),
                held=count_and_noun(len(hand), "card"),
            )
        state.require_hand(victim, cards)
        rule = self.rule_of_choice(state, "confiscate")
        state.put_under(victim, self.stack, (self.seat, victim), self.cards)
        if victim == state.active and state.options.conflict_refill == "next_turn":
            state.barred = victim
        return [Effect("cards.confiscated", rule, victim, (str(self.stack),), len(self.cards))]

    def seen(self, viewpoint: Viewpoint) -> Self:
        """The move as a viewpoint sees it. Only the public does not see the cards."""
        return msgspec.structs.replace(self, cards=(None,) * len(self.cards)) if viewpoint.kind == "public" else self

    def informed_seats(self) -> tuple[int, ...]:
        """The seats of both players."""
        return (0, 1)

    def sample_chance(self, state: CatanCardsState, chance: Chance) -> Self:
        """The move with cards that the opponent's hand can hold."""
        if None not in self.cards:
            return self
        cards = fill_unknown_cards(self.cards, sample_hand(state, 1 - self.seat, chance), chance)
        return msgspec.structs.replace(self, cards=cards)


def _confiscated(state: CatanCardsState, victim: int) -> int:
    """The number of cards that are taken from a hand."""
    return min(CONFISCATED, len(state.hands[victim]))


SKIPPED: tuple[Kind, ...] = ("event", "gain", "take", "strike", "confiscate", "give", "look")
"""The tasks that `Skip` can name. A duel is answered with `-`, and regions must be laid."""


class Skip(SeatMove, frozen=True, kw_only=True, tag="skip"):
    """An optional task is skipped."""

    steps: ClassVar[tuple[Due, ...]] = ("give",)
    wrong_step_rule = Sentence("nothing waits that could be left out")

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for Master Builder, if it is optional."""
        if state.options.master_builder_optional:
            yield cls(seat=state.pending[0].seat)

    def _first(self, state: CatanCardsState) -> Pending | None:
        """The player's first pending task, if it can be skipped."""
        first = next((pending for pending in state.pending if pending.seat == self.seat), None)
        return first if first and first.kind in SKIPPED else None

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches of a task that is not optional, or not due."""
        first = self._first(state)
        if first is None:
            return
        yield from self.not_chosen_now(state, first.kind)
        if first.kind == "give":
            if not state.options.master_builder_optional:
                yield RuleBrokenError("catan_cards:Q22", "Master Builder is not optional")
        else:
            declined = first.kind in ("gain", "take")
            yield RuleBrokenError("catan_cards:Q40" if declined else first.rule, "what can be done is not declined")

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Drop the task. Raises `ImpossibleError` if no such task is pending."""
        first = self._first(state)
        if first is None:
            raise out_of_step(state, self.wrong_step_rule)
        state.drop_choice(first)
        return [Effect("choice.skipped", first.rule, self.seat)]
