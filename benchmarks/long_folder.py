"""A service over a large data folder: its start, requests and memory, and the time of commands.

`python -m benchmarks.long_folder FOLDER ...`: each folder in turn. Nobody else may serve them. They get new entries.
`python -m benchmarks.large` makes such folders. The times of starts and commands are by the clock and by processor.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from itertools import chain, repeat
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
from rich.console import Console

from benchmarks.append import identifier
from benchmarks.http import free_port
from benchmarks.idle import first_answer
from benchmarks.peers import memory, used
from benchmarks.table import Row, render
from events.stores import read_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

APPENDS, READS, OLDEST = 500, 60, 50
"""The number of added entries, of repetitions of each other request, and of old games that are read."""

PATIENCE = 600.0
"""The most seconds until the lists are proved."""


class Duration(NamedTuple):
    """Seconds of wall time and of processor time."""

    clock: float
    processor: float


class OwnerClient:
    """A client of a running service, with the owner's token."""

    def __init__(self, folder: Path, port: int) -> None:
        token = (folder / "owner.token").read_text(encoding="ascii").strip()
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
        self._http.headers["Authorization"] = f"Bearer {token}"

    def ask(self, path: str, body: Any = None) -> httpx.Response:
        """Send a request; its answer, even an error."""
        return self._http.request("GET" if body is None else "POST", path, json=body)

    def milliseconds(self, count: int, path: Callable[[], str], body: Callable[[], Any] | None = None) -> list[float]:
        """Milliseconds of each of `count` requests."""
        found = []
        for _ in range(count):
            where, what = path(), body() if body else None
            began = time.perf_counter()
            answer = self.ask(where, what)
            found.append((time.perf_counter() - began) * 1000)
            assert answer.is_success, answer.text
        return found

    def first_list(self) -> None:
        """Wait until the list of games is shown."""
        deadline = time.monotonic() + PATIENCE
        while not self.ask("/v1/games").is_success:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@contextmanager
def service(folder: Path, port: int) -> Iterator[int]:
    """The process of a service that is started and stopped."""
    limits = dict.fromkeys(("KIFU_READS", "KIFU_WRITES", "KIFU_GUESSES"), "0")
    environment = os.environ | limits | {"KIFU_DATA": str(folder), "KIFU_PORT": str(port)}
    command = [sys.executable, "-m", "service.server.supervisor"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            process.terminate()


def games_of(folder: Path) -> tuple[list[str], int]:
    """The first and the last opened game, and the number of entries."""
    with closing(read_log(folder, "")) as log:
        end = log.position()
        pages = [
            [event.game for _, event in log.feed(after, 100 * OLDEST)] for after in (0, max(end - 100 * OLDEST, 0))
        ]
    return [game for page in pages for game in dict.fromkeys(page)], end


def request_rows(client: OwnerClient, games: list[str], name: str) -> Iterator[Row]:
    """The times of a running service, request by request."""
    chance = random.Random(1)

    def game() -> str:
        return chance.choice(games)

    def note() -> Any:
        return {"events": [{"id": identifier(), "type": "note.added", "data": {"text": "well played"}}]}

    states = client.milliseconds(len(games), iter([f"/v1/games/{each}/state" for each in games]).__next__)
    yield Row(f"{name}: state of a game, not in memory", median(states), "ms")
    appends = client.milliseconds(APPENDS, lambda: f"/v1/games/{game()}/events", note)
    yield Row(f"{name}: append", median(appends), "ms")
    yield Row(f"{name}: append, p99", quantiles(appends, n=100)[98], "ms", target="<= 50")
    for what, path in (
        ("first page of the list", "/v1/games"),
        ("search", "/v1/games?q=kahuna"),
        ("people", "/people"),
    ):
        yield Row(f"{name}: {what}", median(client.milliseconds(READS, repeat(path).__next__)), "ms")


def command(*words: str, **environment: str) -> tuple[Duration, float]:
    """The times of a command, and its memory in MB."""
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", *words], env=os.environ | environment, stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return Duration(time.monotonic() - began, usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def served(folder: Path) -> Iterator[Row]:
    """The figures of a service over a folder."""
    games, entries = games_of(folder)
    name, port = f"{entries:,} entries", free_port()
    with service(folder, port) as pid:
        yield Row(f"{name}: start to the first answer", first_answer(port), "s", target="<= 3")
        yield Row(f"{name}: processor of the start", used(pid), "s")
        began, client = time.monotonic(), OwnerClient(folder, port)
        client.first_list()
        yield Row(f"{name}: then to the list of games", time.monotonic() - began, "s")
        yield Row(f"{name}: processor until then", used(pid), "s")
        yield from request_rows(client, games, name)
        yield Row(f"{name}: memory of all processes", memory(pid), "MB")


def command_rows(folder: Path) -> Iterator[Row]:
    """The figures of commands on a folder without a running service."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as copies:
        for words in (("verify",), ("backup", f"{copies}/backup")):
            taken, size = command(*words, KIFU_DATA=str(folder))
            yield Row(f"kifu {words[0]}", taken.clock, "s")
            yield Row(f"kifu {words[0]}, processor", taken.processor, "s")
            yield Row(f"kifu {words[0]}, memory", size, "MB")


def main(folders: list[str]) -> None:
    """Measure and print: each figure at once, and all figures of a folder at its end."""
    console = Console(width=120)
    for folder in (Path(each).resolve() for each in folders):
        rows = []
        for row in chain(served(folder), command_rows(folder)):
            print(f"{row.name}: {row.value:.3g} {row.unit}", file=sys.stderr)
            rows.append(row)
        console.print(render(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
