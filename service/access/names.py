"""Names: how those are called who recorded something, or did something else; looked up when they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from service.access.store import HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.archive import ReadingArchive
    from projections.timeline import Entry
    from service.access.store import Store

OWNER = "owner"
"""What the log called the owner in older releases."""


class Known(Protocol):
    """Where names are found: those of people in an archive, those of apps in a store of access."""

    @property
    def archive(self) -> ReadingArchive:
        """The archive."""

    @property
    def access(self) -> Store:
        """The store of access."""


def names_of(known: Known, ids: Iterable[str]) -> dict[str, str]:
    """How people and apps are called, by their ids; who has no name, or none any more, is left out."""
    wanted = {id_ for id_ in ids if id_ not in {HOUSE, OWNER, ""}}
    found = known.archive.log.people.names(wanted)
    return found | {app: name for app, name in known.access.app_names(wanted - found.keys()).items() if name}


def people_in(entry: Entry) -> Iterator[str]:
    """Who took a seat or ruled in an entry, who recorded it, and who erased something of it."""
    yield entry.recorder
    yield from (erased.by for erased in entry.erased)
    if entry.player:
        yield entry.player
