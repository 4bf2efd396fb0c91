"""The event types: what the data of each holds. The rules of any game are not known here."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

Line = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
"""One line of free text: no control characters, 200 at most."""

_LINES = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"

Text = Annotated[str, msgspec.Meta(max_length=4000, pattern=_LINES)]
"""Free text of several lines: no control characters but line ends and tabs, 4000 characters at most."""

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=1000, pattern=_LINES)]
"""Why something stands that broke a rule; 1000 characters at most."""

Uuid = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
Name = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
Version = Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class SeatTaken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits in one seat. A seat without a player is a guest's; names are never here, only ids."""

    player: Uuid | None = None


class GameOpened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """`game.opened`: the ruleset with its pinned revision, its options, the box's components, and the seats."""

    ruleset: Name
    revision: Version
    options: dict[Name, bool | int | Line] = {}
    components: dict[str, Any] | None = None
    seats: Annotated[list[SeatTaken], msgspec.Meta(min_length=1, max_length=20)]
    title: Line = ""
    place: Line = ""


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a move that breaks a rule stands all the same."""

    reason: Reason


class MoveMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`move.made`: what a seat or the table did, in the words of the game's ruleset."""

    move: dict[str, Any]
    override: Override | None = None


class EntryWithdrawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`entry.withdrawn`: the entry of that version did not happen. It stays in the record and counts no more."""

    entry: Version
    reason: Text = ""


class NoteAdded(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`note.added`: something worth keeping about the game, or about one entry of it."""

    text: Annotated[Text, msgspec.Meta(min_length=1)]
    entry: Version | None = None


EventData = GameOpened | MoveMade | EntryWithdrawn | NoteAdded
"""The data of any event."""

TYPES: dict[str, type[EventData]] = {
    "game.opened": GameOpened,
    "move.made": MoveMade,
    "entry.withdrawn": EntryWithdrawn,
    "note.added": NoteAdded,
}
"""Every event type that can be appended, with the current form of its data."""
