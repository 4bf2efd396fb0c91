"""Rights: what a listener may see now, and its viewpoint. Earlier rights do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.errors import LogError
from events.event import now_ms
from projections.errors import ProjectionError
from service.access.founded import sees
from service.access.names import may_know
from service.access.principals import NONE, STRANGER, permissions_of_link, principal, viewpoint_for, visible_viewpoints

if TYPE_CHECKING:
    from collections.abc import Callable

    from events.merges import Merges
    from games.contract import Viewpoint
    from projections.clubs import Club
    from projections.folds import Folds
    from projections.seasons import Season
    from projections.tournaments.record import Tournament
    from service.access.founded import FindClub
    from service.access.principals import Permissions, Principal
    from service.access.reading import StoreReader
    from service.access.store import Level
    from service.server.orders import Subscription


class Rights:
    """The rights of listeners, from the store of access and the seats of games. `renew` it before each use."""

    def __init__(self, store: StoreReader, folds: Folds, merges: Callable[[], Merges]) -> None:
        self._store, self._folds, self._merges = store, folds, merges
        self._principals: dict[str, Principal | None] = {}
        self._levels: dict[str, Level] = {}
        self._seated: dict[tuple[str, frozenset[str]], frozenset[int] | None] = {}
        self._now = 0

    def renew(self) -> bool:
        """Read what has changed since. True if anything has."""
        self._now = now_ms()
        self._seated = {}
        changed = self._store.changed()
        if changed:
            self._principals, self._levels = {}, {}
        return changed

    def viewpoint(self, subscription: Subscription, game: str) -> Viewpoint | None:
        """The viewpoint of a game; None if the listener may not know of it."""
        return viewpoint_for(subscription.seat, self._standing(subscription, game))

    def viewpoint_in_list(self, subscription: Subscription, game: str) -> Viewpoint | None:
        """The viewpoint of a game in a list, which has only the reader's own games and public ones."""
        own = self._own(subscription, game)
        if own is NONE and self._level(game) == "public":
            own = STRANGER
        return viewpoint_for(subscription.seat, own)

    def sees(self, subscription: Subscription, game: str, viewpoint: str) -> bool:
        """Whether results about a game from this viewpoint may be seen."""
        allowed = visible_viewpoints(self._standing(subscription, game))
        return allowed is None or viewpoint in allowed

    def sees_entry(
        self, subscription: Subscription, record: Club | Season | Tournament, game: str | None, find_club: FindClub
    ) -> bool:
        """Whether an entry of a record that is not a game may be known: one about a `game`, if that may be seen."""
        who = self._principal(subscription.credential) if subscription.credential else None
        return sees(who, record, find_club) and (game is None or self._standing(subscription, game) is not NONE)

    def sees_all(self, subscription: Subscription, game: str) -> bool:
        """Whether the whole record of a game may be seen."""
        return self._standing(subscription, game).see_whole_record

    def knows_people(self, subscription: Subscription, game: str) -> bool:
        """Whether somebody may know who recorded a game that they may see."""
        return may_know(
            self._standing(subscription, game),
            self._principal(subscription.credential) if subscription.credential else None,
        )

    def holds(self, subscription: Subscription) -> bool:
        """Whether the credential or link of a subscription is still valid."""
        return subscription.credential is None or self._principal(subscription.credential) is not None

    def _standing(self, subscription: Subscription, game: str) -> Permissions:
        if subscription.link is not None:
            return self._shared(subscription.link, game)
        if not self.holds(subscription):
            return NONE
        own = self._own(subscription, game)
        return STRANGER if own is NONE and self._level(game) != "private" else own

    def _own(self, subscription: Subscription, game: str) -> Permissions:
        who = self._principal(subscription.credential) if subscription.credential else None
        return who.permissions(game, self._seats) if who else NONE

    def _shared(self, link: str, game: str) -> Permissions:
        found = next((each for each in self._store.links(game) if each.id == link), None)
        return permissions_of_link(found) if found and found.is_valid(self._now) and found.at is None else NONE

    def _principal(self, credential: str) -> Principal | None:
        if credential not in self._principals:
            found = self._store.credential(credential)
            self._principals[credential] = principal(found, self._store, self._merges()) if found else None
        who = self._principals[credential]
        return who if who and who.credential.is_valid(self._now) else None

    def _level(self, game: str) -> Level:
        if game not in self._levels:
            self._levels[game] = self._store.level(game)
        return self._levels[game]

    def _seats(self, game: str, people: frozenset[str]) -> frozenset[int] | None:
        key = game, people
        if key not in self._seated:
            self._seated[key] = self._sits(game, people)
        return self._seated[key]

    def _sits(self, game: str, people: frozenset[str]) -> frozenset[int] | None:
        try:
            fold = self._folds.fold_until_error(game)
        except (LogError, ProjectionError):
            return None
        if people.isdisjoint(fold.all_players):
            return None
        return frozenset(seat for seat, player in enumerate(fold.players) if player in people)
