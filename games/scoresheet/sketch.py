"""The sheet as a drawing for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.scoresheet.describe import lines, side_name
from games.scoresheet.markers import current_markers
from games.scoresheet.scoring import due_lines
from games.scoresheet.template import line_title
from games.scoresheet.values import Sheet, write_value
from games.sketch import Canvas, Sketch, Span

if TYPE_CHECKING:
    from games.contract import SeatMarker
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column

LABEL, WIDTH = 23, 7
"""The widths in characters of a line's name and of a side's cell."""
BLOCK = 8
"""The most sides next to each other."""
EMPTY = "·"
"""The mark of an empty cell."""


def draw(state: ScoresheetState) -> Sketch:
    """The sheet as a table, eight sides at a time, with the totals below it."""
    sheet = Sheet(state)
    drawing: Sketch = [[Span(_heading(state))]]
    for marker in current_markers(state):
        if marker.seats:
            drawing.append(_marker(state, marker))
    for first in range(0, state.sides, BLOCK):
        drawing += _block(sheet, range(first, min(first + BLOCK, state.sides)))
    for given in state.credits:
        drawing.append([Span(f"{side_name(state, given.side)} {given.points:+} {given.reason}"[:80], given.side)])
    return drawing


def _marker(state: ScoresheetState, marker: SeatMarker) -> list[Span]:
    """The players who have a marker."""
    name, (first, *others) = marker.title.en[: LABEL - 2], marker.seats
    said = [Span(f"{name}: ", "faint"), Span(state.seat_name(first), first)]
    return said + [span for seat in others for span in (Span(", "), Span(state.seat_name(seat), seat))]


def _heading(state: ScoresheetState) -> str:
    if state.closing:
        return f"{state.template.name}, the game is over"
    if due := due_lines(state):
        return f"{state.template.name}, next: {line_title(state.template, *due[0])}"
    return f"{state.template.name}, round {state.round}" if state.round else state.template.name


def _block(sheet: Sheet, sides: range) -> Sketch:
    state, canvas = sheet.state, Canvas()
    for column, side in enumerate(sides):
        _cell(canvas, 0, column, side_name(state, side), side)
    row = 0
    for row, (name, part, number) in enumerate(lines(state), 1):
        canvas.write(row, 0, name[:LABEL], "faint")
        for column, side in enumerate(sides):
            if column == 0 or not part.shared:
                _cell(canvas, row, column, cell_text(sheet, part, number, side), None)
    if sheet.has_points:
        _totals(canvas, row + 1, sheet, sides)
    return canvas.sketch()


def _totals(canvas: Canvas, row: int, sheet: Sheet, sides: range) -> None:
    canvas.write(row, 0, "total", "faint")
    totals = sheet.totals()
    for column, side in enumerate(sides):
        _cell(canvas, row, column, str(totals[side]), side)


def _cell(canvas: Canvas, row: int, column: int, text: str, seat: int | None) -> None:
    cut = text if len(text) < WIDTH else f"{text[: WIDTH - 2]}…"
    canvas.write(row, LABEL + column * WIDTH + WIDTH - len(cut), cut, seat)


def cell_text(sheet: Sheet, column: Column, number: int | None, side: int) -> str:
    """The text of a cell: a value or its label, `·` if it is empty, `#` if it cannot be computed."""
    value, why = sheet.number(column, number, side)
    if value is None:
        return "#" if why else EMPTY
    return write_value(column, value)
