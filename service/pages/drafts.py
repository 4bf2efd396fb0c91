"""Data for recording a game that was opened offline and is not on the service yet."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from games.contract import as_json
from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from games.scoresheet.spelling import END, typed_form
from games.scoresheet.state import ScoresheetState
from games.scoresheet.template import Template

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.contract import JSON
    from games.scoresheet.template import Column, Marker, Stop


def keypad(template: Template, stops: Sequence[Stop] = (), markers: Sequence[Marker] = ()) -> dict[str, Any]:
    """The keypad's data of a score sheet: its name, its rounds, and the columns to enter.

    Labels are in their typed form. `stops` are the ways to stop the game early, `markers` move around the table, and
    `late` is the rule for what late players get for missed rounds.
    """
    ways = [{"text": f"{END} {stop.id}", "name": stop.name} for stop in stops]
    going = [{"id": marker.id, "name": marker.name} for marker in markers]
    return {
        "name": template.name,
        "rounds": template.rounds,
        "columns": _as_typed(template.entered_columns),
        "stops": ways,
        "markers": going,
        "late": template.late,
    }


def _as_typed(columns: Iterable[Column]) -> list[JSON]:
    return [
        as_json(replace(column, labels={typed_form(word): column.labels[word] for word in column.labels}))
        for column in columns
    ]


@cache
def ready_sheets() -> dict[str, JSON]:
    """The ready score sheets by name, in the form of `sheet`."""
    return {name: sheet(data) for name, data in READY.items()}


def sheet(data: JSON) -> JSON:
    """An empty score sheet: the data for the keypad, the first `seats` of teams, and the first `lines` that are due.

    A line is a legal move without values: its `notation` before them, and the possible `words` for them if few.
    It has the columns and lines of all options. The page keeps those of the `chosen` options. Some options change the
    number of `rounds_with` them.
    """
    whole = msgspec.convert(data, Template)
    state = _open_empty(_with_every_option(whole) if whole.options else data)
    lines = []
    for move in state.legal_moves():
        blanks = state.blanks(move)
        notation = state.notation(move).removesuffix(" ?" * len(blanks)) if blanks else state.notation(move)
        words = blanks[0].choices if blanks else None
        lines.append({"move": SCORESHEET.move_data(move), "notation": notation, "words": words})
    firsts = [members[0] for members in state.members] if state.template.teams else None
    rounds = {option.id: option.sets.rounds for option in whole.options if option.sets.rounds is not msgspec.UNSET}
    return keypad(state.template) | {
        "columns": _as_typed(whole.entered_columns),
        "lines": lines,
        "firsts": firsts,
        "chosen": whole.chosen,
        "rounds_with": rounds,
    }


def _with_every_option(whole: Template) -> JSON:
    """The template with all options on. A column that differs by options occurs once."""
    columns: dict[str, Column] = {}
    for column in whole.entered_columns:
        columns.setdefault(column.id, replace(column, when=None, unless=None, check=None))
    sheet = Template(
        name=whole.name, columns=tuple(columns.values()), rounds=whole.rounds, teams=whole.teams, wins=whole.wins
    )
    return as_json(sheet)


def _open_empty(data: JSON) -> ScoresheetState:
    """The opened, empty sheet for the fewest possible people."""
    for seats in SCORESHEET.seats:
        try:
            return ScoresheetState.begin({}, data, seats)
        except BadOpeningError:
            continue
    raise AssertionError(data["name"])
