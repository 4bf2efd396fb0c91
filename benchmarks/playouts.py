"""Random play-throughs, as rollouts and self-audits make them: a legal move found and made, to the end.

They are held against python-chess, which lists its moves and makes one of them. Ours are of a random kind, and only the
moves of that kind are listed.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import chess

from benchmarks.table import Pair, Row, rounds
from games.playout import playout
from games.rulesets import RULESETS

if TYPE_CHECKING:
    from games.contract import Ruleset

ROUNDS = 5
MOVES = 4_000
"""Moves a round and side, at the least."""
PLIES = 120
"""How long a game of chess goes on."""


def play(ruleset: Ruleset) -> tuple[float, float]:
    """Moves and games a second, over every number of seats in turn."""
    chance, moves, games, start = random.Random(1), 0, 0, time.process_time()
    while moves < MOVES:
        for seats in ruleset.seats:
            state = ruleset.open({}, None, seats)
            moves += sum(1 for _ in playout(state, chance))
            games += 1
    elapsed = time.process_time() - start
    return moves / elapsed, games / elapsed


def play_chess() -> float:
    """Moves a second."""
    chance, moves, start = random.Random(1), 0, time.process_time()
    while moves < MOVES:
        board = chess.Board()
        while board.ply() < PLIES and (legal := list(board.legal_moves)):
            board.push(chance.choice(legal))
        moves += board.ply()
    return moves / (time.process_time() - start)


def run() -> list[Row]:
    """Two rows a ruleset: moves a second beside chess, and whole games a second."""
    rows = []
    for ruleset in RULESETS.values():
        games: list[float] = []

        def measure(ruleset: Ruleset = ruleset, games: list[float] = games) -> Pair:
            moves, finished = play(ruleset)
            games.append(finished)
            return Pair(moves, play_chess())

        value, chess_rate, ratio = rounds(ROUNDS, measure)
        rows.append(Row(f"play {ruleset.name} at random, beside chess", value, "moves/s", chess_rate, ratio))
        rows.append(Row(f"play {ruleset.name} at random", sorted(games)[ROUNDS // 2], "games/s"))
    return rows
