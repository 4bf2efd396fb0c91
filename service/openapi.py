"""openapi.yaml, generated from the endpoints: requests from their marshmallow schemas, answers from their types."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from games.rulesets import RULESETS
from service import __version__
from service.endpoints import JSON, YAML, Endpoint
from service.problems import KINDS
from service.refusals import MEDIA_TYPE
from service.routes import PARTS

TITLE = "Kifu"
ABOUT = """The record of a game: tabletop games played in person, recorded move by move.

Every write is safe to repeat: ids are made by the client. What breaks a rule is refused with the rule's id, and taken
with an `override`, because it may have happened all the same. Errors are `application/problem+json` (RFC 9457).
"""

TAGS = {
    "rulesets": "The games whose rules are known.",
    "games": "The games that are recorded.",
    "entries": "What happened, entry by entry: recording it, and the log as it stands.",
    "states": "What follows from the entries, at any version and from any point of view.",
    "transfers": "Games out of here and into here.",
    "players": "The people's names, which can be erased.",
    "components": "What was entered of a box once, under a name, to open many games with.",
    "operations": "How the service is.",
}


def specification() -> dict[str, Any]:
    """The description of the whole API as an OpenAPI 3.1 document."""
    spec = APISpec(
        title=TITLE,
        version=__version__,
        openapi_version="3.1.0",
        info={"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        plugins=[MarshmallowPlugin()],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        servers=[{"url": "/"}],
    )
    spec.components.security_scheme("owner", {"type": "http", "scheme": "bearer", "description": "the owner's token"})
    endpoints = [endpoint for part in PARTS for endpoint in part.described]
    _describe_answers(spec, endpoints)
    _describe_moves(spec)
    spec.components.schema("Problem", _PROBLEM)
    for endpoint in endpoints:
        path = re.sub("<([a-z_]+)>", r"{\1}", endpoint.path)
        spec.path(path, operations={endpoint.method.lower(): _operation(endpoint)})
    document: dict[str, Any] = spec.to_dict()
    return document


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
        content = {media: {"schema": _body_schema(endpoint, media)} for media in endpoint.body_types}
        operation["requestBody"] = {"required": True, "content": content}
    if endpoint.owner:
        operation["security"] = [{"owner": []}]
    return operation


def _body_schema(endpoint: Endpoint, media: str) -> Any:
    return endpoint.body if media == JSON else {"type": "string", "description": endpoint.body}


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    named: list[dict[str, Any]] = [
        {"in": "path", "name": name, "required": True, "schema": {"type": "string"}}
        for name in re.findall("<([a-z_]+)>", endpoint.path)
    ]
    if endpoint.query is not None:
        named.append({"in": "query", "schema": endpoint.query})
    if endpoint.conditional:
        header = "If-None-Match" if endpoint.method == "GET" else "If-Match"
        named.append({"in": "header", "name": header, "schema": {"type": "string"}, "example": '"v41"'})
    return named


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    responses: dict[str, Any] = {str(endpoint.status): _success(endpoint)}
    if endpoint.name in {"record_entries", "open_a_game"}:
        responses["200"] = _success(endpoint) | {"description": "The dry run's answer; nothing was stored."}
    if endpoint.conditional and endpoint.method == "GET":
        responses["304"] = {"description": "You have this version already."}
    names = [*endpoint.problems, *(("token-needed", "token-unknown", "foreign-origin") if endpoint.owner else ())]
    by_status: dict[int, list[str]] = {}
    for name in dict.fromkeys(names):
        by_status.setdefault(KINDS[name].status, []).append(f"`{name}`: {KINDS[name].title}.")
    for status, lines in sorted(by_status.items()):
        responses[str(status)] = _failure("\n".join(lines))
    responses["default"] = _failure("Any other problem.")
    return responses


def _success(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.status == 204:
        return {"description": "Done."}
    return {
        "description": endpoint.summary + ".",
        "content": {media: {"schema": _answer_schema(endpoint, media)} for media in endpoint.answer_types},
    }


def _answer_schema(endpoint: Endpoint, media: str) -> dict[str, str]:
    if endpoint.answer:
        return {"$ref": f"#/components/schemas/{endpoint.answer.__name__}"}
    return {"type": "object" if media == YAML else "string"}


def _failure(text: str) -> dict[str, Any]:
    return {"description": text, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


def _describe_answers(spec: APISpec, endpoints: list[Endpoint]) -> None:
    types = {endpoint.answer for endpoint in endpoints if endpoint.answer}
    ordered = sorted(types, key=lambda answer: str(answer.__name__))
    _, components = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    for name, schema in sorted(components.items()):
        spec.components.schema(name, schema)


def _describe_moves(spec: APISpec) -> None:
    for ruleset in RULESETS.values():
        prefix = ruleset.name.title().replace("_", "")
        (union,), components = msgspec.json.schema_components(
            [ruleset.moves], ref_template=f"#/components/schemas/{prefix}{{name}}"
        )
        for name, schema in components.items():
            spec.components.schema(f"{prefix}{name}", schema)
        spec.components.schema(f"{prefix}Move", union)


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
