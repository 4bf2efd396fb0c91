"""What a page has to know to record a game that no service knows yet: it was opened without a network."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from games.contract import as_json
from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.components import END, READY, read_template, typed
from games.scoresheet.state import ScoresheetState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import JSON
    from games.scoresheet.components import Marker, Stop, Template


def keypad(template: Template, stops: Sequence[Stop] = (), markers: Sequence[Marker] = ()) -> dict[str, Any]:
    """What the keypad has to know of a score sheet: its name, its rounds, and the columns that are entered.

    Labels are as they are typed. `stops` are the ways to stop the game early, `markers` what goes round the table, and
    `late` is what somebody who comes late gets for what was missed.
    """
    columns = [
        as_json(replace(column, labels={typed(word): column.labels[word] for word in column.labels}))
        for column in template.entered
    ]
    ways = [{"text": f"{END} {stop.id}", "name": stop.name} for stop in stops]
    going = [{"id": marker.id, "name": marker.name} for marker in markers]
    return {
        "name": template.name,
        "rounds": template.rounds,
        "columns": columns,
        "stops": ways,
        "markers": going,
        "late": template.late,
    }


@cache
def ready_sheets() -> dict[str, JSON]:
    """The ready score sheets by name, as `sheet` has them."""
    return {name: sheet(data) for name, data in READY.items()}


def sheet(data: JSON) -> JSON:
    """A score sheet before anything is entered: the keypad's, the first `seats` of teams, and the `lines` due first.

    A line is the legal move without its values: its `notation` up to them, and the `words` that they can be, if few.
    """
    state = _empty(data)
    lines = []
    for move in state.legal_moves():
        blanks = state.blanks(move)
        notation = state.notation(move).removesuffix(" ?" * len(blanks)) if blanks else state.notation(move)
        words = blanks[0].choices if blanks else None
        lines.append({"move": SCORESHEET.move_data(move), "notation": notation, "words": words})
    firsts = [members[0] for members in state.members] if state.template.teams else None
    return keypad(state.template) | {"lines": lines, "firsts": firsts}


def _empty(data: JSON) -> ScoresheetState:
    """The sheet for as few people as can play by it."""
    template = read_template(data)
    for seats in SCORESHEET.seats:
        try:
            return ScoresheetState.begin({}, data, seats)
        except BadOpeningError:
            continue
    raise AssertionError(template.name)
