"""The operation of an endpoint: its parameters, its body, its responses and its scopes."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any, get_args

from service.access.needs import OPEN
from service.access.repeating import HEADER
from service.access.scopes import ROLES, SCOPES
from service.api import examples
from service.api.endpoints import BYTES, FORM, JSON, JSON_SCHEMA, SSE, TEXT, YAML, Endpoint
from service.api.openapi.failures import OTHER, own_problems, problems_of, response_name, to_failure
from service.api.openapi.shapes import OBJECT, paragraphs, refer
from service.api.openapi.sharing import to_response
from service.api.routes.streams import LAST

PARAMETER = "<(?:path:)?([a-z_]+)>"
"""A parameter in a path as Flask has it."""


TOKEN: dict[str, list[str]] = {"token": []}
"""What the document asks of every operation that does not say otherwise."""


def to_operation(endpoint: Endpoint) -> dict[str, Any]:
    """The operation of an endpoint, as it stands under its path."""
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint),
    }
    if endpoint.description:
        operation["description"] = paragraphs(endpoint.description)
    if endpoint.body is not None:
        operation["requestBody"] = {"required": True, "content": _body_content(endpoint)}
    if SSE in endpoint.answer_types:
        operation["x-internal"] = True  # an answer without an end: generators make calls of it that never come back
    return operation | _security(endpoint)


def _body_content(endpoint: Endpoint) -> dict[str, Any]:
    """The schema and the example of each form of a body."""
    shown = {
        media: (examples.BODIES | examples.ASIDE | examples.FORMS).get(endpoint.name) for media in endpoint.body_types
    }
    if endpoint.name in examples.TEXTS:
        shown[TEXT] = examples.TEXTS[endpoint.name]
    if endpoint.name in examples.FILES:
        shown[BYTES] = examples.FILES[endpoint.name]
    return {media: {"schema": _body_schema(endpoint, media)} | _example(one) for media, one in shown.items()}


def _security(endpoint: Endpoint) -> dict[str, Any]:
    """Whether an endpoint takes a token, and its scopes. OpenAPI has no place for scopes of a bearer token."""
    need = endpoint.need
    if need is OPEN:
        return {"security": []}
    return ({"security": [{}, TOKEN]} if need.everybody else {}) | {"x-scopes": need.scopes}


def describe_scopes() -> str:
    """The description of tokens, with all scopes."""
    lines = [f"* `{name}`: {what}" for name, what in SCOPES.items()]
    before = [frozenset[str](), *ROLES.values()]
    roles = [
        f"* `{name}`: {', '.join(f'`{scope}`' for scope in SCOPES if scope in scopes - less)}"
        for (name, scopes), less in zip(ROLES.items(), before, strict=False)
    ]
    title = "The roles. Each also has the scopes of the one before it:"
    return "\n".join(["A token. Its scopes:", "", *lines, "", title, "", *roles])


def _body_schema(endpoint: Endpoint, media: str) -> Any:
    if media in {JSON, FORM}:
        return endpoint.body
    return {"type": "string", "description": endpoint.body} | ({"format": "binary"} if media == BYTES else {})


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    named = [_path_parameter(name) for name in re.findall(PARAMETER, endpoint.path)]
    if endpoint.query is not None:
        named.append({"in": "query", "schema": endpoint.query})
    if endpoint.conditional:
        header = "If-None-Match" if endpoint.method == "GET" else "If-Match"
        named.append({"in": "header", "name": header, "schema": {"type": "string"}, "example": '"v41"'})
    if endpoint.resumed:
        named.extend(_RESUMING)
    if SSE in endpoint.answer_types:
        schema, what = {"type": "string"}, "the id of the last event that was received"
        named.append({"in": "header", "name": LAST, "description": what, "schema": schema, "example": "41"})
    if endpoint.keyed:
        named.append(_KEY_PARAMETER)
    return named


def _path_parameter(name: str) -> dict[str, Any]:
    what, one = examples.of_parameter(name)
    schema = {"type": "string"}
    return {"in": "path", "name": name, "required": True, "description": what, "schema": schema, "example": one}


_RESUMING: list[dict[str, Any]] = [
    {"in": "header", "name": name, "schema": {"type": "string"}, "example": example}
    for name, example in {"Range": "bytes=4096-", "If-Range": '"v41"', "If-None-Match": '"v41"'}.items()
]
"""The parameters of a download that can be resumed."""

_KEY_PARAMETER: dict[str, Any] = {
    "in": "header",
    "name": HEADER,
    "description": "a string of its own for this request: sent again with it, it gets the same answer",
    "schema": {
        "type": "string",
        "pattern": '^("[ !#-[\\]-~]{16,255}"|[!#-+\\--:<-[\\]-~]{16,255})$(?!\\n)',
    },
    "example": f'"{examples.CREDENTIAL}"',
}
"""The parameter `Idempotency-Key`."""


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    responses: dict[str, Any] = {str(endpoint.status): _success(endpoint)}
    if endpoint.name in {"record_entries", "open_game"}:
        dry = {media: {"schema": _answer_schema(endpoint, media)} for media in endpoint.answer_types}
        responses["200"] = {"description": "The dry run's answer; nothing was stored.", "content": dry}
    if SSE in endpoint.answer_types:
        responses["204"] = to_response("EndOfStream")
    if endpoint.resumed:
        responses["206"] = _success(endpoint) | {"description": "The requested part."}
    if endpoint.resumed or (endpoint.conditional and endpoint.method == "GET"):
        responses["304"] = to_response("NotModified")
    for status, problems in sorted(own_problems(endpoint).items()):
        responses[str(status)] = to_response(response_name(problems))
    if endpoint.failure:
        failure = to_failure(problems_of(endpoint)[400])
        own = {JSON: {"schema": refer(endpoint.failure.__name__)}}
        responses["400"] = failure | {"content": own | failure["content"]}
    responses["default"] = to_response(OTHER)
    return responses


def _success(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.status == 204:
        return to_response("Done")
    content = {media: {"schema": _answer_schema(endpoint, media)} for media in endpoint.answer_types}
    return {"description": HTTPStatus(endpoint.status).phrase, "content": content}


def _example(value: Any) -> dict[str, Any]:
    return {} if value is None else {"example": value}


def answers_of(endpoint: Endpoint) -> tuple[Any, ...]:
    """The types of an endpoint's answer: one, those of a union, or none."""
    return get_args(endpoint.answer) or ((endpoint.answer,) if endpoint.answer else ())


def _answer_schema(endpoint: Endpoint, media: str) -> dict[str, Any]:
    if media == SSE:
        return refer("StreamEvent")
    if answers := [refer(answer.__name__) for answer in answers_of(endpoint)]:
        return answers[0] if len(answers) == 1 else {"anyOf": answers}
    return refer(OBJECT) if media in {JSON, YAML, JSON_SCHEMA} else {"type": "string"}
