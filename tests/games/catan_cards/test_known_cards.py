"""What is known of stacks that are partly in order, and the odds of cards that are drawn from them."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.catan_cards.knowledge import BOX, HANDS, OPEN, STACK_PILES, CatanCardsWatch, StackedCards
from games.catan_cards.moves.actions import Spy, can_take
from games.catan_cards.moves.events import Confiscate, Roll
from games.catan_cards.moves.hand import Draw, Return
from games.catan_cards.moves.setup import Pick, Start
from games.contract import PUBLIC, RECORD, Viewpoint
from games.knowledge.shares import kinds
from games.rulesets import RULESETS
from tests.choosing import soak_except

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from games.catan_cards.state import CatanCardsState
    from games.contract import ChanceEvent, Move

SIZES = (3, 2, 2, 0, 0)
BOXES = ({"a": 2, "b": 2, "c": 2, "d": 1}, {"a": 3, "b": 2, "c": 1, "d": 1}, {"a": 3, "b": 3, "c": 1})
KINDS = [*["draw", "search", "under"] * 4, "two", "two", "play", "show", "spy", "none"]
WANTED = frozenset("ab")
"""The kinds of card that a Spy looks for."""
"""What can happen, the more often the more often it stands here."""
SAMPLED = (12, 41, 59)
"""Games with many arrangements."""
UNDER = "'"
"""Marks a card of a stack that was put there."""
World = dict[str, tuple[str, ...]]
Part = tuple[Fraction, World]


def dealt(order: Sequence[str]) -> World:
    cards = iter(order)
    stacks = {pile: tuple(next(cards) for _ in range(size)) for pile, size in zip(STACK_PILES, SIZES, strict=True)}
    return {HANDS[0]: (), HANDS[1]: (), OPEN: (), **stacks}


class Every:
    """All orders of all stacks, one by one, each with the part of all shuffles and choices that it has."""

    def __init__(self, box: dict[str, int]) -> None:
        orders = sorted(set(permutations(Counter(box).elements())))
        self.parts: list[Part] = [(Fraction(1), dealt(order)) for order in orders]

    def become(self, ways: Callable[[World], Iterator[Part]]) -> None:
        found: dict[tuple[tuple[str, tuple[str, ...]], ...], Fraction] = {}
        for weight, world in self.parts:
            for part, after in ways(world):
                key = tuple(sorted(after.items()))
                found[key] = found.get(key, Fraction(0)) + weight * part
        self.parts = [(weight, dict(key)) for key, weight in found.items()]

    def odds(self, pile: str) -> dict[str, Fraction]:
        found = Counter[str]()
        for weight, world in self.parts:
            if world[pile]:
                found[world[pile][0][0]] += weight  # type: ignore[assignment]
        return {card: weight / sum(found.values()) for card, weight in found.items()}  # type: ignore[misc]


def taken(world: World, source: str, number: int, target: str) -> World:
    """A card goes to another place, where order does not matter; or under a stack, where it is marked."""
    card, left = world[source][number][0], (*world[source][:number], *world[source][number + 1 :])
    put = (*world[target], f"{card}{UNDER}") if target in STACK_PILES else tuple(sorted((*world[target], card)))
    return world | {source: left, target: put}


def step(chance: random.Random, known: StackedCards, every: Every, truth: dict[str, list[str]]) -> None:
    """One thing that happens to the real cards, told to both."""
    hand, pile, seen = chance.choice(HANDS), chance.choice(STACK_PILES), chance.random() < 0.5
    kind = chance.choice(KINDS)
    source = truth[pile] if kind in {"draw", "search"} else truth[hand]
    if len(source) < (2 if kind == "two" else 1):
        return
    if kind == "draw":
        card = source.pop(0)
        truth[hand].append(card)
        known.draw(pile, hand, card if seen else None)
        every.become(lambda world: first(world, pile, hand, card if seen else None))
    elif kind == "search":
        card = chance.choice(source)
        source.remove(card)
        truth[hand].append(card)
        known.take(pile, hand, card if seen else None)
        every.become(lambda world: found(world, pile, hand, card) if seen else any_of(world, pile, hand))
    elif kind == "under":
        card = source.pop(chance.randrange(len(source)))
        truth[pile].append(card)
        known.put_under(hand, pile, [card if seen else None])
        every.become(lambda world: found(world, hand, pile, card) if seen else any_of(world, hand, pile))
    elif kind == "two":
        chance.shuffle(source)
        cards = [source.pop(), source.pop()]
        truth[pile] += cards
        known.put_under(hand, pile, cards)
        every.become(lambda world: both(world, hand, pile, cards))
    elif kind == "play":
        card = source.pop(chance.randrange(len(source)))
        truth[OPEN].append(card)
        known.known.move(hand, OPEN, [card])
        every.become(lambda world: found(world, hand, OPEN, card))
    elif kind == "show":
        card = chance.choice(source)
        known.known.see(hand, [card])
        every.become(lambda world: iter([(Fraction(1), world)] if card in world[hand] else []))
    elif kind == "spy" and (cards := [card for card in source if card in WANTED]):
        card = chance.choice(cards)
        source.remove(card)
        other = HANDS[1 - HANDS.index(hand)]
        truth[other].append(card)
        known.known.move_one_of(hand, other, WANTED)
        every.become(lambda world: any_of(world, hand, other, "ab"))
    elif kind == "none" and WANTED.isdisjoint(source):
        known.known.exclude(hand, WANTED)
        every.become(lambda world: iter([(Fraction(1), world)] if WANTED.isdisjoint(world[hand]) else []))


def first(world: World, pile: str, hand: str, card: str | None) -> Iterator[Part]:
    if world[pile] and card in (None, world[pile][0][0]):
        yield Fraction(1), taken(world, pile, 0, hand)


def found(world: World, source: str, target: str, card: str) -> Iterator[Part]:
    """Somebody looks for a card: any such card from the deal, else the first of those that were put there."""
    dealt = [number for number, each in enumerate(world[source]) if each == card]
    later = [number for number, each in enumerate(world[source]) if each == f"{card}{UNDER}"]
    for number in dealt or later[:1]:
        yield Fraction(1, len(dealt) or 1), taken(world, source, number, target)


def any_of(world: World, source: str, target: str, kinds: str = "abcd") -> Iterator[Part]:
    numbers = [number for number, card in enumerate(world[source]) if card[0] in kinds]
    for number in numbers:
        yield Fraction(1, len(numbers)), taken(world, source, number, target)


def both(world: World, hand: str, pile: str, cards: list[str]) -> Iterator[Part]:
    """Two cards go under a stack, in either order."""
    if Counter(cards) <= Counter(world[hand]):
        for one, other in (cards, cards[::-1]):
            once = taken(world, hand, world[hand].index(one), pile)
            yield Fraction(1, 2), taken(once, hand, once[hand].index(other), pile)


def shares(odds: dict[str, int]) -> dict[str, Fraction]:
    return {card: Fraction(weight, sum(odds.values())) for card, weight in odds.items() if weight}


class Unasked(Every):
    """No order at all, where nobody asks for them."""

    def __init__(self) -> None:
        self.parts = []


def game(seed: int, steps: int, known: StackedCards, every: Every) -> Iterator[None]:
    """A real deal, and what happens to it, told to both."""
    chance = random.Random(seed)
    order = list(Counter(box_of(seed)).elements())
    chance.shuffle(order)
    truth = {place: list(cards) for place, cards in dealt(order).items()}
    known.deal(SIZES)
    for _ in range(steps):
        step(chance, known, every, truth)
        yield


def box_of(seed: int) -> dict[str, int]:
    return BOXES[seed % len(BOXES)]


@pytest.mark.parametrize("seed", soak_except(range(60), *range(15)))
def test_the_odds_of_each_stack_are_those_of_all_orders_counted_one_by_one(seed: int) -> None:
    known, every = StackedCards(box_of(seed)), Every(box_of(seed))
    for _ in game(seed, 20, known, every):
        assert known.known.is_exact, "what really happened is always possible"
        for pile in STACK_PILES:
            assert shares(known.known.odds(*known._stacks[pile])) == every.odds(pile), pile


def weights_of_tops(known: StackedCards) -> list[float]:
    """The weight of each card that can be the next one of each stack: not yet compared with that of all others."""
    found, counted = defaultdict[tuple[str, str], Fraction](Fraction), known.known
    for pile in STACK_PILES:
        for each, at in counted._tops(known._stacks[pile]):
            for card, part, whole in kinds(each, each[at]):
                found[pile, card] += Fraction(counted._weights[each] * part, counted._whole * whole)
    return [float(found[pile, card]) for pile in STACK_PILES for card in "abcd"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", soak_except(SAMPLED, 12, 59))
def test_a_sample_has_on_average_the_weights_of_all_arrangements(seed: int) -> None:
    """Over 250 samples the mean of each weight is as near to the exact one as chance allows."""
    steps, samples = 40, 250
    exact = StackedCards(box_of(seed), 10**6)
    assert len(list(game(seed, steps, exact, Unasked()))) == steps
    assert exact.known.is_exact
    found, sampled = list[list[float]](), 0
    for number in range(samples):
        known = StackedCards(box_of(seed), 8, str(number))
        assert len(list(game(seed, steps, known, Unasked()))) == steps
        sampled += known.known.sample > 0
        found.append(weights_of_tops(known))
    assert sampled > samples / 2
    for weight, those in zip(weights_of_tops(exact), zip(*found, strict=True), strict=True):
        mean = sum(those) / samples
        error = (sum((one - mean) ** 2 for one in those) / samples / samples) ** 0.5
        assert abs(mean - weight) <= 4.5 * error + 1e-9


class Evening:
    """A game at random with real stacks and hands. A hidden card is noted with this probability."""

    def __init__(self, seed: int, noting: float) -> None:
        self.chance, self.noting = random.Random(seed), noting
        self.state: CatanCardsState = RULESETS["catan_cards"].open({}, None, 2)
        self.stacks: list[list[str]] = []
        self.hands: list[Counter[str]] = [Counter(), Counter()]
        self.viewpoints = (RECORD, PUBLIC, Viewpoint("seat", 0))
        self.watches = [CatanCardsWatch() for _ in self.viewpoints]
        self.events: list[list[ChanceEvent]] = [[] for _ in self.viewpoints]
        self.drawn = 0

    def play(self, moves: int) -> None:
        policy = RULESETS["catan_cards"].policy
        assert policy
        for _ in range(moves):
            legal = [move for move in self.state.legal_moves() if self.can_be(move)]
            chosen = policy.choose(self.state, self.chance) if self.chance.random() < 0.7 else None
            if not legal:
                break
            self.make(chosen if chosen and self.can_be(chosen) else self.chance.choice(legal))
        for watch, events in zip(self.watches, self.events, strict=True):
            events.extend(watch.remaining_events())

    def can_be(self, move: Move) -> bool:
        """Whether hands really have the cards."""
        if isinstance(move, Spy) and not (self.spied(move) if move.taken else not self.spied(move)):
            return False
        if isinstance(move, (Draw, Pick, Return, Confiscate)):
            return True
        held: list[tuple[int, tuple[str, ...]]] = getattr(move, "newly_seen_cards", tuple)()
        return all(Counter(cards) <= self.hands[holder] for holder, cards in held)

    def spied(self, move: Spy) -> list[str]:
        return [card for card in sorted(self.hands[1 - move.seat].elements()) if can_take(self.state, card)]

    def real(self, move: Move) -> tuple[Move, Move]:
        """The move with the cards that are really there, and as it is noted."""

        def told(field: str, *cards: str) -> tuple[Move, Move]:
            noted = tuple(card if self.chance.random() < self.noting else None for card in cards)
            whole, some = (cards, noted) if field == "cards" else (cards[0], noted[0])
            return msgspec.structs.replace(move, **{field: whole}), msgspec.structs.replace(move, **{field: some})

        match move:
            case Pick(stack=number):
                return told("cards", *self.chance.sample(self.stacks[number - 1], 3))
            case Draw(stack=number, search=search):
                stack = self.stacks[number - 1]
                return told("card", self.chance.choice(stack) if search else stack[0])
            case Return(seat=seat):
                return told("card", self.chance.choice(sorted(self.hands[seat].elements())))
            case Confiscate(seat=seat, cards=cards):
                return told("cards", *self.chance.sample(sorted(self.hands[1 - seat].elements()), len(cards)))
            case Spy(taken=True):
                return told("card", self.chance.choice(self.spied(move)))
            case _:
                whole = self.state.sample_chance(move, self.chance)
                return whole, whole

    def make(self, move: Move) -> None:
        real, noted = self.real(move)
        before = self.state.copy()
        effects = self.state.apply(noted)
        self.drawn += isinstance(real, Draw) and not real.search
        self.handle(real)
        for effect in effects:
            if effect.kind == "card.struck" and effect.seat is not None:
                self.hands[effect.seat][effect.at[0]] += 1
        for viewpoint, watch, events in zip(self.viewpoints, self.watches, self.events, strict=True):
            events.extend(watch.follow(before.view(viewpoint), noted.seen(viewpoint), self.state.view(viewpoint)))
            assert len(watch.cards.known), viewpoint.name

    def handle(self, real: Move) -> None:
        """Move the real cards."""
        match real:
            case Start():
                cards = list(Counter(self.state.box.copies).elements())
                self.chance.shuffle(cards)
                self.stacks = [[cards.pop() for _ in range(stack.size)] for stack in self.state.stacks]
            case Pick(seat=seat, stack=number, cards=picked):
                for card in picked:
                    self.stacks[number - 1].remove(card or "")
                    self.hands[seat][card or ""] += 1
            case Draw(seat=seat, stack=number, card=card):
                self.stacks[number - 1].remove(card or "")
                self.hands[seat][card or ""] += 1
            case Return(seat=seat, stack=number, card=card):
                self.hands[seat][card or ""] -= 1
                self.stacks[number - 1].append(card or "")
            case Confiscate(seat=seat, stack=number, cards=gone):
                self.hands[1 - seat] -= Counter(gone)
                self.stacks[number - 1] += [card or "" for card in gone]
            case Spy(seat=seat, card=card):
                self.hands[seat]["Spy"] -= 1
                if card:
                    self.hands[1 - seat][card] -= 1
                    self.hands[seat][card] += 1
            case _:
                held: list[tuple[int, tuple[str, ...]]] = getattr(real, "newly_seen_cards", tuple)()
                for holder, cards in held:
                    self.hands[holder] -= Counter(cards)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "noting"), soak_except([(0, 0), (1, 0.6), (2, 1), (3, 0.6), (4, 1)], (0, 0), (1, 0.6), (4, 1))
)
def test_each_drawn_card_that_was_noted_could_come_and_nobody_learns_of_the_notes_of_others(
    seed: int, noting: float
) -> None:
    evening = Evening(seed, noting)
    evening.play(60)
    record, public, own = ([event for event in events if event.kind == "draw"] for events in evening.events)
    assert 0 < len(record) <= evening.drawn
    assert not any(event.outcome for event in public)
    assert all(event.seat == 0 for event in own if event.outcome)
    assert all(event.outcome in event.odds for event in record if event.outcome)
    assert bool(noting) == any(event.outcome for event in record)
    assert noting < 1 or not any(event.sample for event in record)


def test_production_is_told_by_the_board_on_which_it_happens() -> None:
    """Brigands take all ore and wool before the roll brings resources, so a full mountain has room again."""
    state: CatanCardsState = RULESETS["catan_cards"].open({}, None, 2)
    chance = random.Random(1)
    while state.phase != "roll":
        state.apply(state.sample_chance(next(iter(state.legal_moves())), chance))
    own, number = state.principalities[state.active], 0
    state.turns = [9, 9]
    for place, land in own.regions.items():
        own.stocks[place] = 3
        number = land.number if land.resource == "ore" else number
    watch, before, roll = CatanCardsWatch(), state.copy(), Roll(seat=state.active, event="brigands", number=number)
    state.apply(roll)
    (event,) = (event for event in watch.follow(before, roll, state) if event.kind == "production die")
    assert event.gains[str(number)][roll.seat] == 1
    (earlier,) = (event for event in before.ruleset.chances(before, roll, ()) if event.kind == "production die")
    assert earlier.gains[str(number)][roll.seat] == 0, "the board before the roll was full"


def test_a_card_that_somebody_put_on_the_only_place_is_no_event_of_chance() -> None:
    cards = StackedCards({"a": 1, "b": 1})
    cards.deal((1, 1, 0, 0, 0))
    cards.draw(STACK_PILES[0], HANDS[0], "a")
    assert cards.odds_of_top(STACK_PILES[1]) == {"b": 1}
    cards.put_under(HANDS[0], STACK_PILES[0], ["a"])
    assert cards.odds_of_top(STACK_PILES[0]) is None
    assert not cards.known.may_hold(BOX)
