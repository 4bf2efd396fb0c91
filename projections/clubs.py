"""Clubs: what their entries say, and which clubs there are."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import msgspec

from events.clubs import (
    CLUB_FOUNDED,
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
from events.schemas import SCHEMAS
from projections.views import CLUBS_TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlite_utils import Database

    from events.event import Event
    from events.log import LogReader
    from events.types import EventData


class Club(msgspec.Struct, kw_only=True):
    """A club as its entries have it. `members` are roles by person, `withdrawn` the entries that do not count."""

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

    @property
    def organisers(self) -> frozenset[str]:
        """The people who may change it."""
        return frozenset(player for player, role in self.members.items() if role == "organiser")


def fold_club(events: Sequence[Event]) -> Club:
    """The club of these entries. Raises `BadEventError` for the first one that does not fit, with its place in them."""
    found = [SCHEMAS.read(event) for event in events]
    withdrawn = _withdrawn(found)
    opened, first = found[0], events[0]
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
    )
    for index, data in enumerate(found[1:], 1):
        if index + 1 not in withdrawn:
            _apply(club, index, data)
    return club


def _withdrawn(found: Sequence[EventData]) -> frozenset[int]:
    """The entries that do not count: a withdrawal that is withdrawn itself takes nothing out."""
    out = set[int]()
    for index in range(len(found) - 1, -1, -1):
        data = found[index]
        if isinstance(data, ClubWithdrawn) and index + 1 not in out:
            if not 1 < data.entry <= index:
                raise BadEventError(index, "data.entry", f"it is one of entries 2 to {index}")
            if data.entry in out:
                raise BadEventError(index, "data.entry", f"entry {data.entry} does not count already")
            out.add(data.entry)
    return frozenset(out)


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
        why = "this game is one of the club's already" if attached else "this game is not one of the club's"
        raise BadEventError(index, "data.game", why)
    if attached:
        club.games.append(data.game)
    else:
        club.games.remove(data.game)


def _check_organisers(club: Club, index: int) -> None:
    if not club.organisers:
        raise BadEventError(index, "data.role" if club.members else "data.player", "a club keeps an organiser")


class Clubs:
    """The clubs of a log, as they are now. Safe to share between threads."""

    def __init__(self, log: LogReader) -> None:
        self._log = log
        self._known: dict[str, tuple[str, Club]] = {}
        self._lock = threading.Lock()

    def find(self, club: str) -> Club | None:
        """A club; None if there is none of this id. Raises `DamagedError`."""
        head = self._log.head(club)
        known = self._known.get(club)
        if head is None or (known and known[0] == head.hash):
            return known[1] if head and known else None
        first = self._log.find(club, club)
        if first is None or first.type != CLUB_FOUNDED:
            return None
        folded = fold_club(list(self._log.read(club, 0, head.version)))
        with self._lock:
            self._known[club] = head.hash, folded
        return folded


def list_clubs(db: Database, clubs: Iterable[str]) -> None:
    """Note that these clubs exist."""
    db.conn.executemany(f"insert or ignore into {CLUBS_TABLE} (club) values (?)", [(club,) for club in clubs])


def clubs_in(db: Database) -> list[str]:
    """The ids of all clubs."""
    return [club for (club,) in db.execute(f"select club from {CLUBS_TABLE} order by club").fetchall()]
