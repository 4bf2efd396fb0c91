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
    """Whether a checksum fits these values, by the current formula or an `older` one."""
    return checksum(values) == found or (older is not None and older(values) == found)


def by_repr(values: Sequence[Any]) -> int:
    """The older formula of rows of access, results and checkpoints."""
    return crc32(repr(tuple(values)).encode())


def by_json(values: Sequence[Any]) -> int:
    """The older formula of rows of the catalogue."""
    return crc32(msgspec.json.encode(list(values)))


def by_lines(values: Sequence[Any]) -> int:
    """The older formula of the search words of games."""
    return crc32("\0".join(map(str, values)).encode())


def by_last(values: Sequence[Any]) -> int:
    """The older formula of analyses and their pieces: only of the last column, their data."""
    return crc32(str(values[-1] or "").encode())


def no_checksum(values: Sequence[Any]) -> None:
    """The formula of rows without a checksum."""
