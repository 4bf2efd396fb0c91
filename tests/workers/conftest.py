"""Data folders with real games, and the real processes that work for them."""

from __future__ import annotations

import os
import random
import sys
import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from redis.exceptions import RedisError

from events.event import NewEvent
from events.stores import DATABASE_URL
from games.playout import playout
from games.rulesets import RULESETS
from projections.archive import Archive
from tests import warm
from tests.waiting import until
from workers import jobs, valkey
from workers.process import SUPERVISOR
from workers.queue import connect, open_queue
from workers.rest import REST_VARIABLE
from workers.results import Results

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from redis import Redis


def event(kind: str, **data: Any) -> NewEvent:
    return NewEvent(id=str(uuid.uuid4()), type=kind, data=data)


def played(seed: int, moves: int = 1000) -> list[NewEvent]:
    """A game of Kahuna as its events: the opening and up to `moves` random legal moves."""
    kahuna = RULESETS["kahuna"]
    events = [event("game.opened", ruleset="kahuna", revision=kahuna.revision, seats=[{}, {}])]
    for move, _ in playout(kahuna.open({}, None, 2), random.Random(seed)):
        if len(events) > moves:
            break
        events.append(event("move.made", move=msgspec.json.decode(msgspec.json.encode(move))))
    return events


SPARE_WORKER = """
import sys
from workers import process, worker
process.lower_priority = lambda: None
sys.argv = ["worker", "spare"]
worker.main()
"""


class DataFolder:
    """A data folder with its log open for recording, its results, its Valkey, and the processes that a test starts."""

    until = staticmethod(until)
    event = staticmethod(event)
    played = staticmethod(played)

    def __init__(self, folder: Path, redis_url: str = "", database_url: str = "") -> None:
        self.folder, self.database_url = folder, database_url
        self.archive = Archive(folder, database_url)
        self.results = Results(folder, database_url)
        self.socket = valkey.socket_path(folder)
        self.redis_url = redis_url or valkey.socket_url(self.socket)
        self.redis: Redis = connect(self.redis_url)
        self.queue = open_queue(self.results, self.redis)
        self.processes: list[subprocess.Popen[bytes]] = []
        self.closed = False

    def start(self, module: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        return self._run("-m", module, *arguments, **environment)

    def _run(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        values = {
            "KIFU_DATA": str(self.folder),
            "KIFU_REDIS_URL": self.redis_url,
            "KIFU_QUIET": "0.05",
            "KIFU_SPARE": "off",
            DATABASE_URL: self.database_url,
        }
        process = warm.Popen(
            [sys.executable, *words],
            env=os.environ | values | {SUPERVISOR: str(os.getpid())} | environment,
        )
        self.processes.append(process)
        return process

    def start_valkey(self) -> subprocess.Popen[bytes]:
        process = self.start("workers.valkey", str(self.socket))
        until(self.answers)
        return process

    def start_relay(self) -> subprocess.Popen[bytes]:
        return self.start("workers.relay")

    def start_worker(self) -> subprocess.Popen[bytes]:
        return self.start("workers.worker")

    def start_spare_worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """The worker for what can wait, with the priority of others: on a busy machine, it would wait for minutes."""
        return self._run("-c", SPARE_WORKER, **environment)

    def revive(self) -> None:
        """Start again what has ended by itself, as the supervisor does."""
        for process in [each for each in self.processes if each.poll() is not None]:
            self.processes.remove(process)
            (module,) = process.args[2:]  # type: ignore[misc]
            self.start(str(module))

    def answers(self) -> bool:
        with suppress(RedisError):
            return bool(self.redis.ping())
        return False

    def record(self, events: list[NewEvent], game: str = "", after: int = 0) -> str:
        """Append to a game, or open a new one; returns its id."""
        game = game or str(uuid.uuid4())
        self.archive.log.append(game, events, expected=after, recorder="tester")
        return game

    def versions(self, game: str) -> list[int]:
        """The versions of a game that have a snapshot, the newest first."""
        return [snapshot.version for snapshot in self.results.find_snapshots(game, None, 100)]

    def rows(self) -> int:
        """How many results are stored in all."""
        ((count,),) = self.results.db.execute("select count(*) from result").fetchall()
        return int(count)

    def settled(self) -> bool:
        """Whether all work that follows from the log is done."""
        return self.results.cursor()[0] == self.archive.log.position()

    def close(self) -> None:
        for process in self.processes:
            process.kill()
        while self.processes:
            self.processes.pop().wait()
        self.redis.close()
        self.results.close()
        self.archive.close()
        self.closed = True


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made in spare time is made at once, though the test has just recorded."""
    monkeypatch.setenv(REST_VARIABLE, "0")


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty data folder with a path short enough for a socket."""
    return tmp_path_factory.mktemp("d")


@pytest.fixture
def open_host() -> Iterator[Callable[..., DataFolder]]:
    """Opens data folders, and closes them after the test."""
    opened: list[DataFolder] = []

    def open_one(folder: Path, redis_url: str = "", database_url: str = "") -> DataFolder:
        opened.append(DataFolder(folder, redis_url, database_url))
        return opened[-1]

    yield open_one
    for host in opened:
        if not host.closed:
            host.close()


@pytest.fixture
def empty_host(folder: Path, open_host: Callable[..., DataFolder]) -> DataFolder:
    """A data folder with a log, and no process at work yet."""
    return open_host(folder)


@pytest.fixture(params=["file", pytest.param("postgresql", marks=pytest.mark.programs)])
def each_host(
    request: pytest.FixtureRequest,
    folder: Path,
    open_host: Callable[..., DataFolder],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[DataFolder]:
    """An empty host, with its log and its results in a data folder, or in a database."""
    if request.param == "file":
        yield open_host(folder)
        return
    url = request.getfixturevalue("database")
    monkeypatch.setenv(DATABASE_URL, url)
    found = open_host(folder, database_url=url)
    yield found
    jobs._results(str(folder)).close()
    jobs._let_go(str(folder))
    jobs._results.cache_clear()
    found.close()


@pytest.fixture
def host(empty_host: DataFolder) -> DataFolder:
    """A data folder with a log and a running Valkey, but no relay and no worker yet."""
    empty_host.start_valkey()
    return empty_host
