"""Simulated games of the card game begin with hands and stacks as often as all arrangements have them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain
from statistics import mean, stdev
from typing import TYPE_CHECKING

import pytest

from games.catan_cards.stacks import BOX, HANDS, OPEN, STACK_PILES, place_under
from games.deal_samples import DealSample
from games.knowledge import Table
from games.weighing import DealKnowledge
from tests.cases import cases
from tests.games.catan_cards.test_known_cards import SIZES, UNDER, Every, any_of, box_of, first, found, taken
from tests.games.test_dealing import ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.games.catan_cards.test_known_cards import World

DEEP = 12
STACKS = tuple((pile, *(place_under(pile, number + 1) for number in range(DEEP))) for pile in STACK_PILES)
PLACES = (BOX, OPEN, *HANDS, *chain.from_iterable(STACKS))
Lying = tuple[tuple[str, ...], ...]
"""The cards of both hands, and of each group of each stack with | between stacks."""


class Game:
    """A few real cards, all ways in which they can lie, and what `known` learns of them."""

    def __init__(self, seed: int, known: DealKnowledge, every: Every | None) -> None:
        self.chance, self.known, self.every = random.Random(seed), known, every
        self.under = dict.fromkeys(STACK_PILES, 0)
        cards = list(Counter(box_of(seed)).elements())
        self.chance.shuffle(cards)
        self.truth: World = dict.fromkeys((*HANDS, OPEN), ())
        for pile, size in zip(STACK_PILES, SIZES, strict=True):
            known.move_unseen(BOX, pile, size)
            self.truth[pile], cards = tuple(cards[:size]), cards[size:]

    def step(self) -> None:
        kind = self.chance.choice(("draw", "search", "under", "under", "play", "show"))
        hand, pile = self.chance.choice(HANDS), self.chance.choice(STACK_PILES)
        source, to = {"draw": (pile, hand), "search": (pile, hand), "under": (hand, pile)}.get(kind, (hand, OPEN))
        lying = self.truth[source]
        if not lying:
            return
        at = 0 if kind == "draw" else self.chance.randrange(len(lying))
        card = lying[at][0] if kind in ("play", "show") or self.chance.random() < 0.4 else None
        if kind == "show":
            self.known.see(hand, [lying[at][0]])
            self._become(lambda world: iter([(1, world)] if card in world[hand] else []))  # type: ignore[list-item]
            return
        self.truth = taken(self.truth, source, at, to)
        self._learn(kind, source, to, card)
        if kind == "draw":
            self._become(lambda world: first(world, source, to, card))
        else:
            self._become(lambda world: found(world, source, to, card) if card else any_of(world, source, to))

    def _learn(self, kind: str, source: str, to: str, card: str | None) -> None:
        if kind == "under":
            self.under[to] += 1
            to = place_under(to, self.under[to])
        if kind in ("play", "under"):
            if card:
                self.known.move(source, to, [card])
            else:
                self.known.move_unseen(source, to)
            return
        stack, is_draw = STACKS[STACK_PILES.index(source)], kind == "draw"
        if card:
            (self.known.draw if is_draw else self.known.search)(stack, to, card)
        else:
            (self.known.draw_unseen if is_draw else self.known.search_unseen)(stack, to)

    def _become(self, after: object) -> None:
        if self.every:
            self.every.become(after)  # type: ignore[arg-type]

    def counted(self) -> dict[Lying, float]:
        """How likely everything lies in each way, counted one by one."""
        assert self.every
        found = Counter[Lying]()
        for weight, world in self.every.parts:
            stacks = chain.from_iterable((*_groups(world[pile]), ("|",)) for pile in STACK_PILES)
            found[(*(world[hand] for hand in HANDS), *stacks)] += float(weight)  # type: ignore[assignment]
        return found  # type: ignore[return-value]

    def dealt(self) -> dict[Lying, float]:
        """How likely a deal brings each of them, by the weights."""
        found, weights = Counter[Lying](), self.known.weights()
        for each, weight in weights.items():
            for cards, part in ways(each, self.known.numbers((*HANDS, *chain.from_iterable(STACKS)))):
                stacks = [cards[2 + at * (DEEP + 1) : 2 + (at + 1) * (DEEP + 1)] for at in range(len(STACK_PILES))]
                lying = chain.from_iterable((*filter(None, groups), ("|",)) for groups in stacks)
                found[(*cards[:2], *lying)] += weight * part  # type: ignore[assignment]
        return found  # type: ignore[return-value]


def _groups(stack: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The cards of a stack from the deal, in any order, and then one by one those that were put there."""
    if dealt := tuple(sorted(card for card in stack if UNDER not in card)):
        yield dealt
    yield from ((card[0],) for card in stack if UNDER in card)


def _shares(found: Mapping[Lying, float]) -> dict[Lying, float]:
    return {lying: weight / sum(found.values()) for lying, weight in found.items() if weight}


@cases("seed", range(30))
def test_all_hands_and_stacks_are_as_likely_as_all_orders_counted_one_by_one(seed: int) -> None:
    box = box_of(seed)
    game = Game(seed, DealKnowledge(Table(box, PLACES, BOX, stacks=STACKS)), Every(box))
    for _ in range(16):
        game.step()
    assert not game.known.are_too_many
    assert _shares(game.dealt()) == pytest.approx(_shares(game.counted()))


@cases("seed", range(12))
@pytest.mark.slow
def test_samples_are_right_on_average(seed: int) -> None:
    """The chance of everything that was seen, together with each way to lie, is on average what it is by counting."""
    box, runs = box_of(seed), 120
    game = Game(seed, DealKnowledge(Table(box, PLACES, BOX)), Every(box))
    table = Table(box, PLACES, BOX, stacks=STACKS)
    games = [Game(seed, DealSample(table, 30, seed=str(run)), None) for run in range(runs)]
    orders = len(game.every.parts)  # type: ignore[union-attr]
    for _ in range(14):
        for each in (game, *games):
            each.step()
    counted = game.counted()
    sampled = []
    for each in games:
        dealt = each.dealt()
        whole = sum(dealt.values())
        sampled.append({lying: each.known.chance * weight / whole for lying, weight in dealt.items()})  # type: ignore[attr-defined]
    likely = [lying for lying in counted if counted[lying] > 0.05 * sum(counted.values())]
    assert not {*chain.from_iterable(sampled)} - {*counted}, "what cannot be is never dealt"
    for asked in (likely, *[[lying] for lying in likely]):
        came = [sum(each.get(lying, 0.0) for lying in asked) for each in sampled]
        true = sum(counted[lying] for lying in asked) / orders
        assert abs(mean(came) - true) < 4.5 * stdev(came) / runs**0.5 + 1e-12, (asked, mean(came) / true)
