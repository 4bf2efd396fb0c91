"""Giving: nobody lets anybody do, or see, more than they may themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.access.gate import here, known_asker, lacking
from service.access.scopes import HIDDEN, OF_A_GAME, OF_A_SEAT, PLAYER, ROLES, Scopes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.access.invitations import Terms
    from service.access.principals import Principal, Standing


def need_role(role: str | None, before: str | None = None) -> None:
    """See that whoever asks has all that a role on the service adds to the one `before`. Raises `scope-needed`."""
    who = known_asker()
    _need(_added(role, before) - who.service, who, None)


def need_role_here(role: str | None, before: str | None = None) -> None:
    """See that whoever asks has all that a role adds in the game that the request is about. Raises `scope-needed`."""
    _need((_added(role, before) & OF_A_GAME) - here().scopes, known_asker(), "game")


def need_seats(seats: Iterable[int]) -> None:
    """See that whoever asks may let somebody play these seats of the game. Raises `scope-needed`."""
    for seat in seats:
        _need(_missing(here(), seat), known_asker(), "game")


def may_use(who: Principal, terms: Terms, there: Standing | None) -> bool:
    """Whether somebody could make such an invitation, and so may know its code.

    `there` is what they may do in the game of its seat, if it is to one.
    """
    if terms.place is not None:
        return there is not None and "games:share" in there.scopes and not _missing(there, terms.place.seat)
    within = who.credential.scopes
    return "admin" in who.service and (within is None or (terms.scopes is not None and terms.scopes <= within))


def _added(role: str | None, before: str | None) -> Scopes:
    return (ROLES[role] if role else frozenset()) - (ROLES[before] if before else frozenset())


def _missing(standing: Standing, seat: int) -> Scopes:
    """What somebody lacks to let others play a seat: what a player may do, and to see what is hidden there."""
    sees = standing.whole or seat in standing.seen
    return (PLAYER - OF_A_SEAT - standing.scopes) | (frozenset() if sees else frozenset({HIDDEN}))


def _need(missing: Scopes, who: Principal, game: str | None) -> None:
    if missing:
        raise lacking(HIDDEN if HIDDEN in missing else min(missing), who, game)
