"""The options of Manapani: variants of the printed rules for a game."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.contract import Option, Title
from games.manapani.components import SEATS, STARTING_CHIPS

OPTIONS = (
    Option(
        name="level_drop",
        title=Title(
            "Red Dragon and Specter lower the level before or after the powers are compared", "レベル低下の時点"
        ),
        choices=("before", "after"),
        default="before",
        adds=("manapani:E3",),
        replaces=("manapani:B4",),
        switchable=True,
    ),
    Option(
        name="chips",
        title=Title("Chips of each colour", "各色のチップ数"),
        choices=tuple(range(STARTING_CHIPS * SEATS[0], 41)),  # manapani:E11: how many are enough depends on the players
        default=20,
    ),
)


class Options(msgspec.Struct, frozen=True):
    """The options of a game."""

    level_drop: Literal["before", "after"] = "before"
    chips: int = 20
