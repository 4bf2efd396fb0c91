"""The fork server: a process that has imported what the children of the service run, and forks them.

`python -m service.server.forkserver DESCRIPTOR` takes orders from the socket with that number, one JSON object a line.
It ends when nobody holds the other end any more; its children end with it. A module is imported when it is first asked
for. What several children need is imported once and lies in memory once. A child that is started again starts at once.

Memory is shared as long as neither side writes to it, and to import more writes to much of it. So the first order names
the modules of all children. A module can have a function `before_fork`, which makes what its children share.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
from collections import deque
from contextlib import suppress
from importlib import import_module

import msgspec

from workers import process

_FOR_OTHERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals that come to all processes of the service are meant for the others: this one ends last."""

_CHUNK = 1 << 16


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Fork a child that calls `main()` of a module. The descriptors of its input and output come with the order.

    `imports` are other modules that it will need.
    """

    number: int
    name: str
    module: str
    arguments: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


class Signal(msgspec.Struct, frozen=True, tag="signal"):
    """Send a signal to a child, if it has not ended."""

    pid: int
    signal: int


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The child of an order was started."""

    number: int
    pid: int


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The system has no process for the child of an order."""

    number: int
    why: str


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A child has ended: with an exit code, or, below zero, by a signal."""

    pid: int
    code: int


Order = Start | Signal
Report = Started | Failed | Ended

read_order = msgspec.json.Decoder(Order).decode
read_report = msgspec.json.Decoder(Report).decode


def line_of(message: Order | Report) -> bytes:
    """The bytes of a message."""
    return msgspec.json.encode(message) + b"\n"


class ForkServer:
    """Carries out the orders from the socket `control`. It has one thread: only such a process can fork safely."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._data = b""
        self._descriptors: deque[int] = deque()
        self._children: set[int] = set()
        self._loaded: set[str] = set()
        self._wakes, self._wake = socket.socketpair()
        self._wake.setblocking(False)
        for number in _FOR_OTHERS:
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)

    def serve(self) -> Start | None:
        """Carry out orders until the socket is closed. In a forked child, return the function to run."""
        with selectors.DefaultSelector() as selector:
            for readable in (self._control, self._wakes):
                selector.register(readable, selectors.EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is self._wakes:
                        self._wakes.recv(_CHUNK)
                        self._reap_children()
                        continue
                    lines = self._read()
                    if lines is None:
                        return None
                    for line in lines:
                        order: Order = read_order(line)
                        if isinstance(order, Signal):
                            self._signal(order)
                        elif self._fork(order):
                            return order

    def _read(self) -> list[bytes] | None:
        """The received lines; None at the end. Descriptors that came with them go into `_descriptors`."""
        data, descriptors, *_ = socket.recv_fds(self._control, _CHUNK, 16)
        if not data:
            return None
        self._descriptors += descriptors
        *lines, self._data = (self._data + data).split(b"\n")
        return lines

    def _fork(self, order: Start) -> bool:
        """Fork a child. True in the child."""
        gc.disable()  # what is imported stays, and looking for garbage in it would take a seventh of the time
        for module in (order.module, *order.imports):
            with suppress(Exception):  # the child will find out, and say so where it is read
                self._load(module)
        gc.enable()
        gc.collect()
        gc.freeze()  # or the collector would write to every page, and nothing would be shared
        given = self._descriptors.popleft(), self._descriptors.popleft()
        try:
            pid = os.fork()
        except OSError as error:
            self._report(Failed(order.number, str(error.strerror)))
            pid = -1
        if pid == 0:
            self._become_child(order, *given)
            return True
        for descriptor in given:
            os.close(descriptor)
        if pid > 0:
            self._children.add(pid)
            self._report(Started(order.number, pid))
        return False

    def _load(self, name: str) -> None:
        """Import a module, and call its `before_fork()`, if it has one."""
        if name not in self._loaded:
            prepare = getattr(import_module(name), "before_fork", None)
            if prepare:
                prepare()
            self._loaded.add(name)

    def _become_child(self, order: Start, read: int, write: int) -> None:
        """Become the child: drop everything of the fork server, and take what the order gives."""
        signal.set_wakeup_fd(-1)
        for number in (*_FOR_OTHERS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for ours in (self._control, self._wakes, self._wake):
            ours.close()
        os.setpgid(0, 0)  # Ctrl-C is for the supervisor alone, which stops its children one after the other
        for descriptor, standard in ((read, 0), (write, 1), (write, 2)):
            os.dup2(descriptor, standard)
        for descriptor in (read, write, *self._descriptors):
            os.close(descriptor)
        process.set_process_name(f"kifu-{order.name}")
        sys.argv = [order.module, *order.arguments]

    def _signal(self, order: Signal) -> None:
        if order.pid in self._children:  # else the number may be somebody else's by now
            os.kill(order.pid, order.signal)

    def _reap_children(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            self._children.discard(pid)
            self._report(Ended(pid, os.waitstatus_to_exitcode(status)))

    def _report(self, report: Report) -> None:
        with suppress(OSError):  # nobody is there any more; the next look at the orders ends this
            self._control.sendall(line_of(report))


def main() -> None:
    """Fork children until the other end of the socket is closed, and in each child run what it is forked for."""
    os.environ[process.SUPERVISOR] = str(os.getpid())  # whom the children die with
    process.set_process_name("kifu-forks")
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    order = ForkServer(control).serve()
    if order:
        sys.exit(import_module(order.module).main())


if __name__ == "__main__":
    main()
