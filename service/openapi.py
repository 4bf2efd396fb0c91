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

from events.types import END
from games.rulesets import SHIPPED
from service import __version__, examples
from service.access.repeating import HEADER
from service.access.scopes import ROLES, SCOPES
from service.access.table import OPEN
from service.endpoints import BYTES, FORM, JSON, SSE, TEXT, YAML, Endpoint
from service.problems import KINDS
from service.refusals import MEDIA_TYPE
from service.routes import PARTS
from service.routes.streams import LAST
from service.webhooks import messages

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    _add_schemas(document["components"]["schemas"], endpoints)
    document["webhooks"] = {name: {"post": _told(name, about)} for name, about in _TOLD.items()}
    return document


def _add_schemas(schemas: dict[str, Any], endpoints: list[Endpoint]) -> None:
    """Add what is no marshmallow schema, and give every schema its own name as a title: generators name types so."""
    schemas["Draft"]["properties"]["data"] = _DATA
    for more in (_answers(endpoints), _messages(), _moves(), {"Problem": _PROBLEM}):
        if taken := schemas.keys() & more.keys():
            raise ValueError(f"two schemas have the name {taken}")
        schemas |= more
    for name, schema in schemas.items():
        schemas[name] = {"title": name} | _plain(schema) | {"title": name}


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
                "schema": {"type": "string", "pattern": '^"[ !#-[\\]-~]{16,255}"$(?!\\n)'},
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


def _answers(endpoints: list[Endpoint]) -> dict[str, Any]:
    types = {kind for endpoint in endpoints for kind in (endpoint.answer, endpoint.failure) if kind}
    ordered = sorted(types, key=lambda answer: str(answer.__name__))
    _, components = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    return dict(sorted(components.items()))


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


_DATA = {
    "type": "object",
    "description": "what the type of entry holds",
    "properties": {
        "move": {
            "description": "for an entry that brings a move: a line of the ruleset's notation, or an object",
            "anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Move"}],
        },
        "override": {
            "description": "that a move which breaks a rule was made all the same",
            "type": "object",
            "required": ["reason"],
            "properties": {"reason": {"type": "string", "minLength": 1, "maxLength": 1000}},
        },
    },
    "additionalProperties": True,
}

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
