"""What a review tells is true as often as it says, however few games it has, in games with chances that are known.

Two players throw a die in turn, a big or a small one, and the greater sum wins. So each chance can be counted exactly.
"""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache
from itertools import chain
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec
import pytest

from games.contract import RECORD, ChanceEvent, Outcome, Policy, State, Title
from projections.analyses.game_replay import ReplayStep
from projections.analyses.review import Review, review
from projections.analyses.winline import WinLine, win_line
from tests.choosing import short_or_soak
from tests.projections.test_luck_value import drive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.analyses.refining import Chances
    from projections.analyses.worth import WinChanceShift

DICE = {"big": [str(face) for face in range(1, 7)], "small": [str(face) for face in range(1, 5)]}
TURNS = 8
SHARE_OF_BIG = 0.75
GAMES = short_or_soak(50, 200)
PARAMETERS = [(20, 100), (10, 400), (5, 1_000), (5, 300), (10, 2_000)]
"""The precision and the games of the reviews: too few games for all, for the luck, for some of it, and enough."""


class Roll(msgspec.Struct, frozen=True):
    decision: ClassVar[str | None] = "play"
    die: str
    face: str
    seat: int | None

    def seen(self, _: Any) -> Roll:
        return self


class Race(State):
    """Black's lead after some throws."""

    thrown: int = 0
    lead: int = 0

    @property
    def seats(self) -> int:
        return 2

    def to_move(self) -> int | None:
        return self.thrown % 2 if self.thrown < TURNS else None

    def legal_moves(self) -> Iterator[Any]:
        yield from (Roll(die, "1", self.to_move()) for die in DICE if self.thrown < TURNS)

    def copy(self) -> Race:
        return Race(thrown=self.thrown, lead=self.lead)

    def dump(self) -> Any:
        return [self.thrown, self.lead]

    def apply(self, move: Any, version: int | None = None) -> list[Any]:  # noqa: ARG002
        self.thrown += 1
        self.lead += int(move.face) * (-1 if move.seat else 1)
        return []

    def sample_chance(self, move: Any, chance: Any) -> Any:
        return msgspec.structs.replace(move, face=chance.choice(DICE[move.die]))

    def notation(self, move: Any) -> str:
        return f"{move.die} {move.face}"

    def totals(self) -> list[int]:
        return [self.lead, -self.lead]

    def outcome(self) -> Outcome | None:
        if self.thrown < TURNS:
            return None
        return Outcome.of([1 + (self.lead < 0), 1 + (self.lead > 0)], "pips", "toy:1")


def choose(state: Any, chance: Any) -> Any:
    die = chance.choice(("big", "big", "big", "small"))
    return Roll(die, "1", state.to_move()) if state.thrown < TURNS else None


def chances(_: Any, move: Any, __: Any) -> list[ChanceEvent]:
    """The throw; nobody noted what the die of a `hidden` one showed."""

    def instead(face: str) -> Roll:
        return Roll(move.die, face, move.seat)

    return [ChanceEvent("die", dict.fromkeys(DICE[move.die], 1), move.face, move.seat, with_outcome=instead)]


def unseen(*told: Any) -> list[ChanceEvent]:
    return [msgspec.structs.replace(event, outcome=None) for event in chances(*told)]


@cache
def worth(thrown: int, lead: int) -> float:
    """Black's chance to win."""
    if thrown == TURNS:
        return (1 + (lead > 0) - (lead < 0)) / 2
    return SHARE_OF_BIG * decided(thrown, lead, "big") + (1 - SHARE_OF_BIG) * decided(thrown, lead, "small")


@cache
def decided(thrown: int, lead: int, die: str) -> float:
    """Black's chance to win once a die is chosen."""
    sign = -1 if thrown % 2 else 1
    return sum(worth(thrown + 1, lead + sign * int(face)) for face in DICE[die]) / len(DICE[die])


def race(number: int, events: Any) -> Any:
    """The replay of a game that was played by chance."""
    lots, state, steps = random.Random(number), Race(), list[ReplayStep]()
    ruleset: Any = SimpleNamespace(
        name="race",
        revision=1,
        policy=Policy("toy", 1, choose),
        chances=events,
        chance_kinds={"die": Title("", "")},
        watch=None,
    )
    Race.ruleset = ruleset
    for version in range(1, TURNS + 1):
        die = lots.choice(list(DICE))
        move: Any = Roll(die, lots.choice(DICE[die]), state.to_move())
        after = state.copy()
        after.apply(move)
        steps.append(ReplayStep(version, move, state, after, None, after.outcome()))
        state = after
    return SimpleNamespace(
        ruleset=ruleset,
        revision=1,
        seats=2,
        seed=f"race {number}",
        opened=steps[0].before,
        steps=steps,
        viewpoint=RECORD,
        version=TURNS,
    )


class Told(NamedTuple):
    """An interval that a review tells, and the truth."""

    low: float
    high: float
    truth: float

    @property
    def holds(self) -> bool:
        return self.low - 1e-3 <= self.truth <= self.high + 1e-3


def around(shift: WinChanceShift, truth: float) -> Told:
    return Told(shift.p - shift.margin, shift.p + shift.margin, truth)


class Truth:
    """What is true of each turn of a game, for black and for white."""

    def __init__(self, found: Any) -> None:
        self.steps = found.steps
        self.after = [worth(step.after.thrown, step.after.lead) for step in found.steps]
        self.chosen = [decided(step.before.thrown, step.before.lead, step.move.die) for step in found.steps]
        self.before = [worth(step.before.thrown, step.before.lead) for step in found.steps]

    def luck(self, seat: int) -> float:
        return (-1 if seat else 1) * (sum(self.after) - sum(self.chosen))

    def result(self, seat: int) -> float:
        return 1 - self.after[-1] if seat else self.after[-1]

    def cost(self, seat: int, places: list[int]) -> float:
        lost = sum(self.before[place] - self.chosen[place] for place in places)
        return (-1 if seat else 1) * lost / len(places)


def told_by(number: int, precision: int, games: int, events: Any) -> Iterator[tuple[str, Told]]:
    """All that a review of a game tells, beside the truth."""
    found, done = race(number, events), dict[str, Any]()
    values = {"precision": precision, "games": games, "blunders": 0}
    told: Review = drive(review(found, values), done)
    line: WinLine = drive(win_line(found, values), done)
    truth = Truth(found)
    known: list[Chances | None] = [point.chances[0] if point.chances else None for point in line.points]
    for place, each in enumerate(known[:-1]):
        if each:
            yield "chances", Told(each.low, each.high, truth.after[place])
    for own in told.seats:
        seat, turns = own.seat, range(own.seat, TURNS, 2)
        ended = [turn for turn in turns if turn and known[turn - 1] and known[turn]]
        assert own.turns == len(ended), "nobody knows what a turn cost after chances that are not told"
        if own.cost:
            yield "cost", around(own.cost, truth.cost(seat, ended))
        if own.without_luck:
            yield "luck", around(own.luck, truth.luck(seat))
            yield "without luck", around(own.without_luck, truth.result(seat) - truth.luck(seat))


@pytest.mark.slow
@pytest.mark.parametrize(("events", "kinds"), [(chances, 4), (unseen, 2)], ids=["seen", "unseen"])
def test_a_short_review_tells_intervals_that_hold_the_truth_as_often_as_they_say(events: Any, kinds: int) -> None:
    """Where too few games were played for some turns or some luck, nothing is told as if all were known."""
    told = defaultdict[str, list[Told]](list)
    for kind, each in chain.from_iterable(told_by(n, *PARAMETERS[n % len(PARAMETERS)], events) for n in range(GAMES)):
        told[kind].append(each)
    assert len(told) == kinds
    for kind, found in told.items():
        assert len(found) >= 0.3 * GAMES, kind
        assert sum(each.holds for each in found) >= 0.94 * len(found), kind
