"""Viewpoints: the views of a game that a request may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.access.gate import current_permissions, current_principal, missing_scope
from service.access.principals import viewpoint_for, viewpoint_named
from service.access.scopes import HIDDEN, SEATS
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from games.contract import Viewpoint
    from projections.fold import Fold
    from service.access.principals import Permissions


def viewpoint_of(seat: str | None, *others: Permissions) -> Viewpoint:
    """The viewpoint of a `seat` parameter on the requested game, and on games with `others`.

    Without one, it is the best of the caller: the record, their own seat, or the public. Raises
    `token-needed`, `scope-needed`.
    """
    found = viewpoint_for(seat, current_permissions(), *others)
    if found is not None:
        return found
    who = current_principal()
    if who is None:
        raise ProblemError(
            "token-needed",
            gettext(
                "seeing the game as %(viewpoint)s requires a token", viewpoint=viewpoint_named(seat or "record").name
            ),
        )
    own = seat is not None and viewpoint_named(seat).seat in current_permissions().seats
    raise missing_scope(SEATS if own else HIDDEN, who, "game")


def check_seat(viewpoint: Viewpoint, fold: Fold) -> None:
    """Check that the game has the viewpoint's seat. Raises `bad-request`."""
    if viewpoint.seat is not None and viewpoint.seat >= fold.seats:
        message = gettext("the game has seats 0 to %(last)s", last=fold.seats - 1)
        raise ProblemError("bad-request", message, errors=[{"field": "seat", "message": message}])
