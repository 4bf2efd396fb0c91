"""`python -m benchmarks.check COMMIT [name ...]`: measure a commit and this checkout in turns, and compare them.

The exit code is 1 if a figure fell by more than a tenth. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Change, changes, measure

ROUNDS = 3
CORE = ("append", "http", "projections")
"""What every change can touch."""

HERE = Path(__file__).parents[1]


def compare(commit: str, names: list[str], console: Console) -> list[Change]:
    """The figures of a commit and of this checkout. Raises `CalledProcessError` for an unknown commit."""
    before, after = [], []
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", commit], cwd=HERE, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        for number in range(1, ROUNDS + 1):
            with console.status(f"round {number} of {ROUNDS}: {commit}"):
                before.append(measure(Path(folder), names))
            with console.status(f"round {number} of {ROUNDS}: this checkout"):
                after.append(measure(HERE, names))
    return changes(before, after)


def render(found: list[Change]) -> Table:
    """The table of both."""
    table = Table("figure", "unit", "before", "after", "change", "")
    for each in found:
        mark = "[bold]fell[/bold]" if each.fell else ""
        table.add_row(each.name, each.unit, f"{each.before:,.3g}", f"{each.after:,.3g}", f"{each.gain:+.0%}", mark)
    return table


def main(words: list[str]) -> int:
    """Compare, print; the exit code."""
    console = Console()
    if not words:
        console.print(__doc__)
        return 2
    commit, *names = words
    found = compare(commit, names or list(CORE), console)
    console.print(render(found))
    return int(any(each.fell for each in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
