"""What a ruling can change on the sheet, whatever the rules say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from games.adjustments import Adjudge, Points, Resign, adjudged, demand_going_on, demand_seat, effect_of, kinds_of
from games.errors import ImpossibleError
from games.scoresheet.effects import credit, drop_out, newly_reached, seat_name
from games.scoresheet.scoring import RULING, reached, standing
from games.scoresheet.state import Ending

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.contract import Adjustment, Effect, Outcome
    from games.scoresheet.state import ScoresheetState

ADJUSTMENTS = (Points, Resign, Adjudge)

RULED = kinds_of(ADJUSTMENTS)
"""The kinds of effect that only rulings have, and the sentences they read as."""


def adjust(state: ScoresheetState, adjustment: Adjustment) -> list[Effect]:
    """Change what the ruling says, and say what followed. Raises `ImpossibleError`."""
    return _ADJUST[type(adjustment)](state, adjustment)


def _points(state: ScoresheetState, ruled: Points) -> list[Effect]:
    demand_seat(ruled.seat, len(state.side_of), RULING)
    before = reached(state)
    credit(state, state.side_of[ruled.seat], ruled.points, "ruling", RULING)
    return [effect_of(ruled, RULING), *newly_reached(state, before)]


def _resign(state: ScoresheetState, ruled: Resign) -> list[Effect]:
    demand_seat(ruled.seat, len(state.side_of), RULING)
    demand_going_on(state.ending, RULING)
    if all(seat in state.out for seat in range(len(state.side_of)) if seat != ruled.seat):
        raise ImpossibleError(f"{seat_name(ruled.seat)} is the last one: end or adjudge the game instead", RULING)
    drop_out(state, ruled.seat)
    if state.template.wins != "cooperative" and sum(map(state.plays, range(state.sides))) == 1:
        state.ending = Ending(state.version, state.now())
        _end(state, msgspec.structs.replace(standing(state), reason="resigned", rule=RULING))
    return [effect_of(ruled, RULING)]


def _adjudge(state: ScoresheetState, ruled: Adjudge) -> list[Effect]:
    _end(state, adjudged(ruled, len(state.side_of), RULING))
    return [effect_of(ruled, RULING)]


def _end(state: ScoresheetState, outcome: Outcome) -> None:
    """End the game with this outcome, or give it another one: what was settled at its end stays so."""
    ending = state.ending or Ending(state.version, state.now())
    state.ending = msgspec.structs.replace(ending, ruled=outcome)


_ADJUST: dict[type[Adjustment], Callable[[ScoresheetState, Any], list[Effect]]] = {
    Points: _points,
    Resign: _resign,
    Adjudge: _adjudge,
}
