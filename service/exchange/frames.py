"""Pictures of a board, one per entry, packed: each as the changes from the picture before."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

Change = tuple[int, int, list[int]]
"""A position in the picture before, the number of parts removed there, and the numbers of the parts inserted."""

_PART = re.compile(r"<[^>]*>[^<]*(?:</[^>]*>[^<]*)*")
_HEIGHT = re.compile(r'(?<= y=")(?:0|[1-9][0-9]*)(?=")')


class Frames(msgspec.Struct, frozen=True):
    """Parts of SVG documents, and for each document its changes from the one before. The first is complete.

    A height in a part (`y="172"`) is written as its distance from the height before it in the document (`y="<72"`).
    So a line of a table that moves up is the same part as before. No value in SVG has a `<` of its own.
    """

    parts: list[str]
    frames: list[list[Change]]


def pack_pictures(pictures: Iterable[str]) -> Frames:
    """Pack similar SVG documents."""
    numbers: dict[str, int] = {}
    frames, before = list[list[Change]](), list[int]()
    for picture in pictures:
        parts = [numbers.setdefault(part, len(numbers)) for part in _parts(picture)]
        frames.append(_changes(before, parts))
        before = parts
    return Frames(list(numbers), frames)


def _parts(picture: str) -> list[str]:
    """The parts of a picture, with distances in place of heights."""
    heights = [0, *map(int, _HEIGHT.findall(picture))]
    distances = (f"<{height - before}" for before, height in pairwise(heights))
    return [_HEIGHT.sub(lambda _: next(distances), part) for part in _PART.findall(picture)]


def _changes(before: list[int], after: list[int]) -> list[Change]:
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(start, end - start, after[first:last]) for what, start, end, first, last in found if what != "equal"]
