"""Sharing a data folder among several processes: one of them, the leader, keeps its files up to date.

The system knows who holds a lock, and lets go of it when its holder ends, however that is.
"""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

LEADER = "leader"
"""The file in a data folder that its leader has locked, and publishes facts for the others in."""

KEYS = "keys.lock"
"""The lock file in a data folder. Its bytes are keys of requests that are being answered."""

_LONGEST = 1 << 16


class FileLock:
    """A lock on a file, for all threads of all processes that use it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = threading.Lock()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock. Raises `OSError` if the file cannot be made."""
        with self._threads:
            file = _opened(self._path)
            try:
                fcntl.flock(file, fcntl.LOCK_EX)
                yield
            finally:
                os.close(file)


class Leader:
    """The leader of a data folder, seen from one of its processes, which may be the leader itself.

    Used by many threads at once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = _opened(folder / LEADER)
        self._lock = threading.Lock()
        self._leads = self._followed = False
        self._said: dict[str, Any] = {}

    @property
    def leads(self) -> bool:
        """Whether this process is the leader. If there is none, it is from now on."""
        with self._lock:
            if not self._leads:
                try:
                    fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:  # it is somebody else's
                    self._followed = True
                    return False
                self._leads = True
                self._said = self.published_facts() if self._followed else {}  # else it is from an earlier service
                self._write()
            return True

    def publish(self, name: str, what: Any) -> None:
        """Publish a fact as JSON. It replaces the one before."""
        with self._lock:
            if self._leads and self._said.get(name, ...) != what:
                self._said[name] = what
                self._write()

    def published_facts(self) -> dict[str, Any]:
        """The facts that the leader published; none while it writes them."""
        try:
            found: dict[str, Any] = msgspec.json.decode(os.pread(self._file, _LONGEST, 0), type=dict[str, Any])
        except msgspec.DecodeError:
            return {}
        return found

    def request_repair(self, what: str) -> None:
        """Ask the leader to rebuild something damaged."""
        with suppress(OSError):  # a full disk: the next reader of the damage asks again
            self._request_path(what).touch()

    def take_request(self, what: str) -> bool:
        """Whether anybody has requested this repair since the last call."""
        try:
            self._request_path(what).unlink()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Stop leading."""
        os.close(self._file)

    def _request_path(self, what: str) -> Path:
        return self._folder / f"{LEADER}.{what}"

    def _write(self) -> None:
        content = msgspec.json.encode(self._said)
        with suppress(OSError):  # a full disk: the others know less
            os.pwrite(self._file, content, 0)
            os.ftruncate(self._file, len(content))


class KeyLocks(Protocol):
    """Locks by key, for all threads in all serving processes."""

    def try_lock(self, key: bytes) -> AbstractContextManager[bool]:
        """Try to hold a key. Yields False if somebody else holds it. Raises `LogError`."""

    def close(self) -> None:
        """Release all keys."""


class FolderKeyLocks:
    """See `KeyLocks`. It is for the processes of one data folder.

    A process has one of these for a folder: with another one's file the system would take its keys away.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _opened(folder / KEYS)
        self._lock = threading.Lock()
        self._own: set[int] = set()

    @contextmanager
    def try_lock(self, key: bytes) -> Iterator[bool]:
        """Try to hold a key. Yields False if somebody else holds it."""
        place = int.from_bytes(key[:8]) >> 2  # a file ends before 2**63
        if not self._take(place):
            yield False
            return
        try:
            yield True
        finally:
            with self._lock:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, place)
                self._own.discard(place)

    def _take(self, place: int) -> bool:
        with self._lock:
            if place in self._own:
                return False
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except OSError:
                return False
            self._own.add(place)
            return True

    def close(self) -> None:
        """Release all keys."""
        os.close(self._file)


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
