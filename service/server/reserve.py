"""The reserve: disk space that is kept for a start on a full disk.

Databases cannot even be read without a little room for their indexes. The file `reserve` of the data folder holds that
room. A service that starts on a full disk removes the file, and makes another one when the disk has room again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE = "reserve"

SIZE = 1 << 20
"""Bytes of the reserve: some times what the indexes of all databases of a data folder take."""

PLENTY = 4 * SIZE
"""Bytes that a disk has free when the reserve is made."""


def use(folder: Path) -> bool:
    """Free the reserve for the start if the disk is full. True if it was freed. Raises `OSError`."""
    path = folder / FILE
    if not path.exists() or _free(folder) >= SIZE:
        return False
    path.unlink()
    return True


def keep(folder: Path) -> None:
    """Make the reserve if it is missing and the disk has room. Raises `OSError`."""
    path = folder / FILE
    if path.exists() or _free(folder) < PLENTY:
        return
    draft = path.with_suffix(".new")
    try:
        draft.write_bytes(os.urandom(SIZE))  # a file of zeros takes no room on some disks
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _free(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
