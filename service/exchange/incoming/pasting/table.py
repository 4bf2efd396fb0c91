"""A table from a spreadsheet as values of a score sheet.

Lines (rows and columns) of the table mean a seat, a round, a column of the sheet, or several of these. The two lines of
a cell say its place on the sheet. Their meaning is guessed from the heads, and the user can set it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from service.exchange.incoming.pasting.grid import BadCellError, Cells, Grid, Lines, Place
from service.exchange.incoming.pasting.guessing import MeaningGuesser
from service.exchange.incoming.pasting.heads import TOTAL, Meaning, Names
from service.exchange.incoming.plays import BadFileError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from games.scoresheet.state import ScoresheetState
    from service.exchange.incoming.numbers import Decimal


class FoundValue(NamedTuple):
    """A value in a table, with its row and column there, from 0."""

    value: Fraction
    row: int
    column: int


Values = dict[Place, FoundValue]
"""The values of a table, by cell of the sheet."""


class TableProblem(msgspec.Struct, frozen=True):
    """A problem of a cell. Rows and columns count from 1."""

    row: int
    column: int
    why: str


class PastedTable:
    """A table, the meanings of its lines, and its values for the cells of a sheet.

    `rows` and `columns` set meanings of lines by index from 0; the others are guessed. So is `decimal`, the decimal
    separator, if it is None.
    """

    def __init__(
        self,
        state: ScoresheetState,
        people: Sequence[str | None],
        cells: Cells,
        rows: Mapping[int, str],
        columns: Mapping[int, str],
        decimal: Decimal | None,
    ) -> None:
        """Raises `BadFileError` for meanings of missing lines, and for meanings that are not valid."""
        self.state, self.names, self._grid = state, Names(state, people), Grid(state, cells, decimal)
        named = Lines(self._named("rows", rows, len(cells)), self._named("columns", columns, len(cells[0])))
        self._lines = MeaningGuesser(self._grid, self.names).best(named)
        self.rows, self.columns, self.decimal = *self._lines, self._grid.decimal

    def _named(self, field: str, said: Mapping[int, str], lines: int) -> dict[int, Meaning]:
        found = dict[int, Meaning]()
        for at, text in said.items():
            if at >= lines:
                raise BadFileError(f"{field}: the table has {lines}, and {at + 1} are named")
            meaning = self.names.parse(text)
            if meaning is None:
                raise BadFileError(
                    f"{field}: {text[:40]!r} is not a line of the sheet; write p1, r3, r3 bid, labels, values or -"
                )
            found[at] = meaning
        return found

    @cached_property
    def read_cells(self) -> tuple[Values, list[TableProblem]]:
        """The values by their places, and the problems of other cells."""
        values, problems = Values(), list[TableProblem]()
        for row, column, cell in self._grid.filled(self._lines):
            try:
                self._store_value(values, row, column, cell)
            except BadCellError as error:
                problems.append(TableProblem(row + 1, column + 1, str(error)))
        return values, problems

    def _store_value(self, values: Values, row: int, column: int, cell: str) -> None:
        """Store the value of a cell. Raises `BadCellError`."""
        place = self._grid.place(self._lines, row, column)
        if place is None:
            raise BadCellError("its row and its column together name no cell of the sheet")
        known = values.setdefault(place, FoundValue(self._grid.value(place, cell), row, column))
        if known.value != self._grid.value(place, cell):
            raise BadCellError(f"row {known.row + 1}, column {known.column + 1} has another value for the same cell")

    def totals(self, scores: Sequence[int]) -> Iterator[tuple[int, int, str, int]]:
        """The totals in the table that differ from the `scores` of the seats: row, column, text, and score."""
        for row, column, cell in self._grid.all_cells():
            across, down = self.rows[row], self.columns[column]
            of = across if across.side is not None else down
            value = self._grid.number(cell)
            if of.side is not None and of.round is None and value is not None and TOTAL in {across, down}:
                score = scores[self.state.members[of.side][0]]
                if value != score:
                    yield row + 1, column + 1, cell, score
