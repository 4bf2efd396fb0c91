"""Endurance: everything that a family and its programs do, for a long time, over one data folder.

Games are recorded and corrected, analysed, exported and counted. A stream and a webhook tell of them. In the first half
of the time processes are killed, the whole service is, and the disk is full now and then. Nothing acknowledged may be
lost, doubled or skipped. The second half has the same load without faults, and no process may grow.
For `make soak`. `KIFU_ENDURANCE` is for how many seconds.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import msgspec
import pytest
from uuid_utils import uuid7

from events.sqlite import LOG, verify
from events.stores import read_log
from games import transcript
from games.kahuna import KAHUNA
from tests import goldens
from tests.ports import free_port
from tests.processes import process_tree, running_processes
from tests.service.conftest import UNLIMITED
from tests.service.fleet import SERVICE, Host
from tests.service.receiver import Receiver
from tests.service.server.test_full_disk import disk, fill
from tests.service.server.test_host_faults import PAUSE, Client, Reader
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["disk"]

pytestmark = pytest.mark.soak

SECONDS = float(os.environ.get("KIFU_ENDURANCE", "120"))
RESTS = 1.0
"""Seconds that the disk is full."""
ROUNDS = 12
"""Rounds of a sheet."""
PAGE_CACHES = 64 << 20
"""Bytes that connections to databases keep of pages, 2 MB each, and so many more as the files grow."""
SETTLED = 0.25
"""The part of the calm time after which caches are full, and nothing may grow any more."""


class Recorder(Client):
    """Records games, one entry after the other. Each is sent until it is acknowledged."""

    def __init__(self, host: Host) -> None:
        self.games: list[str] = []
        super().__init__(host)

    def run(self) -> None:
        while not self.ended.is_set():
            self.play(self.open())

    def open(self) -> str:
        game = str(uuid7())
        self._send("/v1/games", {"id": game} | self.opening())
        self.games.append(game)
        return game

    def opening(self) -> dict[str, Any]:
        raise NotImplementedError

    def play(self, game: str) -> None:
        raise NotImplementedError

    def add(self, game: str, data: dict[str, Any], kind: str = "move.made") -> None:
        id_ = str(uuid7())
        self._send(f"/v1/games/{game}/events", {"events": [{"id": id_, "type": kind, "data": data}]})
        self.got.append(id_)
        time.sleep(PAUSE)

    def _send(self, path: str, body: dict[str, Any]) -> None:
        while not self.ask("POST", path, json=body):
            time.sleep(2 * PAUSE)


class Sheets(Recorder):
    """Keeps score sheets, and corrects a line of each."""

    def opening(self) -> dict[str, Any]:
        seats = [{"name": name} for name in ("Ada", "Ben", "葵")]
        return {"ruleset": "scoresheet", "options": {"template": "rounds"}, "seats": seats}

    def play(self, game: str) -> None:
        for number in range(1, ROUNDS + 1):
            self.add(game, {"move": f"r{number} {random.randint(0, 60)} {random.randint(0, 60)} {number}"})
        self.add(game, {"entry": 4, "move": "r3 1 2 3", "reason": "the wrong column"}, "entry.replaced")
        self.add(game, {"move": "end"})


class Kahuna(Recorder):
    """Plays a recorded game of Kahuna again, and has it analysed."""

    analyses = 0
    moves: Sequence[Any] = ()
    """What is played; the whole game if nothing is named."""

    def opening(self) -> dict[str, Any]:
        return {"ruleset": "kahuna", "seats": [{"name": "Ada"}, {"name": "Ben"}]}

    def play(self, game: str) -> None:
        for move in self.moves or MOVES:
            self.add(game, {"move": move})
        asked = {"kind": "luck-counts", "seat": "public"}
        while not self.ended.is_set():
            answer = self.ask("POST", f"/v1/games/{game}/analyses", json=asked)  # again, as long as it is not done
            if answer and answer.json()["status"] == "done":
                self.analyses += 1
                return
            time.sleep(4 * PAUSE)


def _moves() -> list[Any]:
    recording = goldens.games(KAHUNA)["points"]
    return [msgspec.to_builtins(step.move) for step in transcript.replay(KAHUNA, recording)]


MOVES = _moves()


class Visitor(Client):
    """Looks at pages and lists, statistics and exports."""

    PATHS = (
        "/",
        "/people",
        "/v1/games?limit=20",
        "/v1/statistics",
        "/v1/ratings?kind=kahuna",
        "/v1/exports/games.csv",
        "/v1/exports/records.ndjson?limit=20",
        "/v1/tree/checkpoint",
    )

    def run(self) -> None:
        self._http.timeout = httpx.Timeout(PATIENCE)  # a table of all games takes its time
        while not self.ended.is_set():
            path = self.PATHS[len(self.got) % len(self.PATHS)]
            if answer := self.ask("GET", path):
                self.got.append(str(len(answer.content)))
            time.sleep(4 * PAUSE)


class Listener(Client):
    """Follows everything by the stream, and takes it up again from the last event."""

    last = "earliest"

    def run(self) -> None:
        while not self.ended.is_set():
            with suppress(httpx.HTTPError):
                self._listen()
            time.sleep(PAUSE)

    def _listen(self) -> None:
        headers, query = {"Accept": "application/x-ndjson"}, {"last_event_id": self.last}
        with self._http.stream("GET", "/v1/stream", params=query, headers=headers, timeout=20) as answer:
            if not answer.is_success:
                return
            for line in answer.iter_lines():
                event = json.loads(line) if line else {}
                if event.get("event") in {"entry", "closed"}:
                    self.last = str(event["id"])
                    self.got.append(event["entry"]["id"])
                if self.ended.is_set():
                    return


class ProcessResources(NamedTuple):
    """What a process holds: open files, threads, and bytes of memory that are its own."""

    files: int
    threads: int
    memory: int


def resources_of(pid: int) -> ProcessResources:
    place = Path("/proc", str(pid))
    told = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
    rolled = [line.split() for line in (place / "smaps_rollup").read_text().splitlines()[1:]]
    own = sum(int(line[1]) for line in rolled if line[0].startswith("Private_"))
    return ProcessResources(len(list((place / "fd").iterdir())), int(told["Threads"]), own << 10)


class Life:
    """The service on its small disk, and what can happen to it."""

    def __init__(self, host: Host, disk: Path) -> None:
        self.host, self._disk = host, disk

    @property
    def processes(self) -> dict[int, str]:
        """The processes of the service and their names, without the one that watches them."""
        assert self.host.process
        top, all_ = self.host.process.pid, running_processes()
        return {pid: all_[pid][1] for pid in process_tree(top, all_) - {top} if pid in all_}

    def kill_a_process(self) -> str:
        pid, name = random.choice(sorted(self.processes.items()))
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return f"{name} killed"

    def kill_the_service(self) -> str:
        self.host.kill()
        self.host.start(*SERVICE).up()
        return "service killed"

    def fill_the_disk(self) -> str:
        filling = fill(self._disk)
        time.sleep(RESTS)
        filling.unlink()
        return "disk full"

    @property
    def faults(self) -> tuple[Callable[[], str], ...]:
        return (
            self.kill_a_process,
            self.kill_a_process,
            self.kill_the_service,
            self.kill_a_process,
            self.fill_the_disk,
        )


@contextmanager
def at_work(host: Host) -> Iterator[list[Client]]:
    clients: list[Client] = [Sheets(host), Sheets(host), Kahuna(host), Visitor(host), Listener(host), Reader(host)]
    yield clients
    busy = [client for client in clients if not isinstance(client, (Listener, Reader))]
    for client in busy:
        client.ended.set()
    for client in busy:  # each comes to the end of its game
        client.end(10 * PATIENCE)


@pytest.mark.parametrize("disk", [1 << 30], indirect=True)
@pytest.mark.timeout(SECONDS * 2 + 600)
def test_nothing_is_lost_or_grows_while_everything_happens(disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limits = {f"KIFU_{name.upper()}": str(value) for name, value in UNLIMITED.items()}
    settings = limits | {"KIFU_PORT": str(free_port()), "KIFU_WEBHOOK_PRIVATE": "1"}
    with ExitStack() as stack:
        receiver = Receiver()
        stack.callback(receiver.close)
        host = Host(disk / "data", **settings).start(*SERVICE)
        stack.callback(host.close)
        host.up()
        assert host.http.post("/v1/webhooks", json={"url": receiver.url}).is_success
        life = Life(host, disk)
        with at_work(host) as clients:
            faults = _storm(life, clients)
            grown = _calm(life)
        listener, reader = clients[-2:]
        fed = entries(host)
        until(lambda: len(listener.got) >= len(fed))
        until(lambda: told_of(receiver) >= len(fed), patience=600)
        listener.end()
        reader.end()
        until(lambda: work_is_done(host), patience=600)
    acknowledged = [id_ for client in clients if isinstance(client, Recorder) for id_ in client.got]
    assert len(fed) == len(set(fed))
    assert set(acknowledged) <= set(fed), "an acknowledged entry is lost"
    assert listener.got == fed
    assert reader.got == fed
    assert verify(host.folder / LOG).sound
    with capsys.disabled():
        sys.stdout.write(_report(acknowledged, faults, grown))
    for name, (before, after) in grown.items():
        assert after.files <= before.files + 8, name
        assert after.threads <= before.threads + 2, name
        assert after.memory <= before.memory * 1.2 + PAGE_CACHES, name


def _storm(life: Life, clients: list[Client]) -> Counter[str]:
    """The first half. After each fault all go on."""
    counted: Counter[str] = Counter()
    deadline = time.monotonic() + SECONDS / 2
    while time.monotonic() < deadline or sum(counted.values()) < len(life.faults):
        counted[life.faults[sum(counted.values()) % len(life.faults)]()] += 1
        wait_for_all(life.host, clients)
    return counted


def wait_for_all(host: Host, clients: list[Client]) -> None:
    """Wait until everybody has got three more."""
    wanted = [len(client.got) + 3 for client in clients]
    deadline = time.monotonic() + 4 * PATIENCE
    while behind := [client for client, count in zip(clients, wanted, strict=True) if len(client.got) < count]:
        for client in behind:
            assert client.is_alive(), f"{type(client).__name__} has ended"
        names = ", ".join(type(client).__name__ for client in behind)
        assert time.monotonic() < deadline, f"{names} came to a stop: {host.http.get('/v1/health').text}"
        time.sleep(PAUSE)


def _calm(life: Life) -> dict[str, tuple[ProcessResources, ProcessResources]]:
    """The second half, and what each process had when it had settled, and at the end."""
    time.sleep(SECONDS / 2 * SETTLED)
    before = {pid: resources_of(pid) for pid in life.processes}
    time.sleep(SECONDS / 2 * (1 - SETTLED))
    names = life.processes
    return {f"{names[pid]} {pid}": (found, resources_of(pid)) for pid, found in before.items() if pid in names}


def entries(host: Host) -> list[str]:
    """The ids of all entries of the log, in its order."""
    with read_log(host.folder, "") as log:
        return [event.id for _, event in log.feed()]


def told_of(receiver: Receiver) -> int:
    """How many entries the messages have told of, each once."""
    told = set[tuple[str, int]]()
    for posted in list(receiver.arrived):
        data = posted.json["data"]
        told |= {(data["game"], version) for version in range(data["from"], data["to"] + 1)}
    return len(told)


def work_is_done(host: Host) -> bool:
    """Whether nothing is left that the relay or a worker has to do."""
    work = host.http.get("/v1/health").json()["work"]
    return bool(work["lag"] == 0 and work["queued"] == 0)


def _report(
    acknowledged: list[str], faults: Counter[str], grown: dict[str, tuple[ProcessResources, ProcessResources]]
) -> str:
    lines = [f"{SECONDS:.0f} s: {len(acknowledged)} entries acknowledged, 0 lost, doubled or skipped"]
    lines.append(", ".join(f"{name} {number}" for name, number in sorted(faults.items())))
    for name, (before, after) in grown.items():
        lines.append(
            f"{name}: files {before.files} → {after.files}, threads {before.threads} → {after.threads}, "
            f"memory {before.memory >> 20} → {after.memory >> 20} MB"
        )
    return "\n" + "\n".join(lines) + "\n"
