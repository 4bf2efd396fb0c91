"""The schemas that are not from marshmallow: answers, entries and moves. All are made plain and named."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec

from events.types import END_OF_TEXT, ENTRY_ERASED, GAME_OPENED, TYPES, ClaimedLine
from games.rulesets import SHIPPED
from service.api import examples
from service.api.openapi.messages import message_schemas
from service.api.openapi.operations import answers_of
from service.api.openapi.own_schemas import DATA, DATA_FIELDS, OWN
from service.api.openapi.shapes import (
    NULL,
    OBJECT,
    SCHEMA,
    Enumerations,
    change_schemas,
    pascal,
    refer,
    references,
    shorten_example,
    without_default,
    without_null,
    without_titles,
)
from service.api.openapi.sharing import operations
from service.api.schemas.fields import UUID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.contract import Ruleset
    from service.api.endpoints import Endpoint


def add_schemas(document: dict[str, Any], endpoints: list[Endpoint]) -> None:
    """Add the schemas that are not from marshmallow, make all plain, and name their enumerations."""
    claimed, fields = _fields_of_entries()
    data = DATA | {"properties": fields | DATA_FIELDS}
    moves = {ruleset: _moves(ruleset) for ruleset in SHIPPED.values()}
    schemas = _merged(
        document["components"]["schemas"], _answers(endpoints), message_schemas(), claimed, OWN, *moves.values(),
        {"Move": {"anyOf": [refer(_move(ruleset)) for ruleset in moves]}, "DraftData": data},
    )  # fmt: skip
    schemas["Draft"]["properties"]["data"] = refer("DraftData")
    schemas = {name: change_schemas(without_titles(schema), _with_id) for name, schema in schemas.items()}
    general = Enumerations(_ENUMERATIONS)
    of_moves = {ruleset: Enumerations({}, _named_values(ruleset), pascal(ruleset.name)) for ruleset in moves}
    own = {name: of_moves[ruleset] for ruleset, found in moves.items() for name in found}
    sent = _sent(document, schemas)
    for name, schema in schemas.items():
        found = change_schemas(schema, without_default) if name in sent else schema
        schemas[name] = own.get(name, general).share(found, name)
    for operation in operations(document):
        for parameter in operation["parameters"]:
            found = _with_id(without_null(without_titles(parameter["schema"])))
            parameter["schema"] = general.share(found, pascal(operation["operationId"]), parameter["name"])
            if not parameter.get("required"):
                parameter.pop("required", None)
    enumerations = [each.schemas for each in (general, *of_moves.values())]
    named = _merged(schemas, *enumerations, {OBJECT: {"type": "object", "additionalProperties": True}, ID: _ID})
    document["components"]["schemas"] = dict(sorted(named.items()))


ID = "Id"
_ID = {
    "description": "a UUID (version 7 by preference), lower case",
    "type": "string",
    "format": "uuid",
    "pattern": f"^{UUID}{END_OF_TEXT}",
}


def _with_id(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema. One of an id becomes a reference with its own description."""
    if schema.get("pattern") != _ID["pattern"]:
        return schema
    if schema["type"] != "string":
        kept = {name: part for name, part in schema.items() if name not in _ID or name == "description"}
        return {"anyOf": [refer(ID), NULL]} | kept
    return {name: part for name, part in schema.items() if _ID.get(name) != part} | refer(ID)


def _merged(*parts: dict[str, Any]) -> dict[str, Any]:
    """The schemas of all parts. Raises `ValueError` if two have the same name."""
    found: dict[str, Any] = {}
    for part in parts:
        if taken := found.keys() & part.keys():
            raise ValueError(f"two schemas have the name {taken}")
        found |= part
    return found


def _sent(document: dict[str, Any], schemas: dict[str, Any]) -> set[str]:
    """The schemas of the requests to the API."""
    found = set[str]()
    waiting = references([each.get("requestBody") for path in document["paths"].values() for each in path.values()])
    while waiting:
        name = waiting.pop()
        if name not in found and name in schemas:
            found.add(name)
            waiting |= references(schemas[name])
    return found


def _fields_of_entries() -> tuple[dict[str, Any], dict[str, Any]]:
    """The data of entries of any type: the schemas that it names, and its fields.

    A field of several types is described as in the most general one.
    """
    kinds = {name: kind for name, kind in TYPES.items() if name not in {GAME_OPENED, ENTRY_ERASED}}
    _, found = msgspec.json.schema_components(list(kinds.values()), ref_template=SCHEMA)
    fields: dict[str, Any] = {}
    for name, kind in kinds.items():
        for field, schema in found[kind.__name__]["properties"].items():
            before = fields.get(field)
            types = f"{before['description']}, `{name}`" if before else f"of `{name}`"
            laxer = before if before and ("anyOf" in before or "minLength" in schema) else schema
            fields[field] = laxer | {"description": types}
        for field in kind.person[:1] if kind.person else ():
            fields[field] = {"type": "string", "description": f"of `{name}`: the name of a person, who may be new"}
    lines = ClaimedLine.__name__
    return {lines: found[lines]}, fields


def _answers(endpoints: list[Endpoint]) -> dict[str, Any]:
    types = {kind for endpoint in endpoints for kind in (*answers_of(endpoint), endpoint.failure) if kind}
    ordered = sorted(types, key=lambda answer: str(answer.__name__))
    _, components = msgspec.json.schema_components(ordered, ref_template=SCHEMA)
    for kind in _structs(ordered):
        components[kind.__name__] = _answered(kind, components[kind.__name__])
    _add_examples(components, endpoints)
    return dict(sorted(components.items()))


def _add_examples(schemas: dict[str, Any], endpoints: list[Endpoint]) -> None:
    """Give the type of each answer its longest example, unless the examples of other types show its parts.

    The longest examples come first: they show most.
    """
    found: dict[str, list[Any]] = {}
    for endpoint in endpoints:
        if endpoint.answer and endpoint.name in examples.ANSWERS:
            found.setdefault(endpoint.answer.__name__, []).append(shorten_example(examples.ANSWERS[endpoint.name]))
    longest = {name: max(shown, key=_length) for name, shown in found.items()}
    seen = set[str]()
    for name, example in sorted(longest.items(), key=lambda one: -_length(one[1])):
        parts = {part for part in references(schemas[name]) if "properties" in schemas.get(part, ())}
        if not parts & found.keys() and not (parts and parts <= seen):
            schemas[name]["examples"] = [example]
            seen |= parts


def _length(example: Any) -> int:
    return len(msgspec.json.encode(example))


def _structs(kinds: Sequence[type]) -> set[type[msgspec.Struct]]:
    """The structs of answers."""
    found, waiting = set[type[msgspec.Struct]](), [*msgspec.inspect.multi_type_info(kinds)]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls not in found:
                found.add(kind.cls)
                waiting += [field.type for field in kind.fields]
            continue
        for name in kind.__struct_fields__:
            part = getattr(kind, name)
            parts = part if isinstance(part, tuple) else (part,)
            waiting += [each for each in parts if isinstance(each, msgspec.inspect.Type)]
    return found


def _answered(kind: type[msgspec.Struct], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an answered struct. A field with a default is always there, or optional if left out then."""
    fields = {name: _no_default(part) for name, part in schema["properties"].items()}
    if kind.__struct_config__.omit_defaults:
        return schema | {"properties": fields}
    unset = {field.encode_name for field in msgspec.structs.fields(kind) if field.default is msgspec.UNSET}
    return schema | {"properties": fields, "required": [name for name in fields if name not in unset]}


def _no_default(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in schema.items() if name != "default"}


def _moves(ruleset: Ruleset) -> dict[str, Any]:
    """The moves of a ruleset, with its name before their own."""
    template = SCHEMA.replace("{", pascal(ruleset.name) + "{")
    (union,), found = msgspec.json.schema_components([ruleset.moves], ref_template=template)
    return {pascal(ruleset.name) + name: schema for name, schema in found.items()} | {_move(ruleset): union}


def _move(ruleset: Ruleset) -> str:
    """The name of the schema of a ruleset's moves."""
    return f"{pascal(ruleset.name)}Move"


def _named_values(ruleset: Ruleset) -> dict[frozenset[Any], str]:
    """The names of sets of values in the code of a ruleset's moves."""
    modules = {parent.__module__ for kind in _structs([ruleset.moves]) for parent in kind.__mro__}
    return {
        frozenset(get_args(value)): name
        for module in sorted(modules)
        for name, value in vars(sys.modules[module]).items()
        if get_origin(value) is Literal
    }


_ENUMERATIONS = {
    "DeliveryInfoState": "DeliveryState",
    "DraftDataAlgorithm": "SignatureAlgorithm",
    "DraftDataHow": "HowClosed",
    "EndTokenMade": "MadeWithToken",
    "ExportGameFormat": "ExportFormat",
    "ImportGameErased": "ErasedNames",
    "ListGamesStatus": "GameStatus",
    "ReadTrailOrder": "TrailOrder",
    "TokenRole": "RoleName",
    "TokenScope": "ScopeName",
    "VisibilityVisibility": "VisibleTo",
}
"""Better names of enumerations than those of the place where they stand first."""
