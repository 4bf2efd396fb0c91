"""Resources on regions: changes, conditions and payments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.catan_cards.components import STORE
from games.catan_cards.payments import tally
from games.catan_cards.principality import OWNERS
from games.contract import Effect
from games.errors import ImpossibleError
from games.words import join_by_and

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.catan_cards.principality import Principality
    from games.catan_cards.state import CatanCardsState


def store(state: CatanCardsState, place: str, count: int, rule: str) -> Effect:
    """Put resources on a region, limited by its room (catan_cards:4)."""
    return gain(state.principalities[OWNERS[place[0]]], place, count, rule)


def gain(own: Principality, place: str, count: int, rule: str) -> Effect:
    """Put resources on a region of a given principality, limited by its room (catan_cards:4)."""
    stock = own.stocks[place] + count
    if stock > STORE:
        stock, count = STORE, count + STORE - stock
    own.stocks[place] = stock
    return Effect("stock.gained", rule, OWNERS[place[0]], (place, own.regions[place].resource), count)


def remove(state: CatanCardsState, place: str, count: int, rule: str) -> Effect:
    """Take resources off a region, limited by its stock."""
    return lose(state.principalities[OWNERS[place[0]]], place, count, rule)


def lose(own: Principality, place: str, count: int, rule: str) -> Effect:
    """Take resources off a region of a given principality, limited by its stock."""
    stock = own.stocks[place] - count
    if stock < 0:
        stock, count = 0, count + stock
    own.stocks[place] = stock
    return Effect("stock.lost", rule, OWNERS[place[0]], (place, own.regions[place].resource), count)


def swap(state: CatanCardsState, give: Sequence[str], get: Sequence[str], rule: str) -> list[Effect]:
    """Take resources off the regions `give`, and then put resources on the regions `get`."""
    effects = [remove(state, place, count, rule) for place, count in tally(give).items()]
    return effects + [store(state, place, count, rule) for place, count in tally(get).items()]


def pay(state: CatanCardsState, seat: int, places: Sequence[str], rule: str = "catan_cards:41") -> list[Effect]:
    """Take a payment off a player's regions. Raises `ImpossibleError` if they do not have it."""
    if not places:
        return []
    own, given = state.principalities[seat], tally(places)
    regions, stocks, effects = own.regions, own.stocks, []
    for place, count in given.items():
        if place not in regions or stocks[place] < count:
            require_own(state, seat, places)
            require_stock(state, places)
    for place, count in given.items():
        stocks[place] -= count
        effects.append(Effect("stock.lost", rule, seat, (place, regions[place].resource), count))
    return effects


def takeable_regions(state: CatanCardsState, seat: int) -> list[str]:
    """The opponent's regions with a resource for which the player has room."""
    own, other = state.principalities[seat], state.principalities[1 - seat]
    rooms = {own.regions[place].resource for place in own.places_with_room()}
    return [place for place, land in other.regions.items() if other.stocks[place] and land.resource in rooms]


def resource(state: CatanCardsState, place: str) -> str:
    """The resource of the region at a place; empty without a region."""
    regions = state.principalities[OWNERS[place[0]]].regions
    return regions[place].resource if place in regions else ""


def resource_words(state: CatanCardsState, places: Sequence[str]) -> str:
    """The resources of regions, in words."""
    kinds = tally([resource(state, place) for place in places])
    return join_by_and([f"{count} {kind}" for kind, count in kinds.items()])


# Conditions. Each function raises `ImpossibleError`


def require_own(state: CatanCardsState, seat: int, places: Sequence[str]) -> None:
    """Require that the regions belong to a player."""
    regions = state.principalities[seat].regions
    for place in places:
        if place not in regions:
            raise ImpossibleError(
                "{place} is no region of {name}", "catan_cards:5", place=place, name=state.seat_name(seat)
            )


def require_stock(state: CatanCardsState, places: Sequence[str]) -> dict[str, int]:
    """Require that the regions have the resources, and return how many each one gives."""
    given = tally(places)
    for place, count in given.items():
        stock = state.principalities[OWNERS[place[0]]].stocks[place]
        if stock < count:
            raise ImpossibleError(
                "{place} has {stock} in stock, and cannot give {count}",
                "catan_cards:3",
                place=place,
                stock=stock,
                count=count,
            )
    return given


def require_room(
    state: CatanCardsState, places: Sequence[str], given: Sequence[str] = (), rule: str = "catan_cards:4"
) -> None:
    """Require that the regions have room for the resources, after the `given` ones left."""
    for place in places:
        stock = state.principalities[OWNERS[place[0]]].stocks[place]
        if stock - given.count(place) + places.count(place) > STORE:
            raise ImpossibleError("{place} has no room", rule, place=place)


def require_alike(state: CatanCardsState, sources: Sequence[str], stores: Sequence[str]) -> None:
    """Require that resources are stored in regions of their kind."""
    if sorted(resource(state, place) for place in sources) != sorted(resource(state, place) for place in stores):
        raise ImpossibleError(
            "{goods} cannot lie where {goods2} belongs",
            "catan_cards:2",
            goods=resource_words(state, sources),
            goods2=resource_words(state, stores),
        )
