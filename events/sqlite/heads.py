"""The head file: beside the database, append-only, it says where every game's chain ended.

It is written after each commit and before its answer. So the service notices at its start that the database lost its
tail: a torn WAL, a truncated file, an older copy in its place. An index that lost a part of a game is noticed when the
game is read. A record is 64 bytes: game, version, feed position, hash, CRC-32. The last record of a game counts. A kill
can leave a torn record at the end, which is cut off.
"""

from __future__ import annotations

import errno
import logging
import os
import struct
import threading
from contextlib import closing
from typing import TYPE_CHECKING, BinaryIO
from zlib import crc32

from events import failpoints
from events.rows import ChainMark
from events.safekeeping import sync_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MAGIC = b"kifu heads 1\n".ljust(64, b"-")
"""The first record: what the file is."""

logger = logging.getLogger(__name__)

_BODY = struct.Struct(">16sIQ32s")
_RECORD = struct.Struct(">60sI")
SIZE = _RECORD.size
_CHUNK = SIZE * 4096


def heads_path(database: Path) -> Path:
    """The head file of a database."""
    return database.with_name(database.name + ".heads")


def pack(mark: ChainMark) -> bytes:
    """A record in the form of the file."""
    body = _BODY.pack(*mark)
    return _RECORD.pack(body, crc32(body))


def load(path: Path) -> tuple[dict[bytes, ChainMark], list[str]]:
    """The last mark of every game, and the faults of the file. Without a file there are no marks."""
    with closing(Heads(path)) as heads:
        return {mark.game: mark for mark in heads}, heads.problems


class Heads:
    """The head file as it is read, by any process, while it grows. Safe to share between threads.

    The file is written after the commit: what it says is in the database already, for everybody who looks there
    later. `problems` are the faults of the file.
    """

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO | None = None  # kept open, so that its number cannot become that of another one
        self._path = path
        self._lock = threading.Lock()
        self._place = 0, 0
        self._closed = False
        self._bodies: dict[bytes, bytes] = {}
        self._position = 0
        self.problems: list[str] = []
        self._follow()

    def __iter__(self) -> Iterator[ChainMark]:
        """The last mark of every game."""
        self._follow()
        return (ChainMark(*_BODY.unpack(body)) for body in list(self._bodies.values()))

    def find(self, game: bytes) -> ChainMark | None:
        """A lower bound for the end of a game's chain, if it was noted."""
        self._follow()
        body = self._bodies.get(game)
        return None if body is None else ChainMark(*_BODY.unpack(body))

    @property
    def position(self) -> int:
        """The highest feed position in the file."""
        self._follow()
        return self._position

    def close(self) -> None:
        """Close the file. Everything that was read of it stays."""
        with self._lock:
            self._closed = True
            if self._file:
                self._file.close()

    def __del__(self) -> None:
        if self._file:  # of a log that nobody closed: its connections close by themselves, too
            self._file.close()

    def _follow(self) -> None:
        """Read the new part of the file; all of it, if it was replaced. A missing file keeps its last content."""
        try:
            found = os.stat(self._path)  # noqa: PTH116 - asked with every read of a game
        except FileNotFoundError:
            return
        if (found.st_ino, found.st_size // SIZE * SIZE) != self._place:
            with self._lock:
                if not self._closed:
                    self._read(found.st_ino)

    def _read(self, number: int) -> None:
        file, (known, end), bodies = self._file, self._place, self._bodies
        if file is None or number != known:
            try:
                file, end, bodies = self._path.open("rb"), SIZE, {}
            except FileNotFoundError:
                return
            number = os.fstat(file.fileno()).st_ino
            if file.read(SIZE) != MAGIC:
                self.problems.append(f"{self._path.name} does not begin like a head file")
        file.seek(end)
        for record in _records(file):
            body, checksum = _RECORD.unpack(record)
            if crc32(body) == checksum:
                _, _, position, _ = _BODY.unpack(body)
                bodies[body[:16]], self._position = body, max(self._position, position)
            else:
                self.problems.append(f"{self._path.name}: record {end // SIZE} does not fit its checksum")
            end += SIZE
        if self._file and self._file is not file:
            self._file.close()
        self._file, self._place, self._bodies = file, (number, end), bodies


def _records(file: BinaryIO) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        for start in range(0, len(chunk) - SIZE + 1, SIZE):
            yield chunk[start : start + SIZE]


def write(path: Path, marks: Iterable[ChainMark]) -> int:
    """Make a head file with one record a game, or replace the present one atomically. Returns its length."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(MAGIC)
        for mark in marks:
            file.write(pack(mark))
        file.flush()
        os.fsync(file.fileno())
        length = file.tell()
    failpoints.reach("heads.compacted")
    fresh.replace(path)
    sync_folder(path.parent)
    return length


class HeadFile:
    """The head file, open for appending. Not thread-safe: only the writer uses it.

    Records that could not be written (a full disk) are owed, and written before anything else. `identity` distinguishes
    the open file from any other one.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, str(path)
        self._open()
        self._end = os.fstat(self._file).st_size // SIZE * SIZE
        os.ftruncate(self._file, self._end)
        self._owed: list[bytes] = []

    def _open(self) -> None:
        self._file = os.open(self.path, os.O_RDWR | os.O_CLOEXEC)
        found = os.fstat(self._file)
        self.identity = found.st_dev, found.st_ino

    @property
    def records(self) -> int:
        """How many records the file holds."""
        return self._end // SIZE - 1

    def add(self, marks: Iterable[ChainMark]) -> None:
        """Add marks and try to write them. If the disk is full, they stay pending."""
        self._owed += map(pack, marks)
        try:
            self.write_pending()
        except OSError as error:
            logger.warning("%s: %d heads are owed: %s", self.path, len(self._owed), error)

    def write_pending(self) -> None:
        """Write the pending marks. Raises `OSError`; they then stay pending."""
        if not self._owed:
            return
        records = b"".join(self._owed)
        written = os.pwrite(self._file, records, self._end)
        if written != len(records):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        self._end += written
        self._owed.clear()

    def sync(self) -> None:
        """Force the file to disk. Raises `OSError`."""
        self.write_pending()
        os.fdatasync(self._file)

    def compact(self) -> None:
        """Shrink the file to the last record of every game. Raises `OSError`, and then the file is as it was."""
        self.write_pending()
        marks, _ = load(self.path)
        self._end = write(self.path, marks.values())
        os.close(self._file)
        self._open()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
