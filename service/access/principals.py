"""Principals: who asks, with which credential, and what they may do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from games.contract import PUBLIC as EVERYBODY
from games.contract import RECORD, Viewpoint
from service.access.scopes import EVERYTHING, HIDDEN, OF_A_GAME, OF_A_SEAT, PLAYER, PUBLIC, ROLES, SEATS, Scopes
from service.access.store import Credential, Link

if TYPE_CHECKING:
    from events.merges import Merges
    from service.access.store import Store

NOBODY: frozenset[int] = frozenset()

Seated = Callable[[str, frozenset[str]], frozenset[int] | None]
"""The seats that a person, who goes by these ids, has in a game; None if they never sat there."""


class Permissions(msgspec.Struct, frozen=True):
    """What somebody may do with one game; `seats` are theirs.

    With `own_seats_only` they record what those seats do, and nothing else. An app that acts for a player has their
    seats, too. It sees what is hidden there only with `seats:read`.
    """

    scopes: Scopes
    seats: frozenset[int] = NOBODY
    own_seats_only: bool = False

    @property
    def see_whole_record(self) -> bool:
        """Whether they may see the whole record."""
        return HIDDEN in self.scopes

    @property
    def seen(self) -> frozenset[int]:
        """The seats from where they may see hidden cards."""
        return self.seats if SEATS in self.scopes else NOBODY


ALL = Permissions(OF_A_GAME)
STRANGER = Permissions(PUBLIC)
NONE = Permissions(frozenset())


class GameRole(msgspec.Struct, frozen=True):
    """The role of a person in one game, if there is one, and the seats that they play."""

    role: str | None
    seats: frozenset[int] = NOBODY


class Roles(msgspec.Struct, frozen=True):
    """The role of a person on the service, if there is one, and the roles in single games."""

    service: str | None
    games: Mapping[str, GameRole]


class Principal(msgspec.Struct, frozen=True):
    """Somebody who is known here: a person, by a device, a browser, or an app that acts for them.

    An app may do what both it and its maker may do.
    """

    credential: Credential
    people: frozenset[str]
    """All ids of the person who asks: they may have been entered several times."""
    roles: Roles
    everywhere: Permissions
    """What they may do with games in which they have no role of their own."""
    service: Scopes
    """What they may do with the service as a whole."""

    @property
    def id(self) -> str:
        """Their id as a recorder in the log."""
        return self.credential.app or self.credential.person

    @property
    def person(self) -> str:
        """The person who asks, or the person behind an app."""
        return self.credential.person

    @property
    def recorders(self) -> frozenset[str]:
        """All their ids as recorders in the log."""
        return frozenset({self.credential.app}) if self.credential.app else self.people

    def can_manage(self, other: Credential) -> bool:
        """Whether they may see another credential, and end it.

        These are their own credentials: by a device, those that open no more than it; by a program, if it may make
        tokens. With the scope `admin` it is everybody's.
        """
        own = self.credential
        if "admin" in self.service:
            return True
        if other.person not in self.people:
            return False
        within = _within(other.scopes, own.scopes) and _within(other.games, own.games)
        return other.id == own.id or "tokens:write" in self.service or (own.app is None and within)

    def permissions(self, game: str, seated: Seated) -> Permissions:
        """What they may do with a game by their own rights; `NONE` without any."""
        credential, game_role = self.credential, self.roles.games.get(game)
        if credential.games is not None and game not in credential.games:
            return NONE
        if game_role is None and self.everywhere.see_whole_record and "games:record" in self.everywhere.scopes:
            return self.everywhere
        allowed = self._allowed
        scopes = _role(self.roles.service) | _role(game_role.role if game_role else None)
        seats = game_role.seats if game_role else NOBODY
        sat = seated(game, self.people)
        if sat is not None:
            scopes |= PUBLIC
            seats |= sat
        own_seats_only = bool(seats) and "games:record" not in scopes
        if seats:
            scopes |= PLAYER
        scopes &= allowed & OF_A_GAME
        if "games:read" not in scopes:
            return NONE
        return Permissions(scopes, seats, own_seats_only)

    @property
    def grantable_scopes(self) -> Scopes:
        """The scopes that they can give a program for all games. `seats:read` adds nothing without a seat."""
        return self.service | (OF_A_SEAT & self._allowed)

    def permissions_of_opener(self, permissions: Permissions) -> Permissions:
        """The permissions of the person who opened the game. A recorder who sees all of it may also share it."""
        shares = {"games:record", HIDDEN} <= permissions.scopes and "games:share" in self._allowed
        return (
            msgspec.structs.replace(permissions, scopes=permissions.scopes | {"games:share"}) if shares else permissions
        )

    @property
    def _allowed(self) -> Scopes:
        return allowed_by(self.credential)


def allowed_by(credential: Credential) -> Scopes:
    """The scopes of a credential. `hidden:read` includes `seats:read`."""
    scopes = EVERYTHING if credential.scopes is None else credential.scopes
    return scopes | OF_A_SEAT if HIDDEN in scopes else scopes


def principal(credential: Credential, store: Store, merges: Merges) -> Principal:
    """The principal of a credential. They have the rights of all their ids."""
    credential = _with_seat(credential, store)
    people = merges.ids_of([credential.person])
    roles = _joined([store.roles(person) for person in sorted(people)])
    scopes = _role(roles.service) & allowed_by(credential)
    everywhere = Permissions(scopes & OF_A_GAME) if "games:read" in scopes else NONE
    service = scopes if credential.games is None else frozenset[str]()
    return Principal(credential, people, roles, ALL if everywhere == ALL else everywhere, service)


def _with_seat(credential: Credential, store: Store) -> Credential:
    """Add `seats:read` to a browser that an older release let into a seat.

    The scopes of a player did not contain it then. A browser that logged in with a token keeps the token's scopes.
    """
    if credential.kind != "ses" or credential.scopes != PLAYER - OF_A_SEAT:
        return credential
    maker = store.credential(credential.maker)
    by_token = maker is None or maker.scopes == credential.scopes
    return credential if by_token else msgspec.structs.replace(credential, scopes=PLAYER)


def _joined(all_roles: Iterable[Roles]) -> Roles:
    """The roles of a person, joined from all their ids."""
    service: str | None = None
    games: dict[str, GameRole] = {}
    for roles in all_roles:
        service = max(service, roles.service, key=_rank)
        for game, role in roles.games.items():
            known = games.get(game, GameRole(None))
            games[game] = GameRole(max(known.role, role.role, key=_rank), known.seats | role.seats)
    return Roles(service, games)


def _rank(role: str | None) -> int:
    """The rank of a role. Each role includes the one before it."""
    return [None, *ROLES].index(role)


def _within(some: frozenset[str] | None, others: frozenset[str] | None) -> bool:
    """Whether a set is a part of another one. None stands for everything."""
    return others is None or (some is not None and some <= others)


def permissions_of_link(link: Link) -> Permissions:
    """What a share link lets people see of its game."""
    viewpoint = viewpoint_of_link(link)
    if viewpoint == RECORD:
        return Permissions(PUBLIC | {HIDDEN})
    return STRANGER if viewpoint.seat is None else Permissions(PUBLIC | OF_A_SEAT, frozenset({viewpoint.seat}))


def viewpoint_of_link(link: Link) -> Viewpoint:
    """The viewpoint of a share link."""
    return viewpoint_named(link.viewpoint)


def viewpoint_named(seat: str) -> Viewpoint:
    """The viewpoint of a name: `record`, `public`, or the number of a seat."""
    if seat in {"record", "public"}:
        return RECORD if seat == "record" else EVERYBODY
    return Viewpoint("seat", int(seat))


def viewpoint_for(seat: str | None, *standings: Permissions) -> Viewpoint | None:
    """The viewpoint of somebody with these permissions in some games; None if they may not have it.

    It is that of the `seat` that they name. Without one, it is the one that shows most: the record, their seat, or the
    public.
    """
    if NONE in standings:
        return None
    whole = all(permissions.see_whole_record for permissions in standings)
    if seat is None:
        return RECORD if whole else own_viewpoint(*standings)
    viewpoint = viewpoint_named(seat)
    return (
        viewpoint
        if viewpoint == EVERYBODY or whole or all(viewpoint.seat in permissions.seen for permissions in standings)
        else None
    )


def visible_viewpoints(permissions: Permissions) -> list[str] | None:
    """The names of the viewpoints that somebody may have of a game: public and their seats; None for all."""
    if permissions.see_whole_record:
        return None
    if permissions is NONE:
        return []
    return [EVERYBODY.name, *(Viewpoint("seat", seat).name for seat in sorted(permissions.seen))]


def own_viewpoint(*standings: Permissions) -> Viewpoint:
    """The viewpoint of somebody who may not see the whole record: their own seat, if they have one."""
    seats = frozenset.intersection(*(permissions.seen for permissions in standings))
    return Viewpoint("seat", min(seats)) if seats else EVERYBODY


def _role(name: str | None) -> Scopes:
    return ROLES[name] if name else frozenset()
