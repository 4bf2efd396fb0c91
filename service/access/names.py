"""Names: how those are called who recorded something, or did something else; looked up when they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.access.store import HOUSE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from service.context import Context

OWNER = "owner"
"""What the log called the owner in older releases."""


def names_of(context: Context, ids: Iterable[str]) -> dict[str, str]:
    """How people and apps are called, by their ids; who has no name, or none any more, is left out."""
    wanted = {id_ for id_ in ids if id_ not in {HOUSE, OWNER, ""}}
    found = context.archive.log.people.names(wanted)
    return found | {app: name for app, name in context.access.app_names(wanted - found.keys()).items() if name}
