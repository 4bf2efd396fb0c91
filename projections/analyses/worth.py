"""The analysis `luck-value`: the value of each event of chance, in chances to win.

The actual outcome is compared with all possible ones, weighted by their odds: V(actual) - Σ P(o)·V(o). V is a seat's
chance to win if the ruleset's policy plays for everybody from there on. If there are few outcomes, each is simulated as
often as its odds say. If there are many, one is drawn for each game. The actual outcome and the possible ones share
their random numbers. Later events of the same move are left to chance, so that the events of a move are separate. The
gain of one seat is the loss of the others.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import msgspec

from games.chance import resampled, weighted_choice
from projections.analyses.refining import (
    DIGITS,
    Score,
    Simulation,
    Tally,
    Z,
    inputs_of,
    joint_margin_factor,
    moves_from,
    policy_of,
    refine,
    sides_of,
)
from projections.analyses.rounding import rounded
from projections.analyses.seeded_random import SeededRandom

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from games.contract import ChanceEvent, Move, Policy, State
    from projections.analyses.game_replay import GameReplay, ReplayStep
    from projections.analyses.rounds import AnalysisRun, ParameterValues

REVISION = 6

MOST_OUTCOMES = 12
"""The most outcomes that are each simulated."""


class WinChanceShift(msgspec.Struct, frozen=True):
    """A change of a seat's chance to win: the true value is within ± `margin` of `p` 95 times of 100."""

    p: float
    margin: float

    @property
    def is_certain(self) -> bool:
        """Whether 0 is outside of its margin, also as both are told, in whole points: “4 ± 4” is not certain."""
        margin = max(1, rounded(100 * self.margin)) if self.margin else 0
        return abs(self.p) > self.margin and rounded(100 * abs(self.p)) > margin


ANYTHING = WinChanceShift(0.0, 1.0)
"""A worth that nobody has looked for."""


class LuckEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Event of chance `number` (from 0) in entry `version`. It happened to a seat, or to the table.

    Its `outcome` had the odds `odds`. `worth` is its value for each seat, from `n` games simulated from the actual
    outcome, and about as many from the possible ones. `left_out` of the games could not be simulated.
    """

    version: int
    number: int
    kind: str
    seat: int | None
    outcome: str
    odds: float
    n: int
    worth: list[WinChanceShift]
    left_out: int = 0


class LuckSum(msgspec.Struct, frozen=True, kw_only=True):
    """The total value of `n` known events of one kind and seat (or the table) for each seat.

    `left_out` more have an unknown outcome or value.
    """

    kind: str
    title: str
    seat: int | None
    n: int
    left_out: int
    worth: list[WinChanceShift]


class LuckValue(Simulation, frozen=True, kw_only=True):
    """The value of chance for each seat, if everybody plays by the policy: in total, by kinds, and event by event.

    The `precision` is that of each event. `n` events are counted; `left_out` are not, because their outcome or value
    is unknown. Margins that are `wider` by this factor hold the truth for all events together.
    """

    n: int
    left_out: int
    total: list[WinChanceShift]
    kinds: list[LuckSum]
    events: list[LuckEvent]
    wider: float


class WorthTally(Tally):
    """An estimate of what chance was worth to each seat."""

    _replay: GameReplay

    @property
    @abstractmethod
    def can_be_known(self) -> bool:
        """Whether the worth is known, or nothing was simulated."""

    @abstractmethod
    def worth_for(self, seat: int) -> WinChanceShift:
        """The worth for a seat, after the first games."""

    def worth(self) -> list[WinChanceShift]:
        """The worth for each seat. Before the first games it can be anything."""
        seats = self._replay.seats
        return list(map(self.worth_for, range(seats))) if self.played else [ANYTHING] * seats

    def margin(self) -> float:
        """The margin of the seat with the least certain worth."""
        return max(worth.margin for worth in self.worth()) if self.can_be_known else 0.0


class ChanceTally(WorthTally):
    """The value of one event of chance, from games with its actual outcome and with possible ones."""

    unit = 32

    def __init__(self, replay: GameReplay, policy: Policy, step: ReplayStep, number: int, event: ChanceEvent) -> None:
        key = f"chance {inputs_of(replay, policy, REVISION)} {step.version} {number} {step.input_hash}"
        super().__init__(key, 2 * moves_from(replay, step))
        self.step, self.number, self.event, self._replay, self._policy = step, number, event, replay, policy
        self._came, self._outcome_odds = event.outcome or "", _outcome_odds(event)
        self._turns, self._counts = list[str | None](), dict.fromkeys(self._outcome_odds, 0)
        self._scores = {outcome: Score(replay.seats) for outcome in [self._came, *self._outcome_odds]}

    def _other_outcome(self, number: int) -> str | None:
        """The possible outcome that is simulated beside the actual one with the random numbers of game `number`.

        Each outcome comes as often as its odds say. No two possible outcomes share random numbers, or they would be
        wrong together.
        """
        while len(self._turns) <= number:
            arm = max(self._outcome_odds, key=self._lacking)
            self._turns.append(arm)
            self._counts[arm] += 1
        return self._turns[number]

    def _lacking(self, arm: str | None) -> tuple[bool, float]:
        """The priority of an outcome: whether it was never simulated, and how far its games are behind its odds."""
        count = self._counts[arm]
        return not count, self._outcome_odds[arm] * (len(self._turns) + 1) - count

    def games_until(self, until: int) -> int:
        """The number of games, with the actual outcome and with the others together."""
        others = sum(self._other_outcome(number) != self._came for number in range(self.played, until))
        return until - self.played + others

    @property
    def games(self) -> int:
        """The number of simulated games."""
        others = sum(self._other_outcome(number) != self._came for number in range(self.played))
        return self.played + others

    def play(self, numbers: range) -> Any:
        """Simulate the actual outcome and the possible ones."""
        scores = {outcome: Score(self._replay.seats) for outcome in self._scores}
        for number in numbers:
            for outcome in {self._came: None, self._other_outcome(number): None}:
                self._play(scores[outcome], outcome, number)
        return [score.data for score in scores.values()]

    def _play(self, score: Score, outcome: str | None, number: int) -> None:
        seed = f"{self._replay.seed} {self.number}" if self.number else self._replay.seed
        if outcome is None:
            outcome = weighted_choice(self.event.odds, SeededRandom(f"{seed} instead", self.step.version, number))
        instead = self.event.with_outcome
        if instead is None:
            raise TypeError(self.event.kind)

        def begin(chance: SeededRandom) -> State:
            state = self.step.before.copy()
            state.apply(resampled(state, instead(outcome), chance, self.number + 1), self.step.version)
            return state

        score.play(begin, self._policy, SeededRandom(seed, self.step.version, number))

    def count(self, result: Sequence[Any]) -> None:
        """Add the results of each outcome."""
        for score, more in zip(self._scores.values(), result, strict=True):
            score.add(more)

    @property
    def is_known(self) -> bool:
        """Whether the value is known: all possible outcomes could be simulated."""
        return all(score.n for score in self._scores.values())

    @property
    def can_be_known(self) -> bool:
        """Whether the value is known, or nothing was simulated."""
        return self.is_known or not self.played

    def worth_for(self, seat: int) -> WinChanceShift:
        """The value of the event for a seat.

        The scores are taken as independent. Shared random numbers only make the value more precise.
        """
        weights = {self._came: 1.0} | {arm: -p for arm, p in self._outcome_odds.items() if arm != self._came}
        weights[self._came] -= self._outcome_odds.get(self._came, 0.0)
        value = sum(weight * self._scores[arm].share(seat) for arm, weight in weights.items())
        square = sum(weight**2 * self._scores[arm].variance(seat) for arm, weight in weights.items())
        return WinChanceShift(round(value, DIGITS), round(Z * sqrt(square), DIGITS))

    def result(self) -> LuckEvent:
        """The event with its value, which must be known."""
        event = self.event
        return LuckEvent(
            version=self.step.version,
            number=self.number,
            kind=event.kind,
            seat=event.seat,
            outcome=self._came,
            odds=round(event.odds[self._came] / sum(event.odds.values()), DIGITS),
            n=self._scores[self._came].n,
            worth=self.worth(),
            left_out=sum(score.left_out for score in self._scores.values()),
        )


def _outcome_odds(event: ChanceEvent) -> dict[str | None, float]:
    """The possible outcomes with their probabilities.

    None stands for a draw by the odds, if there are too many to list.
    """
    if len(event.odds) > MOST_OUTCOMES:
        return {None: 1.0}
    whole = sum(event.odds.values())
    return {outcome: weight / whole for outcome, weight in event.odds.items()}


class ChanceEvents:
    """The events of chance in some steps of a replay: those with a computable value, and the number of the others.

    An event with a single possible outcome is not chance.
    """

    def __init__(self, replay: GameReplay, policy: Policy, steps: Iterable[ReplayStep]) -> None:
        self.tallies: list[ChanceTally] = []
        self.unknown: Counter[tuple[str, int | None]] = Counter()
        """The number of events whose value cannot be computed, by kind and seat."""
        for step in steps:
            if step.move is not None:
                self._look(replay, policy, step, step.move)

    def _look(self, replay: GameReplay, policy: Policy, step: ReplayStep, move: Move) -> None:
        number = 0
        for event in replay.ruleset.chances(step.before, move, step.effects):
            if event.dependent:
                continue
            can_change = event.with_outcome is not None and event.odds
            if not can_change or event.outcome not in event.odds:
                self.unknown[event.kind, event.seat] += 1
            elif len(event.odds) > 1:
                self.tallies.append(ChanceTally(replay, policy, step, number, event))
            number += bool(can_change)

    @property
    def known_events(self) -> list[ChanceTally]:
        """The events with a known value."""
        return [tally for tally in self.tallies if tally.is_known]

    @property
    def told_events(self) -> list[ChanceTally]:
        """The events with a value that can be known, also those that no games were left for."""
        return [tally for tally in self.tallies if tally.can_be_known]

    def left_out(self) -> Counter[tuple[str, int | None]]:
        """The number of events left out, by kind and seat."""
        found = Counter((tally.event.kind, tally.event.seat) for tally in self.tallies if not tally.is_known)
        return found + self.unknown


def luck_value(replay: GameReplay, values: ParameterValues) -> AnalysisRun:
    """The analysis of a game, each event to within `precision` points of a hundred, by a budget of `games`."""
    events, wanted = ChanceEvents(replay, policy_of(replay, values), replay.steps), values["precision"] / 100

    def so_far() -> LuckValue:
        return _value(replay, values, events)

    yield from refine(events.tallies, wanted, values["games"], enough_for_difference(wanted), so_far)
    return so_far()


def enough_for_difference(wanted: float) -> int:
    """The number of games of each for the wanted interval between two even chances, which is the widest."""
    return ceil((Z / wanted) ** 2 / 2)


def sum_worths(worths: Sequence[Sequence[WinChanceShift]], seats: int) -> list[WinChanceShift]:
    """The total value of several independent events for each seat."""
    return [
        WinChanceShift(
            round(sum(worth[seat].p for worth in worths), DIGITS),
            round(sqrt(sum(worth[seat].margin ** 2 for worth in worths)), DIGITS),
        )
        for seat in range(seats)
    ]


def _value(replay: GameReplay, values: ParameterValues, events: ChanceEvents) -> LuckValue:
    policy, known, left_out = policy_of(replay, values), events.known_events, events.left_out()
    told = [tally.result() for tally in known]
    return LuckValue(
        policy=policy.name,
        policy_revision=policy.revision,
        blunders=policy.blunders,
        precision=values["precision"],
        enough=all(tally.is_known and tally.margin() <= values["precision"] / 100 for tally in events.tallies),
        games=sum(tally.games for tally in events.tallies),
        sides=sides_of(replay),
        n=len(told),
        left_out=left_out.total(),
        total=sum_worths([event.worth for event in told], replay.seats),
        kinds=_sums(replay, told, left_out),
        events=told,
        wider=round(joint_margin_factor(len(told) * (replay.seats if replay.seats > 2 else 1)), DIGITS),
    )


def _sums(
    replay: GameReplay, told: Sequence[LuckEvent], left_out: Mapping[tuple[str, int | None], int]
) -> list[LuckSum]:
    order = list(replay.ruleset.chance_kinds)
    places = {(event.kind, event.seat) for event in told} | set(left_out)
    sums = []
    for kind, seat in sorted(places, key=lambda at: (order.index(at[0]), -1 if at[1] is None else at[1])):
        worths = [event.worth for event in told if (event.kind, event.seat) == (kind, seat)]
        sums.append(
            LuckSum(
                kind=kind,
                title=replay.ruleset.chance_kinds[kind].en,
                seat=seat,
                n=len(worths),
                left_out=left_out.get((kind, seat), 0),
                worth=sum_worths(worths, replay.seats),
            )
        )
    return sums
