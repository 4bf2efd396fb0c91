"""What every child process of the service does: die with its parent, and say in one sentence why it cannot go on."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from events.privacy import make_private
from workers import journal

SUPERVISOR = "KIFU_SUPERVISOR"
"""The environment variable that holds the process id of the supervisor."""

FATAL = os.EX_CONFIG
"""The exit code of a child that another start would not help: what is wrong has to be put right by somebody."""

TRY_LATER = os.EX_TEMPFAIL
"""The exit code of a child that cannot start yet: its database does not answer, and may do so later."""

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15

_IOPRIO_SET = {"x86_64": 251, "aarch64": 30, "riscv64": 30}
"""The number of the system call. The C library has no name for it."""
_IOPRIO_WHO_PROCESS, _IOPRIO_IDLE = 1, 3 << 13

_LONGEST_PATH = 100
"""Unix sockets have paths of at most 103 bytes on macOS and 107 on Linux."""


def begin(name: str) -> None:
    """Set up the journal of a child process of that name, keep its files private, have it die with its supervisor."""
    make_private()
    journal.begin(name)
    supervisor = os.environ.get(SUPERVISOR)
    if supervisor:
        die_with_parent(int(supervisor))


def wait_for_go() -> None:
    """Wait, all loaded, until the supervisor says that others have come as far: it lets go of the standard input."""
    if SUPERVISOR in os.environ:
        while os.read(0, 1):
            continue


def die_with_parent(parent: int) -> None:
    """Have this process killed when its parent ends, however that ends: nothing here needs to be tidied up."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=[parent], daemon=True).start()
    if os.getppid() != parent:  # it was gone before this was set up
        os._exit(FATAL)


def set_process_name(name: str) -> None:
    """Have this process shown by a name of its own, of at most 15 letters, where the system has such."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode(), 0, 0, 0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(FATAL)


def lower_priority() -> None:
    """Run with the lowest priority that the system has, at its disks, too. To be called before there are threads.

    The class SCHED_IDLE would be lower still. On a busy machine a process of that class cannot even end in time, and
    keeps its locks meanwhile.
    """
    with suppress(OSError):
        os.nice(19)
    if sys.platform != "linux":
        return
    number = _IOPRIO_SET.get(platform.machine())
    if number:
        ctypes.CDLL(None).syscall(number, _IOPRIO_WHO_PROCESS, 0, _IOPRIO_IDLE)


def give_up(why: object, code: int = FATAL) -> NoReturn:
    """End this process with a sentence for people: for good, or with `TRY_LATER`."""
    sys.stderr.write(f"{why}\n")
    sys.stderr.flush()
    sys.exit(code)


def leave_on_sigterm() -> None:
    """Make SIGTERM end this process at once, at any point: its work is always safe to break off."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


def socket_path(folder: Path, name: str) -> Path:
    """Where a socket of a data folder lies: in the folder, or in a private one if that path would be too long."""
    path = folder.absolute() / name
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="kifu-")) / name
