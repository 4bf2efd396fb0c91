"""The analysis `luck-counts`: every event of chance against its odds. No games are simulated.

Where the ruleset has a watch, the odds are those of all arrangements of hidden cards that fit what was seen. So they
hold after shuffles and unseen discards, too. Else they are those that a move and the table before it tell. They are
exact, but for events that are counted as `sampled`: there are too many arrangements, so their odds come from some of
them, drawn without bias.

For the events of one kind and seat, an outcome with probability p is expected Σp times, with the variance Σp(1 - p).
This also holds if the odds change from event to event. Cards that are drawn together and noted later have the odds of
the first one, so their numbers vary a little less than told. Events without a noted outcome are left out,
and so are events with unknown odds: those that follow a contradiction in the record, for example.
"""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from itertools import chain
from math import sqrt
from typing import TYPE_CHECKING, Any

import msgspec

from projections.analyses.rounds import WorkRound, WorkUnit

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from games.contract import ChanceEvent
    from projections.analyses.game_replay import GameReplay

REVISION = 10

DIGITS = 6
"""The decimal places of numbers."""
NOTHING = 1e-9
"""Smaller numbers are rounding errors."""
NEGLIGIBLE = 1e-18
"""Sums with a smaller chance are left out. This keeps long games fast, and changes no shown digit."""
STANDS_OUT = 0.05
"""A figure stands out if, by chance alone, fewer than this part of games would have one as extreme."""


class Counted(msgspec.Struct, frozen=True):
    """The actual and the expected count (or sum) of an outcome, with the standard deviation.

    `z` is by how many of these it was more than expected. `chance` is how likely it is to be as far from what was
    expected, or further: exact, also for few events. Both are None where the odds left no choice.
    """

    got: int
    expected: float
    sd: float
    z: float | None
    chance: float | None = None


class OutcomeCount(msgspec.Struct, frozen=True):
    """The count of one outcome."""

    outcome: str
    count: Counted


class LuckTotals(msgspec.Struct, frozen=True):
    """The gains of a seat from the outcomes of `n` events: actual, and expected by the odds."""

    seat: int
    n: int
    count: Counted


class KindCount(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one kind that happened to a seat, or to the table (None): `n` of them have a known outcome.

    `left_out` counts the others. `brought` sums up the gains of each seat from all these events, for every roller.
    """

    kind: str
    title: str
    seat: int | None
    n: int
    left_out: int
    outcomes: list[OutcomeCount]
    brought: list[LuckTotals] = []


class Extreme(msgspec.Struct, frozen=True):
    """The least likely figure: how often an `outcome` came, or how much all outcomes brought to a seat.

    `by_chance` says in what part of games one of all figures is so extreme by chance alone, at the most. With 36
    figures that is 36 times the chance of this one. It `stands_out` if that is rare.
    """

    kind: str
    title: str
    seat: int | None
    outcome: str | None
    brought_to: int | None
    n: int
    count: Counted
    by_chance: float
    stands_out: bool = False


class LuckCounts(msgspec.Struct, frozen=True):
    """Every event of chance in a game against its odds; `n` of them are counted, and `left_out` are not known.

    Of the counted ones, `sampled` have odds from a sample of all arrangements of hidden cards; the others are exact.
    `sample` is how many arrangements the smallest of these samples has, 0 without any.
    `extreme` is the least likely of all `figures`, None where there is no figure.
    """

    n: int
    left_out: int
    kinds: list[KindCount]
    figures: int = 0
    extreme: Extreme | None = None
    sampled: int = 0
    sample: int = 0

    @property
    def events(self) -> int:
        """The number of events of chance, known or not."""
        return self.n + self.left_out


def luck_counts(replay: GameReplay) -> LuckCounts:
    """The analysis of a game."""
    events: dict[tuple[str, int | None], list[ChanceEvent]] = defaultdict(list)
    for event in _events(replay):
        events[event.kind, event.seat].append(event)
    order = list(replay.ruleset.chance_kinds)
    places = sorted(events, key=lambda place: (order.index(place[0]), -1 if place[1] is None else place[1]))
    kinds = [_count(replay, kind, seat, events[kind, seat]) for kind, seat in places]
    n, left_out = sum(kind.n for kind in kinds), sum(kind.left_out for kind in kinds)
    samples = [event.sample for event in chain.from_iterable(events.values()) if event.sample and _is_known(event)]
    return LuckCounts(n, left_out, kinds, *_least_likely(kinds), len(samples), min(samples, default=0))


def luck_counted(replay: GameReplay) -> Generator[WorkRound, Mapping[str, Any], LuckCounts | None]:
    """The analysis without its `kinds`, as one unit of work of another analysis. None if a record notes no chance.

    Its key names all tables and moves as they are known from the viewpoint, and nothing else of the record.
    """
    if not replay.ruleset.chance_kinds:
        return None
    steps = [(step.version, step.input_hash, step.digest, step.adjustments) for step in replay.steps]
    depends_on = msgspec.json.encode([REVISION, replay.ruleset.name, replay.revision, replay.seats, steps])
    key = sha256(b"luck-counted " + depends_on).hexdigest()

    def count() -> Any:
        return msgspec.to_builtins(msgspec.structs.replace(luck_counts(replay), kinds=[]))

    found = yield WorkRound([WorkUnit(key, count, len(steps))], len(steps))
    return msgspec.convert(found[key], LuckCounts)


def _is_known(event: ChanceEvent) -> bool:
    return event.outcome is not None and bool(event.odds)


def _events(replay: GameReplay) -> Iterator[ChanceEvent]:
    """Every event of chance, in order, with its odds from the viewpoint."""
    ruleset = replay.ruleset
    watch = ruleset.watch() if ruleset.watch else None
    for step in replay.steps:
        if step.move is None:
            if watch:
                yield from watch.follow_ruling(step.before, step.adjustments)
        elif watch:
            yield from watch.follow(step.before, step.move, step.after)
        else:
            yield from ruleset.chances(step.before, step.move, step.effects)
    if watch:
        yield from watch.remaining_events()


def _count(replay: GameReplay, kind: str, seat: int | None, events: Sequence[ChanceEvent]) -> KindCount:
    known = list(filter(_is_known, events))
    outcomes = sorted({outcome for event in known for outcome in event.odds}, key=_in_order)
    bringing = [event for event in known if event.gains]
    return KindCount(
        kind=kind,
        title=replay.ruleset.chance_kinds[kind].en,
        seat=seat,
        n=len(known),
        left_out=len(events) - len(known),
        outcomes=[OutcomeCount(outcome, _count_outcome(outcome, known)) for outcome in outcomes],
        brought=[
            LuckTotals(whose, len(bringing), _count_gains(whose, bringing)) for whose in range(replay.seats) if bringing
        ],
    )


def _in_order(outcome: str) -> tuple[int, str]:
    """Numbers by their size, then words."""
    return (int(outcome), "") if outcome.isdecimal() else (10**6, outcome)


def _count_outcome(outcome: str, events: Sequence[ChanceEvent]) -> Counted:
    came = [event.odds.get(outcome, 0) / sum(event.odds.values()) for event in events]
    return _counted(sum(event.outcome == outcome for event in events), [{1: p, 0: 1 - p} for p in came])


def _count_gains(seat: int, events: Sequence[ChanceEvent]) -> Counted:
    got = sum(event.gains[event.outcome or ""][seat] for event in events)
    return _counted(got, [_gain_odds(seat, event) for event in events])


def _gain_odds(seat: int, event: ChanceEvent) -> dict[int, float]:
    """The probability of each gain of a seat from an event."""
    found, weights = defaultdict[int, float](float), sum(event.odds.values())
    for outcome, weight in event.odds.items():
        found[event.gains[outcome][seat]] += weight / weights
    return found


def _counted(got: int, likely: Sequence[Mapping[int, float]]) -> Counted:
    """Compare an actual sum with the distribution of a sum of independent numbers, given their probabilities."""
    means = [sum(value * p for value, p in each.items()) for each in likely]
    squares = [sum(value * value * p for value, p in each.items()) for each in likely]
    expected = sum(means)
    sd = sqrt(max(sum(square - mean * mean for square, mean in zip(squares, means, strict=True)), 0.0))
    if sd <= NOTHING:
        return Counted(got, round(expected, DIGITS), round(sd, DIGITS), None)
    chance = round(_as_far(got, expected, likely), DIGITS)
    return Counted(got, round(expected, DIGITS), round(sd, DIGITS), round((got - expected) / sd, DIGITS), chance)


def _as_far(got: int, expected: float, likely: Iterable[Mapping[int, float]]) -> float:
    """The chance that the sum is at least as far from what was expected: exact, also for few events."""
    sums = {0: 1.0}
    for each in likely:
        longer = defaultdict[int, float](float)
        for value, p in sums.items():
            for more, q in each.items():
                longer[value + more] += p * q
        sums = {value: p for value, p in longer.items() if p > NEGLIGIBLE}
    off = abs(got - expected) - NOTHING
    return min(sum(p for value, p in sums.items() if abs(value - expected) >= off), 1.0)


def _least_likely(kinds: Sequence[KindCount]) -> tuple[int, Extreme | None]:
    """The number of figures, and the least likely one."""
    figures = [figure for kind in kinds for figure in _figures(kind)]
    if not figures:
        return 0, None
    least = min(figures, key=lambda figure: figure.by_chance)
    by_chance = min(1.0, round(least.by_chance * len(figures), DIGITS))
    return len(figures), msgspec.structs.replace(least, by_chance=by_chance, stands_out=by_chance < STANDS_OUT)


def _figures(kind: KindCount) -> Iterator[Extreme]:
    """Each figure of a kind, with its probability."""
    told: list[tuple[int, str | None, int | None, Counted]] = [
        *((kind.n, each.outcome, None, each.count) for each in kind.outcomes),
        *((each.n, None, each.seat, each.count) for each in kind.brought),
    ]
    for n, outcome, brought_to, count in told:
        if count.chance is not None:
            yield Extreme(kind.kind, kind.title, kind.seat, outcome, brought_to, n, count, count.chance)
