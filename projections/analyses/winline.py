"""The analysis `win-line`: each seat's chance to win after every turn, if the ruleset's policy plays for everybody.

The game is played on from each turn's end many times; cards that are hidden from the viewpoint are dealt anew each time
from those that can be there, all alike: what play tells of hands is not used. First every turn gets a few, then those
get more whose chances are known least, until all are known well enough, or the budget is used up.
"""

from __future__ import annotations

from bisect import bisect_left
from hashlib import sha256
from itertools import pairwise
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import msgspec

from games.errors import ImpossibleError
from games.playout import play_on
from projections.analyses.lots import Lots
from projections.analyses.rounds import Round, Unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from games.contract import Outcome, Policy, State
    from projections.analyses.course import Course, Step
    from projections.analyses.rounds import Analysing, Values

REVISION = 3

FIRST = 16
"""How many games are played on from each turn for the first rough line."""
UNIT = 64
"""The most games of one piece of work."""
MOST_MOVES = 1000
"""After so many moves a game that is played on is broken off, and goes to whoever leads."""
Z = 1.959964
"""The standard deviations of an interval that holds the truth 95 times of 100."""
WHOLE = 12
"""A won game, in parts that two, three and four can share."""
DIGITS = 4
SWINGS = 5
"""How many of the greatest swings are told."""


class Chances(msgspec.Struct, frozen=True):
    """A seat's chance to win, from 0 to 1, and the interval (Wilson, 95 %) in which it lies."""

    p: float
    low: float
    high: float


class WinPoint(msgspec.Struct, frozen=True, kw_only=True):
    """How it stood after entry `version`, the last one of a turn: each seat's chances by `n` games played on.

    There are none where no game could be played on. `over` is a game that had ended: nothing was played on. `cut_off`
    of the games went to whoever led after many moves, and `left_out` could not be played on.
    """

    version: int
    seat: int | None
    n: int
    chances: list[Chances]
    over: bool = False
    cut_off: int = 0
    left_out: int = 0


class Swing(msgspec.Struct, frozen=True, kw_only=True):
    """The chances of a seat before and after the turn that ended with entry `version`; their intervals do not meet.

    `since` is the entry with which the turn before it ended.
    """

    seat: int
    since: int
    version: int
    before: Chances
    after: Chances

    @property
    def size(self) -> float:
        """By how much the chance changed."""
        return abs(self.after.p - self.before.p)


class WinLine(msgspec.Struct, frozen=True, kw_only=True):
    """Each seat's chances after every turn, if everybody plays by `policy` from there on.

    `enough` is whether all of them are known to within `precision` points of a hundred; `games` were played on.
    `swings` are the turns that changed the chances most, each told of the seat for which that was most.
    """

    policy: str
    policy_revision: int
    precision: int
    enough: bool
    games: int
    points: list[WinPoint]
    swings: list[Swing]


class _Tally:
    """What came of the games that were played on from one turn's end."""

    def __init__(self, course: Course, step: Step) -> None:
        self.step, self.seats = step, course.seats
        policy = _policy(course)
        key = (REVISION, course.ruleset.name, course.revision, policy.name, policy.revision, MOST_MOVES)
        self._key = f"win-line {key} {course.seed} {step.version} {step.digest}"
        self._course = course
        self.played, self.wins, self.cut_off, self.left_out = 0, [0] * course.seats, 0, 0

    def units(self, until: int) -> list[Unit]:
        """The games from those that were played on to the `until`-th."""
        bounds = [*range(self.played, until, UNIT), until]
        return [self._unit(first, last) for first, last in pairwise(bounds)]

    def _unit(self, first: int, last: int) -> Unit:
        key = sha256(f"{self._key} {first} {last}".encode()).hexdigest()
        return Unit(key, lambda: _play(self._course, self.step, range(first, last)))

    def add(self, units: Sequence[Unit], found: Mapping[str, Any], until: int) -> None:
        for unit in units:
            wins, cut_off, left_out = found[unit.key]
            self.wins = [own + more for own, more in zip(self.wins, wins, strict=True)]
            self.cut_off += cut_off
            self.left_out += left_out
        self.played = until

    @property
    def n(self) -> int:
        return self.played - self.left_out

    def chances(self) -> list[Chances]:
        if outcome := self.step.outcome:
            shares = _shares(outcome, self.seats)
            return [Chances(*[round(share / WHOLE, DIGITS)] * 3) for share in shares]
        return [wilson(wins / WHOLE, self.n) for wins in self.wins] if self.n else []

    def spread(self) -> float:
        """By how much a chance can be off: half of its widest interval."""
        if self.step.outcome or (self.played and not self.n):
            return 0.0  # more games would not help
        return max((chance.high - chance.low for chance in self.chances()), default=1.0) / 2

    def point(self) -> WinPoint:
        return WinPoint(
            version=self.step.version,
            seat=self.step.seat,
            n=self.n,
            chances=self.chances(),
            over=self.step.outcome is not None,
            cut_off=self.cut_off,
            left_out=self.left_out,
        )


def win_line(course: Course, values: Values) -> Analysing:
    """The analysis of a game, within `precision` points of a hundred and a budget of `games`."""
    tallies = [_Tally(course, step) for step in _turn_ends(course)]
    wanted, budget, units_done = values["precision"] / 100, values["games"], 0
    enough = _enough(wanted)
    while True:
        chosen = _next(tallies, wanted, budget - sum(tally.played for tally in tallies), enough)
        if not chosen:
            return _line(course, values, tallies)
        units = {id(tally): tally.units(until) for tally, until in chosen}
        flat = [unit for some in units.values() for unit in some]
        left = sum(ceil(max(0, enough - until) / UNIT) for _, until in chosen)
        so_far = _line(course, values, tallies) if units_done else None
        found = yield Round(flat, units_done + len(flat) + left, so_far)
        for tally, until in chosen:
            tally.add(units[id(tally)], found, until)
        units_done += len(flat)


def _enough(wanted: float) -> int:
    """How many games make the interval of an even chance, which is the widest, narrow enough."""
    fewest = next(n for n in (FIRST << doubled for doubled in range(30)) if wilson(n / 2, n).high - 0.5 <= wanted)
    return bisect_left(range(fewest), x=True, key=lambda n: n > 0 and wilson(n / 2, n).high - 0.5 <= wanted)


def _next(tallies: Sequence[_Tally], wanted: float, budget: int, enough: int) -> list[tuple[_Tally, int]]:
    """Who gets more games, and up to which: all of them a few first, then those that are known least, twice as many."""
    open_ = [tally for tally in tallies if tally.spread() > wanted]
    fewest = min((tally.played for tally in open_), default=0)
    chosen = []
    for tally in sorted(open_, key=lambda each: -each.spread()):
        if tally.played == fewest:
            twice = 2 * tally.played or FIRST
            until = enough if tally.played < enough < twice else twice
            if until - tally.played > budget:
                break
            budget -= until - tally.played
            chosen.append((tally, until))
    return chosen


def _line(course: Course, values: Values, tallies: Sequence[_Tally]) -> WinLine:
    policy = _policy(course)
    wanted = values["precision"] / 100
    points = [tally.point() for tally in tallies]
    return WinLine(
        policy=policy.name,
        policy_revision=policy.revision,
        precision=values["precision"],
        enough=all(tally.spread() <= wanted and tally.chances() for tally in tallies),
        games=sum(tally.played for tally in tallies),
        points=points,
        swings=swings_of(points),
    )


def swings_of(points: Sequence[WinPoint]) -> list[Swing]:
    """The greatest swings, in the order in which they came."""
    known = [point for point in points if point.chances]
    found = [swing for before, after in pairwise(known) if (swing := _swing(before, after))]
    greatest = sorted(found, key=lambda swing: -swing.size)[:SWINGS]
    return [swing for swing in found if swing in greatest]


def _swing(before: WinPoint, after: WinPoint) -> Swing | None:
    """What a turn did to the seat whose chance it changed most, or else that gained; None if that is not sure."""
    gains = [round(now.p - was.p, DIGITS) for was, now in zip(before.chances, after.chances, strict=True)]
    seat = max(range(len(gains)), key=lambda each: (abs(gains[each]), gains[each]))
    was, now = before.chances[seat], after.chances[seat]
    if was.low <= now.high and now.low <= was.high:
        return None
    return Swing(seat=seat, since=before.version, version=after.version, before=was, after=now)


def _turn_ends(course: Course) -> list[Step]:
    """The last step of each turn, and the last of all."""
    steps = course.steps
    ends = [one for one, other in pairwise(steps) if one.after.to_move() != one.seat and one.seat != other.seat]
    return [*ends, *steps[-1:]]


def _policy(course: Course) -> Policy:
    if course.ruleset.policy is None:
        raise TypeError(f"{course.ruleset.name} has no policy")
    return course.ruleset.policy


def _play(course: Course, step: Step, numbers: range) -> tuple[list[int], int, int]:
    """Play on so many times: what each seat won, in parts, how many were cut off, how many could not be played."""
    policy, wins, cut_off, left_out = _policy(course), [0] * course.seats, 0, 0
    for number in numbers:
        state = step.after.copy()
        try:
            play_on(state, policy, Lots(course.seed, step.version, number), MOST_MOVES)
        except (ImpossibleError, LookupError, ValueError):  # what was recorded contradicts itself, seen from here
            left_out += 1
            continue
        outcome = state.outcome()
        cut_off += outcome is None
        shares = _shares(outcome, course.seats) if outcome else _leading(state)
        wins = [own + share for own, share in zip(wins, shares, strict=True)]
    return wins, cut_off, left_out


def _shares(outcome: Outcome, seats: int) -> list[int]:
    """What each seat has of a won game: those who win together win all of it, those who share a draw share it."""
    each = WHOLE if outcome.together else WHOLE // max(1, len(outcome.winners))
    return [each * (seat in outcome.winners) for seat in range(seats)]


def _leading(state: State) -> list[int]:
    ranks = state.ranks()
    return [WHOLE // ranks.count(min(ranks)) * (rank == min(ranks)) for rank in ranks]


def wilson(wins: float, n: int) -> Chances:
    """The share of wins in `n` games, with Wilson's interval."""
    p, z2 = wins / n, Z * Z
    middle, half = (p + z2 / (2 * n)) / (1 + z2 / n), Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Chances(round(p, DIGITS), round(low, DIGITS), round(high, DIGITS))
