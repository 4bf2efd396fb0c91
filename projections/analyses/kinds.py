"""The kinds of analyses, in one table; and how an analysis goes on, round by round.

An analysis is a coroutine: it asks for *units*, each a piece of work with a key that says all that it depends on, and
is sent what came of them. Who drives it does the units wherever and in whatever order, and keeps what came of them by
their keys: so it can be split over any number of workers, broken off and taken up again, and begun anew at a later
version of the game, with nothing done twice and the same numbers at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from projections.analyses.course import Course
from projections.analyses.luck import LuckCounts, luck_counts
from projections.analyses.pace import GameTimeline, timeline
from projections.audit import Audit
from projections.errors import ProjectionError

if TYPE_CHECKING:
    from games.contract import Ruleset


class Unit(NamedTuple):
    """A piece of work of at most some seconds: `key` says all that it depends on, `work` returns plain data."""

    key: str
    work: Callable[[], Any]


class Round(NamedTuple):
    """The units to be done next, in any order; how many there will be at the most, and what is known so far."""

    units: Sequence[Unit]
    planned: int
    so_far: Any = None


Values = Mapping[str, int]
"""The parameters of an analysis by their names."""
Analysing = Generator[Round, Mapping[str, Any], Any]
"""An analysis under way: is sent what came of the units of a round by their keys, and returns its result."""


class Parameter(msgspec.Struct, frozen=True):
    """A number that an analysis can be asked with: the least, the most, and the one that it has otherwise."""

    least: int
    most: int
    default: int
    what: str


class InapplicableError(ProjectionError):
    """A kind of analysis says nothing of games of that ruleset."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of analysis. `revision` grows whenever any of its results could be another one."""

    name: str
    revision: int
    what: str
    result: Any
    analyse: Callable[[Course, Values], Analysing]
    parameters: Mapping[str, Parameter] = {}
    policy: bool = False
    """Whether games are played on by the ruleset's policy, without which there is no such analysis."""
    chance: bool = False
    """Whether it is about the ruleset's events of chance."""

    def revision_of(self, ruleset: Ruleset) -> str:
        """What of a result depends on the release: the revisions of the kind, of the rules, and of the policy."""
        found = f"{self.revision}.{ruleset.revision}"
        return f"{found}.{ruleset.policy.revision}" if self.policy and ruleset.policy else found

    def check(self, ruleset: Ruleset) -> None:
        """Raises `InapplicableError` where it says nothing of games of a ruleset."""
        if (self.policy and ruleset.policy is None) or (self.chance and not ruleset.chance_kinds):
            raise InapplicableError(f"{self.name} says nothing of games of {ruleset.name}")


def at_once(analyse: Callable[[Course], Any]) -> Callable[[Course, Values], Analysing]:
    """An analysis that is done in one go."""

    def begin(course: Course, _: Values) -> Analysing:
        return analyse(course)
        yield  # a coroutine, too

    return begin


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            name="snapshot",
            revision=1,
            what="the score audit: every point with its entry and its rule",
            result=Audit,
            analyse=at_once(lambda course: course.audit),
        ),
        Kind(
            name="timeline",
            revision=1,
            what="who led when and by how much, when it was decided, how long everybody took",
            result=GameTimeline,
            analyse=at_once(timeline),
        ),
        Kind(
            name="luck-counts",
            revision=1,
            what="every event of chance against its odds: dice, draws, and what they brought",
            result=LuckCounts,
            analyse=at_once(luck_counts),
            chance=True,
        ),
    )
}
"""Every kind of analysis, by its name."""
