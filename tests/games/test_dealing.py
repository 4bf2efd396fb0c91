"""Hidden cards of simulated games come as often as all arrangements have them, counted one by one."""

from __future__ import annotations

import random
from collections import Counter
from copy import copy
from typing import TYPE_CHECKING, Any

import pytest

from games import dealing, weighing
from games.knowledge import Table
from games.seen_cards import FactTeller
from games.weighing import DealKnowledge, dealt_cards
from tests.cases import cases
from tests.choosing import short_or_soak
from tests.games.test_knowledge import DECKS, PLACES, Every, step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.knowledge.arrangements import Arrangement

HIDDEN = ("black", "white", "unseen")
Dealt = tuple[tuple[str, ...], ...]


class EveryLot:
    """Draws by all lots, one after the other: `lots` are those of this time, each with the number of its choices."""

    def __init__(self) -> None:
        self.lots = list[list[int]]()
        self._place = 0

    def rounds(self) -> Iterator[float]:
        """Again and again, until all was drawn: the chance of these lots. It is told after they were drawn."""
        while True:
            self._place = 0
            yield 0.0
            while self.lots and self.lots[-1][0] + 1 == self.lots[-1][1]:
                self.lots.pop()
            if not self.lots:
                return
            self.lots[-1][0] += 1

    def likely(self) -> float:
        """The chance of the lots that were drawn this time."""
        found = 1.0
        for _, choices in self.lots:
            found /= choices
        return found

    def choice(self, seq: Sequence[Any]) -> Any:
        if self._place == len(self.lots):
            self.lots.append([0, len(seq)])
        self._place += 1
        return seq[self.lots[self._place - 1][0]]

    def sample(self, population: Sequence[Any], k: int) -> list[Any]:
        left, found = list(population), list[Any]()
        for _ in range(k):
            found.append(left.pop(self.choice(range(len(left)))))
        return found


def ways(each: Arrangement, numbers: Sequence[int]) -> Iterator[tuple[Dealt, float]]:
    """All that can be dealt of an arrangement, with the chance of it."""
    chance = EveryLot()
    for _ in chance.rounds():
        dealt = dealt_cards(each, numbers, chance)
        yield tuple(tuple(sorted(cards)) for cards in dealt), chance.likely()


@cases("seed", range(short_or_soak(20, 60)))
def test_every_deal_is_as_likely_as_all_its_arrangements_together(seed: int) -> None:
    chance = random.Random(1000 + seed)
    deck = chance.choice(DECKS)
    known, every = DealKnowledge(Table(deck, PLACES, "deck")), Every(deck)
    truth: dict[str, Any] = {place: [] for place in PLACES} | {"deck": list(Counter(deck).elements())}
    left = 2
    for _ in range(12):
        left = step(chance, known, every, truth, left)
    likely = Counter[Dealt]()
    for each, weight in known.weights().items():
        for dealt, part in ways(each, known.numbers(HIDDEN)):
            likely[dealt] += weight * part  # type: ignore[assignment]
    counted = Counter[Dealt]()
    for world, weight in every.worlds.items():
        counted[tuple(world[PLACES.index(place)] for place in HIDDEN)] += weight  # type: ignore[assignment]
    whole = sum(counted.values())
    assert likely == pytest.approx({dealt: float(weight / whole) for dealt, weight in counted.items()})


def test_a_deal_draws_by_these_odds_and_by_the_same_lots_the_same() -> None:
    """BARI was played from two cards, of two BARI and two COCO. Of five such pairs, one has both BARI."""
    known = DealKnowledge(Table({"BARI": 2, "COCO": 2}, PLACES, "deck"))
    known.move_unseen("deck", "black", 2)
    known.move("black", "discards", ["BARI"])
    deals = known.dealer(HIDDEN)
    dealt = [deals.deal(random.Random(lot))[0] for lot in range(600)]
    assert dealt == [deals.deal(random.Random(lot))[0] for lot in range(600)]
    assert dealt.count(["BARI"]) == pytest.approx(600 / 5, abs=45), "not one in three"


def with_empty_caches(monkeypatch: pytest.MonkeyPatch, most: int = dealing._MOST_KEPT) -> None:
    """Cache nothing yet, and at most so many arrangements."""
    for name in ("_RECENT", "_COURSES"):
        cache = copy(getattr(dealing, name))
        cache._items, cache._most_size = [], most
        monkeypatch.setattr(dealing, name, cache)


@pytest.mark.parametrize(("most", "dealers", "courses"), [(99, 3, 3), (1, 1, 3), (0, 1, 2)])
def test_so_many_arrangements_are_cached_and_the_last_table_always(
    most: int, dealers: int, courses: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Courses and dealers stay, until they have too many arrangements. Two courses and the last dealer always stay."""
    with_empty_caches(monkeypatch, most)
    table, hands = Table({"BARI": 2, "COCO": 2, "DUDA": 2}, ("pile", "black", "gone"), "pile"), ("black",)
    words = [(1, ("pile", "black", (None, None, None), None)), (2, ("black", "gone", ("BARI",), None))]
    words += [(3, ("black", "gone", ("COCO",), None))]
    for count in (1, 2, 3):
        assert len(dealing.deals_of(table, FactTeller, words[:count], hands)) > 0
    assert [len(words) for words, _, _ in dealing._RECENT] == [3, 2, 1][:dealers]
    assert [len(course.words) for course in dealing._COURSES] == [3, 2, 1][:courses]


def test_dealers_are_found_while_others_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that simulate games share the kept dealers. Each look at one may let another thread deal."""

    class Busy(list[Any]):
        def __eq__(self, other: object) -> bool:
            dealing._RECENT.add((Busy(), table, deals))
            return super().__eq__(other)

        __hash__ = None  # type: ignore[assignment]

    table = Table({"BARI": 1, "COCO": 1}, PLACES, "deck")
    with_empty_caches(monkeypatch)
    deals = dealing.deals_of(table, FactTeller, [], PLACES[:1])
    dealing._RECENT.clear()
    for _ in range(2):
        dealing._RECENT.add((Busy("x"), table, deals))
    assert len(dealing.deals_of(table, FactTeller, [], PLACES[:1])) == len(deals)


def test_there_is_nothing_to_deal_where_nothing_is_known_or_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    known = DealKnowledge(Table({"BARI": 1, "COCO": 1}, PLACES, "deck"))
    known.turn_up("deck", "row", "COCO")
    known.turn_up("deck", "row", "COCO")
    assert not known.dealer(HIDDEN)
    monkeypatch.setattr(weighing, "MOST", 1)
    many = DealKnowledge(Table({"BARI": 2, "COCO": 2}, PLACES, "deck"))
    many.move_unseen("deck", "black", 2)
    assert many.dealer(HIDDEN)
    many.see("black", ["BARI"])
    assert not many.dealer(HIDDEN)
