"""The figures of the work."""

from __future__ import annotations

import time
from typing import Any

import pytest

from workers.monitor import Monitor, Progress
from workers.relay import Relay


@pytest.fixture
def monitor(host: Any) -> Any:
    made = Monitor(host.archive.log, host.results, host.redis_url)
    yield made
    made.close()


def test_the_figures_follow_the_work(host: Any, monitor: Monitor) -> None:
    assert monitor.look() == Progress(redis=True, queued=0, lag=0, dead_letters=0)
    host.record(host.played(1, 9))
    assert monitor.look() == Progress(redis=True, queued=0, lag=10, dead_letters=0)
    relay = Relay(host.folder, host.redis, quiet=0.0)
    relay.step()
    assert monitor.look() == Progress(redis=True, queued=1, lag=10, dead_letters=0)
    host.start_worker()
    host.start_spare_worker()
    done = Progress(redis=True, queued=0, lag=0, dead_letters=0)
    host.until(lambda: relay.step() or (host.settled() and monitor.look() == done))  # one may be queued twice
    relay.close()
    host.results.put_dead_letter("some game", 1, "why")
    assert monitor.look().dead_letters == 1


def test_a_redis_that_is_away_is_told_at_once_and_its_return_too(host: Any, monitor: Monitor) -> None:
    host.processes[0].kill()
    host.processes[0].wait()
    before = time.monotonic()
    assert monitor.look() == Progress(redis=False, queued=None, lag=0, dead_letters=0)
    assert time.monotonic() - before < 5
    host.start_valkey()
    assert monitor.look().redis
