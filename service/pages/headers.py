"""The headers of pages, and the session cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, g, request

from service.access import sessions
from service.access.gate import cookie_name, gate
from service.api.varying import vary
from service.pages.blueprint import pages
from service.pages.releases import releases

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)

PERMISSIONS = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer"),
        *("microphone", "midi", "payment", "serial", "usb"),
    )
)
"""Browser features that no page uses. Sharing, the clipboard, and keeping the screen on are allowed."""


@pages.after_request
def set_page_headers(response: Response) -> Response:
    """Set the security headers of a page, and renew the visitor's session.

    Files of a page, such as a table or a picture, are as private as the page, unless their view says otherwise.
    """
    if response.mimetype != "text/html":
        if "private" in response.headers.setdefault("Cache-Control", "private, no-cache"):
            vary(response.headers, "Cookie")
        return response
    releases().keep()
    secret = g.get("secret_address", False)
    response.headers.setdefault("Content-Security-Policy", f"{PAGE_POLICY} {g.get('leads_to', '')}".strip())
    response.headers["Referrer-Policy"] = "no-referrer" if secret else "same-origin"
    response.headers["Cache-Control"] = "private, no-cache" if response.status_code < 400 else "no-store"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Permissions-Policy"] = PERMISSIONS
    vary(response.headers, "Cookie")
    response.headers["Kifu-Session"] = sessions.session_name(g.get("principal"))
    if g.get("stale_token", False):
        response.delete_cookie(cookie_name(), secure=request.is_secure)
    elif renewed := sessions.renewed(gate(), g.get("principal")):
        set_cookie(response, *renewed)
    return response


def set_cookie(response: AnyResponse, secret: str, seconds: int) -> None:
    """Set the session cookie. Scripts cannot read it. It is lax, not strict, so links in messages keep the session."""
    response.set_cookie(cookie_name(), secret, max_age=seconds, httponly=True, samesite="Lax", secure=request.is_secure)
