"""How long a job may take."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest
from rq.timeouts import JobTimeoutException

from workers import limits
from workers.limits import ProcessorTimeLimit
from workers.queue import ANALYSIS_TIMEOUT, JOB_TIMEOUT, enqueue_analyses
from workers.worker import Worker


def work_for(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_a_job_that_waits_for_a_busy_computer_goes_on() -> None:
    """Its limit by the clock would have been over twice. Other threads of this process may do something meanwhile."""
    with ProcessorTimeLimit(0.4, JobTimeoutException):
        time.sleep(0.8)
    work_for(0.5)  # nothing counts any more


def test_signals_are_afterwards_what_they_were() -> None:
    """A profiler in the worker goes on."""
    before = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    try:
        with ProcessorTimeLimit(5, JobTimeoutException):
            assert signal.getsignal(signal.SIGPROF) != signal.SIG_IGN
        assert signal.getsignal(signal.SIGPROF) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGPROF, before)


def test_a_job_that_never_ends_is_ended() -> None:
    with pytest.raises(JobTimeoutException), ProcessorTimeLimit(0.1, JobTimeoutException):
        work_for(20)


def test_a_job_that_waits_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PATIENCE", 2)
    with pytest.raises(JobTimeoutException), ProcessorTimeLimit(0.1, JobTimeoutException):
        time.sleep(20)


def test_workers_count_so_and_an_analysis_in_one_go_has_time_on_a_slow_computer() -> None:
    class Noted:
        jobs: list[Any]

        def enqueue_many(self, jobs: list[Any]) -> None:
            self.jobs = jobs

    queue: Any = Noted()
    enqueue_analyses(queue, Path("folder"), [("an analysis", 0)])
    assert Worker.death_penalty_class is ProcessorTimeLimit
    assert [job.timeout for job in queue.jobs] == [ANALYSIS_TIMEOUT]
    assert ANALYSIS_TIMEOUT > JOB_TIMEOUT
