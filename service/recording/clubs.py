"""Clubs: founding one, and recording in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.clubs import CLUB_FOUNDED, HouseRulesSet
from events.errors import BadEventError
from games.rulesets import RULESETS
from projections.clubs import fold_club
from service.recording.founded import found_record, record_in

if TYPE_CHECKING:
    from events.event import NewEvent
    from events.types import EventData
    from projections.archive import Archive


def found_club(archive: Archive, club: str, data: dict[str, Any], *, recorder: str) -> None:
    """Found a club. Safe to repeat. Raises `BadEventError`, `IdReusedError`, `LogFullError`."""
    found_record(archive, club, CLUB_FOUNDED, data, recorder=recorder)


def record_in_club(archive: Archive, club: str, event: NewEvent, *, recorder: str) -> int:
    """Record an entry in a club; its version. Safe to repeat. Raises as `found_club`, and `BadOpeningError`."""
    return record_in(archive, club, event, fold_club, recorder=recorder, check=_check_rules)


def _check_rules(data: EventData) -> None:
    if not isinstance(data, HouseRulesSet):
        return
    ruleset = RULESETS.get(data.ruleset)
    if ruleset is None:
        raise BadEventError(0, "data.ruleset", f"unknown; there are {', '.join(RULESETS)}")
    ruleset.check_options(dict(data.options))
