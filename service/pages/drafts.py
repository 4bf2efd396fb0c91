"""What a page has to know to record a game that no service knows yet: it was opened without a network."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from games.contract import as_json
from games.errors import BadOpeningError
from games.scoresheet import SCORESHEET
from games.scoresheet.components import EARLY, END, NOBODY, READY, read_template, typed
from games.scoresheet.state import ScoresheetState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import JSON
    from games.scoresheet.components import Stop, Template


def keypad(template: Template, stops: Sequence[Stop] | None = None) -> dict[str, Any]:
    """What the keypad has to know of a score sheet; its `stops` are those of the template, perhaps in a language.

    Its name, its rounds, and the columns that are entered, with labels as they are typed. Also the ways to stop it
    early: the text to type, and the name of an end that is the game's own.
    """
    columns = [
        as_json(replace(column, labels={typed(word): column.labels[word] for word in column.labels}))
        for column in template.entered
    ]
    usual = [f"{END} {NOBODY}"] if template.wins == "cooperative" else [f"{END} {EARLY}", f"{END} {NOBODY}"]
    named = template.stops if stops is None else stops
    ways = [{"text": text, "name": None} for text in usual]
    ways += [{"text": f"{END} {stop.id}", "name": stop.name} for stop in named]
    return {"name": template.name, "rounds": template.rounds, "columns": columns, "stops": ways}


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
