"""The analysis `win-line`: each seat's chance to win after every turn, if the ruleset's policy plays for everybody.

The game is simulated many times from the end of each turn. Cards that are hidden from the viewpoint are dealt anew each
time, from all cards that what was seen allows. In Kahuna, Verräter and the card game, hands come as often as all
arrangements have them; in the card game, so do stacks. If there are too many arrangements, a sample of them is drawn
that is right on average. In Manapani each card that is possible beside those before it is equally likely. What choices
of players tell is not used. First every turn gets a few games. Then the least known turns get more, until all are known
well enough, or the budget is used up.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, Any

import msgspec

from projections.analyses.refining import (
    DIGITS,
    WHOLE,
    Chances,
    Result,
    Score,
    Simulation,
    Tally,
    enough_for,
    inputs_of,
    joint_margin_factor,
    moves_from,
    policy_of,
    refine,
    results_in,
    results_text,
    shares_of,
    sides_of,
)
from projections.analyses.seeded_random import SeededRandom

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Policy
    from projections.analyses.game_replay import GameReplay, ReplayStep
    from projections.analyses.rounds import AnalysisRun, ParameterValues

REVISION = 9

ROUGHEST = 0.2
"""The widest margin of a chance in the result."""
SWINGS = 5
"""The number of the greatest swings in the result."""


class WinPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Each seat's chances after entry `version`, the last one of a turn, from `n` simulated games.

    There are none as long as they are not known to within 20 points of a hundred. `over` means that the game had ended
    and nothing was simulated. `cut_off` games went to the leader after many moves, and `left_out` games could not be
    played.
    """

    version: int
    seat: int | None
    n: int
    chances: list[Chances]
    over: bool = False
    cut_off: int = 0
    left_out: int = 0


class Swing(msgspec.Struct, frozen=True, kw_only=True):
    """The chances of a seat before and after the turn that ended with entry `version`.

    Their intervals do not meet, and the change is certain although the greatest of all turns was looked for. `since`
    is the last entry of the turn before.
    """

    seat: int
    since: int
    version: int
    before: Chances
    after: Chances

    @property
    def size(self) -> float:
        """The size of the change."""
        return abs(self.after.p - self.before.p)


class WinLine(Simulation, frozen=True, kw_only=True):
    """Each seat's chances after every turn, if everybody plays by the policy from there on.

    The `precision` is that of all chances. `swings` are the turns with the largest
    changes, each for the seat that changed most.
    """

    points: list[WinPoint]
    swings: list[Swing]


class TurnEnd(Tally):
    """The results of the games simulated from the end of one turn, together and one by one."""

    def __init__(self, replay: GameReplay, policy: Policy, step: ReplayStep) -> None:
        key = f"turn-end results {inputs_of(replay, policy, REVISION)} {step.version} {step.digest}"
        super().__init__(key, moves_from(replay, step))
        self.step, self._replay, self._policy, self.score = step, replay, policy, Score(replay.seats)
        self.results: list[Result | None] = []

    def play(self, numbers: range) -> list[Any]:
        """Simulate the games with these numbers: their results together, and each."""
        score = Score(self._replay.seats)
        results = [play_from(self._replay, self.step, self._policy, number, score) for number in numbers]
        return [*score.data, results_text(results)]

    def count(self, result: Sequence[Any]) -> None:
        """Add the results of a unit."""
        *score, results = result
        self.score.add(score)
        self.results += results_in(results, self._replay.seats)

    def chances(self) -> list[Chances]:
        """The chances of each seat; none without games."""
        if outcome := self.step.outcome:
            shares = shares_of(outcome, self._replay.seats, self.step.after.teams)
            return [Chances(*[round(share / WHOLE, DIGITS)] * 3) for share in shares]
        return self.score.chances()

    def margin(self) -> float:
        """The uncertainty of the least certain chance."""
        if self.step.outcome or (self.played and not self.score.n):
            return 0.0
        return max((chance.high - chance.low for chance in self.chances()), default=1.0) / 2

    def point(self) -> WinPoint:
        """The point of the line."""
        return WinPoint(
            version=self.step.version,
            seat=self.step.seat,
            n=self.score.n,
            chances=self.chances() if self.margin() <= ROUGHEST else [],
            over=self.step.outcome is not None,
            cut_off=self.score.cut_off,
            left_out=self.score.left_out,
        )


def play_from(replay: GameReplay, step: ReplayStep, policy: Policy, number: int, score: Score) -> Result | None:
    """Simulate game `number` from the table after a step."""
    return score.play(lambda _: step.after.copy(), policy, SeededRandom(replay.seed, step.version, number))


def win_line(replay: GameReplay, values: ParameterValues) -> AnalysisRun:
    """The analysis of a game, within `precision` points of a hundred and a budget of `games`."""
    return (yield from line_through(replay, values, turn_ends(replay, policy_of(replay, values))))


def turn_ends(replay: GameReplay, policy: Policy) -> list[TurnEnd]:
    """The places of a win line, without games."""
    return [TurnEnd(replay, policy, step) for step in _turn_ends(replay)]


def line_through(replay: GameReplay, values: ParameterValues, tallies: Sequence[TurnEnd]) -> AnalysisRun:
    """The win line through these places. They keep the results of its games."""
    wanted = values["precision"] / 100
    yield from refine(tallies, wanted, values["games"], enough_for(wanted), lambda: _line(replay, values, tallies))
    return _line(replay, values, tallies)


def _line(replay: GameReplay, values: ParameterValues, tallies: Sequence[TurnEnd]) -> WinLine:
    policy, wanted = policy_of(replay, values), values["precision"] / 100
    points = [tally.point() for tally in tallies]
    return WinLine(
        policy=policy.name,
        policy_revision=policy.revision,
        blunders=policy.blunders,
        precision=values["precision"],
        enough=all(tally.margin() <= wanted and tally.chances() for tally in tallies),
        games=sum(tally.played for tally in tallies),
        sides=sides_of(replay),
        points=points,
        swings=swings_of(points),
    )


def swings_of(points: Sequence[WinPoint]) -> list[Swing]:
    """The greatest swings, in order of play."""
    turns = [(before, after) for before, after in pairwise(points) if before.chances and after.chances]
    factor = joint_margin_factor(len(turns))
    found = [swing for before, after in turns if (swing := _turn_effect(before, after, factor))]
    greatest = sorted(found, key=lambda swing: -swing.size)[:SWINGS]
    return [swing for swing in found if swing in greatest]


def _turn_effect(before: WinPoint, after: WinPoint, factor: float) -> Swing | None:
    """The effect of a turn on the seat that changed most, preferably one that gained; None if that is not certain."""
    gains = [round(now.p - was.p, DIGITS) for was, now in zip(before.chances, after.chances, strict=True)]
    seat = max(range(len(gains)), key=lambda each: (abs(gains[each]), gains[each]))
    was, now = before.chances[seat], after.chances[seat]
    margin = factor * hypot(was.high - was.low, now.high - now.low) / 2
    if (was.low <= now.high and now.low <= was.high) or abs(gains[seat]) <= margin:
        return None
    return Swing(seat=seat, since=before.version, version=after.version, before=was, after=now)


def _turn_ends(replay: GameReplay) -> list[ReplayStep]:
    """The last step of each turn, and the last step of the game."""
    steps = replay.steps
    ends = [one for one, other in pairwise(steps) if one.after.to_move() != one.seat and one.seat != other.seat]
    return [*ends, *steps[-1:]]
