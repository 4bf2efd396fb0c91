"""Appends: the requests that come most often find their route from the address.

They pass the same hooks, checks and views as all others. Only the parts of Flask that look for a route, bind addresses
and open a session are left out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask.ctx import AppContext, RequestContext
from flask.globals import _cv_app, _cv_request
from werkzeug.sansio.utils import host_is_trusted

from service.api.endpoints import APPENDS

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

    from flask import Flask
    from flask.sessions import SessionMixin
    from werkzeug.routing import Rule

ENDPOINT = "entries.record_entries"
"""The name of the route."""

_PATH = re.compile("/v1/games/([0-9a-f-]{36})/events")


class Appends:
    """Recognizes appends to the routes of `app`."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        (self._rule,) = app.url_map.iter_rules(ENDPOINT)
        self._session = app.session_interface.make_null_session(app)
        if app.teardown_request_funcs or app.teardown_appcontext_funcs:
            raise RuntimeError("hooks at the end of a request would not be called at that of an append")

    def context(self, environ: WSGIEnvironment) -> AppendContext | None:
        """The context of a request, if that is an append at which Flask would find nothing wrong."""
        if environ["REQUEST_METHOD"] != "POST" or "HTTP_UPGRADE" in environ:
            return None
        found = _PATH.fullmatch(environ.get("PATH_INFO", ""))
        if found is None or not _is_sound(environ.get("HTTP_HOST")):
            return None
        environ[APPENDS] = True
        return AppendContext(self._app, environ, self._rule, {"game": found[1]}, self._session)


class AppendContext(RequestContext):
    """The context of a request with a known route.

    Flask's own looks for one, opens a session, and says at its end that it ends: nothing here waits for that.
    """

    def __init__(
        self, app: Flask, environ: WSGIEnvironment, rule: Rule, arguments: dict[str, Any], session: SessionMixin
    ) -> None:
        request = app.request_class(environ)
        request.json_module = app.json
        request.url_rule, request.view_args = rule, arguments
        super().__init__(app, environ, request, session)

    def push(self) -> None:
        """Make it the context of this thread."""
        self._tokens = _cv_app.set(AppContext(self.app)), _cv_request.set(self)

    def pop(self, exc: BaseException | None = None) -> None:  # noqa: ARG002
        """Leave it."""
        of_app, of_request = self._tokens
        _cv_request.reset(of_request)
        _cv_app.reset(of_app)
        self.request.environ["werkzeug.request"] = None  # which would hold the request in a circle


@lru_cache(maxsize=256)
def _is_sound(host: str | None) -> bool:
    """Whether a `Host` is made of the characters that one can have."""
    return host_is_trusted(host)
