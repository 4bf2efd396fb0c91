"""Drawings for a terminal: lines of characters. The ink of a character shows its owner."""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLUMNS = 80
"""The width of a terminal."""
_NARROWEST = 20
"""The least room for a text beside its name, also where that makes the line wider than a terminal."""

Ink = int | Literal["faint"] | None
"""The colour of a seat, faint for mere orientation, or plain."""


class Span(msgspec.Struct, frozen=True):
    """Characters in one ink. Different inks must also be different characters."""

    text: str
    ink: Ink = None


Sketch = list[list[Span]]
"""A drawing, line by line."""


class Canvas:
    """A sheet of character cells that grows with its content."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], tuple[str, Ink]] = {}

    def write(self, row: int, column: int, text: str, ink: Ink = None) -> None:
        """Put text on the sheet, over everything that is there."""
        for offset, character in enumerate(text):
            self._cells[row, column + offset] = character, ink

    def connect(self, start: tuple[int, int], end: tuple[int, int], dot: str, ink: Ink = None) -> None:
        """Draw a straight line of dots between two cells `(row, column)`, which stay as they are."""
        rows, columns = end[0] - start[0], end[1] - start[1]
        steps = max(abs(rows), abs(columns) // 2)  # a cell is about twice as high as wide
        for step in range(1, steps):
            part = step / steps
            self.write(round(start[0] + rows * part), round(start[1] + columns * part), dot, ink)

    def sketch(self) -> Sketch:
        """Everything that was written."""
        height = max((row for row, _ in self._cells), default=-1) + 1
        return [self._line(row) for row in range(height)]

    def _line(self, row: int) -> list[Span]:
        width = max((column for line, column in self._cells if line == row), default=-1) + 1
        cells = (self._cells.get((row, column), (" ", None)) for column in range(width))
        return [Span("".join(cell[0] for cell in run), ink) for ink, run in groupby(cells, lambda cell: cell[1])]


def fitted(words: Sequence[str], room: int) -> str:
    """As many of the words as fit, and a sign for the omitted ones."""
    line = " ".join(words)
    return line if len(line) <= room else f"{line[: room - 1].rpartition(' ')[0]} …"


def as_text(sketch: Sketch) -> str:
    """The drawing without its inks."""
    return "".join("".join(span.text for span in line).rstrip() + "\n" for line in sketch)


def sketch_of(description: dict[str, Any]) -> Sketch:
    """A described state as indented lines, for a ruleset that has no drawing of its own."""
    return list(_outlined(description, ""))


def _outlined(value: dict[str, Any], indent: str) -> Iterator[list[Span]]:
    width = max(map(len, value), default=0)
    for name, inner in value.items():
        if isinstance(inner, dict) and inner:
            yield [Span(f"{indent}{name}", "faint")]
            yield from _outlined(inner, indent + "  ")
        else:
            head, text = f"{indent}{name:<{width}}  ", _worded(inner)
            room = max(_NARROWEST, COLUMNS - len(head))
            first, *more = wrap(text, room) if len(text) > room else [text]
            yield [Span(head, "faint"), Span(first)]
            yield from ([Span(" " * len(head)), Span(line)] for line in more)


def _worded(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(_worded, value)) or "-"
        case dict():
            return ", ".join(f"{name} {_worded(inner)}" for name, inner in value.items()) or "-"
        case _:
            return str(value)
