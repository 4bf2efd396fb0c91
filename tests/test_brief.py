"""Workers send what is shown and counted, and no more."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests import brief

if TYPE_CHECKING:
    from pathlib import Path

EVERY_WAY = """
import pytest
@pytest.fixture
def fails(): raise ValueError("before")
@pytest.fixture
def fails_at_last():
    yield
    raise ValueError("after")
def test_good(): pass
def test_bad(): assert 1 == 2
def test_before(fails): pass
def test_after(fails_at_last): pass
def test_skipped(): pytest.skip("not here")
@pytest.mark.xfail
def test_expected(): assert 0
@pytest.mark.flaky(reruns=1)
def test_again(here=[]):
    here.append(1)
    assert len(here) > 1
"""


@pytest.mark.parametrize(
    ("when", "outcome", "more", "says"),
    [
        ("call", "passed", {}, True),
        ("setup", "passed", {}, False),
        ("teardown", "passed", {}, False),
        ("setup", "failed", {}, True),
        ("setup", "skipped", {}, True),
        ("setup", "passed", {"user_properties": [("cost of setup", 1.0)]}, True),
        ("teardown", "passed", {"sections": [("Captured stdout teardown", "a word")]}, True),
    ],
)
def test_a_report_is_sent_if_it_says_something(when: str, outcome: str, more: dict[str, object], says: bool) -> None:
    report = pytest.TestReport("a", ("a", 0, "a"), {}, outcome, None, when, **more)  # type: ignore[arg-type]
    assert brief.says_something(report) is says


@pytest.mark.soak
@pytest.mark.programs
def test_a_run_with_workers_counts_every_outcome(tmp_path: Path) -> None:
    (tmp_path / "test_outcomes.py").write_text(EVERY_WAY)
    (tmp_path / "conftest.py").write_text(
        "from tests import brief\n"
        "def pytest_configure(config):\n"
        "    if hasattr(config, 'workerinput'): brief.be_brief(config)\n"
    )
    plugins = ["-p", "xdist", "-p", "rerunfailures", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-n", "1", "--rootdir", str(tmp_path), *plugins, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(brief.ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, cwd=tmp_path)
    counted = dict(reversed(found.split()) for found in re.findall(r"\d+ [a-z]+", done.stdout.splitlines()[-1]))
    expected = {"failed": "1", "passed": "3", "skipped": "1", "xfailed": "1", "errors": "2", "rerun": "1"}
    assert {name: counted.get(name) for name in expected} == expected, done.stdout
    assert "[100%]" in done.stdout
