"""Figures in files, those of the last release, and the comparison of two sets: a figure that falls is a defect."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

RELEASED = Path(__file__).with_name("released.json")
"""The figures of the last release: each group with the machine and the day of its measurement."""

TOLERANCE = 0.1
"""The allowed relative loss of a figure: one machine differs by that from run to run."""

_MEASURE = """
import json, sys
from importlib import import_module
rows = [row._asdict() for name in sys.argv[1:] for row in import_module("benchmarks." + name).run()]
print(json.dumps(rows))
"""
"""A program that measures with the code in its working directory, which may be an older release."""


class Change(NamedTuple):
    """A figure of two commits: both medians, and the relative improvement, below 0 if it got worse."""

    name: str
    unit: str
    before: float
    after: float
    gain: float

    @property
    def fell(self) -> bool:
        """Whether the figure got worse by more than the noise of measuring."""
        return self.gain < -TOLERANCE


def encode(rows: Iterable[Row]) -> str:
    """Figures as JSON."""
    return json.dumps([row._asdict() for row in rows], indent=1, ensure_ascii=False) + "\n"


def decode(text: str) -> list[Row]:
    """Figures from JSON."""
    return [Row(**row) for row in json.loads(text)]


class Group(NamedTuple):
    """The figures of one benchmark, its machine, and the day."""

    machine: str
    day: str
    rows: list[Row]


def machine() -> str:
    """Describe this machine: its processor, the number of cores, and its system."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{named[0] if named else platform.machine()}, {os.cpu_count()} processors, {platform.system()}"


def keep(measured: Mapping[str, list[Row]], path: Path = RELEASED) -> None:
    """Store figures by the names of their benchmarks. They replace older ones; those of other benchmarks stay."""
    today = datetime.now(UTC).date().isoformat()
    groups = kept(path) | {name: Group(machine(), today, rows) for name, rows in measured.items()}
    content = {
        name: {"machine": group.machine, "day": group.day, "figures": [row._asdict() for row in group.rows]}
        for name, group in sorted(groups.items())
    }
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def kept(path: Path = RELEASED) -> dict[str, Group]:
    """The stored figures by the names of their benchmarks; empty without a file."""
    content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {
        name: Group(group["machine"], group["day"], [Row(**row) for row in group["figures"]])
        for name, group in content.items()
    }


def comparable(rows: Iterable[Row]) -> list[Row]:
    """The figures that can be compared across machines: ratios to a floor of the same run, and sizes."""
    return [row for row in rows if row.ratio is not None or row.unit == "bytes"]


def measure(tree: Path, names: Sequence[str]) -> list[Row]:
    """Run benchmarks by name with the code in a folder; their figures."""
    command = [sys.executable, "-c", _MEASURE, *names]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, text=True, check=True)
    return decode(done.stdout.splitlines()[-1])


def changes(before: Iterable[list[Row]], after: Iterable[list[Row]]) -> list[Change]:
    """The changes between commits, from several runs of each, for figures with a target that both have."""
    old, new = _medians(before), _medians(after)
    found = []
    for name, (row, value) in new.items():
        if name in old and row.target and old[name][1]:
            gain = value / old[name][1] - 1
            found.append(Change(name, row.unit, old[name][1], value, -gain if row.target.startswith("<=") else gain))
    return found


def _medians(runs: Iterable[list[Row]]) -> dict[str, tuple[Row, float]]:
    """For each name of a figure: its last row, and the median of its ratio (or of its value without a ratio)."""
    by_name: dict[str, list[Row]] = {}
    for row in (row for run in runs for row in run):
        by_name.setdefault(row.name, []).append(row)
    return {name: (rows[-1], median(map(_figure, rows))) for name, rows in by_name.items()}


def _figure(row: Row) -> float:
    return row.value if row.ratio is None else row.ratio
