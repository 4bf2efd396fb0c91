"""Visibility: what the owner of an endpoint may see now."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import msgspec

from events.errors import LogError
from events.schemas import SCHEMAS
from projections.catalogue.lookups import players_of, seats_of
from projections.errors import ProjectionError
from projections.tournaments.record import Tournament
from projections.views import cursor
from service.access.founded import people_of, sees
from service.access.principals import NONE, STRANGER, principal
from service.access.reading import open_reader
from service.access.store import Credential

if TYPE_CHECKING:
    from events.kinds import Kind
    from events.merges import Merges
    from projections.archive import ReadingArchive
    from projections.clubs import Club
    from projections.seasons import Season
    from service.access.principals import Permissions, Principal
    from service.access.store import Store, Webhook

SCOPE = "webhooks:write"
"""The scope that the owner of an endpoint must have as long as it works."""


class About(msgspec.Struct, frozen=True):
    """The facts of a record for filters: its ruleset, and the ids of all its people, past ones too."""

    ruleset: str
    people: frozenset[str]


def principal_of_webhook(store: Store, merges: Merges, webhook: Webhook, now: int) -> Principal | None:
    """The principal of an endpoint; None if they may not have endpoints any more, or its credential has ended."""
    found: Credential | None
    if webhook.credential is None:
        found = Credential(
            id="", kind="ses", person=webhook.person, scopes=webhook.scopes, begun=webhook.begun, maker=webhook.maker
        )
    else:
        found = store.credential(webhook.credential)
    if found is None or not found.is_valid(now):
        return None
    who = principal(found, store, merges)
    return who if SCOPE in who.service else None


class Visibility:
    """Reads the store of access and the read models, beside the processes that write them."""

    def __init__(self, archive: ReadingArchive, database_url: str = "") -> None:
        self._archive = archive
        self._store = open_reader(archive.folder, database_url)

    @property
    def store(self) -> Store:
        """The current store. A file that was set aside is not used."""
        self._store.changed()
        return self._store

    def may_have_changed(self) -> bool:
        """Whether anything may have changed in the store since the last call."""
        return self._store.changed()

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def position(self) -> int:
        """The position up to which the read models know the seats. Later entries must wait."""
        try:
            return cursor(self._archive.views.db)[0]
        except sqlite3.DatabaseError:  # made anew at this moment
            return 0

    def facts_of(self, game: str) -> About:
        """The facts of a game for filters; empty if it is not listed."""
        found = players_of(self._archive.views.db, game)
        if found is None:
            return About("", frozenset())
        ruleset, sat = found
        return About(ruleset, self.merges().ids_of(sat))

    def record(self, kind: Kind, record: str) -> Club | Season | Tournament | None:
        """A record that is not a game; None if it cannot be read."""
        return self._archive.find_record(kind, record)

    def about_record(self, record: Club | Season | Tournament) -> About:
        """The facts of a record that is not a game, for filters."""
        ruleset = (record.ruleset or "") if isinstance(record, Tournament) else ""
        return About(ruleset, self.merges().ids_of(people_of(record, self._archive.find_club)))

    def sees_record(self, who: Principal, record: Club | Season | Tournament) -> bool:
        """Whether somebody may see a record that is not a game now."""
        return sees(who, record, self._archive.find_club)

    def may_know_entry(self, who: Principal, record: str, version: int) -> bool:
        """Whether somebody may know an entry of a record: one about a game is for those who may see the game."""
        (event,) = self._archive.log.read(record, version - 1, version)
        game = getattr(SCHEMAS.read(event), "game", None)
        return game is None or self.permissions(who, game) is not NONE

    def merges(self) -> Merges:
        """The merges of people's ids."""
        return self._archive.log.people.merges()

    def permissions(self, who: Principal, game: str) -> Permissions:
        """What somebody may do with a game now; `NONE` if they may not know of it."""
        found = who.permissions(game, lambda game, people: seats_of(self._archive.views.db, game, people))
        if found is not NONE:
            return found
        return STRANGER if self.store.level(game) != "private" else NONE

    def may_know_hash(self, permissions: Permissions, game: str) -> bool:
        """Whether somebody may know the hashes of a game: they reveal nothing hidden to them."""
        if permissions.see_whole_record:
            return True
        try:
            return self._archive.folds.fold_until_error(game).hashes_public
        except (ProjectionError, LogError):
            return False
