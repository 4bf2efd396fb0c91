"""Needs: the permission that an operation asks for. Each route and page names its need in its decorator."""

from __future__ import annotations

import msgspec

from events.types import CORRECTIONS, ENTRY_ERASED, REVISION_ADOPTED, TYPES
from service.access.scopes import SCOPES


class Need(msgspec.Struct, frozen=True):
    """The permission for an operation: a scope, in the game of the request if it has one.

    `everybody`: all callers may ask, and the answer shows what they may see of games. Without a scope the answer is the
    same for all.
    """

    scope: str = ""
    besides: str = ""
    """A scope of the service that it takes, too."""
    everybody: bool = False
    known: bool = False
    """Whether every known caller is accepted, with any rights."""
    always: bool = False
    """Whether strangers are answered, too, while nobody is let in because the store of access is not believed."""

    def __post_init__(self) -> None:
        if missing := set(self.scopes) - SCOPES.keys():
            raise LookupError(f"these scopes do not exist: {missing}")

    @property
    def scopes(self) -> list[str]:
        """The scopes that a token needs."""
        return [scope for scope in (self.scope, self.besides) if scope]


def need_of(scope: str | Need) -> Need:
    """The need itself, or the need of a scope's name. Raises `LookupError` if there is no such scope."""
    return scope if isinstance(scope, Need) else Need(scope)


OPEN = Need()
"""The same answer for everybody, with or without a token."""

SEEN = Need("games:read", everybody=True)
"""For everybody, as far as they may see it. A token that is not known is refused."""

KNOWN = Need(known=True)
"""For everybody who is known here: it is about themselves."""

_CLOSING = dict.fromkeys(("game.closed", "game.reopened"), "games:close")
_RULING = dict.fromkeys(("ruling.given", "ruling.revoked", REVISION_ADOPTED), "games:rule")

ERASING = "games:erase"
"""What it needs to erase a part of an entry."""

ENTRIES: dict[str, str] = dict.fromkeys(TYPES, "games:record") | _CLOSING | _RULING | {ENTRY_ERASED: ERASING}
"""What recording an entry of each type needs."""

CORRECTING = "games:correct"
"""What it needs besides to correct an entry that somebody else recorded."""

EXPORTING = "exports:read"
"""What it needs besides to export a whole record, and not only what one may know of it."""

NAMING = "people:write"
"""What it needs to name people, and to erase their names."""

CORRECTED = CORRECTIONS - _RULING.keys()
"""The types of entries that need `CORRECTING`."""
