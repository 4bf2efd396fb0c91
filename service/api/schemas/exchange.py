"""Exports and imports."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from events import limits
from service.api.schemas.fields import DryRunQuery, EventId, PersonField, ViewSchema, WholeNumber, page
from service.api.schemas.games import PeriodQuery, SearchQuery
from service.exchange.spreadsheets import dialect_of


class ExportQuery(ViewSchema):
    """The form and the viewpoint of an exported game."""

    format = fields.String(load_default=None, validate=validate.OneOf(["ndjson", "text", "html", "report"]))
    names = fields.Boolean(load_default=False, metadata={"description": "with the players' names"})


class ExportedQuery(SearchQuery, PeriodQuery):
    """The games to export in one file."""

    player = PersonField("only games with this person in a seat at any time")
    game = EventId(load_default=None, metadata={"description": "only this game"})
    since = fields.AwareDateTime(
        load_default=None, metadata={"description": "only games in which something was recorded at this time or later"}
    )


class LocaleField(fields.String):
    """The tag of a language or a country, such as `pt` or `de-CH`."""

    def __init__(self, **described: Any) -> None:
        super().__init__(validate=validate.Length(2, 35), **described)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        try:
            dialect_of(text)
        except ValueError:
            raise ValidationError("no language or country has this tag; write it as `de` or `pt-BR`") from None
        return text


class ExportsQuery(ExportedQuery):
    """The games to export in one file, and the form."""

    format = fields.String(
        load_default=None,
        validate=validate.OneOf(["csv", "html", "json", "ndjson", "txt", "xlsx", "xml"]),
        metadata={"description": "the ending of the file, if its name has none"},
    )
    names = fields.Boolean(load_default=False, metadata={"description": "with the players' names"})
    locale = LocaleField(
        load_default="en",
        metadata={"description": "CSV for a country: `de` has semicolons, decimal commas"},
    )
    separator = fields.String(
        load_default=None,
        validate=validate.OneOf(["comma", "semicolon"]),
        metadata={"description": "between the cells of CSV, in place of that of `locale`"},
    )
    bom = fields.Boolean(load_default=False, metadata={"description": "CSV begins with a BOM"})
    after = EventId(load_default="", metadata={"description": "the last game of the page before"})
    limit = WholeNumber(
        written=True, load_default=None, validate=validate.Range(1, 500), metadata={"description": "games of a page"}
    )


class StandingsQuery(Schema):
    """The form of a season's or a tournament's table as CSV, as in `ExportsQuery`."""

    locale = LocaleField(load_default="en")
    bom = fields.Boolean(load_default=False)


class ImportQuery(Schema):
    """The id of an imported text, and the handling of erased names."""

    id = EventId(load_default=None, metadata={"description": "for text: the id that the game shall have"})
    erased = fields.String(
        load_default=None,
        validate=validate.OneOf(["restore", "omit"]),
        metadata={"description": "names in the file that were erased here come back, or stay erased"},
    )


class PlaysQuery(DryRunQuery):
    """The format of a file of plays, and how to import it."""

    format = fields.String(
        load_default=None,
        validate=validate.OneOf(["bgstats", "bgg", "csv"]),
        metadata={
            "description": "a backup of BG Stats (JSON), plays of BoardGameGeek (XML), or a table (CSV); "
            "without, its beginning tells"
        },
    )
    columns = fields.String(
        load_default="",
        validate=validate.Length(max=2000),
        metadata={"description": "of CSV: what is in which column, as `player=Name,points=Score`; the rest is guessed"},
    )
    people = fields.String(
        load_default="make",
        validate=validate.OneOf(["make", "known"]),
        metadata={"description": "names that are not known here become people (`make`), or guests (`known`)"},
    )
    after = WholeNumber(
        written=True,
        load_default=0,
        validate=validate.Range(0, 10**9),
        metadata={"description": "leave out so many plays"},
    )
    limit = page(500, 500)


class TableQuery(DryRunQuery):
    """The meanings of the lines of a table."""

    rows = fields.String(
        load_default="",
        validate=validate.Length(max=limits.TABLE_LINES),
        metadata={"description": "what rows mean, as `1=labels,4=r3 bid,9=-`; the rest is guessed"},
    )
    columns = fields.String(
        load_default="",
        validate=validate.Length(max=limits.TABLE_LINES),
        metadata={"description": "what columns mean, as `1=labels,2=p1`; the rest is guessed"},
    )
    decimal = fields.String(
        load_default=None,
        validate=validate.OneOf(["comma", "point"]),
        metadata={"description": "what stands before decimals; without, the numbers tell"},
    )
