"""The analysis `review`: how well each seat played, its worst slips, and the result without luck.

The win line says by how much each turn changed a seat's chance to win. Without the luck of the turn, the rest was
decided, or became known. So the mean of the rest over a seat's own turns says how much its decisions cost. In its worst
turns the decisions are held against the other legal moves, as in `turning-points`. A slip is a move where another one
is certainly better.
"""

from __future__ import annotations

from itertools import chain, pairwise
from math import ceil, exp, hypot, sqrt
from statistics import stdev
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from games.adjustments import ENDINGS
from projections.analyses.luck import LuckCounts, luck_counted
from projections.analyses.move_luck import ChanceMoves, refine_sum, sum_margin
from projections.analyses.refining import DIGITS, Chances, Simulation, Z, joint_margin_factor, policy_of, with_progress
from projections.analyses.turning import (
    OPTIONS_SHOWN,
    Choice,
    Decision,
    Option,
    are_known,
    compare_options,
    most_doubtful,
)
from projections.analyses.turning import REVISION as TURNING_POINTS
from projections.analyses.winline import ROUGHEST, WinPoint, line_through, turn_ends
from projections.analyses.worth import WinChanceShift, sum_worths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from games.contract import Policy
    from projections.analyses.game_replay import GameReplay, ReplayStep
    from projections.analyses.rounds import AnalysisRun, ParameterValues
    from projections.analyses.winline import TurnEnd, WinLine

REVISION = 11 + TURNING_POINTS
"""Its own revision plus that of the turning points, which compare options in the same way."""

PRECISION_FACTOR = 2
"""The factor of the win line's precision for luck and options."""
WORST_TURNS = 3
"""The number of turns of a seat that are searched for slips: the most expensive ones."""
DECISIONS_PER_TURN = 3
"""The most examined decisions of a turn."""
FEWEST_TURNS = 5
"""The least number of turns for an accuracy."""
WIDEST = 10
"""The widest interval of an accuracy in the result, in percentage points."""
SUM_FACTOR = 4
"""The factor of the win line's precision for the sum of all luck."""
OPTIONS_KEPT = 0.1
"""The part of the games that luck leaves for options."""
LINE_SHARE, CHANCE_SHARE = 0.7, 0.45
"""The usual shares of the time: of the win line in all, and of luck in the rest."""
COUNT_SHARE = 0.001
"""The usual share of the time that counts luck."""


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """A move, entry `version`, and the `better` one that was legal: it would have won by `loss` more often.

    `others` are other moves that were tried. The board before is that after the entry `after`. The margin of `loss`
    holds the truth for all moves together that were compared, as the best of them was looked for.
    """

    version: int
    after: int
    made: Option
    better: Option
    others: list[Option]
    loss: WinChanceShift


class SeatReview(msgspec.Struct, frozen=True, kw_only=True):
    """How a seat played. Of its `turns`, each cost it `cost` by what was decided and became known.

    Of all turns that it `played`, those with chances that are not told before or after them are not in `turns`: they
    cannot be judged. Where luck in its turns is not known, they differ by it, and the margin of `cost` says by how
    much. `accuracy` is the cost in parts of a hundred: 100 if nothing was lost. It is None where too little is known.
    `luck` is the worth of all events of chance with a known outcome. If there were no games left for an event, that is
    ± 100 points. `without_luck` is the result without it. If a referee decided, or the others resigned, the chances
    before that are the result. It is None if the game has no result, if no event is known, or if it is known to within
    more than 20 points of a hundred only. `slips` come worst first, from `examined` decisions. `unclear` counts those
    with too few games to tell a slip.
    """

    seat: int
    turns: int
    cost: WinChanceShift | None
    accuracy: Chances | None
    luck: WinChanceShift
    without_luck: WinChanceShift | None
    examined: int
    slips: list[Slip]
    unclear: int = 0
    played: int = 0


class Review(Simulation, frozen=True, kw_only=True):
    """How everybody played, if everybody plays on by the policy.

    The `precision` is that of the win line. The luck of a move and options are known to within twice as many points,
    and all luck to within four times as many, but at most 20.
    `left_out` events of chance are not known. The game was `over` at that version. `luck_counts` is that analysis
    without its `kinds`: it says what is known of luck where its worth is not.
    """

    left_out: int
    seats: list[SeatReview]
    over: bool = False
    luck_counts: LuckCounts | None = None


class _Turn(NamedTuple):
    """A turn of a seat: the line before and after it, its steps, and its events of chance."""

    seat: int | None
    before: WinPoint
    after: WinPoint
    steps: Sequence[ReplayStep]
    chance: ChanceMoves

    @property
    def is_known(self) -> bool:
        """Whether the chances before and after the turn are known. Else nobody knows what was decided in it."""
        return bool(self.before.chances and self.after.chances)

    def luck(self, seats: int) -> list[WinChanceShift]:
        """The value of chance in the turn for each seat."""
        return sum_worths([tally.worth() for tally in self.chance.told_moves], seats)

    def rest(self, seat: int, seats: int) -> WinChanceShift:
        """The value of decisions and new knowledge in a turn that `is_known` for a seat."""
        was, now, luck = self.before.chances[seat], self.after.chances[seat], self.luck(seats)[seat]
        margins = [_half_interval(chances) for chances in (was, now)]
        return WinChanceShift(round(now.p - was.p - luck.p, DIGITS), round(hypot(luck.margin, *margins), DIGITS))


def review(replay: GameReplay, values: ParameterValues) -> AnalysisRun:
    """The analysis of a game: its win line, the luck of all turns, then the decisions of the worst ones."""
    policy = policy_of(replay, values)
    wanted = min(PRECISION_FACTOR * values["precision"] / 100, ROUGHEST)
    ends = turn_ends(replay, policy)
    counted, done = yield from with_progress(luck_counted(replay), 0, COUNT_SHARE)
    line, done = yield from with_progress(line_through(replay, values, ends), done, LINE_SHARE)
    turns = _turns(replay, policy, line, ends)
    left = values["games"] - line.games

    chance = [tally for turn in turns for tally in turn.chance.tallies]
    whole = _luck_within(
        min(SUM_FACTOR * values["precision"] / 100, ROUGHEST), _played_out(turns) if _is_over(line) else ()
    )
    refining = refine_sum(chance, wanted, whole, left - ceil(OPTIONS_KEPT * values["games"]))
    _, done = yield from with_progress(refining, done, CHANCE_SHARE)
    left -= sum(tally.games for tally in chance)

    worst = [(seat, turn) for seat in range(replay.seats) for turn in _worst(turns, seat, replay.seats)]
    decisions = [_choices(replay, policy, turn, seat) for seat, turn in worst]
    examined, left, done = yield from most_doubtful(decisions, DECISIONS_PER_TURN, left, done)
    choices = [
        [choice for (own, _), found in zip(worst, examined, strict=True) if own == seat for choice in found]
        for seat in range(replay.seats)
    ]
    options, left = yield from compare_options(list(chain(*choices)), _for_options(choices, wanted), left, done)

    return Review(
        policy=line.policy,
        policy_revision=line.policy_revision,
        blunders=line.blunders,
        precision=values["precision"],
        enough=line.enough and are_known([*chance, *options], wanted) and sum_margin(chance) <= whole,
        games=values["games"] - left,
        sides=line.sides,
        left_out=sum(turn.chance.left_out for turn in turns),
        seats=[_seat(replay, line, turns, seat, choices[seat]) for seat in range(replay.seats)],
        over=_is_over(line),
        luck_counts=counted,
    )


def _for_options(seats: Iterable[Sequence[Choice]], wanted: float) -> float:
    """How well options are to be known, so that a loss is known to within twice `wanted` for all moves of its seat."""
    most = max(sum(min(len(choice.tried), OPTIONS_SHOWN) for choice in own) for own in seats)
    return wanted * min(1.0, sqrt(2) / joint_margin_factor(most))


def _turns(replay: GameReplay, policy: Policy, line: WinLine, ends: Sequence[TurnEnd]) -> list[_Turn]:
    """All turns, each from one place of the line to the next. The first one has no known chances before it."""
    opening = WinPoint(version=0, seat=None, n=0, chances=[])
    order = {step.version: place for place, step in enumerate(replay.steps)}
    found, since = [], 0
    for before, after in pairwise([opening, *line.points]):
        steps = replay.steps[since : order[after.version] + 1]
        found.append(_Turn(after.seat, before, after, steps, ChanceMoves(replay, policy, steps, ends)))
        since += len(steps)
    return found


def _worst(turns: Sequence[_Turn], seat: int, seats: int) -> list[_Turn]:
    """The turns with the most expensive decisions of a seat."""
    own = [turn for turn in turns if turn.seat == seat and turn.is_known]
    costs = [(turn.rest(seat, seats).p, turn.after.version, turn) for turn in own]
    return [turn for cost, _, turn in sorted(costs, key=lambda each: each[:2])[:WORST_TURNS] if cost < 0]


def _choices(replay: GameReplay, policy: Policy, turn: _Turn, seat: int) -> list[Choice]:
    """The decisions of a turn in which the seat had more than one option."""
    found, after = list[Choice](), turn.before.version
    for step in turn.steps:
        if step.move is not None and step.seat == seat:
            choice = Choice(replay, policy, step, after, seat, step.move)
            found += [choice] if len(choice.options) > 1 else []
        after = step.version
    return found


def _seat(
    replay: GameReplay, line: WinLine, turns: Sequence[_Turn], seat: int, choices: Sequence[Choice]
) -> SeatReview:
    taken = [turn for turn in turns if turn.seat == seat and turn.is_known]
    own = [turn.rest(seat, replay.seats) for turn in taken]
    (luck,) = sum_worths([[turn.luck(replay.seats)[seat]] for turn in turns], 1)
    decisions = [decision for choice in choices if (decision := choice.decision())]
    factor = joint_margin_factor(sum(len(decision.others) for decision in decisions))
    compared = [slip for decision in decisions if (slip := _compared(decision, factor))]
    slips = [slip for slip in compared if slip.loss.p > 0 and slip.loss.is_certain]
    cost = mean_cost(own, blind=any(turn.chance.left_out for turn in taken))
    return SeatReview(
        seat=seat,
        turns=len(own),
        cost=cost,
        accuracy=accuracy(cost) if cost and len(own) >= FEWEST_TURNS else None,
        luck=luck,
        without_luck=_without(_played_out(turns), seat, replay.seats) if _is_over(line) else None,
        examined=len(decisions),
        slips=sorted(slips, key=lambda slip: (-slip.loss.p, slip.version)),
        unclear=len(choices) - len(compared),
        played=sum(turn.seat == seat for turn in turns),
    )


def _played_out(turns: Sequence[_Turn]) -> list[_Turn]:
    """The turns that were played for the result: not a decision of a referee, and no resignation."""
    outcomes = [turn.steps[-1].outcome for turn in turns]
    return [
        turn for turn, outcome in zip(turns, outcomes, strict=True) if outcome is None or outcome.reason not in ENDINGS
    ]


def _luck_within(whole: float, turns: Sequence[_Turn]) -> float:
    """How well luck is to be known, so that the result without it is known to within `whole` also if it was given."""
    spread = max((_half_interval(chances) for turn in turns[-1:] for chances in turn.after.chances), default=0.0)
    return sqrt(whole**2 - spread**2) if spread < whole else whole


def _half_interval(chances: Chances) -> float:
    """Half of an interval."""
    return round((chances.high - chances.low) / 2, 2 * DIGITS)


def _without(turns: Sequence[_Turn], seat: int, seats: int) -> WinChanceShift | None:
    """The result of these turns for a seat without its luck in them, if that is known."""
    unknown = any(turn.chance.left_out for turn in turns) and not any(turn.chance.told_moves for turn in turns)
    if not turns or unknown or not turns[-1].after.chances:
        return None
    result = turns[-1].after.chances[seat]
    (luck,) = sum_worths([[turn.luck(seats)[seat]] for turn in turns], 1)
    margin = round(hypot(luck.margin, _half_interval(result)), DIGITS)
    return WinChanceShift(round(result.p - luck.p, DIGITS), margin) if margin <= ROUGHEST else None


def _is_over(line: WinLine) -> bool:
    """Whether the game has a result."""
    return bool(line.points) and line.points[-1].over


def mean_cost(rests: Sequence[WinChanceShift], *, blind: bool = False) -> WinChanceShift | None:
    """The average cost of a turn; None without turns.

    If it is `blind` to some luck, that made the turns differ. So their spread counts.
    """
    if not rests:
        return None
    margin = sqrt(sum(rest.margin**2 for rest in rests)) / len(rests)
    if blind:
        spread = stdev(rest.p for rest in rests) if len(rests) > 1 else 1.0
        margin = max(margin, confidence_factor(len(rests) - 1) * spread / sqrt(len(rests)))
    return WinChanceShift(round(-sum(rest.p for rest in rests) / len(rests), DIGITS), round(margin, DIGITS))


def confidence_factor(freedom: int) -> float:
    """How many standard deviations hold the truth 95 times of 100, if these come from `freedom` + 1 values themselves.

    The terms are those of Fisher's expansion. Without freedom the spread is no estimate, and `Z` is right.

    >>> [round(confidence_factor(freedom), 2) for freedom in (2, 4, 9, 30, 0)]
    [4.17, 2.77, 2.26, 2.04, 1.96]
    """
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return Z + sum(term / freedom**power for power, term in enumerate(terms, 1)) if freedom else Z


def accuracy(cost: WinChanceShift) -> Chances | None:
    """The accuracy for an average cost of a turn, from 0 to 1; None if its interval is too wide.

    >>> accuracy(WinChanceShift(0.0, 0.0))
    Chances(p=1.0, low=1.0, high=1.0)
    >>> accuracy(WinChanceShift(0.1, 0.01))
    Chances(p=0.6358, low=0.6074, high=0.6655)
    >>> accuracy(WinChanceShift(0.1, 0.1))
    """
    p, low, high = (_accuracy(each) for each in (cost.p, cost.p + cost.margin, cost.p - cost.margin))
    return Chances(p, low, high) if 100 * (high - low) <= WIDEST else None


def _accuracy(cost: float) -> float:
    """The accuracy curve of lichess: a loss of 10 percentage points of win chance gives 64, and of 30 gives 25."""
    return round(min(1.0, max(0.0, (103.1668 * exp(-4.354 * cost) - 3.1669) / 100)), DIGITS)


def _compared(decision: Decision, factor: float) -> Slip | None:
    """The decision beside the best other option, if the loss is known well enough. It is a slip if that is certain."""
    if not decision.others:
        return None
    better, made = decision.others[0], decision.made
    margin = factor * hypot(*(_half_interval(each.chances) for each in (made, better)))
    loss = WinChanceShift(round(better.chances.p - made.chances.p, DIGITS), round(margin, DIGITS))
    if round(loss.margin, 2) > ROUGHEST:
        return None
    return Slip(
        version=decision.version,
        after=decision.after,
        made=made,
        better=better,
        others=decision.others[1:],
        loss=loss,
    )
