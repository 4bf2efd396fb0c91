"""The headers that every answer needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service import languages
from service.access.gate import cookie_name
from service.api import cors
from service.api.varying import by_name, vary
from service.current import current_notes, current_request
from service.pages import assets

if TYPE_CHECKING:
    from flask import Response

FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""For all that is no page, should a browser open it as one: a board draws itself, and nothing runs."""

RELEASE = "Kifu-Release"
"""The header with the present release of the pages. An older page offers to be loaded anew."""

POLICY = ("Content-Security-Policy", FILE_POLICY)
NO_SNIFFING = ("X-Content-Type-Options", "nosniff")
LOADED_BY = "Cross-Origin-Resource-Policy"


def set_headers(response: Response) -> Response:
    """Set the headers that every answer needs. Headers that a page or the API has set stay."""
    headers, answering = response.headers, vars(current_notes())
    known = by_name(headers)
    for name, value in (POLICY, NO_SNIFFING):
        if name.lower() not in known:
            headers.add(name, value)
    of_all = current_request().environ["PATH_INFO"].startswith(cors.API)
    headers.add(LOADED_BY, loaded_by(of_all=of_all or (response.mimetype or "").startswith("image/")))
    if answering.get("secret_address", False):
        headers.add("X-Robots-Tag", "noindex")
    if "immutable" not in known.get("cache-control", ""):  # else it would be said for a year
        headers.add(RELEASE, assets.digest())
    if "locale" in answering:
        vary(headers, *languages.DEPENDS_ON)
    return response


def loaded_by(*, of_all: bool) -> str:
    """Which sites may load an answer: all may load the API and pictures, but no answer to a session's cookie."""
    request = current_request()
    logged_in = "HTTP_COOKIE" in request.environ and cookie_name() in request.cookies
    return "cross-origin" if of_all and not logged_in else "same-origin"
