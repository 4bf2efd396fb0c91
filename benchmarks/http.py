"""Appends over HTTP, compared with an empty Flask POST on the same server in the same run.

The server is the real one: the front, the web server, the whole application with its projector. The client keeps its
connections open and has every request ready as bytes, so that what is measured is the server.
"""

from __future__ import annotations

import os
import random
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import httpx
import msgspec
from uuid_utils import uuid7

from benchmarks.table import Row
from games.kahuna import KAHUNA
from games.playout import playout

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENTS = 32
MOVES = 4800
BATCH = 40
"""Moves per request, about a third of a game of Kahuna."""
ROUNDS = 3


class Served(NamedTuple):
    """A running service: its port and its owner's token."""

    port: int
    token: str


def random_moves(seed: int) -> list[dict[str, object]]:
    """The moves of a whole random game of Kahuna."""
    state = KAHUNA.open({}, None, 2)
    return [KAHUNA.move_data(move) for move, _ in playout(state, random.Random(seed))]


def free_port() -> int:
    """A free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def serve(folder: Path, **settings: str) -> tuple[subprocess.Popen[bytes], Served]:
    """Run the service with these settings and one more route, an empty POST."""
    port = free_port()
    command = [sys.executable, "-m", "service.server.web", "benchmarks.server:create_app"]
    environment = os.environ | {"KIFU_DATA": str(folder), "KIFU_PORT": str(port)} | settings
    process = subprocess.Popen(command, env=environment)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            httpx.get(f"http://127.0.0.1:{port}/v1/health")
            return process, Served(port, (folder / "owner.token").read_text().strip())
        except httpx.TransportError:
            time.sleep(0.05)
    raise TimeoutError("the service did not start")


def request(path: str, body: object, token: str) -> bytes:
    """The bytes of a POST request."""
    content = msgspec.json.encode(body)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def length_of(head: bytes) -> int:
    """The length of the body, from the head of an answer."""
    return next((int(line[15:]) for line in head.split(b"\r\n") if line[:15].lower() == b"content-length:"), 0)


def drive(port: int, scripts: list[list[bytes]]) -> tuple[float, list[float]]:
    """Send each script over its own connection, request by request. Returns the seconds in total, and of each."""
    selector = selectors.DefaultSelector()
    taken: list[float] = []
    for script in scripts:
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(connection, selectors.EVENT_READ, Client(connection, iter(script)))
    started = time.perf_counter()
    for key in list(selector.get_map().values()):
        key.data.send()
    while selector.get_map():
        for key, _ in selector.select():
            if not key.data.receive(taken):
                selector.unregister(key.fileobj)
    return time.perf_counter() - started, taken


class Client:
    """A connection that sends the requests of its script."""

    def __init__(self, connection: socket.socket, script: Iterator[bytes]) -> None:
        self._connection, self._script = connection, script
        self._sent = 0.0
        self._buffer = b""

    def send(self) -> bool:
        """Send the next request; False when there is none."""
        content = next(self._script, None)
        if content is None:
            self._connection.close()
            return False
        self._sent = time.perf_counter()
        self._connection.sendall(content)
        return True

    def receive(self, taken: list[float]) -> bool:
        """Read on. Once the answer is complete, send the next request. False when the script is done."""
        self._buffer += self._connection.recv(1 << 18)
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return True
        status = head[9:12]
        if len(body) < length_of(head):
            return True
        if status[:1] != b"2":
            raise RuntimeError(self._buffer.decode())
        taken.append(time.perf_counter() - self._sent)
        self._buffer = b""
        return self.send()


def open_games(served: Served, count: int) -> list[str]:
    """Open games through the API; their ids."""
    games = [str(uuid7()) for _ in range(count)]
    script = [request("/v1/games", {"id": game, "ruleset": "kahuna"}, served.token) for game in games]
    drive(served.port, [script])
    return games


def scripts_of(served: Served, moves: int, batch: int) -> list[list[bytes]]:
    """A script for each client: its own games, in requests of `batch` moves."""
    scripts: list[list[bytes]] = []
    for client in range(CLIENTS):
        script: list[bytes] = []
        seed = client * 1000
        while len(script) * batch < moves / CLIENTS:
            played = random_moves(seed)
            seed += 1
            (game,) = open_games(served, 1)
            entries = [{"id": str(uuid7()), "data": {"move": move}} for move in played]
            parts = [entries[at : at + batch] for at in range(0, len(entries), batch)]
            full = [part for part in parts if len(part) == batch]
            script += [request(f"/v1/games/{game}/events", {"events": part}, served.token) for part in full]
        scripts.append(script)
    return scripts


def measure(served: Served) -> dict[str, float]:
    """One round: requests per second to the empty route, with a move each, and with forty; p99 in milliseconds."""
    empty = request("/empty", {"events": []}, served.token)
    found: dict[str, float] = {}
    for name, scripts in (
        ("empty", [[empty] * (MOVES // CLIENTS)] * CLIENTS),
        ("single", scripts_of(served, MOVES, 1)),
        ("batch", scripts_of(served, MOVES * 4, BATCH)),
    ):
        seconds, taken = drive(served.port, scripts)
        found[name] = len(taken) / seconds
        found[f"{name} p99"] = sorted(taken)[int(len(taken) * 0.99)] * 1000
    return found


def run() -> list[Row]:
    """The rows of this benchmark: medians of several rounds on one server."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        process, served = serve(Path(folder))
        try:
            drive(served.port, scripts_of(served, 1000, 1))
            found = [measure(served) for _ in range(ROUNDS)]
        finally:
            process.terminate()
            process.wait()
    single = median(round_["single"] for round_ in found)
    empty = median(round_["empty"] for round_ in found)
    ratio = median(round_["single"] / round_["empty"] for round_ in found)
    moves = median(round_["batch"] * BATCH for round_ in found)
    batched = median(round_["batch"] * BATCH / round_["single"] for round_ in found)
    return [
        Row(f"HTTP append, {CLIENTS} clients", single, "moves/s", empty, ratio, ">= 0.5"),
        Row(f"HTTP append, {CLIENTS} clients, p99", median(round_["single p99"] for round_ in found), "ms"),
        Row(f"HTTP append, {BATCH} moves a request", moves, "moves/s", single, batched, ">= 20"),
    ]
