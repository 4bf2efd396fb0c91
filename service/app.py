"""The Flask application: the API, its pages and its problems, over one data folder."""

from __future__ import annotations

import sys
from types import MethodType
from typing import TYPE_CHECKING, Any, cast

import msgspec
from flask import Flask
from flask.json.provider import JSONProvider
from werkzeug.routing import Rule

from service import metrics, problems
from service.context import Context
from service.pages import pages
from service.routes import PARTS
from service.settings import from_environment
from service.tokens import owner_token

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.settings import Settings

    Builder = Callable[..., tuple[str, str]]

SWITCH_INTERVAL = 0.0005
"""Seconds a thread keeps the interpreter for itself while others wait: the log's writer must not wait for requests."""

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]


class StrictJSON(JSONProvider):
    """JSON as msgspec reads and writes it: no NaN, no lone surrogates."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """The object as JSON."""
        return msgspec.json.encode(obj).decode()

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

    url_rule_class = Route

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: none here is asynchronous."""
        return func


def create_app(settings: Settings | None = None) -> Flask:
    """The application over the data folder of `settings` (of the environment, if none are given).

    Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    settings = settings or from_environment()
    app = Application("service", static_folder=None)
    app.json = StrictJSON(app)
    context = Context(settings)
    app.extensions["kifu"] = context
    app.config["OWNER_TOKEN"] = owner_token(settings.data)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    if settings.host in {"127.0.0.1", "localhost", "::1"}:
        app.config["TRUSTED_HOSTS"] = LOOPBACK  # a foreign page that rebinds its name to this machine is refused
    for part in PARTS:
        app.register_blueprint(part.blueprint)
    app.register_blueprint(pages)
    problems.install(app)
    metrics.install(app)
    return app
