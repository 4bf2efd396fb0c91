"""What players do beside filling in cells: bonuses and penalties, leaving and joining. Possible all the time."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.scoresheet.formulas import ROUNDINGS
from games.scoresheet.moves.base import SeatMove
from games.scoresheet.values import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from games.scoresheet.state import ScoresheetState

Points = Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
Reason = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=100,
        pattern=r"^[^\s\x00-\x1f\x7f!;]([^\x00-\x1f\x7f!;\u2028\u2029\x85]*[^\s!;])?$(?!\n)",
    ),
]
"""One line, without the signs that part a move from what is said about it."""


class Adjust(SeatMove, frozen=True, kw_only=True, tag="adjust"):
    """A bonus, or a penalty if `points` is less than nothing, and what it is for."""

    points: Points
    reason: Reason

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """It is for somebody who plays."""
        if self.seat in state.out:
            yield RuleBrokenError("scoresheet:SEAT-2", "{name} has dropped out", name=state.seat_name(self.seat))

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Give the points to the side, or take them."""
        state.credit(self.side(state), self.points, self.reason, "scoresheet:ADJ-1")
        if self.points < 0:
            return [Effect("penalty.given", "scoresheet:ADJ-1", self.seat, (self.reason,), -self.points)]
        return [Effect("bonus.given", "scoresheet:ADJ-1", self.seat, (self.reason,), self.points)]


class Leave(SeatMove, frozen=True, kw_only=True, tag="leave"):
    """A player drops out."""

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The last one ends the game instead."""
        if state.is_last(self.seat):
            yield RuleBrokenError(
                "scoresheet:SEAT-2", "{name} is the last one: end the game instead", name=state.seat_name(self.seat)
            )

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """The seat owes nothing any more."""
        self.side(state)
        state.drop_out(self.seat)
        return [Effect("seat.left", "scoresheet:SEAT-2", self.seat)]


Missed = Literal["average", "lowest", "highest"]
MISSED: dict[Missed, Callable[[Sequence[int]], int]] = {
    "average": lambda totals: int(ROUNDINGS["half"](Fraction(sum(totals), len(totals)))),
    "lowest": min,
    "highest": max,
}
"""What somebody who comes late can begin with, from the points of the others."""


class Join(SeatMove, frozen=True, kw_only=True, tag="join"):
    """A player joins late, or again: with some points, or for what was `missed` with as many as the others give."""

    points: Points = 0
    missed: Missed | None = None

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The player is not in the game yet, or dropped out."""
        if self.seat >= state.seats or self.seat in state.out:
            return
        if state.has_begun(state.side_of[self.seat]):
            yield RuleBrokenError("scoresheet:SEAT-1", "{name} plays already", name=state.seat_name(self.seat))

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """The side owes what comes from here on; a team that goes on owes its rounds as before."""
        side = self.side(state)
        others = self._others(state, side)
        state.settle_markers()
        column = state.template.usual
        is_new = not (state.plays(side) and state.has_begun(side))
        if column and column.per == "round" and is_new:
            state.since[side] = state.next_round(column, without=side) or 1
        if self.seat in state.out:
            state.out.remove(self.seat)
        points = self.points
        if self.missed is not None:
            points = MISSED[self.missed](others) - Sheet(state).totals()[side]
            state.explain_arrival(self.missed, others)
        if points or others:
            state.credit(side, points, "joined late", "scoresheet:SEAT-1")
        return [Effect("seat.joined", "scoresheet:SEAT-1", self.seat, count=points)]

    def _others(self, state: ScoresheetState, side: int) -> tuple[int, ...]:
        """The points of the other sides that play, where they count. Raises `ImpossibleError` if none can be told."""
        if self.missed is None:
            return ()
        name = state.seat_name(self.seat)
        if self.points:
            raise ImpossibleError(
                "{name} joins with points, or with those of the others", "scoresheet:SEAT-1", name=name
            )
        if state.plays(side) and state.has_begun(side):
            raise ImpossibleError("{name} joins a side that has points", "scoresheet:SEAT-1", name=name)
        totals = Sheet(state).totals()
        found = tuple(totals[other] for other in range(state.sides) if other != side and state.plays(other))
        if not found:
            raise ImpossibleError("nobody else plays", "scoresheet:SEAT-1")
        return found
