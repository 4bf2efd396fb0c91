"""`make lighthouse`: what Lighthouse says of the pages that a table uses, as a phone loads them.

Lighthouse comes by npm, at the version that `package-lock.json` here names. It loads each page in a Chromium of its
own, with nothing kept from before. It estimates how long a mid-range phone on slow 4G would take for what it saw. So
bytes and counts are the same everywhere, while times grow with the load of the machine. Each time is the median of
several runs, and still to be taken on an idle machine. A line is printed after each load, with what cost points. A load
takes some 25 seconds, as these pages follow a stream, and Lighthouse waits in vain for them to ask for nothing more.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console
from rich.table import Column, Table

from service.cli.upkeep.samples import sample_texts
from tests import goldens
from tests.browser import FLAGS, MISSING, find
from tests.npm import NpmError, node_modules
from tests.served import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.served import Service

PATIENCE = 240
"""Seconds that one look at a page may take."""
LOADED = 15_000
"""Milliseconds after which Lighthouse takes a page for loaded, also if its stream is open; 45 s if it is not told."""
GRACE = 10
"""Seconds that Lighthouse has to end its browser after that."""
UNDER_WAY = 40
"""How many moves of a game were played when the next one is recorded."""


PAGES = ("list", "game", "audit", "recording")


class Visit(NamedTuple):
    """A page as somebody opens it."""

    name: str
    path: str
    owner: bool


class Figure(NamedTuple):
    """What is told of a page: how it is found in a report, and what is aimed at, "<= 1500" or ">= 95"."""

    name: str
    find: Callable[[dict[str, Any]], float]
    goal: str = ""

    def reached(self, value: float) -> bool:
        """Whether a value is as good as was aimed at."""
        sign, _, number = self.goal.partition(" ")
        return not self.goal or (value <= float(number) if sign == "<=" else value >= float(number))

    def told(self, value: float) -> str:
        """A value as it is printed, and whether it misses its goal."""
        digits = 0 if value >= 100 else 1 if value >= 1 else 3
        return f"{round(value, digits):g}{'' if self.reached(value) else ' missed'}"


def _score(category: str) -> Callable[[dict[str, Any]], float]:
    return lambda report: round(100 * (report["categories"][category]["score"] or 0))


def _audit(name: str) -> Callable[[dict[str, Any]], float]:
    return lambda report: float(report["audits"][name]["numericValue"])


def _sent(kind: str) -> Callable[[dict[str, Any]], float]:
    """The kilobytes of a kind as they are sent."""

    def found(report: dict[str, Any]) -> float:
        items = report["audits"]["resource-summary"]["details"]["items"]
        return float(sum(item["transferSize"] for item in items if item["resourceType"] == kind)) / 1000

    return found


FIGURES = (
    Figure("performance", _score("performance"), ">= 95"),
    Figure("accessibility", _score("accessibility"), ">= 100"),
    Figure("best practices", _score("best-practices"), ">= 95"),
    Figure("LCP ms", _audit("largest-contentful-paint")),
    Figure("TBT ms", _audit("total-blocking-time")),
    Figure("CLS", _audit("cumulative-layout-shift"), "<= 0.1"),
    Figure("interactive ms", _audit("interactive"), "<= 1500"),
    Figure("JS kB", _sent("script"), "<= 70"),
    Figure("CSS kB", _sent("stylesheet"), "<= 12"),
    Figure("all kB", _sent("total")),
)


def visits(service: Service) -> Iterator[Visit]:
    """The pages, over the sample games and one that is being recorded."""
    for text in sample_texts():
        service.import_text(text)
    finished = service.import_text((goldens.FOLDER / "kahuna" / "points.txt").read_text(encoding="utf-8"))
    moves = [entry.text for entry in goldens.game(goldens.FOLDER / "kahuna" / "draw.txt").entries]
    playing = service.open("Anna", "Björn", title="Friday evening")
    service.record(playing, *moves[:UNDER_WAY])
    service.catch_up()
    yield Visit("list", "/", owner=True)
    yield Visit("game", f"/games/{finished}", owner=False)
    yield Visit("audit", f"/games/{finished}#score", owner=False)
    yield Visit("recording", f"/games/{playing}", owner=True)


def report(service: Service, visit: Visit, tools: Path, chromium: str) -> dict[str, Any]:
    """What Lighthouse found on a page. Raises `SystemExit` if it found none."""
    cookie = service.cookie
    headers = {"Cookie": f"{cookie['name']}={cookie['value']}"} if visit.owner else {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.json"
        command = [
            "node", tools / "lighthouse" / "cli" / "index.js", service.base + visit.path,
            "--quiet", "--output=json", f"--output-path={path}", f"--extra-headers={json.dumps(headers)}",
            f"--max-wait-for-load={LOADED}",
            "--only-categories=performance,accessibility,best-practices", "--no-enable-error-reporting",
            f"--chrome-flags={' '.join(('--headless=new', *FLAGS))}",
        ]  # fmt: skip
        failure = failure_of([str(part) for part in command], {"CHROME_PATH": chromium})
        if failure is not None or not path.exists():
            sys.exit(f"Lighthouse did not measure {visit.name}: {failure or 'it wrote no report'}")
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def failure_of(command: list[str], variables: dict[str, str]) -> str | None:
    """Carry out a command; why it failed, if it did. After a while it is stopped, and so is its browser."""
    with subprocess.Popen(
        command, env=os.environ | variables, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            said = running.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGINT)  # it ends its browser then, which has a group of its own
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.communicate(timeout=GRACE)
            running.kill()
            return f"it took more than {PATIENCE} s"
    return (said.strip()[-500:] or f"it ended with {running.returncode}") if running.returncode else None


def complaints(found: dict[str, Any]) -> Iterator[str]:
    """What costs points for accessibility or best practices, or has stopped the report, in the words of Lighthouse."""
    if "runtimeError" in found:
        yield found["runtimeError"]["message"]
    for category in ("accessibility", "best-practices"):
        for each in found["categories"][category]["auditRefs"]:
            audit = found["audits"][each["id"]]
            if each["weight"] and audit["score"] is not None and audit["score"] < 1:
                yield f"{category}: {audit['title']}"


def losses(found: dict[str, Any]) -> Iterator[str]:
    """What costs points for performance, the most first: "Total Blocking Time 300 ms (-6 of 30)"."""
    weighed = [
        (each["weight"] * (1 - audit["score"]), each["weight"], audit)
        for each in found["categories"]["performance"]["auditRefs"]
        if each["weight"] and (audit := found["audits"][each["id"]])["score"] is not None
    ]
    for lost, weight, audit in sorted(weighed, key=lambda each: each[0], reverse=True):
        if lost >= 0.5:
            yield f"{audit['title']} {audit['displayValue']} (-{lost:.0f} of {weight})".replace("\xa0", " ")


def print_table(console: Console, titles: list[str], rows: list[list[str]]) -> None:
    table = Table(*(Column(title, no_wrap=True) for title in titles))
    for row in rows:
        table.add_row(*row)
    console.print(table)


def as_markdown(titles: list[str], rows: list[list[str]]) -> str:
    """The table as it stands in a document."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


class Teller:
    """Says what was done, and how long it took, as soon as it is done: also where the output is no terminal."""

    def __init__(self, console: Console) -> None:
        self._console, self._since = console, time.monotonic()

    def tell(self, text: str) -> None:
        """Say a thing that took the time since the last one."""
        self._since, before = time.monotonic(), self._since
        self._console.print(f"{self._since - before:5.1f} s  {text}", soft_wrap=True, highlight=False, markup=False)


def measure(runs: int, load: Callable[[], dict[str, Any]], name: str, teller: Teller) -> list[float]:
    """The median figures of a page, after all its loads were told of."""
    found = []
    for run in range(1, runs + 1):
        found.append(load())
        points = ", ".join(f"{figure.name} {figure.find(found[-1]):.0f}" for figure in FIGURES[:3])
        teller.tell("; ".join((f"{name} {run} of {runs}: {points}", *losses(found[-1]), *complaints(found[-1]))))
    return [median(figure.find(each) for each in found) for figure in FIGURES]


def arguments() -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.lighthouse", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how often each page is loaded: the medians count")
    parser.add_argument("--write", type=Path, help="write the table as Markdown into this file, too")
    parser.add_argument("pages", nargs="*", metavar="page", help=f"{', '.join(PAGES)}: all, if none is named")
    asked = parser.parse_args()
    if unknown := [name for name in asked.pages if name not in PAGES]:
        parser.error(f"{unknown[0]} is none of the pages {', '.join(PAGES)}")
    if asked.runs < 1:
        parser.error("each page is loaded at least once")
    return asked


def measure_all(asked: argparse.Namespace, console: Console) -> dict[str, list[float]]:
    """The figures of each page that was asked for."""
    chromium = find() or sys.exit(f"Lighthouse needs a browser: {MISSING}.")
    teller = Teller(console)
    try:
        tools = node_modules(Path(__file__).parent)
    except NpmError as error:
        sys.exit(f"Lighthouse cannot be had: {error}.")
    with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as service:
        wanted = [each for each in visits(service) if not asked.pages or each.name in asked.pages]
        teller.tell("a service has the sample games")
        return {
            visit.name: measure(asked.runs, partial(report, service, visit, tools, chromium), visit.name, teller)
            for visit in wanted
        }


def main() -> int:
    """Measure and print, also as Markdown; the exit code is 1 if a goal was missed."""
    asked, console = arguments(), Console(width=None if sys.stdout.isatty() else 100)
    columns = measure_all(asked, console)
    rows = [
        [figure.name, *(figure.told(values[index]) for values in columns.values()), figure.goal]
        for index, figure in enumerate(FIGURES)
    ]
    print_table(console, ["figure", *columns, "aimed at"], rows)
    if asked.write:
        asked.write.write_text(as_markdown(["figure", *columns, "aimed at"], rows), encoding="utf-8")
    missed = any(
        not figure.reached(value) for values in columns.values() for figure, value in zip(FIGURES, values, strict=True)
    )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
