"""Small files with secrets: written whole or not at all, and readable by their owner only."""

from __future__ import annotations

import errno
import logging
import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

PRIVATE = 0o600

logger = logging.getLogger(__name__)


class NotAFileError(OSError):
    """A pipe, a device or the like is where a file should be."""


NO_FILE = 0, 0


def identity(path: Path | str) -> tuple[int, int]:
    """The identity of the file at a path; `NO_FILE` if there is none. The path as text is found sooner."""
    try:
        found = os.stat(path)  # noqa: PTH116 - asked with every commit
    except OSError:
        return NO_FILE
    return found.st_dev, found.st_ino


def put(path: Path, content: bytes) -> None:
    """Replace the content of a file, and force it to disk. Raises `OSError`."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)  # left by a process that was killed
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
    try:
        _write(descriptor, content)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def put_once(path: Path, content: bytes) -> None:
    """Write a new file, unless there is one of that name. Raises `OSError`."""
    descriptor, draft = mkstemp(prefix=path.name, dir=path.parent)  # for nobody but the owner, too
    try:
        _write(descriptor, content)
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        Path(draft).unlink()
    sync_folder(path.parent)


def _write(descriptor: int, content: bytes) -> None:
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make the names of new and renamed files in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def get(path: Path, longest: int) -> bytes:
    """The first `longest` bytes of a file; empty without a file. Other users lose their right to read it.

    Raises `OSError`: `IsADirectoryError` for a folder, `NotAFileError` for a device or a pipe.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise NotAFileError(errno.EINVAL, "it is not a file", str(path))
        if mode & 0o077:
            _make_private(path, descriptor)
        return file.read(longest)


def _make_private(path: Path, descriptor: int) -> None:
    try:
        os.fchmod(descriptor, PRIVATE)
    except OSError as error:
        logger.warning("%s can be read by others, and that cannot be changed: %s", path, error.strerror)
