"""The arrangements that fit what was seen, with weights: the odds of each card."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from hashlib import sha256
from math import gcd, lcm
from typing import TYPE_CHECKING

from games.knowledge import shares
from games.knowledge.arrangements import (
    Arrangement,
    is_deep,
    moved_unseen,
    normal_form,
    opening,
    shuffled,
    top_of,
    widened,
)
from games.knowledge.facts import DRAWN, LOOKED_FOR, SHUFFLED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from games.knowledge.facts import Fact, Table
    from games.knowledge.shares import Part, Step

MOST = 20_000
"""The most arrangements with weights that are kept; of more, a sample is drawn."""
MOST_DOUBLED = 3
"""How often a new sample of twice the size is drawn."""
STARTS = 2**48
"""The number of points between two weights at which a sample can start."""


class Knowledge:
    """The possible arrangements of cards in places, with weights.

    All cards lie in the deck at first, shuffled. Once no arrangement fits, `is_exact` is False for ever, and nothing is
    known. Of more than `most` arrangements, a sample of half of `most` is drawn: `is_exact` is False then, too, and
    odds are near the true ones. All steps are kept, to draw again if a fact rules out the sample.
    """

    def __init__(self, table: Table, most: int = MOST, *, seed: str = "") -> None:
        """Only the cards are known. Another `seed` draws other samples."""
        self._table, self._most, self._limit = table, most, most << MOST_DOUBLED
        self._seed, self._drawn = seed, 0
        self._steps = list["Step"]()
        self._at = {place: number for number, place in enumerate(table.places)}
        self._first = opening(table)
        self._weights, self._whole = {self._first: 1}, 1
        self.is_exact = True

    def __len__(self) -> int:
        """The number of arrangements."""
        return len(self._weights)

    @property
    def sample(self) -> int:
        """The size of the sample of arrangements; 0 if they are all, or if nothing is known."""
        return 0 if self.is_exact else len(self._weights)

    def add_place(self, place: str) -> None:
        """Add an empty place."""
        places = self._at[place] = len(self._at)
        self._first = widened(self._first, places)
        self._weights = {widened(each, places): weight for each, weight in self._weights.items()}

    def may_hold(self, place: str) -> bool:
        """Whether a place can have cards."""
        at = self._at[place]
        return any(each[at] for each in self._weights)

    def learn(self, fact: Fact) -> Iterator[tuple[dict[str, int], str | None]]:
        """Learn a fact. Each card from the deck is an event of chance: yield its odds and the card."""
        self.gather(fact.gathered)
        if fact.source == SHUFFLED:
            self.shuffle(self._table.shuffled, fact.to)
        elif fact.source == fact.to:
            self.see(fact.source, fact.named())
        elif fact.source == self._table.deck:
            for card in fact.cards:
                odds = self.odds_before(card, fact.source)
                yield odds, card if card in odds else None
                if card:
                    self.turn_up(fact.source, fact.to, card)
                else:
                    self.move_unseen(fact.source, fact.to)
        else:
            self.take(fact)

    def take(self, fact: Fact) -> None:
        """Learn that cards were chosen in a place and went to another. Cards that stay are set aside meanwhile."""
        self.gather(fact.gathered)
        self.move(fact.source, self._table.deck, fact.stay)
        self.move(fact.source, fact.to, fact.named())
        self.move_unseen(fact.source, fact.to, fact.cards.count(None))
        self.move(self._table.deck, fact.source, fact.stay)

    def shuffle(self, sources: Sequence[str], target: str) -> None:
        """Shuffle the cards of these places and the target into the target."""
        places, to = {self._at[place] for place in (*sources, target)}, self._at[target]
        self._replace(lambda each: [(1, 1, shuffled(each, places, to))])

    def gather(self, hands: Sequence[str]) -> None:
        """Put the cards of hands' last draws to their other cards."""
        for hand in hands:
            at, to = self._at[DRAWN + hand], self._at[hand]
            self._replace(partial(shares.all_gathered, at=at, to=to))

    def move(self, source: str, target: str, cards: Sequence[str]) -> None:
        """Learn that chosen cards of a place went to another, seen: the place had all of them."""
        for card, count in Counter(cards).items():
            self.see(source, [card] * count)
            self._replace(partial(shares.all_moved, at=self._at[source], to=self._at[target], card=card, count=count))

    def see(self, place: str, cards: Sequence[str]) -> None:
        """Learn that a place has these cards."""
        for card, count in Counter(cards).items():
            self._replace(partial(shares.having, at=self._at[place], card=card, count=count))

    def move_unseen(self, source: str, target: str, count: int = 1) -> None:
        """Learn that any cards of a place went to another, unseen."""
        for _ in range(count):
            self.draw_unseen([source], target)

    def turn_up(self, source: str, target: str, card: str) -> None:
        """Learn that the next card of a place is this one, and went to another."""
        self.draw([source], target, card)

    def draw_unseen(self, stack: Sequence[str], target: str) -> None:
        """Learn that the next card of a stack went to a place, unseen. The places of a stack lie one on the other."""
        places, to = [self._at[place] for place in stack], self._at[target]

        def step(each: Arrangement) -> Iterable[Part]:
            at = top_of(each, places)
            return [] if at is None else [(1, 1, moved_unseen(each, at, to))]

        self._replace(step)

    def draw(self, stack: Sequence[str], target: str, card: str) -> None:
        """Learn that the next card of a stack is this one, and went to a place."""
        places, to = [self._at[place] for place in stack], self._at[target]

        def step(each: Arrangement) -> Iterable[Part]:
            at = top_of(each, places)
            return [] if at is None else shares.turned(each, at, to, card)

        self._replace(step)

    def search(self, stack: Sequence[str], target: str, card: str) -> None:
        """Learn that a stack was searched for this card, from the top. The first one found went to a place."""
        places, to = [self._at[place] for place in stack], self._at[target]
        self._replace(lambda each: shares.first_found(each, places, to, card))

    def search_unseen(self, stack: Sequence[str], target: str) -> None:
        """Learn that any card of a stack went to a place, unseen."""
        places, to = [self._at[place] for place in stack], self._at[target]
        self._replace(lambda each: shares.any_unseen(each, places, to))

    def look_for(self, fact: Fact) -> None:
        """Learn that somebody looked in a place for certain kinds of card: an unseen one went, or none was there."""
        place = fact.source.removeprefix(LOOKED_FOR)
        for _ in fact.cards:
            self.move_one_of(place, fact.to, self._table.wanted)
        if not fact.cards:
            self.exclude(place, self._table.wanted)

    def move_one_of(self, source: str, target: str, kinds: Set[str]) -> None:
        """Learn that a card of one of these kinds was chosen in a place, unseen, and went to another."""
        self._replace(partial(shares.one_of, at=self._at[source], to=self._at[target], kinds=kinds))

    def exclude(self, place: str, kinds: Set[str]) -> None:
        """Learn that a place has no card of these kinds."""
        self._replace(partial(shares.none_of, at=self._at[place], kinds=kinds))

    def numbers(self, places: Sequence[str]) -> list[int]:
        """The indexes of some places in arrangements."""
        return [self._at[place] for place in places]

    def odds(self, *stack: str) -> dict[str, int]:
        """The odds of the next card of a place or a stack, as weights; none if nothing is known.

        >>> from games.knowledge import Knowledge, Table
        >>> Knowledge(Table({"a": 2, "b": 1}, ("deck",), "deck")).odds("deck")
        {'a': 2, 'b': 1}
        """
        found = defaultdict[tuple[str, int], int](int)
        for each, at in self._tops(stack):
            weight = self._weights[each]
            for card, part, whole in shares.kinds(each, each[at]):
                found[card, whole] += weight * part
        common, chances = lcm(*{whole for _, whole in found}), Counter[str]()
        for (card, whole), weight in found.items():
            chances[card] += weight * (common // whole)
        if any(chance < 0 for chance in chances.values()):
            return {}  # the sample is too small for the odds of this card
        return _shortened({card: chance for card, chance in sorted(chances.items()) if chance})

    def odds_before(self, card: str | None, *stack: str) -> dict[str, int]:
        """The odds of the next card of a stack, before it is `card`.

        If no arrangement of the sample has it, draw another.
        """
        odds = self.odds(*stack)
        while card and odds and card not in odds and self.sample and self._most < self._limit:
            self._begin_anew()
            odds = self.odds(*stack)
        return odds

    # Steps from arrangements to others

    def _tops(self, stack: Sequence[str]) -> Iterator[tuple[Arrangement, int]]:
        """Each arrangement with a card in a stack, and the index of the place with its next card."""
        places = [self._at[place] for place in stack]
        for each in self._weights:
            if (at := top_of(each, places)) is not None:
                yield each, at

    def _replace(self, step: Step) -> None:
        """Turn each arrangement into others by `step`."""
        self._steps.append(step)
        self._take(step)
        while not self._weights and self._most < self._limit:
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Take all steps again, with another sample of twice the size."""
        self._most *= 2
        self._weights, self._whole, self.is_exact = {self._first: 1}, 1, True
        for step in self._steps:
            self._take(step)

    def _take(self, step: Step) -> None:
        self._take_once(step)
        places = len(self._at)
        while any(is_deep(each, places, shares.MOST_WAYS) for each in self._weights):
            self._take_once(partial(shares.flatter, places=places))

    def _take_once(self, step: Step) -> None:
        weights, common, places = dict[Arrangement, int](), 1, len(self._at)
        for before, weight in self._weights.items():
            for part, whole, after in step(before):
                if common % whole:
                    times = whole // gcd(common, whole)
                    weights, common = {each: found * times for each, found in weights.items()}, common * times
                each = after if len(after) == len(before) else normal_form(after, places)
                weights[each] = weights.get(each, 0) + weight * part * (common // whole)
        self._weigh({each: weight for each, weight in weights.items() if weight}, self._whole * common)
        if self.is_exact and not sum(self._weights.values()):
            self._limit = 0  # the facts contradict each other
            self._lose()
        elif not self._weights:
            self._lose()
        elif len(self._weights) > self._most:
            self._sample(self._most // 2)

    def _weigh(self, weights: dict[Arrangement, int], whole: int) -> None:
        """Take these weights, as parts of `whole`, in the smallest numbers."""
        self._weights, self._whole = weights, whole
        if (size := gcd(whole, *weights.values())) > 1:
            self._weights, self._whole = {each: weight // size for each, weight in weights.items()}, whole // size

    def _lose(self) -> None:
        self._weights, self.is_exact = {}, False

    def _sample(self, size: int) -> None:
        """Draw a sample of about `size` arrangements that keeps all weights on average.

        All weights of at least `least` stay. Each other arrangement is drawn with probability weight / `least`, and
        then has the weight `least`. This is systematic sampling: equal steps along the sum of the weights, from a
        random start.
        """
        least, times = _least(sorted(map(abs, self._weights.values()), reverse=True), size)
        weights, passed = dict[Arrangement, int](), least * self._start()
        for each, before in self._weights.items():
            weight = before * times
            if abs(weight) >= least:
                weights[each] = weight
                continue
            passed += abs(weight) * STARTS
            if passed >= least * STARTS:
                passed -= least * STARTS
                weights[each] = least if weight > 0 else -least
        self._weigh(weights, self._whole * times)
        self.is_exact = False

    def _start(self) -> int:
        """A number from 0 to `STARTS`, always the same for the same steps and seed."""
        self._drawn += 1
        return int.from_bytes(sha256(f"{self._seed} {self._drawn}".encode()).digest()[:6])


def _least(weights: Sequence[int], size: int) -> tuple[int, int]:
    """The least weight that surely stays in a sample of about `size`, as a numerator and a denominator.

    `weights` begin with the greatest.
    """
    left = sum(weights)
    for number, weight in enumerate(weights[:size]):
        if weight * (size - number) <= left:
            return left, size - number
        left -= weight
    return weights[-1], 1


def _shortened(odds: dict[str, int]) -> dict[str, int]:
    """Odds reduced to the smallest whole numbers."""
    part = gcd(*odds.values())
    return {card: weight // part for card, weight in odds.items()} if part > 1 else odds
