"""Whether the sides of a sheet have equally many cells filled in, so that their points can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.scoresheet.moves.cells import is_settled
from games.scoresheet.template import line_name

if TYPE_CHECKING:
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column


def is_even(state: ScoresheetState) -> bool:
    """Whether all sides have equally many cells filled in: in the last two rounds, or on a sheet without rounds.

    The round before the last one may be filled in later. Columns of the whole game must be filled in once one of them
    is begun; on a sheet with rounds, except those with a default.
    """
    template = state.template
    if not template.has_rounds:
        return not any(_has_gaps(state, column, None) for column in template.entered_columns)
    rounds = range(max(1, state.round - 1), state.round + 1)
    columns = [column for column in template.entered_columns if column.per == "round"]
    if any(_waits(state, column, number) for number in rounds for column in columns):
        return False
    needed = [
        column
        for column in template.entered_columns
        if column.per == "game" and column.default is None and not column.shared
    ]
    begun = any(line_name(column.id, None) in state.cells for column in needed)
    return not (begun and any(_has_gaps(state, column, None) for column in needed))


def _waits(state: ScoresheetState, column: Column, number: int) -> bool:
    """Whether cells of a round are due.

    Cells with a default are due if others were filled in and no check settles them.
    """
    if column.default is None:
        return _has_gaps(state, column, number)
    begun = number == state.round and line_name(column.id, number) in state.cells
    return begun and _has_gaps(state, column, number) and not is_settled(state, column, number)


def _has_gaps(state: ScoresheetState, column: Column, number: int | None) -> bool:
    return next(state.empty(column, number), None) is not None
