"""Entries to record and to read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from marshmallow import Schema, fields, post_load, validate

from events import limits
from events.types import END_OF_TEXT, ENTRY_ERASED, TYPES
from service.api.schemas.fields import (
    UUID,
    AfterQuery,
    DryRunQuery,
    EventId,
    FeedCursor,
    QuickSchema,
    Viewpoint,
    ViewSchema,
    WholeNumber,
    page,
    version,
)
from service.recording.judging import Draft

RECORDED = tuple(name for name in TYPES if name not in {"game.opened", ENTRY_ERASED})
"""The types of entries that are recorded in a game; opening it and erasing have operations of their own."""


class DraftSchema(Schema):
    """An entry to record. The move in `data.move` is an object of the ruleset, or a line of its notation."""

    id = EventId(required=True)
    type = fields.String(
        load_default="move.made",
        validate=validate.OneOf(RECORDED),
        metadata={"description": "what kind of entry"},
    )
    data = fields.Dict(keys=fields.String(), required=True, metadata={"description": "what the type of entry holds"})
    happened_at = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"format": "date-time", "description": "the table's clock, with an offset"},
    )

    @post_load
    def draft(self, data: dict[str, Any], **_: Any) -> Draft:
        """The typed entry."""
        return Draft(**data)


class SentDraft(Draft, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A valid entry in the form of the request: see `DraftSchema`."""

    id: Annotated[str, msgspec.Meta(pattern=f"^{UUID}{END_OF_TEXT}")]
    type: Literal[RECORDED] = "move.made"  # type: ignore[valid-type]


class SentEntries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Valid entries in the form of the request: see `EntriesSchema`."""

    events: Annotated[list[SentDraft], msgspec.Meta(min_length=1, max_length=limits.BATCH)]


class EntriesSchema(QuickSchema):
    """The entries of one request for one game, stored all or none."""

    quick = SentEntries
    events = fields.List(fields.Nested(DraftSchema), required=True, validate=validate.Length(1, limits.BATCH))


class RecordingQuery(DryRunQuery):
    """Whether to store, and the viewpoint of the answer."""

    look = Viewpoint(
        load_default=None,
        metadata={"description": "`record`, `public` or a seat: answer from there what is asked for next, too"},
    )


class FeedQuery(Schema):
    """A page of the feed."""

    after = FeedCursor(load_default=0, metadata={"description": "`next` of the answer before"})
    limit = page(200, 1000)


LONGEST_WAIT = 30
"""Seconds that a request may wait for an entry."""


class BeforeQuery(Schema):
    """A page of a list that begins with the newest version."""

    before = version("versions below this one", written=True)
    limit = page(20, 200)


class EntriesQuery(AfterQuery):
    """A page of a game's entries. The request can wait for new ones."""

    wait = WholeNumber(
        written=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_WAIT),
        metadata={"description": "seconds to wait for an entry where there is none"},
    )


class FollowAllQuery(Schema):
    """Where a stream continues."""

    last_event_id = fields.String(
        load_default=None,
        metadata={"description": "after this event, or `earliest`; `Last-Event-ID` counts before it"},
    )


class FollowQuery(FollowAllQuery, ViewSchema):
    """Where the stream of a game continues, and its viewpoint."""


class ErasureSchema(Schema):
    """The entry and the part of it to erase."""

    entry = WholeNumber(
        written=False,
        required=True,
        validate=validate.Range(1, limits.VERSION),
        metadata={"description": "the entry's version"},
    )
    what = fields.String(
        required=True,
        validate=validate.OneOf(["text", "hidden"]),
        metadata={"description": "its free text, or what not everybody may know of it"},
    )
    reason = fields.String(
        load_default="",
        validate=validate.Length(max=limits.TEXT),
        metadata={"description": "why it is erased; this text can be erased, too"},
    )
