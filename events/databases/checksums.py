"""The checksum of a row: one formula for all small databases, and those by which older releases wrote rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

import msgspec

Formula = Callable[[Sequence[Any]], int | None]
"""Gives the checksum of the values of a row."""


def checksum(values: Sequence[Any]) -> int:
    """The CRC-32 of the values in their order.

    They are written in ASCII: which other characters are printable depends on the version of Python.
    """
    return crc32(ascii(tuple(values)).encode())


def is_sound(values: Sequence[Any], found: Any, older: Formula | None = None) -> bool:
    """Whether values are those that a checksum was made of, by the formula of today or an `older` one."""
    return checksum(values) == found or (older is not None and older(values) == found)


def by_repr(values: Sequence[Any]) -> int:
    """As rows of access, results and checkpoints were summed."""
    return crc32(repr(tuple(values)).encode())


def by_json(values: Sequence[Any]) -> int:
    """As rows of the catalogue were summed."""
    return crc32(msgspec.json.encode(list(values)))


def by_lines(values: Sequence[Any]) -> int:
    """As what a game is found by was summed."""
    return crc32("\0".join(map(str, values)).encode())


def by_last(values: Sequence[Any]) -> int:
    """As analyses and their pieces were summed: by their data alone, which is the last column."""
    return crc32(str(values[-1] or "").encode())


def unsummed(values: Sequence[Any]) -> None:
    """As rows were written that had no checksum."""
