"""Calibration of the chances of the win line: `make calibration` writes docs/calibration.md.

Games of every ruleset are played by its policy against itself, with a random move now and then. At fixed parts of each
game the chances are estimated as the win line does it for the public. Games are played on from there, by the same
policy with as many random moves, and with hidden cards dealt anew. The chances are compared with who won. They are also
compared with two simpler predictors: that all are even, and a logistic in the lead of the score. The logistic is fitted
on every other game and judged on the rest.

The chances of a game are kept as soon as they are known, in a folder (`KEPT` in the environment, or `.calibration`). So
a run that is started again goes on. `GAMES` says how many games, `PLAYED` how many are played on from each moment, and
`PROCESSES` how many play. After `SECONDS` no more games of a ruleset are begun.
"""

from __future__ import annotations

import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from math import exp
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from games.contract import PUBLIC, State
from games.playout import choose_move
from games.rulesets import SHIPPED
from games.weighing import MOST as MOST_ARRANGEMENTS
from games.weighing import MOST_STACKED
from projections.analyses.kinds import BLUNDERS
from projections.analyses.refining import MOST_MOVES as MOST_PLAYED_ON
from projections.analyses.refining import WHOLE, Score, shares_of
from projections.analyses.seeded_random import SeededRandom

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from games.contract import Outcome, Policy, Ruleset

GAMES = int(os.environ.get("GAMES", "2000"))
PLAYED = int(os.environ.get("PLAYED", "64"))
SECONDS = float(os.environ.get("SECONDS", "36000"))
MOMENTS = (0.25, 0.5, 0.75)
"""The moments of predictions, as parts of the moves of a usual game."""
MOST_MOVES = 5000
BINS = 10
BATCH = 4
PROCESSES = int(os.environ.get("PROCESSES", "0")) or os.cpu_count() or 1
KEPT = Path(os.environ.get("KEPT", ".calibration"))
WANTED = 0.05
"""The target of the calibration error."""
PAGE = Path(__file__).parent.parent / "docs" / "calibration.md"


class Prediction(NamedTuple):
    """A prediction for a seat at a moment: its chance, its lead in points over the best other seat, and the result.

    `won` is the part of the game that it won, `seats` how many played.
    """

    game: int
    seats: int
    p: float
    lead: int
    won: float


class Bin(NamedTuple):
    """The predictions of one tenth, from `low` on: their number, and the averages of prediction and result."""

    low: float
    n: int
    said: float
    came: float


class Quality(NamedTuple):
    """The quality of predictions: the mean squared error (Brier), and the expected calibration error."""

    brier: float
    error: float


# Figures


def brier(pairs: Sequence[tuple[float, float]]) -> float:
    """The mean squared error of chances."""
    return mean((p - won) ** 2 for p, won in pairs)


def reliability(pairs: Sequence[tuple[float, float]], bins: int = BINS) -> list[Bin]:
    """Predictions and results in bins of a tenth of the scale. Empty bins are left out."""
    tenths: list[list[tuple[float, float]]] = [[] for _ in range(bins)]
    for p, won in pairs:
        tenths[min(int(p * bins), bins - 1)].append((p, won))
    return [
        Bin(number / bins, len(some), mean(p for p, _ in some), mean(won for _, won in some))
        for number, some in enumerate(tenths)
        if some
    ]


def calibration_error(pairs: Sequence[tuple[float, float]], bins: int = BINS) -> float:
    """The expected calibration error: the difference of prediction and result in a bin, on average."""
    return sum(each.n * abs(each.said - each.came) for each in reliability(pairs, bins)) / len(pairs)


def quality(pairs: Sequence[tuple[float, float]]) -> Quality:
    """Both figures of some predictions."""
    return Quality(brier(pairs), calibration_error(pairs))


def fit(points: Sequence[tuple[float, float]], steps: int = 60) -> tuple[float, float]:
    """Fit a logistic regression of winning on the lead, by Newton's method. Returns its constant and its slope.

    A little is held against a steep slope, so that it has an end where the lead tells all.
    """
    constant = slope = 0.0
    for _ in range(steps):
        g0, g1, h00, h01, h11 = 0.0, -1e-3 * slope, 1e-9, 0.0, 1e-3
        for lead, won in points:
            p = logistic(constant + slope * lead)
            weight = p * (1 - p)
            g0, g1 = g0 + won - p, g1 + (won - p) * lead
            h00, h01, h11 = h00 + weight, h01 + weight * lead, h11 + weight * lead * lead
        whole = h00 * h11 - h01 * h01
        if whole < 1e-9:
            break
        d0, d1 = (h11 * g0 - h01 * g1) / whole, (h00 * g1 - h01 * g0) / whole
        constant, slope = constant + d0, slope + d1
        if abs(d0) + abs(d1) < 1e-9:
            break
    return constant, slope


def logistic(x: float) -> float:
    """The logistic function."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, x))))


def left_to_chance(told: Sequence[Prediction], times: int = 100) -> float:
    """The average calibration error that exactly right chances would show over the same number of games."""
    games: dict[int, list[Prediction]] = {}
    for each in told:
        games.setdefault(each.game, []).append(each)
    chance = random.Random(1)
    return mean(
        calibration_error([pair for some in games.values() for pair in _drawn(some, chance)]) for _ in range(times)
    )


def _drawn(some: Sequence[Prediction], chance: random.Random) -> list[tuple[float, float]]:
    """The predictions of a game, with a winner drawn by the last ones."""
    seats = some[0].seats
    (winner,) = chance.choices(range(seats), [each.p for each in some[-seats:]])
    return [(each.p, float(number % seats == winner)) for number, each in enumerate(some)]


# Games


def predictions_of(name: str, number: int, moments: Sequence[int], played: int) -> list[Prediction]:
    """Play one game, and predict for every seat at the moments that it reaches. A moment is a number of moves."""
    ruleset, found = SHIPPED[name], list[Prediction]()
    states = dict[int, State]()
    for at, state in enumerate(game_of(ruleset, number, f"calibration {name} {number}")):
        if at in moments and not state.ending:
            states[at] = state.copy()
    outcome = state.outcome()
    if outcome is None:
        return []
    for at, before in states.items():
        score = _played_on(ruleset, before.view(PUBLIC), f"{name} {number}", at, played)
        found += [_told(number, before, outcome, score, seat) for seat in range(before.seats) if score.n]
    return found


def _played_on(ruleset: Ruleset, seen: State, seed: str, at: int, played: int) -> Score:
    score = Score(seen.seats)
    for lot in range(played):
        score.play(lambda _: seen.copy(), _policy(ruleset), SeededRandom(seed, at, lot))
    return score


def _told(number: int, state: State, outcome: Outcome, score: Score, seat: int) -> Prediction:
    points = state.totals()
    lead = points[seat] - max(own for each, own in enumerate(points) if each != seat)
    won = shares_of(outcome, len(points))[seat] / WHOLE
    return Prediction(number, len(points), score.share(seat), lead, won)


def game_of(ruleset: Ruleset, number: int, seed: str) -> Iterator[State]:
    """Let the policy play a game against itself. Yields the same table before the first move and after each."""
    chance, policy = random.Random(seed), _policy(ruleset)
    state: State = ruleset.open({}, None, ruleset.seats[number % len(ruleset.seats)])
    state.decide_hidden(chance)
    yield state
    for _ in range(MOST_MOVES):
        if state.ending or (move := choose_move(policy, state, chance)) is None:
            return
        state.apply(state.sample_chance(move, chance))
        state.decide_hidden(chance)
        yield state


def _policy(ruleset: Ruleset) -> Policy:
    if ruleset.policy is None:
        raise TypeError(ruleset.name)
    return msgspec.structs.replace(ruleset.policy, blunders=BLUNDERS.default)


def moments_of(name: str) -> list[int]:
    """The moments of predictions, in moves: parts of a usual game, so the length of this one stays unknown."""
    lengths = [sum(1 for _ in game_of(SHIPPED[name], number, f"length {number}")) for number in range(12)]
    return [int(part * median(lengths)) for part in MOMENTS]


class PredictionFile:
    """A file of earlier predictions, one game per line. Its name depends on everything that changes them."""

    def __init__(self, folder: Path, name: str, played: int) -> None:
        policy, revision = _policy(SHIPPED[name]), SHIPPED[name].revision
        by = (revision, policy.name, policy.revision, policy.blunders, MOMENTS, played, MOST_MOVES, MOST_PLAYED_ON)
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{name}-{sha256(repr(by).encode()).hexdigest()[:12]}.ndjson"

    def read(self) -> dict[int, list[Prediction]]:
        """Read the predictions by game. A game with an incomplete line is left out, and predicted again."""
        found = dict[int, list[Prediction]]()
        for line in self._file.read_bytes().split() if self._file.exists() else ():
            try:
                number, answer = msgspec.json.decode(line, type=tuple[int, list[Prediction]])
            except msgspec.DecodeError:
                continue
            found[number] = answer
        return found

    def add(self, number: int, told: Sequence[Prediction]) -> None:
        """Store the predictions of one more game."""
        with self._file.open("ab") as file:
            file.write(b"\n" + msgspec.json.encode((number, told)))


def predictions(name: str, games: int, played: int, seconds: float, folder: Path = KEPT) -> list[Prediction]:
    """Predictions for games of a ruleset: the stored ones, and new ones. No game begins after `seconds`."""
    kept, deadline = PredictionFile(folder, name, played), time.monotonic() + seconds
    found = kept.read()
    missing = [number for number in range(games) if number not in found]
    tell = partial(predictions_of, name, moments=moments_of(name) if missing else [], played=played)
    with ProcessPoolExecutor(PROCESSES) as pool:
        for start in range(0, len(missing), BATCH):
            if time.monotonic() > deadline:
                break
            some = missing[start : start + BATCH]
            for number, told in zip(some, pool.map(tell, some), strict=True):
                kept.add(number, told)
                found[number] = told
    return [told for number, each in sorted(found.items()) if number < games for told in each]


# The page


def compare(told: Sequence[Prediction]) -> dict[str, Quality]:
    """Compare the win line with two simpler predictors on every second game. The others fit the logistic."""
    tables = sorted({each.seats for each in told})
    fitted = [each for each in told if not each.game // len(tables) % 2]
    judged = [each for each in told if each.game // len(tables) % 2]
    fits = {seats: fit([(each.lead, each.won) for each in fitted if each.seats == seats]) for seats in tables}
    by: dict[str, Callable[[Prediction], float]] = {
        "win line": lambda each: each.p,
        "always even": lambda each: 1 / each.seats,
        "logistic in the lead": lambda each: logistic(fits[each.seats][0] + fits[each.seats][1] * each.lead),
    }
    return {what: quality([(predict(each), each.won) for each in judged]) for what, predict in by.items()}


def page(found: Mapping[str, Sequence[Prediction]], played: int) -> str:
    """The page about all rulesets."""
    parts = ", ".join(f"{100 * part:.0f} %" for part in MOMENTS)
    dealt, stacked = f"{MOST_ARRANGEMENTS:,}", MOST_STACKED
    head = f"""# Calibration: how well chances to win come true

`make calibration` writes this page. `GAMES=500` plays 500 games of each ruleset instead of 2,000. `SECONDS=600` begins
no more games of a ruleset after that time. Results are kept in `.calibration`, so a second run goes on.
It uses no games of another revision of the rules or the policy: it plays new ones. A section with older games says so.

The policy plays against itself, with {BLUNDERS.default} % of the moves at random. After {parts} of the moves of a usual
game the win line computes the chances for the public. It uses its defaults: the same policy plays {played} games on,
with as many random moves (`blunders`). Hidden cards are dealt again. In Kahuna, Verräter and the card game they come as
often as all arrangements have them that fit what was seen. With more than {dealt} arrangements ({stacked} in the card
game), sampled worlds are weighed instead, as always in Manapani. Its games here forget earlier cards when they deal. So
the page shows how good the chances are if people play much like the policy. It says nothing about real tables. Figures
of few games are rough.

*Brier* is the mean squared error, 0 at best. *Error* is the average difference between prediction and result, within
tenths of the prediction. With few games it is never 0, because chance alone leaves some. The predictors are compared on
every second game, because the logistic is fitted on the others. The tenths use all games. Each seat is a prediction.
With two seats one mirrors the other, so only half of them are independent.
"""
    return "\n".join([head, *(_section(SHIPPED[name], told) for name, told in found.items())])


def _section(ruleset: Ruleset, told: Sequence[Prediction]) -> str:
    games = len({each.game for each in told})
    policy = _policy(ruleset)
    pairs = [(each.p, each.won) for each in told]
    judged = compare(told)
    own, *others = judged.values()
    better = "better" if all(own.brier < other.brier for other in others) else "not better"
    held = "is" if calibration_error(pairs) <= WANTED else "is not"
    lines = [
        f"## {ruleset.title.en}",
        "",
        f"{games} games, {len(told)} predictions. Rules of revision {ruleset.revision}, played by “{policy.name}” "
        f"(revision {policy.revision}). The win line is {better} than both others. Its error over all games, "
        f"{calibration_error(pairs):.3f}, {held} within {WANTED}. With this number of games, exact chances would show "
        f"an error of {left_to_chance(told):.3f}.",
        "",
        "| predictor | Brier | error |",
        "|---|---|---|",
        *(f"| {what} | {each.brier:.4f} | {each.error:.3f} |" for what, each in judged.items()),
        "",
        "| predicted | predictions | predicted on average | happened |",
        "|---|---|---|---|",
        *(_row(each) for each in reliability(pairs)),
        "",
    ]
    return "\n".join(lines)


def _row(each: Bin) -> str:
    return f"| {each.low:.0%} to {each.low + 1 / BINS:.0%} | {each.n} | {each.said:.1%} | {each.came:.1%} |"


def main() -> None:
    """Play games of all rulesets, and write the page."""
    found = {}
    for name, ruleset in SHIPPED.items():
        if ruleset.policy:
            found[name] = predictions(name, GAMES, PLAYED, SECONDS)
            print(f"{name}: {len({told.game for told in found[name]})} games", flush=True)
    PAGE.write_text(page(found, PLAYED), encoding="utf-8")


if __name__ == "__main__":
    main()
