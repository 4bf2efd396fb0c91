"""How an analysis goes on, round by round.

An analysis is a coroutine: it asks for *units*, each a piece of work with a key that says all that it depends on, and
is sent what came of them. Who drives it does the units wherever and in whatever order, and keeps what came of them by
their keys: so it can be split over any number of workers, broken off and taken up again, and begun anew at a later
version of the game, with nothing done twice and the same numbers at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple


class WorkUnit(NamedTuple):
    """A piece of work of at most some seconds: `key` says all that it depends on, `work` returns plain data."""

    key: str
    work: Callable[[], Any]


class WorkRound(NamedTuple):
    """The units to be done next, in any order; how many there will be at the most, and what is known so far."""

    units: Sequence[WorkUnit]
    planned: int
    so_far: Any = None


ParameterValues = Mapping[str, int]
"""The parameters of an analysis by their names."""
AnalysisRun = Generator[WorkRound, Mapping[str, Any], Any]
"""An analysis under way: is sent what came of the units of a round by their keys, and returns its result."""
