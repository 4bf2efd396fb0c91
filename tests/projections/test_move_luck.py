"""What all chance of a move was worth together, and how well the sum of a game is known."""

from __future__ import annotations

import doctest
import random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from games.chance import drawn_events
from games.contract import Outcome, Policy, State, Title
from projections.analyses import refining
from projections.analyses.game_replay import ReplayStep
from projections.analyses.move_luck import SAME, ChanceMoves, MoveLuck, refine_sum, sum_margin
from projections.analyses.refining import WHOLE, results_text
from projections.analyses.winline import line_through, turn_ends
from projections.analyses.worth import luck_value, sum_worths
from tests.projections.test_luck_value import drive

if TYPE_CHECKING:
    from collections.abc import Sequence


class CoinPairs(MoveLuck):
    """Pairs of coins in place of games: black wins with `p` after what came, with `q` before it was known."""

    def __init__(self, p: float, q: float, seed: str, shared: int = 0) -> None:
        step: Any = SimpleNamespace(version=1, input_hash=seed, digest="", outcome=None)
        ruleset: Any = SimpleNamespace(name="coins", revision=1)
        replay: Any = SimpleNamespace(seed=seed, seats=2, ruleset=ruleset, revision=1, steps=[step])
        super().__init__(replay, Policy("coins", 1, lambda *_: None), step, Any)
        self.p, self.q, self._next, self._lots = p, q, random.Random(f"{seed} {p} {q}").random, list[list[float]]()
        self.played_after = [self._came(number) for number in range(shared)]

    def _lots_of(self, number: int) -> list[float]:
        while len(self._lots) <= number:
            self._lots.append([self._next() for _ in range(3)])
        return self._lots[number]

    def _came(self, number: int) -> list[int]:
        return coin(self._lots_of(number)[0] < self.p)

    def _instead(self, number: int) -> str:
        """What comes instead: one time of five what came, else a coin that often falls as its partner does."""
        own, other, again = self._lots_of(number)
        return SAME if again < 0.2 else results_text([coin((own if again < 0.5 else other) < self.q)])

    def play(self, numbers: range) -> list[list[str]]:
        others = [self._instead(number) for number in numbers]
        came = [
            results_text([self._came(number)])
            for number, other in zip(numbers, others, strict=True)
            if other != SAME and number >= len(self.played_after)
        ]
        return [others, came]

    @property
    def truth(self) -> float:
        """What its chance was worth to black: new outcomes are the same one time of five."""
        return 0.8 * (self.p - self.q)


def coin(won: bool) -> list[int]:
    return [WHOLE, 0] if won else [0, WHOLE]


def sums(tallies: Sequence[MoveLuck], each: float, whole: float, budget: int) -> Any:
    """The luck of black in all moves, refined."""
    drive(refine_sum(tallies, each, whole, budget))
    return sum_worths([tally.worth() for tally in tallies], 2)[0]


@pytest.mark.slow
def test_the_sum_is_right_on_average_and_its_margin_holds_the_truth() -> None:
    """Moves late in a game change little and seldom; these get fewer pairs, and tell no less than they should."""
    beside, held, runs = 0.0, 0, 60
    for number in range(runs):
        pairs = [
            CoinPairs(p, q, f"{number} {at}", 40)
            for at, (p, q) in enumerate(
                [(0.5, 0.4), (0.7, 0.75), (0.3, 0.1), (0.9, 0.95), (1.0, 0.99), (0.02, 0.0)] * 2
            )
        ]
        luck = sums(pairs, 0.2, 0.2, 100_000)
        assert luck.margin <= 0.2
        off = luck.p - sum(each.truth for each in pairs)
        beside, held = beside + off, held + (abs(off) <= luck.margin)
    assert held >= 0.95 * runs
    assert abs(beside / runs) <= 3 * 0.1 / runs**0.5


def test_the_least_certain_moves_get_the_most_pairs() -> None:
    sure, unsure = CoinPairs(1.0, 1.0, "sure"), CoinPairs(0.5, 0.5, "unsure")
    luck = sums([sure, unsure], 0.2, 0.03, 100_000)
    assert luck.margin <= 0.03
    assert unsure.played > 5 * sure.played


def test_a_sum_that_its_games_cannot_reach_takes_none_in_vain() -> None:
    def played(budget: int) -> tuple[float, int]:
        pairs = [CoinPairs(0.5, 0.5, str(at)) for at in range(20)]
        luck = sums(pairs, 0.2, 0.1, budget)
        return luck.margin, sum(each.games for each in pairs)

    (rough, few), (fine, many) = played(5_000), played(100_000)
    assert (rough > 0.1, fine <= 0.1) == (True, True)
    assert few < 2_000 < many <= 100_000


def test_games_of_the_line_are_not_counted_again() -> None:
    alone, shared = CoinPairs(0.6, 0.4, "one"), CoinPairs(0.6, 0.4, "one", 64)
    assert (alone.games_until(100), shared.games_until(100), shared.games_until(64)) == (200, 136, 64)
    for each in (alone, shared):
        each.add({unit.key: unit.work() for unit in each.units(100)}, 100)
    assert shared.worth() == alone.worth()
    assert shared.games < alone.games <= 200


# A game with computable chances: two cards of a deck are drawn in one move, and a third one after it


class Draw(msgspec.Struct, frozen=True):
    cards: tuple[str, ...]
    seat: int | None = 0


class Cards(State):
    """Black wins with five pips or more on three cards of the deck 0, 1, 2, 3."""

    held: tuple[str, ...] = ()

    @property
    def seats(self) -> int:
        return 2

    def copy(self) -> Cards:
        return Cards(held=self.held)

    def to_move(self) -> int | None:
        return None if len(self.held) == 3 else len(self.held) // 2

    def apply(self, move: Any, version: int | None = None) -> list[Any]:  # noqa: ARG002
        self.held += move.cards
        return []

    def sample_chance(self, move: Any, chance: Any) -> Any:  # noqa: ARG002
        return move

    def outcome(self) -> Outcome | None:
        if len(self.held) < 3:
            return None
        return Outcome.of([1, 2] if sum(map(int, self.held)) >= 5 else [2, 1], "pips", "toy:1")


def drawn(*moves: tuple[str, ...]) -> Any:
    """The replay of such a game."""

    def left(state: Any) -> dict[str, int]:
        return {card: 1 for card in "0123" if card not in state.held}

    def chances(state: Any, move: Any, _: Any) -> Any:
        return drawn_events("draw", left(state), move.cards, 0, lambda cards: Draw(tuple(map(str, cards))))

    def choose(state: Any, chance: Any) -> Any:
        return Draw((chance.choice(list(left(state))),)) if len(state.held) < 3 else None

    ruleset: Any = SimpleNamespace(
        name="toy", revision=1, policy=Policy("toy", 1, choose), chances=chances, chance_kinds={"draw": Title("", "")}
    )
    Cards.ruleset, steps, state = ruleset, [], Cards()
    for version, cards in enumerate(moves, 2):
        after = state.copy()
        after.apply(Draw(cards))
        steps.append(ReplayStep(version, Draw(cards), state, after, None, after.outcome()))  # type: ignore[arg-type]
        state = after
    return SimpleNamespace(ruleset=ruleset, revision=1, seats=2, seed="cards", opened=steps[0].before, steps=steps)


def test_all_chance_of_a_move_is_worth_what_came_less_the_mean_of_all_that_could_have_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 0 1 2 3, all but 0 1 2 and 0 1 3 have five pips. After 0 and 1 nothing can win, before them half of all."""
    monkeypatch.setattr(Cards, "dump", lambda state: list(state.held), raising=False)
    found = drawn(("0", "1"), ("2",))
    policy, values = found.ruleset.policy, {"precision": 5, "games": 10_000, "blunders": 0}
    moves = ChanceMoves(found, policy, found.steps, turn_ends(found, policy))
    drive(refine_sum(moves.tallies, 0.05, 0.05, 10_000))
    first, second = moves.tallies
    assert first.worth()[0].p == pytest.approx(-0.5, abs=0.05)
    assert second.worth()[0].p == pytest.approx(0, abs=0.01), "it was lost before"
    assert moves.left_out == 0
    events = drive(luck_value(found, values | {"precision": 3})).events
    assert sum(event.worth[0].p for event in events if event.version == 2) == pytest.approx(-0.5, abs=0.07)


def test_a_move_that_ends_a_turn_takes_its_games_from_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cards, "dump", lambda state: list(state.held), raising=False)
    found = drawn(("0", "3"))
    policy, told = found.ruleset.policy, []
    for played in (False, True):
        ends = turn_ends(found, policy)
        if played:
            drive(line_through(found, {"precision": 5, "games": 10_000, "blunders": 0}, ends))
        (move,) = ChanceMoves(found, policy, found.steps, ends).tallies
        drive(refine_sum([move], 0.1, 0.2, 10_000))
        told.append((move.worth(), move.played, move.games))
    (alone, *_, many), (shared, *_, few) = told
    assert alone == shared
    assert few <= 0.6 * many


def test_no_move_of_chance_has_a_sum_without_doubt() -> None:
    assert sum_margin([]) == 0


def test_the_examples_of_results_are_right() -> None:
    assert doctest.testmod(refining).failed == 0
