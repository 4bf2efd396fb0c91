"""The server of boardgame.io as a peer of `benchmarks.peers`, with its own store in files.

Its moves go over socket.io, so it has clients of its own kind. Its store writes the state and the log of a match anew
for each move, and does not force them to disk. So a power cut can lose moves that it answered.
"""

from __future__ import annotations

import json
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from benchmarks.http import CLIENTS, free_port, random_moves
from tests.npm import node_modules

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACE = Path(__file__).with_name("boardgame")
PATIENCE = 60


class Boardgame:
    """A running server, and its clients in another process."""

    def __init__(self, server: subprocess.Popen[bytes], clients: subprocess.Popen[str]) -> None:
        self.pid = server.pid
        self._clients = clients

    def drive(self, moves: int) -> tuple[float, list[float]]:
        """Let each client record its share of the moves; the seconds of all, and of each."""
        assert self._clients.stdin is not None
        assert self._clients.stdout is not None
        print(json.dumps([_games(client, moves // CLIENTS) for client in range(CLIENTS)]), file=self._clients.stdin)
        self._clients.stdin.flush()
        found = json.loads(self._clients.stdout.readline())
        return found["seconds"], found["taken"]


@contextmanager
def serve_boardgame(folder: Path) -> Iterator[Boardgame]:
    """A server in this folder. Raises `NpmError` where it cannot be installed, and `TimeoutError`."""
    modules, port = str(node_modules(PLACE)), str(free_port())
    serve = ["node", str(PLACE / "server.mjs"), modules, port, str(folder)]
    drive = ["node", str(PLACE / "clients.mjs"), modules, port]
    with subprocess.Popen(serve, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(port)
            with subprocess.Popen(drive, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as clients:
                yield Boardgame(server, clients)
        finally:
            server.terminate()


def _wait_for(port: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            httpx.get(f"http://127.0.0.1:{port}/games").raise_for_status()
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("boardgame.io did not start")


def _games(client: int, moves: int) -> list[list[str]]:
    """A number of moves from random games."""
    games: list[list[str]] = []
    left, seed = moves, client * 1000
    while left:
        games.append([json.dumps(move) for move in random_moves(seed)][:left])
        left, seed = left - len(games[-1]), seed + 1
    return games
