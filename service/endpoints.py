"""Endpoints: a route, what it takes, what it answers and who may call it, said once.

The description serves twice: requests are checked by it, and openapi.yaml is generated from it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from flask import Blueprint, Response, current_app, request

from games.contract import RECORD
from service.problems import ProblemError
from service.settings import Settings
from service.tokens import need_owner

if TYPE_CHECKING:
    from marshmallow import Schema

    from games.contract import Viewpoint
    from projections.archive import Archive
    from service.context import Context

JSON = "application/json"
NDJSON = "application/x-ndjson"
YAML = "application/yaml"

View = TypeVar("View", bound="Callable[..., Response]")


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
    owner: bool = False
    opened: Callable[[Settings], bool] | None = None
    problems: tuple[str, ...] = ()
    conditional: bool = False


class Endpoints:
    """The endpoints of one part of the API, and the Flask blueprint that serves them."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.blueprint = Blueprint(tag, __name__)
        self.described: list[Endpoint] = []

    def route(self, method: str, path: str, **described: Any) -> Callable[[View], View]:
        """Serve `method` of `path` (Flask's syntax) by the function below, whose docstring describes it.

        `query` and `body` are marshmallow schemas; what they load is handed to the function under these names. `owner`
        asks for the owner's token, unless the settings are such that `opened`. The other words are those of `Endpoint`.
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
                **described,
            )
            self.described.append(endpoint)
            self.blueprint.add_url_rule(path, view.__name__, _checked(view, endpoint), methods=[method])
            return view

        return describe


def _checked(view: Callable[..., Response], endpoint: Endpoint) -> Callable[..., Response]:
    query: Schema | None = endpoint.query
    body: Schema | None = endpoint.body if JSON in endpoint.body_types else None

    unasked = query.load({}) if query is not None else {}

    @wraps(view)
    def serve(**arguments: Any) -> Response:
        if endpoint.owner and not (endpoint.opened and endpoint.opened(context().settings)):
            need_owner()
        if query is not None:
            arguments["query"] = query.load(request.args.to_dict()) if request.query_string else unasked.copy()
        if body is not None:
            arguments["body"] = body.load(read_json())
        return view(**arguments)

    return serve


def read_json() -> Any:
    """The request's body as JSON. Raises `bad-media-type` and `bad-json`, the latter with the place."""
    if request.mimetype != JSON:
        raise ProblemError("bad-media-type", f"send {JSON}, not {request.mimetype or 'nothing'}")
    try:
        return msgspec.json.decode(request.get_data(cache=False))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProblemError("bad-json", f"{error}") from None


def context() -> Context:
    """What this service holds open."""
    opened: Context = current_app.extensions["kifu"]
    return opened


def archive() -> Archive:
    """The archive that this service records to."""
    return context().archive


def reply(answer: Any, status: int = 200, *, version: int | None = None, viewpoint: Viewpoint = RECORD) -> Response:
    """An answer in JSON; `version` is the game's version that it shows, its ETag, as it looks from `viewpoint`."""
    response = Response(msgspec.json.encode(answer), status, content_type=JSON)
    return response if version is None else tagged(response, version, viewpoint=viewpoint)


def tagged(response: Response, version: int, *, viewpoint: Viewpoint = RECORD, immutable: bool = False) -> Response:
    """Put the ETag and the caching rules of a game's version on a response.

    The tag names the point of view, too: the same address shows the owner another game than a stranger.
    """
    seen = "" if viewpoint == RECORD else f"-{viewpoint.name}"
    response.headers["ETag"] = f'"v{version}{seen}"'
    response.headers["Cache-Control"] = "private, max-age=31536000, immutable" if immutable else "private, no-cache"
    response.headers["Vary"] = "Authorization, Cookie"
    return response


def expected_version() -> int | None:
    """The version in the request's If-Match, if it has one. Raises `bad-request`."""
    sent = request.headers.get("If-Match")
    if sent is None or sent.strip() == "*":
        return None
    text = sent.strip().strip('"').partition("-")[0]
    if not (text.startswith("v") and text[1:].isascii() and text[1:].isdigit() and len(text) < 17):
        message = 'not a version of the form "v41"'
        raise ProblemError("bad-request", f"If-Match: {message}", errors=[{"field": "If-Match", "message": message}])
    return int(text[1:])
