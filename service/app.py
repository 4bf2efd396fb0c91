"""The Flask application: the API, its pages and its problems, over one data folder."""

from __future__ import annotations

import sys
from types import MethodType
from typing import TYPE_CHECKING, Any, cast

import msgspec
from flask import Flask, Response, g, request
from flask.json.provider import JSONProvider
from werkzeug.exceptions import NotFound
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Rule

from service import languages
from service.access.gate import Gate, cookie_name, refuse_secrets_in_address
from service.access.limiting import Limits
from service.access.ownerfile import load_or_create
from service.api import cors, metrics, problems, request_log
from service.api.compression import Compression
from service.api.context import Context
from service.api.routes import PARTS
from service.api.varying import vary
from service.languages import gettext
from service.languages.sentences import encode_sentence
from service.pages import assets, templating
from service.pages.releases import RELEASES, Releases
from service.pages.trust import guard_plain, trust
from service.pages.views import pages
from service.problems.kinds import ProblemError
from service.server import hosts
from service.server.awaiting import LazyBodyRequest
from service.server.warm_types import warm_types_up
from service.settings import from_environment

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.settings import Settings

    Builder = Callable[..., tuple[str, str]]

SWITCH_INTERVAL = 0.0005
"""Seconds a thread keeps the interpreter for itself while others wait: the log's writer must not wait for requests."""

FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""For all that is no page, should a browser open it as one: a board draws itself, and nothing runs."""

RELEASE = "Kifu-Release"
"""The header with the present release of the pages. An older page offers to be loaded anew."""


class StrictJSON(JSONProvider):
    """JSON as msgspec reads and writes it: no NaN, no lone surrogates."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """The object as JSON."""
        return msgspec.json.encode(obj, enc_hook=encode_sentence).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """The object from JSON."""
        return msgspec.json.decode(s)


class Route(Rule):
    """A route that learns to build addresses when one is asked of it: most never are, and it takes half the start."""

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        compiled = super()._compile_builder

        def build(route: Route, **values: Any) -> tuple[str, str]:
            learnt = MethodType(compiled(append_unknown), route)
            setattr(route, "_build_unknown" if append_unknown else "_build", learnt)
            return cast("tuple[str, str]", learnt(**values))

        return build


class Application(Flask):
    """Flask without coroutines: it need not look, many times a request, whether a function is one."""

    request_class = LazyBodyRequest
    url_rule_class = Route

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none here is asynchronous."""
        return func


def create_app(settings: Settings | None = None) -> Flask:
    """The application over the data folder of `settings` (of the environment, if none are given).

    Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`, `BadTokenError`.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    warm_types_up()
    settings = settings or from_environment()
    app = Application("service", static_folder=None)
    app.json = StrictJSON(app)
    app.url_map.merge_slashes = False  # an address is the one that was asked for: nobody is led to another one
    context = Context(settings)
    app.extensions["kifu"] = context
    try:
        token = load_or_create(context.access, settings.data, context.host if settings.database_url else "")
    except BaseException:
        context.close()
        raise
    app.config["OWNER_TOKEN"] = token
    app.extensions["kifu-gate"] = Gate(
        context.access,
        token,
        context.seated,
        context.opener,
        Limits(settings),
        context.archive.log.people.merges,
        settings.redis_url,
    )
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    if settings.proxies:
        proxied = ProxyFix(app.wsgi_app, **dict.fromkeys(("x_for", "x_proto", "x_host"), settings.proxies))
        app.wsgi_app = proxied  # type: ignore[method-assign]
    for part in PARTS:
        app.register_blueprint(part.blueprint)
    releases = app.extensions[RELEASES] = Releases(settings.data)
    context.at_close(releases.wait_until_kept)
    app.register_blueprint(pages)
    app.register_blueprint(trust)
    problems.install(app)
    metrics.install(app)
    if settings.log == "json":
        request_log.install(app)
    app.before_request(refuse_doubled_slash)
    if not settings.proxies:
        _check_host(app, hosts.AllowedHosts(settings.host))
    if settings.https:
        app.before_request(guard_plain)
    app.before_request(refuse_secrets_in_address)
    cors.install(app)
    app.after_request(set_headers)
    languages.install(app)
    templating.install(app)
    app.wsgi_app = Compression(app.wsgi_app)  # type: ignore[method-assign]
    return app


def refuse_doubled_slash() -> None:
    """Routing strips the slashes that an address begins with: it would be led to another one. Raises `NotFound`."""
    if request.environ["PATH_INFO"].startswith("//"):
        raise NotFound


def _check_host(app: Flask, names: hosts.AllowedHosts) -> None:
    """Answer under the names of the service only."""

    @app.before_request
    def check_host() -> None:
        asked = request.environ.get("HTTP_HOST", "")
        if not names.hold(asked):
            raise ProblemError(
                "bad-request", gettext("this service does not go by the name %(name)s", name=repr(asked))
            )


def set_headers(response: Response) -> Response:
    """Set the headers that every answer needs. What a page or the API set before stays."""
    headers, answering = response.headers, vars(g)
    known = {name.lower(): value for name, value in headers}
    if "content-security-policy" not in known:
        headers.add("Content-Security-Policy", FILE_POLICY)
    if "x-content-type-options" not in known:
        headers.add("X-Content-Type-Options", "nosniff")
    headers.add("Cross-Origin-Resource-Policy", _loaded_by(response))
    if answering.get("secret_address", False):
        headers.add("X-Robots-Tag", "noindex")
    if "immutable" not in known.get("cache-control", ""):  # else it would be said for a year
        headers.add(RELEASE, assets.digest())
    if "locale" in answering:
        vary(headers, *languages.DEPENDS_ON)
    return response


def _loaded_by(response: Response) -> str:
    """Which pages may load an answer: all of them the API and pictures, but nothing that a session's cookie opened."""
    environ = request.environ
    of_all = environ["PATH_INFO"].startswith(cors.API) or (response.mimetype or "").startswith("image/")
    logged_in = "HTTP_COOKIE" in environ and cookie_name() in request.cookies
    return "cross-origin" if of_all and not logged_in else "same-origin"
