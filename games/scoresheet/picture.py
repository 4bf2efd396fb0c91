"""The sheet as an SVG document: a table that is legible on a phone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from games import svg
from games.scoresheet.describe import lines, side_name
from games.scoresheet.markers import current_markers
from games.scoresheet.moves import Line
from games.scoresheet.notation import write
from games.scoresheet.sketch import cell_text
from games.scoresheet.spelling import typed_form
from games.scoresheet.values import Sheet, write_value
from games.words import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column

LABEL, ROW, HEAD, MARKED = 300, 72, 84, 28
"""The width of line names, and the heights of a line, of a heading, and of the markers below a name."""
GAP = 14
"""The gap between the names of two sides, and between their numbers."""
NAME = 34
"""The size of the letters of a name with enough room."""
DIGIT, LETTER = 0.76, 0.56
"""The width of a digit in the widest font and of a usual letter, as parts of their size."""
SMALLEST = 14
"""The smallest size of digits."""
BLOCK = 5
"""The most sides next to each other: more would be too narrow for a phone."""
LAST = 30
"""The number of newest round lines that are drawn; earlier ones only count in the totals."""
LEAST = 334
"""The least width of a shown sheet in pixels: its lines are 24 pixels high then, and each cell can be tapped."""

INK, PAPER, LINE, SHADE, FAINT, GOLD = "#1d2a33", "#fdfaf1", "#d8cfb8", "#f3ecd9", "#5b646b", "#a66a00"


def draw(state: ScoresheetState) -> str:
    """The whole sheet as one self-contained document."""
    sheet = Sheet(state)
    abreast = _sides_per_block(state.sides)
    blocks = [range(first, min(first + abreast, state.sides)) for first in range(0, state.sides, abreast)]
    shown = _shown(state)
    block_height = _head(state) + ROW * (len(shown) + sheet.has_points + bool(state.credits)) + 24
    height = HEAD + len(blocks) * block_height
    body = [
        svg.text(30, 56, _title(state), 36, INK, bold=True),
    ]
    for number, sides in enumerate(blocks):
        body.append(f'<g transform="translate(0 {HEAD + number * block_height})">')
        body += [*_block(sheet, shown, sides), "</g>"]
    return svg.document(_title(state), _description(sheet), height, PAPER, body, LEAST, whole=True)


def _sides_per_block(sides: int) -> int:
    """The number of sides next to each other, for the fewest blocks of equal size."""
    return math.ceil(sides / math.ceil(sides / BLOCK))


# In words


def _title(state: ScoresheetState) -> str:
    name = state.template.name
    if state.closing:
        return f"{name}, the game is over"
    return f"{name}, round {state.round}" if state.round else name


def _description(sheet: Sheet) -> str:
    state = sheet.state
    points = ", ".join(f"{side_name(state, side)} {total}" for side, total in enumerate(sheet.totals()))
    said = f"The points: {points}." if sheet.has_points else _ranking(state)
    gone = ", ".join(side_name(state, side) for side in range(state.sides) if not state.plays(side))
    return (said + (f" Dropped out: {gone}." if gone else "")).strip()


def _ranking(state: ScoresheetState) -> str:
    """The values that rank the sides of a sheet without points."""
    deciding = state.deciding()
    values = [deciding.values[members[0]] for members in state.members] if deciding else []
    said = ", ".join(f"{side_name(state, side)} {value}" for side, value in enumerate(values) if value)
    return f"{deciding.title.en}: {said}." if deciding and said else ""


# The table


def _shown(state: ScoresheetState) -> list[tuple[str, Column, int | None]]:
    every = list(lines(state))
    in_rounds = [line for line in every if line[2] is not None]
    return in_rounds[-LAST:] + [line for line in every if line[2] is None]


def _due(sheet: Sheet, shown: list[tuple[str, Column, int | None]], sides: range) -> int | None:
    """The line with the next cell to fill in; if there is none, the last round line."""
    state = sheet.state
    for row, (_, column, number) in enumerate(shown):
        shown_here = range(1) if column.shared else sides
        if column.formula is None and any(side in shown_here for side in state.empty(column, number)):
            return row
    return next((row for row in reversed(range(len(shown))) if shown[row][2] is not None), None)


def _block(sheet: Sheet, shown: list[tuple[str, Column, int | None]], sides: range) -> Iterator[str]:
    state = sheet.state
    width = (svg.WIDTH - LABEL - 20) / max(2, _sides_per_block(state.sides))
    middles = {side: LABEL + width * (place + 0.5) for place, side in enumerate(sides)}
    won = _winners(state)
    for side, x in middles.items():
        colour = GOLD if side in won else INK if state.plays(side) else FAINT
        name = svg.text(x, 58, *_fitting_name(state, side, width), colour, bold=True, anchor="middle")
        members = state.members[side]
        yield svg.player_name(members[0], width - GAP, name) if not state.template.teams else name
    head = _head(state)
    yield from _markers(state, middles, width)
    due = _due(sheet, shown, sides)
    for row, line in enumerate(shown):
        drawn = _line(sheet, line, middles, width, head + row * ROW, shaded=row % 2 == 0)
        yield svg.current(drawn) if row == due else "".join(drawn)
    top = head + len(shown) * ROW
    if state.credits:
        yield from _adjustments(state, middles, width, top)
        top += ROW
    if sheet.has_points:
        yield from _totals(sheet, middles, width, top)


def _totals(sheet: Sheet, middles: dict[int, float], width: float, top: int) -> Iterator[str]:
    yield f'<line x1="20" y1="{top}" x2="{svg.WIDTH - 20}" y2="{top}" stroke="{INK}" stroke-width="3"/>'
    yield svg.text(30, top + 44, "Total", 34, INK, bold=True)
    totals, won = sheet.totals(), _winners(sheet.state)
    for side, x in middles.items():
        total, colour = str(totals[side]), GOLD if side in won else INK
        yield svg.text(x, top + 46, total, _fitting(total, width, 38), colour, bold=True, anchor="middle")


def _head(state: ScoresheetState) -> int:
    """The height of the names of the sides, with the markers below them."""
    return HEAD + MARKED * len(current_markers(state))


def _markers(state: ScoresheetState, middles: dict[int, float], width: float) -> Iterator[str]:
    """The markers, each below the names of the sides that have it."""
    for place, marker in enumerate(current_markers(state)):
        sides = {state.side_of[seat] for seat in marker.seats}
        for side, x in middles.items():
            if side in sides:
                name = _short(marker.title.en, width, 24)
                yield svg.text(x, HEAD + 2 + place * MARKED, name, 24, FAINT, anchor="middle")


def _line(
    sheet: Sheet,
    line: tuple[str, Column, int | None],
    middles: dict[int, float],
    width: float,
    top: int,
    *,
    shaded: bool,
) -> Iterator[str]:
    _, column, number = line
    state = sheet.state
    fillable = state.fillable(column, number) if column.formula is None else []
    if shaded:
        yield f'<rect x="20" y="{top}" width="{svg.WIDTH - 40}" height="{ROW}" fill="{SHADE}"/>'
    label = column.title if number is None else f"{_round(state, number)} {column.title}"
    yield svg.text(30, top + 46, _short(label, LABEL, 28), 28, FAINT)
    for side, x in middles.items():
        if column.shared and side != min(middles):
            continue
        text = cell_text(sheet, column, number, side)
        runs = column.counts and number is not None
        size = _fitting(text, width, 34)
        drawn = svg.text(x, top + (38 if runs else 48), text, size, INK if column.counts else FAINT, anchor="middle")
        if column.counts and number is not None:
            running = str(sheet.running_sums(column, side)[number])
            drawn += svg.text(x, top + 64, running, _fitting(running, width, 24), FAINT, anchor="middle")
        if column.formula is not None:
            yield drawn
        else:
            yield f"{_cell(state, column, number, side, fillable)}{_target(x, width, top)}{drawn}</g>"


def _round(state: ScoresheetState, number: int) -> str:
    name = state.template.round_title(number)
    return f"{name}:" if name else f"{number}."


def _cell(state: ScoresheetState, column: Column, number: int | None, side: int, fillable: list[int]) -> str:
    """The beginning of a cell's group.

    A tap on a filled cell types its change; an empty cell is filled in with its line.
    """
    place = state.cell_name(column, number, side)
    if (cell := state.cell(column, number, side)) is not None:
        return svg.group(place, types=f"{place} {typed_form(write_value(column, cell.value))}")
    if side not in fillable:
        return svg.group(place)
    line = Line(column=column.id, round=number, values=(None,) * (1 if column.shared else state.sides))
    means = f"type=line column={column.id}" + ("" if number is None else f" round={number}")
    return svg.group(place, means, write(state, line), fillable.index(side))


def _target(x: float, width: float, top: int) -> str:
    """The area of a cell to tap. Its middle is tinted."""
    return (
        f'<rect x="{x - width / 2:.0f}" y="{top}" width="{width:.0f}" height="{ROW}" fill="{LINE}" opacity="0"/>'
        f'<rect x="{x - 50:.0f}" y="{top + 2}" width="100" height="{ROW - 4}" rx="8" fill="{LINE}" opacity=".35"/>'
    )


def _adjustments(state: ScoresheetState, middles: dict[int, float], width: float, top: int) -> Iterator[str]:
    yield svg.text(30, top + 46, Sentence("bonus and penalty"), 28, FAINT)
    for side, x in middles.items():
        points = sum(credit.points for credit in state.credits if credit.side == side)
        given = f"{points:+}" if points else "·"
        yield svg.text(x, top + 48, given, _fitting(given, width, 34), INK, anchor="middle")


def _winners(state: ScoresheetState) -> set[int]:
    result = state.outcome()
    return {state.side_of[seat] for seat in result.winners} if result else set()


def _short(text: str, width: float, size: int) -> str:
    """The text, cut off to fit the room."""
    room = max(3, int(width / (size * LETTER)))
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _fitting_name(state: ScoresheetState, side: int, width: float) -> tuple[str, int]:
    """The name of a side, and the size of its letters: smaller ones first, and cut only if they do not fit then."""
    names = [side_name(state, other) for other in range(state.sides)]
    size = min(NAME, max(svg.LEGIBLE, int((width - GAP) / (LETTER * len(names[side])))))
    return svg.shorten(names[side], names, lambda name: len(name) * LETTER * size <= width - GAP), size


def _fitting(number: str, width: float, size: int) -> int:
    """The size of a number's digits, reduced if the number would run into the next column."""
    return min(size, max(SMALLEST, int((width - GAP) / (DIGIT * max(1, len(number))))))
