"""What a game comes to: the lines of the score audit, the ranks, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import msgspec

from games.words import Title

if TYPE_CHECKING:
    from collections.abc import Sequence


class ScoreLine(msgspec.Struct, frozen=True, gc=False):
    """One line of the score audit: `points` for `seat`, with the rule and the entry of the record behind them.

    `category` is a short stable word (`round-1`), `version` the entry that brought the points, `note` what was counted.
    A seat's score is the sum of its lines.
    """

    seat: int
    points: int
    category: str
    rule: str
    version: int
    note: str = ""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """The end of a game: a rank for each seat (1 is best, equal ranks share), the winning seats, and the rule.

    `reason` is one of the ruleset's `endings`. In a draw all first-ranked seats are winners. If the winners are
    `together` (a team, or all against the game), they have won. Nobody is first if the game itself has won.
    """

    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    rule: str
    together: bool = False

    @property
    def is_draw(self) -> bool:
        """Whether all seats share the first rank, and do not play together."""
        return 1 < len(self.winners) == len(self.ranks) and not self.together

    @classmethod
    def by_points(cls, points: Sequence[int], reason: str, rule: str) -> Self:
        """The outcome by points: most points win, and equal points share the rank."""
        return cls.of([1 + sum(1 for others in points if others > own) for own in points], reason, rule)

    @classmethod
    def of(cls, ranks: Sequence[int], reason: str, rule: str) -> Self:
        """The outcome with these ranks: all seats of rank 1 have won."""
        return cls(tuple(ranks), tuple(seat for seat, rank in enumerate(ranks) if rank == 1), reason, rule)


class Deciding(msgspec.Struct, frozen=True):
    """A value that ranks the seats instead of their points, or breaks ties: its name, and each seat's value."""

    title: Title
    values: tuple[str, ...]

    def replaces(self, scores: Sequence[int]) -> bool:
        """Whether it ranks the seats instead of points: it has values, and nobody has points."""
        return any(self.values) and not any(scores)


class SeatMarker(msgspec.Struct, frozen=True):
    """A thing that goes round the table, such as the deal, and the seats that have it now."""

    title: Title
    seats: tuple[int, ...]
