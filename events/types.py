"""The event types: the data of each, and its behaviour in the record of its game.

This module knows no rules of games. Moves and adjustments belong to the game's ruleset: typed for the ruleset's reader
(`Schemas.reader`), plain JSON for others.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from events import limits
from events.seals import Part

END_OF_TEXT = r"$(?!\n)"
"""The end of a text, for Python and JSON Schema alike: `$` alone lets a line end stand after it in one of them."""

OneLine = Annotated[str, msgspec.Meta(max_length=limits.LINE, pattern=rf"^[^\x00-\x1f\x7f-\x9f]*{END_OF_TEXT}")]
"""One line of free text: no control characters."""

_LINES = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"

Text = Annotated[str, msgspec.Meta(max_length=limits.TEXT, pattern=_LINES)]
"""Free text of several lines: no control characters but line ends and tabs."""

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=limits.REASON, pattern=_LINES)]
"""Why something stands that broke a rule."""

Uuid = Annotated[
    str, msgspec.Meta(pattern="^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}" + END_OF_TEXT)
]
Name = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9_]{0,39}" + END_OF_TEXT)]
Version = Annotated[int, msgspec.Meta(ge=1, le=limits.VERSION)]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}" + END_OF_TEXT)]
Points = Annotated[int, msgspec.Meta(ge=-limits.POINTS, le=limits.POINTS)]

Seat = Annotated[int, msgspec.Meta(ge=0, lt=limits.SEATS)]

Entries = Annotated[list[Version], msgspec.Meta(max_length=limits.CHOSEN)]
"""Entries of the same game, by their versions."""


class SeatTaken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player of one seat. A seat without a player is a guest's; names are never here, only ids."""

    player: Uuid | None = None


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The game that a fork went off from, at which version of its record, and the hash of the entry there.

    None is a hash that is not to be known from here. The fork begins with all of it, or, if `after` names an entry,
    with what had happened right after that. Records have `behind` as the name of `after`.
    """

    game: Uuid
    version: Version
    hash: Digest | None = None
    after: Version | None = msgspec.field(default=None, name="behind")  # as it has been stored from the beginning


M = TypeVar("M")
"""A move of the game's ruleset."""

A = TypeVar("A")
"""An adjustment of the game's ruleset."""


class Unreadable(msgspec.Struct, frozen=True):
    """Stands for a stored move or adjustment that its ruleset cannot read: the stored form, and the fault."""

    stored: Any
    path: str
    why: str


class EventData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The common base of every event's data."""

    label: ClassVar[str] = ""
    """What people call an entry of the type."""
    is_played_here: ClassVar[bool] = False
    """Whether a move is played at the event's place in the record."""
    ruleset_field: ClassVar[str] = ""
    """The field that is in the words of the ruleset, if there is one."""
    takes_back: ClassVar[bool] = False
    """Whether it takes another entry out, which then counts no more."""
    changes_all: ClassVar[bool] = False
    """Whether it changes the game from its opening on."""
    allowed_when_closed: ClassVar[bool] = False
    """Whether the record takes it even when it is closed."""
    undo_hint: ClassVar[str] = ""
    """The remedy for an entry that cannot be withdrawn, as the end of a sentence."""
    text_fields: ClassVar[tuple[str, ...]] = ()
    """The fields that are free text: they are sealed, so that they can be erased."""
    secret_fields: ClassVar[tuple[str, ...]] = ()
    """The fields, or parts of fields, that could reveal hidden facts, apart from `ruleset_field`."""
    sealed_fields: ClassVar[frozenset[str]] = frozenset()
    """The fields of these two kinds."""
    person: ClassVar[tuple[str, str] | None] = None
    """Under which field a sender can name a person in it, and which one has the person's id, if it concerns one."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.sealed_fields = frozenset({*cls.text_fields, *(path.partition(".")[0] for path in cls.secret_fields)})

    def summary(self) -> dict[str, Any]:
        """Its fields in the timeline, except moves and their effects."""
        return {}


class GameOpened(EventData, frozen=True, kw_only=True):
    """`game.opened`: the ruleset with its pinned revision, its options, the box's components, and the seats.

    A fork ("what if") names its `origin`.
    """

    label = "The game was opened"
    undo_hint = "opened the game and cannot be withdrawn"
    text_fields = ("title", "place")
    secret_fields = ("origin.hash",)

    ruleset: Name
    revision: Version
    options: dict[Name, bool | int | OneLine] = {}
    components: dict[str, Any] | None = None
    seats: Annotated[list[SeatTaken], msgspec.Meta(min_length=1, max_length=limits.SEATS)]
    title: OneLine = ""
    place: OneLine = ""
    origin: Origin | None = None


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a move that breaks a rule stands."""

    reason: Reason


class MoveMade(EventData, Generic[M], frozen=True):
    """`move.made`: what a seat or the table did, in the words of the game's ruleset."""

    label = "A move"
    is_played_here = True
    ruleset_field = "move"
    text_fields = ("override",)
    secret_fields = ("override",)

    move: M
    override: Override | None = None


class Correction(EventData, frozen=True, kw_only=True):
    """The common base of corrections: the reason, and the treatment of later entries that no longer fit.

    Entries in `keep` stand against the rules from now on. Entries in `withdraw` no longer count, as long as the
    correction counts.
    """

    text_fields: ClassVar[tuple[str, ...]] = ("reason",)
    secret_fields: ClassVar[tuple[str, ...]] = ("keep",)

    reason: Text = ""
    keep: Entries = []
    withdraw: Entries = []

    @property
    def withdrawn_entry(self) -> int | None:
        """The entry that this correction takes out."""
        return None

    @property
    def corrected_entry(self) -> int | None:
        """The entry that its move replaces, if it replaces one."""
        return None

    @property
    def inserted_after(self) -> int | None:
        """The entry right after which it stands, if not after the one recorded before it."""
        return None

    @property
    def subject(self) -> int | None:
        """The entry that it names."""
        return self.withdrawn_entry or self.corrected_entry

    @property
    def changed_entries(self) -> list[int]:
        """Every entry that the game changes from; all of them were recorded before it."""
        return [entry for entry in (self.subject, self.inserted_after, *self.withdraw) if entry is not None]

    def summary(self) -> dict[str, Any]:
        """The corrected entry, the reason, and the choices for later entries."""
        choices = {name: getattr(self, name) for name in ("keep", "withdraw")}
        return {"entry": self.subject, "after": self.inserted_after, "text": self.reason or None, **choices}


class EntryWithdrawn(Correction, frozen=True, kw_only=True):
    """`entry.withdrawn`: the entry of that version did not happen. It stays in the record and no longer counts."""

    label = "A withdrawal"
    takes_back = True

    entry: Version

    @property
    def withdrawn_entry(self) -> int:
        """The entry that did not happen."""
        return self.entry


class EntryReplaced(Correction, Generic[M], frozen=True, kw_only=True):
    """`entry.replaced`: in the place of the move of that entry, this one was made."""

    label = "A replacement"
    ruleset_field = "move"
    text_fields = ("reason", "override")
    secret_fields = ("keep", "override")

    entry: Version
    move: M
    override: Override | None = None

    @property
    def corrected_entry(self) -> int:
        """The entry that its move replaces."""
        return self.entry


class EntryInserted(Correction, Generic[M], frozen=True, kw_only=True):
    """`entry.inserted`: a move that was forgotten; it was made right after the entry `after`."""

    label = "A move that was inserted"
    is_played_here = True
    ruleset_field = "move"
    text_fields = ("reason", "override")
    secret_fields = ("keep", "override")

    after: Version
    move: M
    override: Override | None = None

    @property
    def inserted_after(self) -> int:
        """The entry right after which its move was made."""
        return self.after


class MoveRevealed(Correction, Generic[M], frozen=True, kw_only=True):
    """`move.revealed`: what is known later about a move: the same move, with facts filled in that it left open."""

    label = "Details added later"
    ruleset_field = "move"
    text_fields = ("reason", "override")
    secret_fields = ("keep", "override")

    entry: Version
    move: M
    override: Override | None = None

    @property
    def corrected_entry(self) -> int:
        """The entry with the move that it completes."""
        return self.entry


class RulingGiven(Correction, Generic[A], frozen=True, kw_only=True):
    """`ruling.given`: what a referee decided and why; `adjustments` are what it changes, in the ruleset's words.

    One without adjustments is a house rule in words. It stands where it was given, or right after the entry `after`.
    `referee` is the person who decided, if that is not the recorder.
    """

    label = "A ruling"
    ruleset_field = "adjustments"
    undo_hint = "is a ruling: revoke it"
    person = ("referee_name", "referee")

    reason: Reason
    adjustments: Annotated[list[A], msgspec.Meta(max_length=limits.ADJUSTMENTS)] = []
    after: Version | None = None
    referee: Uuid | None = None

    @property
    def inserted_after(self) -> int | None:
        """The entry right before its place, if it was given."""
        return self.after

    def summary(self) -> dict[str, Any]:
        """The place of the ruling, the reason, and the referee."""
        return super().summary() | {"player": self.referee}


class RulingRevoked(Correction, frozen=True, kw_only=True):
    """`ruling.revoked`: the ruling of that entry does not stand. It stays in the record."""

    label = "The end of a ruling"
    takes_back = True

    ruling: Version

    @property
    def withdrawn_entry(self) -> int:
        """The ruling that does not stand."""
        return self.ruling


class RevisionAdopted(Correction, frozen=True, kw_only=True):
    """`revision.adopted`: the whole game follows that revision of its rules, and no longer the one before, `from`."""

    label = "Newer rules"
    changes_all = True

    revision: Version
    from_: Version = msgspec.field(name="from")

    @property
    def changed_entries(self) -> list[int]:
        """It changes the game from its opening on."""
        return [1, *self.withdraw]

    def summary(self) -> dict[str, Any]:
        """The revision, the one before, and the reason."""
        return super().summary() | {"revision": self.revision, "from_": self.from_}


class NoteAdded(EventData, frozen=True):
    """`note.added`: something worth keeping about the game, or about one entry of it; a `bookmark` marks the moment."""

    label = "A note"
    allowed_when_closed = True
    text_fields = ("text",)

    text: Annotated[Text, msgspec.Meta(min_length=1)]
    entry: Version | None = None
    bookmark: bool = False

    def summary(self) -> dict[str, Any]:
        """The note, and what it is about."""
        return {"entry": self.entry, "text": self.text, "bookmark": self.bookmark}


class ClaimedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the table's own paper: points of a seat for something."""

    seat: Seat
    category: OneLine
    points: Points


class ScoreClaimed(EventData, frozen=True):
    """`score.claimed`: what the table wrote down: a total for each seat (None: not written), or lines, or both.

    It was written after the entry `entry`; after the last one before the claim, if that is left out.
    """

    label = "What the table wrote down"
    allowed_when_closed = True
    text_fields = ("text", "lines")

    scores: Annotated[list[Points | None], msgspec.Meta(max_length=limits.SEATS)] = []
    lines: Annotated[list[ClaimedLine], msgspec.Meta(max_length=limits.LINES)] = []
    entry: Version | None = None
    text: Text = ""

    @property
    def empty(self) -> bool:
        """Whether it has no points at all."""
        return not self.lines and all(points is None for points in self.scores)

    def summary(self) -> dict[str, Any]:
        """The content of the paper, and the time of writing."""
        claim = {name: msgspec.to_builtins(given) for name in ("scores", "lines") if (given := getattr(self, name))}
        return {"entry": self.entry, "text": self.text or None, "claim": claim}


class SeatChanged(EventData, frozen=True):
    """`seat.changed`: from here on somebody else sits in the seat, or a guest."""

    label = "A change of seats"
    person = ("name", "player")
    text_fields = ("reason",)

    seat: Seat
    player: Uuid | None = None
    reason: Text = ""

    def summary(self) -> dict[str, Any]:
        """The seat, the player, and the reason."""
        return {"seat": self.seat, "player": self.player, "text": self.reason or None}


class GameClosed(EventData, frozen=True):
    """`game.closed`: the record is complete. It was played to its end, decided by a ruling, or abandoned."""

    label = "The record was closed"
    undo_hint = "closed the game: reopen it"
    text_fields = ("reason",)

    how: Literal["finished", "adjudicated", "abandoned"]
    reason: Text = ""

    def summary(self) -> dict[str, Any]:
        """The kind of the end, and the reason."""
        return {"how": self.how, "text": self.reason or None}


class GameReopened(EventData, frozen=True):
    """`game.reopened`: the record of a closed game goes on, or is mended."""

    label = "The record was reopened"
    allowed_when_closed = True
    undo_hint = "reopened the game: close it again"
    text_fields = ("reason",)

    reason: Reason

    def summary(self) -> dict[str, Any]:
        """Why it goes on."""
        return {"text": self.reason}


Base64 = Annotated[str, msgspec.Meta(max_length=limits.KEY, pattern=r"^[A-Za-z0-9+/]+={0,2}" + END_OF_TEXT)]


class RecordSigned(EventData, frozen=True, kw_only=True):
    """`record.signed`: somebody signed the record as it stood right before, at `version`, and its entry had `hash`.

    `key` is the public key of the device, raw (an uncompressed point for P-256). `signature` signs
    `events.signing.statement`. `seat` is the seat that it was signed for; None is a spectator.
    """

    label = "A signature"
    allowed_when_closed = True
    undo_hint = "signed the record, and what was signed was signed"

    version: Version
    hash: Digest
    seat: Seat | None = None
    algorithm: Literal["ed25519", "p256"]
    key: Base64
    signature: Base64

    def summary(self) -> dict[str, Any]:
        """The seat, and the last signed entry."""
        return {"seat": self.seat, "entry": self.version}


class EntryErased(EventData, frozen=True, kw_only=True):
    """`entry.erased`: the texts of an entry, or what it hid, were erased for good; nothing of the content is here.

    Everybody can see it, so it does not say which texts there were: some have a hidden presence.
    """

    label = "An erasure"
    allowed_when_closed = True
    undo_hint = "erased something for good"
    text_fields = ("reason",)

    entry: Version
    what: Part
    reason: Text = ""

    def summary(self) -> dict[str, Any]:
        """The entry, the part of it that was erased, and why."""
        return {"entry": self.entry, "what": self.what, "text": self.reason or None}


MoveData = MoveMade[Any] | EntryReplaced[Any] | EntryInserted[Any] | MoveRevealed[Any]
"""The data of events that hold a move."""

GAME_OPENED = "game.opened"
"""The type of the first event of every game, and of no other one."""

MOVE_MADE = "move.made"
"""The type of an event that is one move."""

REVISION_ADOPTED = "revision.adopted"
"""The type of an event that moves a game on to a newer revision of its rules."""

ENTRY_ERASED = "entry.erased"
"""The type of an event that erased a part of another one. The log itself makes it."""

GAME_REOPENED = "game.reopened"
"""The type of an event after which the record of a closed game goes on."""

RECORD_SIGNED = "record.signed"
"""The type of an event that holds a signature."""

TYPES: dict[str, type[EventData]] = {
    GAME_OPENED: GameOpened,
    MOVE_MADE: MoveMade,
    "move.revealed": MoveRevealed,
    "entry.withdrawn": EntryWithdrawn,
    "entry.replaced": EntryReplaced,
    "entry.inserted": EntryInserted,
    "ruling.given": RulingGiven,
    "ruling.revoked": RulingRevoked,
    REVISION_ADOPTED: RevisionAdopted,
    "note.added": NoteAdded,
    "score.claimed": ScoreClaimed,
    "seat.changed": SeatChanged,
    "game.closed": GameClosed,
    GAME_REOPENED: GameReopened,
    RECORD_SIGNED: RecordSigned,
    ENTRY_ERASED: EntryErased,
}
"""Every event type that can be appended, with the current form of its data."""

MOVES = frozenset(name for name, form in TYPES.items() if form.is_played_here)
"""The types of events that play a move at their place."""

CORRECTIONS = frozenset(name for name, form in TYPES.items() if issubclass(form, Correction))
"""The types of events that can change what the entries before them mean."""

RULING_TYPES = frozenset({"ruling.given", "ruling.revoked"})
"""The corrections that a referee makes: rulings, and the end of one."""
