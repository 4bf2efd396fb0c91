"""What chance decides: its source, its events in a move with their odds, and who follows them through a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from games.contract.moves import Move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract.moves import Adjustment

T = TypeVar("T")


class Chance(Protocol):
    """A source of random choices in place of dice and shuffled cards, such as a `random.Random`."""

    def choice(self, seq: Sequence[T]) -> T:
        """An element of the sequence, which is not empty."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """`k` different elements of the population, in any order."""


class ChanceEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event of chance: a die, a card from a deck.

    `kind` is one of the ruleset's `chance_kinds`. It happened to `seat`, or to the table (None). `odds` are the weights
    of all possible outcomes, from what can be known beforehand. `outcome` is the actual one, None if it is not known.
    `gains` has the gain of each seat for each outcome, if it can be counted. `with_outcome` makes the move with another
    outcome. Later events of the move may then need new outcomes, by their new odds. It is None if the move does not
    hold the outcome. A `dependent` event follows from earlier ones of the same move. With a `sample` the odds are near
    the true ones: they come from this number of drawn arrangements.
    """

    kind: str
    odds: Mapping[str, int]
    outcome: str | None
    seat: int | None = None
    gains: Mapping[str, tuple[int, ...]] = {}
    with_outcome: Callable[[str], Move] | None = None
    dependent: bool = False
    sample: int = 0


class Watch(Protocol):
    """Follows a game from a viewpoint, step by step, and knows exactly what can be known of hidden things there.

    It is only made for analyses. Moves, states and adjustments are passed as seen from the viewpoint.
    """

    def follow(self, before: Any, move: Any, after: Any) -> Sequence[ChanceEvent]:
        """The events of chance in a move, with their exact odds. An event has no odds if they are unknown."""

    def follow_ruling(self, before: Any, adjustments: Sequence[Adjustment]) -> Sequence[ChanceEvent]:
        """Follow the adjustments of a ruling, and return the events of chance that became known."""

    def remaining_events(self) -> Sequence[ChanceEvent]:
        """At the end of the game: the events that waited for an outcome and never got one."""
