"""Hidden cards for simulated games, dealt as often as all arrangements together have them.

`games/knowledge.py` counts arrangements, and some take away what others count twice. Here it is told apart instead
which slots are a card that was seen. So each arrangement can be dealt by itself: one is picked by its weight, and the
slots of its piles are filled by chance.
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
"""A part of an arrangement's weight, and what it becomes."""
MOST = 2_000
"""Cards are dealt by at most so many arrangements."""
MOST_KEPT = 8_000
"""So many arrangements of all the last tables together are kept. Each takes some 1.5 kB."""
LOTS = range(1 << 48)
"""A lot is one of these numbers."""


class DealKnowledge(Knowledge):
    """Arrangements with weights above 0 alone. Of too many of them nothing is known any more, for ever."""

    def __init__(self, table: Table) -> None:
        """Nothing is known but the cards. Weights need not be exact, because nothing is taken away."""
        super().__init__(table, MOST)
        self._weights = dict.fromkeys(self._weights, 1.0)  # type: ignore[arg-type]

    def follow(self, teller: DealTeller, version: int, word: Any) -> None:
        """Take in what a word tells."""
        for fact in teller.told(version, word):
            if teller.is_chance(word) or not fact.source or fact.source == fact.to:
                deque(self.learn(fact), maxlen=0)
            else:
                self.take(fact)

    def odds_before(self, card: str | None, *stack: str) -> dict[str, int]:  # noqa: ARG002
        """Nobody asks for odds."""
        return {}

    def move(self, source: str, target: str, cards: Sequence[str]) -> None:
        """All cards are seen together, so less has to be told apart."""
        self.see(source, cards)
        super().move(source, target, cards)

    def see(self, place: str, cards: Sequence[str]) -> None:
        """These cards are among those of a place. Which of its slots they are is told apart."""
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
    """Deals the cards of some places anew, any number of times. It never changes."""

    def __init__(self, known: DealKnowledge, places: Sequence[str]) -> None:
        """By all that is known of these places now. Where nothing is known, there is nothing to deal."""
        self._places, weights = known.numbers(places), known.weights()
        self._arrangements, self._ends = list(weights), list(accumulate(weights.values()))

    def __len__(self) -> int:
        """How many arrangements it keeps: none if nothing is known."""
        return len(self._arrangements)

    def deal(self, chance: Chance) -> list[list[str]]:
        """The cards of each place, by chance."""
        return filled(self._arrangements[self._picked(chance)], self._places, chance)

    def _picked(self, chance: Chance) -> int:
        """The number of an arrangement, by its weight."""
        last = len(self._ends) - 1
        lot = chance.choice(LOTS) / len(LOTS) * self._ends[-1] if last else 0.0
        return min(bisect(self._ends, lot), last)


def filled(each: Arrangement, places: Sequence[int], chance: Chance) -> list[list[str]]:
    """The cards of some places of an arrangement. Slots of a pile are any of its cards, each of them once."""
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
    """Deals the cards of places as often as all that was told has them.

    The last ones are kept: many simulated games begin at the same table.
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
    while len(_RECENT) > 1 and sum([len(kept) for _, _, kept in _RECENT]) > MOST_KEPT:
        _RECENT.pop()
    return deals


class _Course:
    """What is known by all words so far. The next table of a game goes on from there."""

    def __init__(self, table: Table, teller: DealTeller) -> None:
        self.words = list[Any]()
        self._table, self._teller, self.known = table, teller, DealKnowledge(table)

    def copy(self) -> _Course:
        """An independent copy."""
        twin = copy(self)
        twin._teller, twin.known = copy(self._teller), copy(self.known)
        return twin

    def gathered(self) -> DealKnowledge:
        """What is known now, with all cards of hands in one place."""
        known = copy(self.known)
        for fact in self._table.gathering():
            known.gather(fact.gathered)
        return known

    def begins(self, table: Table, words: list[Any]) -> bool:
        """Whether these words are the same as far as it goes."""
        return table == self._table and words[: len(self.words)] == self.words

    def go_on(self, words: list[Any]) -> None:
        """Take in the words that follow."""
        for version, word in words[len(self.words) :]:
            self.known.follow(self._teller, version, word)
        self.words = words.copy()


_COURSES = deque[_Course](maxlen=8)
"""The last courses that were followed."""
_RECENT = deque[tuple[list[Any], "Table", WeighedDeals]](maxlen=128)
"""What was told at the last tables that were asked for, and how hidden cards are dealt there."""


def _slots_of(each: Arrangement, pile: int) -> int:
    """How many slots of a pile there are."""
    return sum([count for held in each for item, count in held if item == pile])


def _having(each: Arrangement, at: int, cards: Counter[str]) -> Iterator[Part]:
    """The parts in which a place holds these cards, at least: it is told apart which of its slots they are."""
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
    """How many of these cards are not told apart yet."""
    return sum([max(0, count - dict(held).get(card, 0)) for card, count in cards.items()])


def _told_apart(each: Arrangement, at: int, card: str, least: int = 0) -> list[Part]:
    """The parts in which no slot of a place can be a card any more, and it holds at least so many of it."""
    if dict(each[at]).get(card, 0) >= least > 0:
        return [(1.0, each)]
    found = [(1.0, each)]
    for item, _ in each[at]:
        if isinstance(item, int) and card in kinds_of(each, item):
            found = [(part * share, after) for part, before in found for share, after in _split(before, at, item, card)]
    return [(part, after) for part, after in found if dict(after[at]).get(card, 0) >= least]


def _split(each: Arrangement, at: int, pile: int, card: str) -> Iterator[Part]:
    """The parts in which so many slots of a pile in a place are a card, and the others are not."""
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
    """The same where so many slots of a pile in a place are a card. The others are slots of a pile without it."""
    here, left = dict(each[at]), dict(each[pile])
    slots, copies = here.pop(pile) - count, left.pop(card)
    rest: dict[Item, int] = {card: copies - count, len(each): sum(left.values()) - slots}
    here |= {card: here.get(card, 0) + count, len(each): slots}
    found = [*each, holding_of(left)]
    found[at], found[pile] = holding_of(here), holding_of(rest)
    return tuple(found)
