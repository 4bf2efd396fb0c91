"""The processor time of tests, with all processes that they started, by file, by fixture and by test.

`python -m tests.costs [what pytest takes]`. Wall clock says nothing on a busy machine, and nothing of waiting. The last
line is the whole run with its start, its workers and all that they left behind. `time` counts no process whose parent
ended before it, such as half of a browser.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

TICKS = os.sysconf("SC_CLK_TCK")
SHOWN = int(os.environ.get("KIFU_COSTS", "40"))
"""The number of listed files, fixtures and tests, the most expensive first."""
_SUBREAPER = 36
"""The option of `prctl` that makes a process the parent of orphans among its descendants."""


def processor_seconds() -> float:
    """Seconds of processor time of this process and of all its descendants, running or ended."""
    living = [os.getpid()]
    for process in living:
        with suppress(OSError):
            for thread in Path(f"/proc/{process}/task").iterdir():
                living += map(int, (thread / "children").read_text(encoding="ascii").split())
    return sum(map(_of, living)) / TICKS


def _of(process: int) -> int:
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:15]))  # user and system time of the process and its children
    return 0


class Meter:
    """Measures the time since its last reading."""

    def __init__(self) -> None:
        self._before = processor_seconds()

    def read(self) -> float:
        now = processor_seconds()
        since, self._before = now - self._before, now
        return max(since, 0.0)  # the time of a killed process without a wait is lost


_tests, _fixtures = Meter(), Meter()
_totals: defaultdict[str, Counter[str]] = defaultdict(Counter)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
    _fixtures.read()
    result = yield
    here.append((f"{fixturedef.baseid.rpartition('/')[2]}:{fixturedef.argname}", _fixtures.read()))
    return result


here: list[tuple[str, float]] = []
"""The time of the fixtures of the running test."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[Any]:
    report = yield
    report.user_properties.append((f"cost of {report.when}", _tests.read()))
    if report.when == "setup":
        report.user_properties += [(f"fixture {name}", cost) for name, cost in here]
        here.clear()
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the costs, in the process that gathers the reports of all workers."""
    for name, cost in report.user_properties[-1:] if report.when != "setup" else report.user_properties:
        kind, _, what = str(name).partition(" ")
        if kind == "fixture":
            _totals["fixture"][what] += float(str(cost))
        else:
            _totals["phase"][what] += float(str(cost))
            _totals["file"][report.location[0]] += float(str(cost))
            _totals["test"][report.nodeid] += float(str(cost))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    total = sum(_totals["file"].values())
    terminalreporter.section(f"{total:.0f} s of processor time")
    for kind, costs in _totals.items():
        terminalreporter.write_line(f"\nby {kind}")
        for name, cost in costs.most_common(SHOWN):
            terminalreporter.write_line(f"{cost:9.2f}  {name}")


def main(words: list[str]) -> int:
    """Run pytest as the parent of every orphan, and print the costs."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    code = pytest.main(["-p", "tests.costs", *words])
    print(f"{processor_seconds():.0f} s of processor time in all")  # noqa: T201 - also of those that still end
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
