"""Log in and log out: with a token, a link, or the short code of an invitation."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

import segno
from flask import Response, g, make_response, redirect, render_template, request, url_for

from service.access import codes, sessions
from service.access.gate import cookie_name, current_principal, gate, require_own_origin
from service.access.names import names_of
from service.access.needs import KNOWN, OPEN
from service.api import addresses
from service.api.endpoints import archive, context
from service.languages import gettext
from service.languages.plain import translated
from service.pages.blueprint import FORM, page, require_person_of_form
from service.pages.headers import set_cookie
from service.problems.kinds import ProblemError
from service.recording.clubs import join_club

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict
    from werkzeug.wrappers import Response as AnyResponse

    from service.access.sessions import Login, NewMember


@page("GET", "/login", scope=OPEN)
def show_login() -> str:
    """The form for a token. With the code of a log-in link, the form to use it: opening the link alone does not."""
    return render_template("login.html", code=request.args.get("code"), on=_next_page(request.args), me=_own_name())


@page("POST", "/login", scope=OPEN, limit=FORM)
def log_in() -> AnyResponse:
    """Exchange the typed token, or the code of a link, for a session."""
    require_own_origin()
    require_person_of_form()
    code, token = (request.form.get(name, "").strip() for name in ("code", "token"))
    on = _next_page(request.form)
    try:
        login = (
            sessions.begin_by_link(gate(), code, current_principal(), _join)
            if code
            else sessions.begin_by_token(gate(), token)
        )
    except ProblemError as error:
        if error.kind.name != "token-unknown":
            raise
        wrong = translated(error.detail) if code or token else None
        return make_response(render_template("login.html", wrong=wrong, on=on), 401)
    return _redirect_after_login(login, _next_address(on))


def _own_name() -> str | None:
    """The name of the person who is logged in now; None for a stranger, and for an erased name."""
    who = current_principal()
    if who is None:
        return None
    return names_of(context(), [who.person]).get(who.person) or (
        gettext("the owner of this service") if who.person == context().access.owner else None
    )


def _redirect_after_login(login: Login, on: str | None = None) -> AnyResponse:
    """Redirect to `on`, or else to the joined club, the game of the session, or all games."""
    if login.club:
        leads = url_for("pages.show_club", club=login.club)
    else:
        leads = url_for("pages.show_game", game=login.game) if login.game else url_for("pages.list_games")
    response = redirect(on or leads, 303)
    if login.session:
        set_cookie(response, *login.session)
    return response


def _join(member: NewMember) -> None:
    join_club(archive(), member)


def _next_page(given: MultiDict[str, str]) -> dict[str, str]:
    """The next page after login: for approving a device (its code) or an app (its request)."""
    return {name: given[name] for name in ("device", "app") if name in given}


def _next_address(on: dict[str, str]) -> str | None:
    """The next address, if one was sent. It is always on this service."""
    if "device" in on:
        return url_for("pages.show_device", user_code=on["device"] or None)
    if "app" in on:
        return f"{url_for('pages.show_app')}?{urlencode(parse_qsl(on['app']))}"
    return None


@page("GET", "/join", scope=OPEN)
def show_join() -> str:
    """The form for the short code of an invitation. Opening the address alone does not use the code."""
    return render_template("join.html", code=request.args.get("code", ""), me=_own_name())


@page("POST", "/join", scope=OPEN, limit=FORM)
def join() -> AnyResponse:
    """Exchange the short code of an invitation for a session."""
    require_own_origin()
    require_person_of_form()
    code = request.form.get("code", "").strip()
    login = sessions.begin_by_short_code(gate(), code, current_principal(), _join)
    if login is None:
        return make_response(render_template("join.html", code=code, wrong=True, me=_own_name()), 404)
    return _redirect_after_login(login)


@page("GET", "/join/<code>.svg", scope=KNOWN)
def draw_join(code: str) -> Response:
    """A QR code with the address for a short code. It is drawn for any code."""
    if codes.normal_code(code) != code or not codes.FORM.fullmatch(code):
        raise ProblemError("not-found", gettext("this is not a valid code"))
    drawn, address = io.BytesIO(), f"{addresses.phone_url()}{url_for('pages.show_join', code=code)}"
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4)
    return Response(drawn.getvalue(), content_type="image/svg+xml")


@page("POST", "/logout", scope=OPEN, limit=FORM)
def log_out() -> AnyResponse:
    """End the session, with all copies of its cookie; with `everywhere`, all sessions of this person."""
    require_own_origin()
    who = current_principal()
    if who is not None and who.credential.kind == "ses":
        if "everywhere" in request.form:
            require_person_of_form()
            sessions.end_everywhere(gate(), who)
        else:
            sessions.end(gate(), who)
        g.principal = None  # what is over is not renewed by the answer that says so
    response = redirect(url_for("pages.list_games"), 303)
    response.delete_cookie(cookie_name(), secure=request.is_secure)
    return response
