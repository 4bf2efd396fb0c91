"""The names of the people who sat at the table at the time of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from projections.sitting import sitter_of
from service.api.endpoints import archive
from service.languages import localized

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from projections.fold import Fold
    from service.api.answers.games import SeatInfo


def names_then(fold: Fold, seats: Sequence[SeatInfo]) -> Callable[[int, int], str]:
    """A function for the name of the person in a seat at an entry."""
    sitter, names = sitter_of(archive().folds, fold), archive().log.people.names(fold.all_players)

    def name(seat: int, entry: int) -> str:
        return names.get(sitter(seat, entry) or "") or localized(seats[seat].label)

    return name


def seats_then(seats: Sequence[SeatInfo], name: Callable[[int, int], str], entry: int) -> list[SeatInfo]:
    """The seats with the names of the people who sat there at an entry."""
    return [msgspec.structs.replace(seat, name=name(seat.seat, entry)) for seat in seats]
