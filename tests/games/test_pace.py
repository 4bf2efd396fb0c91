"""What checked replay and games that are played on cost, in calls of Python functions.

These are counted, where times depend on the machine.
"""

from __future__ import annotations

import random
import sys
from itertools import chain
from typing import TYPE_CHECKING

import msgspec
import pytest

from benchmarks.calibration import game_of
from benchmarks.replay import recorded, replay_game
from games import witness
from games.contract import PUBLIC
from games.knowledge import Fact, Possibilities, course
from games.playout import play_to_end, playout
from games.rulesets import SHIPPED
from games.scoresheet import SCORESHEET
from games.scoresheet.moves import Enter

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from benchmarks.replay import Game
    from games.contract import Ruleset

MOST = {"kahuna": 24, "verraeter": 26, "manapani": 26, "catan_cards": 29}
"""Calls a move, for reading, checking and applying it. The card game also looks at what lies under its stacks."""
MOST_ARRANGED = {"kahuna": 260, "verraeter": 70, "manapani": 40, "catan_cards": 550}
"""Facts that are told to all arrangements of cards, in all recorded games: nearly every question is answered before."""
MOST_PLAYED_ON = {"kahuna": 43, "verraeter": 53, "manapani": 71, "catan_cards": 73}
"""Calls a move of games that the policy plays on, with its usual blunders."""

MOST_AT_RANDOM = {"kahuna": 53, "verraeter": 48, "manapani": 57, "catan_cards": 92}
"""Calls a move of games at random. The moves of one kind are listed for each move, but not the cards of Verräter."""


@pytest.mark.parametrize("name", MOST)
@pytest.mark.slow
def test_a_recorded_move_is_checked_and_applied_in_few_calls(name: str) -> None:
    ruleset = SHIPPED[name]
    games = recorded(ruleset)[""]
    calls(ruleset, games)  # what is asked for the first time is found once and kept
    assert calls(ruleset, games) / sum(len(game.moves) for game in games) < MOST[name]


@pytest.mark.parametrize("name", MOST_ARRANGED)
@pytest.mark.slow
def test_recorded_games_seldom_ask_for_all_arrangements_of_cards(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact costs ten times a move, or more: so games that ask are found here, with any options."""
    games = list(chain.from_iterable(recorded(SHIPPED[name]).values()))
    course.RECENT.clear()
    witness._RECENT.clear()
    facts, after = list[Fact](), Possibilities.after

    def counted_after(possible: Possibilities, fact: Fact) -> Possibilities:
        facts.append(fact)
        return after(possible, fact)

    monkeypatch.setattr(Possibilities, "after", counted_after)
    for game in games:
        replay_game(SHIPPED[name], game)
    assert 0 < len(facts) < MOST_ARRANGED[name]


@pytest.mark.parametrize("name", MOST_PLAYED_ON)
@pytest.mark.slow
def test_a_game_is_played_on_in_few_calls_a_move(name: str) -> None:
    played_on(SHIPPED[name], 1)
    moves = 0

    def play() -> None:
        nonlocal moves
        moves = played_on(SHIPPED[name], 4)

    assert counted(play) / moves < MOST_PLAYED_ON[name]


@pytest.mark.parametrize("name", MOST_AT_RANDOM)
@pytest.mark.slow
def test_a_game_at_random_takes_few_calls_a_move(name: str) -> None:
    played_at_random(SHIPPED[name], 1)
    moves = 0

    def play() -> None:
        nonlocal moves
        moves = played_at_random(SHIPPED[name], 4)

    assert counted(play) / moves < MOST_AT_RANDOM[name]


@pytest.mark.slow
def test_hidden_cards_are_decided_in_few_calls_after_stacks_were_searched() -> None:
    games = game_of(SHIPPED["catan_cards"], 1, "calibration catan_cards 0")
    seen = next(state for state in games if state.version == 260).view(PUBLIC)

    def decide() -> None:
        for lot in range(8):
            seen.copy().decide_hidden(random.Random(lot))

    decide()
    assert counted(decide) / 8 < 300  # hands and stacks, from a table that is kept; without one it was 20,000


def test_a_large_sheet_is_described_in_few_calls_a_cell() -> None:
    rounds, seats = 100, 10
    options = {"template": "rounds"}
    state = SCORESHEET.open(options, SCORESHEET.components(options), seats)
    for at in range(rounds * seats):
        state.apply(Enter(seat=at % seats, column="points", round=at // seats + 1, value=at % 41))
    state.describe()
    assert counted(state.describe) / (rounds * seats) < 5
    assert counted(state.tables) / (rounds * seats) < 10


def played_on(ruleset: Ruleset, games: int) -> int:
    """How many moves some games have that are played from their beginning to their end."""
    assert ruleset.policy
    policy, moves = msgspec.structs.replace(ruleset.policy, blunders=10), 0
    for number in range(games):
        state = ruleset.open({}, None, ruleset.seats[number % len(ruleset.seats)])
        play_to_end(state, policy, random.Random(number), 1000)
        moves += state.version
    return moves


def played_at_random(ruleset: Ruleset, games: int) -> int:
    """How many moves some games have that are played at random, without cards that are decided beforehand."""
    opened = [ruleset.open({}, None, ruleset.seats[number % len(ruleset.seats)]) for number in range(games)]
    return sum(1 for number, state in enumerate(opened) for _ in playout(state, random.Random(number)))


def calls(ruleset: Ruleset, games: list[Game]) -> int:
    """How many Python functions are called while the games are replayed."""

    def replay() -> None:
        for game in games:
            replay_game(ruleset, game)

    return counted(replay)


def counted(work: Callable[[], object]) -> int:
    """How many Python functions are called while something is done."""
    count = 0

    def profile(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
