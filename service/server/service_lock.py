"""The service lock. Through it, other programs on this machine find the service of a data folder.

A service keeps the file `service.json` of its data folder locked as long as it runs. The system releases the lock in
any case when the process ends. So the file of a killed service is recognised. Its process id is only shown to people,
because another program may have it by now.
"""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "service.json"


class RunningService(msgspec.Struct, frozen=True):
    """A running service: its URL on this machine, and its process id."""

    url: str
    pid: int


@contextmanager
def announce(folder: Path, url: str) -> Iterator[None]:
    """Tell others that this process serves the data folder at `url`, as long as the `with` lasts.

    To be entered by the process that has the log open, or by its parent. Raises `OSError`.
    """
    path = folder / FILE
    draft = path.with_suffix(".new")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            content = msgspec.json.encode(RunningService(url, os.getpid()))
            if os.write(file, content) < len(content):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(draft))
            draft.replace(path)  # seen by others whole and locked, or not at all
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        try:
            yield
        finally:
            with suppress(OSError):  # what stays is known to be stale
                path.unlink(missing_ok=True)
    finally:
        os.close(file)


def find(folder: Path) -> RunningService | None:
    """The service that has the data folder open, if any. It may still be starting."""
    with suppress(FileNotFoundError, NotADirectoryError), (folder / FILE).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return msgspec.json.decode(file.read(), type=RunningService)
    return None
