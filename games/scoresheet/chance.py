"""What a table might have scored: for random play."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec

from games.scoresheet.moves import Line, ScoresheetMove

if TYPE_CHECKING:
    from games.contract import Chance
    from games.scoresheet.components import Column
    from games.scoresheet.state import ScoresheetState

LOW, SPAN = -10, 40
"""The least value that a column without limits may have by chance, and how much more the greatest is."""


def fill_in(state: ScoresheetState, move: ScoresheetMove, chance: Chance) -> ScoresheetMove:
    """The move with a value for every cell that it leaves open and that is empty and due."""
    if not isinstance(move, Line):
        return move
    column = state.template.by_id[move.column]
    values = [
        chance.sample(_choices(column), 1)[0] if value is None and _open(state, column, move.round, side) else value
        for side, value in enumerate(move.values)
    ]
    return msgspec.structs.replace(move, values=tuple(values))


def _open(state: ScoresheetState, column: Column, number: int | None, side: int) -> bool:
    if state.cell(column, number, side) is not None:
        return False
    return column.shared or state.obliged(side, number)


def _choices(column: Column) -> list[float]:
    if column.labels:
        return list(column.labels.values())
    if column.least is not None:
        least = math.ceil(column.least)
    else:
        least = LOW if column.most is None else math.floor(column.most) - SPAN
    most = least + SPAN if column.most is None else min(least + SPAN, math.floor(column.most))
    return list(range(least, most + 1)) or [column.least or 0]
