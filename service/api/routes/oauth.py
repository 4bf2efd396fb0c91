"""OAuth: how programs get a token, and its metadata (RFC 8414).

A device without a browser waits for somebody to type its code (RFC 8628). An app that came by a browser exchanges the
code that it got for its token (RFC 7636).
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from flask import Response, request, url_for
from marshmallow import Schema, ValidationError
from uuid_utils import uuid7

from events.event import now_ms
from service.access import secrets
from service.access.apps import App
from service.access.devices import LIFETIME, FullError, NotGrantedError
from service.access.gate import DAY, gate, request_network
from service.access.needs import OPEN
from service.access.scopes import SCOPES, VIEWER, Scopes
from service.access.store import Credential, EndedError
from service.api.answers.access import AccessToken, AuthorizationServer, DeviceAuthorization, OAuthFailure
from service.api.endpoints import FORM, Endpoints, context, reply
from service.api.schemas.access import CODE_GRANT, DEVICE_GRANT, DeviceSchema, GrantSchema
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.datastructures import MultiDict

    from service.access.devices import Approval

endpoints = Endpoints("oauth")

TOKEN_DAYS = 365
"""Days that a program's token lasts, if the person's own credential does not end before."""

BODY = 1 << 14
"""How many bytes a form may have: it comes from anybody."""

DEFAULT = VIEWER - {"tokens:write"}
"""What a program asks for that does not say."""


def _granting(view: Callable[[], Any]) -> Callable[[], Response]:
    """Answer in the form of OAuth, also for errors, and forbid caching."""

    @wraps(view)
    def serve() -> Response:
        gate().limits.count("writes", request_network())
        try:
            response = reply(view())
        except NotGrantedError as error:
            why = str(error).encode("ascii", "replace").decode().replace('"', "'").replace("\\", "/")
            response = reply(OAuthFailure(error.error, why), 400)
        response.headers["Cache-Control"] = "no-store"
        return response

    return serve


@endpoints.route(
    "POST",
    "/v1/oauth/device_authorization",
    scope=OPEN,
    body=DeviceSchema(),
    body_types=(FORM,),
    answer=DeviceAuthorization,
    failure=OAuthFailure,
    problems=("body-too-large", "quota-exceeded", "overloaded"),
)
@_granting
def authorize_device() -> DeviceAuthorization:
    """Let a device ask for a token (RFC 8628).

    It shows the `user_code`; somebody who is logged in types it at `verification_uri` and decides. Meanwhile the device
    asks for the token. Without a `scope` it asks to see games.
    """
    form = parameters(DeviceSchema(), _form())
    try:
        code, asked = gate().devices.ask(form["client_id"], scopes_in(form["scope"]), request.remote_addr or "")
    except FullError:
        problem = ProblemError("overloaded", gettext("too many devices are waiting for approval; try again later"))
        problem.headers["Retry-After"] = "60"
        raise problem from None
    address = url_for("pages.show_device", _external=True)
    return DeviceAuthorization(
        device_code=code,
        user_code=asked.user_code,
        verification_uri=address,
        verification_uri_complete=f"{address}?user_code={asked.user_code}",
        expires_in=LIFETIME,
        interval=asked.interval,
    )


@endpoints.route(
    "POST",
    "/v1/oauth/token",
    scope=OPEN,
    body=GrantSchema(),
    body_types=(FORM,),
    answer=AccessToken,
    failure=OAuthFailure,
    problems=("body-too-large", "quota-exceeded", "storage-full"),
)
@_granting
def request_token() -> AccessToken:
    """Exchange a code for its token, after somebody has approved (RFC 8628, RFC 7636).

    An app sends its code, its redirect address, and the verifier of its challenge: once, within a minute. A code that
    comes again ends its token. To a device the answer is 400 with `authorization_pending` until somebody has decided.
    It is `slow_down` if the device asks too soon: the interval is five seconds longer from then on. The token is given
    once. It may do no more than the person who let the program in.
    """
    form = parameters(GrantSchema(), _form())
    if form["grant_type"] == DEVICE_GRANT:
        return gate().devices.take(
            _given(form, "device_code"),
            _given(form, "client_id"),
            lambda asked, approval: _issue(asked.client, approval, str(uuid7())),
        )
    if form["grant_type"] == CODE_GRANT:
        app = App(_given(form, "client_id"), _given(form, "redirect_uri"))
        return gate().apps.take(_given(form, "code"), app, _given(form, "code_verifier"), _issue)
    raise NotGrantedError("unsupported_grant_type", f"a grant_type is {CODE_GRANT} or {DEVICE_GRANT}")


@endpoints.route(
    "GET", "/.well-known/oauth-authorization-server", scope=OPEN, answer=AuthorizationServer, conditional=True
)
def show_authorization_server() -> Response:
    """Show the OAuth metadata (RFC 8414).

    No program has to register, and none has a secret.
    """
    return reply(
        AuthorizationServer(
            issuer=issuer(),
            authorization_endpoint=url_for("pages.show_app", _external=True),
            token_endpoint=url_for("oauth.request_token", _external=True),
            device_authorization_endpoint=url_for("oauth.authorize_device", _external=True),
            grant_types_supported=[CODE_GRANT, DEVICE_GRANT],
            response_types_supported=["code"],
            response_modes_supported=["query"],
            code_challenge_methods_supported=["S256"],
            authorization_response_iss_parameter_supported=True,
            scopes_supported=list(SCOPES),
            token_endpoint_auth_methods_supported=["none"],
        )
    )


def issuer() -> str:
    """The issuer: the name of this service in OAuth."""
    return request.url_root.rstrip("/")


def _form() -> MultiDict[str, str]:
    """The form of the request. Raises `NotGrantedError`."""
    if request.mimetype != FORM:
        raise NotGrantedError("invalid_request", f"send {FORM}, not {request.mimetype or 'nothing'}")
    request.max_content_length = BODY
    return request.form


def parameters(schema: Schema, sent: MultiDict[str, str]) -> dict[str, Any]:
    """The loaded parameters. An empty one counts as left out. Raises `NotGrantedError`."""
    given = {name: values for name, values in sent.lists() if name in schema.fields}
    if twice := [name for name, values in given.items() if len(values) > 1]:
        raise NotGrantedError("invalid_request", f"{twice[0]}: given more than once")
    try:
        found: dict[str, Any] = schema.load({name: value for name, (value,) in given.items() if value})
    except ValidationError as error:
        name, (why, *_) = next(iter(error.messages_dict.items()))
        raise NotGrantedError("invalid_request", f"{name}: {why}") from None
    return found


def _given(form: dict[str, Any], name: str) -> str:
    if form[name] is None:
        raise NotGrantedError("invalid_request", f"{name}: missing")
    return str(form[name])


def scopes_in(text: str | None) -> Scopes:
    """The scopes in a text, with blanks between them. Raises `NotGrantedError`."""
    if text is None:
        return DEFAULT
    found = frozenset(text.split())
    if unknown := sorted(found - SCOPES.keys()):
        raise NotGrantedError("invalid_scope", f"there is no scope {unknown[0]}")
    if not found:
        raise NotGrantedError("invalid_scope", "no scope is named")
    return found


def _issue(client: str, approval: Approval, id_: str) -> AccessToken:
    """Issue the token of an approved program, if the approval is still valid."""
    access, now = context().access, now_ms()
    maker = access.credential(approval.credential)
    logged_out = NotGrantedError("access_denied", "the person who approved it has logged out")
    if maker is None or maker.ended is not None:
        raise logged_out
    ends = now + TOKEN_DAYS * DAY * 1000
    secret = secrets.make("app")
    made = Credential(
        id=id_,
        kind="app",
        person=approval.person,
        app=id_,
        name=client,
        scopes=approval.scopes,
        games=approval.games,
        begun=now,
        maker=approval.by,
        ends=ends if approval.ends is None else min(ends, approval.ends),
    )
    try:
        access.add(made, secrets.digest(secret), by=approval.by, using=approval.credential)
    except EndedError:
        raise logged_out from None
    seconds = ((made.ends or ends) - now) // 1000
    return AccessToken(secret, "Bearer", seconds, " ".join(sorted(approval.scopes)))
