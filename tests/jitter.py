"""Delays threads at random, so that a test that depends on their order fails: `pytest -p tests.jitter`.

`KIFU_JITTER` says how. With `late`, threads in the background rest after each wait, and the test's own naps are short:
a test fails that takes for granted that they are done. With `early`, they wait for next to nothing, and the test rests
after each request: a test fails that takes for granted that they are not done yet. A number is a seed: each thread is
late, early or as ever, by chance. Programs that tests start do the same.
"""

from __future__ import annotations

import os
import queue
import random
import selectors
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


HOW = os.environ.get("KIFU_JITTER", "1")

LONGEST_REST = 0.3
SHORTEST_WAIT = 0.005
POLL = 2.0
"""A longer wait, in seconds, is a time limit and not a poll: it is not shortened."""
RESTS = 20
"""The number of requests of a test with a delay after them."""

_chance = random.Random()
"""A separate generator: tests seed the global one, and property tests notice when something else draws from it."""

_sleep = time.sleep
_wait = threading.Condition.wait
_run = threading.Thread.run
_select = selectors.EpollSelector.select


class _Test:
    """The running test: its requests, and the behaviour of each thread."""

    def __init__(self, name: str) -> None:
        self.name, self.requests = name, 0
        self.chance = random.Random(f"{HOW} {name}")
        self.ways: dict[str, str] = {}

    def way(self, thread: str) -> str:
        """The behaviour of a thread: `late`, `early` or normal."""
        if not HOW.isdigit():
            return HOW
        if thread not in self.ways:
            self.ways[thread] = self.chance.choice(["late", "early", ""])
        return self.ways[thread]


_test = _Test("")
_ours = True
"""Whether this is the process of a test, so its main thread is not in the background."""


def _in_background() -> bool:
    return not _ours or threading.current_thread() is not threading.main_thread()


def _way() -> str:
    return _test.way(threading.current_thread().name)


def _rest(longest: float = LONGEST_REST) -> None:
    _sleep(_chance.uniform(longest / 3, longest))


def _wait_otherwise(self: threading.Condition, timeout: float | None = None) -> bool:
    if not _in_background():
        return _wait(self, timeout)
    way = _way()
    if way == "early" and timeout is not None and timeout <= POLL:
        timeout = min(timeout, SHORTEST_WAIT)
    found = _wait(self, timeout)
    if way == "late":
        _rest()
    return found


def _sleep_otherwise(seconds: float) -> None:
    way = _way()
    hurried = (way == "early") == _in_background()
    if way and hurried and seconds <= POLL:
        _sleep(min(seconds, SHORTEST_WAIT) if _in_background() else seconds / 4)
    else:
        _sleep(seconds * 3 if way and seconds <= POLL else seconds)


def _run_otherwise(self: threading.Thread) -> None:
    if _way() == "late":
        _rest()
    _run(self)


def _select_otherwise(self: Any, timeout: float | None = None) -> Any:
    found = _select(self, timeout)
    if found and _in_background() and _way() == "late":
        _rest(LONGEST_REST / 10)
    return found


class _Queue(queue.SimpleQueue):  # type: ignore[type-arg]
    """The queue of a writer, with delays."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        found = super().get(block, timeout)
        if _in_background() and _way() == "late":
            _rest(LONGEST_REST / 10)
        return found


def install(*, ours: bool = False) -> None:
    """Install the delays in all threads of this process."""
    global _ours  # noqa: PLW0603 - one a process
    _ours = ours
    if HOW == "early":
        sys.setswitchinterval(1e-5)
    threading.Condition.wait = _wait_otherwise  # type: ignore[method-assign]
    threading.Thread.run = _run_otherwise  # type: ignore[method-assign]
    selectors.EpollSelector.select = _select_otherwise  # type: ignore[method-assign]
    time.sleep = _sleep_otherwise
    from events import grouping

    grouping.SimpleQueue = _Queue  # type: ignore[misc]
    grouping.sleep = _sleep_otherwise


def _resting(request: Callable[..., Any]) -> Callable[..., Any]:
    def requested(*words: Any, **more: Any) -> Any:
        answer = request(*words, **more)
        if HOW != "late" and not _in_background() and _test.requests < RESTS:
            _test.requests += 1
            _sleep(0.04)
        return answer

    return requested


def pytest_configure() -> None:
    from werkzeug.test import Client

    install(ours=True)
    Client.open = _resting(Client.open)  # type: ignore[method-assign]


def pytest_runtest_logstart(nodeid: str) -> None:
    global _test  # noqa: PLW0603 - one at a time
    _test = _Test(nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `early`, run the tests in reverse order: a test that depends on an earlier one fails."""
    if HOW == "early":
        items.reverse()
