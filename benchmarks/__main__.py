"""`python -m benchmarks [--json FILE] [--keep] [name ...]`: run the usual or the named benchmarks, and print.

`all` stands for every group, which takes long. How far it is goes to standard error. With `--json` the figures are also
written to a file. With `--keep` they become those of the release, which later checkouts are compared with.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path

from rich.console import Console

from benchmarks.figures import encode, keep
from benchmarks.table import Row, render

USUAL = ("append", "http", "projections", "replay", "sheet", "corrections", "tree", "streams", "postgres")
"""The benchmarks that run without names, within five minutes."""
ALL = "all"


def modules() -> list[str]:
    """The benchmark modules: every module here with a `run` function."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if "\ndef run()" in path.read_text())


def measured(names: list[str]) -> dict[str, list[Row]]:
    """Run some benchmarks; their figures. Progress goes to standard error."""
    found: dict[str, list[Row]] = {}
    console = Console(stderr=True)
    for number, name in enumerate(names, 1):
        place, began = f"{number} of {len(names)}: {name}", time.monotonic()
        with console.status(place):
            found[name] = import_module(f"benchmarks.{name}").run()
        console.print(f"{place}, {time.monotonic() - began:.0f} s", highlight=False)
    return found


def main(words: list[str]) -> int:
    """Measure and print. The exit code is 1 for a missed target, and 2 for an unknown name."""
    known = modules()
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="name", help=f"{ALL}, or some of {', '.join(known)}")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--keep", action="store_true")
    given = parser.parse_args(words)
    names = known if given.names == [ALL] else given.names or list(USUAL)
    unknown = [name for name in names if name not in known]
    console = Console()
    if unknown:
        console.print(f"no benchmark {', '.join(unknown)}; choose one of {', '.join(known)}")
        return 2
    groups = measured(names)
    rows = [row for found in groups.values() for row in found]
    console.print(render(rows))
    if given.keep:
        keep(groups)
    if given.json:
        given.json.write_text(encode(rows), encoding="utf-8")
    return int(any(row.reached is False for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
