"""The headers of pages, and of all that a browser may take for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, g, request

from service.access import sessions
from service.access.gate import cookie_name, gate
from service.api import cors
from service.pages import assets
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
"""What no page asks a device for. Sharing, the clipboard, and keeping the screen on are asked for."""

FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""For all that is no page, should a browser open it as one: a board draws itself, and nothing runs."""

RELEASE = "Kifu-Release"
"""The header that says of which release the pages are by now: a page of another one offers to be loaded anew."""


@pages.after_app_request
def _guard(response: Response) -> Response:
    """Let nothing run or load in a browser but what is ours."""
    page = response.mimetype == "text/html"
    policy = f"{PAGE_POLICY} {g.get('leads_to', '')}".strip() if page else FILE_POLICY
    response.headers.setdefault("Content-Security-Policy", policy)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers["Cross-Origin-Resource-Policy"] = _loaded_by(response)
    if g.get("secret_address", False):
        response.headers["X-Robots-Tag"] = "noindex"
    if "immutable" not in response.headers.get("Cache-Control", ""):  # else it would be said for a year
        response.headers[RELEASE] = assets.digest()
    if page:
        releases().keep()
        response.headers["Referrer-Policy"] = "no-referrer" if g.get("secret_address", False) else "same-origin"
        response.headers["Cache-Control"] = "private, no-cache" if response.status_code < 400 else "no-store"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = PERMISSIONS
        response.vary.add("Cookie")
        response.headers["Kifu-Session"] = sessions.named(g.get("asker"))
        if g.get("stale_token", False):
            response.delete_cookie(cookie_name(), secure=request.is_secure)
        elif renewed := sessions.renewed(gate(), g.get("asker")):
            set_cookie(response, *renewed)
    return response


def _loaded_by(response: Response) -> str:
    """Which pages may load an answer: all of them the API and pictures, but nothing that a session's cookie opened."""
    of_all = request.path.startswith(cors.API) or (response.mimetype or "").startswith("image/")
    return "cross-origin" if of_all and cookie_name() not in request.cookies else "same-origin"


def set_cookie(response: AnyResponse, secret: str, seconds: int) -> None:
    """The cookie is read by no script, and lax, not strict, so that a link in a message opens the page logged in."""
    response.set_cookie(cookie_name(), secret, max_age=seconds, httponly=True, samesite="Lax", secure=request.is_secure)
