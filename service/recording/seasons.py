"""Seasons: creating one, and recording in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.entries import check_event
from events.errors import BadEventError
from events.event import NewEvent
from events.seasons import SEASON_FOUNDED, SeasonChanged, SeasonFounded
from games.rulesets import RULESETS
from projections.seasons import check_season_rules, fold_season
from service.recording.founded import found_record, record_in

if TYPE_CHECKING:
    from events.types import EventData
    from projections.archive import Archive


def found_season(archive: Archive, season: str, data: dict[str, Any], *, recorder: str) -> None:
    """Create a season. Safe to repeat. Raises `BadEventError`, `IdReusedError`, `LogFullError`."""
    _check(check_event(0, NewEvent(id=season, type=SEASON_FOUNDED, data=data)).data)
    found_record(archive, season, SEASON_FOUNDED, data, recorder=recorder)


def record_in_season(archive: Archive, season: str, event: NewEvent, *, recorder: str) -> int:
    """Record an entry in a season. Returns its version. Safe to repeat. Raises as `found_season`."""
    return record_in(archive, season, event, fold_season, recorder=recorder, check=_check)


def _check(data: EventData) -> None:
    """Check that the kind of game is known here. Raises `BadEventError`."""
    if not isinstance(data, SeasonFounded | SeasonChanged) or data.rules is None:
        return
    check_season_rules(data.rules)
    if data.rules.kind and data.rules.kind.partition("/")[0] not in RULESETS:
        raise BadEventError(0, "data.rules.kind", f"unknown; choose one of {', '.join(RULESETS)}")
