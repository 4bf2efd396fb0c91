"""The kinds of analyses, in one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from projections.analyses.game_replay import GameReplay
from projections.analyses.luck import REVISION as LUCK_COUNTS
from projections.analyses.luck import LuckCounts, luck_counts
from projections.analyses.pace import GameTimeline, timeline
from projections.analyses.review import REVISION as REVIEW
from projections.analyses.review import Review, review
from projections.analyses.rounds import AnalysisRun, ParameterValues
from projections.analyses.turning import REVISION as TURNING_POINTS
from projections.analyses.turning import TurningPoints, turning_points
from projections.analyses.winline import REVISION as WIN_LINE
from projections.analyses.winline import WinLine, win_line
from projections.analyses.worth import REVISION as LUCK_VALUE
from projections.analyses.worth import LuckValue, luck_value
from projections.audit import Audit
from projections.errors import ProjectionError

if TYPE_CHECKING:
    from games.contract import Ruleset
    from projections.fold import Fold


class Parameter(msgspec.Struct, frozen=True):
    """A numeric parameter of an analysis: its minimum, its maximum, and its default."""

    least: int
    most: int
    default: int
    what: str


class InapplicableError(ProjectionError):
    """A kind of analysis does not apply to games of that ruleset."""


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of analysis. `revision` grows with every change that could change a result."""

    name: str
    revision: int
    what: str
    result: Any
    analyse: Callable[[GameReplay, ParameterValues], AnalysisRun]
    parameters: Mapping[str, Parameter] = {}
    policy: bool = False
    """Whether it simulates games with the ruleset's policy, and so needs one."""
    chance: bool = False
    """Whether it is about the ruleset's events of chance."""

    def revision_of(self, game: Fold | GameReplay) -> str:
        """The revisions behind a result: of the kind, of the game's rules, and of the policy."""
        found, ruleset = f"{self.revision}.{game.revision}", game.ruleset
        return f"{found}.{ruleset.policy.revision}" if self.policy and ruleset.policy else found

    def applies(self, ruleset: Ruleset) -> bool:
        """Whether the kind applies to games of a ruleset."""
        return not ((self.policy and ruleset.policy is None) or (self.chance and not ruleset.chance_kinds))

    def check(self, ruleset: Ruleset) -> None:
        """Raises `InapplicableError` if the kind does not apply to games of a ruleset."""
        if not self.applies(ruleset):
            raise InapplicableError(f"there is no {self.name} for games of {ruleset.name}: {self._why(ruleset)}")

    def _why(self, ruleset: Ruleset) -> str:
        if self.chance and not ruleset.chance_kinds:
            return "its record notes no dice and no cards"
        return "there is no policy by which they could be played on"


def single_step(analyse: Callable[[GameReplay], Any]) -> Callable[[GameReplay, ParameterValues], AnalysisRun]:
    """Make a protocol of rounds from a function that computes an analysis in one unit."""

    def begin(replay: GameReplay, _: ParameterValues) -> AnalysisRun:
        return analyse(replay)
        yield  # a coroutine, too

    return begin


BLUNDERS = Parameter(0, 50, 10, "how many of 100 moves are made at random, where games are played on")
"""People at a table make mistakes. `docs/calibration.md` shows how well the chances come true with this number."""

OF_DECISIONS: dict[str, Parameter] = {
    "precision": Parameter(1, 20, 5, "to within how many points of a hundred the chances are to be known"),
    "games": Parameter(100, 1_000_000, 100_000, "the most games that are played on"),
    "blunders": BLUNDERS,
}
"""The parameters of the analyses that compare options."""

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            name="snapshot",
            revision=1,
            what="the score audit: every point with its entry and its rule",
            result=Audit,
            analyse=single_step(lambda replay: replay.audit),
        ),
        Kind(
            name="timeline",
            revision=11,
            what="the game in words, its moments, who led when and by how much, its rounds, how long everybody took",
            result=GameTimeline,
            analyse=single_step(timeline),
        ),
        Kind(
            name="luck-counts",
            revision=LUCK_COUNTS,
            what="every event of chance against its odds: dice, draws, and what they brought",
            result=LuckCounts,
            analyse=single_step(luck_counts),
            chance=True,
        ),
        Kind(
            name="win-line",
            revision=WIN_LINE,
            what="each seat's chance to win after every turn, by games played on from there",
            result=WinLine,
            analyse=win_line,
            parameters={
                "precision": Parameter(1, 20, 5, "to within how many points of a hundred the chances are to be known"),
                "games": Parameter(100, 1_000_000, 50_000, "the most games that are played on"),
                "blunders": BLUNDERS,
            },
            policy=True,
        ),
        Kind(
            name="luck-value",
            revision=LUCK_VALUE,
            what="what each event of chance was worth, in chances to win, by games played on from there",
            result=LuckValue,
            analyse=luck_value,
            parameters={
                "precision": Parameter(1, 30, 7, "to within how many points of a hundred each event is to be known"),
                "games": Parameter(100, 1_000_000, 50_000, "the most games that are played on"),
                "blunders": BLUNDERS,
            },
            policy=True,
            chance=True,
        ),
        Kind(
            name="turning-points",
            revision=TURNING_POINTS,
            what="the turns that changed the chances most: what luck did, and what else could have been done",
            result=TurningPoints,
            analyse=turning_points,
            parameters=OF_DECISIONS,
            policy=True,
        ),
        Kind(
            name="review",
            revision=REVIEW,
            what="how well each seat played: accuracy, the worst slips with what was better, the result without luck",
            result=Review,
            analyse=review,
            parameters=OF_DECISIONS,
            policy=True,
        ),
    )
}
"""Every kind of analysis, by its name."""
