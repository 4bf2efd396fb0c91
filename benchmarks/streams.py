"""Streams: the delay until the last of many listeners of one game has an entry, and the cost of listeners.

The listeners are a process of their own, so that they hold up the appends no more than others on the same machine do.
The time of an entry runs from the moment its request is sent until the last listener has read it. The floor beside it
is how long the answer to that request took.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import resource
import select
import socket
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from uuid_utils import uuid7

from benchmarks.http import serve
from benchmarks.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from benchmarks.http import Served

IDLE = 2000
ENTRIES = 200
PAUSE = 0.15
PAIRS = 2000
TICKS = os.sysconf("SC_CLK_TCK")


def listen(port: int, path: str, count: int, told: Connection) -> None:
    """Open `count` streams. Reports when they are open, and for each event, when the last of them received it.

    They stand for other machines, so they run here with a lower priority than the service.
    """
    os.nice(10)
    poll = select.epoll()
    connections = {}
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n".encode())
        head = connection.recv(4096)
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head)
        poll.register(connection, select.EPOLLIN)
        connections[connection.fileno()] = connection
    told.send(None)
    events = 0
    while True:
        for file, _ in poll.poll():
            data = connections[file].recv(1 << 16)
            if not data:
                return
            events += data.count(b'{"event":"entry"')
            if events == count:
                told.send(time.monotonic())
                events = 0


@contextmanager
def listeners(served: Served, path: str, count: int) -> Iterator[Connection]:
    """Start `count` listeners in another process."""
    result, far = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=listen, args=(served.port, path, count, far), daemon=True)
    process.start()
    try:
        if not result.poll(120):
            raise TimeoutError("the listeners did not come")
        result.recv()
        yield result
    finally:
        process.kill()
        process.join()


class Recorder:
    """A client that records notes."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._connection = http.client.HTTPConnection("127.0.0.1", served.port)

    def ask(self, method: str, path: str, body: object) -> None:
        """Send a request. Raises `RuntimeError` if it fails."""
        headers = {"Authorization": f"Bearer {self._served.token}", "Content-Type": "application/json"}
        self._connection.request(method, path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{path} was answered with {answer.status}")

    def open(self) -> str:
        """Open a public game."""
        game = str(uuid7())
        self.ask("POST", "/v1/games", {"id": game, "ruleset": "kahuna"})
        self.ask("PUT", f"/v1/games/{game}/visibility", {"visibility": "public"})
        return game

    def note(self, game: str) -> float:
        """Record a note. Returns the seconds."""
        began = time.monotonic()
        note = {"id": str(uuid7()), "type": "note.added", "data": {"text": "a note"}}
        self.ask("POST", f"/v1/games/{game}/events", {"events": [note]})
        return time.monotonic() - began


class Process:
    """The resources of the process that serves the streams, as the system counts them."""

    def __init__(self, port: int) -> None:
        for path in Path("/proc").glob("[0-9]*"):
            try:
                mine = f"KIFU_PORT={port}".encode() in (path / "environ").read_bytes().split(b"\0")
                if mine and (path / "comm").read_text() == "kifu-live\n":
                    self._path = path
                    return
            except OSError:
                continue
        raise LookupError("nobody serves the streams")

    @property
    def seconds(self) -> float:
        """Seconds of processor time so far."""
        fields = (self._path / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    @property
    def megabytes(self) -> float:
        """Megabytes of memory."""
        status: dict[str, Any] = dict(
            line.split(":", 1) for line in (self._path / "status").read_text().splitlines() if ":" in line
        )
        return int(status["VmRSS"].split()[0]) / 1024


def percentile_ms(seconds: list[float], which: int) -> float:
    """A percentile in milliseconds."""
    return quantiles(seconds, n=100)[which - 1] * 1000


def measure_delays(served: Served, count: int, ceiling: str) -> list[Row]:
    """The delay until the last of `count` listeners of a game has an entry."""
    recorder, process = Recorder(served), Process(served.port)
    game = recorder.open()
    taken, answered = [], []
    with listeners(served, f"/v1/games/{game}/stream", count) as told:
        before = process.seconds
        for _ in range(ENTRIES):
            began = time.monotonic()
            answered.append(recorder.note(game))
            if not told.poll(30):
                raise TimeoutError("an entry was not told to all")
            taken.append(told.recv() - began)
            time.sleep(PAUSE)
        spent = process.seconds - before
    name = f"entry to the last of {count:,} listeners"
    return [
        Row(f"{name}, median", median(taken) * 1000, "ms", median(answered) * 1000),
        Row(f"{name}, p99", percentile_ms(taken, 99), "ms", percentile_ms(answered, 99), target=ceiling),
        Row(f"{name}, processor", spent / ENTRIES / count * 1e6, "µs a delivery"),
    ]


def measure_idle_listeners(served: Served) -> list[Row]:
    """The cost of listeners without events."""
    process = Process(served.port)
    alone = process.megabytes
    with listeners(served, "/v1/stream", IDLE):
        before = process.seconds
        time.sleep(20)
        share = (process.seconds - before) / 20 * 100
        held = process.megabytes
    name = f"{IDLE:,} idle listeners"
    return [
        Row(f"{name}, memory", held, "MB", target="<= 100"),
        Row(f"{name}, memory a listener", (held - alone) / IDLE * 1024, "kB"),
        Row(f"{name}, processor", share, "%"),
    ]


def measure_appends(served: Served, count: int) -> list[Row]:
    """Appends to a game with many listeners, each compared with an append to a game without any."""
    recorder = Recorder(served)
    followed, other = recorder.open(), recorder.open()
    loud, quiet = [], []
    with listeners(served, f"/v1/games/{followed}/stream", count) as told:
        for _ in range(PAIRS):
            loud.append(recorder.note(followed))
            if not told.poll(30):
                raise TimeoutError("an entry was not told to all")
            told.recv()
            quiet.append(recorder.note(other))
    rows = []
    for which in (50, 99):
        value, floor = percentile_ms(loud, which), percentile_ms(quiet, which)
        name = f"append with {count} listeners, {'median' if which == 50 else 'p99'}"
        rows.append(Row(name, value, "ms", floor, value / floor, "<= 1.1"))
    return rows


def run() -> list[Row]:
    """All figures of streams."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    unlimited = {"KIFU_STREAMS": "4000", "KIFU_STREAMS_EACH": "0", "KIFU_READS": "0", "KIFU_CONNECTIONS": "4000"}
    with tempfile.TemporaryDirectory() as folder:
        process, served = serve(Path(folder), **unlimited)
        try:
            return [
                *measure_idle_listeners(served),
                *measure_delays(served, 100, "<= 25"),
                *measure_delays(served, 1000, "<= 150"),
                *measure_appends(served, 100),
            ]
        finally:
            process.terminate()
            process.wait(10)
