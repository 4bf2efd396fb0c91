"""How an analysis is told, by an answer or by a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from events.event import timestamp
from service.answers import AnalysisInfo
from service.languages import plain

if TYPE_CHECKING:
    from workers.analyses import Analysis


def told(analysis: Analysis, *, whole: bool, with_result: bool = False) -> AnalysisInfo:
    """How far an analysis is, to whoever may see the `whole` record, or not.

    Why it failed can tell of what the record hides, so the others are told only that it did.
    """
    subject, why = analysis.subject, "it cannot be made"
    return AnalysisInfo(
        id=analysis.id,
        game=subject.game,
        version=subject.version,
        kind=subject.kind,
        parameters=msgspec.json.decode(subject.parameters),
        viewpoint=subject.viewpoint,
        revision=subject.revision,
        asked_at=timestamp(analysis.asked_at),
        status=analysis.status,
        done=analysis.done,
        planned=analysis.planned,
        cause=plain.told(analysis.cause if whole or not analysis.cause else why),
        result=msgspec.json.decode(analysis.data) if with_result and analysis.data else None,
    )
