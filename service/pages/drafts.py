"""What a page has to know to record a game that no service knows yet: it was opened without a network."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from games.contract import as_json
from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from games.scoresheet.spelling import END, typed
from games.scoresheet.state import ScoresheetState
from games.scoresheet.template import Template

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.contract import JSON
    from games.scoresheet.template import Column, Marker, Stop


def keypad(template: Template, stops: Sequence[Stop] = (), markers: Sequence[Marker] = ()) -> dict[str, Any]:
    """What the keypad has to know of a score sheet: its name, its rounds, and the columns that are entered.

    Labels are as they are typed. `stops` are the ways to stop the game early, `markers` what goes round the table, and
    `late` is what somebody who comes late gets for what was missed.
    """
    ways = [{"text": f"{END} {stop.id}", "name": stop.name} for stop in stops]
    going = [{"id": marker.id, "name": marker.name} for marker in markers]
    return {
        "name": template.name,
        "rounds": template.rounds,
        "columns": _as_typed(template.entered),
        "stops": ways,
        "markers": going,
        "late": template.late,
    }


def _as_typed(columns: Iterable[Column]) -> list[JSON]:
    return [
        as_json(replace(column, labels={typed(word): column.labels[word] for word in column.labels}))
        for column in columns
    ]


@cache
def ready_sheets() -> dict[str, JSON]:
    """The ready score sheets by name, as `sheet` has them."""
    return {name: sheet(data) for name, data in READY.items()}


def sheet(data: JSON) -> JSON:
    """A score sheet before anything is entered: the keypad's, the first `seats` of teams, and the `lines` due first.

    A line is the legal move without its values: its `notation` up to them, and the `words` that they can be, if few.
    The columns and lines of all options are there; the page takes those of the options that are `chosen`. Some options
    change the number of `rounds_with` them.
    """
    whole = msgspec.convert(data, Template)
    state = _empty(_with_every_option(whole) if whole.options else data)
    lines = []
    for move in state.legal_moves():
        blanks = state.blanks(move)
        notation = state.notation(move).removesuffix(" ?" * len(blanks)) if blanks else state.notation(move)
        words = blanks[0].choices if blanks else None
        lines.append({"move": SCORESHEET.move_data(move), "notation": notation, "words": words})
    firsts = [members[0] for members in state.members] if state.template.teams else None
    rounds = {option.id: option.sets.rounds for option in whole.options if option.sets.rounds is not msgspec.UNSET}
    return keypad(state.template) | {
        "columns": _as_typed(whole.entered),
        "lines": lines,
        "firsts": firsts,
        "chosen": whole.chosen,
        "rounds_with": rounds,
    }


def _with_every_option(whole: Template) -> JSON:
    """The sheet with all that is entered with any option. A column that differs by options is there once."""
    columns: dict[str, Column] = {}
    for column in whole.entered:
        columns.setdefault(column.id, replace(column, when=None, unless=None, check=None))
    sheet = Template(
        name=whole.name, columns=tuple(columns.values()), rounds=whole.rounds, teams=whole.teams, wins=whole.wins
    )
    return as_json(sheet)


def _empty(data: JSON) -> ScoresheetState:
    """The sheet for as few people as can play by it."""
    for seats in SCORESHEET.seats:
        try:
            return ScoresheetState.begin({}, data, seats)
        except BadOpeningError:
            continue
    raise AssertionError(data["name"])
