"""What all chance of a move was worth together, and the sum for a game.

The move as it was made is compared with the same decision and new outcomes: V(actual) - Σ P(o)·V(o), for all outcomes
`o` of the whole move. This is the sum of the values of its events (`worth.py`), in fewer games. Each game with the
actual outcomes has a partner with new ones and the same random numbers. How much partners differ tells the margin.
After a move that ends a turn, the games of the win line are those with the actual outcomes.
"""

from __future__ import annotations

from collections import Counter
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from games.chance import resampled
from projections.analyses.refining import (
    DIGITS,
    FIRST_GAMES,
    WHOLE,
    Score,
    Z,
    inputs_of,
    moves_from,
    refine,
    results_in,
    results_text,
)
from projections.analyses.rounds import WorkRound, size_of
from projections.analyses.seeded_random import SeededRandom
from projections.analyses.winline import play_from
from projections.analyses.worth import ChanceEvents, WinChanceShift, WorthTally, enough_for_difference, sum_worths

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from games.contract import Move, Policy, State
    from projections.analyses.game_replay import GameReplay, ReplayStep
    from projections.analyses.refining import Result
    from projections.analyses.winline import TurnEnd

REVISION = 2

SAME = "="
"""The text of a pair whose new outcomes are the actual ones."""


class MoveLuck(WorthTally):
    """The worth of all chance in a move, from pairs of games. `played_after` are results of games after the move."""

    unit = 32

    def __init__(
        self, replay: GameReplay, policy: Policy, step: ReplayStep, move: Move, end: TurnEnd | None = None
    ) -> None:
        self.played_after: Sequence[Result | None] = end.results if end else ()
        ground = f"{inputs_of(replay, policy, REVISION)} {step.version} {step.input_hash} {step.digest}"
        super().__init__(f"move-luck {ground} {len(self.played_after)}", moves_from(replay, step))
        self.step, self._move, self._replay, self._policy = step, move, replay, policy
        self.n, self._games, self._counted, self._same = 0, 0, 0, 0
        self._sums, self._squares = [0] * replay.seats, [0] * replay.seats

    def size(self, first: int, last: int) -> int:
        """The expected moves of these pairs: as many of them differ as of those before."""
        most = super().size(first, last) + super().size(max(first, len(self.played_after)), last)
        return ceil(most * (self.played - self._same + 1) / (self.played + 1))

    def games_until(self, until: int) -> int:
        """The most games up to number `until`: one of each pair, and the other one if the line has not played it."""
        return until - self.played + max(0, until - max(self.played, len(self.played_after)))

    @property
    def games(self) -> int:
        """The number of simulated games, without those of the line."""
        return self._games

    def play(self, numbers: range) -> list[list[str]]:
        """Simulate pairs: the results with new outcomes, and those with the actual ones that the line does not have."""
        score, others, came = Score(self._replay.seats), list[str](), list[str]()
        for number in numbers:
            redrawn = self._redrawn(number)
            if redrawn == self._move:
                others.append(SAME)
                continue
            others.append(results_text([self._play_redrawn(redrawn, number, score)]))
            if number >= len(self.played_after):
                came.append(results_text([play_from(self._replay, self.step, self._policy, number, score)]))
        return [others, came]

    def _redrawn(self, number: int) -> Move:
        """The move with new outcomes for game `number`."""
        chance = SeededRandom(f"{self._replay.seed} redrawn", self.step.version, number)
        return resampled(self.step.before, self._move, chance)

    def _play_redrawn(self, move: Move, number: int, score: Score) -> Result | None:
        """Simulate game `number` after another move, with the random numbers of the actual one."""

        def begin(_: SeededRandom) -> State:
            state = self.step.before.copy()
            state.apply(move, self.step.version)
            return state

        return score.play(begin, self._policy, SeededRandom(self._replay.seed, self.step.version, number))

    def count(self, result: Sequence[Sequence[str]]) -> None:
        """Add the differences of pairs."""
        others, came = result
        left = iter(came)
        for other in others:
            number, self._counted = self._counted, self._counted + 1
            if other == SAME:
                self.n, self._same = self.n + 1, self._same + 1
                continue
            is_shared = number < len(self.played_after)
            self._games += 1 if is_shared else 2
            (instead,) = results_in(other, len(self._sums))
            (actual,) = self.played_after[number : number + 1] if is_shared else results_in(next(left), len(self._sums))
            if actual and instead:
                self._add([own - new for own, new in zip(actual, instead, strict=True)])

    def _add(self, differences: Sequence[int]) -> None:
        self.n += 1
        self._sums = [before + more for before, more in zip(self._sums, differences, strict=True)]
        self._squares = [before + more * more for before, more in zip(self._squares, differences, strict=True)]

    @property
    def can_be_known(self) -> bool:
        """Whether a pair could be simulated, or none was tried."""
        return self.n > 0 or not self.played

    def variance(self, seat: int) -> float:
        """The variance of one pair, as if one more pair had differed: never 0, even for few pairs."""
        mean = self._sums[seat] / WHOLE / self.n
        return (self._squares[seat] / WHOLE**2 + 1) / (self.n + 1) - mean * mean * self.n / (self.n + 1)

    def worth_for(self, seat: int) -> WinChanceShift:
        """The worth of all chance in the move for a seat."""
        mean, margin = self._sums[seat] / WHOLE / self.n, Z * sqrt(self.variance(seat) / self.n)
        return WinChanceShift(round(mean, DIGITS), round(margin, DIGITS))


class ChanceMoves:
    """The moves with events of chance in some steps of a replay, and the number of events that are left out."""

    def __init__(
        self, replay: GameReplay, policy: Policy, steps: Sequence[ReplayStep], ends: Sequence[TurnEnd]
    ) -> None:
        events, at = ChanceEvents(replay, policy, steps), {end.step.version: end for end in ends}
        self._counts = Counter(tally.step.version for tally in events.tallies)
        self._unknown = events.unknown.total()
        self.tallies = [
            MoveLuck(replay, policy, step, step.move, at.get(step.version))
            for step in steps
            if step.move and self._counts[step.version]
        ]

    @property
    def told_moves(self) -> list[MoveLuck]:
        """The moves with a worth of chance that can be known, also those with too few games for that."""
        return [tally for tally in self.tallies if tally.can_be_known]

    @property
    def left_out(self) -> int:
        """The number of events with a worth that cannot be known."""
        return self._unknown + sum(self._counts[tally.step.version] for tally in self.tallies if not tally.can_be_known)


def refine_sum(
    tallies: Sequence[MoveLuck], each: float, whole: float, budget: int
) -> Generator[WorkRound, Mapping[str, Any], int]:
    """Simulate until each worth is known to within `each`, then until their sum is to within `whole` for all seats.

    The sum is left as it is if the budget is too small for it. Returns the size of the work.
    """
    done = yield from _refine_each(tallies, each, whole, budget)
    while wanted := _within(_for_sum(tallies, whole), tallies, budget):
        more = {tally: min(until, 2 * tally.played) for tally, until in wanted.items()}
        units = [unit for tally, until in more.items() for unit in tally.units(until)]
        size = size_of(units)
        share = (sum(tally.games + tally.games_until(until) for tally, until in wanted.items())) / budget
        found = yield WorkRound(units, done + max(size, _size(wanted)), None, min(1, share))
        for tally, until in more.items():
            tally.add(found, until)
        done += size
    return done


def _refine_each(
    tallies: Sequence[MoveLuck], each: float, whole: float, budget: int
) -> Generator[WorkRound, Mapping[str, Any], int]:
    """Simulate until each worth is known to within `each`. What the sum needs later is part of the planned work."""
    refining, played = refine(tallies, each, budget, enough_for_difference(each), lambda: None), 0
    found = None
    while True:
        try:
            asked = refining.send(found) if found is not None else next(refining)
        except StopIteration as finished:
            return int(finished.value)
        later = _within(_for_sum(tallies, whole), tallies, budget)
        planned = max(asked.planned, played + asked.size, played + _size(later))
        found = yield WorkRound(asked.units, planned, None, asked.budget_share)
        played += asked.size


def _within(wanted: dict[MoveLuck, int], tallies: Sequence[MoveLuck], budget: int) -> dict[MoveLuck, int]:
    """These further pairs, if the budget is enough for them; else none."""
    left = budget - sum(tally.games for tally in tallies)
    return wanted if sum(tally.games_until(until) for tally, until in wanted.items()) <= left else {}


def _size(wanted: Mapping[MoveLuck, int]) -> int:
    """The size of the work for further pairs."""
    return sum(tally.size(tally.played, until) for tally, until in wanted.items())


def _for_sum(tallies: Sequence[MoveLuck], whole: float) -> dict[MoveLuck, int]:
    """The tallies that need more pairs for the sum, and how many in all; none if it is known.

    So few pairs as can be are in proportion to what a pair of each differs by.
    """
    known = [tally for tally in tallies if tally.can_be_known]
    if sum_margin(known) <= whole or not all(tally.played for tally in known):
        return {}
    deviations = {tally: tally.margin() * sqrt(tally.n) for tally in known}
    factor = sum(deviations.values()) / whole**2
    pairs = {tally: ceil(factor * own / FIRST_GAMES) * FIRST_GAMES for tally, own in deviations.items()}
    return {tally: until for tally, until in pairs.items() if until > tally.played} or {
        max(known, key=MoveLuck.margin): max(tally.played for tally in known) + FIRST_GAMES
    }


def sum_margin(tallies: Sequence[MoveLuck]) -> float:
    """The margin of the sum of worths, for the seat with the least certain one."""
    worths = [tally.worth() for tally in tallies]
    return max((luck.margin for luck in sum_worths(worths, len(worths[0]))), default=0.0) if worths else 0.0
