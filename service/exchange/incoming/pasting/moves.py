"""The moves that enter the values of a table into a score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from games.scoresheet.moves import Enter, Line
from games.scoresheet.template import exact
from games.scoresheet.work import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from games.scoresheet.state import ScoresheetState
    from service.exchange.incoming.pasting.grid import Place
    from service.exchange.incoming.pasting.table import FoundValue


class PlannedMove(NamedTuple):
    """A move that enters values of a table, with the row and the column of its first cell."""

    move: Line | Enter
    row: int
    column: int

    @property
    def cells(self) -> int:
        """The number of cells that it fills in or changes."""
        return 1 if isinstance(self.move, Enter) else sum(value is not None for value in self.move.values)


def moves_for(state: ScoresheetState, values: Mapping[Place, FoundValue]) -> list[PlannedMove]:
    """The moves that enter values into a sheet: one per line of empty cells, and one per changed cell."""
    order = {column.id: number for number, column in enumerate(state.template.entered_columns)}
    lines: dict[tuple[int, int], list[Place]] = {}
    for place in values:
        if not _is_unchanged(state, place, values[place].value):
            lines.setdefault((place.round or ROUNDS + 1, order[place.column]), []).append(place)
    return [wanted for key in sorted(lines) for wanted in _moves_of_line(state, sorted(lines[key]), values)]


def _is_unchanged(state: ScoresheetState, place: Place, value: Fraction) -> bool:
    cell = state.cell(state.template.by_id[place.column], place.round, place.side)
    return cell is not None and exact(cell.value) == value


def _moves_of_line(
    state: ScoresheetState, places: Sequence[Place], values: Mapping[Place, FoundValue]
) -> Iterator[PlannedMove]:
    column, number = state.template.by_id[places[0].column], places[0].round
    new = [place for place in places if state.cell(column, number, place.side) is None]
    if new or column.shared:
        given = {place.side: _number(values[place].value) for place in (new or places)}
        sides: Iterable[int] = range(1 if column.shared else state.sides)
        first = values[(new or places)[0]]
        line = Line(column=column.id, round=number, values=tuple(given.get(side) for side in sides))
        yield PlannedMove(line, first.row, first.column)
    for place in [] if column.shared else [place for place in places if place not in new]:
        value, row, at = values[place]
        seat = state.members[place.side][0]
        yield PlannedMove(Enter(seat=seat, column=column.id, round=number, value=_number(value)), row, at)


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
