"""Clubs: their fold, and the list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from events.clubs import (
    ClubChanged,
    ClubFounded,
    ClubWithdrawn,
    GameAttached,
    GameDetached,
    HouseRulesSet,
    MemberJoined,
    MemberLeft,
    Role,
)
from events.errors import BadEventError
from projections.founded import read_entries
from projections.views import CLUBS_TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlite_utils import Database

    from events.event import Event
    from events.types import EventData


class Club(msgspec.Struct, kw_only=True):
    """A club by its entries. `members` are roles by person, `withdrawn` the entries that do not count.

    `named` are all people who were ever in it, with the last entry about each. Seasons and tournaments have it, too.
    """

    id: str
    name: str
    description: str
    public: bool
    founded_at: int
    version: int = 1
    members: dict[str, Role] = {}
    rules: dict[str, HouseRulesSet] = {}
    games: list[str] = []
    withdrawn: frozenset[int] = frozenset()
    named: dict[str, int] = {}

    @property
    def organisers(self) -> frozenset[str]:
        """The people who may change it."""
        return frozenset(player for player, role in self.members.items() if role == "organiser")


def fold_club(events: Sequence[Event]) -> Club:
    """The club of these entries. Raises `BadEventError` for the first one that does not fit, with its place in them."""
    first, (opened, withdrawn, named, counting) = events[0], read_entries(events, ClubWithdrawn)
    if not isinstance(opened, ClubFounded):
        raise BadEventError(0, "type", "it is not the record of a club")
    club = Club(
        id=first.game,
        name=opened.name,
        description=opened.description,
        public=opened.public,
        founded_at=first.recorded_at,
        version=len(events),
        members={opened.founder: "organiser"},
        withdrawn=withdrawn,
        named=named,
    )
    for index, data in counting:
        _apply(club, index, data)
    return club


def _apply(club: Club, index: int, data: EventData) -> None:
    match data:
        case ClubChanged():
            club.name = club.name if data.name is None else data.name
            club.description = club.description if data.description is None else data.description
            club.public = club.public if data.public is None else data.public
        case MemberJoined():
            if club.members.get(data.player) == data.role:
                raise BadEventError(index, "data.player", "this person is a member with this role already")
            club.members[data.player] = data.role
            _check_organisers(club, index)
        case MemberLeft():
            if club.members.pop(data.player, None) is None:
                raise BadEventError(index, "data.player", "this person is not a member")
            _check_organisers(club, index)
        case HouseRulesSet():
            club.rules[data.ruleset] = data
        case GameAttached() | GameDetached():
            _change_games(club, index, data)


def _change_games(club: Club, index: int, data: GameAttached | GameDetached) -> None:
    attached = isinstance(data, GameAttached)
    if (data.game in club.games) == attached:
        why = "this game already belongs to the club" if attached else "this game does not belong to the club"
        raise BadEventError(index, "data.game", why)
    if attached:
        club.games.append(data.game)
    else:
        club.games.remove(data.game)


def _check_organisers(club: Club, index: int) -> None:
    if not club.organisers:
        raise BadEventError(
            index, "data.role" if club.members else "data.player", "a club must keep at least one organiser"
        )


def list_clubs(db: Database, clubs: Iterable[str]) -> None:
    """List these records, which are not games: clubs, seasons and tournaments."""
    db.conn.executemany(f"insert or ignore into {CLUBS_TABLE} (club) values (?)", [(club,) for club in clubs])


def clubs_in(db: Database) -> list[str]:
    """The ids of all clubs, and of all other records that are not games."""
    return [club for (club,) in db.execute(f"select club from {CLUBS_TABLE} order by club").fetchall()]
