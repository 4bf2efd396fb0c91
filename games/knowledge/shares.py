"""Steps from an arrangement to others, each with its share of the weight: what is learned when cards are seen."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING

from games.knowledge.arrangements import (
    Arrangement,
    gathered,
    holding_of,
    is_deep,
    kinds_of,
    moved_unseen,
    slots_in,
    with_card_moved,
    with_held,
    with_item,
    without_item,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Set

    from games.knowledge.arrangements import Holding, Item

    Part = tuple[int, int, Arrangement]
    """A share of an arrangement's weight, as a numerator and a denominator, and the arrangement that gets it."""
    Step = Callable[[Arrangement], Iterable[Part]]
    """Turns an arrangement into others, each with its share of the weight."""

MOST_WAYS = 50
"""The most ways from a slot through nested piles to a card. With more, slots are decided."""


def having(each: Arrangement, at: int, card: str, count: int) -> Iterator[Part]:
    """The shares with at least `count` of a card in a place, by inclusion and exclusion."""
    lacking = count - dict(each[at]).get(card, 0)
    if lacking <= 0:
        yield 1, 1, each
        return
    slots, found, number = 1, [(1, 1, each)], 0
    while slots:
        found = [
            (share * part * slots_in(before[at]), whole * parts, after)
            for share, whole, before in found
            for part, parts, after in turned(before, at, at, card, slots_only=True)
        ]
        slots, number = len(found), number + 1
        if number >= lacking:
            sign = (-1) ** (number - lacking) * comb(number - 1, lacking - 1)
            yield from ((share * sign, whole * factorial(number), after) for share, whole, after in found)


def turned(each: Arrangement, at: int, to: int, card: str, *, slots_only: bool = False) -> Iterator[Part]:
    """The shares in which any one item of a place (or any one slot) is this card, after it went to another place."""
    items = [(item, count) for item, count in each[at] if not slots_only or isinstance(item, int)]
    whole = sum([count for _, count in items])
    for item, count in items:
        if item == card or isinstance(item, int):
            taken = with_held(each, at, without_item(each[at], item))
            for part, parts, after in _told(taken, item, card):
                yield count * part, whole * parts, with_held(after, to, with_item(after[to], card))


def all_gathered(each: Arrangement, at: int, to: int) -> list[Part]:
    """The arrangement after all cards of a place were put to those of another, as the only share."""
    return [(1, 1, gathered(each, at, to))]


def all_moved(each: Arrangement, at: int, to: int, card: str, count: int) -> list[Part]:
    """The arrangement after some of a card went from a place to another, as the only share."""
    return [(1, 1, with_card_moved(each, at, to, card, count))]


def first_found(each: Arrangement, places: Sequence[int], to: int, card: str) -> Iterator[Part]:
    """The shares in which each place is the first one with a card, after the card went to another place."""
    lacking = {each: Fraction(1)}
    for at in places:
        left = defaultdict[Arrangement, Fraction](Fraction, lacking)
        for before, weight in lacking.items():
            for part, whole, found in having(before, at, card, 1):
                share = weight * Fraction(part, whole)
                yield *share.as_integer_ratio(), with_card_moved(found, at, to, card)
                left[found] -= share
        lacking = {before: weight for before, weight in left.items() if weight}


def any_unseen(each: Arrangement, places: Sequence[int], to: int) -> Iterator[Part]:
    """The shares after any card of these places went to another, by place."""
    sizes = [(at, sum([count for _, count in each[at]])) for at in places if each[at]]
    whole = sum([size for _, size in sizes])
    for at, size in sizes:
        yield size, whole, moved_unseen(each, at, to)


def one_of(each: Arrangement, at: int, to: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares after any card of these kinds went from a place to another."""
    for part, whole, after in _sorted_by(each, at, kinds):
        cards = [(item, count) for item, count in after[at] if _is_any_of(after, item, kinds)]
        if cards:
            piled, ((item, _), *_) = _with_pile(after, at, cards) if len(cards) > 1 else (after, cards)
            yield part, whole, with_card_moved(piled, at, to, item)


def none_of(each: Arrangement, at: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares in which a place has no card of these kinds."""
    for part, whole, after in _sorted_by(each, at, kinds):
        if not any(_is_any_of(after, item, kinds) for item, _ in after[at]):
            yield part, whole, after


def _is_any_of(each: Arrangement, item: Item, kinds: Set[str]) -> bool:
    """Whether an item that is certainly one of these kinds, or certainly none, is one."""
    return next(kinds_of(each, item)) in kinds


def _sorted_by(each: Arrangement, at: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares in which each item of a place is certainly one of these kinds, or certainly none."""
    for item, _ in each[at]:
        if isinstance(item, int) and 0 < len(kinds & (able := {*kinds_of(each, item)})) < len(able):
            for part, whole, before in _slots_sorted(each, at, item, kinds):
                for share, parts, after in _sorted_by(before, at, kinds):
                    yield part * share, whole * parts, after
            return
    yield 1, 1, each


def _slots_sorted(each: Arrangement, at: int, pile: int, kinds: Set[str]) -> Iterator[Part]:
    """The shares by the number of a pile's slots in a place that are of these kinds."""
    for part, parts, before in _sorted_by(each, pile, kinds):
        cards = [(item, count) for item, count in before[pile] if _is_any_of(before, item, kinds)]
        able, whole = sum([count for _, count in cards]), sum([count for _, count in before[pile]])
        slots = dict(before[at])[pile]
        for number in range(max(0, slots - whole + able), min(slots, able) + 1):
            ways = comb(able, number) * comb(whole - able, slots - number)
            yield part * ways, parts * comb(whole, slots), _slots_split(before, at, pile, cards, number)


def _slots_split(each: Arrangement, at: int, pile: int, cards: Sequence[tuple[Item, int]], number: int) -> Arrangement:
    """The arrangement in which so many of a pile's slots in a place are some of these cards, and the others are not."""
    rest = [counted for counted in each[pile] if counted not in cards]
    here = dict(each[at])
    slots = here.pop(pile)
    for held, count in ((cards, number), (rest, slots - number)):
        if count:
            each, ((item, _),) = _with_pile(each, pile, held)
            here[item] = count
            each = with_held(each, pile, without_item(each[pile], item, count))
    return with_held(each, at, holding_of(here))


def _with_pile(
    each: Arrangement, at: int, cards: Sequence[tuple[Item, int]]
) -> tuple[Arrangement, list[tuple[Item, int]]]:
    """The arrangement after these items of a place became a pile, and the pile's slots there."""
    slots: list[tuple[Item, int]] = [(len(each), sum([count for _, count in cards]))]
    left = [counted for counted in each[at] if counted not in cards]
    return (*with_held(each, at, holding_of(dict([*slots, *left]))), holding_of(dict(cards))), slots


def _decided(each: Arrangement, at: int) -> Iterator[Part]:
    """The shares in which one slot of a place is each kind of card; the whole if there is no slot."""
    item = next((item for item, _ in each[at] if isinstance(item, int)), None)
    if item is None:
        yield 1, 1, each
        return
    taken = with_held(each, at, without_item(each[at], item))
    for card in dict.fromkeys(kinds_of(each, item)):
        for part, whole, after in _told(taken, item, card):
            yield part, whole, with_held(after, at, with_item(after[at], card))


def flatter(each: Arrangement, places: int) -> Iterable[Part]:
    """The shares in which one slot of a nested pile is each kind of card, if nesting is too deep; else the whole."""
    nested = (at for at in range(places, len(each)) if slots_in(each[at]))
    return _decided(each, next(nested)) if is_deep(each, places, MOST_WAYS) else [(1, 1, each)]


def _told(each: Arrangement, item: Item, card: str) -> Iterator[Part]:
    """The shares in which a removed item is this card. If it was a slot, the card also leaves its pile."""
    if not isinstance(item, int):
        if item == card:
            yield 1, 1, each
        return
    whole = sum([count for _, count in each[item]])
    for inner, count in each[item]:
        if inner == card or isinstance(inner, int):
            taken = with_held(each, item, without_item(each[item], inner))
            for part, parts, after in _told(taken, inner, card):
                yield count * part, whole * parts, after


def kinds(each: Arrangement, holding: Holding) -> Iterator[tuple[str, int, int]]:
    """The kinds of card that any one card of a holding can be, each with its share: numerator and denominator."""
    whole = sum([count for _, count in holding])
    for item, count in holding:
        if isinstance(item, str):
            yield item, count, whole
        else:
            for card, part, parts in kinds(each, each[item]):
                yield card, count * part, whole * parts
