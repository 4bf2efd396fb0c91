"""Appends: the most frequent requests. They skip the parts of Flask that they do not need.

They pass the same checks and the same view as all others. Flask makes the answers to those that are not stored: to dry
runs, and to what is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask.ctx import AppContext, RequestContext
from flask.globals import _cv_app, _cv_request
from werkzeug.sansio.utils import host_is_trusted

from service import languages
from service.api import cors
from service.api.compression import COMPRESS_FROM, ENCODING, Compression
from service.api.endpoints import APPENDS, CACHING, CALLER, JSON, StoredAnswer
from service.api.metrics import METRICS
from service.current import current_notes
from service.headers import LOADED_BY, NO_SNIFFING, POLICY, RELEASE, loaded_by
from service.pages import assets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from flask import Flask

ENDPOINT = "entries.record_entries"
"""The name of the route."""

_PATH = re.compile("/v1/games/([0-9a-f-]{36})/events")


class Appends:
    """Recognizes and answers appends to the routes of `site`.

    `of_addresses` are the site's checks that every append address without a query passes.
    """

    def __init__(self, site: Flask, of_addresses: AbstractSet[Callable[[], Any]] = frozenset()) -> None:
        self.site = site
        (self.rule,) = site.url_map.iter_rules(ENDPOINT)
        self.session = site.session_interface.make_null_session(site)
        self._view = site.view_functions[ENDPOINT]
        self._checks = site.before_request_funcs.get(None, [])
        self._checks_without_query = [check for check in self._checks if check not in of_addresses]
        part, _, _ = ENDPOINT.partition(".")
        own = part in site.before_request_funcs or part in site.after_request_funcs
        if own or site.teardown_request_funcs or site.teardown_appcontext_funcs:
            raise RuntimeError("hooks of this route, or at the end of a request, would not be called at an append")

    def context(self, environ: WSGIEnvironment) -> AppendContext | None:
        """The context of a request if it is an append without any special case for Flask; else None."""
        if environ["REQUEST_METHOD"] != "POST" or "HTTP_UPGRADE" in environ:
            return None
        found = _PATH.fullmatch(environ.get("PATH_INFO", ""))
        if found is None or not _is_sound(environ.get("HTTP_HOST")):
            return None
        environ[APPENDS] = True
        return AppendContext(self, environ, found[1])

    def answer_to(self, environ: WSGIEnvironment, game: str) -> Any:
        """The answer of a check or of the view, or the answer to its exception."""
        try:
            for check in self._checks if environ.get("QUERY_STRING") else self._checks_without_query:
                found = check()
                if found is not None:
                    return found
            return self._view(game=game)
        except Exception as error:  # noqa: BLE001 - as Flask does
            return self.site.handle_user_exception(error)


class AppendContext(RequestContext):
    """The context of an append to a game.

    Flask's own context finds a route, opens a session, and signals its end. Appends need none of that.
    """

    def __init__(self, appends: Appends, environ: WSGIEnvironment, game: str) -> None:
        self.app, self.request = appends.site, appends.site.request_class(environ)
        self.request.json_module = self.app.json
        self.request.url_rule, self.request.view_args = appends.rule, {"game": game}
        self.url_adapter, self.flashes, self._after_request_functions = None, None, []
        self._session = appends.session
        self._appends, self._environ, self._game = appends, environ, game

    def answer(self, start_response: StartResponse) -> Iterable[bytes]:
        """Answer the request."""
        of_app, of_request = _cv_app.set(AppContext(self.app)), _cv_request.set(self)
        try:
            try:
                answer = self._appends.answer_to(self._environ, self._game)
                if isinstance(answer, StoredAnswer):
                    return self._stored(answer)(self._environ, start_response)
                answer = self.app.finalize_request(answer)
            except Exception as error:  # noqa: BLE001 - as Flask does
                answer = self.app.handle_exception(error)
            return Compression(answer)(self._environ, start_response)
        finally:
            _cv_request.reset(of_request)
            _cv_app.reset(of_app)
            self._environ["werkzeug.request"] = None  # which would hold the request in a circle

    def _stored(self, answer: StoredAnswer) -> WSGIApplication:
        """The answer to a stored append, with its headers. It is counted in the metrics."""
        self._environ[METRICS].observe(answer.status_code)
        answer.head = _head(answer, self._environ)
        return answer if len(answer.content) < COMPRESS_FROM else Compression(answer)


def _head(answer: StoredAnswer, environ: WSGIEnvironment) -> list[tuple[str, str]]:
    """The headers of the answer to a stored append, equal to those that the hooks would set one by one."""
    answering = vars(current_notes())
    depends_on = (*CALLER, *(languages.DEPENDS_ON if "locale" in answering else ()), ENCODING)
    left = answering.get("left")
    return [
        ("Content-Type", JSON),
        ("Content-Length", str(len(answer.content))),
        ("ETag", f'"v{answer.version}"'),
        *CACHING,
        *(left.headers.items() if left else ()),
        ("Vary", ", ".join(dict.fromkeys(depends_on))),
        POLICY,
        NO_SNIFFING,
        (LOADED_BY, loaded_by(of_all=True) if "HTTP_COOKIE" in environ else "cross-origin"),
        (RELEASE, assets.digest()),
        *(cors.EXPOSING.items() if "HTTP_ORIGIN" in environ else ()),
    ]


@lru_cache(maxsize=256)
def _is_sound(host: str | None) -> bool:
    """Whether a `Host` has valid characters only."""
    return host_is_trusted(host)
