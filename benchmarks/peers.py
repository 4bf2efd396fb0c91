"""The same moves from 32 clients over HTTP, stored durably by Kifu and by other services, in turns.

The peers are a bare Flask route that inserts a row, and Flask with the library eventsourcing, both on SQLite under
Waitress with sixteen threads. Where there is npm, the server of boardgame.io is one more. None proves, judges or seals.
The first two get an environment of their own in `.peers`, which is installed at the first run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import httpx
from uuid_utils import uuid7

from benchmarks.http import CLIENTS, Served, drive, free_port, random_moves, request, scripts_of, serve
from benchmarks.peer_boardgame import serve_boardgame
from benchmarks.table import Row
from tests.npm import NpmError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Driven = Callable[[], tuple[float, list[float]]]
    Ready = Callable[[int], Driven]

ROUNDS = 3
MOVES = 1600
WARM = 320
KIFU = "Kifu"
BOARDGAME = "boardgame.io"
PEERS = ("bare", "eventsourcing-cached", "eventsourcing")
TARGETS = {"bare": ">= 1.2", "eventsourcing-cached": ">= 2.5", BOARDGAME: ">= 1"}
"""The target of Kifu's moves per second, as a ratio to each peer."""

ENVIRONMENT = Path(__file__).parents[1] / ".peers"
PACKAGES = ("flask==3.1.3", "waitress==3.0.2", "eventsourcing==9.5.3")

_TICK = os.sysconf("SC_CLK_TCK")


class Figures(NamedTuple):
    """Moves per second, two percentiles in milliseconds, and microseconds of processor time per move."""

    rate: float
    usual: float
    slow: float
    processor: float


def python_of_peers() -> str:
    """The interpreter of the peers' environment. The environment is made if missing. Raises `CalledProcessError`."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    done = ENVIRONMENT / "installed"
    if not done.exists():
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        subprocess.run(install, check=True, stderr=subprocess.DEVNULL)
        done.touch()
    return str(python)


def serve_peer(python: str, name: str, folder: Path) -> tuple[subprocess.Popen[bytes], Served]:
    """Start a peer."""
    port = free_port()
    script = Path(__file__).with_name("peer_servers.py")
    process = subprocess.Popen([python, "-P", str(script), name, str(port), str(folder)])  # -P: there is an http.py
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            httpx.get(f"http://127.0.0.1:{port}/")
            return process, Served(port, "nobody's")
        except httpx.TransportError:
            time.sleep(0.05)
    _end(process)
    raise TimeoutError(f"{name} did not start")


def peer_scripts(served: Served, moves: int) -> list[list[bytes]]:
    """A script for each client: its own games, one move per request. Peers need no request that opens a game."""
    scripts: list[list[bytes]] = []
    for client in range(CLIENTS):
        script: list[bytes] = []
        seed = client * 1000
        while len(script) < moves / CLIENTS:
            game = str(uuid7())
            entries = [{"id": str(uuid7()), "data": {"move": move}} for move in random_moves(seed)]
            script += [request(f"/v1/games/{game}/events", {"events": [entry]}, served.token) for entry in entries]
            seed += 1
        scripts.append(script[: moves // CLIENTS])
    return scripts


def family(process: int) -> set[int]:
    """A process and all its descendants."""
    parents = dict(_parents())
    found, more = set[int](), {process}
    while more:
        found |= more
        more = {child for child, parent in parents.items() if parent in found} - found
    return found


def _parents() -> Iterator[tuple[int, int]]:
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        yield int(path.parent.name), int(fields[1])


def used(process: int) -> float:
    """Seconds of processor time of a process and its descendants."""
    total = 0
    for each in family(process):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        total += int(fields[11]) + int(fields[12])
    return total / _TICK


def memory(process: int) -> float:
    """Megabytes of a process and its descendants. Shared memory counts once."""
    total = 0
    for each in family(process):
        try:
            lines = Path(f"/proc/{each}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def measure(process: int, driven: Driven) -> Figures:
    """One round of one service. `driven` runs the clients, and returns the seconds of all moves and of each."""
    before = used(process)
    seconds, taken = driven()
    spent = used(process) - before
    ordered = sorted(taken)
    rate, usual, slow = len(taken) / seconds, median(ordered), ordered[int(len(ordered) * 0.99)]
    return Figures(rate, usual * 1000, slow * 1000, spent / len(taken) * 1e6)


def run() -> list[Row]:
    """The rows of this benchmark: medians of several rounds in turns. None if the peers cannot be installed."""
    try:
        python = python_of_peers()
    except (subprocess.CalledProcessError, OSError) as error:
        sys.stderr.write(f"the peers are left out, as they cannot be installed: {error}\n")
        return []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, ExitStack() as running:
        started = dict(_started(Path(folder), python, running))
        found: dict[str, list[Figures]] = {name: [] for name in started}
        for moves in (WARM, *[MOVES] * ROUNDS):
            for name, (process, ready) in started.items():
                figures = measure(process, ready(moves))
                if moves != WARM:
                    found[name].append(figures)
        sizes = {name: memory(process) for name, (process, _) in started.items()}
    return [row for name in found for row in _rows(name, found, sizes[name])]


def _started(folder: Path, python: str, running: ExitStack) -> Iterator[tuple[str, tuple[int, Ready]]]:
    """The process of each service, and a function that prepares its clients for a number of moves."""
    for name in (KIFU, *PEERS):
        own = _made(folder / name)
        process, served = serve(own) if name == KIFU else serve_peer(python, name, own)
        running.callback(_end, process)
        yield name, (process.pid, partial(_over_http, name, served))
    try:
        boardgame = running.enter_context(serve_boardgame(_made(folder / BOARDGAME)))
    except NpmError as error:
        sys.stderr.write(f"{BOARDGAME} is left out: {error}\n")
        return
    yield BOARDGAME, (boardgame.pid, lambda moves: partial(boardgame.drive, moves))


def _over_http(name: str, served: Served, moves: int) -> Driven:
    scripts = scripts_of(served, moves, 1) if name == KIFU else peer_scripts(served, moves)
    return partial(drive, served.port, scripts)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait()


def _rows(name: str, found: dict[str, list[Figures]], size: float) -> Iterator[Row]:
    own, figures = [each.rate for each in found[KIFU]], found[name]
    rates = [each.rate for each in figures]
    if name == KIFU:
        yield Row(f"{name}, {CLIENTS} clients, a move a request", median(rates), "moves/s")
    else:
        ratio = median(one / other for one, other in zip(own, rates, strict=True))
        yield Row(f"Kifu, against {name}", median(own), "moves/s", median(rates), ratio, TARGETS.get(name, ""))
    yield Row(f"  {name}, p50", median(each.usual for each in figures), "ms")
    yield Row(f"  {name}, p99", median(each.slow for each in figures), "ms")
    yield Row(f"  {name}, processor of a move", median(each.processor for each in figures), "µs")
    yield Row(f"  {name}, memory", size, "MB")
