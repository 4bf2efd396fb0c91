"""`python -m benchmarks.check [--base COMMIT] [name ...]`: compare this checkout with a commit or the last release.

Without a commit the figures of the last release are compared: ratios and sizes, as all else differs by machine. With
a commit, it is measured, too, in turns with this checkout. The exit code is 1 if a figure fell by more than a tenth,
and 2 if nothing can be compared. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.__main__ import modules
from benchmarks.figures import Change, changes, comparable, kept, measure

ROUNDS = 3
CORE = ("append", "http", "projections", "replay")
"""The benchmarks that any change can affect."""

HERE = Path(__file__).parents[1]


def compare(commit: str, names: list[str], console: Console) -> list[Change]:
    """Compare the figures of a commit and of this checkout. Raises `LookupError` for an unknown commit or benchmark."""
    if not _has(f"{commit}^{{commit}}"):
        raise LookupError(f"there is no commit {commit}")
    for name in names:
        if name not in modules() or not _has(f"{commit}:benchmarks/{name}.py"):
            raise LookupError(f"no benchmark {name} in both; here are {', '.join(modules())}")
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


def _has(thing: str) -> bool:
    """Whether git knows this commit or file."""
    asked = subprocess.run(["git", "cat-file", "-e", thing], cwd=HERE, stderr=subprocess.DEVNULL, check=False)
    return asked.returncode == 0


def compare_with_release(names: list[str], console: Console) -> list[Change]:
    """Compare the stored figures of the last release with this checkout. Raises `LookupError` without any."""
    groups = kept()
    missing = [name for name in names if name not in groups]
    if missing:
        raise LookupError(f"no figures are kept of {', '.join(missing)}, only of {', '.join(groups) or 'none'}")
    before = [row for name in names for row in comparable(groups[name].rows)]
    for name in names:
        console.print(f"{name}: kept on {groups[name].day}, {groups[name].machine}")
    for name in sorted({*CORE} - {*groups}):
        console.print(f"{name}: not kept, so not compared")
    after = []
    for number in range(1, ROUNDS + 1):
        with console.status(f"round {number} of {ROUNDS}"):
            after.append(comparable(measure(HERE, names)))
    return changes([before], after)


def render(found: list[Change]) -> Table:
    """The table of both sets of figures."""
    table = Table("figure", "unit", "before", "after", "change", "")
    for each in found:
        mark = "[bold]fell[/bold]" if each.fell else ""
        table.add_row(each.name, each.unit, f"{each.before:,.3g}", f"{each.after:,.3g}", f"{each.gain:+.0%}", mark)
    return table


def main(words: list[str]) -> int:
    """Compare and print. The exit code is 2 if there is nothing to compare with."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.check")
    parser.add_argument("--base", metavar="COMMIT", default="")
    parser.add_argument("names", nargs="*", metavar="name")
    given, console = parser.parse_args(words), Console()
    try:
        if given.base:
            found = compare(given.base, given.names or list(CORE), console)
        else:
            found = compare_with_release(given.names or [name for name in CORE if name in kept()], console)
    except LookupError as error:
        console.print(str(error))
        return 2
    if not found:
        console.print("none of these figures has a target, or is on both sides")
        return 2
    console.print(render(found))
    return int(any(each.fell for each in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
