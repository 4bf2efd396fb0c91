"""Points of view: from where a request may look at a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.contract import PUBLIC, RECORD, Viewpoint
from service.access.gate import asker, here, lacking
from service.problems import ProblemError

if TYPE_CHECKING:
    from projections.fold import Fold
    from service.access.principals import Standing

HIDDEN = "hidden:read"


def viewpoint_of(seat: str | None, *others: Standing) -> Viewpoint:
    """The viewpoint that a `seat` parameter names on the game that is asked for, and on games with `others`.

    Without one, all that whoever asks may see: the record, their own seat, or what the public may. Raises
    `token-needed`, `scope-needed`.
    """
    standings = (here(), *others)
    whole = all(standing.whole for standing in standings)
    if seat is None:
        return RECORD if whole else own_viewpoint(*standings)
    if seat == "public":
        return PUBLIC
    viewpoint = RECORD if seat == "record" else Viewpoint("seat", int(seat))
    if whole or all(viewpoint.seat in standing.seats for standing in standings):
        return viewpoint
    who = asker()
    if who is None:
        raise ProblemError("token-needed", f"to see the game as {viewpoint.name} needs a token")
    raise lacking(HIDDEN, who, "game")


def own_viewpoint(*standings: Standing) -> Viewpoint:
    """All that somebody may see of games of which the whole record is not for them: from their own seat, if any."""
    seats = frozenset.intersection(*(standing.seats for standing in standings))
    return Viewpoint("seat", min(seats)) if seats else PUBLIC


def check_seat(viewpoint: Viewpoint, fold: Fold) -> None:
    """Make sure that the game has the viewpoint's seat. Raises `bad-request`."""
    if viewpoint.seat is not None and viewpoint.seat >= fold.seats:
        message = f"the game has seats 0 to {fold.seats - 1}"
        raise ProblemError("bad-request", message, errors=[{"field": "seat", "message": message}])
