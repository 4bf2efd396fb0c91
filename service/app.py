"""The application: the API, its pages and its problems, over one data folder.

The site is what all services are alike in: routes, problems, languages, templates. It is a Flask application, and is
made once a process. An `Application` is the site over one data folder.
"""

from __future__ import annotations

import gc
import sys
from functools import cache
from http import HTTPStatus
from types import MethodType
from typing import TYPE_CHECKING, Any, cast

import msgspec
from flask import Flask, Response, current_app
from flask.json.provider import JSONProvider
from werkzeug.exceptions import NotFound
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Rule

from service import languages
from service.access.gate import GATE, Gate, refuse_secrets_in_address
from service.access.limiting import Limits
from service.access.ownerfile import load_or_create
from service.api import cors, metrics, problems, request_log
from service.api.compression import Compression
from service.api.context import Context
from service.api.endpoints import CONTEXT
from service.api.ladders import start_reading_ahead
from service.api.metrics import METRICS, Metrics
from service.api.routes import PARTS
from service.appending import Appends
from service.current import current_request
from service.headers import set_headers
from service.languages import gettext
from service.languages.sentences import sentence_encoder
from service.pages import templating
from service.pages.releases import RELEASES, Releases
from service.pages.trust import guard_plain, trust
from service.pages.views import pages
from service.problems.kinds import bad_field
from service.server import hosts
from service.server.awaiting import MAX_BODY, LazyRequest
from service.server.warm_types import warm_types_up
from service.settings import from_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment

    from service.settings import Settings

    Builder = Callable[..., tuple[str, str]]

SWITCH_INTERVAL = 0.0005
"""Seconds a thread keeps the interpreter for itself while others wait: the log's writer must not wait for requests."""

COLLECTING = 5000, 2, 10
"""How many objects are made between two looks for garbage, and how many looks there are between two thorough ones.

The requests of sixteen threads hold more than the usual 700. So it looked every tenth append, and appends leave none.
"""

RESTS = 4
"""How many half milliseconds a commit waits at most while more appends come: each takes the interpreter that long."""

NAMES = "kifu.names"
"""The key of the WSGI environment with the names of the service that is asked."""


class StrictJSON(JSONProvider):
    """JSON as msgspec reads and writes it: no NaN, no lone surrogates."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """The object as JSON."""
        return msgspec.json.encode(obj, enc_hook=sentence_encoder()).decode()

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """The object from JSON."""
        return msgspec.json.decode(s)


class Route(Rule):
    """A route that prepares to build addresses on first use. Most never need it, and it took half of the start."""

    def _compile_builder(self, append_unknown: bool = True) -> Builder:
        compiled = super()._compile_builder

        def build(route: Route, **values: Any) -> tuple[str, str]:
            learnt = MethodType(compiled(append_unknown), route)
            setattr(route, "_build_unknown" if append_unknown else "_build", learnt)
            return cast("tuple[str, str]", learnt(**values))

        return build


class Site(Flask):
    """Flask without coroutines. It does not check for them, many times a request.

    `appends` answers those requests with less work, unless the journal has a line for each request.
    """

    request_class = LazyRequest
    url_rule_class = Route
    appends: Appends | None = None

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none here is asynchronous."""
        return func


class Application:
    """The application over one data folder: the site with its stores.

    A WSGI application. Each request brings the open stores to the site, which keeps nothing of a service itself.
    """

    def __init__(self, settings: Settings) -> None:
        """Open the data folder of `settings`.

        Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`, `BadTokenError`.
        """
        self.context = context = Context(settings)
        try:
            context.owner_token = load_or_create(
                context.access, settings.data, context.host if settings.database_url else ""
            )
        except BaseException:
            context.close()
            raise
        self.gate = Gate(
            context.access,
            context.owner_token,
            context,
            Limits(settings),
            context.archive.log.people.merges,
            settings.redis_url,
        )
        releases = Releases(settings.data)
        context.at_close(releases.stop)
        self.carried = {
            CONTEXT: context,
            GATE: self.gate,
            MAX_BODY: settings.max_body,
            METRICS: Metrics(context),
            NAMES: hosts.AllowedHosts(settings.host),
            RELEASES: releases,
        }
        """What a request carries: the keys are of its WSGI environment."""
        self.site = site_of(settings)
        self._usual = Compression(self.site.wsgi_app)
        proxies = dict.fromkeys(("x_for", "x_proto", "x_host"), settings.proxies)
        self._behind_proxies = ProxyFix(self._answer, **proxies) if settings.proxies else None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        environ.update(self.carried)
        answer = self._behind_proxies or self._answer
        return answer(environ, start_response)

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        appends = self.site.appends
        context = appends.context(environ) if appends else None
        return context.answer(start_response) if context else self._usual(environ, start_response)

    def begin(self) -> None:
        """Do in advance what requests would wait for. Long-lived processes call it."""
        self.context.archive.log.share_commits(RESTS)
        start_reading_ahead(self.context)

    def close(self) -> None:
        """Close the data folder."""
        self.context.close()


def create_app(settings: Settings | None = None) -> Application:
    """The application over the data folder of `settings` (of the environment, if none are given).

    Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`, `BadTokenError`.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*COLLECTING)
    warm_types_up()
    return Application(settings or from_environment())


def before_fork() -> None:
    """Make what all web processes with these settings share, before they are forked. Raises `BadSettingError`."""
    warm_types_up()
    site_of(from_environment())


def site_of(settings: Settings) -> Site:
    """The site of a service with these settings."""
    return make_site(proxied=settings.proxies > 0, https=settings.https, journal=settings.log == "json")


@cache
def make_site(*, proxied: bool, https: bool, journal: bool) -> Site:
    """The routes and their hooks, made once per process for each kind of service.

    The kinds differ in three things: proxies or own names, HTTPS, and a journal with a line for each request.
    """
    site = Site("service", static_folder=None)
    site.json = StrictJSON(site)
    site.url_map.merge_slashes = False  # an address is the one that was asked for: nobody is led to another one
    for part in PARTS:
        site.register_blueprint(part.blueprint)
    site.register_blueprint(pages)
    site.register_blueprint(trust)
    site.add_url_rule("/*", view_func=list_methods, methods=["OPTIONS"])
    problems.install(site)
    metrics.install(site)
    if journal:
        request_log.install(site)
    site.before_request(refuse_doubled_slash)
    if not proxied:
        site.before_request(check_name)
    if https:
        site.before_request(guard_plain)
    site.before_request(refuse_secrets_in_address)
    cors.install(site)
    site.after_request(set_headers)
    languages.install(site)
    templating.install(site)
    if not journal:
        site.appends = Appends(site, {refuse_doubled_slash, refuse_secrets_in_address})
    return site


def list_methods() -> Response:
    """Answer `OPTIONS *`, a question about the whole service."""
    known = {method for rule in current_app.url_map.iter_rules() for method in rule.methods or ()}
    return Response(status=HTTPStatus.NO_CONTENT, headers={"Allow": ", ".join(sorted(known))})


def refuse_doubled_slash() -> None:
    """Refuse an address that begins with two slashes: routing would strip them and redirect. Raises `NotFound`."""
    if current_request().environ["PATH_INFO"].startswith("//"):
        raise NotFound


def check_name() -> None:
    """Check that the request uses a name of the service. Raises `bad-request`."""
    environ = current_request().environ
    names: hosts.AllowedHosts = environ[NAMES]
    asked = environ.get("HTTP_HOST", "")
    if not names.hold(asked):
        raise bad_field("Host", gettext("%(name)s is not a name of this service", name=repr(asked)))
