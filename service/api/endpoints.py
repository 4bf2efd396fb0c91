"""Endpoints: each route with its input, its answer and its scope, stated once.

The description serves twice: requests are checked by it, and openapi.yaml is generated from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response
from marshmallow import Schema, ValidationError

from events.repeated_keys import find_repeated_key
from service.access.gate import admit
from service.access.needs import OPEN, Need, need_of
from service.access.repeating import answer_once
from service.access.store import AccessStoppedError
from service.api import texts
from service.api.schemas.fields import QuickSchema
from service.api.varying import by_name, vary
from service.current import current_notes, current_request
from service.languages import gettext
from service.languages.sentences import sentence_encoder
from service.problems.kinds import ProblemError
from service.server.awaiting import body_of

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

    from werkzeug.datastructures import Headers

    from projections.archive import Archive
    from service.api.context import Context

CONTEXT = "kifu.context"
"""The key of the WSGI environment with the context of the service that is asked."""

JSON = "application/json"
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
YAML = "application/yaml"
TEXT = "text/plain"
FORM = "application/x-www-form-urlencoded"
BYTES = "application/octet-stream"
CSV = "text/csv"
XML = "application/xml"
HTML = "text/html"
JSON_SCHEMA = "application/schema+json"

CALLER = ("Authorization", "Cookie")
"""What an answer depends on that differs for callers who may see more."""

CACHING = (("Cache-Control", "private, no-cache"), ("Accept-Ranges", "none"))
"""How answers are kept, if nothing else is said."""

APPENDS = "kifu.appends"
"""The key of the WSGI environment of an append. Its answer, if it is stored, is a `StoredAnswer`."""

View = TypeVar("View", bound="Callable[..., Response | StoredAnswer]")


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One method of one route, as openapi.yaml describes it."""

    method: str
    path: str
    name: str
    tag: str
    summary: str
    description: str
    query: Any = None
    body: Any = None
    body_types: tuple[str, ...] = (JSON,)
    status: int = 200
    answer: Any = None
    answer_types: tuple[str, ...] = (JSON,)
    failure: Any = None
    """What a 400 is answered with, where another standard says so: in place of a problem."""
    need: Need
    opened: Callable[[], bool] | None = None
    problems: tuple[str, ...] = ()
    conditional: bool = False
    resumed: bool = False
    keyed: bool = False


class Endpoints:
    """The endpoints of one part of the API, and the Flask blueprint that serves them."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.blueprint = Blueprint(tag, __name__)
        self.described: list[Endpoint] = []

    def route(self, method: str, path: str, *, scope: str | Need, **described: Any) -> Callable[[View], View]:
        """Serve `method` of `path` (Flask's syntax) by the decorated function. Its docstring is the description.

        `scope` names what a request needs: a scope, or a `Need`; who has not got it is let in while it is `opened`.
        `query` and `body` are marshmallow schemas; what they load is handed to the function under these
        names. `conditional` answers carry an ETag, or, of a POST, come only if that fits. A download that can be
        `resumed` carries one, too, and is sent in parts. The other words are those of `Endpoint`; what is `keyed`
        takes an `Idempotency-Key`.
        """

        def describe(view: View) -> View:
            summary, _, description = (view.__doc__ or "").partition("\n\n")
            endpoint = Endpoint(
                method=method,
                path=path,
                name=view.__name__,
                tag=self.tag,
                summary=summary.strip().rstrip("."),
                description=description,
                need=need_of(scope),
                **described,
            )
            self.described.append(endpoint)
            self.blueprint.add_url_rule(path, view.__name__, _checked(view, endpoint), methods=[method])
            return view

        return describe


class JSONResponse(Response):
    """A complete answer. Its headers go out unchanged: Flask would copy and check them."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """The headers. Flask handles answers without a body, and redirects."""
        plain = 200 <= self.status_code < 300 and self.status_code != HTTPStatus.NO_CONTENT
        return self.headers if plain and "Location" not in self.headers else super().get_wsgi_headers(environ)


class StoredAnswer(msgspec.Struct):
    """The complete answer to a stored append. It gets all its headers at once."""

    content: bytes
    version: int
    head: list[tuple[str, str]] = []
    status_code: ClassVar[int] = 201

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:  # noqa: ARG002
        """Answer the request, as an application of WSGI."""
        start_response("201 CREATED", self.head)
        return [self.content]


def _checked(
    view: Callable[..., Response | StoredAnswer], endpoint: Endpoint
) -> Callable[..., Response | StoredAnswer]:
    body: Schema | None = endpoint.body if JSON in endpoint.body_types else None
    query: Schema = endpoint.query or Schema()
    unasked = query.load({})
    need = endpoint.need

    @wraps(view)
    def serve(**arguments: Any) -> Response | StoredAnswer:
        if endpoint.opened is not None:
            _admit_where_opened(need, endpoint.opened)
        elif need is not OPEN:
            admit(need, arguments.get("game"))
        if endpoint.status != 204 and len(endpoint.answer_types) == 1:  # of several types the view takes one
            require_acceptable(*endpoint.answer_types)
        asked = query.load(read_query()) if current_request().environ.get("QUERY_STRING") else unasked.copy()
        if endpoint.query is not None:
            arguments["query"] = asked
        if body is not None:
            arguments["body"] = load(body, read_json())
        if endpoint.keyed:
            here = context()
            whole = cast("Callable[..., Response]", view)
            answer = answer_once(here.access, here.keys, endpoint.name, arguments, lambda: whole(**arguments))
            return _finished(answer, endpoint)
        found = view(**arguments)
        return found if isinstance(found, StoredAnswer) else _finished(found, endpoint)

    return serve


_LACKING = {"token-needed", "token-unknown", "scope-needed"}
"""Problems of those who have not got what an operation needs."""


def _admit_where_opened(need: Need, opened: Callable[[], bool]) -> None:
    """Admit callers with the right, or everybody while it is `opened`. All requests are counted. Raises as `admit`."""
    try:
        admit(need, None)
    except ProblemError as refusal:
        if refusal.kind.name not in _LACKING or not opened():
            raise
    except AccessStoppedError:
        if not opened():
            raise


def _finished(response: Response, endpoint: Endpoint) -> Response:
    """The answer with its caching headers, or 304 for a client that has the same bytes."""
    known = by_name(response.headers)
    for name, value in CACHING:
        if name.lower() not in known:
            response.headers.add(name, value)
    if endpoint.need is not OPEN:
        if (left := vars(current_notes()).get("left")) is not None:
            for name, value in left.headers.items():
                response.headers.add(name, value)  # unlike `update`, it does not look for one that is there
        vary(response.headers, *CALLER)
    if endpoint.conditional and endpoint.method == "GET":
        set_digest(response)
        answer_unchanged(response)
    return response


def set_digest(response: Response) -> None:
    """Append a digest of the answer's bytes to the version in its ETag."""
    digest = sha256(response.get_data()).hexdigest()[:16]
    version, _ = response.get_etag()
    response.set_etag(f"{version}-{digest}" if version else digest)


def answer_unchanged(response: Response) -> None:
    """Answer 304 to a client that has the same bytes. `If-Match` is ignored here: it is for writes."""
    environ = current_request().environ
    response.make_conditional({name: value for name, value in environ.items() if name != "HTTP_IF_MATCH"})


def require_acceptable(*types: str) -> str:
    """The media type among these that the client prefers. Raises `not-acceptable` if it accepts none."""
    request = current_request()
    if request.environ.get("HTTP_ACCEPT", "") in {"", "*/*"}:  # nearly always, and to parse it takes its time
        return types[0]
    found = request.accept_mimetypes.best_match(types)
    if found is None:
        named = " or ".join(dict.fromkeys(types))
        raise ProblemError("not-acceptable", gettext("this is available only as %(types)s", types=named))
    return found


def read_query() -> dict[str, str]:
    """The request's query. Raises `ValidationError` for a repeated parameter."""
    args = current_request().args
    twice = [name for name, given in args.lists() if len(given) > 1]
    if twice:
        raise ValidationError({name: ["given more than once"] for name in twice})
    return args.to_dict()


def read_json() -> Any:
    """The request's body as JSON. Raises `bad-media-type`, `bad-json` with the place, and `bad-request`.

    A key that stands twice in an object is refused, because readers do not agree which of the two counts. The controls
    of text direction are refused, too, because they make a text look like another one.
    """
    request = current_request()
    if request.environ.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        raise ProblemError(
            "bad-media-type",
            gettext("send %(type)s, not %(sent)s", type=JSON, sent=request.mimetype or gettext("nothing")),
        )
    sent = body_of(request)
    try:
        found = msgspec.json.decode(sent)
        if may_repeat_a_key(sent, found) and (twice := find_repeated_key(sent)) is not None:
            raise ValidationError({twice: ["is in one object more than once"]})
        if (b"\xe2" in sent or b"\\" in sent) and texts.CONTROLS_IN_JSON.search(sent):  # most have neither
            texts.refuse_controls(found)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise ProblemError("bad-json", _why_malformed(error, sent)) from None
    return found


def _why_malformed(error: Exception, sent: bytes) -> str:
    """Why a body is no JSON. msgspec names no place in a body that ends too early."""
    if not isinstance(error, msgspec.DecodeError) or str(error) != "Input data was truncated":
        return str(error)
    if not sent.strip():
        return gettext("the body is empty")
    return gettext("the body ends too early (byte %(byte)s)", byte=len(sent))


_CODED_COLON = re.compile(rb"\\u003a", re.IGNORECASE)


def may_repeat_a_key(sent: bytes, found: Any) -> bool:
    """Whether an object of some JSON may have a key twice; `found` is what it says, with each key once.

    It is written again, without what was repeated, and the colons are counted in both. One stands behind each key, and
    those inside texts are the same in both, unless they are written in codes (`\\u003a`). So JSON with such codes may
    be suspected without a repeated key; JSON with a repeated key always is.
    """
    return bool(_CODED_COLON.search(sent)) or sent.count(b":") != msgspec.json.encode(found).count(b":")


def load(schema: Schema, sent: Any) -> Any:
    """A body loaded by a schema. Raises `ValidationError`."""
    if isinstance(schema, QuickSchema):
        try:
            return msgspec.structs.asdict(msgspec.convert(sent, schema.quick))
        except msgspec.ValidationError:
            pass  # the schema says what is wrong
    return schema.load(sent)


def context() -> Context:
    """The context of this service."""
    opened: Context = current_request().environ[CONTEXT]
    return opened


def archive() -> Archive:
    """The archive of this service."""
    return context().archive


def reply(answer: Any, status: int = 200, *, version: int | None = None) -> Response:
    """An answer in JSON; `version` is the game's version that it shows."""
    content = msgspec.json.encode(answer, enc_hook=sentence_encoder())
    return with_etag(JSONResponse(content, status, content_type=JSON), version)


def reply_stored(answer: Any, version: int) -> Response | StoredAnswer:
    """The JSON answer to a stored append, up to a version of its game."""
    if APPENDS not in current_request().environ:
        return reply(answer, 201, version=version)
    return StoredAnswer(msgspec.json.encode(answer, enc_hook=sentence_encoder()), version)


def with_etag(response: Response, version: int | None) -> Response:
    """The response with the version of the game that it shows as its ETag.

    An answer that can be asked for conditionally gets a digest of its bytes as well. The bytes depend on more than the
    version: on names, the point of view, the rules and the release.
    """
    if version is not None:
        response.set_etag(f"v{version}")
    return response


def with_next_link(response: Response, path: str, following: int | None, limit: int) -> Response:
    """The response with a link to the next page, if there is one, with the parameters of this request."""
    if following is not None:
        asked = {**current_request().args.to_dict(), "after": following, "limit": limit}
        response.headers["Link"] = f'<{path}?{urlencode(asked)}>; rel="next"'
    return response


_TAGS = re.compile(r'(?:W/)?"[^"]*"|[^,"\s]+|[,"]')
"""What a list of tags is made of, blanks aside."""
_VERSION = re.compile(r'(?:W/)?(?P<quote>"?)v(?P<version>[0-9]{1,16})(?:-[^"]*)?(?P=quote)')


def expected_versions() -> frozenset[int] | None:
    """The versions in the request's If-Match header; None for any. Raises `bad-request`.

    A weak tag counts by its version, too. Proxies make tags weak where they compress, and of two answers with one
    version no entry is missed, however they are written.
    """
    sent = current_request().environ.get("HTTP_IF_MATCH")
    if sent is None or sent.strip() == "*":
        return None
    members = [list(tags) for comma, tags in groupby(_TAGS.findall(sent), ",".__eq__) if not comma]
    versions = [_VERSION.fullmatch(tag) for tag, *_ in members]
    if not any(versions) or any(more for _, *more in members):
        message = gettext('not a version of the form "v41"')
        raise ProblemError("bad-request", f"If-Match: {message}", errors=[{"field": "If-Match", "message": message}])
    return frozenset(int(each["version"]) for each in versions if each)
