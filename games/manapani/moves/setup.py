"""The beginning of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from games.contract import Effect
from games.errors import ImpossibleError
from games.manapani.components import COLOURS, DEALT, STARTING_CHIPS, WHITE
from games.manapani.moves.base import Seat, TableMove, require_player
from games.manapani.turns import Due, begin_turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from games.manapani.state import ManapaniState


class Start(TableMove, frozen=True, kw_only=True, tag="start"):
    """The first player. Cards and chips are dealt; the others follow in the order of the seats."""

    steps: ClassVar[tuple[Due, ...]] = ("start",)

    starts: Seat

    @classmethod
    def legal(cls, state: ManapaniState) -> Iterator[Self]:
        """A move for each player."""
        for seat in range(state.seats):
            if seat not in state.resigned:
                yield cls(starts=seat)

    def impossible_reason(self, state: ManapaniState) -> ImpossibleError | None:
        """The error if the cards are already dealt, or the game is over."""
        if state.turn:
            return ImpossibleError("the cards have been dealt already", "manapani:3")
        return ImpossibleError("the game is over", state.ending.rule if state.ending else None)

    def execute(self, state: ManapaniState) -> list[Effect]:
        """Deal cards, and chips of the four colours without white (manapani:3)."""
        require_player(state, self.starts)
        if self.starts in state.resigned:
            raise ImpossibleError("{name} has given up", "manapani:RULING", name=state.seat_name(self.starts))
        dealt = [0 if colour == WHITE else STARTING_CHIPS for colour in range(len(COLOURS))]
        for seat, hand in enumerate(state.hands):
            hand.unknown = DEALT
            state.told.append((state.version, ("deck", state.hand_places[seat], (None,) * DEALT, None)))
            state.chips[seat] = dealt.copy()
            state.hand_since[seat] = state.version
        state.pile -= DEALT * state.seats
        state.source = [left - count * state.seats for left, count in zip(state.source, dealt, strict=True)]
        return [Effect("hands.dealt", "manapani:3", count=DEALT), *begin_turn(state, self.starts)]
