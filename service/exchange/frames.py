"""Pictures of a board, one per entry, packed: each as the changes from the picture before."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

Change = tuple[int, int, list[int]]
"""A position in the picture before, the number of parts removed there, and the numbers of the parts inserted."""

_PART = re.compile(r"<[^>]*>[^<]*")


class Frames(msgspec.Struct, frozen=True):
    """Parts of SVG documents, and for each document its changes from the one before. The first is complete."""

    parts: list[str]
    frames: list[list[Change]]


def pack_pictures(pictures: Iterable[str]) -> Frames:
    """Pack similar SVG documents."""
    numbers: dict[str, int] = {}
    frames, before = list[list[Change]](), list[int]()
    for picture in pictures:
        parts = [numbers.setdefault(part, len(numbers)) for part in _PART.findall(picture)]
        frames.append(_changes(before, parts))
        before = parts
    return Frames(list(numbers), frames)


def _changes(before: list[int], after: list[int]) -> list[Change]:
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(start, end - start, after[first:last]) for what, start, end, first, last in found if what != "equal"]
