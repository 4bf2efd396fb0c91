"""Workers tell the process that gathers the reports what it shows, and not more.

Of each test it heard six times: that it begins, three reports, its end, and that the next one may come. Now it hears
three times. What a test that passed says of its fixtures is sent only where somebody asks for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[1]

ASKING = ("durations", "xmlpath")
"""Options of pytest that, as `--verbose`, show more of a test."""


def be_brief(config: pytest.Config) -> None:
    """Leave out what is not shown, in the process of a worker."""
    if config.getoption("verbose") > 0 or any(map(config.getoption, ASKING)):
        return
    plugins = config.pluginmanager
    worker: Any = next(each for each in plugins.get_plugins() if type(each).__name__ == "WorkerInteractor")
    tell = worker.pytest_runtest_logreport

    def pytest_runtest_logreport(report: pytest.TestReport) -> None:
        if says_something(report):
            tell(report=report)

    plugins.unregister(worker)
    worker.pytest_runtest_logreport = pytest_runtest_logreport
    worker.pytest_runtest_logstart = None
    plugins.register(worker)


def says_something(report: pytest.TestReport) -> bool:
    """Whether a report has what is counted or shown: a test's result, or what its fixtures wrote or failed with."""
    return report.when == "call" or not report.passed or bool(report.sections or report.user_properties)
