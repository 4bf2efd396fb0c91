"""A state in words and lists, for programs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.scoresheet.markers import current_markers
from games.scoresheet.scoring import due_lines
from games.scoresheet.template import exact, line_name, line_title
from games.scoresheet.values import Sheet, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import JSON
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Column


def describe(state: ScoresheetState) -> JSON:
    """The sheet line by line with computed values or their errors, the due lines in order, and the players."""
    sheet = Sheet(state)
    template = state.template
    column, due = template.default_column, due_lines(state)
    rounds = [number for _, number in due if number is not None]
    markers = {marker.title.en: [state.seat_name(seat) for seat in marker.seats] for marker in current_markers(state)}
    names = [side_name(state, side) for side in range(state.sides)]
    said: JSON = {
        "template": template.name,
        "round": rounds[0] if rounds else state.next_round(column) if column else None,
        "due": [
            {"line": line_name(part.id, number), "title": line_title(template, part, number)} for part, number in due
        ],
        "sides": {
            name: [state.seat_name(seat) for seat in team] for name, team in zip(names, state.members, strict=True)
        },
        "sheet": {line: _cells(sheet, names, part, number) for line, part, number in lines(state)},
        "adjustments": [f"{names[given.side]} {given.points:+} {given.reason}" for given in state.credits],
        "totals": dict(zip(names, sheet.totals(), strict=True)),
        "target": template.target,
        "joined_in_round": {names[side]: since for side, since in enumerate(state.since) if since > 1},
        "dropped_out": [state.seat_name(seat) for seat in sorted(state.out)],
    }
    return said | ({"markers": markers} if markers else {})


def lines(state: ScoresheetState) -> Iterator[tuple[str, Column, int | None]]:
    """The lines of the sheet: the begun rounds, then the columns of the whole game."""
    for number in state.begun_rounds():
        yield from (
            (line_name(part.id, number), part, number) for part in state.template.columns if part.per == "round"
        )
    yield from ((part.id, part, None) for part in state.template.columns if part.per == "game")


def side_name(state: ScoresheetState, side: int) -> str:
    """The name of a side: of its team, or of its seat."""
    teams = state.template.teams
    return teams[side].name if teams else state.seat_name(state.members[side][0])


def _cells(sheet: Sheet, names: list[str], column: Column, number: int | None) -> JSON:
    if column.shared:
        return {"all": _cell(sheet, column, number, 0)}
    return {name: _cell(sheet, column, number, side) for side, name in enumerate(names)}


def _cell(sheet: Sheet, column: Column, number: int | None, side: int) -> str | float | None:
    value, why = sheet.number(column, number, side)
    if value is None:
        return why or None
    if type(value) is int:
        return value
    fraction = exact(value)
    return fraction.numerator if fraction.denominator == 1 else number_text(fraction)
