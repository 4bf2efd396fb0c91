"""A process that is killed at any moment loses nothing that it acknowledged; what is sent again is not doubled."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from events.failpoints import POINTS
from events.sqlite import SqliteLog, SqliteReader, verify
from events.sqlite.heads import heads_path
from tests.events.stores import sqlite_alone

ROOT = Path(__file__).parents[2]
SENDER = Path(__file__).with_name("sender.py")
GAMES = 6

store = pytest.fixture(sqlite_alone)

spec = importlib.util.spec_from_file_location("sender", SENDER)
sender = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sender)


class Recorder:
    """Runs the sender, again and again, and remembers what was acknowledged."""

    def __init__(self, path: Path, events: int) -> None:
        self.path, self.events = path, events
        self.stored = [0] * GAMES

    def run(self, failpoint: str = "", seconds: float | None = None) -> int:
        """One life of the sender: until it is done, or dies at a failpoint, or is killed; its exit code."""
        command = [sys.executable, str(SENDER), str(self.path), str(GAMES), str(self.events), *map(str, self.stored)]
        environment = os.environ | {"KIFU_FAILPOINT": failpoint, "PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
            if seconds is not None:
                time.sleep(seconds)
                process.send_signal(signal.SIGKILL)
            output = process.stdout.read().decode()
        for line in output.splitlines(keepends=True):
            if line.endswith("\n"):
                number, version = map(int, line.split())
                self.stored[number] = max(self.stored[number], version)
        return process.returncode

    def check(self) -> None:
        """Everything acknowledged is stored, once, where it was acknowledged, and the chain is whole."""
        if not heads_path(self.path).exists():
            assert self.stored == [0] * GAMES
            return
        with SqliteReader(self.path) as log:
            assert dict(log.damage) == {}
            for number, acknowledged in enumerate(self.stored):
                game = sender.game_id(number)
                stored = list(log.read(game)) if log.head(game) else []
                assert len(stored) >= acknowledged
                for version, event in enumerate(stored, 1):
                    sent = sender.event(number, version)
                    assert (event.id, event.type, event.data) == (sent.id, sent.type, sent.data)

    def finish(self) -> None:
        """A last, undisturbed life brings everything in, and the log is sound."""
        assert self.run() == 0
        self.check()
        assert self.stored == [self.events] * GAMES
        report = verify(self.path)
        assert report.problems == ()
        assert (report.games, report.events) == (GAMES, GAMES * self.events)
        with SqliteLog(self.path) as log:
            assert log.warnings == []
            assert dict(log.damage) == {}


@pytest.mark.parametrize("point", POINTS)
def test_nothing_acknowledged_is_lost_at_any_failpoint(path, point):
    recorder = Recorder(path, 30)
    assert recorder.run(f"{point}:{random.randint(1, 8) if point.startswith('append') else 1}") == -signal.SIGKILL
    recorder.check()
    recorder.finish()


def test_nothing_acknowledged_is_lost_by_kills_at_random_moments(path):
    lives(Recorder(path, 4000), 4)


def lives(recorder: Recorder, count: int) -> None:
    killed = 0
    for _ in range(count):
        if recorder.run(seconds=random.uniform(0.2, 0.5)) == -signal.SIGKILL:
            killed += 1
        recorder.check()
        if min(recorder.stored) == recorder.events:
            break
    assert killed
    recorder.finish()


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10))
def test_nothing_acknowledged_is_lost_by_many_kills(path, seed):
    random.seed(seed)
    lives(Recorder(path, 20_000), 40)


@pytest.mark.soak
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("count", [1, 2, 3, 5, 9, 17, 40])
def test_nothing_acknowledged_is_lost_wherever_it_dies(path, point, count):
    recorder = Recorder(path, 60)
    while recorder.run(f"{point}:{count}") == -signal.SIGKILL and min(recorder.stored) < 60:
        recorder.check()
        if not any(recorder.stored):
            break
    recorder.finish()
