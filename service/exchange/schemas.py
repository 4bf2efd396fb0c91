"""JSON Schemas (draft 2020-12) of exported records: their lines, their data, and the moves of each ruleset."""

from __future__ import annotations

import json
from functools import cache
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Union

import msgspec

from events import limits
from events.kinds import OTHER_TYPES
from events.ndjson import TIME, Header, Line
from events.schemas import OFFSET_TIME
from events.seals import SALT
from events.types import END_OF_TEXT, TYPES, Digest, Uuid
from games.rulesets import SHIPPED
from service.languages import gettext_noop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.types import EventData

    Schema = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_ALL_TYPES = {**TYPES, **OTHER_TYPES}
"""The types of entries of all kinds of records."""

_GIVEN = "_dict_"
"""The suffix that msgspec adds to a type's name when values of a ruleset can be any object."""


def described() -> Iterator[tuple[str, str]]:
    """All schemas by name, each with its description."""
    yield "header", gettext_noop("The first line of an exported record.")
    yield "entry", gettext_noop("An entry of an exported record, as its line has it.")
    yield "data", gettext_noop("The type of an entry, and all of its data.")
    for ruleset in SHIPPED:
        yield f"move-{ruleset}", gettext_noop("The moves of a ruleset.")
        yield f"adjustment-{ruleset}", gettext_noop("What a ruling can change in a game of a ruleset.")


@cache
def schema(name: str) -> Schema:
    """The schema with this name. Raises `KeyError`."""
    if name in _GENERAL:
        found = _GENERAL[name]()
    else:
        kind, _, ruleset = name.partition("-")
        found = msgspec.json.schema(_OF_RULESET[kind](SHIPPED[ruleset]))
    return {"$schema": DRAFT, "$id": f"/v1/schemas/{name}", **_plain(found)}


def _header() -> Schema:
    found = msgspec.json.schema(Header)
    found["$defs"]["Header"]["properties"] |= _exact(game=Uuid, head=Digest)
    return found


def _entry() -> Schema:
    """The schema of a line. Sealed members may be missing in its data."""
    found = msgspec.json.schema(Line)
    line, opened, erased = (found["$defs"][name]["properties"] for name in ("Line", "Opened", "Erased"))
    line |= _exact(game=Uuid, id=Uuid, prev=Digest, hash=Digest)
    line["sealed"]["additionalProperties"] = msgspec.json.schema(Digest)
    opened["salt"] = _text(f"[0-9a-f]{{{2 * SALT}}}")
    line["recorded_at"] = erased["at"] = _text(TIME.pattern)
    line["happened_at"]["anyOf"][0] = _text(OFFSET_TIME.pattern)
    line["recorder"] = _text(r"[^\x00-\x1f\x7f-\x9f]*") | {"maxLength": limits.NAME}
    erased["by"] = line["recorder"] | {"minLength": 1}
    return _by_type(found, found["$defs"]["Line"], whole=False)


def _data() -> Schema:
    """The schema of complete data, with the sealed members put back."""
    found: Schema = {
        "type": "object",
        "required": ["type", "data"],
        "properties": {"type": {}, "data": {}},
        "$defs": {},
    }
    return _by_type(found, found, whole=True)


def _by_type(found: Schema, entry: Schema, *, whole: bool) -> Schema:
    """Make the schema of an entry's data depend on its type."""
    entry["properties"]["type"] = {"enum": list(_ALL_TYPES)}
    entry["allOf"] = []
    for name, form in _ALL_TYPES.items():
        of_type = msgspec.json.schema(_with_any_words(form))
        if not whole:
            top = _top(of_type)
            top["required"] = [name for name in top.get("required", []) if name not in _can_be_hidden(form)]
        found["$defs"] |= of_type["$defs"]
        entry["allOf"].append(
            {
                "if": {"properties": {"type": {"const": name}}},
                "then": {"properties": {"data": {"$ref": of_type["$ref"]}}},
            }
        )
    return found


def _can_be_hidden(form: type[EventData]) -> set[str]:
    """The sealable members of a type's data, which a line can lack."""
    return {*form.sealed_fields, form.ruleset_field}


def _with_any_words(form: type[EventData]) -> Any:
    """The schema of a type's data, with any object as a move or an adjustment."""
    parameters = getattr(form, "__parameters__", ())
    return form[(dict,) * len(parameters)] if parameters else form  # type: ignore[index]


def _top(found: Schema) -> Schema:
    top: Schema = found["$defs"][found["$ref"].rpartition("/")[2]]
    return top


def _exact(**kinds: Any) -> Schema:
    """Schemas of members that only the reader checks."""
    return {name: msgspec.json.schema(kind) for name, kind in kinds.items()}


def _text(pattern: str) -> Schema:
    """The schema of a text that matches a pattern completely."""
    return {"type": "string", "pattern": f"^{pattern}{END_OF_TEXT}"}


def _plain(found: Schema) -> Schema:
    """A schema with names and descriptions for readers."""
    plain: Schema = json.loads(json.dumps(found).replace(_GIVEN, ""))
    for each in plain.get("$defs", {}).values():
        if "description" in each:
            each["description"] = cleandoc(each["description"])
    return plain


_GENERAL = {"header": _header, "entry": _entry, "data": _data}
_OF_RULESET: dict[str, Any] = {
    "move": lambda ruleset: ruleset.moves,
    "adjustment": lambda ruleset: Union[ruleset.adjustments],  # noqa: UP007 - of a tuple
}
