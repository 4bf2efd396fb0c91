"""The planter of faults: what it plants, where, and that it is noticed or not."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests import mutants
from tests.choosing import short_or_soak

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = b'''"""A file; nothing in its words is planted: 1 < 2."""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from a import b

LIMIT = 3


def kept(items: list[int] = [1], most: int = LIMIT) -> bool:
    """Whether so few are kept."""
    if items and len(items) <= most:
        items.append(f"{most + 1}")
        return not items
    raise ValueError(f"more than {LIMIT}")
'''


def test_faults_of_every_kind_are_planted_and_none_in_words_and_types():
    found = {(fault.line, fault.old, fault.new) for fault in mutants.faults_of("a.py", SOURCE)}
    assert found == {
        (7, "3", "4"),
        (12, "items and len(items) <= most", "((items) or (len(items) <= most))"),
        (12, "len(items) <= most", "(len(items) < most)"),
        (13, 'items.append(f"{most + 1}")', "pass"),
        (14, "not items", "(items)"),
        (14, "return not items", "return None"),
        (15, 'raise ValueError(f"more than {LIMIT}")', "pass"),
    }


def test_a_fault_is_known_by_its_line_too():
    one, other = (fault.words for fault in mutants.faults_of("a.py", b"A = 1\nB = 1\n"))
    assert one == ("a.py", "", "A = 1", "1", "2") != other


@pytest.mark.slow
def test_every_fault_of_the_project_is_a_program_and_another_one():
    for fault in mutants.sample(["events", "projections"], short_or_soak(50, 500), seed=3):
        source = (mutants.ROOT / fault.file).read_bytes()
        compile(mutants.with_fault(fault, source), fault.file, "exec")
        assert mutants.with_fault(fault, source) != source


@pytest.mark.slow
def test_the_same_seed_plants_the_same_faults():
    first, again, other = (list(mutants.sample(["events/sqlite", "events/log.py"], 10, seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_the_tests_of_a_file_begin_with_those_that_speak_of_it():
    assert mutants.witnesses("events/ndjson.py")[0] == "tests/events/test_ndjson.py"
    assert mutants.witnesses("projections/claims.py")[0] == "tests/projections/test_claims.py"


@pytest.mark.slow
def test_what_was_judged_is_still_there():
    every = {fault.words for fault in mutants.sample(["events", "projections"], 10**6, seed=1)}
    assert [words for words in mutants.harmless_faults() if words not in every] == []
    assert all(mutants.harmless_faults().values())


@pytest.mark.programs
def test_faults_are_tried_in_a_copy_and_told(tmp_path: Path):
    project = tmp_path / "project"
    (project / "tests" / "part").mkdir(parents=True)
    (project / "part").mkdir()
    (project / "part" / "file.py").write_text("def f(a):\n    return a > 0\n")
    (project / "tests" / "part" / "test_file.py").write_text(
        "from part import file\n\n\ndef test_f():\n    assert file.f(1)\n"
    )
    plugins = "--disable-plugin-autoload -p xdist -p hypothesispytest"  # to find those of others takes a second each
    (project / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\naddopts = '{plugins}'\n")
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    program = f"import tests.mutants as m, pathlib; m.ROOT = pathlib.Path({str(project)!r}); m.main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "part"], cwd=mutants.ROOT, capture_output=True, text=True, check=False
    )
    assert sorted(done.stdout.splitlines()) == [
        "2 of 3 noticed (67 %), 0 change nothing; seed 1",
        "SURVIVED    part/file.py:2 f: a > 0 -> (a >= 0)",
        "noticed     part/file.py:2 f: 0 -> 1  (tests/part/test_file.py::test_f)",
        "noticed     part/file.py:2 f: return a > 0 -> return None  (tests/part/test_file.py::test_f)",
    ], done.stderr
    assert done.returncode == 1
    assert (project / "part" / "file.py").read_text() == "def f(a):\n    return a > 0\n"
