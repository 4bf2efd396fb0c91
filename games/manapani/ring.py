"""The layout of a track of any length, drawn as a ring around a table."""

from __future__ import annotations

from typing import NamedTuple


class Ring(NamedTuple):
    """A grid of columns and rows. Only the cells at its edge are squares of the track."""

    columns: int
    rows: int

    @classmethod
    def for_squares(cls, squares: int, most: int) -> Ring:
        """The ring for a number of squares: as wide as high, but with `most` columns at most."""
        columns = max(2, min(most, (squares + 5) // 4))
        return cls(columns, max(2, -(-(squares - 2 * columns) // 2) + 2))

    def cell(self, place: int) -> tuple[int, int]:
        """The column and row of a square. Place 0 is at the bottom right; play goes clockwise."""
        columns, rows = self
        if place < columns:
            return columns - 1 - place, rows - 1
        place -= columns
        if place < rows - 1:
            return 0, rows - 2 - place
        place -= rows - 1
        if place < columns - 1:
            return place + 1, 0
        return columns - 1, place - (columns - 1) + 1
