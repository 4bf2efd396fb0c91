"""Consent: the page on which a person lets an app in that came by the browser, or refuses it (RFC 6749)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, g, make_response, render_template, request

from service.access.apps import AppRequest, BadAppError, Consent, app_of
from service.access.devices import Approval, NotGrantedError
from service.access.gate import current_principal, gate, missing_scope, require_principal
from service.access.needs import KNOWN, OPEN
from service.access.scopes import OF_A_GAME, meanings
from service.api.endpoints import TEXT
from service.api.routes.games import games_found
from service.api.routes.oauth import issuer, parameters, scopes_in
from service.api.routes.tokens import reach_within
from service.api.schemas.access import AppSchema, WantedSchema
from service.api.schemas.games import GamesQuery
from service.pages.blueprint import FORM, page
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from service.access.apps import App
    from service.access.principals import Principal
    from service.access.scopes import Scopes

GAMES = 50
"""How many games the page offers to choose from."""


@page("GET", "/authorize", scope=OPEN)
def show_app() -> Response:
    """Show which app asks, for what, and where the browser is led back to; what is wrong with it, is told to the app.

    Nobody is led anywhere before they have logged in: it is not known who sent them here.
    """
    app = _app(request.args)
    if current_principal() is None:
        return _page(app, query=request.query_string.decode(errors="replace"))
    try:
        return _asked(app, _wanted(request.args))
    except NotGrantedError as error:
        return _led_back(app, request.args, error=error.error, error_description=str(error))


@page("POST", "/authorize", scope=KNOWN, limit=FORM)
def decide_on_app() -> Response:
    """Let the app in, or refuse it, and lead the browser back to it."""
    app, form = _app(request.form), request.form
    try:
        wanted = _wanted(form)
        if form.get("decision") == "refuse":
            raise NotGrantedError("access_denied", "it was refused")
        if form.get("decision") != "approve":
            return _asked(app, wanted)
        games = frozenset(form.getlist("games")) if form.get("where") == "chosen" else None
        if games is not None and not games:
            return _asked(app, wanted, unchosen=True)
        consent = Consent(
            app=app, challenge=wanted.challenge, approval=_approval(require_principal(), wanted.scopes, games)
        )
        return _led_back(app, form, code=gate().apps.let_in(consent))
    except NotGrantedError as error:
        return _led_back(app, form, error=error.error, error_description=str(error))


def _app(sent: MultiDict[str, str]) -> App:
    """The app that asks. Raises `bad-request`, told to the person: it is not known where to lead them back to."""
    try:
        found = parameters(AppSchema(), sent)
        return app_of(found["client_id"], found["redirect_uri"])
    except NotGrantedError as error:
        raise ProblemError("bad-request", f"the app asks wrongly: {error}") from None
    except BadAppError as error:
        errors = [{"field": error.field, "message": error.why}]
        raise ProblemError("bad-request", f"the app asks wrongly: {error.field}: {error.why}", errors=errors) from None


def _wanted(sent: MultiDict[str, str]) -> AppRequest:
    """What the app asks for. Raises `NotGrantedError`."""
    if sent.get("response_type", "code") != "code":
        raise NotGrantedError("unsupported_response_type", "the only response_type is code")
    found = parameters(WantedSchema(), sent)
    return AppRequest(scopes=scopes_in(found["scope"]), challenge=found["code_challenge"], state=found["state"])


def _approval(who: Principal, wanted: Scopes, games: frozenset[str] | None) -> Approval:
    """That `who` lets an app do what they may of what it asks for. Raises `scope-needed`, `bad-request`."""
    if "tokens:write" not in who.service:
        raise missing_scope("tokens:write", who, None)
    scopes = wanted & (gate().reach(who) if games is None else reach_within(who, games) & OF_A_GAME)
    if not scopes:
        raise missing_scope(min(wanted), who, None if games is None else "game")
    return Approval(
        person=who.person, by=who.id, credential=who.credential.id, scopes=scopes, ends=who.credential.ends, games=games
    )


def _asked(app: App, wanted: AppRequest, *, unchosen: bool = False) -> Response:
    """The page on which somebody decides who is logged in."""
    who = require_principal()
    scopes = wanted.scopes & (gate().reach(who) if "tokens:write" in who.service else frozenset())
    return _page(
        app,
        asked=(request.args if request.method == "GET" else request.form),
        scopes=meanings(scopes),
        beyond=meanings(wanted.scopes - scopes),
        games=games_found(GamesQuery().load({"limit": GAMES})).games,
        unchosen=unchosen,
    )


def _page(app: App, **more: Any) -> Response:
    """A page of an app. A browser leads from a form on it to nowhere but here and back to the app."""
    g.leads_to = "http:" if "[" in app.host else app.origin  # a policy cannot name an address of IPv6
    return make_response(render_template("authorize.html", app=app, **more))


def _led_back(app: App, sent: MultiDict[str, str], **parameters: str) -> Response:
    """The browser led back to the app, with the `state` that it gave, if it gave one and not two."""
    (state, *others) = sent.getlist("state") or [""]
    to = app.back(**parameters, state=None if others else state or None, iss=issuer())
    return Response(status=303, headers={"Location": to, "Cache-Control": "no-store"}, content_type=TEXT)
