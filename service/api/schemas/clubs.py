"""Clubs, seasons and tournaments."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from events import limits
from events.kinds import FOUNDINGS, OTHER_TYPES
from service.api.schemas.fields import EventId, LineField, Truth, WholeNumber
from service.api.schemas.games import OpeningSchema


class FoundingSchema(Schema):
    """A new record. Its id is the id of its first event."""

    id = EventId(required=True)
    name = LineField(required=True, validate=validate.Length(1, limits.LINE))
    description = fields.String(load_default="", validate=validate.Length(max=limits.TEXT))


class ClubSchema(FoundingSchema):
    """A new club. Its id is the id of its first event."""

    public = Truth(load_default=False, metadata={"description": "whether everybody may see it"})


class NewClubEntrySchema(Schema):
    """An entry of a club, a tournament or a season."""

    id = EventId(required=True)
    type = fields.String(
        required=True,
        validate=validate.OneOf([name for name in OTHER_TYPES if name not in FOUNDINGS]),
    )
    data = fields.Dict(
        keys=fields.String(), load_default=dict, metadata={"description": "a person by `player`, or by `name`"}
    )


class TournamentSchema(ClubSchema):
    """A new tournament. Its id is the id of its first event."""

    ruleset = fields.String(load_default=None, allow_none=True, metadata={"description": "what is played"})
    club = EventId(load_default=None, allow_none=True, metadata={"description": "the members of this club see it"})
    rules = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={"description": "as in `tournament.founded`: `format`, `rounds`, `at_table`, `tie_breaks` …"},
    )


class TournamentGameSchema(OpeningSchema):
    """A game to open for a table, which says who sits where. The ruleset is the tournament's if it is left out."""

    ruleset = fields.String(load_default="", metadata={"description": "the name of a ruleset"})
    round = WholeNumber(written=False, required=True, validate=validate.Range(1, 200))
    table = WholeNumber(written=False, required=True, validate=validate.Range(1, 1000))


class TournamentQuery(Schema):
    """The wanted table of a tournament."""

    after = fields.Integer(
        load_default=None, validate=validate.Range(0, 200), metadata={"description": "the table after this round"}
    )


class SeasonSchema(FoundingSchema):
    """A new season of a club. Its id is the id of its first event."""

    club = EventId(required=True)
    rules = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={"description": "as in `season.founded`: `first`, `last`, `kind`, `points`, `best`, `tie_breaks` …"},
    )
