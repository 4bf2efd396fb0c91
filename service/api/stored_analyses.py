"""Finished analyses of the current game, for pages and files that show them beside other things."""

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
    """The analysis of the current game from exactly this viewpoint; None without one."""
    if not KINDS[kind].applies(fold.ruleset):
        return None
    found = context().analyses.find_by_subject(subject_of(fold, KINDS[kind], {}, viewpoint))
    return msgspec.json.decode(found.data, type=form) if found and found.status == "done" and found.data else None
