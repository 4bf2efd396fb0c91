"""A state in words and lists, for programs and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.scoresheet.components import line_name, line_title
from games.scoresheet.markers import shown
from games.scoresheet.scoring import waiting
from games.scoresheet.values import Sheet, spell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import JSON
    from games.scoresheet.components import Column
    from games.scoresheet.state import ScoresheetState


def describe(state: ScoresheetState) -> JSON:
    """The sheet line by line, what is computed and why it cannot be, the lines that are due in order, and who is in."""
    sheet = Sheet(state)
    template = state.template
    column, due = template.usual, waiting(state)
    rounds = [number for _, number in due if number is not None]
    markers = {marker.title.en: [state.seat_name(seat) for seat in marker.seats] for marker in shown(state)}
    said: JSON = {
        "template": template.name,
        "round": rounds[0] if rounds else state.next_round(column) if column else None,
        "due": [
            {"line": line_name(part.id, number), "title": line_title(template, part, number)} for part, number in due
        ],
        "sides": {
            side_name(state, side): [state.seat_name(seat) for seat in team] for side, team in enumerate(state.members)
        },
        "sheet": {name: _cells(sheet, part, number) for name, part, number in lines(state)},
        "adjustments": [f"{side_name(state, given.side)} {given.points:+} {given.reason}" for given in state.credits],
        "totals": {side_name(state, side): total for side, total in enumerate(sheet.totals())},
        "target": template.target,
        "joined_in_round": {side_name(state, side): since for side, since in enumerate(state.since) if since > 1},
        "dropped_out": [state.seat_name(seat) for seat in sorted(state.out)],
    }
    return said | ({"markers": markers} if markers else {})


def lines(state: ScoresheetState) -> Iterator[tuple[str, Column, int | None]]:
    """The lines of the sheet: the rounds in which something stands, then the columns of the whole game."""
    for number in state.begun():
        yield from (
            (line_name(part.id, number), part, number) for part in state.template.columns if part.per == "round"
        )
    yield from ((part.id, part, None) for part in state.template.columns if part.per == "game")


def side_name(state: ScoresheetState, side: int) -> str:
    """What a side is called: its team's name, or its seat's."""
    teams = state.template.teams
    return teams[side].name if teams else state.seat_name(state.members[side][0])


def _cells(sheet: Sheet, column: Column, number: int | None) -> JSON:
    state = sheet.state
    if column.shared:
        return {"all": _cell(sheet, column, number, 0)}
    return {side_name(state, side): _cell(sheet, column, number, side) for side in range(state.sides)}


def _cell(sheet: Sheet, column: Column, number: int | None, side: int) -> str | float | None:
    value = sheet.value(column, number, side)
    if value.number is None:
        return value.why or None
    if value.number.denominator == 1:
        return value.number.numerator
    return spell(value.number)
