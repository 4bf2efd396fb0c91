"""openapi.yaml, generated from the endpoints: requests from their marshmallow schemas, answers from their types."""

from __future__ import annotations

import re
import sys
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin

from events import limits
from events.types import END_OF_TEXT, ENTRY_ERASED, GAME_OPENED, TYPES, ClaimedLine
from games.rulesets import SHIPPED
from service import __version__
from service.access.needs import OPEN
from service.access.repeating import HEADER
from service.access.scopes import ROLES, SCOPES
from service.api import examples
from service.api.endpoints import BYTES, FORM, JSON, JSON_SCHEMA, SSE, TEXT, YAML, Endpoint
from service.api.layout import to_yaml
from service.api.routes import PARTS
from service.api.routes.streams import LAST
from service.api.schemas.fields import UUID
from service.api.shapes import (
    NULL,
    OBJECT,
    SCHEMA,
    Enumerations,
    change_schemas,
    paragraphs,
    pascal,
    refer,
    references,
    shorten_example,
    without_default,
    without_null,
    without_titles,
)
from service.api.sharing import operations, share_bodies, share_parameters, share_responses, to_response
from service.problems.kinds import KINDS, MEDIA_TYPE
from service.webhooks import messages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from games.contract import Ruleset

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
    "plays": "Plays from the files of other trackers, which become score sheets.",
    "pasting": "Tables of spreadsheets, onto score sheets.",
    "statistics": "Figures and ratings of people, from the games that the caller may see.",
    "years": "Years in review.",
    "clubs": "Clubs: their members, house rules and games.",
    "tournaments": "Tournaments: pairings, results, and a table with every tie-break explained.",
    "seasons": "Seasons: the table of a club's games by its own rules.",
    "exports": "Many games as tables, spreadsheets and files for other programs.",
    "players": "The people's names, which can be erased.",
    "held": "What is held about a person.",
    "merges": "People who were entered several times.",
    "components": "What was entered of a box once, under a name, to open many games with.",
    "templates": "Ready score sheets, and those that somebody kept, found by name.",
    "playable": "What can be played here, by any name: ready sheets, kept sheets and rulesets.",
    "tokens": "What opens the service: for programs, devices and browsers.",
    "oauth": "How programs come to a token that somebody lets them have.",
    "access": "Who may do what, who may see which game, and the trail of who said so.",
    "invitations": "What lets a person's phone in, to the service or to a seat: a link, and a code to type.",
    "links": "Links that show one game to anyone who has them.",
    "webhooks": (
        "Programs elsewhere that are told what happens. Messages are signed after Standard Webhooks, and sent as the "
        "endpoint's `format` says."
    ),
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
            "contact": {"name": "The owner of this service"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        plugins=[MarshmallowPlugin()],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
        servers=[{"url": "/"}],
        security=[TOKEN],
    )
    spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "description": _scopes()})
    endpoints = [endpoint for part in PARTS for endpoint in part.described]
    for endpoint in endpoints:
        path = re.sub(PARAMETER, r"{\1}", endpoint.path)
        spec.path(path, operations={endpoint.method.lower(): _operation(endpoint)})
    document: dict[str, Any] = spec.to_dict()
    document["webhooks"] = {
        name: {"post": _message_operation(name, about)} for name, about in _MESSAGE_RESPONSES.items()
    }
    _add_schemas(document, endpoints)
    share_parameters(document)
    share_bodies(document)
    failures = {name: _failure(problems) for name, problems in _failures(endpoints).items()}
    share_responses(document, failures | {OTHER: _other_failure()} | _WITHOUT_CONTENT)
    return document


def _add_schemas(document: dict[str, Any], endpoints: list[Endpoint]) -> None:
    """Add the schemas that are not from marshmallow, make all plain, and name their enumerations."""
    claimed, fields = _fields_of_entries()
    data = _DATA | {"properties": fields | _DATA_FIELDS}
    moves = {ruleset: _moves(ruleset) for ruleset in SHIPPED.values()}
    schemas = _merged(
        document["components"]["schemas"], _answers(endpoints), _messages(), claimed, _OWN, *moves.values(),
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


@cache
def description() -> str:
    """The document as YAML."""
    return to_yaml(specification())


def _operation(endpoint: Endpoint) -> dict[str, Any]:
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
        example = (examples.BODIES | examples.ASIDE | examples.FORMS).get(endpoint.name)
        content = {
            media: {"schema": _body_schema(endpoint, media)} | _example(example) for media in endpoint.body_types
        }
        if TEXT in content:
            content[TEXT] |= _example(examples.TEXT)
        if endpoint.name in examples.FILES:
            content[BYTES] |= _example(examples.FILES[endpoint.name])
        operation["requestBody"] = {"required": True, "content": content}
    if SSE in endpoint.answer_types:
        operation["x-internal"] = True  # an answer without an end: generators make calls of it that never come back
    operation |= _security(endpoint)
    return operation


TOKEN: dict[str, list[str]] = {"token": []}
"""What the document asks of every operation that does not say otherwise."""


def _security(endpoint: Endpoint) -> dict[str, Any]:
    """Whether an endpoint takes a token, and its scopes. OpenAPI has no place for scopes of a bearer token."""
    need = endpoint.need
    if need is OPEN:
        return {"security": []}
    return ({"security": [{}, TOKEN]} if need.everybody else {}) | {"x-scopes": need.scopes}


def _scopes() -> str:
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
    if endpoint.name in {"record_entries", "open_a_game"}:
        dry = {media: {"schema": _answer_schema(endpoint, media)} for media in endpoint.answer_types}
        responses["200"] = {"description": "The dry run's answer; nothing was stored.", "content": dry}
    if SSE in endpoint.answer_types:
        responses["204"] = to_response("EndOfStream")
    if endpoint.conditional and endpoint.method == "GET":
        responses["304"] = to_response("NotModified")
    for status, problems in sorted(_own_problems(endpoint).items()):
        responses[str(status)] = to_response(_name_of(problems))
    if endpoint.failure:
        failure = _failure(_problems(endpoint)[400])
        own = {JSON: {"schema": refer(endpoint.failure.__name__)}}
        responses["400"] = failure | {"content": own | failure["content"]}
    responses["default"] = to_response(OTHER)
    return responses


def _problems(endpoint: Endpoint) -> dict[int, list[str]]:
    """The problems that an endpoint answers, by status and in the order of their list."""
    names = {"bad-request", *endpoint.problems, *_refusals(endpoint)}
    by_status: dict[int, list[str]] = {}
    for name in KINDS:
        if name in names:
            by_status.setdefault(KINDS[name].status, []).append(name)
    return by_status


def _own_problems(endpoint: Endpoint) -> dict[int, list[str]]:
    """The problems that an operation names itself. Linters want at least one with a status from 400 to 499."""
    found = _problems(endpoint)
    own = {status: problems for status, problems in found.items() if not _ANYWHERE.issuperset(problems)}
    return own if any(status < 500 for status in own) else own | {400: found[400]}


def _failures(endpoints: list[Endpoint]) -> dict[str, list[str]]:
    """The problems of each shared response, by its name. Raises `ValueError` if two have the same name."""
    found: dict[str, list[str]] = {}
    for problems in (each for endpoint in endpoints for each in _own_problems(endpoint).values()):
        if found.setdefault(_name_of(problems), problems) != problems:
            raise ValueError(f"two responses have the name {_name_of(problems)}")
    return found


def _name_of(problems: list[str]) -> str:
    """The name of a response: its problems, without those that all responses of its status have."""
    telling = [name for name in problems if name not in _EVERYWHERE] or problems[:1]
    return _RESPONSES.get(frozenset(telling)) or "Or".join(map(pascal, telling))


OTHER = "Other"
_EVERYWHERE = {"bad-request", "token-in-address"}
_ANYWHERE = {
    *_EVERYWHERE,
    "token-needed",
    "token-unknown",
    "scope-needed",
    "foreign-origin",
    "not-acceptable",
    "body-too-large",
    "bad-media-type",
    "quota-exceeded",
    "still-running",
    "key-reused",
    "storage-full",
    "rebuilding",
    "overloaded",
}
"""Problems of a sender, of a form or of the whole service. The default response names them once, for all operations."""
_RESPONSES = {
    frozenset({"scope-needed", "foreign-origin", "not-yours"}): "RecordingForbidden",
    frozenset({"bad-json", "bad-entry", "bad-move", "bad-notation"}): "BadEntries",
    frozenset({"bad-json", "bad-entry", "bad-opening"}): "BadEntryOrOpening",
    frozenset({"id-reused", "conflict", "contradiction", "game-closed"}): "EntriesInConflict",
    frozenset({"rule-broken", "impossible-move", "bad-correction", "bad-signature", "game-full"}): "EntriesRefused",
}
"""Short names of combinations that are common."""


def _refusals(endpoint: Endpoint) -> Iterator[str]:
    """The refusals because of the sender. A failing `Accept` is among the other problems of any route."""
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
    if endpoint.body is not None and JSON in endpoint.body_types:
        yield from ("bad-json", "bad-media-type", "body-too-large")


def _success(endpoint: Endpoint) -> dict[str, Any]:
    if endpoint.status == 204:
        return to_response("Done")
    content = {media: {"schema": _answer_schema(endpoint, media)} for media in endpoint.answer_types}
    return {"description": HTTPStatus(endpoint.status).phrase, "content": content}


def _example(value: Any) -> dict[str, Any]:
    return {} if value is None else {"example": value}


def _answers_of(endpoint: Endpoint) -> tuple[Any, ...]:
    """The types of an endpoint's answer: one, those of a union, or none."""
    return get_args(endpoint.answer) or ((endpoint.answer,) if endpoint.answer else ())


def _answer_schema(endpoint: Endpoint, media: str) -> dict[str, Any]:
    if media == SSE:
        return refer("StreamEvent")
    if answers := [refer(answer.__name__) for answer in _answers_of(endpoint)]:
        return answers[0] if len(answers) == 1 else {"anyOf": answers}
    return refer(OBJECT) if media in {JSON, YAML, JSON_SCHEMA} else {"type": "string"}


def _failure(problems: list[str]) -> dict[str, Any]:
    """The response for one of these problems."""
    lines = [f"* `{name}`: {KINDS[name].title}." for name in problems]
    return _problem("\n".join(lines) if len(lines) > 1 else lines[0].removeprefix("* "))


def _other_failure() -> dict[str, Any]:
    """The response for any other problem. It names those that most operations can answer, by status."""
    kinds = sorted((kind.status, name, kind.title) for name, kind in KINDS.items() if name in _ANYWHERE)
    lines = [f"* {status} `{name}`: {title}." for status, name, title in kinds]
    return _problem("\n".join(["Any other problem. Most operations can answer these:", "", *lines]))


def _problem(text: str) -> dict[str, Any]:
    return {"description": text, "content": {MEDIA_TYPE: {"schema": refer("Problem")}}}


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
    types = {kind for endpoint in endpoints for kind in (*_answers_of(endpoint), endpoint.failure) if kind}
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


_MESSAGE_RESPONSES = messages.TYPES | {messages.TEST: "Somebody tries out an endpoint."}
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
    about = ("Game", "Record", "Audit", "Trial")
    kinds = [getattr(messages, f"{each}{form}") for each in about for form in ("Message", "CloudEvent")]
    _, components = msgspec.json.schema_components(kinds, ref_template=SCHEMA)
    return dict(components)


def _message_operation(name: str, about: str) -> dict[str, Any]:
    """The operation that a receiver serves."""
    kinds = {messages.TEST: "Trial", messages.DIFFERS: "Audit", **dict.fromkeys(messages.OTHERS, "Record")}
    kind = kinds.get(name, "Game")
    forms = {messages.STANDARD: f"{kind}Message", messages.CLOUDEVENTS: f"{kind}CloudEvent"}
    content = {messages.MEDIA_TYPES[form]: {"schema": refer(schema)} for form, schema in forms.items()}
    summary, more, _ = about.partition(":")
    return {
        "operationId": f"tell_{name.replace('.', '_')}",
        "tags": ["webhooks"],
        "summary": summary.rstrip("."),
        **({"description": about} if more else {}),
        "security": [],
        "parameters": [
            {
                "in": "header",
                "name": header,
                "required": True,
                "description": what,
                "schema": {"type": "string", "pattern": f"^{pattern}{END_OF_TEXT}"},
            }
            for header, (what, pattern) in _HEADERS.items()
        ],
        "requestBody": {"required": True, "content": content},
        "responses": {
            "2XX": to_response("Arrived"),
            "default": to_response("NotArrived"),
        },
    }


_WITHOUT_CONTENT = {
    "Done": {"description": "Done."},
    "EndOfStream": {"description": "You connected again, and may not any more: this is the end of it."},
    "NotModified": {"description": "You have this version already."},
    "Arrived": {"description": "It has arrived."},
    "NotArrived": {
        "description": (
            "It has not arrived, and is sent again, for three days. Redirects are not followed. 410 disables the "
            "endpoint. After 429 all that goes to it waits, as long as `Retry-After` says."
        )
    },
}
"""Responses that say all by their status: of the service, and of who receives its messages."""


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


_DATA_FIELDS: dict[str, Any] = {
    "move": {
        "description": "for an entry that brings a move: a line of the ruleset's notation, or an object",
        "anyOf": [{"type": "string"}, refer("Move")],
    },
    "override": {
        "description": "that a move which breaks a rule was made all the same",
        **refer("Override"),
    },
    "adjustments": {
        "description": "of `ruling.given`: what it changes, each a line of the ruleset's notation, or an object",
        "type": "array",
        "maxItems": limits.ADJUSTMENTS,
        "items": {"anyOf": [{"type": "string"}, refer(OBJECT)]},
    },
}


_DATA = {"type": "object", "description": "what the type of entry holds", "additionalProperties": True}

_PROBLEM = {
    "type": "object",
    "description": "What went wrong, and what helps (RFC 9457).",
    "examples": [examples.PROBLEM],
    "required": ["type", "title", "status", "detail", "advice"],
    "properties": {
        "type": {
            "description": "the kind, listed at `/problems`; a later release can have more of them",
            "type": "string",
            "format": "uri-reference",
        },
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong with this very request"},
        "advice": {"type": "string", "description": "what to do about it"},
        "id": {"type": "string", "description": "the id of a fault of the service, which stands in its journal, too"},
        "rule": {"type": "string", "description": "the id of the rule that is broken"},
        "checkpoint": {"type": "string", "description": "the last checkpoint that a stopped tree has signed"},
        "impossible": {"type": "string", "description": "why the move cannot be recorded with an override either"},
        "entry_index": {"type": "integer", "description": "which entry of the request, from 0"},
        "errors": {"type": "array", "items": refer("FieldError")},
        "conflicts": {"type": "array", "items": refer("Conflict")},
        "would": {
            **refer("Recorded"),
            "description": "what a correction would do if of its conflicts all that can be kept stood",
        },
        "missed": {"type": "array", "items": refer("Stored")},
        "version": {"type": "integer"},
        "game": {"type": "string"},
        "text": {"type": "string"},
        "at": {"type": "integer"},
        "line": {"type": "integer"},
    },
}

_OWN: dict[str, Any] = {
    "Problem": _PROBLEM,
    "FieldError": {
        "type": "object",
        "required": ["field", "message"],
        "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
    },
    "Conflict": {
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
    "StreamEvent": {
        "type": "object",
        "description": "An event of a stream (SSE). Its `data` is JSON, as a line of `application/x-ndjson` is.",
        "required": ["data"],
        "properties": {"id": {"type": "string"}, "event": {"type": "string"}, "data": {"type": "string"}},
    },
    "Override": {
        "type": "object",
        "required": ["reason"],
        "properties": {"reason": {"type": "string", "minLength": 1, "maxLength": limits.REASON}},
    },
}
"""What is neither a struct nor a schema of marshmallow."""

_ENUMERATIONS = {
    "DeliveryInfoState": "DeliveryState",
    "DraftDataAlgorithm": "SignatureAlgorithm",
    "DraftDataHow": "HowClosed",
    "EndTokenMade": "MadeWithToken",
    "ExportAGameFormat": "ExportFormat",
    "ImportAGameErased": "ErasedNames",
    "ListGamesStatus": "GameStatus",
    "ReadTrailOrder": "TrailOrder",
    "TokenRole": "RoleName",
    "TokenScope": "ScopeName",
    "VisibilityVisibility": "VisibleTo",
}
"""Better names of enumerations than those of the place where they stand first."""

if __name__ == "__main__":
    sys.stdout.write(description())
