"""Names: how those are called who recorded something, or did something else; looked up when they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.access.gate import asker, here
from service.access.store import HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.fold import Fold
    from projections.timeline import Entry
    from service.context import Context

OWNER = "owner"
"""What the log called the owner in older releases, and what an owner without a name is called."""


def names_of(context: Context, ids: Iterable[str]) -> dict[str, str]:
    """How people and apps are called, by their ids; who has no name, or none any more, is left out."""
    wanted = {id_ for id_ in ids if id_ not in {HOUSE, OWNER, ""}}
    found = context.archive.log.people.names(wanted)
    return found | {app: name for app, name in context.access.app_names(wanted - found.keys()).items() if name}


def knows_people() -> bool:
    """Whether whoever asks may know who recorded the game that the request is about."""
    who = asker()
    return "games:record" in here().scopes or (who is not None and "people:read" in who.service)


def names_in(context: Context, entries: Iterable[Entry], fold: Fold) -> dict[str, str]:
    """The names of those in some entries of a game, by their ids.

    Of those who took a seat or ruled; and of those who recorded or erased something, for whoever records here, too, or
    may know people. To others they are told as far as they sit at the table.
    """
    listed = list(entries)
    behind = {id_ for entry in listed for id_ in (entry.recorder, *(erased.by for erased in entry.erased))}
    if not knows_people():
        behind &= {player for player in fold.players if player}
    return names_of(context, behind | {entry.player for entry in listed if entry.player})
