"""People: names, merges, statistics and ratings."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from events import limits
from projections.statistics.behind import is_about
from service.api.schemas.fields import EventId, NameField, Truth, WholeNumber, page
from service.api.schemas.games import PeriodQuery


class NameSchema(Schema):
    """A person's name."""

    name = NameField(required=True)


class ListingSchema(Schema):
    """Whether a person is in public tables."""

    listed = Truth(required=True)


class MergeSchema(Schema):
    """The person to merge into."""

    into = EventId(required=True)


class MergeQuery(Schema):
    """The person to preview a merge into."""

    into = EventId(load_default="", metadata={"description": "the person who would be kept; required"})


class RatingsQuery(Schema):
    """The games to rate."""

    kind = fields.String(
        load_default=None, metadata={"description": "a ruleset, or a score sheet as `scoresheet/UNO`; all if left out"}
    )


class StatisticsQuery(RatingsQuery, PeriodQuery):
    """The games of a person that count."""

    players = fields.Integer(
        load_default=None, validate=validate.Range(1, limits.SEATS), metadata={"description": "number of seats"}
    )


class SelectionQuery(StatisticsQuery):
    """The games of the statistics."""

    player = EventId(load_default=None, metadata={"description": "the person to look at"})
    other = EventId(load_default=None, data_key="with", metadata={"description": "only games with this person, too"})
    club = EventId(load_default=None, metadata={"description": "only games of this club"})
    place = fields.String(
        load_default="", validate=validate.Length(max=limits.LINE), metadata={"description": "only games at this place"}
    )


class YearQuery(Schema):
    """The year that is reviewed, of a person, a club or everybody. The last one with games if it is left out."""

    year = WholeNumber(written=True, load_default=None, validate=validate.Range(1, 9999))
    player = EventId(load_default=None, metadata={"description": "the person to look at"})
    club = EventId(load_default=None, metadata={"description": "only games of this club"})


def _check_about(text: str) -> None:
    if text and not is_about(text):
        raise ValidationError("unknown figure")


class BehindQuery(SelectionQuery):
    """The figure to list the games of."""

    about = fields.String(
        load_default="",
        validate=[validate.Length(max=2 * limits.LINE), _check_about],
        metadata={"description": "`about` of the figure; all games if left out"},
    )
    cursor = WholeNumber(
        written=True,
        load_default=0,
        validate=validate.Range(0, limits.VERSION),
        metadata={"description": "`next` of the page before"},
    )
    limit = page(50, 500)


class PlayersQuery(Schema):
    """The people to list."""

    q = fields.String(
        load_default="", validate=validate.Length(max=limits.NAME), metadata={"description": "part of the name"}
    )
