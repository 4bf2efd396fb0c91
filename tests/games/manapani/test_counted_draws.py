"""Each drawn card of a game against all ways in which the cards can lie, counted one by one, from each viewpoint."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from games.contract import PUBLIC, RECORD, Viewpoint
from games.knowledge import DRAWN, SHUFFLED, Knowledge
from games.manapani.components import HANDS
from games.manapani.knowledge import ManapaniWatch
from games.manapani.state import PLACES, WATCHED
from tests import tiers
from tests.choosing import soak_except
from tests.games.manapani.test_known_cards import shares
from tests.games.manapani.test_seen_cards import FEW as MORE
from tests.games.manapani.test_seen_cards import SmallEvening

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Move
    from games.seen_cards import Told

FEW = MORE if tiers.SOAK else {"Kobold": 3, "Goblin": 3, "Shield": 2, "Troll": 2, "Fly": 1}
"""With seven kinds of cards there are six times as many ways to count as with five."""
KINDS = tuple(sorted(FEW))
DECK, DISCARDS = PLACES.index("deck"), PLACES.index("discards")
VIEWPOINTS = (RECORD, PUBLIC, Viewpoint("seat", 0), Viewpoint("seat", 1))
Cards = tuple[int, ...]
"""How many of each kind lie in a place."""
World = tuple[Cards, ...]


class Ways:
    """All ways in which the cards can lie, each with the part of all shuffles and unseen choices that it has."""

    def __init__(self) -> None:
        none = (0,) * len(KINDS)
        deck = tuple(FEW[kind] for kind in KINDS)
        self.parts: dict[World, Fraction] = {tuple(none if at else deck for at in range(len(WATCHED))): Fraction(1)}
        self.odds: dict[int, list[dict[str, Fraction]]] = defaultdict(list)
        self.drawn: dict[str, int] = {}

    def take_in(self, version: int, word: Told) -> None:
        """What was told. Of each card that comes from the deck, the odds are kept."""
        source, to, cards, _ = word
        self.gather(version, source, to)
        if source == SHUFFLED:
            self.become({world: [(Fraction(1), _shuffled(world))] for world in self.parts})
        elif source == to:
            self.see(WATCHED.index(to), Counter(filter(None, cards)))
        for card in sorted(cards, key=lambda card: card is None) if source not in (SHUFFLED, to) else ():
            if source == "deck":
                self.odds[HANDS.index(to.removeprefix(DRAWN))].append(self.of_deck())
            at, target = WATCHED.index(source), WATCHED.index(to)
            self.become({world: list(_moved(world, at, target, card)) for world in self.parts})

    def gather(self, version: int, source: str, to: str) -> None:
        """The last draw of a hand lies apart, until something else is told of the hand than what it brought."""
        hand = to.removeprefix(DRAWN)
        for place in {source, hand} & self.drawn.keys() if source != to or to == hand else ():
            if to == hand or self.drawn[place] != version:
                del self.drawn[place]
                self.become({world: [(Fraction(1), _gathered(world, place))] for world in self.parts})
        if source != to != hand:
            self.drawn[hand] = version

    def become(self, ways: dict[World, list[tuple[Fraction, World]]]) -> None:
        found: dict[World, Fraction] = defaultdict(Fraction)
        for world, weight in self.parts.items():
            for part, after in ways[world]:
                found[after] += weight * part
        self.parts = dict(found)

    def see(self, at: int, cards: Counter[str]) -> None:
        self.parts = {
            world: weight
            for world, weight in self.parts.items()
            if all(world[at][KINDS.index(card)] >= count for card, count in cards.items())
        }

    def of_deck(self) -> dict[str, Fraction]:
        found: dict[str, Fraction] = defaultdict(Fraction)
        for world, weight in self.parts.items():
            for kind, count in zip(KINDS, world[DECK], strict=True):
                found[kind] += weight * count
        return {card: weight / sum(found.values()) for card, weight in found.items() if weight}


def _shuffled(world: World) -> World:
    mixed = tuple(map(sum, zip(world[DECK], world[DISCARDS], strict=True)))
    return tuple({DECK: mixed, DISCARDS: (0,) * len(KINDS)}.get(at, cards) for at, cards in enumerate(world))


def _gathered(world: World, hand: str) -> World:
    at, to, places = WATCHED.index(DRAWN + hand), WATCHED.index(hand), list(world)
    places[at], places[to] = (0,) * len(KINDS), tuple(map(sum, zip(world[at], world[to], strict=True)))
    return tuple(places)


def _moved(world: World, at: int, to: int, card: str | None) -> Iterator[tuple[Fraction, World]]:
    """A card goes to another place: this one, which somebody chose; or any one, each card alike."""
    for number, kind in enumerate(KINDS):
        if world[at][number] and card in (None, kind):
            part = Fraction(1) if card else Fraction(world[at][number], sum(world[at]))
            yield (
                part,
                tuple(
                    tuple(
                        count + (place == to) - (place == at) if kind == number else count
                        for kind, count in enumerate(cards)
                    )
                    for place, cards in enumerate(world)
                ),
            )


class Counted(SmallEvening):
    """A game at random with few cards, in which all ways are counted from each viewpoint."""

    few = FEW

    def __init__(self, seed: int, noting: float) -> None:
        super().__init__(seed, noting)
        self.viewpoints = VIEWPOINTS
        self.ways = [Ways() for _ in VIEWPOINTS]
        self.watches = [ManapaniWatch() for _ in VIEWPOINTS]
        for watch in self.watches:
            watch.cards = Knowledge(self.state.table(), 20_000)
        self.events = [[] for _ in VIEWPOINTS]
        self.heard = 0

    def make(self, move: Move) -> None:
        super().make(move)
        told = len(self.state.told)
        for viewpoint, ways in zip(VIEWPOINTS, self.ways, strict=True):
            for version, word in self.state.view(viewpoint).told[self.heard : told]:
                ways.take_in(version, word)
        self.heard = told

    def check(self, *_: object) -> None:
        """The draws are looked at in the end."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "noting"), soak_except([(seed, part) for seed in range(8) for part in (0, 0.3, 1)], (2, 0.3))
)
def test_each_draw_has_the_odds_of_all_ways_counted_one_by_one(seed: int, noting: float) -> None:
    evening = Counted(seed, noting)
    evening.play(60 if tiers.SOAK else 30)
    assert evening.shuffles
    for viewpoint, ways, events in zip(VIEWPOINTS, evening.ways, evening.events, strict=True):
        for seat in range(2):
            draws = [event for event in events if event.kind == "draw" and event.seat == seat]
            dealt = len(ways.odds[seat]) - len(draws)
            told = [shares(dict(event.odds)) for event in draws]
            assert not any(event.sample for event in draws)
            assert told == ways.odds[seat][dealt:], viewpoint.name
