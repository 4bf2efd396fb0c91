"""`python -m benchmarks [--json FILE] [--keep] [name ...]`: measure everything, or what is named, and print one table.

With `--json` the figures are also written to a file. With `--keep` they become those of the release, which later
checkouts are compared with.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console

from benchmarks.figures import encode, keep
from benchmarks.table import Row, render


def modules() -> list[str]:
    """Every module here that has a `run`."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if "\ndef run()" in path.read_text())


def main(words: list[str]) -> int:
    """Measure, print; the exit code is 1 if a target was missed, and 2 for a name that is unknown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="name")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args(words)
    names, known = given.names, modules()
    unknown = [name for name in names if name not in known]
    console = Console()
    if unknown:
        console.print(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}")
        return 2
    measured: dict[str, list[Row]] = {}
    for name in names or known:
        with console.status(f"measuring {name}"):
            measured[name] = import_module(f"benchmarks.{name}").run()
    rows = [row for found in measured.values() for row in found]
    console.print(render(rows))
    if given.keep:
        keep(measured)
    if given.json:
        given.json.write_text(encode(rows), encoding="utf-8")
    return int(any(row.reached is False for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
