"""The configuration of all tests: the tier, and the places of files."""

from __future__ import annotations

import gc
import os
import random
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests import choosing, compiling, ordering, templates, tiers

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = Path(__file__).parent / "service" / "pages"

os.environ.setdefault("KIFU_TEST_SESSION", str(os.getpid()))  # the workers are children, and inherit it
for name in ("LANGUAGE", *(name for name in os.environ if name.startswith("LC_"))):
    os.environ.pop(name, None)
os.environ |= {"LANG": "C.UTF-8", "TZ": "UTC"}  # not those of the machine
time.tzset()
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of programs are started here, and each would compile itself
sys.dont_write_bytecode = False

# The time of an example depends on the machine. The examples do not: what passes here passes everywhere.
settings.register_profile(
    "kifu",
    choosing.examples(tiers.EXAMPLES, derandomize=not tiers.RANDOM, suppress_health_check=[HealthCheck.too_slow]),
)
settings.load_profile("kifu")
if not tiers.RANDOM:
    choosing.forget_constants()

gc.set_threshold(50_000, 20, 100)  # cycles are few here, and looking for them took a sixth of the processor time
gc.disable()  # until all tests are collected: what is made so far stays until the end

MEMORY = Path("/dev/shm")  # noqa: S108 - folders in it are made by pytest, for this user alone
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**32:
    # Data folders that live for a moment: no test can cut the power, and so the disk's part in a commit proves nothing.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture(scope="session")
def postgres() -> None:
    """A running PostgreSQL server. Without one, the test is skipped with the reason."""
    from tests.postgres import UnavailableError, server

    try:
        server()
    except UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture
def database(request: pytest.FixtureRequest, postgres: None) -> Iterator[str]:
    """The URL of a PostgreSQL database for a service. With `KIFU_TEST_STORE=lanes` it has several lanes.

    With the marker `empty_database` it has no tables.
    """
    from tests.events.stores import Citus, Lanes, Shared

    if os.environ.get("KIFU_TEST_STORE") == "citus":
        cluster = Citus()
        yield cluster.service_place()
        cluster.clean()
        return
    store = Lanes() if os.environ.get("KIFU_TEST_STORE") == "lanes" else Shared()
    empty = isinstance(store, Shared) and request.node.get_closest_marker("empty_database")
    yield store.empty_place(Path()) if empty else store.place(Path())
    store.clean()


@pytest.fixture
def distributed_database() -> Iterator[str]:
    """The URL of a prepared database on the cluster that `KIFU_CITUS_URL` names, if any."""
    from tests.citus import MISSING, cluster
    from tests.events.stores import Citus

    if not cluster():
        pytest.skip(MISSING)
    store = Citus()
    yield store.service_place()
    store.clean()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers per processor: many tests wait for a browser, or for a process that they started.

    The fast tier has one per processor: its tests wait for neither, and a worker takes five seconds to collect them.
    """
    return (os.cpu_count() or 1) * (1 if config.getoption("fast") else 2)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="leave out what takes long or starts a program")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("fast"):
        tiers.FAST = True
        config.pluginmanager.register(tiers.Guard())
    if os.environ["KIFU_TEST_SESSION"] == str(os.getpid()):  # no worker, and no run that a test starts
        templates.begin()
        config.add_cleanup(templates.end)
    if config.getoption("numprocesses") and not hasattr(config, "workerinput"):
        compiling.compile_once(config)


class Folder(pytest.Package):
    """A folder that ends fixtures of the scope `package` after its last test, instead of after the session."""

    def setup(self) -> None:
        """Do nothing: there is no `__init__.py` to import."""


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> Folder | None:
    """Collect folders as `Folder`: a running browser and its service cost time, and hold the thread's event loop."""
    return Folder.from_parent(parent, path=path) if path == PAGES else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of longer tiers. Order the rest so that all workers end together."""
    left_out = tiers.left_out(items, fast=config.getoption("fast"))
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]
    if config.pluginmanager.hasplugin("rerunfailures"):
        tiers.try_again(items)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers > 1:
        items[:] = ordering.dealt(items, workers, is_page=is_page, is_long=tiers.is_long)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give a test the same chance each time, before its fixtures use any."""
    if not tiers.RANDOM:
        random.seed(item.nodeid)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why tests failed that ran again: what the second try says is not what went wrong at first."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"first try of {report.nodeid}")
        terminalreporter.write_line(tiers.first_words(report.longreprtext))


def is_page(item: pytest.Item) -> bool:
    """Whether a test needs the browser."""
    return item.path.parent == PAGES


def pytest_collection_finish() -> None:
    """Exclude objects that stay until the end from garbage collection: thousands of tests, and their imports."""
    gc.freeze()
    gc.enable()
