"""The tiers of the tests: `make test-fast` during work, `make test` for all promises, `make soak` for long forms.

The fast tier runs in this process alone. It leaves out what is marked: `browser`, `programs` and `slow`. Of a test with
many parameters it tries a few.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LONG = {"browser", "programs", "slow"}
"""The markers of tests that the fast tier leaves out."""

STARTING = {"browser", "postgres", "database", "redis_url", "host", "copy_log"}
"""Fixtures that start a program: a test that uses one of them needs no marker."""

STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"}
"""Audit events of Python for the start of a program."""

FEW = 8
"""The most parameters of a test in the fast tier."""

WORDS = 6_000
"""The most characters that the summary has of the first try of a test."""

FAST = False
"""Whether this is a run of the fast tier. `tests/conftest.py` sets it."""

SOAK = bool(os.environ.get("KIFU_SOAK"))
"""Whether this is a run of the long forms."""

RANDOM = SOAK or bool(os.environ.get("KIFU_RANDOM"))
"""Whether a run looks for new examples. Otherwise each run tries the same ones, on every machine."""

EXAMPLES = 20
"""The number of examples of a property test in the short run."""

AT_LENGTH = 50
"""The factor of that number in the long run."""

ASKING = {"tiers", "goldens", "short_or_soak"}
"""A test module that imports one of these tries more in the long run. `goldens` gives it more games."""

MANY = {"play"}
"""Fixtures that have more games in the long run."""


def left_out(items: Sequence[pytest.Item], *, fast: bool) -> list[pytest.Item]:
    """The tests that the tier does not run. A test with more cases in the long run belongs to both."""
    if SOAK:
        for item in filter(_has_long_form, items):
            item.add_marker(pytest.mark.soak)
        return []
    left = [item for item in items if item.get_closest_marker("soak") or (fast and is_long(item))]
    if not fast:
        return left
    gone = set(left)
    return [*left, *_too_many(item for item in items if item not in gone)]


def _has_long_form(item: pytest.Item) -> bool:
    names = vars(item.module).keys() if isinstance(item, pytest.Function) else set()
    is_property = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return bool(is_property or ASKING & names or MANY & set(getattr(item, "fixturenames", ())))


def _too_many(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The runs of tests with more parameters than the fast tier allows."""
    same: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        same[item.nodeid.partition("[")[0]].append(item)
    return [each for found in same.values() for kept in [few(found)] for each in found if each not in kept]


def few(things: Sequence[Any]) -> list[Any]:
    """A few of many things: the first, the last, and some between them at even distances."""
    count = len(things)
    places = range(count) if count <= FEW else sorted({place * (count - 1) // (FEW - 1) for place in range(FEW)})
    return [things[place] for place in places]


@cache
def is_long(item: pytest.Item) -> bool:
    """Whether a test takes long or starts a program. It is asked four times, and does not change."""
    marked = {mark.name for mark in item.iter_markers()} & LONG
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    words = [value for value in parameters.values() if isinstance(value, str)]
    on_a_server = parameters.get("store", "sqlite") != "sqlite" or "postgres" in words
    return bool(marked or on_a_server or STARTING & set(getattr(item, "fixturenames", ())))


def try_again(items: Sequence[pytest.Item]) -> None:
    """Run failed tests that drive other programs a second time, so one late process does not fail the whole run.

    A fault of the program fails twice. The summary names the tests that ran again: each has a fault to be found.
    """
    for item in items:
        if is_long(item):
            item.add_marker(pytest.mark.flaky(reruns=1))


def first_words(text: str) -> str:
    """The beginning of a report: whole ones of tests in other programs have thousands of lines."""
    return text if len(text) <= WORDS else f"{text[:WORDS]}\n..."


class Guard:
    """Fails a test of the fast tier that starts a program, so that the tier stays fast."""

    def __init__(self) -> None:
        self._running = False
        sys.addaudithook(self._refuse)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Watch for starts of programs while a test runs, with its fixtures."""
        self._running = True
        try:
            return (yield)
        finally:
            self._running = False

    def _refuse(self, event: str, _: tuple[Any, ...]) -> None:
        if self._running and event in STARTS:
            pytest.fail(f"{event}: mark the test with `programs`, since `make test-fast` starts no program")
