"""Analyses: the time of two workers for the win line of a whole game, and the speed of playouts.

Times are judged by the processor's seconds, as two idle cores would share them: other programs do not count. Random
play is held against python-chess, which lists its moves and makes one of them. Ours are of a random kind, and only the
moves of that kind are listed.
"""

from __future__ import annotations

import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import chess
import msgspec
from uuid_utils import uuid7

from benchmarks.table import Pair, Row, rounds
from events.event import NewEvent
from games.contract import PUBLIC
from games.playout import choose_move, playout
from games.rulesets import RULESETS
from projections.analyses.game_replay import replay_of
from projections.analyses.kinds import BLUNDERS, KINDS
from projections.archive import Archive, ReadingArchive
from workers.analyses import Analyses
from workers.analysing import Analyst, subject_of
from workers.results import Results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import Move, Ruleset

WORKERS = 2
LINES = {"kahuna": (1, 10_000, "<= 30", "<= 3"), "catan_cards": (9, 400, "<= 120", "")}
"""The game of a win line by its seed, its most moves, and the target seconds: for the whole line and for the first
rough line.
"""
ROUNDS = 5
MOVES = 4_000
"""The least number of moves per round and side."""
PLIES = 120
"""The most moves of a game of chess."""
RATIOS = {"kahuna": ">= 2", "manapani": ">= 2", "verraeter": ">= 1.5", "catan_cards": ">= 1"}
"""The target, as a ratio to python-chess."""


# Win lines


def moves_of(ruleset: Ruleset, seed: int) -> Iterator[Move]:
    """The moves of a game that the policy plays against itself, with its usual blunders."""
    if ruleset.policy is None:
        raise TypeError(ruleset.name)
    policy, chance = msgspec.structs.replace(ruleset.policy, blunders=BLUNDERS.default), random.Random(seed)
    state = ruleset.open({}, None, ruleset.seats[0])
    state.decide_hidden(chance)
    while not state.ending and (chosen := choose_move(policy, state, chance)) is not None:
        move = state.sample_chance(chosen, chance)
        yield move
        state.apply(move)
        state.decide_hidden(chance)


def recorded(archive: Archive, name: str, seed: int, most: int) -> str:
    """Record a game, with at most `most` moves."""
    ruleset, game = RULESETS[name], str(uuid7())
    opened = {"ruleset": name, "revision": ruleset.revision, "seats": [{}] * ruleset.seats[0]}
    if (components := ruleset.components(ruleset.check_options({}))) is not None:
        opened["components"] = components
    moves = [{"move": ruleset.move_data(move)} for move in islice(moves_of(ruleset, seed), most)]
    made = [NewEvent(id=str(uuid7()), type="move.made", data=data) for data in moves]
    events = [NewEvent(id=game, type="game.opened", data=opened), *made]
    for start in range(0, len(events), 50):
        archive.log.append(game, events[start : start + 50], expected=start, recorder="benchmark")
    return game


def work(folder: str, analysis: str, slot: int) -> float:
    """Work on an analysis until it is done. Returns the seconds of processor time."""
    started, results = time.process_time(), Results(Path(folder))
    with ReadingArchive(Path(folder)) as archive:
        analyses = Analyses(results)
        analyst = Analyst(analyses, archive.folds, archive.log)
        while (found := analyses.find(analysis)) and found.active:
            analyst.run_for(analysis, slot=slot)
    results.close()
    return time.process_time() - started


def lines(name: str) -> list[Row]:
    """The time of a win line, to within ± 5 points, and of its first rough form."""
    seed, most, whole, first = LINES[name]
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        with Archive(Path(folder)) as archive:
            game = recorded(archive, name, seed, most)
            fold = archive.folds.current(game)
            subject, version = subject_of(fold, KINDS["win-line"], {}, PUBLIC), fold.version
        rough = rough_seconds(folder, game, version)
        results = Results(Path(folder))
        analyses = Analyses(results)
        asked = analyses.ask(subject, "asked", "benchmark")
        with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
            list(pool.map(time.sleep, [1.0] * WORKERS))  # until both workers have started, with all imports
            begun = time.monotonic()
            spent = sum(pool.map(partial(work, folder, asked.id), range(WORKERS)))
            waited = time.monotonic() - begun
        found = analyses.find(asked.id)
        results.close()
    if found is None or found.status != "done":
        raise RuntimeError(f"{name}: {found and found.cause}")
    title = f"win line of {name}, {version - 1} moves"
    return [
        Row(f"{title}, processor on each of {WORKERS} workers", spent / WORKERS, "s", target=whole),
        Row(f"{title}, by the clock", waited, "s"),
        Row(f"{title}, first rough line, processor on each", rough / WORKERS, "s", target=first),
    ]


def rough_seconds(folder: str, game: str, version: int) -> float:
    """Seconds of processor time until a first line is known. The game is read again from the log."""
    kind, started = KINDS["win-line"], time.process_time()
    with ReadingArchive(Path(folder)) as archive:
        values = {name: parameter.default for name, parameter in kind.parameters.items()}
        analysing = kind.analyse(replay_of(archive.folds, game, version, PUBLIC), values)
        asked = next(analysing)
        while asked.so_far is None:
            asked = analysing.send({unit.key: unit.work() for unit in asked.units})
    return time.process_time() - started


# Random play


def play(ruleset: Ruleset) -> tuple[float, float]:
    """Moves and games per second, with each number of seats in turn."""
    chance, moves, games, start = random.Random(1), 0, 0, time.process_time()
    while moves < MOVES:
        for seats in ruleset.seats:
            state = ruleset.open({}, None, seats)
            moves += sum(1 for _ in playout(state, chance))
            games += 1
    elapsed = time.process_time() - start
    return moves / elapsed, games / elapsed


def play_chess() -> float:
    """Moves of random chess games per second."""
    chance, moves, start = random.Random(1), 0, time.process_time()
    while moves < MOVES:
        board = chess.Board()
        while board.ply() < PLIES and (legal := list(board.legal_moves)):
            board.push(chance.choice(legal))
        moves += board.ply()
    return moves / (time.process_time() - start)


def random_play() -> list[Row]:
    """Two rows per ruleset: moves per second compared with chess, and whole games per second."""
    rows = []
    for ruleset in RULESETS.values():
        games: list[float] = []

        def measure(ruleset: Ruleset = ruleset, games: list[float] = games) -> Pair:
            moves, finished = play(ruleset)
            games.append(finished)
            return Pair(moves, play_chess())

        value, chess_rate, ratio = rounds(ROUNDS, measure)
        target = RATIOS.get(ruleset.name, "")
        rows.append(Row(f"play {ruleset.name} at random, beside chess", value, "moves/s", chess_rate, ratio, target))
        rows.append(Row(f"play {ruleset.name} at random", sorted(games)[ROUNDS // 2], "games/s"))
    return rows


def run() -> list[Row]:
    """The rows of this benchmark."""
    return [row for name in LINES for row in lines(name)] + random_play()
