"""A fight: how many cards are laid, what they are, what is paid for them, and when their effects happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

import msgspec

from games.contract import Blank, Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.manapani import fights
from games.manapani.chips import excess_payment, payments, require_cost, spend, words
from games.manapani.components import CARD_RULES, CARDS, COSTS, MOST_COPIES
from games.manapani.moves.base import (
    Chips,
    FightMove,
    MaybeCards,
    TableMove,
    TurnMove,
    no_fight,
    not_the_cost,
    noted_beside,
)
from games.manapani.state import ATTACK, DEFENCE, Fight, LaidCard
from games.manapani.turns import Due, drop_action, step_words
from games.words import Sentence, count_and_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

    from games.contract import Chance
    from games.hidden import Hand
    from games.manapani.state import ManapaniState

Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_COPIES)]
MOST_REVEALED = 2 * MOST_COPIES
"""The most revealed cards of both sides."""
Index = Annotated[int, msgspec.Meta(ge=0, lt=MOST_REVEALED)]


class Attack(TurnMove, frozen=True, kw_only=True, tag="attack"):
    """The owner of a land is attacked with `count` cards, laid face down."""

    steps: ClassVar[tuple[Due, ...]] = ("foreign",)
    wrong_step_rule = ("manapani:8", Sentence("a fight is for another's land that a player has just come to"))

    count: Count

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """An attack for each number of cards, from none to the whole hand."""
        for count in range(len(state.hands[state.active]) + 1):
            yield cls(seat=state.active, count=count)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Begin the fight. No cards are enough for one (manapani:B23), and all see their number (manapani:B24)."""
        return self._fight(state, self._owner(state), [])

    def execute_late(self, state: ManapaniState) -> list[Effect]:
        """Cut the current action short, and begin the fight."""
        owner = self._owner(state)
        return self._fight(state, owner, drop_action(state, self.seat))

    def _owner(self, state: ManapaniState) -> int:
        """The opponent in the fight. Raises `ImpossibleError` if there is none, or too few cards."""
        _demand_count(state, self.seat, self.count)
        place = state.pawns[self.seat]
        label, owner = state.label(place), state.owners[place]
        if owner is None:
            raise ImpossibleError("{label} is nobody's land", "manapani:8", label=label)
        if owner == self.seat:
            name = state.seat_name(owner)
            raise ImpossibleError(
                "{label} is {name}'s own: there is nobody to fight", "manapani:8", label=label, name=name
            )
        return owner

    def _fight(self, state: ManapaniState, owner: int, effects: list[Effect]) -> list[Effect]:
        place = state.pawns[self.seat]
        state.fight = Fight(place, (self.seat, owner), [self.count, None], [[None] * self.count, []])
        state.due = "defend"
        return [*effects, Effect("fight.begun", "manapani:17", self.seat, (state.label(place),), self.count)]


class Defend(FightMove, frozen=True, kw_only=True, tag="defend"):
    """The owner lays `count` cards face down."""

    steps: ClassVar[tuple[Due, ...]] = ("defend",)
    wrong_step_rule = ("manapani:17", Sentence("the owner lays cards once"))

    count: Count

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """A defence for each number of cards, from none to the whole hand."""
        seat = fights.ongoing(state).seats[DEFENCE]
        for count in range(len(state.hands[seat]) + 1):
            yield cls(seat=seat, count=count)

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if there is no fight, or the cards are already turned up; else None."""
        return FightMove.impossible_reason(self, state) or _turned_up(state)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Lay the cards. If nobody laid any, paying is next. More can be laid later, against the rules."""
        fight = fights.ongoing(state)
        if self.seat != fight.seats[DEFENCE]:
            raise ImpossibleError(
                "{name} owns the land and defends it", "manapani:17", name=state.seat_name(fight.seats[DEFENCE])
            )
        _demand_count(state, self.seat, self.count)
        fight.counts[DEFENCE] = (fight.counts[DEFENCE] or 0) + self.count
        fight.shown[DEFENCE] += [None] * self.count
        effects = [Effect("defence.laid", "manapani:17", self.seat, count=self.count)]
        if any(fight.counts):
            state.due = "reveal"
            return effects
        return effects + fights.begin_paying(state, ATTACK)


class Reveal(TableMove, frozen=True, kw_only=True, tag="reveal"):
    """All laid cards are turned up. None is unknown; all must be known before the fight goes on."""

    steps: ClassVar[tuple[Due, ...]] = ("reveal",)
    wrong_step_rule = ("manapani:17", Sentence("the laid cards are turned up together"))
    unknown_fields: ClassVar[tuple[str, ...]] = ("attack", "defence")

    attack: MaybeCards
    defence: MaybeCards

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """The cards that are noted so far."""
        attack, defence = fights.ongoing(state).shown
        yield cls(attack=tuple(attack), defence=tuple(defence))

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if there is no fight, or the cards are already turned up; else None."""
        return TableMove.impossible_reason(self, state) or no_fight(state) or _turned_up(state)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of cards that a hand cannot hold."""
        if not state.looks_back:
            return ()
        named = self._named(fights.ongoing(state))
        found = state.contradictions(*named)
        lacking = [card for seat, cards in named for card in state.hands[seat].missing(cards)] if found else []
        return () if state.are_scarce(lacking) else found

    def _named(self, fight: Fight) -> list[tuple[int, list[str]]]:
        """The noted cards, with their seats."""
        sides = zip(fight.seats, (self.attack, self.defence), strict=True)
        return [(seat, [*filter(None, cards)]) for seat, cards in sides if cards]

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Turn the cards up. Once all are known, scrolls can be paid for.

        Until then the known ones are shown cards of their hands, which nobody else can hold.
        """
        fight = fights.ongoing(state)
        merged = [_merge(fight, side, cards) for side, cards in ((ATTACK, self.attack), (DEFENCE, self.defence))]
        named = [[card for card in cards if card] for cards in merged]
        sides = list(zip(fight.seats, named, strict=True))
        lacking: list[str] = []
        for seat, cards in sides:
            hand = state.hands[seat]
            missing = hand.missing(cards)
            if len(missing) > hand.unknown:
                raise state.holds_others(hand, seat, cards)
            lacking += missing
        state.require_copies(lacking)
        fight.shown = merged
        effects = [
            Effect("cards.revealed", "manapani:17", fight.seats[side], tuple(card or "?" for card in cards))
            for side, cards in enumerate(merged)
            if cards
        ]
        if named != merged or state.due == "defend":
            for seat, cards in sides:
                state.tell_note(seat, tuple(cards))
                state.hands[seat].show(cards)
            return effects
        for side, (seat, cards) in enumerate(sides):
            state.give_to(seat, "fight", tuple(cards))
            fight.cards += [LaidCard(card, side, side) for card in cards]
        return effects + fights.begin_paying(state, ATTACK)

    def blanks(self, state: ManapaniState) -> tuple[Blank, ...]:
        """A blank for each unknown card, with the cards that the hand can hold."""
        if state.fight is None:
            return ()
        sides = zip(state.fight.seats, (self.attack, self.defence), strict=True)
        return tuple(Blank(seat, _possible(state, seat)) for seat, cards in sides for card in cards if card is None)

    def sample_chance(self, state: ManapaniState, chance: Chance) -> Self:
        """The move with its unknown cards taken from hands that are sampled by all sightings."""
        fight = state.fight
        if fight is None:
            return self
        hands = _decided_hands(state, fight, self._named(fight), chance)
        attacker, defender = fight.seats
        attack = _laid(hands[attacker], self.attack, chance)
        return msgspec.structs.replace(self, attack=attack, defence=_laid(hands[defender], self.defence, chance))


class Pay(FightMove, frozen=True, kw_only=True, tag="pay"):
    """A scroll is cast: `card` counts the revealed ones from 0, and `chips` are the whole payment.

    Chips beyond the printed cost are its X.
    """

    steps: ClassVar[tuple[Due, ...]] = ("pay",)
    wrong_step_rule = ("manapani:17", Sentence("all scrolls are paid for before their effects"))

    card: Index
    chips: Chips = ()

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """For each scroll that the paying side can cast, each way to pay."""
        for index in fights.payable(state):
            yield from cls.ways_to_pay(state, index)

    @classmethod
    def ways_to_pay(cls, state: ManapaniState, index: int) -> Iterator[Self]:
        """Each way to pay for one scroll, the cheapest first."""
        fight = fights.ongoing(state)
        seat = fight.seats[fight.side]
        for paid in payments(state.chips[seat], COSTS[fight.cards[index].card]):
            yield cls(seat=seat, card=index, chips=paid)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of the order of sides, of a scroll that cannot be cast there, and of a wrong payment."""
        fight = fights.ongoing(state)
        if self.card >= len(fight.cards):
            return
        laid = fight.cards[self.card]
        if self.seat != fight.seats[laid.side]:
            return  # nobody can pay for another's card
        if laid.side != fight.side and state.due == "pay":
            yield attacker_first(state, fight, attacking=laid.side == ATTACK)
        if not fights.can_cast(laid.card, laid.side, fights.land_of(state, fight)):
            side = fights.SIDES[laid.side]
            yield RuleBrokenError(
                "manapani:18",
                "{card} cannot be cast in {side} at {label}",
                card=laid.card,
                side=side,
                label=state.label(fight.place),
            )
        else:
            yield from not_the_cost(laid.card, self.chips)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Pay for the scroll. Raises `ImpossibleError` if it is not an own unpaid one, or the chips are not there."""
        fight = fights.ongoing(state)
        laid, due = _revealed(fight, self.card), state.due == "pay"
        label, owner = fights.label(fight, self.card), fight.seats[laid.side]
        if self.seat != owner:
            raise ImpossibleError("{label} is {name}'s", "manapani:17", label=label, name=state.seat_name(owner))
        if laid.paid:
            raise ImpossibleError("{label} is paid for already", "manapani:17", label=label)
        paid = require_cost(state, self.seat, self.chips)
        spend(state, self.seat, paid)
        laid.paid = laid.live = True
        cost = COSTS[laid.card]
        laid.x = max(0, excess_payment(cost, paid) or 0) if cost.x else 0
        at = (label, *([words(paid)] if self.chips else []))
        effects = [Effect("scroll.cast", CARD_RULES[laid.card], self.seat, at, len(self.chips))]
        if not due:
            fights.add_late_effect(state, self.card)
        return effects if not due or any(True for _ in fights.payable(state)) else effects + fights.stop_paying(state)


class Done(FightMove, frozen=True, kw_only=True, tag="done"):
    """The player casts no further scroll in this fight."""

    steps: ClassVar[tuple[Due, ...]] = ("pay",)

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """The paying side stops."""
        fight = fights.ongoing(state)
        yield cls(seat=fight.seats[fight.side])

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if no scrolls are being paid for; else None."""
        reason = FightMove.impossible_reason(self, state)
        if reason or state.due == "pay":
            return reason
        return ImpossibleError("no scroll is paid for: now {step_words}", "manapani:17", step_words=step_words(state))

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breach if the other side pays now."""
        fight = fights.ongoing(state)
        if self.seat != fight.seats[fight.side]:
            yield attacker_first(state, fight, attacking=self.seat == fight.seats[ATTACK])

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Stop paying. If the other side pays now, it changes nothing."""
        fight = fights.ongoing(state)
        if self.seat not in fight.seats:
            raise ImpossibleError("{name} is not in the fight", "manapani:17", name=state.seat_name(self.seat))
        stopped = Effect("casting.stopped", "manapani:17", self.seat)
        return [stopped, *(fights.stop_paying(state) if self.seat == fight.seats[fight.side] else [])]


class Use(FightMove, frozen=True, kw_only=True, tag="use"):
    """The special effect of a cast scroll happens now; `card` and `target` count the revealed ones from 0."""

    steps: ClassVar[tuple[Due, ...]] = ("effects",)
    wrong_step_rule = ("manapani:B2", Sentence("effects happen once all scrolls are paid for"))

    card: Index
    target: Index | None = None

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """For each card that can act next, each target."""
        fight = fights.ongoing(state)
        seat = fight.seats[fight.side]
        for index in fights.next_effects(fight):
            aims: list[int | None] = [*fights.targets(fight, index)]
            for target in aims or [None]:
                yield cls(seat=seat, card=index, target=target)

    def check(self, state: ManapaniState) -> Iterable[RuleBrokenError]:
        """The breaches of the order: the attacker's effects first, and a stolen card before all others."""
        fight = fights.ongoing(state)
        if state.due != "effects" or self.card >= len(fight.cards) or self.card in fights.next_effects(fight):
            return
        if fight.cards[self.card].side != fight.side:
            yield RuleBrokenError("manapani:B2", "the attacker's effects come before the defender's")
        elif self.card in fight.waiting:
            yield RuleBrokenError("manapani:B14", "the stolen card acts first")

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Apply the card's effect. Before its time it acts at once, and does not act again."""
        fight = fights.ongoing(state)
        laid = _revealed(fight, self.card)
        waits = state.due == "effects" and self.card in (*fight.stolen, *fight.waiting)
        owner = fight.side if waits else laid.side
        if self.seat != fight.seats[owner] or not (waits or fights.can_act_early(state, self.card)):
            raise ImpossibleError(
                "{label} does not act for {name} now",
                "manapani:B2",
                label=fights.label(fight, self.card),
                name=state.seat_name(self.seat),
            )
        aims = fights.targets(fight, self.card)
        if self.target is None and aims:
            raise ImpossibleError("{card} needs a target, and there is one", "manapani:E6", card=laid.card)
        if self.target is not None and self.target not in aims:
            raise ImpossibleError("{card} cannot act on that card", "manapani:E4", card=laid.card)
        if not waits:
            return fights.apply_effect_early(state, self.card, self.target)
        return [*fights.apply_effect(state, self.card, self.target), *fights.continue_fight(state)]


def attacker_first(state: ManapaniState, fight: Fight, *, attacking: bool) -> RuleBrokenError:
    """The breach of a side that pays at the wrong time: the attacker too late, or the defender too early."""
    attacker = state.seat_name(fight.seats[ATTACK])
    text = (
        "the attacker decides before the defender: {attacker} has paid"
        if attacking
        else "the attacker decides before the defender: {attacker} pays first"
    )
    return RuleBrokenError("manapani:17", text, attacker=attacker)


def _turned_up(state: ManapaniState) -> ImpossibleError | None:
    """The error if the cards are already turned up; else None."""
    if state.due in ("defend", "reveal"):
        return None
    return ImpossibleError(
        "the cards are turned up already: now {step_words}", "manapani:17", step_words=step_words(state)
    )


def _demand_count(state: ManapaniState, seat: int, count: int) -> None:
    held = len(state.hands[seat]) - len(state.face_down(seat))
    if count > held:
        name = state.seat_name(seat)
        raise ImpossibleError(
            "{name} holds {held}, not {count}",
            state.hands_rule,
            name=name,
            held=count_and_noun(held, "card"),
            count=count,
        ).shown_by(state.evidence().of_last_change(state.hand_places[seat]))


def _merge(fight: Fight, side: int, cards: Sequence[str | None]) -> list[str | None]:
    """The known cards of a side, merged with the new note."""
    before = fight.shown[side]
    if len(cards) != len(before):
        raise ImpossibleError(
            "{count} were laid in {side}, not {count2}"
            if len(before) != 1
            else "{count} was laid in {side}, not {count2}",
            "manapani:17",
            count=count_and_noun(len(before), "card"),
            side=fights.SIDES[side],
            count2=len(cards),
        )
    text = "a laid card is known to be {known}, not {told}"
    return noted_beside(before, cards, text, "manapani:17")


def _possible(state: ManapaniState, seat: int) -> tuple[str, ...]:
    """The cards that a hand can hold, as words to type."""
    return tuple(card.replace(" ", "") for card in CARDS if state.may_hold(seat, card))


def _decided_hands(
    state: ManapaniState, fight: Fight, named: list[tuple[int, list[str]]], chance: Chance
) -> list[Hand]:
    """Hands with these cards and others that are possible. Simulated games have weighed hands before a fight."""
    if not any(state.hands[seat].unknown for seat in fight.seats):
        return state.hands
    twin = state.copy()
    for seat, cards in named:
        if twin.hands[seat].can_hold(cards):
            twin.tell_note(seat, tuple(cards))
            twin.hands[seat].note(cards)
    twin.decide_possible(chance)
    return twin.hands


def _laid(hand: Hand, cards: Sequence[str | None], chance: Chance) -> tuple[str | None, ...]:
    """The laid cards of a side, with the unknown ones sampled from the hand."""
    left = hand.copy()
    for card in filter(None, cards):
        left.give(card)
    drawn = iter(chance.sample(left.cards(), cards.count(None)))
    return tuple(card or next(drawn) for card in cards)


def _revealed(fight: Fight, index: int) -> LaidCard:
    if index >= len(fight.cards):
        raise ImpossibleError("there is no card {number} among those turned up", "manapani:17", number=index + 1)
    return fight.cards[index]
