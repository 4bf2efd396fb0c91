"""Several hosts over one PostgreSQL: what they add up to, and how soon one sees what another one stored.

`python -m benchmarks.hosts append|follow URL` is one of their processes.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.append import moves, start, together
from benchmarks.postgres import open_server
from benchmarks.table import Row
from events.postgres import PostgresLog, PostgresReader

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
SECONDS = 2.0
CLIENTS = 16
"""Clients of all processes together."""

PROCESSES = (1, 2, 4)
SEEN = 200
SPACING = 0.02


def append(url: str, clients: int) -> None:
    """Append for a while, from so many threads, when told to; print how many entries, and seconds of the processor."""
    with PostgresLog(url) as log:
        games = [start(log) for _ in range(clients)]
        counts = [0] * clients
        print("ready", flush=True)
        sys.stdin.readline()
        before = _processor()

        def client(number: int) -> None:
            ends = time.monotonic() + SECONDS
            while time.monotonic() < ends:
                log.append(games[number], moves(1), expected=counts[number] + 1, recorder="bench")
                counts[number] += 1

        together(clients, client)
        print(sum(counts), _processor() - before, flush=True)


def follow(url: str) -> None:
    """Follow the feed, and print when each entry was read."""
    with PostgresReader(url) as reader:
        position = last = reader.position()
        print("ready", flush=True)
        while position < last + SEEN:
            reader.wait(position, 10)
            for reached, _ in reader.feed(position):
                print(time.time(), flush=True)
                position = reached


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
    """Entries a second of so many processes, and microseconds of their processors an entry."""
    running = [_process("append", url, str(CLIENTS // processes)) for _ in range(processes)]
    for process in running:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [_said(process) for process in running]
    count = sum(int(words[0]) for words in said)
    return count / SECONDS, sum(float(words[1]) for words in said) / count * 1e6


def visible(url: str) -> list[float]:
    """Milliseconds from an append's answer until another process has read the entry."""
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
    """The figures of several hosts."""
    figures: dict[int, list[tuple[float, float]]] = {count: [] for count in PROCESSES}
    with open_server() as url:
        PostgresLog(url).close()
        latencies = visible(url)
        for _ in range(ROUNDS):
            for count in PROCESSES:
                figures[count].append(throughput(url, count))
    rows = [
        Row("hosts: append → read by another process, p50", median(latencies), "ms"),
        Row("  p99", latencies[len(latencies) * 99 // 100], "ms", target="<= 100"),
    ]
    for count in PROCESSES:
        pairs = list(zip(figures[count], figures[1], strict=True))
        rate = median(each[0] for each in figures[count])
        ratio = median(mine[0] / alone[0] for mine, alone in pairs)
        name = f"  {CLIENTS} clients of {count} {'process' if count == 1 else 'processes'}"
        rows.append(Row(name, rate, "events/s", median(each[0] for each in figures[1]), ratio))
        rows.append(Row("    processor of an append", median(each[1] for each in figures[count]), "µs"))
    return rows


COMMANDS: dict[str, Callable[..., None]] = {"append": lambda url, clients: append(url, int(clients)), "follow": follow}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
