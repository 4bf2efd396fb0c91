"""The analysis `luck-counts`: every event of chance against its odds. It is exact: no games are simulated.

Where the ruleset has a watch, the odds are those of all arrangements of hidden cards that fit what was seen. So they
hold after shuffles and unseen discards, too. Else they are those that a move and the table before it tell.

For the events of one kind and seat, an outcome with probability p is expected Σp times, with the variance Σp(1 - p).
This also holds if the odds change from event to event. Events without a noted outcome are left out,
and so are events with unknown odds: those that follow a contradiction in the record, for example.
"""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from games.contract import ChanceEvent
    from projections.analyses.game_replay import GameReplay

DIGITS = 6
"""The decimal places of numbers."""


class Counted(msgspec.Struct, frozen=True):
    """The actual and the expected count (or sum) of an outcome, with the standard deviation.

    `z` is by how many of these it was more than expected; None where the odds left no choice.
    """

    got: int
    expected: float
    sd: float
    z: float | None


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


class LuckCounts(msgspec.Struct, frozen=True):
    """Every event of chance in a game against its odds; `n` of them are counted, and `left_out` are not known."""

    n: int
    left_out: int
    kinds: list[KindCount]


def luck_counts(replay: GameReplay) -> LuckCounts:
    """The analysis of a game."""
    events: dict[tuple[str, int | None], list[ChanceEvent]] = defaultdict(list)
    for event in _events(replay):
        events[event.kind, event.seat].append(event)
    order = list(replay.ruleset.chance_kinds)
    places = sorted(events, key=lambda place: (order.index(place[0]), -1 if place[1] is None else place[1]))
    kinds = [_count(replay, kind, seat, events[kind, seat]) for kind, seat in places]
    return LuckCounts(sum(kind.n for kind in kinds), sum(kind.left_out for kind in kinds), kinds)


def _events(replay: GameReplay) -> Iterator[ChanceEvent]:
    """Every event of chance, in order, with its odds from the viewpoint."""
    ruleset = replay.ruleset
    watch = ruleset.watch() if ruleset.watch else None
    for step in replay.steps:
        if step.move is None:
            if watch:
                watch.rule(step.before, step.adjustments)
        elif watch:
            yield from watch.follow(step.before, step.move, step.after)
        else:
            yield from ruleset.chances(step.before, step.move, step.effects)


def _count(replay: GameReplay, kind: str, seat: int | None, events: Sequence[ChanceEvent]) -> KindCount:
    known = [event for event in events if event.outcome is not None and event.odds]
    outcomes = sorted({outcome for event in known for outcome in event.odds}, key=_in_order)
    bringing = [event for event in known if event.gains]
    return KindCount(
        kind=kind,
        title=replay.ruleset.chance_kinds[kind].en,
        seat=seat,
        n=len(known),
        left_out=len(events) - len(known),
        outcomes=[OutcomeCount(outcome, _often(outcome, known)) for outcome in outcomes],
        brought=[LuckTotals(whose, len(bringing), _much(whose, bringing)) for whose in range(replay.seats) if bringing],
    )


def _in_order(outcome: str) -> tuple[int, str]:
    """Numbers by their size, then words."""
    return (int(outcome), "") if outcome.isdecimal() else (10**6, outcome)


def _often(outcome: str, events: Iterable[ChanceEvent]) -> Counted:
    got, expected, variance = 0, 0.0, 0.0
    for event in events:
        got += event.outcome == outcome
        p = event.odds.get(outcome, 0) / sum(event.odds.values())
        expected += p
        variance += p * (1 - p)
    return _counted(got, expected, variance)


def _much(seat: int, events: Iterable[ChanceEvent]) -> Counted:
    got, expected, variance = 0, 0.0, 0.0
    for event in events:
        weights = sum(event.odds.values())
        mean = sum(weight * event.gains[each][seat] for each, weight in event.odds.items()) / weights
        squares = sum(weight * event.gains[each][seat] ** 2 for each, weight in event.odds.items()) / weights
        got += event.gains[event.outcome or ""][seat]
        expected += mean
        variance += squares - mean**2
    return _counted(got, expected, variance)


def _counted(got: int, expected: float, variance: float) -> Counted:
    sd = sqrt(max(variance, 0.0))
    z = round((got - expected) / sd, DIGITS) if sd > 1e-9 else None
    return Counted(got, round(expected, DIGITS), round(sd, DIGITS), z)
