"""The pages: a list of games, a game with its board and its record, and what a problem means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for

from service.problems import KINDS, ProblemError
from service.tokens import COOKIE, is_owner

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

pages = Blueprint("pages", __name__, template_folder="templates", static_folder="static", static_url_path="/static")

MONTHS_6 = 60 * 60 * 24 * 183


@pages.get("/")
def show_games() -> str:
    """The list of games."""
    return render_template("games.html", owner=is_owner())


@pages.get("/games/<uuid:game>")
def show_game(game: object) -> str:
    """A game with its board, its record, and the entry of the next move."""
    return render_template("game.html", game=str(game), owner=is_owner())


@pages.get("/login")
def log_in() -> AnyResponse:
    """Take the token of the login link into a cookie, so that it leaves the address line."""
    token = request.args.get("token", "")
    if not token:
        raise ProblemError("token-needed", "the login link has a token: /login?token=…")
    response = make_response(redirect(url_for("pages.show_games")))
    response.set_cookie(COOKIE, token, max_age=MONTHS_6, httponly=True, samesite="Strict")
    return response


@pages.get("/problems/<name>")
def show_problem(name: str) -> Response | str:
    """What a kind of problem means and what to do about it: where the `type` of a problem leads."""
    kind = KINDS.get(name)
    if kind is None:
        raise ProblemError("not-found", f"no problem is called {name!r}")
    return render_template("problem.html", kind=kind)
