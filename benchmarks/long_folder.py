"""A whole service over a long data folder: its start, what it is asked, its memory, and what commands take.

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
"""How many entries are added, how often the rest is asked, and how many of the first and last games are looked at."""

PATIENCE = 600.0
"""Seconds until the lists are proved."""


class Taken(NamedTuple):
    """Seconds by the clock and of processors."""

    clock: float
    processor: float


class Asking:
    """The owner of a running service."""

    def __init__(self, folder: Path, port: int) -> None:
        token = (folder / "owner.token").read_text(encoding="ascii").strip()
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60)
        self._http.headers["Authorization"] = f"Bearer {token}"

    def ask(self, path: str, body: Any = None) -> httpx.Response:
        """An answer, also a refusal."""
        return self._http.request("GET" if body is None else "POST", path, json=body)

    def milliseconds(self, count: int, path: Callable[[], str], body: Callable[[], Any] | None = None) -> list[float]:
        """How long each of some requests takes."""
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
    """The games that were opened first and last, and how many entries there are."""
    with closing(read_log(folder, "")) as log:
        end = log.position()
        pages = [
            [event.game for _, event in log.feed(after, 100 * OLDEST)] for after in (0, max(end - 100 * OLDEST, 0))
        ]
    return [game for page in pages for game in dict.fromkeys(page)], end


def asked(asking: Asking, games: list[str], name: str) -> Iterator[Row]:
    """What a running service takes for one request after the other."""
    chance = random.Random(1)

    def game() -> str:
        return chance.choice(games)

    def note() -> Any:
        return {"events": [{"id": identifier(), "type": "note.added", "data": {"text": "well played"}}]}

    states = asking.milliseconds(len(games), iter([f"/v1/games/{each}/state" for each in games]).__next__)
    yield Row(f"{name}: state of a game, not in memory", median(states), "ms")
    appends = asking.milliseconds(APPENDS, lambda: f"/v1/games/{game()}/events", note)
    yield Row(f"{name}: append", median(appends), "ms")
    yield Row(f"{name}: append, p99", quantiles(appends, n=100)[98], "ms", target="<= 50")
    for what, path in (
        ("first page of the list", "/v1/games"),
        ("search", "/v1/games?q=kahuna"),
        ("people", "/people"),
    ):
        yield Row(f"{name}: {what}", median(asking.milliseconds(READS, repeat(path).__next__)), "ms")


def command(*words: str, **environment: str) -> tuple[Taken, float]:
    """What a command takes, and its memory in MB."""
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", *words], env=os.environ | environment, stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return Taken(time.monotonic() - began, usage.ru_utime + usage.ru_stime), usage.ru_maxrss / 1024


def served(folder: Path) -> Iterator[Row]:
    """The figures of a service over a folder."""
    games, entries = games_of(folder)
    name, port = f"{entries:,} entries", free_port()
    with service(folder, port) as pid:
        yield Row(f"{name}: start to the first answer", first_answer(port), "s", target="<= 3")
        yield Row(f"{name}: processor of the start", used(pid), "s")
        began, asking = time.monotonic(), Asking(folder, port)
        asking.first_list()
        yield Row(f"{name}: then to the list of games", time.monotonic() - began, "s")
        yield Row(f"{name}: processor until then", used(pid), "s")
        yield from asked(asking, games, name)
        yield Row(f"{name}: memory of all processes", memory(pid), "MB")


def commanded(folder: Path) -> Iterator[Row]:
    """The figures of commands on a folder that nobody serves."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as copies:
        for words in (("verify",), ("backup", f"{copies}/backup")):
            taken, size = command(*words, KIFU_DATA=str(folder))
            yield Row(f"kifu {words[0]}", taken.clock, "s")
            yield Row(f"kifu {words[0]}, processor", taken.processor, "s")
            yield Row(f"kifu {words[0]}, memory", size, "MB")


def main(folders: list[str]) -> None:
    """Measure, print: each figure as it comes, and all of a folder at its end."""
    console = Console(width=120)
    for folder in (Path(each).resolve() for each in folders):
        rows = []
        for row in chain(served(folder), commanded(folder)):
            print(f"{row.name}: {row.value:.3g} {row.unit}", file=sys.stderr)
            rows.append(row)
        console.print(render(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
