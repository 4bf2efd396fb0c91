"""A principality: the cards in front of a player, and the names of places.

A place is named by seat, column and side: `1ku` is the region of player 1 in column k, upper side. Roads and regions
lie in the columns …, k, m, o, …, settlements and cities in those between, l and n to begin with.
"""

from __future__ import annotations

from functools import cache
from operator import countOf

import msgspec

from games.catan_cards.components import RESOURCES, STORE, Land, Resource

SIDES = ("u", "d")
MIDDLE = ord("m")

ROADS, CENTRES = "acegikmoqsuwy", "bdfhjlnprtvx"
"""The columns of roads and regions, and those of settlements and cities."""
PLACES = tuple(f"{seat}{letter}{side}" for seat in "12" for letter in ROADS for side in SIDES)
"""The places of regions."""
SITES = tuple(f"{seat}{letter}{side}{site}" for seat in "12" for letter in CENTRES for side in SIDES for site in "12")
"""The places of expansions."""


def column(x: int) -> str:
    """The letter of the column `x` steps right of the middle, m, where the first road lies."""
    return chr(MIDDLE + x)


def offset(letter: str) -> int:
    """The number of steps from the middle column to this one, to the right."""
    return ord(letter) - MIDDLE


def starting_places(seat: int) -> list[str]:
    """The places of a player's six starting regions: the upper three from the left, then the lower three."""
    return [f"{seat + 1}{letter}{side}" for side in SIDES for letter in "kmo"]


def owner(place: str) -> int:
    """The seat that owns a place."""
    return OWNERS[place[0]]


OWNERS = {"1": 0, "2": 1}
"""The seat of a place, by its first character."""


@cache
def adjacent_sites(place: str) -> tuple[str, ...]:
    """The sites next to a region, with or without expansions (catan_cards:7)."""
    return tuple(f"{place[0]}{near}{place[2]}{site}" for near in _adjacent_columns(place) for site in "12")


@cache
def _adjacent_columns(place: str) -> tuple[str, str]:
    """The columns of the two settlements or cities next to a region."""
    x = offset(place[1])
    return column(x - 1), column(x + 1)


class Principality(msgspec.Struct):
    """The cards in front of a player, by place.

    `line` has settlements and cities by column, `roads` the columns of the roads, `regions` the region cards with
    `stocks`, and `sites` the expansions.
    """

    line: dict[str, str] = {}
    roads: list[str] = []
    regions: dict[str, Land] = {}
    stocks: dict[str, int] = {}
    sites: dict[str, str] = {}

    def count(self, card: str) -> int:
        """The number of expansions of this kind."""
        return countOf(self.sites.values(), card)

    def holdings(self) -> dict[Resource, int]:
        """The total of each resource."""
        held, stocks = dict.fromkeys(RESOURCES, 0), self.stocks
        for place, land in self.regions.items():
            held[land.resource] += stocks[place]
        return held

    def places_of(self, resource: Resource) -> list[str]:
        """The places of the regions of a resource."""
        return [place for place, land in self.regions.items() if land.resource == resource]

    def room_for(self, resource: Resource) -> list[str]:
        """The places of the regions of a resource that have room."""
        return [place for place in self.places_of(resource) if self.stocks[place] < STORE]

    def places_with_room(self) -> list[str]:
        """The places of all regions that have room."""
        return [place for place, stock in self.stocks.items() if stock < STORE]

    def neighbours(self, place: str, card: str) -> int:
        """The number of sites next to a region with this expansion (catan_cards:7, catan_cards:48)."""
        return countOf(map(self.sites.get, adjacent_sites(place)), card)

    def has_beside(self, place: str, card: str) -> bool:
        """Whether a site next to a region has this expansion."""
        return card in map(self.sites.get, adjacent_sites(place))

    def cities_at(self, place: str) -> list[str]:
        """The columns of the cities next to a region."""
        return [near for near in _adjacent_columns(place) if self.line.get(near) == "city"]

    def edge(self, *, right: bool) -> int:
        """The column of the last settlement or city on a side, as an offset."""
        return offset(max(self.line) if right else min(self.line))

    def open_road(self, *, right: bool) -> bool:
        """Whether a road leads on from the last settlement or city on a side."""
        return (chr(ord(max(self.line)) + 1) if right else chr(ord(min(self.line)) - 1)) in self.roads

    def last(self, *, right: bool) -> int:
        """The column of the last card on a side, road or not, as an offset."""
        lying = (*self.line, *self.roads)
        return offset(max(lying) if right else min(lying))

    def next_road(self, *, right: bool) -> str | None:
        """The column of the next road on a side, after existing roads; None if no column is left."""
        step = 1 if right else -1
        x = self.edge(right=right) + step
        while column(x) in self.roads:
            x += 2 * step
        return column(x) if column(x) in ROADS else None

    def card_at(self, letter: str) -> str | None:
        """The card in a column: a road, a settlement or a city; None if it is empty."""
        return "road" if letter in self.roads else self.line.get(letter)
