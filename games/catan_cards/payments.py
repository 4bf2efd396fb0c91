"""Payments with resources of regions. Every way is allowed; the first few are listed."""

from __future__ import annotations

from itertools import islice
from operator import le
from typing import TYPE_CHECKING, Any, TypeVar

from games.catan_cards.components import FLEET_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from games.catan_cards.components import Resource
    from games.catan_cards.principality import Principality
    from games.catan_cards.state import CatanCardsState

T = TypeVar("T")

OFFERED = 4
"""The number of ways to pay that are listed for a thing. Others can be typed."""

SEARCH = 2
"""The price of searching a stack, without a Town Hall (catan_cards:56)."""


def cost_of(state: CatanCardsState, thing: str) -> dict[Resource, int]:
    """The cost of a road, settlement, city or expansion."""
    supply = state.box.supply.get(thing)
    return supply.cost if supply else state.box.cards[thing].cost


def cost_words(cost: Mapping[Any, int]) -> str:
    """A cost in words."""
    return ", ".join(f"{count} {resource}" for resource, count in cost.items()) or "nothing"


def tally(things: Sequence[T]) -> dict[T, int]:
    """The number of times that each thing occurs, in the order of first appearance."""
    counts: dict[T, int] = {}
    for thing in things:
        if thing in counts:
            counts[thing] += 1
        else:
            counts[thing] = 1
    return counts


def search_price(state: CatanCardsState, seat: int) -> int:
    """The price of a search (catan_cards:56, catan_cards:94)."""
    return 1 if state.principalities[seat].count("Town Hall") else SEARCH


def rates(state: CatanCardsState, seat: int, resource: Resource) -> list[int]:
    """The numbers of a resource that can be traded for one of any kind, the smallest first:

    with a Mint (catan_cards:39), with a fleet (catan_cards:38), and without either (catan_cards:37), which is also
    allowed to get rid of resources.
    """
    sites = state.principalities[seat].sites.values()
    minted = [1] if resource == "gold" and "Mint" in sites else []
    shipped = [2] if FLEET_OF[resource] in sites else []
    return [*minted, *shipped, 3]


def rate(state: CatanCardsState, seat: int, resource: Resource) -> int:
    """The smallest number of a resource that can be traded for one of any kind."""
    return rates(state, seat, resource)[0]


def income_of(own: Principality, places: Iterable[str]) -> dict[Resource, int]:
    """The resources that regions pay, counted by kind."""
    regions = own.regions
    sums: dict[Resource, int] = {}
    for place in places:
        if place in regions:
            resource = regions[place].resource
            if resource in sums:
                sums[resource] += 1
            else:
                sums[resource] = 1
    return sums


def can_pay(held: Mapping[Resource, int], cost: Mapping[Resource, int]) -> bool:
    """Whether the `held` resources cover a cost."""
    return all(map(le, cost.values(), map(held.__getitem__, cost)))


def ways_to_pay(own: Principality, cost: Mapping[Resource, int]) -> Iterator[tuple[str, ...]]:
    """Every way to pay a cost, each in notation order. The first ways use the fullest regions."""
    return map(in_notation_order, _parts(own, list(cost.items()))) if cost else iter([()])


def ways_to_pay_any(own: Principality, count: int) -> Iterator[tuple[str, ...]]:
    """Every way to pay `count` resources of any kind."""
    return map(in_notation_order, _spend(own, list(own.regions), count))


def first_ways(found: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The first few ways to pay."""
    return islice(found, OFFERED)


def only_way(found: Iterable[tuple[str, ...]]) -> tuple[str, ...] | None:
    """The only way to pay; None if there is none, or more than one."""
    first, *more = [*islice(found, 2), None, None][:2]
    return first if first is not None and more == [None] else None


def in_notation_order(places: Iterable[str]) -> tuple[str, ...]:
    """Regions in the order of a written payment."""
    return tuple(sorted(places))


def _parts(own: Principality, cost: list[tuple[Resource, int]]) -> Iterator[tuple[str, ...]]:
    """Every combination of the ways to pay each resource. They are made one by one, because there can be very many."""
    (resource, count), *rest = cost
    parts = _spend(own, own.places_of(resource), count)
    return (part + others for part in parts for others in _parts(own, rest)) if rest else parts


def _spend(own: Principality, places: list[str], count: int) -> Iterator[tuple[str, ...]]:
    """Every way to spend `count` resources of these regions. The first ways use the fullest regions."""
    fullest = sorted(filter(own.stocks.__getitem__, places))
    fullest.sort(key=own.stocks.__getitem__, reverse=True)
    return _chosen(own, fullest, count)


def _chosen(own: Principality, places: list[str], count: int) -> Iterator[tuple[str, ...]]:
    """Every choice of `count` resources of these regions. The first choices use the first regions most."""
    if not count:
        yield ()
    elif places:
        first, *rest = places
        most = own.stocks[first]
        if most >= count:
            yield (first,) * count
        for number in range(min(count - 1, most), -1, -1):
            for others in _chosen(own, rest, count - number):
                yield (first,) * number + others
