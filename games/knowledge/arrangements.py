"""Arrangements of cards, with open slots, and what becomes of one when cards move."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from games.knowledge.facts import Table

Item = str | int
"""A kind of card, or the number of a pile that a slot belongs to."""
Holding = tuple[tuple[Item, int], ...]
"""The items of a pile or a place, with their counts."""
Arrangement = tuple[Holding, ...]
"""The holdings of all places, and then of all piles."""
Arrangements = dict[Arrangement, None]
"""A set of arrangements in a fixed order."""
FEW_PILES = 4
"""With more piles, an arrangement is brought into its normal form, and the depth of nested piles is checked."""


def opening(table: Table) -> Arrangement:
    """The first arrangement: all cards lie in the deck, shuffled."""
    at = table.places.index(table.deck)
    empty: Arrangement = ((),) * len(table.places)
    return shuffled(with_held(empty, at, holding_of(Counter[Item](table.cards))), {at}, at)


# Holdings


def holding_of(counts: Mapping[Item, int]) -> Holding:
    """A holding from counts of items, in the fixed order."""
    held = [(item, count) for item, count in counts.items() if count]
    return tuple(sorted(held, key=_in_order) if len(held) > 1 else held)


def _in_order(counted: tuple[Item, int]) -> tuple[bool, int, str]:
    """The sort key of items: slots by the number of their pile, then cards by name."""
    item = counted[0]
    return (False, item, "") if isinstance(item, int) else (True, 0, item)


def with_held(each: Arrangement, at: int, holding: Holding) -> Arrangement:
    """The arrangement with another holding in a place or a pile."""
    return (*each[:at], holding, *each[at + 1 :])


def without_item(holding: Holding, item: Item, count: int = 1) -> Holding:
    """The holding without `count` of an item."""
    for place, (other, held) in enumerate(holding):
        if other == item:
            left = ((item, held - count),) if held > count else ()
            return (*holding[:place], *left, *holding[place + 1 :])
    return holding


def with_item(holding: Holding, item: Item, count: int = 1) -> Holding:
    """The holding with `count` more of an item, in the fixed order."""
    for place, (other, held) in enumerate(holding):
        if other == item:
            return (*holding[:place], (item, held + count), *holding[place + 1 :])
    return tuple(sorted((*holding, (item, count)), key=_in_order))


def slots_in(holding: Holding) -> int:
    """The number of slots in a holding."""
    return sum(count for item, count in holding if isinstance(item, int))


# What an arrangement has


def top_of(each: Arrangement, places: Sequence[int]) -> int | None:
    """The first of these places with a card; None if all are empty."""
    for at in places:
        if each[at]:
            return at
    return None


def items_of_places(each: Arrangement, places: Iterable[int]) -> dict[Item, int]:
    """The items of some places together."""
    found: dict[Item, int] = {}
    for at in places:
        for item, count in each[at]:
            found[item] = found.get(item, 0) + count
    return found


def kinds_of(each: Arrangement, item: Item) -> Iterator[str]:
    """The kinds of card that an item can be."""
    if isinstance(item, str):
        yield item
        return
    for inner, _ in each[item]:
        yield from kinds_of(each, inner)


def is_deep(each: Arrangement, places: int, most: int) -> bool:
    """Whether piles are nested so deep that there are more than `most` ways from a slot to a card."""
    if len(each) <= places + FEW_PILES:
        return False
    ways: dict[int, int] = {}

    def ways_of(pile: int) -> int:
        if pile not in ways:
            ways[pile] = 1 + sum([ways_of(item) for item, _ in each[pile] if isinstance(item, int)])
        return ways[pile]

    return any(ways_of(pile) > most for pile in range(places, len(each)))


def laid_out(each: Arrangement, places: int) -> list[list[str | None]]:
    """The cards of each place with all slots filled in one possible way. A slot of the first pile is None.

    Its cards come last.
    """
    lying: dict[int, list[str | None]] = {}

    def cards(holding: Holding) -> list[str | None]:
        found: list[str | None] = []
        for item, count in holding:
            if item == places:
                found += [None] * count
            elif isinstance(item, int):
                if item not in lying:
                    lying[item] = cards(each[item])
                found += [lying[item].pop() for _ in range(count)]
            else:
                found += [item] * count
        return found

    return [cards(holding) for holding in each[: places + 1]]


# What becomes of it


def with_card_moved(each: Arrangement, at: int, to: int, item: Item, count: int = 1) -> Arrangement:
    """The arrangement after some of an item went from a place to another."""
    taken = with_held(each, at, without_item(each[at], item, count))
    return with_held(taken, to, with_item(taken[to], item, count))


def shuffled(each: Arrangement, places: Set[int], to: int) -> Arrangement:
    """The arrangement after the cards of these places were shuffled into a new pile, in the place `to`."""
    mixed = items_of_places(each, places)
    left = [() if place in places else holding for place, holding in enumerate(each)]
    left[to] = holding_of({len(each): sum(mixed.values())})
    return (*left, holding_of(mixed))


def gathered(each: Arrangement, at: int, to: int) -> Arrangement:
    """The arrangement after all cards of a place were put to those of another."""
    if not each[at]:
        return each
    found = list(each)
    found[at], found[to] = (), holding_of(items_of_places(each, (at, to))) if each[to] else each[at]
    return tuple(found)


def moved_unseen(each: Arrangement, at: int, to: int) -> Arrangement:
    """The arrangement after any card of a place went to another. Cards of several kinds become a pile first."""
    if len(each[at]) > 1:
        each = shuffled(each, {at}, at)
    return with_card_moved(each, at, to, each[at][0][0])


def widened(each: Arrangement, places: int) -> Arrangement:
    """The arrangement with an empty place added after these ones. The numbers of all piles grow by one."""
    wide = [tuple((item + 1 if isinstance(item, int) else item, count) for item, count in held) for held in each]
    return (*wide[:places], (), *wide[places:])


# Its normal form


def normal_form(each: Arrangement, places: int, layers: Sequence[Sequence[int]] = ()) -> Arrangement:
    """The arrangement without superfluous piles, and with its piles in a fixed order.

    With `layers`, the places of stacks, the cards of each stack move up.
    """
    opened = _opened(each)
    return _numbered(_layered(opened, layers) if layers else opened, places)


def _opened(each: Arrangement) -> Arrangement:
    """The arrangement without superfluous piles: those of one kind of card, or with all their slots in one place."""
    slots: dict[int, list[int]] = {}
    for at, holding in enumerate(each):
        for item, _ in holding:
            if not isinstance(item, int):
                break  # slots are first in a holding
            slots.setdefault(item, []).append(at)
    for pile, lying in slots.items():
        held = each[pile]
        if len(held) == 1 or len(lying) == 1:
            found = list(each)
            for at in lying:
                left = dict(each[at])
                count = left.pop(pile)
                found[at] = holding_of(Counter(left) + Counter(dict(held) if len(lying) == 1 else {held[0][0]: count}))
            found[pile] = ()
            return _opened(tuple(found))
    return each


def _layered(each: Arrangement, layers: Sequence[Sequence[int]]) -> Arrangement:
    """The arrangement with the cards of each stack moved up.

    Adjacent places with only the same kind of card become one.
    """
    found = list(each)
    for layer in layers:
        groups: list[Holding] = []
        for at in layer:
            if not (held := each[at]):
                continue
            if groups and len(groups[-1]) == len(held) == 1 and groups[-1][0][0] == held[0][0]:
                groups[-1] = with_item(groups[-1], *held[0])
            else:
                groups.append(held)
        for at, held in zip(layer, [*groups, *[()] * len(layer)], strict=False):
            found[at] = held
    return tuple(found)


def _numbered(each: Arrangement, places: int) -> Arrangement:
    """The arrangement with its piles numbered after the first one, in the order of their first slots."""
    order, number, found = list(range(places + 1)), {places: places}, list[Holding]()
    for at in order:  # the list grows meanwhile
        slots = []
        for item, count in each[at]:
            if not isinstance(item, int):
                break
            if item not in number:
                number[item] = len(order)
                order.append(item)
            slots.append((number[item], count))
        found.append((*sorted(slots), *each[at][len(slots) :]) if slots else each[at])
    return tuple(found)
