"""Several hosts over one PostgreSQL: their total throughput, and the delay until one sees an entry of another.

One more process follows the feed meanwhile, as that of a service does. `python -m benchmarks.hosts append|follow|trail
URL` is one of the processes.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
import time
from collections import deque
from statistics import median
from typing import TYPE_CHECKING

import psycopg

from benchmarks.append import moves, run_threads, start
from benchmarks.postgres import open_server
from benchmarks.table import Row
from events.lanes import number_of
from events.postgres import PostgresLog, PostgresReader, prepare

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
SECONDS = 2.0
CLIENTS = 16
"""Clients of all processes together."""

PROCESSES = (1, 2, 4)
LANES = (1, 4)
SEEN = 200
SPACING = 0.02


def append(url: str, clients: int, number: int, processes: int) -> None:
    """Append from `clients` threads for a while, after a signal. Prints the entries, and the processor seconds.

    The games are those that the front gives to process `number` of `processes`.
    """
    with PostgresLog(url) as log:
        games = [start(log, lambda game: number_of(game) % processes == number) for _ in range(clients)]
        counts = [0] * clients
        print("ready", flush=True)
        sys.stdin.readline()
        before = _processor()

        def client(number: int) -> None:
            ends = time.monotonic() + SECONDS
            while time.monotonic() < ends:
                log.append(games[number], moves(1), expected=counts[number] + 1, recorder="bench")
                counts[number] += 1

        run_threads(clients, client)
        print(sum(counts), _processor() - before, flush=True)


def follow(url: str) -> None:
    """Follow the feed, and print the time at which each entry was read."""
    with PostgresReader(url) as reader:
        position = last = reader.position()
        print("ready", flush=True)
        while position < last + SEEN:
            reader.wait(position, 10)
            for reached, _ in reader.feed(position):
                print(time.time(), flush=True)
                position = reached


def trail(url: str) -> None:
    """Follow the feed until a signal to end. Prints the seconds of processor time."""
    with PostgresReader(url) as reader:
        position, ends = reader.position(), threading.Event()
        threading.Thread(target=_ended, args=(ends,)).start()
        print("ready", flush=True)
        while not ends.is_set():
            if reader.wait(position, 0.5):
                position = deque(reader.feed(position), maxlen=1).pop()[0]
        print(_processor(), flush=True)


def _ended(ends: threading.Event) -> None:
    """Wait for the signal that ends this process."""
    sys.stdin.readline()
    ends.set()


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _process(what: str, url: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.hosts", what, url, *more]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    process.stdout.readline()
    return process


def _said(process: subprocess.Popen[str], word: str = "") -> list[str]:
    return process.communicate(word)[0].split()


def throughput(url: str, processes: int) -> tuple[float, float]:
    """Entries per second of some processes, and microseconds of their processor time per entry."""
    trailing = _process("trail", url)
    running = [
        _process("append", url, str(CLIENTS // processes), str(number), str(processes)) for number in range(processes)
    ]
    for process in running:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    found = [_said(process) for process in running]
    _said(trailing, "end\n")
    count = sum(int(words[0]) for words in found)
    return count / SECONDS, sum(float(words[1]) for words in found) / count * 1e6


def visibility_delays(url: str) -> list[float]:
    """Milliseconds from the answer of an append until another process has read the entry."""
    follower = _process("follow", url)
    answered = []
    with PostgresLog(url) as log:
        game = start(log)
        answered.append(time.time())
        for version, move in enumerate(moves(SEEN - 1), 1):
            time.sleep(SPACING)
            log.append(game, [move], expected=version, recorder="bench")
            answered.append(time.time())
    read = list(map(float, _said(follower)))
    return sorted((seen - said) * 1000 for seen, said in zip(read, answered, strict=False))


def run() -> list[Row]:
    """The figures of several hosts, with one lane and with several."""
    kinds = [(lanes, count) for count in PROCESSES for lanes in LANES]
    figures: dict[tuple[int, int], list[tuple[float, float]]] = {kind: [] for kind in kinds}
    latencies: dict[int, list[float]] = {}
    with open_server() as server:
        urls = {lanes: database(server, f"lanes{lanes}", lanes) for lanes in LANES}
        for lanes, url in urls.items():
            latencies[lanes] = visibility_delays(url)
        for _ in range(ROUNDS):
            for lanes, count in kinds:
                figures[lanes, count].append(throughput(urls[lanes], count))
    rows = []
    for lanes, found in latencies.items():
        rows.append(Row(f"hosts: append → read by another process, {_lanes(lanes)}, p50", median(found), "ms"))
        rows.append(Row("  p99", found[len(found) * 99 // 100], "ms", target="<= 100"))
    for lanes, count in kinds:
        pairs = list(zip(figures[lanes, count], figures[1, 1], strict=True))
        rate = median(each[0] for each in figures[lanes, count])
        ratio = median(mine[0] / alone[0] for mine, alone in pairs)
        name = f"  {CLIENTS} clients of {count} {'process' if count == 1 else 'processes'}, {_lanes(lanes)}"
        rows.append(Row(name, rate, "events/s", median(each[0] for each in figures[1, 1]), ratio))
        rows.append(Row("    processor of an append", median(each[1] for each in figures[lanes, count]), "µs"))
    return rows


def database(server: str, name: str, lanes: int) -> str:
    """The URL of a new database, with a log of `lanes` lanes."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name} with (force)")
        connection.execute(f"create database {name}")
    url = server.replace("/postgres?", f"/{name}?")
    prepare(url, "postgres", lanes)
    return url


def _lanes(lanes: int) -> str:
    return "1 lane" if lanes == 1 else f"{lanes} lanes"


COMMANDS: dict[str, Callable[..., None]] = {
    "append": lambda url, *numbers: append(url, *map(int, numbers)),
    "follow": follow,
    "trail": trail,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
