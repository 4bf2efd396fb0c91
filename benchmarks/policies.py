"""The rulesets' policies against random play: the share of games that they win, and their speed.

`python -m benchmarks policies`; `GAMES` in the environment says how many games are played at each table.
"""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

from benchmarks.table import Row
from games.playout import play_to_end, random_move
from games.rulesets import RULESETS

if TYPE_CHECKING:
    from games.contract import Policy, Ruleset

GAMES = int(os.environ.get("GAMES", "1000"))
MOST_MOVES = 5000
SHARES = {2: 0.8, 3: 2 / 3, 4: 0.5}
"""The targets: 80 % of games of two players, and twice the fair share of larger games."""


def match(ruleset: Ruleset, policy: Policy, seats: int, games: int) -> float:
    """The share of games that the policy wins against random play, in each seat in turn.

    A shared win counts in part, and a game without an end not at all.
    """
    won = 0.0
    for number in range(games):
        chance, own = random.Random(number), number % seats
        state = ruleset.open({}, None, seats)
        for _ in range(MOST_MOVES):
            state.decide_hidden(chance)
            if state.ending:
                break
            move = policy.choose(state, chance) if state.to_move() == own else random_move(state, chance)
            while move is not None and state.to_move() != own and move.seat == own:
                move = random_move(state, chance)
            if move is None:
                break
            state.apply(state.sample_chance(move, chance))
        outcome = state.outcome()
        won += (own in outcome.winners) / len(outcome.winners) if outcome else 0
    return won / games


def speed(ruleset: Ruleset, policy: Policy, games: int) -> float:
    """Games per second that the policy plays against itself."""
    start = time.process_time()
    for number in range(games):
        chance = random.Random(number)
        state = ruleset.open({}, None, ruleset.seats[number % len(ruleset.seats)])
        play_to_end(state, policy, chance, MOST_MOVES)
    return games / (time.process_time() - start)


def run() -> list[Row]:
    """For each ruleset with a policy: a row per number of seats, and a row for its speed."""
    rows = []
    for ruleset in RULESETS.values():
        if policy := ruleset.policy:
            for seats in ruleset.seats:
                name = f"{ruleset.name} for {seats}, {policy.name!r} against random play"
                share = match(ruleset, policy, seats, GAMES)
                rows.append(Row(name, share, "of games", target=f">= {SHARES[seats]:.2f}"))
            rows.append(Row(f"{ruleset.name}, {policy.name!r} by itself", speed(ruleset, policy, 50), "games/s"))
    return rows
