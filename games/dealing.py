"""Deals hidden cards for simulated games, each deal as often as its true chance.

`games/knowledge.py` counts arrangements, some with negative weights for what others count twice. Here arrangements are
split by the slots that hold a seen card instead. So all weights are positive, and each arrangement can be dealt: one is
picked by its weight, and the slots of its piles are filled by chance.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, deque
from copy import copy
from functools import partial
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING, Any, Protocol

from games.knowledge import Knowledge, holding_of, kinds_of, slots_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.contract import Chance
    from games.knowledge import Arrangement, Holding, Item, Step, Table, Teller

    class DealTeller(Teller, Protocol):
        """Also says whether chance brought the cards that come from the deck, or somebody chose them."""

        def is_chance(self, word: Any) -> bool:
            """Whether the cards of a word are the next ones of the deck."""


Part = tuple[float, "Arrangement"]
"""A share of an arrangement's weight, and the arrangement that gets it."""
MOST = 2_000
"""The most arrangements to deal cards from."""
MOST_KEPT = 8_000
"""The most arrangements of all cached dealers and courses together. Each takes some 1.5 kB."""
LOTS = range(1 << 48)
"""The numbers to draw lots from."""


class DealKnowledge(Knowledge):
    """Arrangements with positive weights only. With more than `MOST` of them, nothing is known any more."""

    def __init__(self, table: Table) -> None:
        """Only the cards are known. Weights need not be exact, because none is negative."""
        super().__init__(table, MOST)
        self._weights = dict.fromkeys(self._weights, 1.0)  # type: ignore[arg-type]

    def follow(self, teller: DealTeller, version: int, word: Any) -> None:
        """Learn the facts of a word: a move, an adjustment or a shuffle."""
        for fact in teller.facts_of(version, word):
            if teller.is_chance(word) or not fact.source or fact.source == fact.to:
                deque(self.learn(fact), maxlen=0)
            else:
                self.take(fact)

    def odds_before(self, card: str | None, *stack: str) -> dict[str, int]:  # noqa: ARG002
        """No odds: deals do not need them."""
        return {}

    def move(self, source: str, target: str, cards: Sequence[str]) -> None:
        """As `Knowledge.move`, with all cards seen at once, which makes fewer arrangements."""
        self.see(source, cards)
        super().move(source, target, cards)

    def see(self, place: str, cards: Sequence[str]) -> None:
        """Learn that a place has these cards, and split arrangements by the slots that hold them."""
        if cards:
            step: Any = partial(_having, at=self._at[place], cards=Counter(cards))
            self._replace(step)

    def weights(self) -> Mapping[Arrangement, float]:
        """The weight of each arrangement, piles after places."""
        return self._weights  # type: ignore[return-value]

    def _replace(self, step: Step, once_more: Callable[[Arrangement], bool] | None = None) -> None:
        self._take(step, once_more)

    def _take_once(self, step: Step) -> None:
        super()._take_once(step)
        whole = sum(self._weights.values())
        self._weights = {each: weight / whole for each, weight in self._weights.items()}

    def _sample(self, size: int) -> None:  # noqa: ARG002
        self._lose()


class WeighedDeals:
    """Deals the hidden cards of some places, any number of times. It never changes."""

    def __init__(self, known: DealKnowledge, places: Sequence[str]) -> None:
        """Take the arrangements of these places now. If nothing is known, there are none."""
        self._places, weights = known.numbers(places), known.weights()
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


def deals_of(table: Table, teller: Callable[[], DealTeller], words: list[Any], places: Sequence[str]) -> WeighedDeals:
    """The dealer of the cards of `places`, by all words of a game.

    The last dealers are cached: many simulated games begin at the same table.
    """
    for told, of, deals in _RECENT:
        if told == words and of == table:
            return deals
    course = next((each for each in _COURSES if each.begins(table, words)), None)
    course = course.copy() if course else _Course(table, teller())
    course.go_on(words)
    _COURSES.appendleft(course)
    deals = WeighedDeals(course.gathered(), places)
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

    def __init__(self, table: Table, teller: DealTeller) -> None:
        self.words = list[Any]()
        self._table, self._teller, self.known = table, teller, DealKnowledge(table)

    def copy(self) -> _Course:
        """An independent copy."""
        twin = copy(self)
        twin._teller, twin.known = copy(self._teller), copy(self.known)
        return twin

    def gathered(self) -> DealKnowledge:
        """The knowledge now, with all cards of each hand in one place."""
        known = copy(self.known)
        for fact in self._table.gathering():
            known.gather(fact.gathered)
        return known

    def begins(self, table: Table, words: list[Any]) -> bool:
        """Whether `words` begin with all words of this course, at the same table."""
        return table == self._table and words[: len(self.words)] == self.words

    def go_on(self, words: list[Any]) -> None:
        """Learn the further words."""
        for version, word in words[len(self.words) :]:
            self.known.follow(self._teller, version, word)
        self.words = words.copy()


_COURSES = deque[_Course](maxlen=8)
"""The courses used last."""
_RECENT = deque[tuple[list[Any], "Table", WeighedDeals]](maxlen=128)
"""The words, the table and the dealer of the last moments."""


def _slots_of(each: Arrangement, pile: int) -> int:
    """The number of slots of a pile."""
    return sum([count for held in each for item, count in held if item == pile])


def _having(each: Arrangement, at: int, cards: Counter[str]) -> Iterator[Part]:
    """Split an arrangement by the slots of a place that hold these cards; only parts with at least these cards."""
    found = [(1.0, each)]
    for card, count in cards.items():
        found = [
            (part * share, after)
            for part, before in found
            for share, after in _told_apart(before, at, card, count)
            if _lacking(after[at], cards) <= slots_in(after[at])
        ]
    yield from found


def _lacking(held: Holding, cards: Counter[str]) -> int:
    """How many of these cards are not among the named cards of a place."""
    return sum([max(0, count - dict(held).get(card, 0)) for card, count in cards.items()])


def _told_apart(each: Arrangement, at: int, card: str, least: int = 0) -> list[Part]:
    """Split an arrangement until no slot of a place can be `card`; only parts with at least `least` of it."""
    if dict(each[at]).get(card, 0) >= least > 0:
        return [(1.0, each)]
    found = [(1.0, each)]
    for item, _ in each[at]:
        if isinstance(item, int) and card in kinds_of(each, item):
            found = [(part * share, after) for part, before in found for share, after in _split(before, at, item, card)]
    return [(part, after) for part, after in found if dict(after[at]).get(card, 0) >= least]


def _split(each: Arrangement, at: int, pile: int, card: str) -> Iterator[Part]:
    """Split an arrangement by the number of a pile's slots in a place that are `card`."""
    for part, before in _told_apart(each, pile, card):
        held, slots = dict(before[pile]), dict(before[at])[pile]
        copies = held.pop(card, 0)
        if not copies:
            yield part, before
            continue
        others = sum(held.values())
        whole = comb(others + copies, slots)
        for number in range(max(0, slots - others), min(slots, copies) + 1):
            share = comb(copies, number) * comb(others, slots - number) / whole
            yield part * share, _apart(before, at, pile, card, number)


def _apart(each: Arrangement, at: int, pile: int, card: str, count: int) -> Arrangement:
    """The arrangement with `count` slots of a pile in a place being `card`.

    The others are slots of a pile without it.
    """
    here, left = dict(each[at]), dict(each[pile])
    slots, copies = here.pop(pile) - count, left.pop(card)
    rest: dict[Item, int] = {card: copies - count, len(each): sum(left.values()) - slots}
    here |= {card: here.get(card, 0) + count, len(each): slots}
    found = [*each, holding_of(left)]
    found[at], found[pile] = holding_of(here), holding_of(rest)
    return tuple(found)
