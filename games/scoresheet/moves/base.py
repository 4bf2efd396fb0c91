"""The common parts of all entries on a score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from games.adjustments import SEATS
from games.contract import Effect, Move
from games.errors import ImpossibleError, RuleBrokenError
from games.scoresheet.scoring import effects_of_reaching, sides_at_end
from games.words import count_and_noun

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.scoresheet.state import ScoresheetState

Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEATS)]


class SheetMove(Move, frozen=True, kw_only=True):
    """An entry on a sheet. A side can reach the target by any entry."""

    def apply(self, state: ScoresheetState) -> list[Effect]:
        """Carry out the entry, and find the sides that reached the target by it."""
        if not state.template.has_end:
            return self.execute(state)
        before = sides_at_end(state)
        effects = self.execute(state)
        return effects + effects_of_reaching(state, before)

    def replay(self, state: ScoresheetState, flag: Callable[[Move, list[RuleBrokenError]], None]) -> None:
        """As `apply`, without the search for sides at the target: that computes the whole sheet."""
        if breaches := list(self.breaches(state)):
            flag(self, breaches)
        self.execute_without_effects(state)

    def execute_without_effects(self, state: ScoresheetState) -> None:
        """As `execute`, without effects."""
        self.execute(state)


class TableMove(SheetMove, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(SheetMove, frozen=True, kw_only=True):
    """A move of a player: always possible, and so never listed."""

    steps: ClassVar[tuple[Any, ...]] = ()

    seat: Seat

    def side(self, state: ScoresheetState) -> int:
        """The player's side. Raises `ImpossibleError`."""
        if self.seat >= state.seats:
            raise ImpossibleError(
                "the sheet has {counted}", "scoresheet:SHEET-2", counted=count_and_noun(state.seats, "seat")
            )
        return state.side_of[self.seat]
