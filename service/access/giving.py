"""Giving rights: nobody gives more than they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.access.founded import changes
from service.access.gate import current_permissions, missing_scope, require_principal
from service.access.scopes import HIDDEN, OF_A_GAME, OF_A_SEAT, PLAYER, ROLES, Scopes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.access.gate import Gate
    from service.access.invitations import Terms
    from service.access.principals import Permissions, Principal


def require_role(role: str | None, before: str | None = None) -> None:
    """Check that the caller has everything that a role on the service adds to `before`. Raises `scope-needed`."""
    who = require_principal()
    _need(_added(role, before) - who.service, who, None)


def require_role_here(role: str | None, before: str | None = None) -> None:
    """Check that the caller has everything that a role adds in this game. Raises `scope-needed`."""
    _need((_added(role, before) & OF_A_GAME) - current_permissions().scopes, require_principal(), "game")


def require_seats(seats: Iterable[int]) -> None:
    """Check that the caller may give these seats of this game. Raises `scope-needed`."""
    for seat in seats:
        _need(_missing(current_permissions(), seat), require_principal(), "game")


def may_use(gate: Gate, who: Principal, terms: Terms) -> bool:
    """Whether somebody could make this invitation, and so may know its code."""
    if terms.place is not None:
        there = gate.permissions(who, terms.place.game)
        return "games:share" in there.scopes and not _missing(there, terms.place.seat)
    within = who.credential.scopes
    if within is not None and (terms.scopes is None or not terms.scopes <= within):
        return False
    if terms.membership is not None:
        club = gate.find_club(terms.membership.club)
        return club is not None and changes(who, club.organisers)
    return "admin" in who.service


def _added(role: str | None, before: str | None) -> Scopes:
    return (ROLES[role] if role else frozenset()) - (ROLES[before] if before else frozenset())


def _missing(permissions: Permissions, seat: int) -> Scopes:
    """The scopes that the giver of a seat lacks: those of a player, and that for its hidden facts."""
    sees = permissions.see_whole_record or seat in permissions.seen
    return (PLAYER - OF_A_SEAT - permissions.scopes) | (frozenset() if sees else frozenset({HIDDEN}))


def _need(missing: Scopes, who: Principal, game: str | None) -> None:
    if missing:
        raise missing_scope(HIDDEN if HIDDEN in missing else min(missing), who, game)
