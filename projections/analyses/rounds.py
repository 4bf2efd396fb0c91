"""The protocol of an analysis, round by round.

An analysis is a coroutine. It yields *units of work*, each with a key that names everything that the unit
depends on. It is sent their results. The driver runs the units anywhere and in any order, and keeps the results by
their keys. So an analysis can be split over any number of workers, interrupted, resumed, and started again at a later
version of the game. Nothing is done twice, and the numbers at the end are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple


class WorkUnit(NamedTuple):
    """A unit of work of a few seconds: `key` names everything that it depends on, `work` returns plain data.

    `size` is how long it takes beside others: about as many moves are simulated.
    """

    key: str
    work: Callable[[], Any]
    size: int = 1


class WorkRound(NamedTuple):
    """The next units, in any order; the expected size of all units in total; and the partial result.

    `budget_share` is the part of its budget of games that this part of an analysis is expected to use.
    """

    units: Sequence[WorkUnit]
    planned: int
    so_far: Any = None
    budget_share: float = 0.0

    @property
    def size(self) -> int:
        """The size of its units together."""
        return size_of(self.units)


def size_of(units: Iterable[WorkUnit]) -> int:
    """The size of some units together."""
    return sum(unit.size for unit in units)


ParameterValues = Mapping[str, int]
"""The parameters of an analysis by their names."""
AnalysisRun = Generator[WorkRound, Mapping[str, Any], Any]
"""A running analysis: it is sent the results of a round's units by their keys, and returns its result."""
