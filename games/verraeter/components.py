"""The box as tables, and the entered points of the lands.

Lands lie in a circle at places 0 to 11, clockwise; people count them from 1.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from games.errors import BadOpeningError

if TYPE_CHECKING:
    from games.contract import JSON

_BOX = tomllib.loads((files("games.verraeter") / "components.toml").read_text(encoding="utf-8"))

House = Literal["Eagle", "Rose"]
HOUSES: tuple[House, House] = ("Eagle", "Rose")

ACTIONS: tuple[str, ...] = tuple(_BOX["actions"])
"""The action cards, one of each (verraeter:10)."""
DIPLOMATS: dict[str, int] = {"Diplomat 2": 2, "Diplomat 5": 5}
"""The strength that diplomats add to their house."""

LANDS: dict[str, int] = _BOX["lands"]
"""The base strength of each land, by name."""
PLACES = 2 * len(LANDS)

COPIES: dict[str, int] = _BOX["supply"]
"""The number of supply cards of each strength. A card is named by its strength."""
SUPPLY: tuple[str, ...] = tuple(card for card, copies in COPIES.items() for _ in range(copies))
DEALT: tuple[str, ...] = tuple(_BOX["hand"])
"""The first hand of each player (verraeter:6)."""
HAND_LIMIT: int = _BOX["hand_limit"]

CARDS: int = _BOX["cards_per_seat"]
"""The number of cards (estates or trading posts) of each player (verraeter:2)."""
POSTS: int = _BOX["posts_per_seat"]
"""The most trading posts of a player (verraeter:21)."""

ROUNDS: dict[int, int] = {int(seats): rounds for seats, rounds in _BOX["rounds"].items()}
"""The number of rounds, by the number of players (verraeter:1)."""

HANDS = tuple(f"player{seat + 1}" for seat in range(max(ROUNDS)))
"""The name of each seat's hand in rulings."""

MOST_POINTS = 30
"""The most points of a land for a winner. A larger number is a typing error."""

SAMPLE: JSON = _BOX["sample"]
"""An invented table of points."""

COMPONENTS_HELP = """\
The points that are printed on the lands: for each land a list of what it brings to each of 1, 2, 3 and 4 winners;
`null` where that is not known. A game that is opened without them learns them conquest by conquest.
"""

PointsTable = dict[str, list[int | None]]
"""The points of each land for each of 1, 2, 3 or 4 winners; None is not known yet."""


def border_label(place: int) -> str:
    """The label of the border after a land: `3-4`."""
    return f"{place + 1}-{(place + 1) % PLACES + 1}"


def opposing_house(house: House) -> House:
    """The other house."""
    return "Rose" if house == "Eagle" else "Eagle"


def unknown_points() -> PointsTable:
    """A table without known points."""
    return {land: [None] * max(ROUNDS) for land in LANDS}


def read_points(components: JSON | None) -> PointsTable:
    """The table of points for an opened game: `{"points": {"River": [5, 4, null, 2], …}}`.

    It names every land, with an entry for each possible number of winners, three or four; null is not known. Raises
    `BadOpeningError`.
    """
    table = unknown_points()
    if components is None:
        return table
    if set(components) != {"points"}:
        raise BadOpeningError("components", 'they are {"points": …} and nothing else')
    points = components["points"]
    if not isinstance(points, dict):
        raise BadOpeningError("components.points", "expected an object that names every land here")
    for land in [*points, *LANDS]:
        if land not in LANDS:
            raise BadOpeningError(f"components.points.{land}", f"the lands are {', '.join(LANDS)}")
        if land not in points:
            raise BadOpeningError(f"components.points.{land}", "this land is missing")
    for land, worth in points.items():
        read = _read_worth(f"components.points.{land}", worth)
        table[land] = [*read, None][: max(ROUNDS)]
    return table


def _read_worth(field: str, worth: Any) -> list[int | None]:
    if not isinstance(worth, list) or len(worth) not in ROUNDS:
        raise BadOpeningError(field, "expected a list of the points for 1, 2, 3 and 4 winners here")
    for points in worth:
        if points is not None and (type(points) is not int or not 0 <= points <= MOST_POINTS):
            raise BadOpeningError(field, f"points are whole numbers from 0 to {MOST_POINTS}, or null where not known")
    known = [points for points in worth if points is not None]
    if known != sorted(known, reverse=True):
        raise BadOpeningError(field, "more winners never get more points each (verraeter:A33)")
    return worth


def possible_points(worth: list[int | None], winners: int) -> tuple[int, int]:
    """The least and the most points of a land for a number of winners, by its known points."""
    if (known := worth[winners - 1]) is not None:
        return known, known
    least = max((points for points in worth[winners:] if points is not None), default=0)
    most = min((points for points in worth[: winners - 1] if points is not None), default=MOST_POINTS)
    return least, most


SAMPLE_POINTS = read_points(SAMPLE)
"""The invented table of points. It is always shown as invented."""
