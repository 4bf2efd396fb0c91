"""Deals hidden cards for simulated games, each deal as often as its true chance.

An arrangement is picked by its weight (`games/weighing.py`), and the slots of its piles are filled by chance. If there
are too many arrangements, one of a sample is picked (`games/deal_samples.py`). Manapani always has too many, and deals
from sampled worlds (`games/sampled_deals.py`).
"""

from __future__ import annotations

from bisect import bisect
from collections import deque
from copy import copy
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from games.deal_samples import DealSample
from games.sampled_deals import SampledDeals, SampledKnowledge
from games.weighing import DealKnowledge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.contract import Chance
    from games.knowledge import Arrangement, Holding, Item, Table
    from games.weighing import DealTeller

MOST_KEPT = 6_000
"""The most arrangements or worlds of all cached dealers and courses together. Each takes some 1.5 kB."""
LOTS = range(1 << 48)
"""The numbers to draw lots from."""


class WeighedDeals:
    """Deals the hidden cards of some places, any number of times. It never changes."""

    def __init__(self, known: DealKnowledge, places: Sequence[str]) -> None:
        """Take the arrangements of these places now. If nothing is known, there are none."""
        self._places, weights = known.numbers(places), known.to_deal()
        self._arrangements, self._ends = list(weights), list(accumulate(weights.values()))

    def __len__(self) -> int:
        """The number of arrangements: 0 if nothing is known."""
        return len(self._arrangements)

    def deal(self, chance: Chance) -> list[list[str]]:
        """Deal cards to each place by chance."""
        return dealt_cards(self._arrangements[self._picked(chance)], self._places, chance)

    def _picked(self, chance: Chance) -> int:
        """The index of an arrangement, drawn by weight."""
        last = len(self._ends) - 1
        lot = chance.choice(LOTS) / len(LOTS) * self._ends[-1] if last else 0.0
        return min(bisect(self._ends, lot), last)


def dealt_cards(each: Arrangement, places: Sequence[int], chance: Chance) -> list[list[str]]:
    """The cards of some places in an arrangement. The slots of a pile get its cards by chance, each card once."""
    lying: dict[int, list[Item]] = {}

    def cards(held: Holding) -> list[str]:
        found: list[str] = []
        for item, count in held:
            if isinstance(item, str):
                found += [item] * count
                continue
            if item not in lying:
                left = [inner for inner, copies in each[item] for _ in range(copies)]
                lying[item] = chance.sample(left, min(len(left), _slots_of(each, item)))
            for _ in range(count):
                inner = lying[item].pop()
                found += [inner] if isinstance(inner, str) else cards(((inner, 1),))
        return found

    return [cards(each[at]) for at in places]


def deals_of(
    table: Table,
    teller: Callable[[], DealTeller],
    words: list[Any],
    places: Sequence[str],
    knowledge: type[DealKnowledge | SampledKnowledge] = DealKnowledge,
) -> WeighedDeals | SampledDeals:
    """The dealer of the cards of `places`, by all words of a game.

    The last dealers are cached: many simulated games begin at the same table.
    """
    for told, of, deals in _RECENT:
        if told == words and of == table:
            return deals
    begun = max((each for each in _COURSES if each.begins(table, words)), key=_Course.count, default=None)
    course = begun.copy() if begun else _Course(table, teller, knowledge(table))
    course.go_on(words)
    _COURSES.appendleft(course)
    known = course.gathered()
    deals = known.dealer(places) if isinstance(known, SampledKnowledge) else WeighedDeals(known, places)
    _RECENT.appendleft((course.words, table, deals))
    _drop_oldest()
    return deals


def _drop_oldest() -> None:
    """Drop the oldest courses and dealers, while all of them have more than `MOST_KEPT` arrangements.

    Two courses stay, for games that are played on by turns, and the newest dealer.
    """
    kept = sum([len(deals) for *_, deals in _RECENT]) + sum([len(course.known) for course in _COURSES])
    while kept > MOST_KEPT and len(_COURSES) > 2:
        kept -= len(_COURSES.pop().known)
    while kept > MOST_KEPT and len(_RECENT) > 1:
        kept -= len(_RECENT.pop()[-1])


class _Course:
    """The knowledge from all words so far. The next moment of the same game goes on from it."""

    def __init__(self, table: Table, teller: Callable[[], DealTeller], known: DealKnowledge | SampledKnowledge) -> None:
        self.words = list[Any]()
        self._table, self._begin_teller = table, teller
        self._teller, self.known = teller(), known

    def count(self) -> int:
        """The number of words."""
        return len(self.words)

    def copy(self) -> _Course:
        """An independent copy."""
        twin = copy(self)
        twin._teller, twin.known = copy(self._teller), copy(self.known)
        return twin

    def gathered(self) -> DealKnowledge | SampledKnowledge:
        """The knowledge now, with all cards of each hand in one place."""
        known = copy(self.known)
        for fact in self._table.gathering():
            known.gather(fact.gathered)
        return known

    def begins(self, table: Table, words: list[Any]) -> bool:
        """Whether `words` begin with all words of this course, at the same table."""
        return table == self._table and words[: len(self.words)] == self.words

    def go_on(self, words: list[Any]) -> None:
        """Learn the further words. If there are too many arrangements, learn all words again, with a sample."""
        for version, word in words[len(self.words) :]:
            self.known.follow(self._teller, version, word)
            if isinstance(self.known, DealKnowledge) and self.known.are_too_many:
                self._begin_sample(words)
                break
        self.words = words.copy()

    def _begin_sample(self, words: list[Any]) -> None:
        self._teller, self.known = self._begin_teller(), DealSample(self._table)
        for version, word in words:
            self.known.follow(self._teller, version, word)


_COURSES = deque[_Course](maxlen=8)
"""The courses used last."""
_RECENT = deque[tuple[list[Any], "Table", WeighedDeals | SampledDeals]](maxlen=128)
"""The words, the table and the dealer of the last moments."""


def _slots_of(each: Arrangement, pile: int) -> int:
    """The number of slots of a pile."""
    return sum([count for held in each for item, count in held if item == pile])
