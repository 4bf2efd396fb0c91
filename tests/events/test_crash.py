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

from events.errors import LogError
from events.failpoints import POINTS
from tests import warm
from tests.events.stores import ON_SQLITE, Postgres, Sqlite

pytestmark = pytest.mark.programs

ROOT = Path(__file__).parents[2]
SENDER = Path(__file__).with_name("sender.py")
GAMES = 6

spec = importlib.util.spec_from_file_location("sender", SENDER)
sender = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sender)


class Recorder:
    """Runs the sender, again and again, and remembers what was acknowledged."""

    def __init__(self, store: Sqlite | Postgres, path: Path | str, events: int) -> None:
        self.store, self.path, self.events = store, path, events
        self.stored = [0] * GAMES

    def run(self, failpoint: str = "", seconds: float | None = None) -> int:
        """One life of the sender: until it is done, or dies at a failpoint, or is killed; its exit code."""
        command = [sys.executable, str(SENDER), str(self.path), str(GAMES), str(self.events), *map(str, self.stored)]
        environment = os.environ | {"KIFU_FAILPOINT": failpoint, "PYTHONPATH": str(ROOT)}
        with warm.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
            output = b""
            if seconds is not None:
                output = process.stdout.read(1)  # it is in the middle of it
                time.sleep(seconds)
                process.send_signal(signal.SIGKILL)
            output += process.stdout.read()
        for line in output.decode().splitlines(keepends=True):
            if line.endswith("\n"):
                number, version = map(int, line.split())
                self.stored[number] = max(self.stored[number], version)
        return process.returncode

    def check(self) -> None:
        """Everything acknowledged is stored, once, where it was acknowledged, and the chain is whole."""
        try:
            opened = self.store.reader(self.path)
        except (FileNotFoundError, LogError):
            assert self.stored == [0] * GAMES
            return
        with opened as log:
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
        report = self.store.verify(self.path)
        assert report.problems == ()
        assert (report.games, report.events) == (GAMES, GAMES * self.events)
        with self.store.log(self.path) as log:
            assert getattr(log, "warnings", []) == []
            assert dict(log.damage) == {}


PASSED = {
    "sqlite": POINTS,
    "postgres": ("tables.migrated", "append.begin", "append.inserted", "append.committed"),
    "lanes": ("append.committed",),
}
"""Which of the points each store passes: what is written back, and heads in a file, are SQLite's own."""


@pytest.mark.parametrize(
    ("store", "point"),
    [
        pytest.param(store, point, marks=[pytest.mark.empty_database] if point.startswith("tables") else [])
        for store, points in PASSED.items()
        for point in points
    ],
    indirect=["store"],
)
def test_nothing_acknowledged_is_lost_at_any_failpoint(store, path, point):
    recorder = Recorder(store, path, 30)
    often = point.startswith("append") and not (store.name == "postgres" and point == "append.inserted")
    assert recorder.run(f"{point}:{random.randint(1, 8) if often else 1}") == -signal.SIGKILL
    recorder.check()
    recorder.finish()


@pytest.mark.parametrize("store", ["sqlite", "postgres"], indirect=True)  # of several lanes with `make soak`
def test_nothing_acknowledged_is_lost_by_kills_at_random_moments(store, path):
    lives(Recorder(store, path, 1000 if store.name == "sqlite" else 300), 3)


def lives(recorder: Recorder, count: int) -> None:
    killed = 0
    for life in range(1, count + 1):  # the first one is short: a quick machine stores everything in a moment
        if recorder.run(seconds=random.uniform(0, 0.4 * life / count)) == -signal.SIGKILL:
            killed += 1
        recorder.check()
        if min(recorder.stored) == recorder.events:
            break
    assert killed
    recorder.finish()


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10))
def test_nothing_acknowledged_is_lost_by_many_kills(store, path, seed):
    random.seed(seed)
    lives(Recorder(store, path, 20_000), 40)


@ON_SQLITE
@pytest.mark.soak
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("count", [1, 2, 3, 5, 9, 17, 40])
def test_nothing_acknowledged_is_lost_at_any_point_of_death(store, path, point, count):
    recorder = Recorder(store, path, 60)
    while recorder.run(f"{point}:{count}") == -signal.SIGKILL and min(recorder.stored) < 60:
        recorder.check()
        if not any(recorder.stored):
            break
    recorder.finish()
