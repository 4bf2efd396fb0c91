"""Moves with cards of the hand: putting away, drawing, noting and showing them; and the end of the turn."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.catan_cards.moves.base import (
    MOST_CARDS,
    Card,
    Places,
    SeatMove,
    Stack,
    card_blanks,
    held_blanks,
    sample_hand,
)
from games.catan_cards.payments import first_ways, search_price, ways_to_pay_any
from games.catan_cards.resources import pay
from games.catan_cards.stacks import HANDS
from games.catan_cards.state import AT_ANY_STEP_SINCE
from games.catan_cards.steps import SETUP, Due, excess_rule, step_breach
from games.catan_cards.turns import other_stacks, pass_turn
from games.contract import GAP, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.hidden import SecretMove, cards_text, removed
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.catan_cards.stacks import Group
    from games.catan_cards.state import CatanCardsState
    from games.catan_cards.steps import Pending
    from games.contract import Blank, Chance
    from games.seen_cards import Named


class Draw(SeatMove, SecretMove, frozen=True, kw_only=True, tag="draw"):
    """The top card of a stack is drawn, or with `search` any card. None is unseen. `pay` is for a search."""

    steps: ClassVar[tuple[Due, ...]] = ("look", "actions", "refill", "exchange")
    unknown_fields: ClassVar[tuple[str, ...]] = ("card",)
    is_at_times_doubtful: ClassVar[bool] = True
    wrong_step_rule = Sentence("cards are drawn at the end of the turn")

    stack: Stack
    card: Card | None = None
    search: bool = False
    pay: Places = ()

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A draw from each allowed stack: the top card, or any card after a paid search."""
        if state.pending:
            for number in other_stacks(state):
                yield cls(seat=state.pending[0].seat, stack=number, search=True)
            return
        unseen = list(cls.free_draws(state))
        if unseen:
            seat = state.active
            payments = list(first_ways(ways_to_pay_any(state.principalities[seat], search_price(state, seat))))
            for draw in unseen:
                yield draw
                for payment in payments:
                    yield cls(seat=seat, stack=draw.stack, search=True, pay=payment)

    @classmethod
    def free_draws(cls, state: CatanCardsState) -> Iterator[Self]:
        """The draws of a turn that cost nothing: the top card of each allowed stack."""
        if state.phase == "exchange" or state.must_refill(state.active):
            for number in _sources(state):
                yield cls(seat=state.active, stack=number)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breaches of the time, the player, the number of cards, the stack, the price, and the stack's order."""
        is_timely = False
        if state.pending:
            breaches = [*self._search_breaches(state, state.pending[0])]
        elif state.phase not in ("actions", "refill", "exchange") or state.anyone_over_limit():
            breaches = [step_breach(state, self.wrong_step_rule)]
        elif self.seat != state.active:
            breaches = [*self.off_turn(state)]
        else:
            is_timely, breaches = True, [*self._not_allowed_to_draw(state), *self._wrongly_paid(state)]
        if not is_timely and state.revision < AT_ANY_STEP_SINCE:
            return breaches
        if self.card and not self.search and (coming := state.next_group(self.stack, self.seat)):
            breaches += self._out_of_order(state, self.card, coming)
        return breaches

    def _not_allowed_to_draw(self, state: CatanCardsState) -> Iterator[RuleBrokenError]:
        """The breach if the hand is barred or full, or if an exchange uses another stack than before."""
        if state.phase == "exchange":
            if state.options.exchange_same_stack and self.stack != state.looked:
                yield RuleBrokenError(
                    "catan_cards:Q12", "the card comes from stack {looked}, as one went there", looked=state.looked
                )
        elif self.seat == state.barred:
            name = state.seat_name(self.seat)
            yield RuleBrokenError("catan_cards:Q21", "after a Conflict {name} refills in the next turn", name=name)
        elif state.is_hand_full(self.seat):
            held = count_and_noun(len(state.hands[self.seat]), "card")
            name = state.seat_name(self.seat)
            yield RuleBrokenError("catan_cards:56", "{name} holds {held} already", name=name, held=held)

    def _wrongly_paid(self, state: CatanCardsState) -> Iterator[RuleBrokenError]:
        """The breach if the payment is not the price of a search."""
        price = search_price(state, self.seat) if self.search else 0
        if len(self.pay) != price:
            rule = "catan_cards:94" if price == 1 else "catan_cards:56"
            costs = count_and_noun(price, "resource")
            yield RuleBrokenError(rule, "that costs {counted}, not {count}", counted=costs, count=len(self.pay))

    def _out_of_order(self, state: CatanCardsState, card: str, coming: Group) -> Iterable[RuleBrokenError]:
        """The breach if the card does not come next. Cards that were put under the stack keep their order."""
        if card not in coming.cards:
            yield RuleBrokenError(
                "catan_cards:14",
                "from stack {stack} comes {cards} next, put under it in entry {entry}, not {card}",
                stack=self.stack,
                cards=cards_text(coming.cards, state.card_separator),
                entry=coming.version,
                card=card,
            )

    def _search_breaches(self, state: CatanCardsState, first: Pending) -> Iterable[RuleBrokenError]:
        """The breaches of a search for Master Builder."""
        if first.kind != "look" or first.seat != self.seat:
            yield step_breach(state, self.wrong_step_rule)
            return
        if not self.search or self.pay:
            yield RuleBrokenError("catan_cards:75", "the stack is looked through, and that costs nothing")
        if self.stack == state.looked:
            other = state.seat_name(1 - self.seat)
            yield RuleBrokenError(
                "catan_cards:Q22b", "{other} looked through stack {stack}", other=other, stack=self.stack
            )

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The drawn card, for the player's hand."""
        return [(self.seat, (self.card,))] if self.card else ()

    def is_doubtful(self, state: CatanCardsState) -> bool:
        """Whether the card may lie below others in the stack."""
        return self.card is not None and state.may_lie_below(self.seat, self.stack, self.card, top=not self.search)

    def contradictions(self, state: CatanCardsState, named: Sequence[Named]) -> list[RuleBrokenError]:
        """The breach if the stack cannot give the card by all sightings."""
        ((seat, cards),) = named
        found = state.cannot_draw(seat, self.stack, cards, top=not self.search)
        return [] if found and self.is_scarce(state, named) else found

    def missing_cards(self, state: CatanCardsState, holder: int, cards: Sequence[str]) -> list[str]:  # noqa: ARG002
        """The card, unless it is known to lie within reach of the draw."""
        return removed(cards, self._within(state))

    def is_scarce(self, state: CatanCardsState, named: Sequence[Named]) -> bool:
        """Whether the box has too few of the card, and it is not known to lie in the stack."""
        ((_, cards),) = named
        return state.are_scarce(removed(cards, self._known(state)))

    def _within(self, state: CatanCardsState) -> list[str]:
        """The known cards within reach of the draw: those that come next, or all of a searched stack."""
        if not self.search and (coming := state.next_group(self.stack, self.seat)):
            return [card for card in coming.cards if card]
        return self._known(state)

    def _known(self, state: CatanCardsState) -> list[str]:
        """The known cards of the stack that a draw may reach, in any order."""
        stack = state.stacks[self.stack - 1]
        return stack.known_cards() if self.search else stack.reachable()

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Draw the card. The turn ends after an exchange, or with a full hand (catan_cards:58)."""
        if not state.stacks[self.stack - 1].size:
            raise ImpossibleError("stack {stack} is empty", "catan_cards:Q57", stack=self.stack)
        if self.card and self.card not in self._known(state):
            state.require_copies((self.card,))
        effects = pay(state, self.seat, self.pay, "catan_cards:56") if self.pay else []
        state.draw(self.seat, self.stack, self.card, top=not self.search)
        look, phase = self._own_look(state) if state.pending else None, state.phase
        rule = look.rule if look else "catan_cards:57" if phase == "exchange" else "catan_cards:56"
        at = (str(self.stack),)
        effects.append(
            Effect("card.searched", rule, self.seat, at) if self.search else Effect("card.drawn", rule, self.seat, at)
        )
        if look:
            state.drop_choice(look)
            state.looked = self.stack
            return effects
        if self.seat != state.active or state.pending or phase not in ("actions", "refill", "exchange"):
            return effects
        if phase == "exchange" or state.is_hand_full(self.seat) or not state.any_stack_left():
            return effects + pass_turn(state)
        state.phase = "refill"
        return effects

    def _own_look(self, state: CatanCardsState) -> Pending | None:
        """The player's own pending look through a stack, even if another task is due first."""
        look = state.pending_choice("look", self.seat)
        return look if look and look.seat == self.seat else None

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """The blank for the card, with the cards that can be drawn."""
        others = () if not self.search and state.next_group(self.stack, self.seat) else state.drawable_cards()
        cards = dict.fromkeys([*self._within(state), *others])
        return card_blanks(self.seat, [self.card], filter(partial(self._can_bring, state), cards))

    def _can_bring(self, state: CatanCardsState, card: str) -> bool:
        """Whether the stack can give a card, by all sightings."""
        draw = msgspec.structs.replace(self, card=card)
        doubtful = state.looks_back or draw.is_doubtful(state)
        return not (doubtful and draw.contradictions(state, draw.newly_seen_cards()))

    def with_gaps(self, state: CatanCardsState) -> Self:  # noqa: ARG002
        """The move with a gap for the card."""
        return msgspec.structs.replace(self, card=GAP)

    def sample_chance(self, state: CatanCardsState, chance: Chance) -> Self:
        """The move with a sampled card: a dealt one, a known one, or one that is not known to lie anywhere."""
        if self.card:
            return self
        top = not self.search
        cards = state.dealt_within(self.stack, top=top)
        if not state.dealt and (state.looks_back or state.hands[0].unknown or state.hands[1].unknown):
            twin = state.copy()
            twin.decide_hidden(chance)
            cards = twin.dealt_within(self.stack, top=top)
        if cards:
            return msgspec.structs.replace(self, card=chance.choice(cards))
        card = self._chosen(state, chance, self._possible(state))
        return msgspec.structs.replace(self, card=card) if card else self

    def _chosen(self, state: CatanCardsState, chance: Chance, cards: list[str]) -> str | None:
        """A sampled card of these; another one if the orders of stacks show that it cannot come."""
        card = chance.choice(cards) if cards else None
        if card is None or not state.is_open(self.stack, card, top=not self.search):
            return card
        able = state.drawable(self.stack, cards, top=not self.search)
        return card if card in able or not able else chance.choice(able)

    def _possible(self, state: CatanCardsState) -> list[str]:
        """The cards that the draw can bring as far as places are known."""
        stack, known = state.stacks[self.stack - 1], self._within(state)
        is_next = not self.search and state.next_group(self.stack, self.seat) is not None
        cards = known if self.search or is_next else removed(known, stack.covered_cards())
        if stack.size > len(stack.known_cards()) and not is_next:
            cards = cards + state.unlocated_cards()
        return cards or known


def _sources(state: CatanCardsState) -> list[int]:
    """The numbers of the stacks that allow a draw now (catan_cards:Q12, catan_cards:Q57)."""
    bound = state.phase == "exchange" and state.options.exchange_same_stack
    return [
        number for number, stack in enumerate(state.stacks, 1) if stack.size and (not bound or number == state.looked)
    ]


class Return(SeatMove, SecretMove, frozen=True, kw_only=True, tag="return"):
    """A card of the own hand is put under a stack: too many, given up, or exchanged. None is unseen."""

    steps: ClassVar[tuple[Due, ...]] = ("give", "excess", "actions", "refill")
    unknown_fields: ClassVar[tuple[str, ...]] = ("card",)
    wrong_step_rule = Sentence("cards are put under stacks at the end of the turn, or where a rule says so")

    stack: Stack
    card: Card | None = None

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move for each stack, if a card must be put away, or if a full hand may exchange one."""
        if state.pending:
            seats = [state.pending[0].seat]
        elif state.anyone_over_limit():  # the active player puts cards away first (catan_cards:27)
            seats = [seat for seat in (state.active, 1 - state.active) if state.cards_over_limit(seat)]
        else:
            seats = [state.active] if state.is_hand_full(state.active) else []
        for seat in seats:
            for number in range(1, len(state.stacks) + 1):
                yield cls(seat=seat, stack=number)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach of the time or the player, or of an exchange before the hand is full."""
        if state.pending:
            first = state.pending[0]
            return (
                () if first.kind == "give" and first.seat == self.seat else [step_breach(state, self.wrong_step_rule)]
            )
        if state.anyone_over_limit():
            if state.cards_over_limit(self.seat):
                return ()
            return [
                RuleBrokenError(
                    excess_rule(state), "{name} holds no more cards than the limit", name=state.seat_name(self.seat)
                )
            ]
        if state.phase not in ("actions", "refill"):
            return [step_breach(state, self.wrong_step_rule)]
        if self.seat == state.active and not state.is_hand_full(self.seat):
            return [RuleBrokenError("catan_cards:57", "a card is exchanged only by who needs no refill")]
        return self.off_turn(state)

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The card, from the player's hand."""
        return [(self.seat, (self.card,))] if self.card else ()

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Put the card under the stack. Raises `ImpossibleError` if the hand cannot hold it."""
        if self.card:
            state.require_hand(self.seat, (self.card,))
        if not len(state.hands[self.seat]):
            raise ImpossibleError("{name} has no card in hand", "catan_cards:57", name=state.seat_name(self.seat))
        rule = self._next_rule(state)
        state.put_under(self.seat, self.stack, (self.seat,), (self.card,))
        return [Effect("card.returned", rule, self.seat, (str(self.stack),))]

    def _next_rule(self, state: CatanCardsState) -> str:
        """Advance to the next step, and return the rule for putting the card away."""
        first, due = state.pending_choice("give", self.seat), state.due
        if first and first.seat == self.seat:
            state.pending.remove(first)
            return first.rule
        if due == "excess":
            return "catan_cards:Q5"
        if due in ("actions", "refill") and self.seat == state.active:
            if state.options.own_turn_limit == "end" and len(state.hands[self.seat]) > state.limits[self.seat]:
                state.phase = "refill"  # too many: they go first, and end the actions
                return "catan_cards:Q50"
            state.phase, state.looked = "exchange", self.stack
        return "catan_cards:57"

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """The blank for the card, with the cards that the hand can hold."""
        return card_blanks(self.seat, [self.card], state.holdable_cards(self.seat))

    def with_gaps(self, state: CatanCardsState) -> Self:  # noqa: ARG002
        """The move with a gap for the card."""
        return msgspec.structs.replace(self, card=GAP)

    def sample_chance(self, state: CatanCardsState, chance: Chance) -> Self:
        """The move with a sampled card that the hand can hold."""
        if self.card:
            return self
        return msgspec.structs.replace(self, card=chance.choice(sample_hand(state, self.seat, chance)))


class End(SeatMove, frozen=True, kw_only=True, tag="end"):
    """The turn ends, without a draw or an exchange."""

    steps: ClassVar[tuple[Due, ...]] = ("actions", "refill", "exchange")
    wrong_step_rule = Sentence("the turn ends after the dice and what they bring")

    @classmethod
    def legal(cls, state: CatanCardsState) -> Iterator[Self]:
        """A move, if no card must be drawn."""
        if not _sources(state) or (state.phase != "exchange" and not state.must_refill(state.active)):
            yield cls(seat=state.active)

    def check(self, state: CatanCardsState) -> Iterable[RuleBrokenError]:
        """The breach if it is another step or turn, or if a card must still be drawn."""
        if state.phase in SETUP:
            return
        yield from self.off_turn(state)
        if state.pending or state.anyone_over_limit() or state.phase == "roll":
            yield step_breach(state, self.wrong_step_rule)
            return
        if state.phase == "exchange" and _sources(state):
            yield RuleBrokenError("catan_cards:57", "a card is drawn for the one put away")
        elif state.must_refill(state.active) and state.any_stack_left():
            limit = state.limits[state.active]
            yield RuleBrokenError(
                "catan_cards:56",
                "{whose} refills the hand to {limit}",
                whose=state.seat_name(state.active),
                limit=count_and_noun(limit, "card"),
            )

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """End the turn. With too many cards only the actions end: the limit counts from now on (catan_cards:Q50)."""
        self.require_begun(state)
        if state.ending:
            return [Effect("turn.ended", "catan_cards:58", self.seat)]
        if state.due == "actions" and len(state.hands[state.active]) > state.limits[state.active]:
            state.phase = "refill"
            return [Effect("actions.ended", "catan_cards:Q50", self.seat)]
        return pass_turn(state)


class HandCards(SeatMove, frozen=True, kw_only=True):
    """A move that names cards of the player's own hand, which is always allowed."""

    allowed_any_time: ClassVar[bool] = True

    cards: tuple[Card, ...] = ()

    def blanks(self, state: CatanCardsState) -> tuple[Blank, ...]:
        """A blank for each card that is not named, with the cards that the hand can hold."""
        return held_blanks(state, self.seat, self.cards)

    def newly_seen_cards(self) -> Sequence[tuple[int, tuple[str, ...]]]:
        """The cards, from the player's hand."""
        return [(self.seat, self.cards)]


class Show(HandCards, frozen=True, kw_only=True, tag="show"):
    """Cards of a hand are shown to everybody."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(min_length=1, max_length=MOST_CARDS)]

    @classmethod
    def off_turn_moves(cls, state: CatanCardsState) -> Iterator[Self]:
        """For each player, a move with a gap for each card of the hand."""
        for seat, hand in enumerate(state.hands):
            if len(hand):
                yield cls(seat=seat, cards=(GAP,) * len(hand))

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Show the cards. Raises `ImpossibleError` if the hand cannot hold them."""
        state.require_hand(self.seat, self.cards)
        state.told.append((state.version, (HANDS[self.seat], HANDS[self.seat], self.cards, None)))
        state.hands[self.seat].show(self.cards)
        return [Effect("hand.shown", "catan_cards:72", self.seat, self.cards)]


class Hold(HandCards, SecretMove, frozen=True, kw_only=True, tag="hold"):
    """A player notes cards of the own hand in secret."""

    unknown_fields: ClassVar[tuple[str, ...]] = ("cards",)

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=MOST_CARDS)] = ()

    @classmethod
    def off_turn_moves(cls, state: CatanCardsState) -> Iterator[Self]:
        """For each player with unknown cards, the known cards and a gap for each unknown one."""
        for seat, hand in enumerate(state.hands):
            if hand.unknown:
                yield cls(seat=seat, cards=(*hand.known, *[GAP] * hand.unknown))

    def execute(self, state: CatanCardsState) -> list[Effect]:
        """Note the cards. Raises `ImpossibleError` if the hand cannot hold them."""
        state.require_hand(self.seat, self.cards)
        state.told.append((state.version, (HANDS[self.seat], HANDS[self.seat], self.cards, self.seat)))
        state.hands[self.seat].note(self.cards)
        return [Effect("hand.noted", "catan_cards:18", self.seat)]
