"""The event types: what the data of each holds. The rules of any game are not known here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from events import limits

END = r"$(?!\n)"
"""The end of a text, for Python and JSON Schema alike: `$` alone lets a line end stand behind it in one of them."""

Line = Annotated[str, msgspec.Meta(max_length=limits.LINE, pattern=rf"^[^\x00-\x1f\x7f-\x9f]*{END}")]
"""One line of free text: no control characters."""

_LINES = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"

Text = Annotated[str, msgspec.Meta(max_length=limits.TEXT, pattern=_LINES)]
"""Free text of several lines: no control characters but line ends and tabs."""

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=limits.REASON, pattern=_LINES)]
"""Why something stands that broke a rule."""

Uuid = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}" + END)]
Name = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]{0,39}" + END)]
Version = Annotated[int, msgspec.Meta(ge=1, le=limits.VERSION)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}" + END)]
Points = Annotated[int, msgspec.Meta(ge=-limits.POINTS, le=limits.POINTS)]

Seat = Annotated[int, msgspec.Meta(ge=0, lt=limits.SEATS)]

Entries = Annotated[list[Version], msgspec.Meta(max_length=limits.CHOSEN)]
"""Entries of the same game, by their versions."""


class SeatTaken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits in one seat. A seat without a player is a guest's; names are never here, only ids."""

    player: Uuid | None = None


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The game that a fork went off from, at which version of its record, and the hash of the entry there.

    The fork begins with all of it, or, if `behind` names an entry, with what had happened right behind that.
    """

    game: Uuid
    version: Version
    hash: Digest
    behind: Version | None = None


class GameOpened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """`game.opened`: the ruleset with its pinned revision, its options, the box's components, and the seats.

    A fork ("what if") names its `origin`.
    """

    ruleset: Name
    revision: Version
    options: dict[Name, bool | int | Line] = {}
    components: dict[str, Any] | None = None
    seats: Annotated[list[SeatTaken], msgspec.Meta(min_length=1, max_length=limits.SEATS)]
    title: Line = ""
    place: Line = ""
    origin: Origin | None = None


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a move that breaks a rule stands all the same."""

    reason: Reason


class MoveMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`move.made`: what a seat or the table did, in the words of the game's ruleset."""

    move: dict[str, Any]
    override: Override | None = None


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What all corrections share: why, and what becomes of later entries that no longer fit.

    Those in `keep` stand against the rules from now on, those in `withdraw` count no more, as long as the correction
    counts.
    """

    reason: Text = ""
    keep: Entries = []
    withdraw: Entries = []


class EntryWithdrawn(Correction, frozen=True, kw_only=True):
    """`entry.withdrawn`: the entry of that version did not happen. It stays in the record and counts no more."""

    entry: Version


class EntryReplaced(Correction, frozen=True, kw_only=True):
    """`entry.replaced`: in the place of the move of that entry, this one was made."""

    entry: Version
    move: dict[str, Any]
    override: Override | None = None


class EntryInserted(Correction, frozen=True, kw_only=True):
    """`entry.inserted`: a move that was forgotten; it was made right after the entry `after`."""

    after: Version
    move: dict[str, Any]
    override: Override | None = None


class MoveRevealed(Correction, frozen=True, kw_only=True):
    """`move.revealed`: what is known later about a move: the same move, with facts filled in that it left open."""

    entry: Version
    move: dict[str, Any]
    override: Override | None = None


class RulingGiven(Correction, frozen=True, kw_only=True):
    """`ruling.given`: what a referee decided and why; `adjustments` are what it changes, in the ruleset's words.

    One without adjustments is a house rule in words. It stands where it was given, or right after the entry `after`.
    `referee` is the person who decided, if that is not the recorder.
    """

    reason: Reason
    adjustments: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=limits.ADJUSTMENTS)] = []
    after: Version | None = None
    referee: Uuid | None = None


class RulingRevoked(Correction, frozen=True, kw_only=True):
    """`ruling.revoked`: the ruling of that entry does not stand. It stays in the record."""

    ruling: Version


class NoteAdded(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`note.added`: something worth keeping about the game, or about one entry of it; a `bookmark` marks the moment."""

    text: Annotated[Text, msgspec.Meta(min_length=1)]
    entry: Version | None = None
    bookmark: bool = False


class ClaimedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the table's own paper: points of a seat for something."""

    seat: Seat
    category: Line
    points: Points


class ScoreClaimed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`score.claimed`: what the table wrote down: a total for each seat (None: not written), or lines, or both.

    It was written after the entry `entry`; after the last one before the claim, if that is left out.
    """

    scores: Annotated[list[Points | None], msgspec.Meta(max_length=limits.SEATS)] = []
    lines: Annotated[list[ClaimedLine], msgspec.Meta(max_length=limits.LINES)] = []
    entry: Version | None = None
    text: Text = ""


class SeatChanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`seat.changed`: from here on somebody else sits in the seat, or a guest."""

    seat: Seat
    player: Uuid | None = None
    reason: Text = ""


class GameClosed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`game.closed`: the record is complete. It was played to its end, decided by a ruling, or abandoned."""

    how: Literal["finished", "adjudicated", "abandoned"]
    reason: Text = ""


class GameReopened(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`game.reopened`: the record of a closed game goes on, or is mended."""

    reason: Reason


EventData = (
    GameOpened
    | MoveMade
    | MoveRevealed
    | EntryWithdrawn
    | EntryReplaced
    | EntryInserted
    | RulingGiven
    | RulingRevoked
    | NoteAdded
    | ScoreClaimed
    | SeatChanged
    | GameClosed
    | GameReopened
)
"""The data of any event."""

TYPES: dict[str, type[EventData]] = {
    "game.opened": GameOpened,
    "move.made": MoveMade,
    "move.revealed": MoveRevealed,
    "entry.withdrawn": EntryWithdrawn,
    "entry.replaced": EntryReplaced,
    "entry.inserted": EntryInserted,
    "ruling.given": RulingGiven,
    "ruling.revoked": RulingRevoked,
    "note.added": NoteAdded,
    "score.claimed": ScoreClaimed,
    "seat.changed": SeatChanged,
    "game.closed": GameClosed,
    "game.reopened": GameReopened,
}
"""Every event type that can be appended, with the current form of its data."""
