"""Games: opening them, finding them, looking at them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import EXCLUDE, Schema, ValidationError, fields, pre_load, validate, validates_schema

from events import limits
from events.types import END_OF_TEXT
from projections.analyses.kinds import KINDS as ANALYSES
from projections.catalogue.queries import ORDERS
from projections.catalogue.rows import LISTED
from service.api.schemas.fields import (
    AfterQuery,
    EventId,
    LineField,
    NameField,
    NumbersByName,
    PersonField,
    ViewSchema,
    WholeNumber,
    page,
    version,
)
from service.drawing import pictures


class SeatSchema(Schema):
    """The person in a seat: a player's id, a name, or nobody known. A new name gets an id."""

    player = EventId()
    name = NameField()

    @pre_load
    def one_of_them(self, data: Any, **_: Any) -> Any:
        """Check that a seat has an id or a name, not both."""
        if isinstance(data, dict) and "player" in data and "name" in data:
            raise ValidationError("give a player's id or a name, not both")
        return data


class OpeningSchema(Schema):
    """A game to open. Its id is the id of the event that opens it."""

    id = EventId(required=True)
    ruleset = fields.String(required=True, metadata={"description": "the name of a ruleset"})
    options = fields.Dict(keys=fields.String(), load_default=dict, metadata={"description": "options by name"})
    components = fields.Dict(load_default=None, allow_none=True, metadata={"description": "another box's components"})
    components_name = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, limits.NAME),
        metadata={"description": "in place of `components`, the name of some that were entered; they are copied"},
    )
    seats = fields.List(
        fields.Nested(SeatSchema),
        load_default=None,
        validate=validate.Length(1, limits.SEATS),
        metadata={"description": "who sits where, in the ruleset's order of seats; guests if left out"},
    )
    title = LineField(load_default="", validate=validate.Length(max=limits.LINE))
    place = LineField(load_default="", validate=validate.Length(max=limits.LINE))
    happened_at = fields.String(load_default=None, allow_none=True, metadata={"format": "date-time"})

    @validates_schema
    def one_of_them(self, data: dict[str, Any], **_: Any) -> None:
        """Check that components are either given or named."""
        if data.get("components") and data.get("components_name"):
            raise ValidationError("give components or the name of some, not both", "components_name")


AT = "the record as it stood at this version; the newest if left out"


class MomentSchema(Schema):
    """A request that can name the moment right `after` an entry."""

    @pre_load
    def older_word(self, data: Any, **_: Any) -> Any:
        """Accept `behind`, the name of `after` in the first programs."""
        if not isinstance(data, Mapping) or "behind" not in data:
            return data
        if "after" in data:
            raise ValidationError("give `after`, not `behind` as well", "behind")
        return {("after" if name == "behind" else name): value for name, value in data.items()}


class ForkSchema(MomentSchema):
    """A fork ("what if"): the id of the new game, and where it begins."""

    id = EventId(required=True)
    at = version(AT, written=False)
    after = version("no further than right after this entry", written=False)
    title = LineField(load_default="", validate=validate.Length(max=limits.LINE))


class VersionQuery(ViewSchema, MomentSchema):
    """The version or moment of a game, and the viewpoint."""

    at = version(AT, written=True)
    after = version("right after this entry, as the record counts now, or `at` that", written=True)


class MovesQuery(VersionQuery):
    """The version, the viewpoint, and whether to list moves against the rules."""

    irregular = fields.Boolean(
        load_default=False, metadata={"description": "also the moves that break a rule and can be made all the same"}
    )


class SketchQuery(VersionQuery):
    """The version, the viewpoint, and the kind of drawing."""

    colour = fields.Boolean(load_default=False, metadata={"description": "with the escape sequences of a terminal"})


class PictureQuery(VersionQuery):
    """The version, the viewpoint, and the width of the picture."""

    width = WholeNumber(
        written=True,
        load_default=pictures.WIDTH,
        validate=validate.Range(pictures.NARROWEST, pictures.WIDEST),
        metadata={"description": "pixels; a very high picture is drawn less wide"},
    )


class AnalysisSchema(ViewSchema):
    """An analysis to make."""

    kind = fields.String(required=True, validate=validate.OneOf(list(ANALYSES)))
    parameters = NumbersByName(
        load_default=dict,
        metadata={"description": "numbers by name, as the kind has them"},
    )
    at = version("an earlier version", written=False)


class AnalysesQuery(Schema):
    """A page of a game's analyses."""

    cursor = fields.String(load_default=None, metadata={"description": "`next` of the page before"})
    limit = page(20, 200)


class ComparisonQuery(ViewSchema):
    """The game to compare with, and the viewpoint."""

    with_ = EventId(load_default=None, data_key="with", metadata={"description": "the other one; a fork's origin"})


FRAME = 10_000
"""Pixels of a frame, at most."""


class OEmbedQuery(Schema):
    """The request of a site that embeds a game (oEmbed 1.0): the address of its page, and the room for it."""

    url = fields.String(required=True)
    format = fields.String(load_default="json", validate=validate.OneOf(["json", "xml"]))
    maxwidth = fields.Integer(load_default=FRAME, validate=validate.Range(min=1, max=FRAME))
    maxheight = fields.Integer(load_default=FRAME, validate=validate.Range(min=1, max=FRAME))

    class Meta:
        """Ignore parameters beyond the standard."""

        unknown = EXCLUDE


class BriefQuery(Schema):
    """Whether to leave out fields that the page of a game does not show."""

    brief = fields.Boolean(load_default=False, metadata={"description": "without what a page of games does not show"})


class TimelineQuery(AfterQuery, ViewSchema, BriefQuery):
    """A page of a game's timeline, and the viewpoint."""


class SearchQuery(Schema):
    """The games to search for."""

    q = fields.String(
        load_default="",
        validate=validate.Length(max=limits.LINE),
        metadata={"description": "part of a title, a place, a ruleset's or a player's name"},
    )
    ruleset = fields.String(load_default=None)
    status = fields.String(load_default=None, validate=validate.OneOf(LISTED))
    name = fields.String(
        load_default="",
        validate=validate.Length(max=limits.LINE),
        metadata={"description": "what was played, a whole name: of a ruleset, or the game of a score sheet"},
    )


class PeriodQuery(Schema):
    """The period of play."""

    first = fields.Date(
        load_default=None, data_key="from", metadata={"description": "only games that were played on this day or later"}
    )
    last = fields.Date(
        load_default=None, data_key="to", metadata={"description": "only games that were played on this day or earlier"}
    )


class GamesQuery(SearchQuery, PeriodQuery):
    """The games to list."""

    player = PersonField("only games with this person in a seat at any time")
    id = fields.String(
        load_default="",
        validate=validate.Regexp(f"^[0-9a-f-]{{0,36}}{END_OF_TEXT}", error="not a part of a UUID in lower case"),
        metadata={"description": "the beginning or the end of an id"},
    )
    origin = EventId(load_default=None, metadata={"description": "only forks that went off from this game"})
    forks = fields.Boolean(load_default=True, metadata={"description": "whether forks are listed, too"})
    order = fields.String(load_default="recorded", validate=validate.OneOf(ORDERS))
    cursor = fields.String(load_default=None, metadata={"description": "`next` of the page before"})
    limit = page(50, 500)
