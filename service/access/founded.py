"""Who sees clubs, seasons and tournaments, and who changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.clubs import Club
from projections.seasons import Season
from service.access.principals import allowed_by

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from projections.tournaments.record import Tournament
    from service.access.principals import Principal

    FindClub = Callable[[str], Club | None]


def sees(who: Principal | None, record: Club | Season | Tournament, find_club: FindClub) -> bool:
    """Whether somebody may see a record: a public one, one of their own, or any as an administrator.

    Everybody who sees a club sees its seasons.
    """
    if isinstance(record, Season):
        club = find_club(record.club)
        return club is not None and sees(who, club, find_club)
    return record.public or _is_let_in(who, "games:read", people_of(record, find_club))


def changes(who: Principal | None, organisers: Collection[str], scope: str = "games:open") -> bool:
    """Whether somebody may change a record: an organiser or an administrator, with a credential that has the scope."""
    return _is_let_in(who, scope, organisers)


def people_of(record: Club | Season | Tournament, find_club: FindClub) -> frozenset[str]:
    """The people of a record: members, players, organisers. A club's members belong to its seasons, too."""
    if isinstance(record, Club):
        return frozenset(record.members)
    club = find_club(record.club) if record.club else None
    own = frozenset[str]() if isinstance(record, Season) else record.people
    return own | people_of(club, find_club) if club else own


def _is_let_in(who: Principal | None, scope: str, people: Collection[str]) -> bool:
    """Whether the caller is one of these people or an administrator, with a credential for all games and this scope."""
    if who is None or who.credential.games is not None or scope not in allowed_by(who.credential):
        return False
    return "admin" in who.service or not who.people.isdisjoint(people)
