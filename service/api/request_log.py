"""Requests in a JSON journal: a line for each, with an id that the answer carries, too."""

from __future__ import annotations

import logging
import re
import secrets
from time import perf_counter
from typing import TYPE_CHECKING

from flask import g, request

from workers.journal import FIELDS, REQUEST

if TYPE_CHECKING:
    from flask import Flask, Response

ID = "X-Request-Id"
_FORM = re.compile(r"[0-9A-Za-z_.-]{8,64}")

logger = logging.getLogger(__name__)


def install(app: Flask) -> None:
    """Write a line for every request of `app`.

    An id from a proxy is kept. The line has the route of the address, and nothing that may be secret.
    """

    @app.before_request
    def begin() -> None:
        given = request.headers.get(ID, "")
        REQUEST.set(given if _FORM.fullmatch(given) else secrets.token_hex(8))

    @app.after_request
    def end(response: Response) -> Response:
        response.headers[ID] = REQUEST.get()
        route = request.url_rule.rule if request.url_rule else "(none)"
        fields = {
            "event": "request",
            "method": request.method,
            "route": route,
            "status": response.status_code,
            "ms": round(1000 * (perf_counter() - g.started), 2),
        }
        logger.info("%s %s %s", request.method, route, response.status_code, extra={FIELDS: fields})
        return response

    @app.teardown_request
    def forget(_: BaseException | None) -> None:
        REQUEST.set("")
