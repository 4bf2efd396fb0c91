"""What each move does on the sheet. A move that cannot be is refused before anything is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.contract import Effect
from games.errors import ImpossibleError
from games.scoresheet.components import too_fine
from games.scoresheet.moves import Adjust, Decide, Enter, Finish, Join, Leave, Line, ScoresheetMove
from games.scoresheet.scoring import due_rounds, outcome, reached
from games.scoresheet.state import Adjustment, Cell, Ending, line_name
from games.scoresheet.values import spell
from games.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from games.scoresheet.components import Column
    from games.scoresheet.state import ScoresheetState

KINDS = {
    "cell.entered": "{seat} entered {at}",
    "cell.changed": "{seat} changed {at}",
    "cell.shared": "All share {at}",
    "bonus.given": "{seat} gained {count} for {at}",
    "penalty.given": "{seat} lost {count} for {at}",
    "seat.left": "{seat} dropped out",
    "seat.joined": "{seat} joined with {count}",
    "target.reached": "{seat} reached the target of {count}",
    "game.won": "{seat} won",
    "game.tied": "{seat} shares the victory",
    "game.lost": "Nobody won",
}
"""Every kind of effect, and the sentence it reads as."""


def apply(state: ScoresheetState, move: ScoresheetMove) -> list[Effect]:
    """Carry the move out, and say what followed. Raises `ImpossibleError`."""
    if state.template.target is None:
        return carry_out(state, move)
    before = reached(state)
    effects = carry_out(state, move)
    return effects + newly_reached(state, before)


def carry_out(state: ScoresheetState, move: ScoresheetMove) -> list[Effect]:
    """Carry the move out, and say what it did itself; who has reached the target takes the whole sheet to know."""
    return _APPLY[type(move)](state, move)


def newly_reached(state: ScoresheetState, before: Sequence[int]) -> list[Effect]:
    """What follows where sides have come up to the target beside those that had `before`."""
    seats = [state.members[side][0] for side in reached(state) if side not in before]
    return [Effect("target.reached", "scoresheet:END-2", seat, count=state.template.target) for seat in seats]


def _fill(state: ScoresheetState, move: Line) -> list[Effect]:
    column = _demand_column(state, move.column, move.round)
    cells = 1 if column.shared else len(state.members)
    if len(move.values) != cells:
        raise ImpossibleError(f"{column.id} has {counted(cells, 'cell')}, not {len(move.values)}", "scoresheet:SHEET-2")
    known = [(side, value) for side, value in enumerate(move.values) if value is not None]
    for _, value in known:
        _demand_number(column, value)
    return [effect for side, value in known for effect in _write(state, column, move.round, side, value)]


def _enter(state: ScoresheetState, move: Enter) -> list[Effect]:
    column = _demand_column(state, move.column, move.round)
    side = _demand_side(state, move.seat)
    if column.shared:
        raise ImpossibleError(f"{column.id} is nobody's own: all share it", "scoresheet:SHEET-2")
    _demand_number(column, move.value)
    return _write(state, column, move.round, side, move.value)


def _write(state: ScoresheetState, column: Column, number: int | None, side: int, given: float) -> list[Effect]:
    cell = put(state, column, number, side, given)
    return [_written(state, column, number, side, cell)] if cell else []


def put(state: ScoresheetState, column: Column, number: int | None, side: int, given: float) -> Cell | None:
    """Put a value into a cell; None if it stands there already, and stays with the entry that brought it."""
    name = line_name(column.id, number)
    line = state.cells.get(name)
    if line is None:
        line = (None,) * (1 if column.shared else len(state.members))
    value = given if type(given) is int or given != int(given) else int(given)  # 3.0 is 3
    was = old.value if (old := line[side]) else None
    if was == value:
        return None
    cell = Cell(value, state.version, state.now(), was)
    cells = list(line)
    cells[side] = cell
    state.cells[name] = tuple(cells)
    if column.counts:
        state.points[side] += int(value) - int(was) if was else int(value)
    if number is not None and number > state.rounds:
        state.rounds = number
    return cell


def _written(state: ScoresheetState, column: Column, number: int | None, side: int, cell: Cell) -> Effect:
    seat = None if column.shared else state.members[side][0]
    place = place_name(state, column, number, seat)
    text = write_value(column, cell.value)
    if cell.was is not None:
        change = f"{write_value(column, cell.was)} → {text}"
        return Effect("cell.changed", "scoresheet:CELL-3", seat, (place, change))
    if seat is None:
        return Effect("cell.shared", "scoresheet:SHEET-2", None, (place, text))
    return Effect("cell.entered", "scoresheet:CELL-1", seat, (place, text))


def _adjust(state: ScoresheetState, move: Adjust) -> list[Effect]:
    side = _demand_side(state, move.seat)
    credit(state, side, move.points, move.reason, "scoresheet:ADJ-1")
    if move.points < 0:
        return [Effect("penalty.given", "scoresheet:ADJ-1", move.seat, (move.reason,), -move.points)]
    return [Effect("bonus.given", "scoresheet:ADJ-1", move.seat, (move.reason,), move.points)]


def credit(state: ScoresheetState, side: int, points: int, reason: str, rule: str) -> None:
    """Give a side points beside the columns."""
    state.adjustments.append(Adjustment(side, points, reason, rule, state.version, state.now()))
    state.points[side] += points


def _leave(state: ScoresheetState, move: Leave) -> list[Effect]:
    drop_out(state, move.seat)
    return [Effect("seat.left", "scoresheet:SEAT-2", move.seat)]


def drop_out(state: ScoresheetState, seat: int) -> None:
    """Take a seat out of the game. Raises `ImpossibleError`."""
    _demand_side(state, seat)
    if seat in state.out:
        raise ImpossibleError(f"{seat_name(seat)} has dropped out already", "scoresheet:SEAT-2")
    state.out.append(seat)


def _join(state: ScoresheetState, move: Join) -> list[Effect]:
    side = _demand_side(state, move.seat)
    column = state.template.usual
    is_new = not (state.plays(side) and state.has_begun(side))  # a team that goes on owes its rounds as before
    if column and column.per == "round" and is_new:
        state.since[side] = state.due(column, without=side) or 1
    if move.seat in state.out:
        state.out.remove(move.seat)
    if move.points:
        credit(state, side, move.points, "joined late", "scoresheet:SEAT-1")
    return [Effect("seat.joined", "scoresheet:SEAT-1", move.seat, count=move.points)]


def _decide(state: ScoresheetState, move: Decide) -> list[Effect]:
    if state.template.wins != "cooperative":
        raise ImpossibleError("the players are against each other: end finishes the game", "scoresheet:END-3")
    _demand_playing(state)
    return _end(state, Ending(state.version, state.now(), move.result))


def _finish(state: ScoresheetState, _: Finish) -> list[Effect]:
    if state.template.wins == "cooperative":
        raise ImpossibleError("say whether the game was won or lost", "scoresheet:END-3")
    _demand_playing(state)
    return _end(state, Ending(state.version, state.now()))


def _end(state: ScoresheetState, ending: Ending) -> list[Effect]:
    effects = []
    for column, number, side in list(state.missing(due_rounds(state))):
        if column.default is not None:
            effects += _write(state, column, number, side, column.default)
    state.ending = ending
    result = outcome(state)
    if result is None or not result.winners:
        return [*effects, Effect("game.lost", result.rule if result else "scoresheet:END-1")]
    if result.reason == "tie":
        return effects + [Effect("game.tied", result.rule, seat) for seat in result.winners]
    return effects + [Effect("game.won", result.rule, seat) for seat in result.winners]


_APPLY: dict[type[ScoresheetMove], Callable[[ScoresheetState, Any], list[Effect]]] = {
    Line: _fill,
    Enter: _enter,
    Adjust: _adjust,
    Leave: _leave,
    Join: _join,
    Decide: _decide,
    Finish: _finish,
}


def _demand_playing(state: ScoresheetState) -> None:
    if state.ending:
        raise ImpossibleError("the game has been ended already", "scoresheet:END-4")


def _demand_column(state: ScoresheetState, name: str, number: int | None) -> Column:
    """The column that is filled in. Raises `ImpossibleError` for one that is not there, or is in no such round."""
    column = state.template.by_id.get(name)
    if column is None:
        names = ", ".join(column.id for column in state.template.entered)
        raise ImpossibleError(f"the sheet has no column {name}; it has {names}", "scoresheet:SHEET-1")
    if column.formula is not None:
        raise ImpossibleError(f"{name} is computed: {column.formula}", "scoresheet:FORM-1")
    if (column.per == "round") != (number is not None):
        why = f"{name} has a value for each round: say which" if number is None else f"{name} is not in rounds"
        raise ImpossibleError(why, "scoresheet:ROUND-1")
    if number is not None and number > state.last and state.template.rounds is None:
        raise ImpossibleError(f"the sheet has {counted(state.last, 'round')} at most", "scoresheet:ROUND-2")
    return column


def _demand_side(state: ScoresheetState, seat: int) -> int:
    if seat >= len(state.side_of):
        raise ImpossibleError(f"the sheet has {counted(len(state.side_of), 'seat')}", "scoresheet:SHEET-2")
    return state.side_of[seat]


def _demand_number(column: Column, value: float) -> None:
    if why := too_fine(column, value):
        raise ImpossibleError(why, "scoresheet:CELL-5")


# Words


def seat_name(seat: int) -> str:
    """What a seat is called in notation: `p1` for the first one."""
    return f"p{seat + 1}"


def place_name(state: ScoresheetState, column: Column, number: int | None, seat: int | None) -> str:
    """What a cell is called, as one begins to type it: `r3 p1`, `r3 p1 bid`, `p2 wood`, `weather`."""
    whose = "" if seat is None else f"p{seat + 1}"
    if number is None:
        return f"{whose} {column.id}".lstrip()
    if column is state.template.usual:
        return f"r{number} {whose}"
    return f"r{number} {whose} {column.id}" if whose else f"r{number} {column.id}"


def write_value(column: Column, value: Fraction | float) -> str:
    """A value as it is written: by its label, if it has one."""
    if not column.labels:
        return str(value) if type(value) is int else spell(value)
    text = spell(value)
    return next((word for word, number in column.labels.items() if spell(number) == text), text)
