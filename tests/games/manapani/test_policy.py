"""The policy of Manapani: what it pays in fights."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING

from games.manapani import MANAPANI
from games.manapani.components import COSTS, SCROLLS, WHITE
from games.manapani.fights import BANDIT, GREMLIN, HELLHOUND, LEVEL_DROPS, SNOW_GIANT
from games.manapani.moves.fighting import Pay
from games.manapani.policy import POLICY, Scroll, _cheapest
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Iterator

SPECIAL = {BANDIT, GREMLIN, HELLHOUND, SNOW_GIANT, *LEVEL_DROPS}


def fights(games: int) -> Iterator[tuple[set[int], int, set[str]]]:
    """The fights of some games: who paid for scrolls, who won, and the cards that were laid."""
    for number in range(games):
        chance, state = random.Random(number), MANAPANI.open({}, None, MANAPANI.seats[number % 3])
        paid: set[int] = set()
        cards: set[str] = set()
        while not state.ending:
            state.decide_hidden(chance)
            move = state.sample_chance(POLICY.choose(state, chance), chance)
            assert list(state.breaches(move)) == []
            if isinstance(move, Pay):
                paid.add(move.seat)
                cards |= {laid.card for laid in state.fight.cards}
            for effect in state.apply(move):
                if effect.kind == "fight.won":
                    yield paid, effect.seat, cards
                    paid, cards = set(), set()


def test_who_pays_last_for_scrolls_wins_the_fight():
    plain = [(paid, winner) for paid, winner, cards in fights(6) if paid and not cards & SPECIAL]
    assert len(plain) > 20
    alone = [(next(iter(paid)), winner) for paid, winner in plain if len(paid) == 1]
    assert sum(payer == winner for payer, winner in alone) == len(alone)


@cases("seed", range(30))
def test_the_cheapest_scrolls_for_some_power_are_found(seed: int):
    chance = random.Random(seed)
    held, power = [chance.randrange(4) for _ in range(WHITE + 1)], chance.randrange(1, 9)
    laid = [Scroll(place, card, SCROLLS[card].power) for place, card in enumerate(chance.sample(sorted(SCROLLS), 5))]
    costs = []
    for count in range(len(laid) + 1):
        for some in combinations(laid, count):
            pips = [sum(COSTS[scroll.card].pips[colour] for scroll in some) for colour in range(WHITE)]
            cost = sum(pips) + sum(COSTS[scroll.card].generic for scroll in some)
            lacking = max(0, power - sum(scroll.power for scroll in some))
            able = not lacking or any(COSTS[scroll.card].x for scroll in some)
            if able and cost + lacking <= sum(held) and all(a <= b for a, b in zip(pips, held, strict=False)):
                costs.append(cost + lacking)
    found = _cheapest(held, laid, power)
    assert (found.cost if found else None) == min(costs, default=None)
