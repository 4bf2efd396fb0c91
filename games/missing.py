"""A stand-in for a missing ruleset: it knows the number of players, and nothing else of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from games.contract import Move, Ruleset, State, Title

if TYPE_CHECKING:
    from games.contract import ScoreLine


class Unknown(Move, frozen=True, kw_only=True, tag="?"):
    """The move type of a missing ruleset: no move can be read."""


class MissingState(State, kw_only=True):
    """A game of a missing ruleset: its state is unknown."""

    players: int = 0

    @property
    def seats(self) -> int:
        """The number of seats at the opening."""
        return self.players

    def to_move(self) -> int | None:
        """None: the seat on turn is unknown."""
        return None

    def scores(self) -> list[ScoreLine]:
        """None: the scores are unknown."""
        return []

    def totals(self) -> list[int]:
        """No totals: they are unknown."""
        return []

    def copy(self) -> Self:
        """The state itself: nothing ever changes it."""
        return self


def _unknown(*_: object) -> Any:
    """Empty answers for an unknown state."""
    raise LookupError("the ruleset of the game is not here")


MISSING = Ruleset(
    name="missing",
    title=Title("", ""),
    revision=1,
    changes=(),
    seats=range(1),
    seat_names=(),
    endings=(),
    notation_help="",
    state=MissingState,
    moves=Unknown,
    hides_information=False,
    effect_sentences={},
    write=_unknown,
    parse=_unknown,
    describe=_unknown,
    draw=_unknown,
)
"""The stand-in for any missing ruleset."""
