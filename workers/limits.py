"""Time limits of jobs, in processor time: a slow or busy computer is no reason to give up a job."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from rq.timeouts import UnixSignalDeathPenalty

if TYPE_CHECKING:
    from types import FrameType

PATIENCE = 10
"""The wall-time limit as a multiple of the processor-time limit. It ends a job that waits for ever."""


class ProcessorTimeLimit(UnixSignalDeathPenalty):
    """Ends a job in the worker's process after some seconds of processor time, or ten times that of wall time."""

    _timeout: float

    def setup_death_penalty(self) -> None:
        """Start the timers."""
        self._before = dict[int, Any]()
        for timer, number, seconds in self._timers():
            self._before[number] = signal.signal(number, self.handle_death_penalty)
            signal.setitimer(timer, seconds)

    def cancel_death_penalty(self) -> None:
        """Stop the timers, and restore the signal handlers, for example of a profiler."""
        for timer, number, _ in self._timers():
            signal.setitimer(timer, 0)
            signal.signal(number, self._before[number] or signal.SIG_DFL)

    def handle_death_penalty(self, signum: int, frame: FrameType | None) -> None:
        """End the job, because its time is over."""
        super().handle_death_penalty(signum, frame)  # type: ignore[no-untyped-call]

    def _timers(self) -> list[tuple[int, int, float]]:
        return [
            (signal.ITIMER_PROF, signal.SIGPROF, self._timeout),
            (signal.ITIMER_REAL, signal.SIGALRM, self._timeout * PATIENCE),
        ]
