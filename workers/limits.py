"""How long a job may take: seconds of the processor, because a slow or busy computer is no reason to give a job up."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from rq.timeouts import UnixSignalDeathPenalty

if TYPE_CHECKING:
    from types import FrameType

PATIENCE = 10
"""How many times as long a job may take by the clock. So one that waits for ever ends, too."""


class ProcessorTimeLimit(UnixSignalDeathPenalty):
    """Ends a job of the worker's process after so many seconds of the processor, or ten times as many by the clock."""

    _timeout: float

    def setup_death_penalty(self) -> None:
        """Begin to count."""
        self._before = dict[int, Any]()
        for timer, number, seconds in self._timers():
            self._before[number] = signal.signal(number, self.handle_death_penalty)
            signal.setitimer(timer, seconds)

    def cancel_death_penalty(self) -> None:
        """The job is done in time. The signals are what they were, for a profiler, say."""
        for timer, number, _ in self._timers():
            signal.setitimer(timer, 0)
            signal.signal(number, self._before[number] or signal.SIG_DFL)

    def handle_death_penalty(self, signum: int, frame: FrameType | None) -> None:
        """The time is over: end the job."""
        super().handle_death_penalty(signum, frame)  # type: ignore[no-untyped-call]

    def _timers(self) -> list[tuple[int, int, float]]:
        return [
            (signal.ITIMER_PROF, signal.SIGPROF, self._timeout),
            (signal.ITIMER_REAL, signal.SIGALRM, self._timeout * PATIENCE),
        ]
