"""The board and the box as tables: islands, lines and seas by number, sets of them as bit masks.

Line 4 is the bit `1 << 4` of a set of lines, island 1 the bit `1 << 1` of a set of islands.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_BOX = tomllib.loads((files("games.kahuna") / "components.toml").read_text(encoding="utf-8"))
_NAMES: dict[str, str] = {name[0]: name for name in _BOX["islands"]}


def _spell(initials: str) -> str:
    return "-".join(_NAMES[initial] for initial in initials)


ISLANDS: tuple[str, ...] = tuple(_BOX["islands"])
"""The names of the islands, and of their cards."""
LINES: tuple[str, ...] = tuple(_spell(line) for line in _BOX["lines"])
"""The spaces for bridges: `BARI-DUDA`."""

ISLAND: dict[str, int] = {name: number for number, name in enumerate(ISLANDS)}
LINE: dict[str, int] = {name: number for number, name in enumerate(LINES)}

ENDS: tuple[tuple[int, int], ...] = tuple((ISLAND[a], ISLAND[b]) for a, b in (line.split("-") for line in LINES))
"""The two islands of each line."""
LINES_AT: tuple[int, ...] = tuple(
    sum(1 << line for line, ends in enumerate(ENDS) if island in ends) for island in range(len(ISLANDS))
)
"""The set of lines that touch each island."""
SPACES: tuple[int, ...] = tuple(lines.bit_count() for lines in LINES_AT)
MAJORITIES: tuple[int, ...] = tuple(spaces // 2 + 1 for spaces in SPACES)
"""The number of bridges that win each island."""

SEAS: tuple[str, ...] = tuple(_spell(sea) for sea in _BOX["seas"])
"""The inland seas: `BARI-DUDA-ELAI`."""
SEA: dict[str, int] = {name: number for number, name in enumerate(SEAS)}
SHORES: tuple[tuple[int, ...], ...] = tuple(tuple(ISLAND[name] for name in sea.split("-")) for sea in SEAS)
"""The three islands of each sea."""
SIDES: tuple[int, ...] = tuple(
    sum(1 << line for line, ends in enumerate(ENDS) if set(ends) < set(shores)) for shores in SHORES
)
"""The set of the three lines around each sea."""
SEAS_AT: tuple[int, ...] = tuple(
    sum(1 << sea for sea, shores in enumerate(SHORES) if island in shores) for island in range(len(ISLANDS))
)
"""The set of seas that touch each island."""
SEAS_BESIDE: tuple[tuple[int, ...], ...] = tuple(
    tuple(sea for sea, sides in enumerate(SIDES) if sides >> line & 1) for line in range(len(LINES))
)
"""The seas on both sides of each line: one at the coast, else two."""
COURSES: dict[tuple[int, int], int] = {
    course: line for line, seas in enumerate(SEAS_BESIDE) if len(seas) == 2 for course in (seas, seas[::-1])
}
"""The ways of ships: from one sea to an adjacent one, and the crossed line."""

COPIES: int = _BOX["cards_per_island"]
COPIES_OF: dict[str, int] = dict.fromkeys(ISLANDS, COPIES)
CARDS: tuple[str, ...] = tuple(name for name in ISLANDS for _ in range(COPIES))
"""The number of cards in the box by island."""
BRIDGES: int = _BOX["bridges_per_seat"]
STONES: int = _BOX["stones_per_seat"]

PLACES: tuple[tuple[int, int], ...] = tuple((x, y) for x, y in (_BOX["places"][name] for name in ISLANDS))
"""The position of each island in the picture."""


def _anchorage(sea: str, shores: tuple[int, ...]) -> tuple[int, int]:
    x, y = _BOX["anchorages"].get(sea) or (sum(PLACES[island][axis] for island in shores) // 3 for axis in (0, 1))
    return x, y


ANCHORAGES: tuple[tuple[int, int], ...] = tuple(map(_anchorage, _BOX["seas"], SHORES))
"""The position of a ship in each sea in the picture."""


def members(mask: int) -> list[int]:
    """The numbers in a bit mask, in order."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


def owner(sets: Sequence[int], number: int) -> int | None:
    """The seat with this number in its bit mask; None if it is in neither."""
    if sets[0] >> number & 1:
        return 0
    return 1 if sets[1] >> number & 1 else None


def line_between(a: str, b: str) -> str | None:
    """The line between two islands, by their names in any order; None where there is none."""
    name = f"{a}-{b}" if a < b else f"{b}-{a}"
    return name if name in LINE else None
