"""A child process that is kept running."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from workers.journal import line_of
from workers.process import FATAL, TRY_LATER

if TYPE_CHECKING:
    from service.server.forked import ForkedChild, ForkServer

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds until a child that ended is started again: the first time, and at most."""

HEALTHY_AFTER = 10.0
"""Seconds after which a child counts as running well."""

FAILING_AFTER = 3
"""How often in a row a child ends early until it counts as failing."""

SHORT_LIFE = 120.0
"""Seconds before which an end is early."""

STOP_TIMEOUT = 1.2
"""Seconds that a child has to end after it is told to. It can be broken off at any point."""

_HELD_LINES = 200


class GaveUpError(Exception):
    """A child process ended that the service needs to start. The message is its last line, if any."""


class Child:
    """A Python process that is kept running. Its lines are printed with its name before them.

    The lines of a `hushed` one are kept, and printed if it ends. A `vital` one that leaves by itself is not started
    again: its end is raised as a `GaveUpError`. One that a signal killed had no say in it, and gets another start, and
    so does one that left with `TRY_LATER`. One that runs `once` is never started again. `imports` are modules that it
    will need, besides its own.
    """

    def __init__(
        self,
        name: str,
        module: str,
        *arguments: str,
        imports: tuple[str, ...] = (),
        hushed: bool = False,
        vital: bool = False,
        once: bool = False,
    ) -> None:
        self.name, self.module, self.imports = name, module, imports
        self._arguments = arguments
        self._hushed, self._vital, self._once = hushed, vital, once
        self._held: deque[str] = deque(maxlen=_HELD_LINES)
        self._stopping = asyncio.Event()
        self._process: ForkedChild | None = None
        self._task: asyncio.Task[None] | None = None
        self._go = asyncio.Event()
        self._lives: deque[float] = deque(maxlen=FAILING_AFTER)
        self._started, self._ended = 0.0, ""

    def start(self, forks: ForkServer, go: asyncio.Event | None = None) -> asyncio.Task[None]:
        """Start it, with its standard input open until `go`. The task ends when the child is stopped or given up."""
        if go:
            self._go = go
        else:
            self._go.set()
        self._task = asyncio.create_task(self._keep(forks))
        return self._task

    def came_up(self) -> None:
        """Note that it has started well: print its lines, and restart it when it ends."""
        self._hushed = self._vital = False
        self._tell_held()

    @property
    def why_failing(self) -> str:
        """How it ended last, if it keeps ending; else empty.

        One that has run well until now is still failing until it has run for twice as long as before its last ends.
        """
        if len(self._lives) < FAILING_AFTER or max(self._lives) > SHORT_LIFE:
            return ""
        age = time.monotonic() - self._started if self._process else 0.0
        return "" if age > max(HEALTHY_AFTER, 2 * max(self._lives)) else self._ended

    async def stop(self) -> None:
        """Ask it to end, and kill it if it does not."""
        self._stopping.set()
        if self._task is None:
            return
        running = self._process
        if running:
            running.send_signal(signal.SIGTERM)
        done, _ = await asyncio.wait([self._task], timeout=STOP_TIMEOUT)
        if not done and self._process:
            if self._process is running:  # else it was still being started, and had no time to end
                print_line("serve", f"{self.name} does not end and is killed")
            self._process.send_signal(signal.SIGKILL)
            await asyncio.wait([self._task])

    async def _keep(self, forks: ForkServer) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            self._started = time.monotonic()
            try:
                code = await self._run(forks)
            except OSError as error:  # the system is out of processes or memory, and may have some again
                self._held.append(f"cannot be started: {error}")
                code = os.EX_OSERR
            if self._stopping.is_set():
                return
            if self._once or (self._vital and code >= 0 and code != TRY_LATER):
                raise self._failure(code)
            self._tell_held()
            self._lives.append(time.monotonic() - self._started)
            if self._lives[-1] > HEALTHY_AFTER:
                pause = FIRST_PAUSE
            self._ended = "cannot start yet" if code == TRY_LATER else f"ended ({_how_it_ended(code)})"
            print_line("serve", f"{self.name} {self._ended} and is started again in {pause:g} s")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run(self, forks: ForkServer) -> int:
        """Start it, pass its lines on, and wait until it ends."""
        running = self._process = await forks.fork(self.name, self.module, self._arguments, self.imports)
        if self._stopping.is_set():
            running.send_signal(signal.SIGTERM)
        lines, going = asyncio.create_task(self._pass_on(running)), asyncio.create_task(self._let_go(running))
        code = await running.ended
        self._process = None
        going.cancel()
        await asyncio.wait([lines], timeout=1.0)
        lines.cancel()
        running.let_go()
        return code

    async def _let_go(self, running: ForkedChild) -> None:
        await self._go.wait()
        running.let_go()

    async def _pass_on(self, running: ForkedChild) -> None:
        while True:
            try:
                line = await running.stdout.readline()
            except ValueError:  # longer than the buffer, and dropped
                continue
            if not line:
                return
            self._held.append(line.decode(errors="replace").rstrip())
            if not self._hushed:
                self._tell_held()

    def _failure(self, code: int) -> GaveUpError:
        if code == FATAL and self._held:
            return GaveUpError(self._held[-1])
        self._tell_held()
        return GaveUpError(
            f"{self.name} ended ({_how_it_ended(code)})"
            if self._once
            else f"{self.name} did not start ({_how_it_ended(code)})"
        )

    def _tell_held(self) -> None:
        while self._held:
            print_line(self.name, self._held.popleft())


def print_line(name: str, line: str) -> None:
    """Print a line of a process. Lines that a full disk refuses are lost."""
    with suppress(OSError):
        sys.stderr.write(f"{line_of(name, line)}\n")
        sys.stderr.flush()


def _how_it_ended(code: int) -> str:
    """How a process ended."""
    return f"exit code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
