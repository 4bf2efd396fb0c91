"""Simulated games for estimates: first a few for each, then more for the least certain ones.

It ends when everything is known well enough, or the budget of games is used up. Every simulated game has a number, and
its random numbers follow from it. So a game is the same on any machine, and games can be played in any order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from games.errors import ImpossibleError
from games.playout import play_to_end
from projections.analyses.rounds import WorkRound, WorkUnit, size_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from games.contract import Outcome, Policy, State
    from projections.analyses.game_replay import GameReplay, ReplayStep
    from projections.analyses.rounds import ParameterValues
    from projections.analyses.seeded_random import SeededRandom

T = TypeVar("T")

FIRST_GAMES = 16
"""The number of games from each place for the first rough figures."""
UNIT = 64
"""The most games of one unit of work."""
MOST_MOVES = 1000
"""The most moves of a simulated game. After that the leader wins."""
SURE = 0.95
"""The confidence level of intervals."""
Z = 1.959964
"""The standard deviations of an interval that holds the truth 95 times of 100."""
BEGINNING = 4
"""How many moves could be simulated in the time that the beginning of a game takes."""
MOST_SHARE = 0.95
"""The greatest share of the work for a part that is not the last one: others follow."""
WHOLE = 12
"""A won game, in parts that two, three and four can share."""
DIGITS = 4
MOST_KEPT = 4_096
"""The most intervals, and the most results of games, that are kept: each job of an analysis asks for the same again."""


class Chances(msgspec.Struct, frozen=True):
    """A seat's chance to win, from 0 to 1, and the interval (Wilson, 95 %) in which it lies."""

    p: float
    low: float
    high: float


class Simulation(msgspec.Struct, frozen=True, kw_only=True):
    """The result of simulated games, if everybody plays by `policy` in this `policy_revision`.

    The policy makes `blunders` of 100 moves at random. `enough` says whether what was asked is known to within
    `precision` points of a hundred. `games` counts the simulated games. `sides` are the seats of each team, first the
    one with the first seat: partners share a chance to win. There are none if each seat plays for itself.
    """

    policy: str
    policy_revision: int
    blunders: int
    precision: int
    enough: bool
    games: int
    sides: list[list[int]] = []

    def side_of(self, seat: int) -> list[int]:
        """The seats that win together with a seat, and itself."""
        return side_of(self.sides, seat)

    def stands_for_side(self, seat: int) -> bool:
        """Whether a seat is the first one of its side. So each side is told once."""
        return self.side_of(seat)[0] == seat


@lru_cache(maxsize=MOST_KEPT)
def win_share(wins: float, n: int) -> Chances:
    """The share of wins in `n` games, with Wilson's interval."""
    p, z2 = wins / n, Z * Z
    middle, half = (p + z2 / (2 * n)) / (1 + z2 / n), Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Chances(round(p, DIGITS), round(low, DIGITS), round(high, DIGITS))


def joint_margin_factor(n: int) -> float:
    """The factor of the margins of `n` figures with which all hold the truth together, 95 times of 100 (Šidák).

    The greatest of many figures looks greater than it is. With these margins it may be told.

    >>> [round(joint_margin_factor(n), 2) for n in (0, 1, 2, 36)]
    [1.0, 1.0, 1.14, 1.63]
    """
    return NormalDist().inv_cdf((1 + SURE ** (1 / n)) / 2) / Z if n > 1 else 1.0


def policy_of(replay: GameReplay, values: ParameterValues) -> Policy:
    """The policy for the simulated games of a replay, with the given `blunders`. Raises `TypeError` without one."""
    if replay.ruleset.policy is None:
        raise TypeError(f"{replay.ruleset.name} has no policy")
    return msgspec.structs.replace(replay.ruleset.policy, blunders=values["blunders"])


def inputs_of(replay: GameReplay, policy: Policy, revision: int) -> str:
    """Everything that simulated games depend on, except their beginning, for the key of a tally."""
    by = (replay.ruleset.name, replay.revision, policy.name, policy.revision, policy.blunders, MOST_MOVES)
    return f"{(revision, *by)} {replay.seed}"


def moves_from(replay: GameReplay, step: ReplayStep) -> int:
    """How many moves a game that is simulated from a step is expected to take.

    That is as many as were made since. If the game goes on, it takes as many again as were made in all.
    """
    steps = replay.steps
    return BEGINNING + len(steps) - steps.index(step) + (0 if steps[-1].outcome else len(steps))


Result = list[int]
"""The result of a game: the part of each seat, of `WHOLE`."""


def results_text(results: Iterable[Result | None]) -> str:
    """Results of games as short text: a digit for each seat, or a dot if the game could not be simulated.

    >>> results_text([[12, 0], None, [6, 6]])
    'c0.66'
    """
    return "".join("." if result is None else "".join(f"{share:x}" for share in result) for result in results)


def results_in(text: str, seats: int) -> Iterator[Result | None]:
    """The results in such text.

    >>> list(results_in("c0.66", 2))
    [[12, 0], None, [6, 6]]
    """
    place = 0
    while place < len(text):
        is_known = text[place] != "."
        yield _result(text[place : place + seats]) if is_known else None
        place += seats if is_known else 1


@lru_cache(maxsize=MOST_KEPT)
def _result(text: str) -> Result:
    """The result of one game. Nobody changes it."""
    return [int(share, 16) for share in text]


class Score:
    """The results of some simulated games: the wins of each seat, in parts of `WHOLE`."""

    def __init__(self, seats: int) -> None:
        self.wins, self.n, self.cut_off, self.left_out = [0] * seats, 0, 0, 0

    def play(self, begin: Callable[[SeededRandom], State], policy: Policy, chance: SeededRandom) -> Result | None:
        """Simulate one more game from the position that `begin` sets up. Returns its result."""
        try:
            state = begin(chance)
            play_to_end(state, policy, chance, MOST_MOVES)
        except (ImpossibleError, LookupError, ValueError):  # the record contradicts itself from this viewpoint
            self.left_out += 1
            return None
        outcome = state.outcome()
        self.n += 1
        self.cut_off += outcome is None
        shares = shares_of(outcome, len(self.wins), state.teams) if outcome else _leader_shares(state)
        self.wins = [own + share for own, share in zip(self.wins, shares, strict=True)]
        return shares

    @property
    def data(self) -> list[Any]:
        """The scores as plain data."""
        return [self.wins, self.n, self.cut_off, self.left_out]

    def add(self, result: Sequence[Any]) -> None:
        """Add the results of other games."""
        wins, n, cut_off, left_out = result
        self.wins = [own + more for own, more in zip(self.wins, wins, strict=True)]
        self.n, self.cut_off, self.left_out = self.n + n, self.cut_off + cut_off, self.left_out + left_out

    def share(self, seat: int) -> float:
        """The part of the games that a seat won."""
        return self.wins[seat] / WHOLE / self.n

    def variance(self, seat: int) -> float:
        """The variance of the share by Agresti and Coull: never 0, even for few games."""
        n = self.n + Z * Z
        p = (self.wins[seat] / WHOLE + Z * Z / 2) / n
        return p * (1 - p) / self.n

    def chances(self) -> list[Chances]:
        """The chances of each seat; none if no game could be simulated."""
        return [win_share(wins / WHOLE, self.n) for wins in self.wins] if self.n else []


def shares_of(outcome: Outcome, seats: int, teams: Sequence[int] = ()) -> list[int]:
    """The share of each seat in a won game: a winning team wins all of it, a draw is shared by sides.

    `teams` has the team of each seat, or nothing where each seat plays for itself.
    """
    if outcome.together:
        return [WHOLE * (seat in outcome.winners) for seat in range(seats)]
    return _shared(outcome.winners, teams or range(seats))


def _leader_shares(state: State) -> list[int]:
    ranks = state.ranks()
    leaders = [seat for seat, rank in enumerate(ranks) if rank == min(ranks)]
    return _shared(leaders, state.teams or range(len(ranks)))


def _shared(winners: Iterable[int], teams: Sequence[int]) -> list[int]:
    """The share of each seat if the teams of the winners share a game."""
    won = {teams[seat] for seat in winners}
    return [WHOLE // len(won) if team in won else 0 for team in teams]


def side_of(sides: Iterable[list[int]], seat: int) -> list[int]:
    """The seats of the side with a seat; the seat alone if it is in none."""
    return next((side for side in sides if seat in side), [seat])


def sides_of(replay: GameReplay) -> list[list[int]]:
    """The seats of each team, in the order of the seats; none if each seat plays for itself."""
    teams = replay.opened.teams
    return [[seat for seat, each in enumerate(teams) if each == team] for team in dict.fromkeys(teams)]


class Tally(ABC):
    """An estimate at one place of a game, from games numbered from 0. `key` names everything that they depend on.

    A game is expected to take `moves` from there to its end.
    """

    unit = UNIT
    """The most numbers of one unit of work."""

    def __init__(self, key: str, moves: int) -> None:
        self._key, self._moves, self.played = key, moves, 0

    def games_until(self, until: int) -> int:
        """The number of games to simulate up to number `until`."""
        return until - self.played

    @property
    def games(self) -> int:
        """The number of simulated games."""
        return self.played

    def units(self, until: int) -> list[WorkUnit]:
        """The units of work for the games after the last simulated one, up to number `until`."""
        return [self._unit(first, last) for first, last in pairwise([*range(self.played, until, self.unit), until])]

    def size(self, first: int, last: int) -> int:
        """The expected moves of the games with numbers from `first` up to `last`."""
        return max(0, last - first) * self._moves

    def add(self, found: Mapping[str, Any], until: int) -> None:
        """Add the results of the units."""
        for unit in self.units(until):
            self.count(found[unit.key])
        self.played = until

    def _unit(self, first: int, last: int) -> WorkUnit:
        key = sha256(f"{self._key} {first} {last}".encode()).hexdigest()
        return WorkUnit(key, lambda: self.play(range(first, last)), self.size(first, last))

    @abstractmethod
    def play(self, numbers: range) -> Any:
        """Simulate the games with these numbers. Returns plain data."""

    @abstractmethod
    def count(self, result: Any) -> None:
        """Add a result of `play`."""

    @abstractmethod
    def margin(self) -> float:
        """The uncertainty: half of the widest interval. 0 if more games would not help."""


def refine(
    tallies: Sequence[Tally], wanted: float, budget: int, enough: int, so_far: Callable[[], Any]
) -> Generator[WorkRound, Mapping[str, Any], int]:
    """Simulate until each tally is known to within `wanted`, with at most `enough` numbers each and `budget` games.

    Returns the size of the work.
    """
    done, whole = 0, budget
    while chosen := _next(uncertain := _uncertain(tallies, wanted), budget, enough):
        units = [unit for tally, until in chosen for unit in tally.units(until)]
        size, likely = size_of(units), [(each.tally, min(enough, each.likely or enough)) for each in uncertain]
        expected, games = (sum(found) for found in zip(*(_still(tally, until) for tally, until in likely), strict=True))
        planned = done + max(size, ceil(expected * min(1, budget / games)))
        found = yield WorkRound(units, planned, so_far() if done else None, min(1, (whole - budget + games) / whole))
        for tally, until in chosen:
            budget -= tally.games_until(until)
            tally.add(found, until)
        done += size
    return done


class _Uncertain(NamedTuple):
    """A tally that needs more games, its margin, and the likely number of all its games: 0 before the first ones."""

    tally: Tally
    margin: float
    likely: int


def _uncertain(tallies: Sequence[Tally], wanted: float) -> list[_Uncertain]:
    """The tallies that are not known to within `wanted`."""
    margins = [(tally, tally.margin()) for tally in tallies]
    return [
        _Uncertain(tally, margin, _likely(tally.played, margin / wanted))
        for tally, margin in margins
        if margin > wanted
    ]


def _still(tally: Tally, until: int) -> tuple[int, int]:
    """The size and the number of further games up to number `until`."""
    return tally.size(tally.played, until), max(1, tally.games_until(max(until, tally.played)))


def play_all(tallies: Sequence[Tally], until: int) -> Generator[WorkRound, Mapping[str, Any], None]:
    """Simulate games of each tally up to the same number."""
    units = [unit for tally in tallies for unit in tally.units(until)]
    if units:
        found = yield WorkRound(units, size_of(units))
        for tally in tallies:
            tally.add(found, until)


def with_progress(
    analysing: Generator[WorkRound, Mapping[str, Any], T], done: int, share: float
) -> Generator[WorkRound, Mapping[str, Any], tuple[T, int]]:
    """Run a part of an analysis after work of the size `done`; its result, and the size after it.

    The time of later parts is not known yet. This part is usually a `share` of all the remaining work, and more if it
    uses up a larger part of the budget.
    """
    before, found = done, None
    while True:
        try:
            asked = analysing.send(found) if found is not None else next(analysing)
        except StopIteration as finished:
            return finished.value, done
        found = yield WorkRound(
            asked.units, before + ceil(asked.planned / max(share, min(asked.budget_share, MOST_SHARE)))
        )
        done += asked.size


def _next(uncertain: Sequence[_Uncertain], budget: int, enough: int) -> list[tuple[Tally, int]]:
    """The tallies that get more games, and their limits: first a few for all, then twice as many for the least known.

    If fewer are likely to be enough, that number.
    """
    fewest = min((each.tally.played for each in uncertain), default=0)
    chosen = []
    for tally, _, likely in sorted(uncertain, key=lambda each: -each.margin):
        if tally.played < max(1, 2 * fewest):
            until = _until(tally.played, likely, enough)
            if tally.games_until(until) > budget:
                break
            budget -= tally.games_until(until)
            chosen.append((tally, until))
    return chosen


def _until(played: int, likely: int, enough: int) -> int:
    """The number of the last game in the next part after `played` games."""
    until = min(2 * played, likely) or FIRST_GAMES
    return enough if played < enough < until else until


def _likely(played: int, wider: float) -> int:
    """The likely number of games after `played`, if the interval is so many times wider than wanted.

    Intervals shrink with its square root. It is 0 before the first games.
    """
    return max(played + FIRST_GAMES, ceil(played * wider * wider / FIRST_GAMES) * FIRST_GAMES) if played else 0


def enough_for(wanted: float) -> int:
    """The number of games for the wanted interval of an even chance, which has the widest interval."""
    fewest = next(
        n for n in (FIRST_GAMES << doubled for doubled in range(30)) if win_share(n / 2, n).high - 0.5 <= wanted
    )
    return bisect_left(range(fewest), x=True, key=lambda n: n > 0 and win_share(n / 2, n).high - 0.5 <= wanted)
