"""The protocol of an analysis, round by round.

An analysis is a coroutine. It yields *units of work*, each with a key that names everything that the unit
depends on. It is sent their results. The driver runs the units anywhere and in any order, and keeps the results by
their keys. So an analysis can be split over any number of workers, interrupted, resumed, and started again at a later
version of the game. Nothing is done twice, and the numbers at the end are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple


class WorkUnit(NamedTuple):
    """A unit of work of a few seconds: `key` names everything that it depends on, `work` returns plain data."""

    key: str
    work: Callable[[], Any]


class WorkRound(NamedTuple):
    """The next units, in any order; the expected number of units in total; and the partial result."""

    units: Sequence[WorkUnit]
    planned: int
    so_far: Any = None


ParameterValues = Mapping[str, int]
"""The parameters of an analysis by their names."""
AnalysisRun = Generator[WorkRound, Mapping[str, Any], Any]
"""A running analysis: it is sent the results of a round's units by their keys, and returns its result."""
