"""What the API takes: marshmallow schemas of bodies and queries. Unknown fields are refused by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from marshmallow import EXCLUDE, Schema, ValidationError, fields, post_load, pre_load, validate, validates_schema

from events import limits
from events.kinds import FOUNDINGS, OTHER_TYPES
from events.people import BadNameError, checked_name, is_visible
from events.types import END_OF_TEXT, ENTRY_ERASED, TYPES
from projections.analyses.kinds import KINDS as ANALYSES
from projections.catalogue import LISTED
from projections.statistics.moves import is_about
from service.access.apps import CHALLENGE, VERIFIER
from service.access.scopes import ROLES, SCOPES
from service.access.store import Filter
from service.api import cursors
from service.api.answers import ComponentsInfo
from service.drawing import pictures
from service.recording.judging import Draft
from service.webhooks import messages

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class WholeNumber(fields.Integer):
    """A whole number: of JSON, or, `written` in a query, in ASCII digits. No text of JSON, and no truth, is one."""

    def __init__(self, *, written: bool, **more: Any) -> None:
        super().__init__(**more)
        self._written = written

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> int:
        digits = self._written and isinstance(value, str) and re.fullmatch("-?[0-9]{1,19}", value)
        if not digits and type(value) is not int:
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **more)


class Truth(fields.Boolean):
    """True or false, as JSON has them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return bool(super()._deserialize(value, attr, data, **more))


class EventId(fields.String):
    """A UUID made by the client. A repeated request is known by it."""

    def __init__(self, **more: Any) -> None:
        more.setdefault("metadata", {"format": "uuid", "description": "a UUID (version 7 by preference), lower case"})
        super().__init__(validate=validate.Regexp(f"^{UUID}{END_OF_TEXT}", error="not a UUID in lower case"), **more)


class PersonField(fields.String):
    """A person to look for: an id, or a whole name."""

    def __init__(self, description: str) -> None:
        super().__init__(
            load_default=None,
            validate=validate.Length(1, limits.NAME),
            metadata={"description": f"{description}: an id or a whole name"},
        )


class QuickSchema(Schema):
    """A schema of bodies that come often: what is right is loaded without the work that finds out what is wrong."""

    def load_quickly(self, sent: Any) -> dict[str, Any] | None:
        """What `load` would give; None where `load` has to look."""
        raise NotImplementedError


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
    """An entry that is sound as it was sent: see `DraftSchema`."""

    id: Annotated[str, msgspec.Meta(pattern=f"^{UUID}{END_OF_TEXT}")]
    type: Literal[RECORDED] = "move.made"  # type: ignore[valid-type]


class SentEntries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Entries that are sound as they were sent: see `EntriesSchema`."""

    events: Annotated[list[SentDraft], msgspec.Meta(min_length=1, max_length=limits.BATCH)]


class EntriesSchema(QuickSchema):
    """The entries of one request for one game, stored all or none."""

    events = fields.List(fields.Nested(DraftSchema), required=True, validate=validate.Length(1, limits.BATCH))

    def load_quickly(self, sent: Any) -> dict[str, Any] | None:
        """The entries, if they are sound."""
        try:
            return {"events": msgspec.convert(sent, SentEntries).events}
        except msgspec.ValidationError:
            return None


class NameField(fields.String):
    """A name, which is loaded as it is kept. Its length is that of what was sent."""

    def __init__(self, **described: Any) -> None:
        super().__init__(validate=validate.Length(1, limits.NAME), **described)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        self._validate(text)
        try:
            return checked_name(text)
        except BadNameError as error:
            raise ValidationError(str(error)) from error


class LineField(fields.String):
    """A line of free text. One that shows nothing is loaded as an empty one. Its length is that of what was sent."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        self._validate(text)
        return text if is_visible(text) else ""


class SeatSchema(Schema):
    """Who sits in a seat: a player's id, or a name, or nobody known. A name that is new here gets an id."""

    player = EventId()
    name = NameField()

    @pre_load
    def one_of_them(self, data: Any, **_: Any) -> Any:
        """A seat has an id or a name."""
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
        """Components are given, or named."""
        if data.get("components") and data.get("components_name"):
            raise ValidationError("give components or the name of some, not both", "components_name")


AT = "the record as it stood at this version; the newest if left out"


def version(description: str, *, written: bool) -> WholeNumber:
    """A version of a game; None if left out."""
    more: dict[str, Any] = {"validate": validate.Range(1, limits.VERSION), "metadata": {"description": description}}
    return WholeNumber(written=written, load_default=None, **more)


class MomentSchema(Schema):
    """A request that can name the moment right `after` an entry."""

    @pre_load
    def older_word(self, data: Any, **_: Any) -> Any:
        """`behind` is what the first programs call it, and still taken."""
        if not isinstance(data, Mapping) or "behind" not in data:
            return data
        if "after" in data:
            raise ValidationError("give `after`, not `behind` as well", "behind")
        return {("after" if name == "behind" else name): value for name, value in data.items()}


class ForkSchema(MomentSchema):
    """A "what if": which id the game shall have, and where it goes off."""

    id = EventId(required=True)
    at = version(AT, written=False)
    after = version("no further than right after this entry", written=False)
    title = LineField(load_default="", validate=validate.Length(max=limits.LINE))


class ComponentsSchema(Schema):
    """Components of a ruleset."""

    data = fields.Dict(keys=fields.String(), required=True, metadata={"description": "as the ruleset describes them"})

    @pre_load
    def wrapped(self, data: Any, **_: Any) -> Any:
        """The components can be sent by themselves, as a file has them, or as they were answered."""
        if _are_bare(data):
            return {"data": data}
        return {name: data[name] for name in data if name not in _ANSWERED} if isinstance(data, dict) else data

    @post_load(pass_original=True)
    def placed(self, data: dict[str, Any], sent: Any, **_: Any) -> dict[str, Any]:
        """Where they stand in the body, for what does not fit in them."""
        return data | {"within": "" if _are_bare(sent) else "data"}


_ANSWERED = frozenset(ComponentsInfo.__struct_fields__) - {"data"}
"""What an answer says of components beside them."""


def _are_bare(sent: Any) -> bool:
    """Whether a body is components by themselves: no ruleset has a field `data` in them."""
    return isinstance(sent, dict) and bool(sent) and "data" not in sent


class NameSchema(Schema):
    """A person's name."""

    name = NameField(required=True)


class ListingSchema(Schema):
    """Whether a person is in public tables."""

    listed = Truth(required=True)


class MergeSchema(Schema):
    """The person whom somebody is."""

    into = EventId(required=True)


class MergeQuery(Schema):
    """The person whom somebody would be."""

    into = EventId(load_default="", metadata={"description": "the person who would be kept; required"})


def page(default: int, most: int) -> WholeNumber:
    """A `limit` parameter."""
    more: dict[str, Any] = {"validate": validate.Range(1, most), "metadata": {"description": "at most"}}
    return WholeNumber(written=True, load_default=default, **more)


class DryRunQuery(Schema):
    """Whether to store."""

    dry_run = fields.Boolean(load_default=False, metadata={"description": "judge and answer, but store nothing"})


class Viewpoint(fields.String):
    """From where a game is looked at: `record`, `public` or a seat's number, as text."""

    def __init__(self, **more: Any) -> None:
        form = f"^(record|public|[0-9]{{1,2}}){END_OF_TEXT}"
        super().__init__(validate=validate.Regexp(form, error="not `record`, `public` or a seat's number"), **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if type(value) is int:
            raise ValidationError("the number of a seat is written as text, in quotation marks")
        return super()._deserialize(value, attr, data, **more)


class RecordingQuery(DryRunQuery):
    """Whether to store, and from where one looks on."""

    look = Viewpoint(
        load_default=None,
        metadata={"description": "`record`, `public` or a seat: answer from there what is asked for next, too"},
    )


class AfterQuery(Schema):
    """A page of a game's entries."""

    after = WholeNumber(
        written=True,
        load_default=0,
        validate=validate.Range(0, limits.VERSION),
        metadata={"description": "after this one"},
    )
    limit = page(200, 1000)


_heads = msgspec.json.Decoder(tuple[Annotated[int, msgspec.Meta(ge=0, le=limits.VERSION)]])


def feed_cursor(position: int) -> str:
    """The cursor of a place in the feed, which is one for all lanes; a list, so that it can become of more."""
    return cursors.encode([position])


class FeedCursor(fields.String):
    """Where a reader of the feed has come to: a cursor that the feed gave, or, as of old, the number of a place."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        text = super()._deserialize(value, attr, data, **more)
        try:
            if re.fullmatch("[0-9]{1,19}", text):
                return msgspec.convert((int(text),), _heads.type)[0]
            return cursors.decode(text, _heads)[0]
        except (ValueError, msgspec.ValidationError):
            raise ValidationError("not a cursor of the feed") from None


class FeedQuery(Schema):
    """A page of the feed."""

    after = FeedCursor(load_default=0, metadata={"description": "`next` of the answer before"})
    limit = page(200, 1000)


class TrailQuery(AfterQuery):
    """A page of the trail."""

    order = fields.String(
        load_default="oldest",
        validate=validate.OneOf(["oldest", "newest"]),
        metadata={"description": "which lines come first"},
    )


LONGEST_WAIT = 30
"""Seconds that a request may wait for an entry."""


class BeforeQuery(Schema):
    """A page of what is listed from the newest version down."""

    before = version("versions below this one", written=True)
    limit = page(20, 200)


class ViewSchema(Schema):
    """From where to look."""

    seat = Viewpoint(
        load_default=None,
        metadata={"description": "`record` (all), `public`, or a seat; if left out, all that whoever asks may see"},
    )


class VersionQuery(ViewSchema, MomentSchema):
    """Which version or which moment, seen from where."""

    at = version(AT, written=True)
    after = version("the moment right after this entry, as the record counts today", written=True)

    @validates_schema
    def one_of_them(self, data: dict[str, Any], **_: Any) -> None:
        """A version, or a moment."""
        if data.get("at") and data.get("after"):
            raise ValidationError("give `at` or `after`, not both", "after")


class MovesQuery(VersionQuery):
    """Which version, seen from where, and whether it is to be told what would be against the rules."""

    irregular = fields.Boolean(
        load_default=False, metadata={"description": "also the moves that break a rule and can be made all the same"}
    )


class SketchQuery(VersionQuery):
    """Which version, seen from where, drawn how."""

    colour = fields.Boolean(load_default=False, metadata={"description": "with the escape sequences of a terminal"})


class PictureQuery(VersionQuery):
    """Which version, seen from where, drawn how wide."""

    width = WholeNumber(
        written=True,
        load_default=pictures.WIDTH,
        validate=validate.Range(pictures.NARROWEST, pictures.WIDEST),
        metadata={"description": "pixels; a very high picture is drawn less wide"},
    )


class AnalysisSchema(ViewSchema):
    """An analysis to make: its kind, its parameters, and its viewpoint."""

    kind = fields.String(required=True, validate=validate.OneOf(list(ANALYSES)))
    parameters = fields.Dict(
        keys=fields.String(),
        values=WholeNumber(written=False),
        load_default=dict,
        metadata={"description": "numbers by name, as the kind has them"},
    )


class AnalysesQuery(Schema):
    """A page of a game's analyses."""

    cursor = fields.String(load_default=None, metadata={"description": "`next` of the page before"})
    limit = page(20, 200)


class ComparisonQuery(ViewSchema):
    """Which game to compare with, seen from where."""

    with_ = EventId(load_default=None, data_key="with", metadata={"description": "the other one; a fork's origin"})


class EntriesQuery(AfterQuery):
    """A page of a game's entries, which may be waited for."""

    wait = WholeNumber(
        written=True,
        load_default=0,
        validate=validate.Range(0, LONGEST_WAIT),
        metadata={"description": "seconds to wait for an entry where there is none"},
    )


FRAME = 10_000
"""Pixels of a frame, at most."""


class FollowAllQuery(Schema):
    """Where a stream goes on."""

    last_event_id = fields.String(
        load_default=None,
        metadata={"description": "after this event, or `earliest`; `Last-Event-ID` counts before it"},
    )


class OEmbedQuery(Schema):
    """What a site asks that wants to show a game (oEmbed 1.0): the address of its page, and the room for it."""

    url = fields.String(load_default="")
    format = fields.String(load_default="json", validate=validate.OneOf(["json"]))
    maxwidth = fields.Integer(load_default=FRAME, validate=validate.Range(min=1, max=FRAME))
    maxheight = fields.Integer(load_default=FRAME, validate=validate.Range(min=1, max=FRAME))

    class Meta:
        """Some sites ask for more than the standard names."""

        unknown = EXCLUDE


class FollowQuery(FollowAllQuery, ViewSchema):
    """Where the stream of a game goes on, seen from where."""


class BriefQuery(Schema):
    """Whether to leave out what the page of a game does not show."""

    brief = fields.Boolean(load_default=False, metadata={"description": "without what a page of games does not show"})


class TimelineQuery(AfterQuery, ViewSchema, BriefQuery):
    """A page of a game's timeline, seen from where."""


class SearchQuery(Schema):
    """Which games are looked for."""

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
        metadata={"description": "what was played: the title of a ruleset, or the game of a score sheet"},
    )


class PeriodQuery(Schema):
    """When the games were played."""

    first = fields.Date(
        load_default=None, data_key="from", metadata={"description": "only games that were played on this day or later"}
    )
    last = fields.Date(
        load_default=None, data_key="to", metadata={"description": "only games that were played on this day or earlier"}
    )


class GamesQuery(SearchQuery, PeriodQuery):
    """Which games to list."""

    player = PersonField("only games with this person in a seat at any time")
    id = fields.String(
        load_default="",
        validate=validate.Regexp(f"^[0-9a-f-]{{0,36}}{END_OF_TEXT}", error="not a part of a UUID in lower case"),
        metadata={"description": "the beginning or the end of an id"},
    )
    origin = EventId(load_default=None, metadata={"description": "only forks that went off from this game"})
    forks = fields.Boolean(load_default=True, metadata={"description": "whether forks are listed, too"})
    cursor = fields.String(load_default=None, metadata={"description": "`next` of the page before"})
    limit = page(50, 500)


class TemplatesQuery(Schema):
    """Which templates of score sheets to find."""

    q = fields.String(
        load_default="",
        validate=validate.Length(max=limits.LINE),
        metadata={"description": "part of a name: in English, in Japanese, or another that people use"},
    )
    limit = page(100, 500)


class BlankSheetQuery(Schema):
    """Which blank sheet to print."""

    template = fields.String(
        load_default=None,
        validate=validate.Length(max=limits.LINE),
        metadata={"description": "a ready template, as `spades+minus`"},
    )
    components_name = fields.String(
        load_default=None,
        validate=validate.Length(max=limits.NAME),
        metadata={"description": "a kept template"},
    )
    seats = WholeNumber(
        written=True,
        load_default=None,
        validate=validate.Range(1, limits.SEATS),
        metadata={"description": "how many people"},
    )

    @validates_schema
    def check_one(self, data: dict[str, Any], **_: Any) -> None:
        """One sheet is asked for."""
        if data.get("template") and data.get("components_name"):
            raise ValidationError("give a template or the name of a kept one, not both", "components_name")


class PlayableQuery(TemplatesQuery):
    """What to look for among all that can be played."""

    limit = page(500, 500)


class ConsistencyQuery(Schema):
    """Two sizes of the tree, the older one first."""

    older = WholeNumber(
        written=True,
        load_default=0,
        data_key="from",
        validate=validate.Range(0, limits.VERSION),
        metadata={"description": "how many entries the older tree has"},
    )
    newer = WholeNumber(
        written=True,
        load_default=None,
        data_key="to",
        validate=validate.Range(0, limits.VERSION),
        metadata={"description": "how many the newer tree has; as many as the last checkpoint if left out"},
    )

    @validates_schema
    def in_this_order(self, data: dict[str, Any], **_: Any) -> None:
        """The older one first."""
        if data.get("newer") is not None and data["newer"] < data.get("older", 0):
            raise ValidationError("not smaller than `from`", "to")


class RatingsQuery(Schema):
    """Which games are rated."""

    kind = fields.String(
        load_default=None, metadata={"description": "a ruleset, or a score sheet as `scoresheet/UNO`; all if left out"}
    )


class StatisticsQuery(RatingsQuery, PeriodQuery):
    """Which games of a person count."""

    players = fields.Integer(
        load_default=None, validate=validate.Range(1, limits.SEATS), metadata={"description": "number of seats"}
    )


class SelectionQuery(StatisticsQuery):
    """Which games the statistics are of."""

    player = EventId(load_default=None, metadata={"description": "the person to look at"})
    other = EventId(load_default=None, data_key="with", metadata={"description": "only games with this person, too"})
    club = EventId(load_default=None, metadata={"description": "only games of this club"})
    place = fields.String(
        load_default="", validate=validate.Length(max=limits.LINE), metadata={"description": "only games at this place"}
    )


class YearQuery(Schema):
    """The year that is reviewed, of a person, a club or everybody. The last one with games if it is left out."""

    year = WholeNumber(written=True, load_default=None, validate=validate.Range(1, 9999))
    player = EventId(load_default=None)
    club = EventId(load_default=None)


def _check_about(text: str) -> None:
    if text and not is_about(text):
        raise ValidationError("not what a figure is about")


class BehindQuery(SelectionQuery):
    """Which games are behind a figure."""

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
    """Which people to list."""

    q = fields.String(
        load_default="", validate=validate.Length(max=limits.NAME), metadata={"description": "part of the name"}
    )


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


class ExportQuery(ViewSchema):
    """How to write a game down, seen from where."""

    format = fields.String(load_default=None, validate=validate.OneOf(["ndjson", "text", "html", "report"]))
    names = fields.Boolean(load_default=False, metadata={"description": "with the players' names"})


class ExportedQuery(SearchQuery, PeriodQuery):
    """Which games to write down in one file."""

    player = PersonField("only games with this person in a seat at any time")
    game = EventId(load_default=None, metadata={"description": "only this game"})
    since = fields.AwareDateTime(
        load_default=None, metadata={"description": "only games in which something was recorded at this time or later"}
    )


class ExportsQuery(ExportedQuery):
    """Which games to write down in one file, and how."""

    format = fields.String(
        load_default=None,
        validate=validate.OneOf(["csv", "html", "json", "ndjson", "txt", "xlsx"]),
        metadata={"description": "the ending of the file, where its name has none"},
    )
    names = fields.Boolean(load_default=False, metadata={"description": "with the players' names"})
    separator = fields.String(
        load_default="comma",
        validate=validate.OneOf(["comma", "semicolon"]),
        metadata={"description": "between the cells of CSV"},
    )
    bom = fields.Boolean(
        load_default=False, metadata={"description": "whether CSV begins with the mark that some spreadsheets want"}
    )
    after = EventId(load_default="", metadata={"description": "the last game of the page before"})
    limit = WholeNumber(
        written=True, load_default=None, validate=validate.Range(1, 500), metadata={"description": "games of a page"}
    )


class ImportQuery(Schema):
    """What an imported text is to become, and what of erased names."""

    id = EventId(load_default=None, metadata={"description": "for text: the id that the game shall have"})
    erased = fields.String(
        load_default=None,
        validate=validate.OneOf(["restore", "omit"]),
        metadata={"description": "names in the file that were erased here come back, or stay erased"},
    )


class PlaysQuery(DryRunQuery):
    """What a file of plays is, and what is done with it."""

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


ROLE = validate.OneOf(list(ROLES))

MOST_DAYS = 3650
"""The longest that a token lasts."""


class TokenSchema(Schema):
    """A token to make."""

    name = NameField(required=True, metadata={"description": "what it is for"})
    role = fields.String(load_default=None, allow_none=True, validate=ROLE)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(list(SCOPES))),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, len(SCOPES)),
        metadata={"description": "what it may do; in place of a role"},
    )
    games = fields.List(
        EventId(),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, 1000),
        metadata={"description": "the only games that it opens; all if left out"},
    )
    days = WholeNumber(
        written=False,
        load_default=365,
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "how long it lasts"},
    )
    person = EventId(
        load_default=None, allow_none=True, metadata={"description": "whose device it is for, if it is not one's own"}
    )

    @validates_schema
    def one_of_them(self, data: dict[str, Any], **_: Any) -> None:
        """A role, or scopes."""
        if data.get("role") and data.get("scopes"):
            raise ValidationError("give a role or scopes, not both", "scopes")


DEVICE_GRANT, CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code", "authorization_code"
"""The ways in which tokens are granted: to a device, and to an app that comes by a browser."""


class OAuthSchema(Schema):
    """A form as OAuth has it: what is not known is passed over."""

    class Meta:
        """Parameters of extensions are no mistake."""

        unknown = EXCLUDE


def _client_id(what: str) -> fields.String:
    return NameField(
        required=True,
        metadata={"description": f"{what}; whoever decides is shown it"},
    )


_SCOPE = fields.String(load_default=None, metadata={"description": "what it asks for, with blanks between them"})


class DeviceSchema(OAuthSchema):
    """A device that asks for a token."""

    client_id = _client_id("what the program calls itself")
    scope = _SCOPE


class AppSchema(OAuthSchema):
    """An app that comes by a browser for a token, and where the browser is led back to."""

    client_id = _client_id("the app's address, or what it calls itself")
    redirect_uri = fields.String(required=True, validate=validate.Length(1, limits.TEXT))


class WantedSchema(OAuthSchema):
    """What an app asks for."""

    response_type = fields.String(required=True)
    scope = _SCOPE
    state = fields.String(load_default=None)
    code_challenge = fields.String(
        required=True,
        validate=validate.Regexp(
            f"^{CHALLENGE.pattern}{END_OF_TEXT}", error="not a SHA-256 in base64url: 43 characters"
        ),
    )
    code_challenge_method = fields.String(
        required=True, validate=validate.Equal("S256", error="the only code_challenge_method is S256")
    )


class GrantSchema(OAuthSchema):
    """A device that asks whether it was let in, or an app that was."""

    grant_type = fields.String(
        required=True, metadata={"description": f"`{CODE_GRANT}` of an app, or `{DEVICE_GRANT}` of a device"}
    )
    device_code = fields.String(load_default=None, metadata={"description": "the code that the device was given"})
    code = fields.String(load_default=None, metadata={"description": "the code that the app was given"})
    redirect_uri = fields.String(load_default=None, metadata={"description": "where the app was given it"})
    code_verifier = fields.String(
        load_default=None,
        validate=validate.Regexp(
            f"^{VERIFIER.pattern}{END_OF_TEXT}", error="not 43 to 128 letters, digits, or any of -._~"
        ),
        metadata={"description": "what its `code_challenge` was made of"},
    )
    client_id = fields.String(load_default=None, metadata={"description": "what it called itself then"})


class InvitationSchema(Schema):
    """The person to let in."""

    player = EventId(required=True, metadata={"format": "uuid", "description": "the person's id, lower case"})


class SeatInvitationSchema(Schema):
    """Which seat a phone is to play, and as whom."""

    seat = WholeNumber(written=False, required=True, validate=validate.Range(0), metadata={"description": "from 0 on"})
    player = EventId(
        load_default=None,
        allow_none=True,
        metadata={"format": "uuid", "description": "a person's id, lower case; whoever sits there if left out"},
    )


class MadeQuery(Schema):
    """What happens to the family of a token that ends."""

    made = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.OneOf(["end", "keep"]),
        metadata={"description": "whether everything that was made with it ends or is kept"},
    )


class WhoseQuery(Schema):
    """The person to list tokens or endpoints of."""

    everybody = fields.Boolean(load_default=False, metadata={"description": "those of all people"})


class LinkSchema(Schema):
    """A share link to make."""

    seat = Viewpoint(
        load_default="public",
        metadata={"description": "from where it shows the game: `public`, `record` (all), or a seat"},
    )
    at = version("the game as it stood at this version; as it goes on if left out", written=False)
    name = LineField(load_default="", validate=validate.Length(max=limits.NAME))
    days = WholeNumber(
        written=False,
        load_default=30,
        validate=validate.Range(1, MOST_DAYS),
        metadata={"description": "how long it lasts"},
    )


def _some(each: fields.Field[Any], what: str, most: int = 100) -> fields.List[Any]:
    return fields.List(
        each,
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, most),
        metadata={"description": f"{what}; all of them if left out"},
    )


class WebhookFilterSchema(Schema):
    """What an endpoint is told of: what passes each part."""

    games = _some(EventId(), "these games")
    people = _some(EventId(), "games in which one of these people ever sat")
    rulesets = _some(fields.String(validate=validate.Length(1, limits.NAME)), "games of these rulesets")
    types = _some(fields.String(validate=validate.OneOf(list(messages.TYPES))), "messages of these types (of games)")

    @post_load
    def filter(self, data: dict[str, Any], **_: Any) -> Filter:
        """The typed filter."""
        return msgspec.convert(data, Filter)


_URL = {"description": "where messages are posted: `https://` and a public name", "format": "uri"}
_DESCRIPTION = {"description": "what it is for"}
_FORMAT = {"description": "how messages are written: as Standard Webhooks has it, or as CloudEvents 1.0"}


class WebhookSchema(Schema):
    """An endpoint to make."""

    url = fields.String(required=True, validate=validate.Length(1, messages.LONGEST_URL), metadata=_URL)
    description = LineField(load_default="", validate=validate.Length(max=limits.LINE), metadata=_DESCRIPTION)
    format = fields.String(load_default="standard", validate=validate.OneOf(messages.FORMATS), metadata=_FORMAT)
    filter = fields.Nested(WebhookFilterSchema, load_default=Filter, metadata={"description": "what it is told of"})


class WebhookChangeSchema(Schema):
    """What to change of an endpoint; what is left out stays."""

    url = fields.String(validate=validate.Length(1, messages.LONGEST_URL), metadata=_URL)
    description = LineField(validate=validate.Length(max=limits.LINE), metadata=_DESCRIPTION)
    format = fields.String(validate=validate.OneOf(messages.FORMATS), metadata=_FORMAT)
    filter = fields.Nested(WebhookFilterSchema, metadata={"description": "what it is told of from now on"})
    enabled = Truth(metadata={"description": "whether messages are sent; true mends what was disabled or stopped"})


class ReplaySchema(Schema):
    """Which part of the feed to tell an endpoint again: what came after one position, up to another one."""

    after = WholeNumber(required=True, written=False, validate=validate.Range(0, limits.POINTS))
    until = WholeNumber(load_default=None, allow_none=True, written=False, validate=validate.Range(1, limits.POINTS))


class DeliveriesQuery(Schema):
    """Which deliveries of an endpoint to list."""

    state = fields.String(load_default=None, validate=validate.OneOf(["waiting", "delivered", "failed", "withheld"]))
    before = WholeNumber(load_default=None, written=True, validate=validate.Range(1, limits.POINTS))
    limit = WholeNumber(load_default=50, written=True, validate=validate.Range(1, 200))


class RoleSchema(Schema):
    """A role on the service."""

    role = fields.String(required=True, validate=ROLE)


class GameRoleSchema(Schema):
    """A role in a game, or seats to play there."""

    role = fields.String(load_default=None, allow_none=True, validate=ROLE)
    seats = fields.List(
        WholeNumber(written=False, validate=validate.Range(0, limits.SEATS - 1)),
        load_default=list,
        validate=validate.Length(max=limits.SEATS),
        metadata={"description": "the seats that the person plays"},
    )

    @validates_schema
    def something(self, data: dict[str, Any], **_: Any) -> None:
        """A role, seats, or both."""
        if not data.get("role") and not data.get("seats"):
            raise ValidationError("give a role, or seats to play", "role")


class VisibilitySchema(Schema):
    """Who may see a game."""

    visibility = fields.String(required=True, validate=validate.OneOf(["private", "link", "public"]))


def check_id(text: str, field: str) -> str:
    """The text if it is a UUID in lower case. Raises `ValidationError` naming the field."""
    if not re.fullmatch(UUID, text):
        raise ValidationError({field: ["not a UUID in lower case"]})
    return text


class ClubSchema(Schema):
    """A club to found. Its id is the id of the event that founds it."""

    id = EventId(required=True)
    name = LineField(required=True, validate=validate.Length(1, limits.LINE))
    description = fields.String(load_default="", validate=validate.Length(max=limits.TEXT))
    public = Truth(load_default=False, metadata={"description": "whether everybody may see it"})


class NewClubEntrySchema(Schema):
    """An entry of a club, a tournament or a season."""

    id = EventId(required=True)
    type = fields.String(
        required=True,
        validate=validate.OneOf([name for name in OTHER_TYPES if name not in FOUNDINGS]),
    )
    data = fields.Dict(
        keys=fields.String(), required=True, metadata={"description": "a person by `player`, or by `name`"}
    )


class TournamentSchema(ClubSchema):
    """A tournament to found. Its id is the id of the event that founds it."""

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
    """Which table of a tournament is wanted."""

    after = fields.Integer(
        load_default=None, validate=validate.Range(0, 200), metadata={"description": "the table after this round"}
    )


class SeasonSchema(Schema):
    """A season of a club to found. Its id is the id of the event that founds it."""

    id = EventId(required=True)
    name = LineField(required=True, validate=validate.Length(1, limits.LINE))
    description = fields.String(load_default="", validate=validate.Length(max=limits.TEXT))
    club = EventId(required=True)
    rules = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={"description": "as in `season.founded`: `first`, `last`, `kind`, `points`, `best`, `tie_breaks` …"},
    )
