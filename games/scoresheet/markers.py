"""Markers: who deals, who begins, who has had the solo. They go round the table by the rules of the template."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from games.contract import SeatMarker, Title
from games.scoresheet.values import Sheet, points_of

if TYPE_CHECKING:
    from games.scoresheet.state import ScoresheetState
    from games.scoresheet.template import Marker


class MarkerEntry(msgspec.Struct, frozen=True):
    """An entry that gave a marker to a seat in a round (0 on a sheet without rounds), or took it away."""

    marker: str
    round: int
    seat: int
    has: bool = True


def current_markers(state: ScoresheetState) -> tuple[SeatMarker, ...]:
    """The markers of the current round, with the seats that have them; none once the game is over."""
    if state.closing or not state.template.markers:
        return ()
    number = present_round(state)
    return tuple(
        SeatMarker(Title(marker.name, marker.ja or marker.name), holders(state, marker, number))
        for marker in state.template.markers
    )


def present_round(state: ScoresheetState) -> int:
    """The current round: the last one begun until it is filled in, then the next; 0 without rounds.

    Empty cells of a column with a default do not count.
    """
    return min(due_round(state), state.last) if state.template.has_rounds else 0


def due_round(state: ScoresheetState) -> int:
    """The last round begun, or the next one if that is filled in, even beyond the last round of the game."""
    needed = [column for column in state.template.entered_columns if column.per == "round" and column.default is None]
    if state.round and any(next(state.empty(column, state.round), None) is not None for column in needed):
        return state.round
    return state.round + 1


def marks_for_next_game(state: ScoresheetState) -> list[MarkerEntry]:
    """The marks for the first round of a following game: who has the markers that move by themselves.

    Player 1 has them by default, so there are no marks for that.
    """
    going = [marker for marker in state.template.markers if marker.goes_by_itself]
    held = {marker.id: holders(state, marker, due_round(state)) for marker in going}
    return [MarkerEntry(name, 1, seat) for name, seats in held.items() for seat in seats if seat]


def holders(state: ScoresheetState, marker: Marker, number: int) -> tuple[int, ...]:
    """The seats that have a marker in a round."""
    marks = sorted((mark for mark in state.marks if mark.marker == marker.id), key=lambda mark: mark.round)
    marks = [mark for mark in marks if mark.round <= number]
    if marker.moves == "each":
        having = {mark.seat: mark.has for mark in marks}
        return tuple(sorted(seat for seat, has in having.items() if has))
    if marks and not marks[-1].has:
        return ()
    if not marker.goes_by_itself:
        return tuple(mark.seat for mark in marks[-1:] if mark.seat not in state.out)
    begun, seat = (marks[-1].round, marks[-1].seat) if marks else (1, 0)
    return tuple(_gone_on(state, marker, _playing(state, seat), range(begun, number)))


def marks_to_keep(state: ScoresheetState) -> list[MarkerEntry]:
    """The current marks of the markers that move by themselves. They are kept when a player leaves or joins."""
    number = present_round(state)
    going = [marker for marker in state.template.markers if marker.goes_by_itself]
    return [MarkerEntry(marker.id, number, seat) for marker in going for seat in holders(state, marker, number)]


def _gone_on(state: ScoresheetState, marker: Marker, seats: list[int], rounds: range) -> list[int]:
    """The seat with a marker after these rounds. `seats` are the playing seats, from its holder in the first round."""
    if not seats or not rounds:
        return seats[:1]
    if marker.moves == "next":
        return [seats[len(rounds) % len(seats)]]
    sheet, held = Sheet(state), seats[0]
    for number in rounds:
        found = _side_of(sheet, number, best=(marker.moves == "winner") == (state.template.wins != "lowest"))
        if found is not None:
            held = next((seat for seat in _playing(state, held) if state.side_of[seat] == found), held)
    return [held]


def _playing(state: ScoresheetState, first: int) -> list[int]:
    """The playing seats, round the table from `first`."""
    round_table = [*range(first, state.seats), *range(first)]
    return [seat for seat in round_table if seat not in state.out]


def _side_of(sheet: Sheet, number: int, *, best: bool) -> int | None:
    """The side with the most or fewest points of a round; None if several are level, or cells are empty."""
    state, points = sheet.state, dict[int, int]()
    for side in range(state.sides):
        if state.owes_cells(side, number):
            values = [sheet.value(column, number, side) for column in state.template.points_of_rounds]
            if any(value.number is None for value in values):
                return None
            points[side] = sum(map(points_of, values))
    wanted = (max if best else min)(points.values(), default=0)
    found = [side for side, had in points.items() if had == wanted]
    return found[0] if len(found) == 1 else None
