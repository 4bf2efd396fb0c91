"""Hidden cards of simulated games come as often as all arrangements have them, counted one by one."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from games.dealing import WeighedDeals, odds_at, parts_after
from games.knowledge import Knowledge, Table
from tests.cases import cases
from tests.games.test_knowledge import DECKS, PLACES, Every, step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.dealing import Parts

HIDDEN = ("black", "white", "unseen")
Dealt = tuple[tuple[str, ...], ...]
ROUNDING = 1e-12


def ways(
    parts: Parts, numbers: Sequence[int], likely: float = 1.0, dealt: Dealt = ((), (), ())
) -> Iterator[tuple[Dealt, float]]:
    """All that can be dealt, card by card, with the chance of it."""
    place = next((place for place, at in enumerate(numbers) if parts[0][1][at]), None)
    if place is None:
        yield tuple(tuple(sorted(cards)) for cards in dealt), likely
        return
    odds = odds_at(parts, numbers[place])
    for card, part in odds.items():
        if part > ROUNDING:
            held = (*dealt[:place], (*dealt[place], card), *dealt[place + 1 :])
            yield from ways(parts_after(parts, numbers[place], card), numbers, likely * part / sum(odds.values()), held)


@cases("seed", range(60))
def test_every_deal_is_as_likely_as_all_its_arrangements_together(seed: int) -> None:
    chance = random.Random(1000 + seed)
    deck = chance.choice(DECKS)
    known, every = Knowledge(Table(deck, PLACES, "deck")), Every(deck)
    truth: dict[str, Any] = {place: [] for place in PLACES} | {"deck": list(Counter(deck).elements())}
    left = 2
    for _ in range(12):
        left = step(chance, known, every, truth, left)
    likely = Counter[Dealt]()
    numbers, parts = known.parts_of(HIDDEN)
    for dealt, part in ways(parts, numbers):
        likely[dealt] += part  # type: ignore[assignment]
    counted = Counter[Dealt]()
    for world, weight in every.worlds.items():
        counted[tuple(world[PLACES.index(place)] for place in HIDDEN)] += weight  # type: ignore[assignment]
    whole = sum(counted.values())
    assert likely == pytest.approx({dealt: float(weight / whole) for dealt, weight in counted.items()})


def test_a_deal_draws_by_these_odds_and_by_the_same_lots_the_same() -> None:
    """BARI was played from two cards, of two BARI and two COCO. Of five such pairs, one has both BARI."""
    known = Knowledge(Table({"BARI": 2, "COCO": 2}, PLACES, "deck"))
    known.move_unseen("deck", "black", 2)
    known.move("black", "discards", ["BARI"])
    deals = WeighedDeals(known, HIDDEN)
    dealt = [deals.deal(random.Random(lot))["black"] for lot in range(600)]
    assert dealt == [deals.deal(random.Random(lot))["black"] for lot in range(600)]
    assert dealt.count(["BARI"]) == pytest.approx(600 / 5, abs=45), "not one in three"


def test_there_is_nothing_to_deal_where_nothing_is_known() -> None:
    known = Knowledge(Table({"BARI": 1, "COCO": 1}, PLACES, "deck"))
    known.turn_up("deck", "row", "COCO")
    known.turn_up("deck", "row", "COCO")
    assert not WeighedDeals(known, HIDDEN)
