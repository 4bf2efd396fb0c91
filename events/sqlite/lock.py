"""The lock that keeps a second writing process out."""

from __future__ import annotations

import fcntl
import os
import threading
from typing import TYPE_CHECKING

from events.errors import LogLockedError, LogUnwritableError

if TYPE_CHECKING:
    from pathlib import Path

_held: set[Path] = set()
_guard = threading.Lock()


class WriteLock:
    """Held while a log is open for writing; the system lets go of it when the process ends, however it ends.

    The lock file says the process id of the holder. POSIX locks do not bind within one process and would be lost with
    any other descriptor of the file, so this process keeps its own list as well.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()
        with _guard:
            if self._path in _held:
                raise LogLockedError(f"{path} is held by this process already")
            self._file = self._lock(path)
            _held.add(self._path)

    @staticmethod
    def _lock(path: Path) -> int:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LogUnwritableError(f"{path} cannot be written: {error.strerror}") from error
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(file, 20, 0).decode(errors="replace").strip() or "unknown"
            os.close(file)
            raise LogLockedError(f"{path}: process {holder} has this log open for writing") from error
        os.ftruncate(file, 0)
        os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
        return file

    def release(self) -> None:
        """Let the next one in. The file stays: removing it would let two in."""
        with _guard:
            _held.discard(self._path)
            os.close(self._file)
