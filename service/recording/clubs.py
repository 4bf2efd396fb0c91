"""Clubs: creating one, and recording in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.clubs import CLUB_FOUNDED, HouseRulesSet
from events.errors import BadEventError
from events.event import NewEvent
from games.rulesets import RULESETS
from projections.clubs import fold_club
from service.recording.founded import found_record, record_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.types import EventData
    from projections.archive import Archive
    from service.access.sessions import NewMember


def found_club(archive: Archive, club: str, data: dict[str, Any], *, recorder: str) -> None:
    """Create a club. Safe to repeat. Raises `BadEventError`, `IdReusedError`, `LogFullError`."""
    found_record(archive, club, CLUB_FOUNDED, data, recorder=recorder)


def record_in_club(
    archive: Archive, club: str, event: NewEvent, *, recorder: str, more: Sequence[NewEvent] = ()
) -> int:
    """Record an entry in a club, with those that follow from it. Returns its version. Safe to repeat.

    Raises as `found_club`, and `BadOpeningError`.
    """
    return record_in(archive, club, event, fold_club, recorder=recorder, check=_check_rules, more=more)


def join_club(archive: Archive, member: NewMember) -> None:
    """Record that somebody joined a club by an invitation, and who made it. Raises as `record_in_club`.

    The entry has the id of the invitation. A member gets at most another role, and an organiser stays one.
    """
    club, role = archive.clubs.find(member.membership.club), member.membership.role
    roles = {player: club.members[player] for player in sorted(member.people) if player in club.members} if club else {}
    if {role, "organiser"}.isdisjoint(roles.values()):
        data = {"player": next(iter(roles), member.person), "role": role}
        event = NewEvent(id=member.id, type="club.member_joined", data=data)
        record_in_club(archive, member.membership.club, event, recorder=member.by)


def _check_rules(data: EventData) -> None:
    if not isinstance(data, HouseRulesSet):
        return
    ruleset = RULESETS.get(data.ruleset)
    if ruleset is None:
        raise BadEventError(0, "data.ruleset", f"unknown; choose one of {', '.join(RULESETS)}")
    ruleset.check_options(dict(data.options))
