"""Each card drawn from a stack against all ways in which the cards can lie, counted one by one, from each viewpoint."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations
from math import gcd, lcm
from typing import TYPE_CHECKING

import msgspec
import pytest

from games.catan_cards.components import CARDS
from games.catan_cards.knowledge import CatanCardsWatch, StackedCards
from games.catan_cards.moves.hand import Draw
from games.catan_cards.moves.setup import Pick, Start
from games.catan_cards.stacks import BOX, HANDS, OPEN, STACK_PILES
from games.contract import PUBLIC, RECORD, Viewpoint
from games.knowledge import SEARCHED
from games.rulesets import RULESETS
from tests.choosing import short_or_soak, soak_except
from tests.games.catan_cards.test_known_cards import Evening, shares

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from games.contract import Move
    from games.seen_cards import Told

FEW = {"Abbey": 9, "Smithy": 9, "Sawmill": 9, "Brick Fleet": 3}
KINDS = tuple(FEW)
SIZES = (27, 3, 0, 0, 0)
MOST_WAYS = 12_000
VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
PLACES = (BOX, OPEN, *HANDS, *STACK_PILES)
Cards = tuple[int, ...]
"""How many of each kind: in a place, or of the deal in a stack."""
World = tuple[tuple[Cards, ...], tuple[tuple[str, ...], ...]]
"""The cards of each place, and what was put under each stack, in its order."""
Part = tuple[int, World]
WHOLE = lcm(*range(1, sum(FEW.values()) + 1))
"""The parts of one way. Some cards share them evenly, however many they are."""


class Ways:
    """All ways in which the cards can lie, each with the part of all shuffles and unseen choices that it has."""

    def __init__(self) -> None:
        none = (0,) * len(KINDS)
        box = tuple(FEW.values())
        self.parts: dict[World, int] = {((box, *[none] * (len(PLACES) - 1)), ((),) * len(STACK_PILES)): 1}
        self.odds: list[dict[str, Fraction]] = []

    def take_in(self, word: Told) -> None:
        """What was told. Of each card that comes from the top of a stack, the odds are kept."""
        source, to, cards, _ = word
        pile = source.removeprefix(SEARCHED)
        known = sorted(cards, key=lambda card: card is None)
        if source == to:
            seen = Counter(filter(None, cards))
            self.become(lambda world: [(1, world)] if _holds(world, PLACES.index(to), seen) else [])
        elif to in STACK_PILES and source != BOX:
            self.become(lambda world: _put_under(world, PLACES.index(source), STACK_PILES.index(to), known))
        elif pile in STACK_PILES:
            for card in cards:
                self.leave_stack(PLACES.index(pile), PLACES.index(to), card, is_search=source != pile)
        else:
            for card in known:
                self.become(lambda world, card=card: _moved(world, PLACES.index(source), PLACES.index(to), card))

    def leave_stack(self, at: int, to: int, card: str | None, *, is_search: bool) -> None:
        """A card of a stack goes to a hand: its top, or any that is looked for, of the deal first."""
        if not is_search and any(any(places[at]) for places, _ in self.parts):
            self.odds.append(self.of_top(at))
        self.become(lambda world: _searched(world, at, to, card) if is_search else _drawn(world, at, to, card))

    def become(self, ways: Callable[[World], Iterable[Part]]) -> None:
        """Split each way into others. Only how the parts compare counts, so the numbers are kept small."""
        found: dict[World, int] = defaultdict(int)
        for world, weight in self.parts.items():
            for part, after in ways(world):
                found[after] += weight * part
        common = gcd(*found.values())
        self.parts = {world: weight // common for world, weight in found.items()}

    def of_top(self, at: int) -> dict[str, Fraction]:
        found: dict[str, int] = defaultdict(int)
        for world, weight in self.parts.items():
            for part, (_, card) in _tops(world, at):
                found[card] += weight * part
        return {card: Fraction(weight, sum(found.values())) for card, weight in found.items()}


def _tops(world: World, at: int) -> Iterator[tuple[int, tuple[World, str]]]:
    """Each card that can be the top of a stack, with what is left: any one of the deal, or the first below it."""
    places, under = world
    stack = at - PLACES.index(STACK_PILES[0])
    if any(places[at]):
        for number, count in enumerate(places[at]):
            if count:
                left = (_changed(places, at, number, -1), under)
                yield WHOLE * count // sum(places[at]), (left, KINDS[number])
    elif under[stack]:
        yield WHOLE, ((places, (*under[:stack], under[stack][1:], *under[stack + 1 :])), under[stack][0])


def _drawn(world: World, at: int, to: int, card: str | None) -> Iterator[Part]:
    for part, ((places, under), top) in _tops(world, at):
        if card in (None, top):
            yield part, (_changed(places, to, KINDS.index(top), 1), under)


def _searched(world: World, at: int, to: int, card: str | None) -> Iterator[Part]:
    places, under = world
    stack = at - PLACES.index(STACK_PILES[0])
    size = sum(places[at]) + len(under[stack])
    for number, kind in enumerate(KINDS):
        if card in (None, kind) and places[at][number]:
            part = WHOLE if card else WHOLE * places[at][number] // size
            yield part, (_changed(_changed(places, at, number, -1), to, number, 1), under)
    lower = [number for number, kind in enumerate(under[stack]) if card in (None, kind)]
    if card and places[at][KINDS.index(card)]:
        lower = []
    for number in lower[:1] if card else lower:
        left = (*under[stack][:number], *under[stack][number + 1 :])
        after = _changed(places, to, KINDS.index(under[stack][number]), 1)
        yield WHOLE if card else WHOLE // size, (after, (*under[:stack], left, *under[stack + 1 :]))


def _put_under(world: World, at: int, stack: int, cards: list[str | None]) -> Iterator[Part]:
    """Cards go under a stack together, in any order."""
    ways: list[tuple[int, World, tuple[str, ...]]] = [(1, world, ())]
    for card in cards:
        ways = [
            (weight * part, (_changed(before[0], at, number, -1), before[1]), (*put, KINDS[number]))
            for weight, before, put in ways
            for part, number in _chosen(before, at, card)
        ]
    for weight, (places, under), put in ways:
        for order in permutations(put):
            below = (*under[:stack], (*under[stack], *order), *under[stack + 1 :])
            yield weight, (places, below)


def _moved(world: World, at: int, to: int, card: str | None) -> Iterator[Part]:
    for part, number in _chosen(world, at, card):
        yield part, (_changed(_changed(world[0], at, number, -1), to, number, 1), world[1])


def _chosen(world: World, at: int, card: str | None) -> Iterator[tuple[int, int]]:
    """A kind of card that leaves a place: this one, which somebody chose; or any one, each card alike."""
    for number, count in enumerate(world[0][at]):
        if count and card in (None, KINDS[number]):
            yield WHOLE if card else WHOLE * count // sum(world[0][at]), number


def _holds(world: World, at: int, cards: Counter[str]) -> bool:
    return all(world[0][at][KINDS.index(card)] >= count for card, count in cards.items())


def _changed(places: tuple[Cards, ...], at: int, number: int, by: int) -> tuple[Cards, ...]:
    cards = places[at]
    return (*places[:at], (*cards[:number], cards[number] + by, *cards[number + 1 :]), *places[at + 1 :])


def _is_unseen(word: Told) -> bool:
    """Of cards that are taken together, those that were seen come first."""
    return None in word[2]


class Counted(Evening):
    """A game at random with few kinds of cards in two stacks, in which all ways are counted from some viewpoints."""

    def __init__(self, seed: int, noting: float, viewpoints: Sequence[Viewpoint] = VIEWPOINTS) -> None:
        super().__init__(seed, noting)
        cards = {card: {"count": FEW.get(card, 0)} for card in CARDS}
        self.state = RULESETS["catan_cards"].open({}, {"cards": cards}, 2)
        self.viewpoints = viewpoints
        self.watches = [CatanCardsWatch() for _ in viewpoints]
        for watch in self.watches:
            watch.cards = StackedCards(self.state.box.copies, 100_000)
        self.events = [[] for _ in viewpoints]
        self.ways = [Ways() for _ in viewpoints]
        self.heard = 0

    def play(self, moves: int) -> None:
        """Until there are too many ways to count. A card is drawn from the top if it can be."""
        policy = RULESETS["catan_cards"].policy
        assert policy
        for _ in range(moves):
            legal = [move for move in self.state.legal_moves() if self.can_be(move)]
            draws = [move for move in legal if isinstance(move, Draw) and not move.search]
            chosen = policy.choose(self.state, self.chance) if self.chance.random() < 0.5 else None
            fits = chosen and self.can_be(chosen)
            self.make(self.chance.choice(draws) if draws else chosen if chosen and fits else self.chance.choice(legal))
            if max(len(ways.parts) for ways in self.ways) > MOST_WAYS:
                break
        for watch, events in zip(self.watches, self.events, strict=True):
            events.extend(watch.remaining_events())

    def real(self, move: Move) -> tuple[Move, Move]:
        if isinstance(move, Start):
            move = msgspec.structs.replace(move, sizes=SIZES)
        return super().real(move)

    def make(self, move: Move) -> None:
        super().make(move)
        told = len(self.state.told)
        for viewpoint, ways in zip(self.viewpoints, self.ways, strict=True):
            words = [word for _, word in self.state.view(viewpoint).told[self.heard : told]]
            for word in sorted(words, key=_is_unseen) if isinstance(move, Pick) else words:
                ways.take_in(word)
        self.heard = told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "noting"), soak_except([(seed, part) for seed in range(6) for part in (0, 0.5, 1)], (1, 0.5))
)
def test_each_draw_has_the_odds_of_all_ways_counted_one_by_one(seed: int, noting: float) -> None:
    evening = Counted(seed, noting)
    evening.play(short_or_soak(50, 80))
    for viewpoint, ways, events in zip(VIEWPOINTS, evening.ways, evening.events, strict=True):
        draws = [event for event in events if event.kind == "draw"]
        assert draws
        assert not any(event.sample for event in draws)
        told = sorted(sorted(shares(dict(event.odds)).items()) for event in draws)
        assert told == sorted(sorted(odds.items()) for odds in ways.odds), viewpoint.name
