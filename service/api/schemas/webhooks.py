"""Webhooks and their deliveries."""

from __future__ import annotations

from typing import Any

import msgspec
from marshmallow import Schema, fields, post_load, validate

from events import limits
from service.access.store import Filter
from service.api.schemas.fields import EventId, LineField, Truth, WholeNumber
from service.webhooks import messages


def _some(each: fields.Field[Any], what: str, most: int = 100) -> fields.List[Any]:
    return fields.List(
        each,
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, most),
        metadata={"description": f"{what}; all of them if left out"},
    )


class WebhookFilterSchema(Schema):
    """The filter of an endpoint. A message must pass each part."""

    games = _some(EventId(), "these games, clubs, seasons or tournaments")
    people = _some(EventId(), "where one of these people ever sat, plays, or is a member")
    rulesets = _some(fields.String(validate=validate.Length(1, limits.NAME)), "games of these rulesets")
    types = _some(
        fields.String(validate=validate.OneOf(list(messages.TYPES))), "messages of these types (not of the audit)"
    )

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
    """Changes of an endpoint. Fields that are left out stay."""

    url = fields.String(validate=validate.Length(1, messages.LONGEST_URL), metadata=_URL)
    description = LineField(validate=validate.Length(max=limits.LINE), metadata=_DESCRIPTION)
    format = fields.String(validate=validate.OneOf(messages.FORMATS), metadata=_FORMAT)
    filter = fields.Nested(WebhookFilterSchema, metadata={"description": "what it is told of from now on"})
    enabled = Truth(metadata={"description": "whether messages are sent; true mends what was disabled or stopped"})


class ReplaySchema(Schema):
    """The part of the feed to send again: after one position, up to another one."""

    after = WholeNumber(required=True, written=False, validate=validate.Range(0, limits.POINTS))
    until = WholeNumber(load_default=None, allow_none=True, written=False, validate=validate.Range(1, limits.POINTS))


class DeliveriesQuery(Schema):
    """The deliveries of an endpoint to list."""

    state = fields.String(load_default=None, validate=validate.OneOf(["waiting", "delivered", "failed", "withheld"]))
    before = WholeNumber(load_default=None, written=True, validate=validate.Range(1, limits.POINTS))
    limit = WholeNumber(load_default=50, written=True, validate=validate.Range(1, 200))
