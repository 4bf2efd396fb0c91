"""The analysis `turning-points`: the greatest swings of the win line, split into luck and decisions.

For each decision in such a turn it names the other legal moves, as far as they can be known, and their chances. All
options are simulated a little. The best are simulated again, without the games that selected them, because the luckiest
option would look best otherwise. The outcome of chance in a move is left open: an option is not judged by the luck that
it had.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from games.chance import choice_effects, choice_text, resampled, without_outcomes
from games.contract import PUBLIC, Effect
from games.errors import ImpossibleError
from projections.analyses.refining import (
    DIGITS,
    Chances,
    Score,
    Simulation,
    Tally,
    enough_for,
    inputs_of,
    moves_from,
    play_all,
    policy_of,
    refine,
    with_progress,
)
from projections.analyses.seeded_random import SeededRandom
from projections.analyses.winline import REVISION as WIN_LINE
from projections.analyses.winline import ROUGHEST, win_line
from projections.analyses.worth import ChanceEvents, LuckEvent, WinChanceShift, enough_for_difference, sum_worths

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from games.contract import Move, Policy, State
    from projections.analyses.game_replay import GameReplay, ReplayStep
    from projections.analyses.rounds import AnalysisRun, ParameterValues, WorkRound
    from projections.analyses.winline import Swing

REVISION = 8 + WIN_LINE
"""Its own revision plus that of the win line that it begins with."""

PRECISION_FACTOR = 2
"""The factor of the win line's precision for its swings and options."""
DECISIONS_PER_TURN = 4
"""The most examined decisions of a turn."""
OPTIONS_TRIED = 12
"""The most other options of a decision that are simulated."""
DEALS, POLICY_DEALS = 8, 3
"""The ways in which hidden cards can lie that are tried: for what is legal, and for what the policy plays."""
LINE_SHARE, CHANCE_SHARE, DOUBT_SHARE, SCREENING_SHARE = 0.9, 0.1, 0.1, 0.35
"""The usual shares of the win line, of luck, of the search for decisions, and of first games of options.

Each is a share of the work that is left then.
"""
SCREENING_GAMES = 32
"""The number of games of each option in the search for the best ones."""
OPTIONS_SHOWN = 3
"""The number of other options in the result."""
EFFECTS_TOLD = 6
"""The most effects of an option in the result."""


class Option(msgspec.Struct, frozen=True):
    """A choice that was, or could have been, made, and the chances of its player after it.

    `move` is its notation without outcomes of chance: `roll`, `draw 1`. `effects` are its first effects, and
    `type` its type: they say what it is to readers who record by taps.
    """

    move: str
    n: int
    chances: Chances
    effects: list[Effect] = []
    type: str = ""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The decision of a seat in entry `version`, and the best `others` that it could have chosen instead.

    `legal` is how many options there were, as far as can be known; `tried` of them were played on. A fork for another
    one begins right after the entry `after`.
    """

    version: int
    after: int
    seat: int
    legal: int
    tried: int
    made: Option
    others: list[Option]


class TurningPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that ended with entry `version`, and the seat with the largest change, from `before` to `after`.

    `luck` came from the `events` of chance; `left_out` more are not known. If there were no games left for an event,
    its luck is ± 100 points. `rest` came from decisions and from new knowledge. `unseen` counts decisions that were not
    examined, or not well enough.
    """

    seat: int
    since: int
    version: int
    before: Chances
    after: Chances
    luck: WinChanceShift
    rest: WinChanceShift
    events: list[LuckEvent]
    left_out: int
    decisions: list[Decision]
    unseen: int


class TurningPoints(Simulation, frozen=True, kw_only=True):
    """The turns that changed the chances most, if everybody plays by the policy.

    The `precision` is that of the win line. Luck and options are known to within twice as many points, or 20.
    """

    points: list[TurningPoint]


class _OptionTally(Tally):
    """The chances after an option, from the games from the number `since` on."""

    def __init__(
        self, replay: GameReplay, policy: Policy, step: ReplayStep, seat: int, option: Move, since: int
    ) -> None:
        ground, move = inputs_of(replay, policy, REVISION), msgspec.json.encode(option).decode()
        key = f"option {ground} {step.version} {step.input_hash} {move} {since}"
        super().__init__(key, moves_from(replay, step))
        self._replay, self._policy = replay, policy
        self._step, self._seat, self._option, self._since = step, seat, option, since
        self.score = Score(replay.seats)

    def play(self, numbers: range) -> Any:
        score = Score(self._replay.seats)
        for number in numbers:
            score.play(
                self._begin, self._policy, SeededRandom(self._replay.seed, self._step.version, self._since + number)
            )
        return score.data

    def _begin(self, chance: SeededRandom) -> State:
        state = self._step.before.copy()
        move = resampled(state, self._option, chance)
        state.apply(state.sample_chance(move, chance), self._step.version)
        return state

    def count(self, result: Sequence[Any]) -> None:
        self.score.add(result)

    @property
    def chances(self) -> Chances | None:
        """The chances of the deciding seat; None if nothing could be simulated."""
        return self.score.chances()[self._seat] if self.score.n else None

    def margin(self) -> float:
        if not self.played:
            return 1.0
        return (self.chances.high - self.chances.low) / 2 if self.chances else 0.0


class Choice:
    """A decision in a game: the options that are tried, and of these the best. A note of chance has no other option."""

    def __init__(self, replay: GameReplay, policy: Policy, step: ReplayStep, after: int, seat: int, made: Move) -> None:
        self.replay, self.policy, self.step, self.after, self.seat, self.made = replay, policy, step, after, seat, made
        worlds = [*self._worlds()]
        self.options = self._options([world for at, (world, lots) in enumerate(worlds) if not at or lots.is_used])
        made, *others = self.options
        preferred = [option for option in dict.fromkeys(self._preferred(worlds)) if option in others]
        self.tried = self._mixed(preferred, others)[:OPTIONS_TRIED]
        self.screened = [self._tally(option, 0) for option in self.tried]
        self.beside_policy = [self._tally(made, 0), *self.screened[:1]] if preferred else []
        """The choice that was made and the policy's other one, by first games; empty if the policy has no other."""
        self.told: dict[Move, _OptionTally] = {}

    def _options(self, worlds: Sequence[State]) -> list[Move]:
        """The choices as they look from the viewpoint, first the one that was made.

        The choice that was made is no alternative to itself, neither unseen nor as the public sees it. A choice that
        needs a card which may lie elsewhere is none: nobody knows that the seat had it.
        """
        state = self.step.before
        made, as_public = (without_outcomes(state, move) for move in (self.made, self.made.seen(PUBLIC)))
        found = self._choices(state)
        for world in worlds:
            possible = self._choices(world)
            found = {choice: None for choice in found if choice in possible}
        return [made, *(choice for choice in found if choice not in {made, as_public})]

    def _choices(self, state: State) -> dict[Move, None]:
        """The legal choices of the seat for this decision in a state, as they look from the viewpoint."""
        decision = self.made.decision
        if decision is None:
            return {}
        own = (move for move in state.legal_moves() if move.seat == self.seat and move.decision == decision)
        return dict.fromkeys(map(self._as_seen, own))

    def _as_seen(self, move: Move) -> Move:
        return without_outcomes(self.step.before, move.seen(self.replay.viewpoint))

    def _worlds(self) -> Iterator[tuple[State, SeededRandom]]:
        """A few ways in which hidden cards can lie, each with its lots; none if the record contradicts itself.

        If the first one needs no lot, nothing is hidden. Then all are the same, and the policy alone needs more lots.
        """
        for number in range(DEALS):
            state = self.step.before.copy()
            chance = SeededRandom(f"{self.replay.seed} policy", self.step.version, number)
            try:
                state.decide_hidden(chance)
            except (ImpossibleError, LookupError, ValueError):
                continue
            yield state, chance
            if number + 1 >= POLICY_DEALS and not chance.is_used:
                return

    def _preferred(self, worlds: Sequence[tuple[State, SeededRandom]]) -> Iterator[Move]:
        """What the policy would play in a few of these worlds, as it looks from the viewpoint."""
        for state, chance in worlds[:POLICY_DEALS]:
            with suppress(ImpossibleError, LookupError, ValueError):  # the record contradicts itself
                if move := self.policy.choose(state, chance):
                    yield self._as_seen(move)

    def _mixed(self, preferred: Sequence[Move], others: Sequence[Move]) -> list[Move]:
        """The other options: those that the policy prefers, one that wins or scores at once, one of each kind, others.

        The others are in an order by lots.
        """
        chance = SeededRandom(f"{self.replay.seed} options", self.step.version, 0)
        drawn = chance.sample(others, len(others))
        if len(others) <= OPTIONS_TRIED:
            return list(dict.fromkeys([*preferred, *drawn]))
        best = max(drawn, key=lambda option: self._at_once(option, chance))
        kinds = {type(option): option for option in reversed(drawn)}
        return list(dict.fromkeys([*preferred, best, *kinds.values(), *drawn]))

    def _at_once(self, option: Move, chance: SeededRandom) -> tuple[bool, int]:
        """Whether an option wins at once, and the points of its player then."""
        state = self.step.before.copy()
        with suppress(ImpossibleError, LookupError, ValueError):
            state.apply(state.sample_chance(option, chance), self.step.version)
            outcome = state.outcome()
            return outcome is not None and self.seat in outcome.winners, state.totals()[self.seat]
        return False, 0

    def doubt(self) -> float:
        """By how much the policy's choice was better, by first games; 0 if that is not known."""
        made, other = [tally.chances for tally in self.beside_policy] or (None, None)
        return other.p - made.p if made and other else 0.0

    def _tally(self, option: Move, since: int) -> _OptionTally:
        return _OptionTally(self.replay, self.policy, self.step, self.seat, option, since)

    def choose(self) -> None:
        """Select the best options for new games."""
        found = zip(self.tried, self.screened, strict=True)
        known = [(tally.chances.p, option) for option, tally in found if tally.chances]
        best = [option for _, option in sorted(known, key=lambda each: -each[0])[:OPTIONS_SHOWN]]
        self.told = {option: self._tally(option, SCREENING_GAMES) for option in [self.options[0], *best]}

    def decision(self) -> Decision | None:
        """The decision, if its chances are known to within 20 points of a hundred. So are those of the others."""
        made, *others = (
            self._option(option, tally) if tally.margin() <= ROUGHEST else None for option, tally in self.told.items()
        )
        if made is None:
            return None
        return Decision(
            version=self.step.version,
            after=self.after,
            seat=self.seat,
            legal=len(self.options),
            tried=len(self.tried),
            made=made,
            others=sorted((other for other in others if other), key=lambda other: -other.chances.p),
        )

    def _option(self, option: Move, tally: _OptionTally) -> Option | None:
        if tally.chances is None:
            return None
        text = choice_text(self.step.before, option)
        effects = choice_effects(self.step.before, option, self.step.version)[:EFFECTS_TOLD]
        plain = [msgspec.structs.replace(effect, at=tuple(map(str, effect.at))) for effect in effects]
        return Option(text, tally.score.n, tally.chances, plain, str(option.__struct_config__.tag or ""))


class _Turn(NamedTuple):
    """The steps of a swing: their events of chance, and their decisions."""

    swing: Swing
    events: ChanceEvents
    choices: list[Choice]


def turning_points(replay: GameReplay, values: ParameterValues) -> AnalysisRun:
    """The analysis of a game: its win line, then the parts of its swings, with at most `games` games."""
    wanted = min(PRECISION_FACTOR * values["precision"] / 100, ROUGHEST)
    line, done = yield from with_progress(win_line(replay, values), 0, LINE_SHARE)
    turns = [_turn(replay, policy_of(replay, values), swing) for swing in line.swings]
    left = values["games"] - line.games

    chance: list[Tally] = [tally for turn in turns for tally in turn.events.tallies]
    left, done = yield from refine_chance(chance, wanted, left, done, CHANCE_SHARE)

    decisions = [turn.choices for turn in turns]
    examined, left, done = yield from most_doubtful(decisions, DECISIONS_PER_TURN, left, done)
    options, left = yield from compare_options(list(chain(*examined)), wanted, left, done)

    return TurningPoints(
        policy=line.policy,
        policy_revision=line.policy_revision,
        blunders=line.blunders,
        precision=values["precision"],
        enough=line.enough and are_known([*chance, *options], wanted),
        games=values["games"] - left,
        sides=line.sides,
        points=[_point(replay, turn, choices) for turn, choices in zip(turns, examined, strict=True)],
    )


def refine_chance(
    tallies: Sequence[Tally], wanted: float, left: int, done: int, share: float
) -> Generator[WorkRound, Mapping[str, Any], tuple[int, int]]:
    """Simulate events of chance until each is known to within `wanted`. Returns the games left, and the work.

    This is usually a `share` of the remaining work.
    """
    refining = refine(tallies, wanted, left, enough_for_difference(wanted), nothing_yet)
    _, done = yield from with_progress(refining, done, share)
    return left - sum(tally.games for tally in tallies), done


def are_known(tallies: Iterable[Tally], wanted: float) -> bool:
    """Whether each tally is known to within `wanted`."""
    return all(tally.played and tally.margin() <= wanted for tally in tallies)


def most_doubtful(
    turns: Sequence[Sequence[Choice]], most: int, left: int, done: int
) -> Generator[WorkRound, Mapping[str, Any], tuple[list[list[Choice]], int, int]]:
    """At most this number of decisions of each turn, in order of play; and the games and the size as `refine_chance`.

    Of more decisions it takes those that look worst beside the play of the policy, by first games.
    """
    long = [choice for turn in turns if len(turn) > most for choice in turn]
    tallies: list[Tally] = [tally for choice in long for tally in choice.beside_policy]
    if sum(tally.games_until(SCREENING_GAMES) for tally in tallies) <= left:
        _, done = yield from with_progress(play_all(tallies, SCREENING_GAMES), done, DOUBT_SHARE)
    found = [sorted(turn, key=lambda choice: -choice.doubt())[:most] for turn in turns]
    examined = [[choice for choice in turn if choice in worst] for turn, worst in zip(turns, found, strict=True)]
    return examined, left - sum(tally.games for tally in tallies), done


def compare_options(
    choices: Sequence[Choice], wanted: float, left: int, done: int
) -> Generator[WorkRound, Mapping[str, Any], tuple[list[Tally], int]]:
    """Find the best options of some decisions. Returns the tallies of those in the result, and the games left."""
    screened: list[Tally] = [tally for choice in choices for tally in choice.screened]
    cost = sum(tally.games_until(SCREENING_GAMES) for tally in screened)
    if cost <= left:
        _, done = yield from with_progress(play_all(screened, SCREENING_GAMES), done, SCREENING_SHARE)
        left -= cost

    for choice in choices:
        choice.choose()
    options: list[Tally] = [tally for choice in choices for tally in choice.told.values()]
    yield from with_progress(refine(options, wanted, left, enough_for(wanted), nothing_yet), done, share=1)
    return options, left - sum(tally.games for tally in options)


def nothing_yet() -> None:
    """Report no partial result: the win line shows the results so far."""


def _turn(replay: GameReplay, policy: Policy, swing: Swing) -> _Turn:
    order = [step.version for step in replay.steps]
    first, last = order.index(swing.since) + 1, order.index(swing.version) + 1
    found = []
    for place in range(first, last):
        step = replay.steps[place]
        if step.move is not None and step.seat is not None:
            choice = Choice(replay, policy, step, order[place - 1], step.seat, step.move)
            found += [choice] if len(choice.options) > 1 else []
    return _Turn(swing, ChanceEvents(replay, policy, replay.steps[first:last]), found)


def _point(replay: GameReplay, turn: _Turn, examined: Sequence[Choice]) -> TurningPoint:
    swing, events = turn.swing, turn.events
    luck = sum_worths([tally.worth() for tally in events.told_events], replay.seats)[swing.seat]
    decisions = [decision for choice in examined if (decision := choice.decision())]
    change = swing.after.p - swing.before.p
    margins = [(chances.high - chances.low) / 2 for chances in (swing.before, swing.after)]
    return TurningPoint(
        seat=swing.seat,
        since=swing.since,
        version=swing.version,
        before=swing.before,
        after=swing.after,
        luck=luck,
        rest=WinChanceShift(round(change - luck.p, DIGITS), round(hypot(luck.margin, *margins), DIGITS)),
        events=[tally.result() for tally in events.known_events],
        left_out=events.left_out().total(),
        decisions=decisions,
        unseen=len(turn.choices) - len(decisions),
    )
