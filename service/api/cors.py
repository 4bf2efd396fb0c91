"""CORS: pages of any origin may use the API with a token, but never with a session's cookie.

Every origin is answered alike, with a `*`, which browsers do not take together with cookies.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from service.current import current_request

if TYPE_CHECKING:
    from flask import Flask, Response

API = ("/v1/", "/.well-known/")

AGE = "86400"
"""Seconds that a browser may keep the answer to a preflight."""

ALLOWED_HEADERS = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Kifu-Share, Last-Event-ID"
)
"""The headers that a page may send."""

EXPOSED_HEADERS = (
    "ETag, Kifu-Last-Event-ID, Kifu-New-Entries, Link, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "WWW-Authenticate"
)
"""The headers of an answer that a page may read."""

EXPOSING = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED_HEADERS}
"""The headers of every answer to a page, but those to what it asks beforehand."""


def install(app: Flask) -> None:
    """Let pages of other origins use the API of `app`."""

    @app.after_request
    def allow(response: Response) -> Response:
        request = current_request()
        if "HTTP_ORIGIN" in request.environ and request.path.startswith(API):
            if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
                response.headers["Access-Control-Allow-Origin"] = "*"
                response.headers["Access-Control-Allow-Methods"] = ", ".join(sorted(response.allow))
                response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
                response.headers["Access-Control-Max-Age"] = AGE
                if response.status_code == HTTPStatus.NOT_FOUND:  # a page is told so when it asks, not before
                    response.status_code = HTTPStatus.NO_CONTENT
                    response.set_data(b"")
            else:
                response.headers.update(EXPOSING)
        return response
