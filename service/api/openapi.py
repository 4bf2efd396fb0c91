"""openapi.yaml, generated from the endpoints: requests from their marshmallow schemas, answers from their types."""

from __future__ import annotations

import re
import sys
from functools import cache
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from events import limits
from events.types import END, OPENING, TYPES, ClaimedLine
from games.rulesets import SHIPPED
from service import __version__
from service.access.needs import OPEN
from service.access.repeating import HEADER
from service.access.scopes import ROLES, SCOPES
from service.api import examples
from service.api.endpoints import BYTES, FORM, JSON, SSE, TEXT, YAML, Endpoint
from service.api.routes import PARTS
from service.api.routes.streams import LAST
from service.problems.kinds import KINDS, MEDIA_TYPE
from service.webhooks import messages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

TITLE = "Kifu"
ABOUT = """The record of a game: tabletop games played in person, recorded move by move.

Every write is safe to repeat: ids are made by the client. What breaks a rule is refused with the rule's id, and taken
with an `override`, because it may have happened all the same. Errors are `application/problem+json` (RFC 9457),
in the language of `Accept-Language` as far as people read them.
"""

PARAMETER = "<(?:path:)?([a-z_]+)>"
"""A parameter in a path as Flask has it."""

TAGS = {
    "rulesets": "The games whose rules are known.",
    "games": "The games that are recorded.",
    "entries": "What happened, entry by entry: recording it, and the log as it stands.",
    "states": "What follows from the entries, at any version and from any point of view.",
    "streams": "What is recorded, told as it comes.",
    "analyses": "What a whole game looks like afterwards: made by workers, and followed here.",
    "forks": "What if: games that go off from another one, and games side by side.",
    "tree": "One tree over the whole log: signed, so that nothing can be changed or left out unseen.",
    "transfers": "Games out of here and into here.",
    "players": "The people's names, which can be erased.",
    "components": "What was entered of a box once, under a name, to open many games with.",
    "templates": "Ready score sheets, and those that somebody kept, found by name.",
    "tokens": "What opens the service: for programs, devices and browsers.",
    "oauth": "How programs come to a token that somebody lets them have.",
    "access": "Who may do what, who may see which game, and the trail of who said so.",
    "invitations": "What lets a person's phone in, to the service or to a seat: a link, and a code to type.",
    "links": "Addresses that show one game to whoever has them.",
    "webhooks": "Programs elsewhere that are told what happens.",
    "operations": "How the service is.",
}


def specification() -> dict[str, Any]:
    """The description of the whole API as an OpenAPI 3.1 document."""
    spec = APISpec(
        title=TITLE,
        version=__version__,
        openapi_version="3.1.0",
        info={
            "description": ABOUT,
            "contact": {"name": "Whoever runs this service"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        plugins=[MarshmallowPlugin()],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        servers=[{"url": "/"}],
    )
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "description": _scopes()})
    endpoints = [endpoint for part in PARTS for endpoint in part.described]
    for endpoint in endpoints:
        path = re.sub(PARAMETER, r"{\1}", endpoint.path)
        spec.path(path, operations={endpoint.method.lower(): _operation(endpoint)})
    document: dict[str, Any] = spec.to_dict()
    schemas = document["components"]["schemas"]
    _add_schemas(schemas, endpoints)
    document["webhooks"] = {name: {"post": _told(name, about)} for name, about in _TOLD.items()}
    for name in _sent(document):
        schemas[name] = _changed(schemas[name], _without_default, name)
    for name in schemas:
        schemas[name] = _changed(schemas[name], _with_names, name)
    for parameter in (each for operation in _operations(document) for each in operation["parameters"]):
        parameter["schema"] = _changed(parameter["schema"], _with_names, parameter["name"])
    return document


def _add_schemas(schemas: dict[str, Any], endpoints: list[Endpoint]) -> None:
    """Add what is no marshmallow schema, and give every schema its own name as a title: generators name types so."""
    claimed, fields = _fields_of_entries()
    schemas["Draft"]["properties"]["data"] = _DATA | {"properties": fields | _DATA_FIELDS}
    for more in (_answers(endpoints), _messages(), _moves(), claimed, {"Problem": _PROBLEM}):
        if taken := schemas.keys() & more.keys():
            raise ValueError(f"two schemas have the name {taken}")
        schemas |= more
    for name, schema in schemas.items():
        schemas[name] = {"title": name} | _plain(schema) | {"title": name}


def _sent(document: dict[str, Any]) -> set[str]:
    """The schemas of what requests hold."""
    schemas, found = document["components"]["schemas"], set[str]()
    waiting = _references([each.get("requestBody") for each in _operations(document)])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= _references(schemas[name])
    return found


def _operations(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for path in document["paths"].values() for each in path.values()]


def _references(part: Any) -> set[str]:
    """The names of the schemas to which some part of the document refers."""
    if isinstance(part, list):
        return set().union(*map(_references, part))
    if not isinstance(part, dict):
        return set()
    own = {part["$ref"].rpartition("/")[2]} if isinstance(part.get("$ref"), str) else set()
    return own.union(*map(_references, part.values()))


def _without_default(schema: dict[str, Any], _: str) -> dict[str, Any]:
    """The schema of something that is sent: generators demand a field that has a default, and nobody need send it."""
    default = schema.get("default")
    found = {name: part for name, part in schema.items() if name != "default"}
    if default:
        found["description"] = f"{found.get('description', '')} (if left out: `{default}`)".strip()
    return found


def _with_names(schema: dict[str, Any], field: str) -> dict[str, Any]:
    """The schema with a name for each value of an enumeration: generators make up their own where there is none."""
    return schema | {"x-enum-varnames": _variables(schema["enum"], field)} if "enum" in schema else schema


def _changed(schema: Any, change: Callable[[dict[str, Any], str], dict[str, Any]], field: str) -> Any:
    """The schema of a field, with each schema in it changed, too."""
    if isinstance(schema, list):
        return [_changed(part, change, field) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: part if name == "properties" else _changed(part, change, field) for name, part in schema.items()}
    if fields := schema.get("properties"):
        found["properties"] = {name: _changed(part, change, name) for name, part in fields.items()}
    return change(found, field)


def _variables(values: list[Any], field: str) -> list[str]:
    """Names for the values of an enumeration: their own words, or, of numbers, those of the field and the number."""
    found = list[str]()
    for value in values:
        word = re.sub(r"[^0-9A-Za-z]+", "_", str(value).rpartition("/")[2]).strip("_").upper()
        name = word if word[:1].isalpha() else re.sub(r"[^0-9A-Z]+", "_", f"{field}_{word or 'NONE'}".upper())
        found.append(name if name not in found else f"{name}_{len(found)}")
    return found


def _plain(schema: Any) -> Any:
    """The schema as generators of clients understand it: no indented descriptions, no objects without any fields."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _plain(part) for name, part in schema.items()}
    if isinstance(text := found.get("description"), str):
        found["description"] = cleandoc(text)
    if isinstance(fields := found.get("properties"), dict):  # what can be null alone is nothing that anybody need send
        found["properties"] = {name: part for name, part in fields.items() if part != {"type": "null", "default": None}}
    if found.get("items") is False:  # a tuple; its length is limited anyway, and most generators know nothing of these
        kinds = found.pop("prefixItems")
        found["items"] = kinds[0] if all(kind == kinds[0] for kind in kinds) else {"anyOf": kinds}
    if found.get("type") == "object" and not found.keys() & {"properties", "additionalProperties"}:
        found["additionalProperties"] = True
    return found


@cache
def description() -> str:
    """The document as YAML."""
    return msgspec.yaml.encode(msgspec.json.decode(msgspec.json.encode(specification()))).decode()


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint),
    }
    if endpoint.description:
        operation["description"] = re.sub(r"\n +", "\n", endpoint.description).strip()
    if endpoint.body is not None:
        example = (examples.BODIES | examples.ASIDE | examples.FORMS).get(endpoint.name)
        content = {
            media: {"schema": _body_schema(endpoint, media)} | _example(example) for media in endpoint.body_types
        }
        if TEXT in content:
            content[TEXT] |= _example(examples.TEXT)
        operation["requestBody"] = {"required": True, "content": content}
    if SSE in endpoint.answer_types:
        operation["x-internal"] = True  # an answer without an end: generators make calls of it that never come back
    operation |= _security(endpoint)
    return operation


def _security(endpoint: Endpoint) -> dict[str, Any]:
    """Whether it takes a token, and with which scopes: OpenAPI has no place for those of a bearer's token."""
    need = endpoint.need
    token: dict[str, list[str]] = {"token": []}
    if need is OPEN:
        return {"security": []}
    return {"security": [{}, token] if need.everybody else [token], "x-scopes": need.scopes}


def _scopes() -> str:
    """What a token is, and all that it can be made for."""
    lines = [f"* `{name}`: {what}" for name, what in SCOPES.items()]
    roles = [
        f"* `{name}`: {', '.join(f'`{scope}`' for scope in SCOPES if scope in scopes)}"
        for name, scopes in ROLES.items()
    ]
    return "\n".join(["A token. Its scopes:", "", *lines, "", "The roles, which are sets of them:", "", *roles])


def _body_schema(endpoint: Endpoint, media: str) -> Any:
    if media in {JSON, FORM}:
        return endpoint.body
    return {"type": "string", "description": endpoint.body} | ({"format": "binary"} if media == BYTES else {})


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    named: list[dict[str, Any]] = [
        {
            "in": "path",
            "name": name,
            "required": True,
            "description": what,
            "schema": {"type": "string"},
            "example": one,
        }
        for name in re.findall(PARAMETER, endpoint.path)
        for what, one in [examples.PATH[name]]
    ]
    if endpoint.query is not None:
        named.append({"in": "query", "schema": endpoint.query})
    if endpoint.conditional:
        header = "If-None-Match" if endpoint.method == "GET" else "If-Match"
        named.append({"in": "header", "name": header, "schema": {"type": "string"}, "example": '"v41"'})
    if SSE in endpoint.answer_types:
        schema, what = {"type": "string"}, "the id of the last event that was received"
        named.append({"in": "header", "name": LAST, "description": what, "schema": schema, "example": "41"})
    if endpoint.keyed:
        named.append(
            {
                "in": "header",
                "name": HEADER,
                "description": "a string of its own for this request: sent again with it, it gets the same answer",
                "schema": {
                    "type": "string",
                    "pattern": '^("[ !#-[\\]-~]{16,255}"|[!#-+\\--:<-[\\]-~]{16,255})$(?!\\n)',
                },
                "example": f'"{examples.CREDENTIAL}"',
            }
        )
    return named


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    responses: dict[str, Any] = {str(endpoint.status): _success(endpoint)}
    if endpoint.name in {"record_entries", "open_a_game"}:
        responses["200"] = _success(endpoint) | {"description": "The dry run's answer; nothing was stored."}
    if SSE in endpoint.answer_types:
        responses["204"] = {"description": "You connected again, and may not any more: this is the end of it."}
    if endpoint.conditional and endpoint.method == "GET":
        responses["304"] = {"description": "You have this version already."}
    names = ["bad-request", *endpoint.problems, *_refusals(endpoint)]
    by_status: dict[int, list[str]] = {}
    for name in dict.fromkeys(names):
        by_status.setdefault(KINDS[name].status, []).append(f"`{name}`: {KINDS[name].title}.")
    for status, lines in sorted(by_status.items()):
        responses[str(status)] = _failure("\n".join(lines))
    if endpoint.failure:
        schema = {"$ref": f"#/components/schemas/{endpoint.failure.__name__}"}
        responses["400"]["content"][JSON] = {"schema": schema}
    responses["default"] = _failure("Any other problem.")
    return responses


def _refusals(endpoint: Endpoint) -> Iterator[str]:
    """How a request is refused for whose it is, or for what answer it wants."""
    yield "token-in-address"
    if endpoint.need is not OPEN:
        yield from ("token-unknown", "quota-exceeded")
        if not endpoint.need.everybody:
            yield "token-needed"
            if endpoint.method != "GET":
                yield "foreign-origin"
        if endpoint.need.scopes:
            yield "scope-needed"
    if endpoint.keyed:
        yield from ("still-running", "key-reused")
    if endpoint.status != 204:
        yield "not-acceptable"
    if endpoint.body is not None and JSON in endpoint.body_types:
        yield from ("bad-json", "bad-media-type", "body-too-large")


def _success(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.status == 204:
        return {"description": "Done."}
    return {
        "description": endpoint.summary + ".",
        "content": {
            media: {"schema": _answer_schema(endpoint, media)} | _example(examples.ANSWERS.get(endpoint.name))
            for media in endpoint.answer_types
        },
    }


def _example(value: Any) -> dict[str, Any]:
    return {} if value is None else {"example": value}


def _answer_schema(endpoint: Endpoint, media: str) -> dict[str, str]:
    if endpoint.answer:
        return {"$ref": f"#/components/schemas/{endpoint.answer.__name__}"}
    return {"type": "object" if media == YAML else "string"}


def _failure(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    content = {"schema": schema} | _example(examples.PROBLEM if "`rule-broken`" in text else None)
    return {"description": text, "content": {MEDIA_TYPE: content}}


def _fields_of_entries() -> tuple[dict[str, Any], dict[str, Any]]:
    """What the data of entries holds, whatever their type: the schemas that it names, and its fields.

    A field that several types have is as the one says that takes most.
    """
    kinds = {name: kind for name, kind in TYPES.items() if name != OPENING}
    _, found = msgspec.json.schema_components(list(kinds.values()), ref_template="#/components/schemas/{name}")
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
    types = {kind for endpoint in endpoints for kind in (endpoint.answer, endpoint.failure) if kind}
    ordered = sorted(types, key=lambda answer: str(answer.__name__))
    _, components = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    for kind in _structs(ordered):
        components[kind.__name__] = _answered(kind, components[kind.__name__])
    return dict(sorted(components.items()))


def _structs(kinds: Sequence[type]) -> set[type[msgspec.Struct]]:
    """The structs that answers are made of."""
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
    """A struct as it is answered: a field with a default is always there, or, if such are left out, may be missing."""
    fields = {name: _no_default(part) for name, part in schema["properties"].items()}
    if kind.__struct_config__.omit_defaults:
        return schema | {"properties": fields}
    unset = {field.encode_name for field in msgspec.structs.fields(kind) if field.default is msgspec.UNSET}
    return schema | {"properties": fields, "required": [name for name in fields if name not in unset]}


def _no_default(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in schema.items() if name != "default"}


_TOLD = messages.TYPES | {messages.TEST: "Somebody tries out an endpoint."}
"""The messages, by type, and when they are sent."""

_HEADERS = {
    "webhook-id": (
        "the message's id: the same at every attempt, so that what arrives twice can be told",
        "msg_[0-9a-f]+",
    ),
    "webhook-timestamp": ("when this attempt was made, in seconds since 1970", "[0-9]+"),
    "webhook-signature": (
        "`v1,` and the HMAC-SHA256 of `id.timestamp.body`, in base64; a space between several",
        "v1,.+",
    ),
}


def _messages() -> dict[str, Any]:
    """The messages of webhooks, in both forms."""
    about = ("Game", "Audit", "Trial")
    kinds = [getattr(messages, f"{each}{form}") for each in about for form in ("Message", "CloudEvent")]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return dict(components)


def _told(name: str, about: str) -> dict[str, Any]:
    """The request that a receiver gets."""
    kind = {messages.TEST: "Trial", messages.DIFFERS: "Audit"}.get(name, "Game")
    forms = {messages.STANDARD: f"{kind}Message", messages.CLOUDEVENTS: f"{kind}CloudEvent"}
    content = {
        messages.MEDIA_TYPES[form]: {"schema": {"$ref": f"#/components/schemas/{schema}"}}
        for form, schema in forms.items()
    }
    return {
        "operationId": f"tell_{name.replace('.', '_')}",
        "tags": ["webhooks"],
        "summary": about.partition(":")[0].rstrip("."),
        "description": f"{about} It is signed after Standard Webhooks, and sent as the endpoint's `format` says.",
        "security": [],
        "parameters": [
            {
                "in": "header",
                "name": header,
                "required": True,
                "description": what,
                "schema": {"type": "string", "pattern": f"^{pattern}{END}"},
            }
            for header, (what, pattern) in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": content},
        "responses": {
            "2XX": {"description": "It has arrived."},
            "410": {"description": "Nothing more is wanted: the endpoint is disabled."},
            "429": {"description": "Too much: all that goes to the endpoint waits, as long as `Retry-After` says."},
            "default": {
                "description": "It has not arrived, and is sent again, for three days. Redirects are not followed."
            },
        },
    }


def _moves() -> dict[str, Any]:
    """The moves of every ruleset of this release, and a `Move` of any."""
    found: dict[str, Any] = {}
    names = []
    for ruleset in SHIPPED.values():
        prefix = ruleset.name.title().replace("_", "")
        (union,), components = msgspec.json.schema_components(
            [ruleset.moves], ref_template=f"#/components/schemas/{prefix}{{name}}"
        )
        found |= {f"{prefix}{name}": schema for name, schema in components.items()} | {f"{prefix}Move": union}
        names.append(f"{prefix}Move")
    return found | {"Move": {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}}


_DATA_FIELDS: dict[str, Any] = {
    "move": {
        "description": "for an entry that brings a move: a line of the ruleset's notation, or an object",
        "anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Move"}],
    },
    "override": {
        "description": "that a move which breaks a rule was made all the same",
        "type": "object",
        "required": ["reason"],
        "properties": {"reason": {"type": "string", "minLength": 1, "maxLength": limits.REASON}},
    },
    "adjustments": {
        "description": "of `ruling.given`: what it changes, each a line of the ruleset's notation, or an object",
        "type": "array",
        "maxItems": limits.ADJUSTMENTS,
        "items": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": True}]},
    },
}


_DATA = {"type": "object", "description": "what the type of entry holds", "additionalProperties": True}

_PROBLEM = {
    "type": "object",
    "description": "What went wrong, and what helps (RFC 9457).",
    "required": ["type", "title", "status", "detail", "advice"],
    "properties": {
        "type": {"type": "string", "enum": [f"/problems/{name}" for name in KINDS]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong with this very request"},
        "advice": {"type": "string", "description": "what to do about it"},
        "id": {"type": "string", "description": "the id of a fault of the service, which stands in its journal, too"},
        "rule": {"type": "string", "description": "the id of the rule that is broken"},
        "entry_index": {"type": "integer", "description": "which entry of the request, from 0"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
            },
        },
        "conflicts": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["version", "why", "rule", "choices"],
                "properties": {
                    "version": {"type": "integer"},
                    "why": {"type": "string"},
                    "rule": {"type": ["string", "null"]},
                    "choices": {"type": "array", "items": {"enum": ["keep", "withdraw"]}},
                    "notation": {"type": ["string", "null"]},
                    "legal": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "would": {
            "$ref": "#/components/schemas/Recorded",
            "description": "what a correction would do if of its conflicts all that can be kept stood",
        },
        "missed": {"type": "array", "items": {"$ref": "#/components/schemas/Stored"}},
        "version": {"type": "integer"},
        "game": {"type": "string"},
        "text": {"type": "string"},
        "at": {"type": "integer"},
        "line": {"type": "integer"},
    },
}

if __name__ == "__main__":
    sys.stdout.write(description())
