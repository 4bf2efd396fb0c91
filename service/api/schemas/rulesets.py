"""Components, templates, and what can be played."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, pre_load, validate, validates_schema

from events import limits
from service.api.answers.rulesets import ComponentsInfo
from service.api.schemas.fields import WholeNumber, page


class ComponentsSchema(Schema):
    """Components of a ruleset."""

    data = fields.Dict(keys=fields.String(), required=True, metadata={"description": "as the ruleset describes them"})

    @pre_load
    def wrapped(self, data: Any, **_: Any) -> Any:
        """Accept bare components, as in a file, or wrapped ones, as in an answer."""
        if _are_bare(data):
            return {"data": data}
        return {name: data[name] for name in data if name not in _ANSWERED} if isinstance(data, dict) else data

    @post_load(pass_original=True)
    def placed(self, data: dict[str, Any], sent: Any, **_: Any) -> dict[str, Any]:
        """The path of the components in the body, for error messages."""
        return data | {"within": "" if _are_bare(sent) else "data"}


_ANSWERED = frozenset(ComponentsInfo.__struct_fields__) - {"data"}
"""What an answer says of components beside them."""


def _are_bare(sent: Any) -> bool:
    """Whether a body is bare components. No ruleset has a field `data` in them."""
    return isinstance(sent, dict) and bool(sent) and "data" not in sent


class TemplatesQuery(Schema):
    """The templates of score sheets to find."""

    q = fields.String(
        load_default="",
        validate=validate.Length(max=limits.LINE),
        metadata={"description": "part of a name: in English, in Japanese, or another that people use"},
    )
    limit = page(100, 500)


class BlankSheetQuery(Schema):
    """The blank sheet to print."""

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
        """Check that exactly one sheet is requested."""
        if data.get("template") and data.get("components_name"):
            raise ValidationError("give a template or the name of a kept one, not both", "components_name")


class PlayableQuery(TemplatesQuery):
    """The search among everything to play."""

    limit = page(500, 500)
