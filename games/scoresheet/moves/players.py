"""What players do beside filling in cells: bonuses and penalties, leaving and joining. Possible all the time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from games.contract import Effect
from games.errors import RuleBrokenError
from games.scoresheet.moves.base import SeatMove

if TYPE_CHECKING:
    from collections.abc import Iterable

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


class Join(SeatMove, frozen=True, kw_only=True, tag="join"):
    """A player joins late, or again, with some points."""

    points: Points = 0

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The player is not in the game yet, or dropped out."""
        if self.seat >= state.seats or self.seat in state.out:
            return
        if state.has_begun(state.side_of[self.seat]):
            yield RuleBrokenError("scoresheet:SEAT-1", "{name} plays already", name=state.seat_name(self.seat))

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """The side owes what comes from here on; a team that goes on owes its rounds as before."""
        side = self.side(state)
        state.settle_markers()
        column = state.template.usual
        is_new = not (state.plays(side) and state.has_begun(side))
        if column and column.per == "round" and is_new:
            state.since[side] = state.next_round(column, without=side) or 1
        if self.seat in state.out:
            state.out.remove(self.seat)
        if self.points:
            state.credit(side, self.points, "joined late", "scoresheet:SEAT-1")
        return [Effect("seat.joined", "scoresheet:SEAT-1", self.seat, count=self.points)]
