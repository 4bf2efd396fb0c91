"""Setup of every child process of the service: it dies with its parent, and explains an end in one sentence."""

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

from events.errors import LogReadOnlyError, LogUnreachableError
from events.privacy import make_private
from workers import journal

SUPERVISOR = "KIFU_SUPERVISOR"
"""The environment variable that holds the process id of the supervisor."""

FATAL = os.EX_CONFIG
"""The exit code of a child if a restart would not help: a person must correct the cause."""

TRY_LATER = os.EX_TEMPFAIL
"""The exit code of a child that cannot start yet: its database does not answer, and may do so later."""

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15

_IOPRIO_SET = {"x86_64": 251, "aarch64": 30, "riscv64": 30}
"""The number of the system call. The C library has no name for it."""
_IOPRIO_WHO_PROCESS, _IOPRIO_IDLE = 1, 3 << 13

_LONGEST_PATH = 100
"""Unix sockets have paths of at most 103 bytes on macOS and 107 on Linux."""


def begin(name: str) -> None:
    """Set up a child process: its name and journal, private files, and its end with the supervisor."""
    make_private()
    journal.start_journal(name)
    supervisor = os.environ.get(SUPERVISOR)
    if supervisor:
        die_with_parent(int(supervisor))


def wait_for_others() -> None:
    """Wait after loading until the supervisor closes the standard input, which means that other processes are ready."""
    if SUPERVISOR in os.environ:
        while os.read(0, 1):
            continue


def die_with_parent(parent: int) -> None:
    """Let the system kill this process when its parent ends in any way. Nothing here needs a clean end."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=[parent], daemon=True).start()
    if os.getppid() != parent:  # the parent ended before this call
        os._exit(FATAL)


def set_process_name(name: str) -> None:
    """Set the name of this process in system tools, at most 15 letters, if the system supports that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode(), 0, 0, 0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(FATAL)


def lower_priority() -> None:
    """Run with the lowest priority for processors and disks. Call it before there are threads.

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


def exit_with_message(why: object) -> NoReturn:
    """End this process with a sentence for people.

    The exit code is `TRY_LATER` for the error of a database that does not answer or can only be read, else `FATAL`.
    """
    sys.stderr.write(f"{why}\n")
    sys.stderr.flush()
    sys.exit(TRY_LATER if isinstance(why, LogUnreachableError | LogReadOnlyError) else FATAL)


def exit_on_sigterm() -> None:
    """Make SIGTERM end this process at once, at any point: its work is always safe to break off."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))


def socket_path(folder: Path, name: str) -> Path:
    """The path of a socket of a data folder.

    It is in the folder, or in a private one if that path is too long or cannot stand in a URL. A name in an old
    encoding cannot.
    """
    path = folder.absolute() / name
    if len(os.fsencode(path)) <= _LONGEST_PATH and str(path).isprintable():
        return path
    return Path(tempfile.mkdtemp(prefix="kifu-")) / name
