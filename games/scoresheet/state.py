"""A score sheet at one moment."""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec

from games.contract import Outcome, State
from games.scoresheet.components import Number, Template, read_template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.contract import JSON, Viewpoint
    from games.scoresheet.components import Column


class Cell(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What stands in a cell, since which entry and moment, and what stood there before if it was changed."""

    value: Number
    version: int
    moment: int
    was: Number | None = None


class Adjustment(msgspec.Struct, frozen=True):
    """Points beside the columns: a bonus, a penalty, or what somebody joined with."""

    side: int
    points: int
    reason: str
    rule: str
    version: int
    moment: int


class Ending(msgspec.Struct, frozen=True):
    """The entry that ended the game, its result if all played together, and the outcome if a ruling brought it."""

    version: int
    moment: int
    result: Literal["won", "lost"] | None = None
    ruled: Outcome | None = None


class ScoresheetState(State):
    """The sheet with all that was entered. A side is a seat, or a team of them; `members` are its seats.

    `cells` holds lines of cells, side by side, by their names: `r3 points`, or `wood` for a column of the whole game;
    the line of a shared column has one cell. `rounds` is the last round in which something stands, `points` what each
    side has from entered columns and adjustments. A side has to fill in its cells from round `since` on; `out` are the
    seats that dropped out. `moment` counts the entries that changed something, as they happened, and `newest` is the
    version of the last of them: one that was inserted happened before others with lower versions.
    """

    template: Template
    members: list[list[int]]
    side_of: list[int]
    cells: dict[str, tuple[Cell | None, ...]]
    rounds: int
    points: list[int]
    adjustments: list[Adjustment]
    since: list[int]
    out: list[int]
    ending: Ending | None  # type: ignore[assignment]
    moment: int
    newest: int

    @classmethod
    def new(cls, template: Template, seats: int) -> ScoresheetState:
        """An empty sheet. Raises `BadOpeningError` if the template does not fit so many seats."""
        members = template.sides(seats)
        template.last_round(len(members))
        return cls(
            template=template,
            members=members,
            side_of=[next(side for side, team in enumerate(members) if seat in team) for seat in range(seats)],
            cells={},
            rounds=0,
            points=[0] * len(members),
            adjustments=[],
            since=[1] * len(members),
            out=[],
            ending=None,
            moment=0,
            newest=-1,
        )

    def now(self) -> int:
        """The moment of the present entry, which changes something."""
        if self.version != self.newest:
            self.newest = self.version
            self.moment += 1
        return self.moment

    @property
    def sides(self) -> int:
        """How many sides there are."""
        return len(self.members)

    @property
    def last(self) -> int:
        """The round after which none can come."""
        return self.template.last_round(self.sides)

    def cell(self, column: Column, number: int | None, side: int) -> Cell | None:
        """What stands in a column (of round `number`) for a side."""
        line = self.cells.get(line_name(column.id, number))
        return line[0 if column.shared else side] if line else None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.side_of)

    def plays(self, side: int) -> bool:
        """Whether any of the side's seats has not dropped out."""
        return any(seat not in self.out for seat in self.members[side])

    def begun(self) -> list[int]:
        """The rounds in which something stands."""
        names = [column.id for column in self.template.entered if column.per == "round"]
        return [
            number
            for number in range(1, self.rounds + 1)
            if any(line_name(name, number) in self.cells for name in names)
        ]

    def has_begun(self, side: int) -> bool:
        """Whether something stands in a cell of the side's own."""
        own = [column for column in self.template.entered if not column.shared]
        numbers = {"round": range(1, self.rounds + 1), "game": (None,)}
        return any(self.cell(column, number, side) for column in own for number in numbers[column.per])

    def obliged(self, side: int, number: int | None) -> bool:
        """Whether the side has to fill in its cells (of round `number`)."""
        return self.plays(side) and (number is None or number >= self.since[side])

    def missing(self, last: int) -> Iterator[tuple[Column, int | None, int]]:
        """The empty cells that are due: column, round and side, in the order of the sheet.

        They are those of the rounds up to the `last` one, and of the columns without rounds.
        """
        for place in [*range(1, last + 1), None]:
            for column in self.template.entered:
                if (column.per == "round") == (place is not None):
                    yield from ((column, place, side) for side in self.empty(column, place))

    def empty(self, column: Column, number: int | None) -> Iterator[int]:
        """The sides whose cells in a line are empty and due; 0 for the shared cell."""
        line = self.cells.get(line_name(column.id, number))
        if column.shared:
            if line is None:
                yield 0
            return
        for side in range(self.sides):
            if (line is None or line[side] is None) and self.obliged(side, number):
                yield side

    def due(self, column: Column, without: int | None = None) -> int | None:
        """The round in which the column is to be filled in next, not counting one side; None without rounds."""
        if column.per == "game":
            return None
        for number in range(1, self.rounds + 1):
            if any(side != without for side in self.empty(column, number)):
                return number
        return self.rounds + 1


@lru_cache(maxsize=4096)
def line_name(column: str, number: int | None) -> str:
    """What a line of cells is called: `r3 points`, or `wood`."""
    return column if number is None else f"r{number} {column}"


def line_title(column: Column, number: int | None) -> str:
    """What a line of cells is called in words: `Round 3, points`, or `Wood`."""
    return f"{column.title[:1].upper()}{column.title[1:]}" if number is None else f"Round {number}, {column.title}"


def copy_state(state: ScoresheetState) -> ScoresheetState:
    """An independent copy. The template, the lines and the sides never change and are shared."""
    twin = copy.copy(state)
    twin.cells = state.cells.copy()
    twin.points = state.points.copy()
    twin.adjustments = state.adjustments.copy()
    twin.since = state.since.copy()
    twin.out = state.out.copy()
    return twin


def view(state: ScoresheetState, viewpoint: Viewpoint) -> ScoresheetState:  # noqa: ARG001
    """A copy: a score sheet lies open to everybody."""
    return copy_state(state)


def load(data: JSON) -> ScoresheetState:
    """The state that `dump` wrote."""
    state = msgspec.convert(data, ScoresheetState)
    state.template = read_template(data["template"])
    return state
