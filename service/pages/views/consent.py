"""Consent: the page where a person approves or refuses an app that came through the browser (RFC 6749)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, g, make_response, render_template, request

from service.access.apps import AppRequest, BadAppError, Consent, app_of
from service.access.devices import Approval, NotGrantedError
from service.access.gate import current_principal, gate, missing_scope, require_principal
from service.access.needs import KNOWN, OPEN
from service.access.scopes import OF_A_GAME, meanings
from service.api.endpoints import TEXT
from service.api.routes.games import find_games
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
"""The number of games to choose from."""


@page("GET", "/authorize", scope=OPEN)
def show_app() -> Response:
    """Show the app, its request, and its redirect address. The app gets the errors of its request.

    Nobody is redirected before login: the sender of the request is unknown.
    """
    app = _app(request.args)
    if current_principal() is None:
        return _page(app, query=request.query_string.decode(errors="replace"))
    try:
        return _decision_page(app, _request_of(request.args))
    except NotGrantedError as error:
        return _redirect_to_app(app, request.args, error=error.error, error_description=str(error))


@page("POST", "/authorize", scope=KNOWN, limit=FORM)
def decide_on_app() -> Response:
    """Approve or refuse the app, and redirect the browser to it."""
    app, form = _app(request.form), request.form
    try:
        wanted = _request_of(form)
        if form.get("decision") == "refuse":
            raise NotGrantedError("access_denied", "it was refused")
        if form.get("decision") != "approve":
            return _decision_page(app, wanted)
        games = frozenset(form.getlist("games")) if form.get("where") == "chosen" else None
        if games is not None and not games:
            return _decision_page(app, wanted, unchosen=True)
        consent = Consent(
            app=app, challenge=wanted.challenge, approval=_approval(require_principal(), wanted.scopes, games)
        )
        return _redirect_to_app(app, form, code=gate().apps.let_in(consent))
    except NotGrantedError as error:
        return _redirect_to_app(app, form, error=error.error, error_description=str(error))


def _app(sent: MultiDict[str, str]) -> App:
    """The app that asks. Raises `bad-request`, shown to the person: the redirect address is unknown."""
    try:
        found = parameters(AppSchema(), sent)
        return app_of(found["client_id"], found["redirect_uri"])
    except NotGrantedError as error:
        raise ProblemError("bad-request", f"the app's request is wrong: {error}") from None
    except BadAppError as error:
        errors = [{"field": error.field, "message": error.why}]
        raise ProblemError(
            "bad-request", f"the app's request is wrong: {error.field}: {error.why}", errors=errors
        ) from None


def _request_of(sent: MultiDict[str, str]) -> AppRequest:
    """The app's request. Raises `NotGrantedError`."""
    if sent.get("response_type", "code") != "code":
        raise NotGrantedError("unsupported_response_type", "the only supported response_type is code")
    found = parameters(WantedSchema(), sent)
    return AppRequest(scopes=scopes_in(found["scope"]), challenge=found["code_challenge"], state=found["state"])


def _approval(who: Principal, wanted: Scopes, games: frozenset[str] | None) -> Approval:
    """The approval by `who`: the requested rights that they have themselves. Raises `scope-needed`, `bad-request`."""
    if "tokens:write" not in who.service:
        raise missing_scope("tokens:write", who, None)
    scopes = wanted & (gate().reach(who) if games is None else reach_within(who, games) & OF_A_GAME)
    if not scopes:
        raise missing_scope(min(wanted), who, None if games is None else "game")
    return Approval(
        person=who.person, by=who.id, credential=who.credential.id, scopes=scopes, ends=who.credential.ends, games=games
    )


def _decision_page(app: App, wanted: AppRequest, *, unchosen: bool = False) -> Response:
    """The page for the decision of the logged-in person."""
    who = require_principal()
    scopes = wanted.scopes & (gate().reach(who) if "tokens:write" in who.service else frozenset())
    return _page(
        app,
        asked=(request.args if request.method == "GET" else request.form),
        scopes=meanings(scopes),
        beyond=meanings(wanted.scopes - scopes),
        games=find_games(GamesQuery().load({"limit": GAMES})).games,
        unchosen=unchosen,
    )


def _page(app: App, **more: Any) -> Response:
    """A page about an app. Its forms may only lead to this service and to the app."""
    g.leads_to = "http:" if "[" in app.host else app.origin  # a policy cannot name an address of IPv6
    return make_response(render_template("authorize.html", app=app, **more))


def _redirect_to_app(app: App, sent: MultiDict[str, str], **parameters: str) -> Response:
    """Redirect the browser to the app, with its `state` if it sent exactly one."""
    (state, *others) = sent.getlist("state") or [""]
    to = app.redirect_with(**parameters, state=None if others else state or None, iss=issuer())
    return Response(status=303, headers={"Location": to, "Cache-Control": "no-store"}, content_type=TEXT)
