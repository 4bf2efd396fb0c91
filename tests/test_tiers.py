"""The tiers: which tests each of them runs, and that the fast one starts no program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.documents import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.programs

TESTS = """
import os, subprocess, sys
import pytest
from hypothesis import given, strategies

tried = []

@pytest.fixture(params=["here", pytest.param("there", marks=pytest.mark.programs)])
def place(request):
    return request.param

@pytest.fixture
def database():
    subprocess.run([sys.executable, "-c", ""])

def test_plain(): pass
def test_placed(place): pass
def test_stored(database): pass
@pytest.mark.parametrize("number", range(15))
def test_many(number): pass
@given(strategies.integers())
def test_property(number): tried.append(number)
def test_tried(): assert len(tried) == int(os.environ["TRIED"])
@pytest.mark.slow
def test_slow(): pass
@pytest.mark.browser
def test_drawn(): pass
@pytest.mark.soak
def test_long(): pass
@pytest.mark.programs
def test_started(): subprocess.run([sys.executable, "-c", ""])
def test_unmarked():
    try:
        subprocess.run([sys.executable, "-c", ""])
    except Exception:
        pass
"""


LONGER = """
from tests import tiers

def test_more(): assert tiers.SOAK in (False, True)
"""


def run(folder: Path, tests: str, *options: str, **environment: str) -> tuple[set[str], str]:
    """The tests that passed, and all that was said."""
    (folder / "test_some.py").write_text(tests)
    (folder / "test_longer.py").write_text(LONGER)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  browser\n  programs\n  slow\n  soak\n")
    plugins = [f"-p{name}" for name in ("tests.conftest", "xdist", "rerunfailures", "hypothesispytest")]
    command = [sys.executable, "-m", "pytest", "--disable-plugin-autoload", *plugins, "-v", *options, str(folder)]
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "KIFU_SOAK", "KIFU_RANDOM"))
    }
    done = subprocess.run(
        command, env=clean | {"PYTHONPATH": str(ROOT)} | environment, capture_output=True, text=True, check=False
    )
    return set(re.findall(r"::test_(\S+) PASSED", done.stdout)), done.stdout + done.stderr


FAST = {"plain", "more", "placed[here]", "property", "tried", *(f"many[{number}]" for number in range(0, 15, 2))}
EVERY = FAST | {
    *("placed[there]", "stored", "slow", "drawn", "started", "unmarked"),
    *(f"many[{number}]" for number in range(15)),
}


@pytest.mark.parametrize(
    ("options", "environment", "expected"),
    [
        (["--fast"], {"TRIED": "20"}, FAST),
        ([], {"TRIED": "20"}, EVERY),
        ([], {"KIFU_SOAK": "1", "TRIED": "1000"}, EVERY | {"long"}),
        (["-m", "soak"], {"KIFU_SOAK": "1"}, {"long", "property", "more"}),
    ],
)
def test_each_tier_runs_what_it_says(
    tmp_path: Path, options: list[str], environment: dict[str, str], expected: set[str]
) -> None:
    passed, said = run(tmp_path, TESTS, *options, **environment)
    assert passed == expected, said
    assert ("mark the test with `programs`" in said) == ("--fast" in options), "it starts a program, and is unmarked"


DRAWN = """
import random
from hypothesis import given, settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, rule

@given(strategies.integers())
def test_property(number): print("drawn", number)

class Machine(RuleBasedStateMachine):
    @rule(chance=strategies.randoms(use_true_random=False))
    def draw(self, chance): print("drawn", chance.random())

class TestMachine(Machine.TestCase):
    settings = settings(max_examples=5)

def test_chance(): print("drawn", random.random())
"""


def test_a_run_tries_the_same_examples_each_time_unless_it_shall_look_for_new_ones(tmp_path: Path) -> None:
    """What passes on one machine must not fail by chance on another one."""

    def drawn(**environment: str) -> list[str]:
        _, said = run(tmp_path, DRAWN, "-s", **environment)
        assert "failed" not in said, said
        return re.findall("drawn (.*)", said)

    usual, anew = drawn(), drawn(KIFU_RANDOM="1")
    assert len(usual) > 30
    assert usual == drawn() != anew != drawn(KIFU_RANDOM="1")


LATE = """
import pathlib, pytest
@pytest.mark.programs
def test_late() -> None:
    tried = pathlib.Path(__file__).with_name("tried")
    if not tried.exists():
        tried.touch()
        raise ValueError("the process came " + "late")
"""


def test_a_test_that_passes_at_its_second_try_says_why_it_failed_at_first(tmp_path: Path) -> None:
    passed, said = run(tmp_path, LATE)
    assert "late" in passed
    assert "first try of" in said
    assert "ValueError: the process came late" in said
