"""Trust: how a phone gets to trust the local certificate authority, and the answers to plain HTTP.

If the service speaks HTTPS, plain HTTP on the same port answers with an explaining page and the authority's
certificate. Other pages redirect to HTTPS. Cookies and tokens are ignored. Browsers must not cache the redirects, and
there is no HSTS. A home address may belong to another device tomorrow, or to this service without HTTPS, and would be
unreachable then.
"""

from __future__ import annotations

import io
import re
from http import HTTPStatus

import segno
from flask import Blueprint, Response, render_template, request
from markupsafe import Markup

from service.api import addresses
from service.api.endpoints import context
from service.languages import gettext
from service.pages.blueprint import identify_visitor
from service.pages.headers import set_page_headers
from service.problems.kinds import ProblemError, bad_field
from service.server import hosts
from service.server.authority import certificate_file, fingerprint

MEDIA_TYPE = "application/x-x509-ca-cert"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

SYSTEMS = {
    "ios": r"iPhone|iPad",
    "android": r"Android",
    "windows": r"Windows",
    "macos": r"Macintosh",
    "linux": r"Linux|X11|CrOS",
}
"""The systems with instructions, and their names in browsers. Android also calls itself Linux."""

trust = Blueprint("trust", __name__)
trust.after_request(set_page_headers)


def guard_plain() -> Response | None:
    """Refuse plain HTTP where HTTPS is served, except for the way to HTTPS. Raises `not-https`."""
    if request.is_secure:
        return None
    if request.method not in {"GET", "HEAD"} or request.path.startswith("/v1/"):
        raise ProblemError("not-https", gettext("plain HTTP serves only the page /https"))
    if request.blueprint == trust.name:
        return None
    answer = Response(status=HTTPStatus.PERMANENT_REDIRECT, content_type="text/plain")
    answer.location = f"{_https_address()}{addresses.requested_target()}"
    answer.headers["Cache-Control"] = "no-store"
    return answer


@trust.get("/https")
def explain() -> Response:
    """Explain how a device gets to trust this service; without HTTPS, how to start it with HTTPS."""
    if not context().settings.https:
        identify_visitor()  # the menu is that of the visitor
        return Response(render_template("plain.html"), content_type="text/html; charset=utf-8")
    page = render_template(
        "https.html",
        fingerprint=fingerprint(_certificate()),
        system=_system(),
        drawn=_qr_code(f"{_https_address(by_phones=True).replace('https:', 'http:', 1)}/https"),
        onward=f"{_https_address()}/",
    )
    answer = Response(page, content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


@trust.get("/authority.crt")
def send_certificate() -> Response:
    """The authority's certificate. It is public."""
    answer = Response(_certificate(), content_type=MEDIA_TYPE)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _https_address(*, by_phones: bool = False) -> str:
    """The HTTPS URL of this service: with the host of this request, unless the certificate does not cover it.

    Phones cannot use a name for the client's own machine. Raises `bad-request`.
    """
    host, (name, port) = context().settings.host, addresses.requested_host()
    if not name:
        wrong = repr(request.headers.get("Host", ""))
        raise bad_field("Host", gettext("%(name)s is not a name of this service", name=wrong))
    holds = hosts.certificate_hosts(host).hold(name) and not (by_phones and hosts.resolves_to_loopback(name))
    found = [] if holds else hosts.network_urls(host, port, https=True)
    return found[0] if found else hosts.url(name, port, https=True)


def _certificate() -> bytes:
    """The authority's certificate from the data folder. Raises `not-found`."""
    settings = context().settings
    try:
        content = certificate_file(settings.data).read_bytes() if settings.https else b""
        fingerprint(content)
    except (OSError, ValueError):
        content = b""
    if not content:
        raise ProblemError("not-found", gettext("this service has no authority of its own"))
    return content


def _system() -> str:
    """The client's system, from its user agent."""
    agent = request.user_agent.string
    return next((name for name, pattern in SYSTEMS.items() if re.search(pattern, agent)), "")


def _qr_code(address: str) -> Markup:
    """The QR code for an address."""
    drawn = io.BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4, xmldecl=False, light="#fff", border=2)
    return Markup(drawn.getvalue().decode())  # noqa: S704 - it is drawn here, and holds no text
