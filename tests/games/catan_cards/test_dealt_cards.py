"""Simulated games of the card game begin with hands and stacks as often as all arrangements have them."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from games.catan_cards.stacks import BOX, HANDS, OPEN, STACK_PILES, place_under
from games.knowledge import LOOKED_FOR, SEARCHED, Fact, Table
from games.sampled_deals import SampledKnowledge
from games.weighing import DealKnowledge
from tests.cases import cases
from tests.choosing import short_or_soak
from tests.games.catan_cards.test_known_cards import SIZES, UNDER, WANTED, Every, any_of, box_of, first, found, taken
from tests.games.test_dealing import ways
from tests.games.test_sampled_deals import MOST_OFF, Facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.games.catan_cards.test_known_cards import World

DEEP = 12
STACKS = tuple((pile, *(place_under(pile, number + 1) for number in range(DEEP))) for pile in STACK_PILES)
PLACES = (BOX, OPEN, *HANDS, *chain.from_iterable(STACKS))
HIDDEN = (*HANDS, *chain.from_iterable(STACKS))
Lying = tuple[tuple[str, ...], ...]
"""The cards of both hands, and of each group of each stack with | between stacks."""


class Game:
    """A few real cards, all ways in which they can lie, and what `known` learns of them."""

    def __init__(self, seed: int, known: DealKnowledge | SampledKnowledge) -> None:
        self.chance, self.known, self.every = random.Random(seed), known, Every(box_of(seed))
        self.under = dict.fromkeys(STACK_PILES, 0)
        cards = list(Counter(box_of(seed)).elements())
        self.chance.shuffle(cards)
        self.truth: World = dict.fromkeys((*HANDS, OPEN), ())
        for pile, size in zip(STACK_PILES, SIZES, strict=True):
            self._learn(BOX, pile, (None,) * size)
            self.truth[pile], cards = tuple(cards[:size]), cards[size:]

    def step(self) -> None:
        kind = self.chance.choice(("draw", "search", "under", "under", "play", "show", "spy"))
        hand, pile = self.chance.choice(HANDS), self.chance.choice(STACK_PILES)
        if kind == "spy":
            self._spy(hand, HANDS[1 - HANDS.index(hand)])
            return
        source, to = {"draw": (pile, hand), "search": (pile, hand), "under": (hand, pile)}.get(kind, (hand, OPEN))
        lying = self.truth[source]
        if not lying:
            return
        at = 0 if kind == "draw" else self.chance.randrange(len(lying))
        card = lying[at][0] if kind in ("play", "show") or self.chance.random() < 0.4 else None
        if kind == "show":
            self._learn(hand, hand, (lying[at][0],))
            self.every.become(lambda world: iter([(1, world)] if card in world[hand] else []))  # type: ignore[list-item]
            return
        self.truth = taken(self.truth, source, at, to)
        if kind == "under":
            self.under[to] += 1
        place = place_under(to, self.under[to]) if kind == "under" else to
        self._learn(f"{SEARCHED}{source}" if kind == "search" else source, place, (card,))
        if kind == "draw":
            self.every.become(lambda world: first(world, source, to, card))
        else:
            self.every.become(lambda world: found(world, source, to, card) if card else any_of(world, source, to))

    def _spy(self, hand: str, other: str) -> None:
        """A Spy takes a card of some kinds, unseen, or finds none."""
        able = [at for at, card in enumerate(self.truth[hand]) if card in WANTED]
        if not able:
            self._learn(LOOKED_FOR + hand, hand, ())
            self.every.become(lambda world: iter([(Fraction(1), world)] if WANTED.isdisjoint(world[hand]) else []))
            return
        self.truth = taken(self.truth, hand, self.chance.choice(able), other)
        self._learn(LOOKED_FOR + hand, other, (None,))
        self.every.become(lambda world: any_of(world, hand, other, "ab"))

    def _learn(self, source: str, to: str, cards: tuple[str | None, ...]) -> None:
        self.known.follow(Facts(), 1, Fact(1, source, to, cards))

    def counted(self) -> dict[Lying, float]:
        """How likely everything lies in each way, counted one by one."""
        found = Counter[Lying]()
        for weight, world in self.every.parts:
            stacks = chain.from_iterable((*_groups(world[pile]), ("|",)) for pile in STACK_PILES)
            found[(*(world[hand] for hand in HANDS), *stacks)] += float(weight)  # type: ignore[assignment]
        return found  # type: ignore[return-value]

    def likely(self) -> dict[Lying, float]:
        """How likely a deal brings each of them, by the weights of all arrangements."""
        assert isinstance(self.known, DealKnowledge)
        found = Counter[Lying]()
        for each, weight in self.known.weights().items():
            for cards, part in ways(each, self.known.numbers(HIDDEN)):
                found[_lying(cards)] += weight * part  # type: ignore[assignment]
        return found  # type: ignore[return-value]

    def dealt(self, deals: int) -> dict[Lying, float]:
        """How often deals bring each of them."""
        dealer, chance = self.known.dealer(HIDDEN), random.Random(1)
        found = Counter(_lying([tuple(sorted(cards)) for cards in dealer.deal(chance)]) for _ in range(deals))
        return dict(found)  # type: ignore[arg-type]


def _lying(cards: Sequence[tuple[str, ...]]) -> Lying:
    """The cards of both hands, and of all places of stacks."""
    stacks = [cards[2 + at * (DEEP + 1) : 2 + (at + 1) * (DEEP + 1)] for at in range(len(STACK_PILES))]
    return (*cards[:2], *chain.from_iterable((*filter(None, groups), ("|",)) for groups in stacks))


def _groups(stack: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The cards of a stack from the deal, in any order, and then one by one those that were put there."""
    if dealt := tuple(sorted(card for card in stack if UNDER not in card)):
        yield dealt
    yield from ((card[0],) for card in stack if UNDER in card)


def _shares(found: Mapping[Lying, float]) -> dict[Lying, float]:
    return {lying: weight / sum(found.values()) for lying, weight in found.items() if weight}


@cases("seed", [*range(28), 29, 30][: short_or_soak(10, 30)])  # seed 28 has too many piles: it would deal from a sample
def test_all_hands_and_stacks_are_as_likely_as_all_orders_counted_one_by_one(seed: int) -> None:
    known = DealKnowledge(Table(box_of(seed), PLACES, BOX, stacks=STACKS, wanted=WANTED))
    game = Game(seed, known)
    for _ in range(16):
        game.step()
    assert not known.are_too_many
    assert _shares(game.likely()) == pytest.approx(_shares(game.counted()))


@cases("seed", range(short_or_soak(3, 12)))
@pytest.mark.slow
def test_sampled_hands_and_stacks_come_as_often_as_all_orders_have_them(seed: int) -> None:
    game = Game(seed, SampledKnowledge(Table(box_of(seed), PLACES, BOX, stacks=STACKS, wanted=WANTED), 4_000))
    for _ in range(14):
        game.step()
    counted, dealt = _shares(game.counted()), _shares(game.dealt(10_000))
    assert not {*dealt} - {*counted}, "what cannot be is never dealt"
    assert max(abs(dealt.get(lying, 0.0) - share) for lying, share in counted.items()) < MOST_OFF
    for place in range(len(HANDS)):
        for cards, share in _held(counted, place).items():
            assert _held(dealt, place)[cards] == pytest.approx(share, abs=MOST_OFF)


@pytest.mark.slow
def test_a_known_card_that_went_unseen_is_dealt_as_often_as_all_orders_have_it() -> None:
    """It can lie in many places, and from no more worlds than in a game."""
    game = Game(111, SampledKnowledge(Table(box_of(111), PLACES, BOX, stacks=STACKS, wanted=WANTED)))
    for _ in range(14):
        game.step()
    counted, dealt = _shares(game.counted()), _shares(game.dealt(10_000))
    for place in range(len(HANDS)):
        for cards, share in _held(counted, place).items():
            assert _held(dealt, place)[cards] == pytest.approx(share, abs=MOST_OFF)


def _held(found: Mapping[Lying, float], place: int) -> Counter[tuple[str, ...]]:
    """The share of each hand of a player."""
    held = Counter[tuple[str, ...]]()
    for lying, share in found.items():
        held[lying[place]] += share  # type: ignore[assignment]
    return held
