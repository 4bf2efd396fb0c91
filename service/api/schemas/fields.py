"""Fields and queries that many requests have."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from marshmallow import Schema, ValidationError, fields, validate

from events import limits
from events.people import BadNameError, checked_name, is_visible
from events.types import END_OF_TEXT
from service.api import cursors

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class WholeNumber(fields.Integer):
    """A whole number: a JSON number, or ASCII digits in a query (`written`). JSON texts and booleans are refused."""

    def __init__(self, *, written: bool, **more: Any) -> None:
        super().__init__(**more)
        self._written = written

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> int:
        digits = self._written and isinstance(value, str) and re.fullmatch("-?[0-9]{1,19}", value)
        if not digits and type(value) is not int:
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **more)


class Truth(fields.Boolean):
    """True or false in JSON."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return bool(super()._deserialize(value, attr, data, **more))


class NumbersByName(fields.Dict):
    """Whole numbers by name. An error names the number as the request does, without a further step `value`."""

    def __init__(self, **more: Any) -> None:
        super().__init__(keys=fields.String(), values=WholeNumber(written=False), **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        try:
            return super()._deserialize(value, attr, data, **more)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            if not isinstance(error.messages, dict):
                raise
            raise ValidationError({name: wrong["value"] for name, wrong in error.messages.items()}) from None


class EventId(fields.String):
    """A UUID made by the client. It identifies a repeated request."""

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
    """A schema of frequent bodies. A valid body is loaded fast; an invalid one the usual way, with its errors."""

    quick: type[msgspec.Struct]
    """What a body that is right has the form of. Its fields are what `load` would give."""


class NameField(fields.String):
    """A name, loaded in its stored form. The length limit is for the sent text."""

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
    """A line of free text. An invisible one is loaded as empty. The length limit is for the sent text."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        self._validate(text)
        return text if is_visible(text) else ""


def version(description: str, *, written: bool) -> WholeNumber:
    """A version of a game; None if left out."""
    more: dict[str, Any] = {"validate": validate.Range(1, limits.VERSION), "metadata": {"description": description}}
    return WholeNumber(written=written, load_default=None, **more)


def page(default: int, most: int) -> WholeNumber:
    """A `limit` parameter."""
    more: dict[str, Any] = {"validate": validate.Range(1, most), "metadata": {"description": "at most"}}
    return WholeNumber(written=True, load_default=default, **more)


class DryRunQuery(Schema):
    """Whether to store."""

    dry_run = fields.Boolean(load_default=False, metadata={"description": "judge and answer, but store nothing"})


class Viewpoint(fields.String):
    """The viewpoint of a game: `record`, `public` or a seat's number, as text."""

    def __init__(self, **more: Any) -> None:
        form = f"^(record|public|[0-9]{{1,2}}){END_OF_TEXT}"
        super().__init__(validate=validate.Regexp(form, error="not `record`, `public` or a seat's number"), **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if type(value) is int:
            raise ValidationError("the number of a seat is written as text, in quotation marks")
        return super()._deserialize(value, attr, data, **more)


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
    """The cursor of a place in the feed. It is a list with one place for all lanes, so that it can get more."""
    return cursors.encode([position])


class FeedCursor(fields.String):
    """A reader's place in the feed: a cursor from the feed, or, as in old releases, a position."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        text = super()._deserialize(value, attr, data, **more)
        try:
            if re.fullmatch("[0-9]{1,19}", text):
                return msgspec.convert((int(text),), _heads.type)[0]
            return cursors.decode(text, _heads)[0]
        except (ValueError, msgspec.ValidationError):
            raise ValidationError("not a cursor of the feed") from None


class ViewSchema(Schema):
    """The viewpoint of the answer."""

    seat = Viewpoint(
        load_default=None,
        metadata={"description": "`record` (all), `public`, or a seat; if left out, all that the caller may see"},
    )


def check_id(text: str, field: str) -> str:
    """The text if it is a UUID in lower case. Raises `ValidationError` naming the field."""
    if not re.fullmatch(UUID, text):
        raise ValidationError({field: ["not a UUID in lower case"]})
    return text
