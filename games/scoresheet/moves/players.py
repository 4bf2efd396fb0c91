"""Moves of players beside cells: bonuses and penalties, leaving and joining. They are always possible."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import msgspec

from games.contract import Effect
from games.errors import ImpossibleError, RuleBrokenError
from games.scoresheet.formulas import ROUNDINGS
from games.scoresheet.moves.base import SeatMove
from games.scoresheet.template import Missed
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
"""A reason in one line, without the signs that separate a move from its comment."""


class Adjust(SeatMove, frozen=True, kw_only=True, tag="adjust"):
    """A bonus, or a penalty if `points` is less than nothing, and what it is for."""

    points: Points
    reason: Reason

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The player must be in the game."""
        if self.seat in state.out:
            yield RuleBrokenError("scoresheet:SEAT-2", "{name} has dropped out", name=state.seat_name(self.seat))

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Give the points to the side, or take them away."""
        state.give_points(self.side(state), self.points, self.reason, "scoresheet:ADJ-1")
        if self.points < 0:
            return [Effect("penalty.given", "scoresheet:ADJ-1", self.seat, (self.reason,), -self.points)]
        return [Effect("bonus.given", "scoresheet:ADJ-1", self.seat, (self.reason,), self.points)]


class Leave(SeatMove, frozen=True, kw_only=True, tag="leave"):
    """A player drops out."""

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The last player may not leave, but ends the game instead."""
        if state.is_last(self.seat):
            yield RuleBrokenError(
                "scoresheet:SEAT-2", "{name} is the last one: end the game instead", name=state.seat_name(self.seat)
            )

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Take the seat out of the game: it has no due cells any more."""
        self.side(state)
        state.drop_out(self.seat)
        return [Effect("seat.left", "scoresheet:SEAT-2", self.seat)]


SEAT_1 = "scoresheet:SEAT-1"

MADE_UP: dict[Missed, Callable[[Sequence[int]], int]] = {
    "average": lambda totals: int(ROUNDINGS["half"](Fraction(sum(totals), len(totals)))),
    "lowest": min,
    "highest": max,
}
"""The ways to make up for missed rounds from the points of the others."""


class Join(SeatMove, frozen=True, kw_only=True, tag="join"):
    """A player joins late, or again, or in a new seat after the last one.

    The player begins with some points, or gets for what was `missed` what the table says, or else the template.
    """

    points: Points = 0
    missed: Missed | None = None

    def check(self, state: ScoresheetState) -> Iterable[RuleBrokenError]:
        """The player must not be in the game."""
        if self.seat >= state.seats or self.seat in state.out:
            return
        if state.has_begun(state.side_of[self.seat]):
            yield RuleBrokenError(SEAT_1, "{name} plays already", name=state.seat_name(self.seat))

    def execute(self, state: ScoresheetState) -> list[Effect]:
        """Add the player: the side's cells are due from here on. A team that goes on keeps its due cells."""
        members = self._members(state)
        side = next(side for side, seats in enumerate(members) if self.seat in seats)
        goes_on = side < state.sides and state.plays(side) and state.has_begun(side)
        missed, others = self._missed(state, side, goes_on=goes_on)
        since = state.coming_round(side)
        effects = []
        state.settle_markers()
        if self.seat == state.seats:
            state.add_seat(members, since)
            effects.append(Effect("seat.added", SEAT_1, self.seat))
        elif not goes_on:
            state.start_playing(side, since)
        if self.seat in state.out:
            state.out.remove(self.seat)
        points = self.points
        if missed != "nothing":
            points = (MADE_UP[missed](others) if others else 0) - Sheet(state).totals()[side]
            state.explain_arrival(missed, others)
        if points or missed != "nothing":
            state.give_points(side, points, "joined late", SEAT_1)
        return [*effects, Effect("seat.joined", SEAT_1, self.seat, count=points)]

    def _members(self, state: ScoresheetState) -> tuple[tuple[int, ...], ...]:
        """The seats of each side with the player. Raises `ImpossibleError`."""
        if self.seat > state.seats:
            next_one = state.seat_name(state.seats)
            raise ImpossibleError("{name} is the next one to join", SEAT_1, name=next_one)
        return state.members if self.seat < state.seats else state.with_another_seat()

    def _missed(self, state: ScoresheetState, side: int, *, goes_on: bool) -> tuple[Missed, tuple[int, ...]]:
        """The points for missed rounds, and the points of the others, if they are made from these.

        Raises `ImpossibleError` for an impossible wish; if only the template says it, there are no points then.
        """
        name, missed = state.seat_name(self.seat), self.missed or ("nothing" if self.points else state.template.late)
        totals = Sheet(state).totals() if missed in MADE_UP else []
        others = tuple(each for other, each in enumerate(totals) if other != side and state.plays(other))
        wrong = None
        if self.points and (self.missed or missed != "nothing"):
            wrong = ImpossibleError("{name} joins with points, or with those of the others", SEAT_1, name=name)
        elif missed != "nothing" and goes_on:
            wrong = ImpossibleError("{name} joins a side that has points", SEAT_1, name=name)
        elif missed in MADE_UP and not others:
            wrong = ImpossibleError("nobody else plays", SEAT_1)
        if wrong and self.missed:
            raise wrong
        return ("nothing", ()) if wrong else (missed, others)
