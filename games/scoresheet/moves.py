"""What a recorder of a score sheet enters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from games.adjustments import SEATS
from games.contract import Move
from games.scoresheet.components import ROUNDS, Name, Number

if TYPE_CHECKING:
    from games.contract import Viewpoint

Seat = Annotated[int, msgspec.Meta(ge=0, lt=SEATS)]
Round = Annotated[int, msgspec.Meta(ge=1, le=ROUNDS)]
Points = Annotated[int, msgspec.Meta(ge=-(10**9), le=10**9)]
Reason = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=100,
        pattern=r"^[^\s\x00-\x1f\x7f!;]([^\x00-\x1f\x7f!;\u2028\u2029\x85]*[^\s!;])?$(?!\n)",
    ),
]
"""One line, without the signs that part a move from what is said about it."""


class TableMove(Move, frozen=True, kw_only=True):
    """A move of the table."""

    seat: None = None


class SeatMove(Move, frozen=True, kw_only=True):
    """A move of a player."""

    seat: Seat


class Line(TableMove, frozen=True, kw_only=True, tag="line"):
    """A column is filled in for all sides in their order, or in the one cell that they share.

    None is a value that is not known yet: that cell stays as it is.
    """

    column: Name
    round: Round | None = None
    values: Annotated[tuple[Number | None, ...], msgspec.Meta(min_length=1, max_length=SEATS)]


class Enter(SeatMove, frozen=True, kw_only=True, tag="enter"):
    """One cell is filled in, or changed: that of the seat, or of its team."""

    column: Name
    round: Round | None = None
    value: Number


class Adjust(SeatMove, frozen=True, kw_only=True, tag="adjust"):
    """A bonus, or a penalty if `points` is less than nothing, and what it is for."""

    points: Points
    reason: Reason


class Leave(SeatMove, frozen=True, kw_only=True, tag="leave"):
    """A player drops out."""


class Join(SeatMove, frozen=True, kw_only=True, tag="join"):
    """A player joins late, or again, with some points."""

    points: Points = 0


class Decide(TableMove, frozen=True, kw_only=True, tag="decide"):
    """All who played together have won or lost."""

    result: Literal["won", "lost"]


class Finish(TableMove, frozen=True, kw_only=True, tag="finish"):
    """The game is over: whoever is ahead by the sheet has won."""


ScoresheetMove = Line | Enter | Adjust | Leave | Join | Decide | Finish


def seen(move: ScoresheetMove, viewpoint: Viewpoint) -> ScoresheetMove:  # noqa: ARG001
    """The move as it looked from there: nothing on a score sheet is hidden."""
    return move
