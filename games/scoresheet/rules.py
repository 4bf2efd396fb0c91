"""Is it allowed? Every rule that a move would break, and the lines that can be filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.contract import Blank
from games.errors import RuleBrokenError
from games.scoresheet.components import misfit
from games.scoresheet.effects import carry_out, place_name, put, seat_name
from games.scoresheet.moves import Adjust, Decide, Enter, Finish, Join, Leave, Line, ScoresheetMove
from games.scoresheet.scoring import due_rounds, reached, waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from games.scoresheet.components import Column
    from games.scoresheet.state import ScoresheetState


def breaches(state: ScoresheetState, move: ScoresheetMove) -> Iterator[RuleBrokenError]:
    """Every rule that the move would break. Most entries break none, and there are many: so they are seen off first."""
    if type(move) is Enter and _plain(state, move):
        return iter(())
    return iter([*_over(state), *_CHECKS[type(move)](state, move)])


def _over(state: ScoresheetState) -> Iterator[RuleBrokenError]:
    if state.ending:
        ruled = state.ending.ruled
        yield RuleBrokenError(ruled.rule if ruled else "scoresheet:END-4", "the game is over")


def replay(
    state: ScoresheetState, move: ScoresheetMove, flag: Callable[[ScoresheetMove, list[RuleBrokenError]], None]
) -> None:
    """Carry the move out; before, hand it to `flag` with the rules that it breaks. Raises `ImpossibleError`."""
    if type(move) is Enter and (column := _plain(state, move)) and type(move.value) is int:
        put(state, column, move.round, state.side_of[move.seat], move.value)
        return
    if found := list(breaches(state, move)):
        flag(move, found)
    carry_out(state, move)


def _plain(state: ScoresheetState, move: Enter) -> Column | None:
    """The column, if a cell is filled in by somebody who plays, in a round that is or can begin, with any number."""
    column = state.template.plain.get(move.column)
    if column is None or state.out or state.ending or move.seat >= len(state.side_of):
        return None
    number = move.round
    if column.per == "game":
        return column if number is None else None
    if number is None or number < state.since[state.side_of[move.seat]]:
        return None
    return column if number <= state.rounds or next(_round(state, number), None) is None else None


def _line(state: ScoresheetState, move: Line) -> Iterator[RuleBrokenError]:
    column = state.template.by_id.get(move.column)
    if column is None or len(move.values) > state.sides:
        return
    yield from _round(state, move.round)
    for side, value in enumerate(move.values):
        if value is not None:
            yield from _value(column, value)
            if not column.shared:
                yield from _side(state, column, move.round, side)


def _enter(state: ScoresheetState, move: Enter) -> Iterator[RuleBrokenError]:
    column = state.template.by_id.get(move.column)
    if column is None or move.seat >= len(state.side_of):
        return
    yield from _round(state, move.round)
    yield from _value(column, move.value)
    yield from _side(state, column, move.round, state.side_of[move.seat])


def _round(state: ScoresheetState, number: int | None) -> Iterator[RuleBrokenError]:
    if number is None or number <= state.rounds:
        return
    if number > state.last:
        yield RuleBrokenError("scoresheet:ROUND-2", f"round {state.last} is the last one")
    if number > state.rounds + 1:
        yield RuleBrokenError("scoresheet:ROUND-1", f"round {state.rounds + 1} comes first")
    if there := reached(state):
        name = seat_name(state.members[there[0]][0])
        yield RuleBrokenError("scoresheet:END-2", f"{name} has reached {state.template.target}: no round is begun")


def _value(column: Column, value: float) -> Iterator[RuleBrokenError]:
    if why := misfit(column, value):
        yield RuleBrokenError("scoresheet:CELL-2", f"{column.id}: {why}")


def _side(state: ScoresheetState, column: Column, number: int | None, side: int) -> Iterator[RuleBrokenError]:
    """Whether a side fills in an empty cell that it has not to; what stands can be changed whoever is there."""
    if state.cell(column, number, side) is not None:
        return
    if state.out and not state.plays(side):
        yield RuleBrokenError("scoresheet:SEAT-2", f"{_seat_of(state, side)} has dropped out")
    if number is not None and number < state.since[side]:
        yield RuleBrokenError("scoresheet:SEAT-1", f"{_seat_of(state, side)} joined in round {state.since[side]}")


def _adjust(state: ScoresheetState, move: Adjust) -> Iterator[RuleBrokenError]:
    if move.seat in state.out:
        yield RuleBrokenError("scoresheet:SEAT-2", f"{seat_name(move.seat)} has dropped out")


def _leave(state: ScoresheetState, move: Leave) -> Iterator[RuleBrokenError]:
    if all(seat in state.out for seat in range(len(state.side_of)) if seat != move.seat):
        yield RuleBrokenError("scoresheet:SEAT-2", f"{seat_name(move.seat)} is the last one: end the game instead")


def _join(state: ScoresheetState, move: Join) -> Iterator[RuleBrokenError]:
    if move.seat >= len(state.side_of) or move.seat in state.out:
        return
    if state.has_begun(state.side_of[move.seat]):
        yield RuleBrokenError("scoresheet:SEAT-1", f"{seat_name(move.seat)} plays already")


def _decide(_: ScoresheetState, __: Decide) -> Iterator[RuleBrokenError]:
    yield from ()


def _finish(state: ScoresheetState, _: Finish) -> Iterator[RuleBrokenError]:
    due = due_rounds(state)
    empty = next((place for place in state.missing(due) if place[0].default is None), None)
    if empty is not None:
        column, number, side = empty
        seat = None if column.shared else state.members[side][0]
        yield RuleBrokenError("scoresheet:CELL-4", f"{place_name(state, column, number, seat)} is empty")
    elif not state.cells:
        yield RuleBrokenError("scoresheet:CELL-4", "the sheet is empty")
    elif state.rounds < due:
        yield RuleBrokenError("scoresheet:ROUND-2", f"round {due} is the last one, and comes first")
    if state.template.target is not None and state.rounds < state.last and not reached(state):
        yield RuleBrokenError("scoresheet:END-2", f"nobody has reached {state.template.target}")


_CHECKS: dict[type[ScoresheetMove], Callable[[ScoresheetState, Any], Iterator[RuleBrokenError]]] = {
    Line: _line,
    Enter: _enter,
    Adjust: _adjust,
    Leave: _leave,
    Join: _join,
    Decide: _decide,
    Finish: _finish,
}


def _seat_of(state: ScoresheetState, side: int) -> str:
    return seat_name(state.members[side][0])


def legal_moves(state: ScoresheetState) -> Iterator[ScoresheetMove]:
    """The lines that wait to be filled in, the oldest first, with their values left open, and the end when it can come.

    Single cells, changes, bonuses and penalties, leaving and joining are possible all the time and never listed.
    """
    if state.ending:
        return
    for column, number in waiting(state):
        yield Line(column=column.id, round=number, values=(None,) * (1 if column.shared else state.sides))
    if state.template.wins == "cooperative":
        yield Decide(result="won")
        yield Decide(result="lost")
    elif not any(_finish(state, Finish())):
        yield Finish()


def blanks(state: ScoresheetState, move: ScoresheetMove) -> tuple[Blank, ...]:
    """The cells of a line that waits to be filled in."""
    if not isinstance(move, Line):
        return ()
    column = state.template.by_id[move.column]
    seats = [None] if column.shared else [members[0] for members in state.members]
    return tuple(Blank(seat, column.words) for seat in seats)
