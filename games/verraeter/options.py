"""The options of Verräter: variants of the printed rules for a game."""

from __future__ import annotations

import msgspec

from games.contract import Option, Title

OPTIONS = (
    Option(
        name="alternating_allegiance",
        title=Title("Houses alternate around the table", "所属は交互に決める"),
        choices=(False, True),
        default=False,
        replaces=("verraeter:A1",),
    ),
    Option(
        name="strict_overflow",
        title=Title("Too many cards: take fewer or discard them all", "手札超過は二者択一"),
        choices=(False, True),
        default=False,
        switchable=True,
        adds=("verraeter:A28",),
        replaces=("verraeter:A12",),
    ),
)


class Options(msgspec.Struct, frozen=True):
    """The options of a game."""

    alternating_allegiance: bool = False
    strict_overflow: bool = False
