"""Which regions pay: every way is allowed, one is offered first, and a few more where there is a choice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, islice, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from games.catan_cards.components import Resource
    from games.catan_cards.state import CatanCardsState, Principality

OFFERED = 4
"""How many ways to pay are listed for one thing; any other can be typed."""

SEARCH = 2
"""What it costs to look through a stack, without a Town Hall (catan_cards:56)."""


def cost_of(state: CatanCardsState, thing: str) -> dict[Resource, int]:
    """What a road, settlement, city or expansion costs."""
    supply = state.box.supply.get(thing)
    return supply.cost if supply else state.box.cards[thing].cost


def search_price(state: CatanCardsState, seat: int) -> int:
    """What it costs to search (catan_cards:56, catan_cards:94)."""
    return 1 if state.principalities[seat].count("Town Hall") else SEARCH


def rates(state: CatanCardsState, seat: int, resource: Resource) -> list[int]:
    """How many of a resource can bring one of any kind, the fewest first: with a Mint (catan_cards:39), with a fleet
    (catan_cards:38), and by everybody (catan_cards:37), who may want to be rid of them.
    """
    sites, cards = state.principalities[seat].sites.values(), state.box.cards
    minted = [1] if resource == "gold" and "Mint" in sites else []
    shipped = [2] if any(cards[card].fleet == resource for card in sites) else []
    return [*minted, *shipped, 3]


def rate(state: CatanCardsState, seat: int, resource: Resource) -> int:
    """How few of a resource bring one of any kind."""
    return rates(state, seat, resource)[0]


def paid(own: Principality, places: Iterable[str]) -> dict[Resource, int]:
    """What some regions pay together, by resource."""
    return dict(Counter(own.regions[place].resource for place in places if place in own.regions))


def able(own: Principality, cost: Mapping[Resource, int]) -> bool:
    """Whether a player has what something costs."""
    return all(own.stock(resource) >= count for resource, count in cost.items())


def ways(own: Principality, cost: Mapping[Resource, int]) -> Iterator[tuple[str, ...]]:
    """Every way to pay a cost, the regions in order; from the fullest ones first."""
    each = [list(_spend(own, own.of(resource), count)) for resource, count in cost.items()]
    for parts in product(*each):
        yield ordered(place for part in parts for place in part)


def any_ways(own: Principality, count: int) -> Iterator[tuple[str, ...]]:
    """Every way to pay so many resources of any kind."""
    return map(ordered, _spend(own, list(own.regions), count))


def offered(found: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The first few of many ways to pay."""
    return islice(found, OFFERED)


def only(found: Iterable[tuple[str, ...]]) -> tuple[str, ...] | None:
    """The way to pay if there is but one."""
    first, *more = [*islice(found, 2), None, None][:2]
    return first if first is not None and more == [None] else None


def ordered(places: Iterable[str]) -> tuple[str, ...]:
    """Regions in the order in which a payment names them."""
    return tuple(sorted(places))


def _spend(own: Principality, places: list[str], count: int) -> Iterator[tuple[str, ...]]:
    fullest = sorted((place for place in places if own.stocks[place]), key=lambda place: (-own.stocks[place], place))
    for chosen in combinations_with_replacement(fullest, count):
        if all(own.stocks[place] >= chosen.count(place) for place in set(chosen)):
            yield chosen
