"""The sheet in rows and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import Title
from games.scoresheet.describe import lines, side_name
from games.scoresheet.markers import current_markers
from games.scoresheet.scoring import reason_of
from games.scoresheet.sketch import EMPTY, cell_text
from games.scoresheet.values import Sheet
from games.tables import NONE, PLAYER, POINTS, Table
from games.words import Sentence, comma_list

if TYPE_CHECKING:
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column


def tables(state: ScoresheetState) -> list[Table]:
    """The lines of the sheet with a column for each side, its totals, bonus and penalty, and the markers."""
    sheet, sides = Sheet(state), range(state.sides)
    names = [Sentence(side_name(state, side)) for side in sides]
    rows = [
        (
            _title(state.template.round_title(number or 0), part, number),
            *(_cell(sheet, part, number, side) for side in sides),
        )
        for _, part, number in lines(state)
    ]
    if sheet.has_points:
        rows.append((Sentence("Total"), *map(str, sheet.totals())))
    found = [Table(state.template.name, (Sentence("Line"), *names), tuple(rows))]
    if state.credits:
        given = tuple((names[each.side], f"{each.points:+}", reason_of(state, each)) for each in state.credits)
        found.append(Table(Sentence("Bonus and penalty"), (Sentence("Side"), POINTS, Sentence("Reason")), given))
    if going := current_markers(state):
        rows = [(Sentence("{title}", title=each.title), _seat_names(state, each.seats)) for each in going]
        found.append(Table(Sentence("Markers"), (Sentence("Marker"), PLAYER), tuple(rows)))
    return found


def _seat_names(state: ScoresheetState, seats: tuple[int, ...]) -> str:
    return comma_list([Sentence(state.seat_name(seat)) for seat in seats]) if seats else NONE


def _title(name: str, column: Column, number: int | None) -> Sentence:
    """The name of a line: `Round 3, points`, `First half, points`, or `Wood`."""
    title = Title(column.title, column.ja or column.title)
    if number is None:
        return Sentence("{title}", title=title)
    if name:
        return Sentence("{name}, {title}", name=name, title=title)
    return Sentence("Round {number}, {title}", number=number, title=title)


def _cell(sheet: Sheet, column: Column, number: int | None, side: int) -> str:
    text = cell_text(sheet, column, number, side)
    return Sentence("empty") if text == EMPTY else text
