"""The lock that keeps a second writing process out."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from typing import TYPE_CHECKING

from events.errors import LogLockedError

if TYPE_CHECKING:
    from pathlib import Path

_held: set[Path] = set()
_guard = threading.Lock()


class WriteLock:
    """Held while a log is open for writing; the system lets go of it when the process ends, however it ends.

    The lock file beside the database says the process id of the holder. POSIX locks do not bind within one process and
    would be lost with any other descriptor of the file, so this process keeps its own list as well.
    """

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock").resolve()
        with _guard:
            if self._path in _held:
                raise LogLockedError(f"this process has the log {database} open for writing already")
            self._file = self._lock(database)
            _held.add(self._path)

    def _lock(self, database: Path) -> int:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:
            holder = os.pread(file, 20, 0).decode(errors="replace").strip() or "unknown"
            os.close(file)
            if error.errno not in {errno.EACCES, errno.EAGAIN}:
                raise
            raise LogLockedError(f"process {holder} has the log {database} open for writing") from error
        return file

    def release(self) -> None:
        """Release the lock. The file stays: without it, two processes could get the lock."""
        with _guard:
            _held.discard(self._path)
            os.close(self._file)
