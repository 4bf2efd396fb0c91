"""The head of the chain of changes, outside of the database: a small file beside it, and a line of the signed tree.

The file is written after the commit of a change, before its answer: so it is never ahead of a sound store. It holds the
same line twice, and is written over in place, which takes no room on a full disk. The line of the tree is what a
copy of the whole of `access*` cannot put back: of both, the higher one judges.
"""

from __future__ import annotations

import fcntl
import os
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from typing import TYPE_CHECKING
from zlib import crc32

from events import safekeeping
from service.access.chain import NOTHING, Mark

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from events.tree.tree import Tree

HEAD = "access.head"
"""The file in a data folder."""

_RECORD = re.compile(rb"(\d{20} [0-9a-f]{64}) ([0-9a-f]{8})\n")
"""A line of the file: number, hash, CRC-32 of both."""

_LONGEST = 1024
"""Bytes of the file that are looked at."""

LINE = "kifu.access/v1"
"""How the line of a checkpoint begins that names the head."""


class HeadFile:
    """The head in a data folder. Any number of processes may write it: it never goes back."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / HEAD

    @property
    def stamp(self) -> tuple[int, int]:
        """A stamp that changes with every write of the file."""
        try:
            found = self.path.stat()
        except OSError:
            return 0, 0
        return found.st_ino, found.st_mtime_ns

    def read(self) -> Mark | None:
        """The head; None without a file, or if the file holds no head. Raises `OSError` if it cannot be read."""
        try:
            return _parsed(self.path.read_bytes())
        except FileNotFoundError:
            return None

    def put(self, mark: Mark) -> None:
        """Store a head on disk, unless the file has a higher one. Raises `OSError`."""
        begins = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, safekeeping.PRIVATE)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            known = _parsed(os.pread(file, _LONGEST, 0))
            if known is None or known.number < mark.number:
                os.pwrite(file, 2 * _record(mark), 0)
                os.fdatasync(file)
        finally:
            os.close(file)
        if begins:
            safekeeping.sync_folder(self.path.parent)


def line_of(mark: Mark) -> str:
    """The checkpoint line for a head."""
    return f"{LINE} {mark.number} {b64encode(mark.hash).decode()}"


def head_in(lines: Iterable[str]) -> Mark:
    """The head in the lines of a checkpoint; `NOTHING` without one."""
    for line in lines:
        match line.split(" "):
            case [begin, number, hash_] if begin == LINE and number.isdecimal():
                try:
                    return Mark(int(number), b64decode(hash_, validate=True))
                except (Base64Error, ValueError):
                    continue
    return NOTHING


def signed_head(tree: Tree) -> Mark:
    """The last head that was signed with the tree over the log; `NOTHING` without one."""
    return head_in(tree.signed.checkpoint.more) if tree.signed else NOTHING


def _record(mark: Mark) -> bytes:
    record = f"{mark.number:020d} {mark.hash.hex()}".encode()
    return record + f" {crc32(record):08x}\n".encode()


def _parsed(content: bytes) -> Mark | None:
    """The head in a file, from either of its two lines."""
    for record, checksum in _RECORD.findall(content):
        if crc32(record) == int(checksum, 16):
            number, hash_ = record.decode().split(" ")
            return Mark(int(number), bytes.fromhex(hash_))
    return None
