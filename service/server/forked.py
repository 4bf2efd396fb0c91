"""The fork server as the supervisor uses it, and the children that it forks."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from itertools import count
from typing import TYPE_CHECKING

from service.server.forkserver import Ended, Failed, Signal, Start, Started, line_of, read_report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from service.server.forkserver import Report

KILLED = -signal.SIGKILL
"""The exit code of a child that ended because its fork server did."""


class ForkedChild:
    """A forked child. `returncode` says how it ended."""

    def __init__(self, server: _Running, stdout: asyncio.StreamReader, stdin: int) -> None:
        loop = asyncio.get_running_loop()
        self.pid, self.stdout = 0, stdout
        self.started: asyncio.Future[None] = loop.create_future()
        self.ended: asyncio.Future[int] = loop.create_future()
        self._server, self._stdin = server, stdin

    @property
    def returncode(self) -> int | None:
        """The exit code, below zero the signal that killed it, None while it runs."""
        return self.ended.result() if self.ended.done() else None

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        if self.returncode is None:
            self._server.order(Signal(self.pid, number))

    def let_go(self) -> None:
        """Close its standard input."""
        if self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1


class ForkServer:
    """Forks children with an environment. The process behind it is started when it is needed, and again if it ended."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._running: _Running | None = None
        self._lock = asyncio.Lock()
        self._numbers = count()

    async def fork(
        self, name: str, module: str, arguments: tuple[str, ...], imports: tuple[str, ...] = ()
    ) -> ForkedChild:
        """A child that calls `main()` of a module. Raises `OSError` if the system has no process for it."""
        async with self._lock:
            if self._running is None or self._running.gone:
                self._running = await _start(self._environment)
            running = self._running
        stdout = asyncio.StreamReader()
        output, write = os.pipe()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stdout), os.fdopen(output, "rb", 0)
        )
        read, stdin = os.pipe()
        child = ForkedChild(running, stdout, stdin)
        order = Start(next(self._numbers), name, module, arguments, imports)
        running.starting[order.number] = child
        try:
            running.order(order, read, write)
        finally:
            os.close(read)
            os.close(write)
        try:
            await child.started
        except OSError:
            child.let_go()
            raise
        return child

    async def close(self) -> None:
        """End the process; children that still run end with it."""
        if self._running:
            await self._running.close()


class _Running:
    """A fork server that runs, and the children that it is to start or has started."""

    def __init__(self, control: socket.socket, process: asyncio.subprocess.Process) -> None:
        self.starting: dict[int, ForkedChild] = {}
        self.gone = False
        self._children: dict[int, ForkedChild] = {}
        self._control, self._process, self._data = control, process, b""
        asyncio.get_running_loop().add_reader(control, self._read)

    def order(self, order: Start | Signal, *descriptors: int) -> None:
        """Send an order. Its result is reported later."""
        try:
            socket.send_fds(self._control, [line_of(order)], list(descriptors))
        except OSError:
            self._lost()

    async def close(self) -> None:
        """End it."""
        self._lost()
        await self._process.wait()

    def _read(self) -> None:
        try:
            data = self._control.recv(1 << 16, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        *lines, self._data = (self._data + data).split(b"\n")
        for line in lines:
            self._take(read_report(line))

    def _take(self, report: Report) -> None:
        match report:
            case Started():
                child = self._children[report.pid] = self.starting.pop(report.number)
                child.pid = report.pid
                child.started.set_result(None)
            case Failed():
                self.starting.pop(report.number).started.set_exception(OSError(report.why))
            case Ended():
                self._children.pop(report.pid).ended.set_result(report.code)

    def _lost(self) -> None:
        """The fork server has ended, and all its children with it."""
        if not self.gone:
            self.gone = True
            asyncio.get_running_loop().remove_reader(self._control)
            self._control.close()
        for child in [*self.starting.values(), *self._children.values()]:
            if not child.started.done():
                child.started.set_result(None)
            child.ended.set_result(KILLED)
        self.starting.clear()
        self._children.clear()


async def _start(environment: Mapping[str, str]) -> _Running:
    ours, theirs = socket.socketpair()
    with theirs:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "service.server.forkserver",
            str(theirs.fileno()),
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            process_group=0,  # Ctrl-C is for the supervisor alone
        )
    return _Running(ours, process)
