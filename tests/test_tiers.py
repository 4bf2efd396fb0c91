"""The tiers: which tests each of them runs, and that the fast one starts no program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests import choosing, tiers
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

DRAWN = """
import random
from hypothesis import given, settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, rule

@given(strategies.integers())
def test_drawn_property(number): print("drawn", number)

class Machine(RuleBasedStateMachine):
    @rule(chance=strategies.randoms(use_true_random=False))
    def draw(self, chance): print("drawn", chance.random())

class TestMachine(Machine.TestCase):
    settings = settings(max_examples=5)

def test_chance(): print("drawn", random.random())
"""

LATE = """
import pathlib, pytest
@pytest.mark.programs
def test_late() -> None:
    tried = pathlib.Path(__file__).with_name("tried")
    if not tried.exists():
        tried.touch()
        raise ValueError("the process came " + "late")
"""

FIXTURE = re.compile(r"^@pytest\.fixture.*\n(?:[@) ].*\n)*def (\w+)\(", re.MULTILINE)
"""A fixture of a `conftest.py`."""

MARKERS = "[pytest]\nmarkers =\n  browser\n  programs\n  slow\n  soak\n"


class Ran(NamedTuple):
    passed: set[str]
    drawn: list[str]
    said: str


def run(folder: Path, *options: str, **environment: str) -> Ran:
    """The tests that passed, the examples that they drew, and all that was said."""
    for name, text in {"some": TESTS, "longer": LONGER, "drawn": DRAWN, "late": LATE}.items():
        (folder / f"test_{name}.py").write_text(text)
    (folder / "pytest.ini").write_text(MARKERS)
    plugins = [f"-p{name}" for name in ("tests.conftest", "xdist", "rerunfailures", "hypothesispytest")]
    words = ["--disable-plugin-autoload", *plugins, "-s", "-rpfER", *options, str(folder)]
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "KIFU_SOAK", "KIFU_RANDOM"))
    }
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        env=clean | {"PYTHONPATH": str(ROOT)} | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    return Ran(set(re.findall(r"^PASSED .*::test_(\S+)", said, re.MULTILINE)), re.findall("drawn (.*)", said), said)


FAST = {
    *("plain", "more", "placed[here]", "property", "tried", "drawn_property", "chance"),
    *(f"many[{number}]" for number in range(0, 15, 2)),
}
EVERY = FAST | {
    *("placed[there]", "stored", "slow", "drawn", "started", "unmarked", "late"),
    *(f"many[{number}]" for number in range(15)),
}


def test_each_tier_runs_what_it_says_with_the_same_examples_and_a_second_try(tmp_path: Path) -> None:
    """What passes on one machine must not fail by chance on another one."""
    fast, every = run(tmp_path, "--fast", TRIED="20"), run(tmp_path, TRIED="20")
    assert fast.passed == FAST, fast.said
    assert "mark the test with `programs`" in fast.said, "it starts a program, and is unmarked"
    assert every.passed == EVERY, every.said
    assert "mark the test with `programs`" not in every.said
    assert len(every.drawn) > 30
    assert fast.drawn == every.drawn
    assert "first try of" in every.said
    assert "ValueError: the process came late" in every.said


def test_the_long_forms_are_run_on_request_with_new_examples_in_great_number(tmp_path: Path) -> None:
    found = run(tmp_path, "-m", "soak", KIFU_SOAK="1")
    assert found.passed == {"long", "property", "drawn_property", "more"}, found.said
    assert len(found.drawn) > 1000


def test_a_run_looks_for_new_examples_on_request(tmp_path: Path) -> None:
    one, other = (run(tmp_path, "-k", "drawn_property or Machine or chance", KIFU_RANDOM="1") for _ in range(2))
    assert one.drawn != other.drawn, one.said + other.said


def test_the_names_that_put_a_test_into_a_tier_are_those_of_fixtures_and_helpers() -> None:
    """A fixture with a new name would move its tests into another tier, and nobody would notice."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("conftest.py")]
    fixtures = {name for text in texts for name in FIXTURE.findall(text)}
    assert fixtures >= tiers.STARTING | tiers.MANY
    modules = {path.stem for path in (ROOT / "tests").glob("*.py")}
    assert modules | vars(choosing).keys() >= tiers.ASKING
