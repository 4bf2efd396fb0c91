"""Points of view: from where a request may look at a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import PUBLIC, RECORD, Viewpoint
from service.problems import ProblemError
from service.tokens import is_owner, need_owner

if TYPE_CHECKING:
    from projections.fold import Fold


def viewpoint_of(seat: str | None) -> Viewpoint:
    """The viewpoint that a `seat` parameter names: anybody as the public, the owner from everywhere.

    Raises `token-needed`, `token-unknown`.
    """
    if seat is None:
        return RECORD if is_owner() else PUBLIC
    if seat == "public":
        return PUBLIC
    need_owner()
    return RECORD if seat == "record" else Viewpoint("seat", int(seat))


def check_seat(viewpoint: Viewpoint, fold: Fold) -> None:
    """Make sure that the game has the viewpoint's seat. Raises `bad-request`."""
    if viewpoint.seat is not None and viewpoint.seat >= fold.seats:
        message = f"the game has seats 0 to {fold.seats - 1}"
        raise ProblemError("bad-request", message, errors=[{"field": "seat", "message": message}])
