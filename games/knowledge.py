"""What can be known of hidden cards, exactly: all arrangements that fit what was seen, counted by kind of card.

A shuffle makes a pile whose order nobody knows, so all places of its cards are alike. They stay so until a card is
seen. So an arrangement is kept open: a place holds cards by kind, and a number of slots of a pile. A slot is one of the
cards of the pile, any of them. A later shuffle can take slots in, so a pile can hold slots of earlier piles.

Few such arrangements stand for all that are possible, each with a weight. Weights of opposite sign take away what was
counted twice, as in the rule of inclusion and exclusion. The sum is exact, in fractions.

An unseen choice of a player counts every card alike that could have been chosen.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import comb, factorial, gcd, lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Item = str | int
"""A kind of card, or the number of a pile that a slot belongs to."""
Holding = tuple[tuple[Item, int], ...]
"""What a pile or a place holds, counted."""
Arrangement = tuple[Holding, ...]
"""What everything holds: the piles first, as far as there are any, then the places."""

MOST = 20_000
"""The most arrangements that are kept. With more of them nothing is said, rather than something that is not exact."""


class Knowledge:
    """The possible arrangements of cards in places.

    All cards lie in `start` at first, shuffled. `piles` is how often cards can be shuffled in all, this one included.
    Once nothing fits any more, or too much does, `is_exact` is False for ever, and nothing is known.
    """

    def __init__(self, cards: Mapping[str, int], places: Sequence[str], start: str, piles: int) -> None:
        """Nothing is known but the cards."""
        self._piles, self._used = piles, 0
        self._at = {place: piles + number for number, place in enumerate(places)}
        empty: Arrangement = ((),) * (piles + len(places))
        filled = _with(empty, self._at[start], _holding(Counter[Item](cards)))
        self._weights: dict[Arrangement, Fraction] = {filled: Fraction(1)}
        self.is_exact = True
        self.shuffle([], start)

    def __len__(self) -> int:
        """How many arrangements are kept."""
        return len(self._weights)

    def shuffle(self, sources: Sequence[str], target: str) -> None:
        """Shuffle the cards of these places into a place, with those that lie there."""
        pile, self._used = self._used, self._used + 1
        if pile >= self._piles:
            self._lose()
        self._replace({each: self._shuffled(each, sources, target, pile) for each in self._weights})

    def move(self, source: str, target: str, cards: Sequence[str]) -> None:
        """Some cards of a place were chosen there and go to another, seen: the place had them all."""
        for card, count in Counter(cards).items():
            self.see(source, [card] * count)
            at, to = self._at[source], self._at[target]
            self._replace({each: [(Fraction(1), _moved(each, at, to, card, count))] for each in self._weights})

    def see(self, place: str, cards: Sequence[str]) -> None:
        """These cards are among those of a place."""
        for card, count in Counter(cards).items():
            self._replace({each: list(self._having(each, self._at[place], card, count)) for each in self._weights})

    def move_unseen(self, source: str, target: str, count: int = 1) -> None:
        """Any cards of a place go to another, unseen."""
        at, to = self._at[source], self._at[target]
        for _ in range(count):
            self._replace(
                {
                    each: [(part, _moved(each, at, to, item)) for item, part in _shares(each[at])]
                    for each in self._weights
                }
            )

    def turn_up(self, source: str, target: str, card: str) -> None:
        """The next card of a place goes to another: it is this one."""
        at, to = self._at[source], self._at[target]
        self._replace({each: list(self._turned(each, at, to, card)) for each in self._weights})

    def odds(self, place: str) -> dict[str, int]:
        """The weights of what the next card of a place can be; none if nothing is known exactly.

        >>> Knowledge({"a": 2, "b": 1}, ["deck"], "deck", 1).odds("deck")
        {'a': 2, 'b': 1}
        """
        at, chances = self._at[place], defaultdict[str, Fraction](Fraction)
        for each, weight in self._weights.items():
            for item, part in _shares(each[at]):
                for card, share in _kinds(each, item):
                    chances[card] += weight * part * share
        whole = lcm(*(chance.denominator for chance in chances.values()))
        found = {card: int(chance * whole) for card, chance in sorted(chances.items()) if chance}
        return _shortened(found)

    # How one arrangement becomes others

    def _shuffled(
        self, each: Arrangement, sources: Sequence[str], target: str, pile: int
    ) -> list[tuple[Fraction, Arrangement]]:
        places = {self._at[place] for place in (*sources, target)}
        mixed = sum((Counter(dict(each[place])) for place in places), Counter[Item]())
        holdings = [() if place in places else holding for place, holding in enumerate(each)]
        holdings[pile] = _holding(mixed)
        holdings[self._at[target]] = _holding(Counter({pile: mixed.total()}))
        return [(Fraction(1), tuple(holdings))]

    def _having(self, each: Arrangement, at: int, card: str, count: int) -> Iterator[tuple[Fraction, Arrangement]]:
        """The part in which a place holds so many of a card: at least so many, not more than counted once."""
        lacking = count - dict(each[at]).get(card, 0)
        if lacking <= 0:
            yield Fraction(1), each
            return
        slots, found, number = 1, [(Fraction(1), each)], 0
        while slots:
            found = [
                (weight * part * _slots(before[at]), after)
                for weight, before in found
                for part, after in self._turned(before, at, at, card, slots_only=True)
            ]
            slots, number = len(found), number + 1
            if number >= lacking:
                sign = (-1) ** (number - lacking) * comb(number - 1, lacking - 1)
                yield from ((weight * Fraction(sign, factorial(number)), after) for weight, after in found)

    def _turned(
        self, each: Arrangement, at: int, to: int, card: str, *, slots_only: bool = False
    ) -> Iterator[tuple[Fraction, Arrangement]]:
        """The part in which any one item of a place (or any slot) is this card, which goes to another place."""
        for item, part in _shares(each[at], slots_only=slots_only):
            taken = _with(each, at, _less(each[at], item))
            for share, after in _told(taken, item, card):
                yield part * share, _with(after, to, _more(after[to], card))

    def _replace(self, after: Mapping[Arrangement, Sequence[tuple[Fraction, Arrangement]]]) -> None:
        """Put others in the place of each arrangement, with their parts of its weight."""
        weights: dict[Arrangement, Fraction] = {}
        for before, others in after.items():
            for part, each in others:
                weights[each] = weights.get(each, Fraction(0)) + self._weights[before] * part
        self._weights = {each: weight for each, weight in weights.items() if weight}
        whole = sum(self._weights.values())
        if not whole or len(self._weights) > MOST:
            self._lose()

    def _lose(self) -> None:
        self._weights, self.is_exact = {}, False


def _holding(counts: Counter[Item]) -> Holding:
    return tuple(sorted(((item, count) for item, count in counts.items() if count), key=_in_order))


def _in_order(counted: tuple[Item, int]) -> tuple[bool, int, str]:
    """Slots by the number of their pile, then cards by name."""
    item = counted[0]
    return (False, item, "") if isinstance(item, int) else (True, 0, item)


def _with(each: Arrangement, at: int, holding: Holding) -> Arrangement:
    return (*each[:at], holding, *each[at + 1 :])


def _less(holding: Holding, item: Item, count: int = 1) -> Holding:
    return tuple((other, left) for other, held in holding if (left := held - count if other == item else held))


def _more(holding: Holding, item: Item, count: int = 1) -> Holding:
    return _holding(Counter(dict(holding)) + Counter({item: count}))


def _moved(each: Arrangement, at: int, to: int, item: Item, count: int = 1) -> Arrangement:
    taken = _with(each, at, _less(each[at], item, count))
    return _with(taken, to, _more(taken[to], item, count))


def _slots(holding: Holding) -> int:
    return sum(count for item, count in holding if isinstance(item, int))


def _shares(holding: Holding, *, slots_only: bool = False) -> list[tuple[Item, Fraction]]:
    """What one of its cards, or of its slots, can be, with the part of each."""
    items = [(item, count) for item, count in holding if not slots_only or isinstance(item, int)]
    whole = sum(count for _, count in items)
    return [(item, Fraction(count, whole)) for item, count in items]


def _told(each: Arrangement, item: Item, card: str) -> Iterator[tuple[Fraction, Arrangement]]:
    """The part in which an item that was taken out is this card; a slot is no longer one of its pile."""
    if not isinstance(item, int):
        if item == card:
            yield Fraction(1), each
        return
    for inner, part in _shares(each[item]):
        if inner == card or isinstance(inner, int):
            taken = _with(each, item, _less(each[item], inner))
            for share, after in _told(taken, inner, card):
                yield part * share, after


def _kinds(each: Arrangement, item: Item) -> Iterator[tuple[str, Fraction]]:
    """The kinds of card that an item can be, with the part of each."""
    if not isinstance(item, int):
        yield item, Fraction(1)
        return
    for inner, part in _shares(each[item]):
        for card, share in _kinds(each, inner):
            yield card, part * share


def _shortened(odds: dict[str, int]) -> dict[str, int]:
    """The same odds in the smallest whole numbers."""
    part = gcd(*odds.values())
    return {card: weight // part for card, weight in odds.items()} if part > 1 else odds
