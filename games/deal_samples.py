"""Deals hidden cards where there are too many arrangements: a sample of them, drawn by lot.

A sampled arrangement has a single pile: the cards that nobody has seen yet. If an unseen card goes to another place, a
lot says which one. If a card is seen, the arrangement weighs as much as its chance to have that card there. Then a lot
says where all copies of it are, so that all other slots of the pile are alike again. So each weight is right on
average. If a few arrangements weigh far more than the others, all are drawn anew by their weights.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from hashlib import sha512
from itertools import accumulate, chain, count
from math import comb
from typing import TYPE_CHECKING, Any

from games.knowledge import all_gathered, holding_of, moved, top_of
from games.weighing import DealKnowledge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from games.knowledge import Arrangement, Holding, Table
    from games.weighing import Part

SIZE, DEALT = 200, 100
"""The number of arrangements in a sample, and of those that cards are dealt from."""
WORTH = 0.5
"""A sample is drawn anew when it tells less than this part of a sample with equal weights."""


class DealSample(DealKnowledge):
    """A sample of arrangements with weights. The same facts and seed always draw the same one.

    If a fact fits none of them, nothing is known any more. `chance` estimates the chance of all facts, and is right on
    average.
    """

    def __init__(self, table: Table, size: int = SIZE, *, seed: str = "") -> None:
        """Only the cards are known."""
        super().__init__(table, seed=seed)
        self._pile, self._size = len(table.places), size
        self._sampled: list[Part] = [(1.0, self._first)] * size
        self.chance = 1.0

    def __len__(self) -> int:
        """The number of sampled arrangements."""
        return len(self._sampled)

    def weights(self) -> Mapping[Arrangement, float]:
        """The weight of each arrangement; equal ones have one weight together."""
        return _together(self._sampled)

    def to_deal(self) -> Mapping[Arrangement, float]:
        """A smaller sample, drawn from this one."""
        return _together(_drawn_anew(self._sampled, DEALT, 0.5))

    def shuffle(self, sources: Sequence[str], target: str) -> None:
        """Shuffle the cards of these places and the target into the target: there, all of them are alike."""
        to = self._at[target]
        for at in self.numbers(sources):
            self._replace(partial(all_gathered, at=at, to=to))

    def see(self, place: str, cards: Sequence[str]) -> None:
        """Learn that a place has these cards."""
        for card, number in Counter(cards).items():
            self._replace(partial(self._having, at=self._at[place], card=card, least=number))

    def search(self, stack: Sequence[str], target: str, card: str) -> None:
        """Learn that a stack was searched for this card, from the top. The first one found went to a place."""
        self._replace(partial(self._found, places=self.numbers(stack), to=self._at[target], card=card))

    def move_unseen(self, source: str, target: str, count: int = 1) -> None:
        """Learn that any cards of a place went to another, unseen."""
        self._replace(partial(self._gone, places=self.numbers([source]), to=self._at[target], count=count))

    def draw_unseen(self, stack: Sequence[str], target: str) -> None:
        """Learn that the next card of a stack went to a place, unseen."""
        self._replace(partial(self._drawn_from, places=self.numbers(stack), to=self._at[target]))

    def search_unseen(self, stack: Sequence[str], target: str) -> None:
        """Learn that any card of a stack went to a place, unseen."""
        self._replace(partial(self._gone, places=self.numbers(stack), to=self._at[target]))

    # The sample

    def _replace(self, step: Any, once_more: Any = None) -> None:  # noqa: ARG002
        """Turn each arrangement into one of those that `step` makes of it, drawn by their shares."""
        self._drawn += 1
        self._lot = _lots(f"{self._seed} {self._drawn}")
        found: list[Part] = []
        for weight, each in self._sampled:
            parts = list(step(each))
            shares = [float(part) for part, _ in parts]
            if whole := sum(shares):
                found.append((weight * whole, parts[self._picked(shares)][1]))
        self._weigh(found)

    def _weigh(self, found: list[Part]) -> None:
        """Keep these arrangements with weights that are 1 on average, or draw as many anew."""
        whole = sum([weight for weight, _ in found])
        self.chance *= whole / self._size
        worth = whole * whole / (sum([weight * weight for weight, _ in found]) or 1.0)
        if worth < WORTH * self._size:
            found = _drawn_anew(found, self._size, self._lot())
            whole = float(self._size)
        self._sampled = [(weight * self._size / whole, each) for weight, each in found]

    def _picked(self, shares: Sequence[float]) -> int:
        """An index of these shares, drawn by lot."""
        if len(shares) == 1:
            return 0
        lot, passed = self._lot() * sum(shares), 0.0
        for number, share in enumerate(shares):
            passed += share
            if lot < passed:
                return number
        return len(shares) - 1

    # What becomes of one arrangement

    def _gone(self, each: Arrangement, places: Sequence[int], to: int, count: int = 1) -> Iterator[Part]:
        """Any cards of these places went to another place."""
        while count:
            lying = [(at, item, number) for at in places for item, number in each[at]]
            if sum([number for _, _, number in lying]) < count:
                return
            at, item, _ = lying[self._picked([number for _, _, number in lying])]
            going = count if len(lying) == 1 else 1
            each, count = moved(each, at, to, item, going), count - going
        yield 1.0, each

    def _drawn_from(self, each: Arrangement, places: Sequence[int], to: int) -> Iterable[Part]:
        """The next card of a stack went to another place."""
        at = top_of(each, places)
        return () if at is None else self._gone(each, [at], to)

    def _having(self, each: Arrangement, at: int, card: str, least: int) -> Iterable[Part]:
        """A place has at least so many of a card."""
        lacking = least - dict(each[at]).get(card, 0)
        return self._told(each, [at], card, lacking) if lacking > 0 else [(1.0, each)]

    def _found(self, each: Arrangement, places: Sequence[int], to: int, card: str) -> Iterator[Part]:
        """The first copy of a card in some places went to another place."""
        is_named = any(card in dict(each[at]) for at in places)
        for share, after in self._told(each, places, card, 0 if is_named else 1):
            yield share, moved(after, next(at for at in places if card in dict(after[at])), to, card)

    def _told(self, each: Arrangement, places: Sequence[int], card: str, least: int) -> Iterator[Part]:
        """A lot says which slots of the pile hold the copies of a card, at least `least` of them in some places."""
        left = dict(each[self._pile])
        copies = left.pop(card, 0)
        slots = [_slots(held, self._pile) for held in each[: self._pile]]
        here, whole = sum([slots[at] for at in places]), sum(slots)
        ways = [comb(here, number) * comb(whole - here, copies - number) for number in range(least, copies + 1)]
        if not any(ways):
            return
        number = least + self._picked(ways)
        others = [at for at in range(self._pile) if at not in places]
        came = self._slots_of_copies(slots, places, number) + self._slots_of_copies(slots, others, copies - number)
        found = [*each[: self._pile], holding_of(left)]
        for at, came_here in came.items():
            held = dict(each[at])
            held[self._pile] -= came_here
            held[card] = held.get(card, 0) + came_here
            found[at] = holding_of(held)
        yield sum(ways) / comb(whole, copies), tuple(found)

    def _slots_of_copies(self, slots: Sequence[int], places: Sequence[int], copies: int) -> Counter[int]:
        """The number of copies in each of some places, if `copies` slots there hold one, drawn by lot."""
        came = Counter[int]()
        for _ in range(copies):
            came[places[self._picked([slots[at] - came[at] for at in places])]] += 1
        return came


def _lots(seed: str) -> Callable[[], float]:
    """A function that draws numbers from 0 to 1, always the same by the same seed."""
    blocks = (sha512(f"{seed} {number}".encode()).digest() for number in count())
    return chain.from_iterable(map(_numbers, blocks)).__next__


def _numbers(block: bytes) -> list[float]:
    return [int.from_bytes(block[at : at + 6]) / 2**48 for at in range(0, 60, 6)]


def _together(sampled: Sequence[Part]) -> dict[Arrangement, float]:
    """The arrangements of a sample, each once."""
    found: dict[Arrangement, float] = {}
    for weight, each in sampled:
        found[each] = found.get(each, 0.0) + weight
    return found


def _slots(held: Holding, pile: int) -> int:
    """The number of slots in a holding. They come first."""
    return held[0][1] if held and held[0][0] == pile else 0


def _drawn_anew(found: Sequence[Part], size: int, lot: float) -> list[Part]:
    """As many arrangements with the weight 1: equal steps along the sum of the weights, from a random start."""
    drawn: list[Part] = []
    ends, at = list(accumulate(weight for weight, _ in found)), 0
    for number in range(size if found else 0):
        place = (number + lot) / size * ends[-1]
        while at + 1 < len(ends) and ends[at] <= place:
            at += 1
        drawn.append((1.0, found[at][1]))
    return drawn
