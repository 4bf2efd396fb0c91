"""Several web processes of one host: their total throughput over HTTP, and the cost of an append.

Over a log in the data folder, and over one PostgreSQL with one lane and with several.

Seconds of the processor are those that the system counts of each process; they hold on a busy machine, too.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.hosts import LANES, database
from benchmarks.http import CLIENTS, drive, scripts_of, serve
from benchmarks.postgres import open_server
from benchmarks.table import Row

ROUNDS = 3
APPENDS = 1600
WARM = 400
PROCESSES = (1, 2, 4)
FOLDER = 0
"""Lanes of a log that is not in a database."""

_TICK = os.sysconf("SC_CLK_TCK")


class Figures(NamedTuple):
    """Appends per second, the 99th percentile in milliseconds, and processor microseconds per append, by part."""

    rate: float
    slow: float
    front: float
    web: float
    log: float


def processor() -> Counter[tuple[int, str]]:
    """Ticks of processor time of each running process, by its id and its name."""
    found = Counter[tuple[int, str]]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = path.read_text().partition(" (")
        except OSError:
            continue
        name, _, fields = rest.rpartition(") ")
        user, system = fields.split()[11:13]
        found[int(number), name] = int(user) + int(system)
    return found


def measure(url: str, lanes: int, count: int) -> Figures:
    """One round of some processes in a new data folder; with a database if `lanes` is not 0."""
    own = database(url, "several", lanes) if lanes else ""
    with tempfile.TemporaryDirectory() as folder:
        process, served = serve(Path(folder), KIFU_DATABASE_URL=own, KIFU_WEB_PROCESSES=str(count))
        try:
            drive(served.port, scripts_of(served, WARM, 1))
            scripts = scripts_of(served, APPENDS, 1)
            before = processor()
            seconds, taken = drive(served.port, scripts)
            used = processor() - before
        finally:
            process.terminate()
            process.wait()
    spent = {"kifu-serve": 0.0, "kifu-web": 0.0, "postgres": 0.0}
    for (_, name), ticks in used.items():
        named = "postgres" if name == "kifu-log" else name
        part = next((part for part in spent if named.startswith(part)), None)
        if part:
            spent[part] += ticks / _TICK / len(taken) * 1e6
    return Figures(len(taken) / seconds, sorted(taken)[int(len(taken) * 0.99)] * 1000, *spent.values())


def run() -> list[Row]:
    """The figures of several web processes, in turns."""
    kinds = [(lanes, count) for count in PROCESSES for lanes in (FOLDER, *LANES)]
    found: dict[tuple[int, int], list[Figures]] = {kind: [] for kind in kinds}
    with open_server() as url:
        for _ in range(ROUNDS):
            for kind in kinds:
                found[kind].append(measure(url, *kind))
    rows = []
    for (lanes, count), figures in found.items():
        alone = [each.rate for each in found[min(lanes, 1), 1]]
        ratio = median(mine.rate / one for mine, one in zip(figures, alone, strict=True))
        place = f"{lanes} lanes" if lanes else "log in the folder"
        name = f"HTTP append, {CLIENTS} clients, {count} web {'process' if count == 1 else 'processes'}, {place}"
        rows.append(Row(name, median(each.rate for each in figures), "moves/s", median(alone), ratio))
        rows.append(Row("  p99", median(each.slow for each in figures), "ms"))
        rows += [
            Row(f"  processor of an append: {part}", median(getattr(each, part) for each in figures), "µs")
            for part in ("front", "web", "log")
        ]
    return rows
