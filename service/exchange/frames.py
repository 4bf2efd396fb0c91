"""Pictures of a board, one per entry, packed: each as the changes from the picture before."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Change = tuple[int, int, list[int]]
"""The number of parts kept since the last change, the number removed after them, and the parts inserted there.

An inserted part is 0 if it is the next one that no picture had before. Else it is the distance back from that one.
"""
Replaced = tuple[range, range]
"""The places in the parts of a picture, and those in the next picture that replace them."""

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
        known = len(numbers)
        parts = [numbers.setdefault(part, len(numbers)) for part in _parts(picture)]
        frames.append(list(_changes(before, parts, known)))
        before = parts
    return Frames(list(numbers), frames)


def _parts(picture: str) -> list[str]:
    """The parts of a picture, with distances in place of heights."""
    heights = [0, *map(int, _HEIGHT.findall(picture))]
    distances = (f"<{height - before}" for before, height in pairwise(heights))
    return [_HEIGHT.sub(lambda _: next(distances), part) if ' y="' in part else part for part in _PART.findall(picture)]


def _changes(before: list[int], after: list[int], known: int) -> Iterator[Change]:
    """The changes from one picture to the next. Parts from the number `known` on are new."""
    end = 0
    for old, new in _replaced(before, after, range(len(before)), range(len(after))):
        inserted = list[int]()
        for part in after[new.start : new.stop]:
            inserted.append(known - part)
            known += part == known
        yield old.start - end, len(old), inserted
        end = old.stop


def _replaced(before: list[int], after: list[int], old: range, new: range) -> Iterator[Replaced]:
    """The differences between two ranges of parts (a patience diff).

    Parts that occur once in both ranges divide them, until the parts in between are the same or all different.
    `difflib` takes ten times as long, because most parts of a sheet occur in many places.
    """
    start = _common(before, after, old, new)
    old, new = old[start:], new[start:]
    end = _common(before, after, old[::-1], new[::-1])
    old, new = old[: len(old) - end], new[: len(new) - end]
    if not old and not new:
        return
    pairs = _pairs(before, after, old, new)
    if not pairs:
        yield old, new
        return
    for (first, one), (last, other) in pairwise([(old.start, new.start), *pairs, (old.stop, new.stop)]):
        if before[first:last] != after[one:other]:
            yield from _replaced(before, after, range(first, last), range(one, other))


def _common(before: list[int], after: list[int], old: range, new: range) -> int:
    """The number of parts at the beginning of both ranges that are the same."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if before[one] != after[other]), min(len(old), len(new)))


def _pairs(before: list[int], after: list[int], old: range, new: range) -> list[tuple[int, int]]:
    """The places of parts that occur once in both ranges: the most of them that are in the same order."""
    places = _single(before, old)
    both = [(places[part], place) for part, place in _single(after, new).items() if part in places]
    ends, lengths = list[int](), list[int]()
    for place, _ in both:
        length = bisect(ends, place)
        ends[length : length + 1] = [place]
        lengths.append(length)
    found, wanted = list[tuple[int, int]](), len(ends) - 1
    for pair, length in zip(reversed(both), reversed(lengths), strict=True):
        if length == wanted:
            found.append(pair)
            wanted -= 1
    return found[::-1]


def _single(parts: list[int], places: range) -> dict[int, int]:
    """The places of parts that occur once in a range, in their order."""
    counts = Counter(parts[places.start : places.stop])
    return {parts[place]: place for place in places if counts[parts[place]] == 1}
