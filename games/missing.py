"""What stands for a ruleset that is not installed: it knows how many play, and nothing else of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from games.contract import Move, Ruleset, State, Title

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.contract import JSON, ScoreLine


class Unknown(Move, frozen=True, kw_only=True, tag="?"):
    """No move is one of these: none can be read."""


class MissingState(State, kw_only=True):
    """A game of which nobody knows how it stands."""

    players: int = 0

    @property
    def seats(self) -> int:
        """As many as the game was opened with."""
        return self.players

    def to_move(self) -> int | None:
        """Nobody knows."""
        return None

    def scores(self) -> list[ScoreLine]:
        """Nobody knows."""
        return []

    def totals(self) -> list[int]:
        """None that would be known."""
        return []

    def copy(self) -> Self:
        """The state itself: nothing ever changes it."""
        return self


class Missing(Ruleset[MissingState, Unknown]):
    """Opens games of any ruleset, and plays none."""

    name = "missing"
    title = Title("", "")
    revision = 1
    changes = ()
    seats = range(1)
    seat_names = ()
    endings = ()
    notation_help = ""
    state = MissingState
    moves = Unknown
    hides = False
    kinds: ClassVar[Mapping[str, str]] = {}

    def open(
        self,
        options: Mapping[str, bool | int | str],  # noqa: ARG002
        components: JSON | None,  # noqa: ARG002
        seats: int,
    ) -> MissingState:
        """The state of a game with so many seats, whatever it is opened with."""
        return MissingState(players=seats)

    def totals(self, state: MissingState, seats: int) -> list[int]:  # noqa: ARG002
        """None that would be known."""
        return []


MISSING = Missing()
