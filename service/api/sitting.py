"""What the people were called who sat at the table when an entry was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.sitting import sitter_of
from service.api.endpoints import archive
from service.languages import localized

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from projections.fold import Fold
    from service.api.answers.games import SeatInfo


def names_then(fold: Fold, seats: Sequence[SeatInfo]) -> Callable[[int, int], str]:
    """What the person was called who sat in a seat at an entry."""
    sitter, names = sitter_of(archive().folds, fold), archive().log.people.names(fold.all_players)

    def name(seat: int, entry: int) -> str:
        return names.get(sitter(seat, entry) or "") or localized(seats[seat].label)

    return name
