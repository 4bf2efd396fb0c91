"""The form of an analysis in answers and streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.event import timestamp
from service.languages import plain

if TYPE_CHECKING:
    from workers.analyses import Analysis


class AnalysisInfo(msgspec.Struct, frozen=True, kw_only=True):
    """An analysis of a game at a version, from a viewpoint, under a revision of the kind, the rules and the policy.

    `status` is `waiting`, `running`, `done`, `failed` or `cancelled`; `done` of `planned` units of work are done.
    `result` has the form of its kind. `cause` is why it failed. A `timeline` or `review` is told in `words`.
    """

    id: str
    game: str
    version: int
    kind: str
    parameters: dict[str, int]
    viewpoint: str
    revision: str
    asked_at: str
    status: str
    done: int
    planned: int
    cause: str
    result: dict[str, Any] | None = None
    words: list[str] = []


def analysis_info(analysis: Analysis, *, whole: bool, with_result: bool = False) -> AnalysisInfo:
    """The progress of an analysis, also for readers who may not see the `whole` record.

    Only those who may see it learn why the analysis failed, because the reason can reveal hidden facts.
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
        cause=plain.translated(analysis.cause if whole or not analysis.cause else why),
        result=msgspec.json.decode(analysis.data) if with_result and analysis.data else None,
    )
