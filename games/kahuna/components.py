"""The board and the box as tables: islands, lines and seas by number, sets of them as bit masks.

Line 4 is the bit `1 << 4` of a set of lines, island 1 the bit `1 << 1` of a set of islands.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

_BOX = tomllib.loads((files("games.kahuna") / "components.toml").read_text(encoding="utf-8"))
_NAMES: dict[str, str] = {name[0]: name for name in _BOX["islands"]}


def _spell(initials: str) -> str:
    return "-".join(_NAMES[initial] for initial in initials)


ISLANDS: tuple[str, ...] = tuple(_BOX["islands"])
"""The islands' names, which are the names of the cards, too."""
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
"""How many bridges win each island."""

COPIES: int = _BOX["cards_per_island"]
CARDS: tuple[str, ...] = tuple(name for name in ISLANDS for _ in range(COPIES))
"""All the cards of the box."""
BRIDGES: int = _BOX["bridges_per_seat"]
STONES: int = _BOX["stones_per_seat"]

PLACES: tuple[tuple[int, int], ...] = tuple((x, y) for x, y in (_BOX["places"][name] for name in ISLANDS))
"""Where each island is drawn."""


def members(mask: int) -> list[int]:
    """The numbers in a set, in order."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return numbers


def between(a: str, b: str) -> str | None:
    """The line between two islands, by their names in any order; None where there is none."""
    name = f"{a}-{b}" if a < b else f"{b}-{a}"
    return name if name in LINE else None
