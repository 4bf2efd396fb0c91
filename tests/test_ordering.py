"""The order of tests: several workers end together, and what a folder needs ends with it."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import ordering
from tests.cases import cases
from tests.documents import ROOT

WORKERS = 4


class Item(NamedTuple):
    """A test of a file; the name of the file says what kind it is of."""

    path: Path
    number: int

    @property
    def kind(self) -> str:
        return self.path.name.partition("-")[0]


FILES = {
    "quick-1": 50,
    "page-1": 9,
    "program-1": 4,
    "page-2": 3,
    "quick-2": 60,
    "program-2": 8,
    "page-3": 5,
    "mixed": 30,
}
ITEMS = [Item(Path(name), number) for name, count in FILES.items() for number in range(count)]


def dealt(items: list[Item], workers: int) -> list[Item]:
    return ordering.dealt(
        items,
        workers,
        is_page=lambda item: item.kind == "page",
        is_long=lambda item: item.kind == "program" or (item.kind == "mixed" and item.number < 10),
    )


def test_half_of_the_workers_begin_with_pages_and_the_others_with_programs() -> None:
    result = dealt(ITEMS, WORKERS)
    bounds = [len(ITEMS) * number // WORKERS for number in range(WORKERS + 1)]
    parts = [Counter(item.kind for item in result[start:end]) for start, end in itertools.pairwise(bounds)]
    assert [(part["page"], part["program"]) for part in parts] == [(9, 0), (8, 0), (0, 8), (0, 4)]
    assert [result[start].kind for start in bounds[:-1]] == ["page", "page", "program", "program"]


def test_files_with_few_tests_come_first_as_these_take_longest() -> None:
    result = dealt(ITEMS, 2)
    pages = [name for name, _ in itertools.groupby(item.path.name for item in result if item.kind == "page")]
    programs = [name for name, _ in itertools.groupby(item.path.name for item in result if item.kind == "program")]
    assert pages == ["page-2", "page-3", "page-1"]
    assert programs == ["program-1", "program-2"]


@cases("workers", [2, 3, 4, 16])
def test_every_test_runs_once_and_those_of_a_file_in_their_order(workers: int) -> None:
    result = dealt(ITEMS, workers)
    assert Counter(result) == Counter(ITEMS)
    for name, count in FILES.items():
        assert [item.number for item in result if item.path.name == name] == list(range(count))


@cases("kind", ["page", "program", "quick"])
def test_tests_of_one_kind_are_dealt_too(kind: str) -> None:
    items = [item for item in ITEMS if item.kind == kind]
    assert Counter(dealt(items, WORKERS)) == Counter(items)


@pytest.mark.programs
def test_the_browser_ends_with_the_tests_of_pages() -> None:
    """Its event loop is in the way of tests that have one of their own."""
    files = ["tests/service/pages/test_style_page.py", "tests/test_browser.py"]
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "--setup-plan", *files]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)
    before, started, rest = done.stdout.partition("SETUP    P browser")
    running, ended, _ = rest.partition("TEARDOWN P browser")
    assert started, done.stdout + done.stderr
    assert ended, done.stdout
    assert files[1] not in before + running
