"""Which cards can come next from a stack that was searched, and how likely a simulated draw brings each of them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from games.catan_cards.moves.hand import Draw
from games.catan_cards.orders import StackOrders
from games.catan_cards.stacks import BOX, HANDS, STACK_PILES
from games.knowledge import SEARCHED
from games.playout import playout
from games.rulesets import RULESETS
from tests.choosing import soak_except

if TYPE_CHECKING:
    from games.catan_cards.state import CatanCardsState
    from games.seen_cards import Told

SIZES = (3, 2, 2, 0, 0)
BOXES = ({"a": 2, "b": 2, "c": 2, "d": 1}, {"a": 3, "b": 2, "c": 1, "d": 1}, {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2})
World = tuple[tuple[str, ...], ...]
"""The cards of all stacks, each from its top."""


class Stacks:
    """A game at random with few cards, each way in which the stacks can lie, and what was told."""

    def __init__(self, seed: int) -> None:
        self.chance, self.box = random.Random(seed), BOXES[seed % len(BOXES)]
        self.worlds = {_dealt(order) for order in permutations(Counter(self.box).elements())}
        self.real = self.chance.choice(sorted(self.worlds))
        self.hand: list[str] = []
        self.told: list[tuple[int, Told]] = []
        for pile, size in zip(STACK_PILES, SIZES, strict=True):
            self.tell(BOX, pile, *[None] * size)

    def tell(self, source: str, to: str, *cards: str | None) -> None:
        self.told.append((1, (source, to, cards, None)))

    def step(self) -> None:
        at, way = self.chance.randrange(len(SIZES)), self.chance.random()
        if self.hand and (way < 0.45 or not self.real[at]):
            self.put_under(at, self.chance.sample(self.hand, min(len(self.hand), 1 + (way < 0.1))))
        elif self.real[at]:
            self.take(at, 0 if way < 0.7 else self.chance.randrange(len(self.real[at])), is_search=way >= 0.7)

    def take(self, at: int, place: int, *, is_search: bool) -> None:
        card = self.real[at][place]
        self.hand.append(card)
        self.tell(SEARCHED * is_search + STACK_PILES[at], HANDS[0], card)
        self.worlds = {
            _with(world, at, (*world[at][:number], *world[at][number + 1 :]))
            for world in self.worlds
            for number, each in enumerate(world[at][: None if is_search else 1])
            if each == card
        }
        self.real = _with(self.real, at, (*self.real[at][:place], *self.real[at][place + 1 :]))

    def put_under(self, at: int, cards: list[str]) -> None:
        for card in cards:
            self.hand.remove(card)
        self.tell(HANDS[0], STACK_PILES[at], *cards)
        self.real = _with(self.real, at, (*self.real[at], *cards))
        self.worlds = {_with(world, at, (*world[at], *order)) for world in self.worlds for order in permutations(cards)}


def _dealt(order: tuple[str, ...]) -> World:
    cards = iter(order)
    return tuple(tuple(next(cards) for _ in range(size)) for size in SIZES)


def _with(world: World, at: int, stack: tuple[str, ...]) -> World:
    return (*world[:at], stack, *world[at + 1 :])


@pytest.mark.parametrize("seed", soak_except(range(60), *range(4)))
def test_what_can_come_next_is_what_some_order_of_all_stacks_has(seed: int) -> None:
    """Brute force over all orders of all stacks."""
    stacks, open_tops = Stacks(seed), 0
    for _ in range(25):
        stacks.step()
        free = {card: count - stacks.hand.count(card) for card, count in stacks.box.items()}
        orders = StackOrders.from_sightings(stacks.box, stacks.told)
        for at, pile in enumerate(STACK_PILES):
            tops = {world[at][0] for world in stacks.worlds if world[at]}
            assert {*orders.drawable(pile, [*stacks.box], free)} == tops, (pile, stacks.told)
            any_card = {card for world in stacks.worlds for card in world[at]}
            assert {*orders.drawable(SEARCHED + pile, [*stacks.box], free)} == any_card, (pile, stacks.told)
            open_tops += 1 < len(tops) < len(stacks.box)
    assert open_tops


def searched() -> tuple[CatanCardsState, int]:
    """A game at random until all cards of a stack are known, but a search left open which of two comes next."""
    for seed in range(200):
        state: CatanCardsState = RULESETS["catan_cards"].open({}, None, 2)
        for _ in playout(state, random.Random(seed)):
            for stack, pile in enumerate(state.stacks, 1):
                if not state.looks_back and pile.size == len(pile.sure) and len(tops_of(state, stack)) == 2:
                    return state, stack
    raise AssertionError("no such game")


def tops_of(state: CatanCardsState, stack: int) -> set[str]:
    return {*state.drawable(stack, [*state.copies], top=True)}


@pytest.mark.parametrize("seed", soak_except(range(60), 5, 15, 25, 31))
def test_games_at_random_contradict_nothing_that_was_seen(seed: int) -> None:
    """A searched card that was noted nowhere may be known to lie in no stack, or to lie in another one only."""
    state: CatanCardsState = RULESETS["catan_cards"].open({}, None, 2)
    searches = 0
    for move, _ in playout(state, random.Random(seed)):
        if isinstance(move, Draw):
            searches += move.search
            fits = [
                state.drawable(at, [*state.copies], top=True) for at, pile in enumerate(state.stacks, 1) if pile.size
            ]
            assert all(fits), (state.version, move)
    assert searches


@pytest.mark.slow
def test_a_simulated_draw_brings_each_card_that_can_come_equally_often() -> None:
    """Of two cards that can come next, draws bring each by its copies, with any first arrangement."""
    state, stack = searched()
    drawn = Counter(
        state.copy().sample_chance(Draw(seat=state.active, stack=stack), random.Random(seed)).card
        for seed in range(400)
    )
    copies = {card: state.stacks[stack - 1].sure.count(card) for card in tops_of(state, stack)}
    for card, count in copies.items():
        part = count / sum(copies.values())
        assert abs(drawn[card] - 400 * part) < 4 * (400 * part * (1 - part)) ** 0.5, (drawn, copies)
