"""Figures as a file, and the figures of two commits side by side: a figure that falls is a defect."""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

TOLERANCE = 0.1
"""The part of a figure that it may lose: machines differ by that from one run to the next."""

_MEASURE = """
import json, sys
from importlib import import_module
rows = [row._asdict() for name in sys.argv[1:] for row in import_module("benchmarks." + name).run()]
print(json.dumps(rows))
"""
"""Measures with the code of the folder that it runs in, which may be that of an older release."""


class Change(NamedTuple):
    """A figure of two commits: the medians of both, and the part by which it got better; worse is below 0."""

    name: str
    unit: str
    before: float
    after: float
    gain: float

    @property
    def fell(self) -> bool:
        """Whether the figure is worse by more than machines differ."""
        return self.gain < -TOLERANCE


def encode(rows: Iterable[Row]) -> str:
    """Figures as JSON."""
    return json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False) + "\n"


def decode(text: str) -> list[Row]:
    """Figures from JSON."""
    return [Row(**row) for row in json.loads(text)]


def measure(tree: Path, names: Sequence[str]) -> list[Row]:
    """The figures of the benchmarks of these names, with the code in a folder."""
    command = [sys.executable, "-c", _MEASURE, *names]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, text=True, check=True)
    return decode(done.stdout.splitlines()[-1])


def changes(before: Iterable[list[Row]], after: Iterable[list[Row]]) -> list[Change]:
    """The figures that both commits have and that have a target, from several runs of each."""
    old, new = _medians(before), _medians(after)
    found = []
    for name, (row, value) in new.items():
        if name in old and row.target and old[name][1]:
            gain = value / old[name][1] - 1
            found.append(Change(name, row.unit, old[name][1], value, -gain if row.target.startswith("<=") else gain))
    return found


def _medians(runs: Iterable[list[Row]]) -> dict[str, tuple[Row, float]]:
    """By names of figures, the last row and the median of what is compared: the ratio if there is one."""
    by_name: dict[str, list[Row]] = {}
    for row in (row for run in runs for row in run):
        by_name.setdefault(row.name, []).append(row)
    return {name: (rows[-1], median(map(_figure, rows))) for name, rows in by_name.items()}


def _figure(row: Row) -> float:
    return row.value if row.ratio is None else row.ratio
