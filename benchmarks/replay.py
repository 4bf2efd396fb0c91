"""Replaying recorded games: reading, checking and applying every move, compared with python-chess.

Our moves come as the bytes that the log stores, those of chess as UCI text; both sides refuse an illegal move. It is
the processor's time that counts, so that neighbours on the machine do not.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, NamedTuple

import chess
import msgspec

from benchmarks.table import Pair, Row, rounds
from games import transcript
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET
from tests import goldens

if TYPE_CHECKING:
    from games.contract import Ruleset

ROUNDS = 7
MOVES = 20_000
"""The least number of moves per round and side."""


class Game(NamedTuple):
    """A recorded game: its opening, and the bytes of each move with its mark if it stands against the rules."""

    opening: transcript.Opening
    moves: list[tuple[bytes, bool]]


def recorded(ruleset: Ruleset) -> dict[str, list[Game]]:
    """The recorded games of a ruleset without rulings, grouped by options: none set, some, or all."""
    games: dict[str, list[Game]] = {"": [], "with options": [], "with all options": []}
    for path in goldens.recorded():
        if goldens.ruleset_of(path) is ruleset:
            recording = goldens.game(path)
            if any(entry.ruling for entry in recording.entries):
                continue
            opening = transcript.opening(ruleset, recording)
            state, moves = ruleset.open(opening.options, opening.components, opening.seats), []
            for step in transcript.replay(ruleset, recording):  # by the recorded revision; below the newest
                moves.append((msgspec.json.encode(step.move), any(True for _ in state.breaches(step.move))))
                state.apply(step.move)
            games[_kind(ruleset, opening)].append(Game(opening, moves))
    return {kind: found for kind, found in games.items() if found}


def _kind(ruleset: Ruleset, opening: transcript.Opening) -> str:
    if not opening.options:
        return ""
    return "with all options" if len(opening.options) == len(ruleset.options) else "with options"


def replay(ruleset: Ruleset, games: list[Game]) -> float:
    """Moves per second, each read, checked and applied."""
    count, start = 0, time.process_time()
    while count < MOVES:
        for game in games:
            replay_game(ruleset, game)
            count += len(game.moves)
    return count / (time.process_time() - start)


def replay_game(ruleset: Ruleset, game: Game) -> None:
    """Read, check and apply every move of a game. Moves that stand against the rules are not checked."""
    state = ruleset.open(game.opening.options, game.opening.components, game.opening.seats)
    for version, (data, irregular) in enumerate(game.moves, 1):
        move = ruleset.read_move(data)
        if not irregular:
            state.verify(move)
        state.apply(move, version)


def chess_games() -> list[list[str]]:
    """Some games of chess, played at random up to move 60."""
    chance = random.Random(1)
    games = []
    for _ in range(20):
        board = chess.Board()
        moves: list[str] = []
        while len(moves) < 120 and (legal := list(board.legal_moves)):
            moves.append(chance.choice(legal).uci())
            board.push_uci(moves[-1])
        games.append(moves)
    return games


def replay_chess(games: list[list[str]]) -> float:
    """Moves per second, each read, checked and applied."""
    count, start = 0, time.process_time()
    while count < MOVES:
        for moves in games:
            board = chess.Board()
            for move in moves:
                board.push_uci(move)
            count += len(moves)
    return count / (time.process_time() - start)


def run() -> list[Row]:
    """One row per ruleset, and one each for its games with some and with all options."""
    floor = chess_games()
    rows = []
    for ruleset in RULESETS.values():
        if ruleset is SCORESHEET:
            continue  # a few lines of numbers compare with no game of moves: see benchmarks.sheet
        for kind, games in recorded(ruleset).items():

            def measure(ruleset: Ruleset = ruleset, games: list[Game] = games) -> Pair:
                return Pair(replay(ruleset, games), replay_chess(floor))

            value, chess_rate, ratio = rounds(ROUNDS, measure)
            name = f"replay {ruleset.name} {kind}".strip() + ", beside chess"
            rows.append(Row(name, value, "moves/s", chess_rate, ratio, ">= 1.5"))
    return rows
