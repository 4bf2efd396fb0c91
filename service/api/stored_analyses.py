"""Analyses that were made of a game as it stands, for what shows them along with other things."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from projections.analyses.kinds import KINDS
from service.api.endpoints import context
from workers.analysing import subject_of

if TYPE_CHECKING:
    from games.contract import Viewpoint
    from projections.fold import Fold

T = TypeVar("T")


def stored_analysis(fold: Fold, kind: str, viewpoint: Viewpoint, form: type[T]) -> T | None:
    """The analysis of a game as it stands, from this viewpoint and no other; None if it was not made."""
    if not KINDS[kind].applies(fold.ruleset):
        return None
    found = context().analyses.same(subject_of(fold, KINDS[kind], {}, viewpoint))
    return msgspec.json.decode(found.data, type=form) if found and found.status == "done" and found.data else None
