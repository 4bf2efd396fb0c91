"""Problems: explanations of each kind, and problems as pages."""

from __future__ import annotations

from contextlib import suppress

from flask import Response, make_response, render_template, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

from events.errors import LogError
from service.access.needs import OPEN
from service.access.scopes import SCOPES
from service.api.problems import examine, problem
from service.languages import gettext
from service.pages.blueprint import identify_visitor, page, pages
from service.pages.headers import set_page_headers
from service.problems.kinds import KINDS, ProblemError


@page("GET", "/problems", scope=OPEN)
def list_problems() -> str:
    """Every kind of problem."""
    return render_template("problems.html", kinds=KINDS.values())


@page("GET", "/problems/<name>", scope=OPEN)
def show_problem(name: str) -> str:
    """The meaning of a kind of problem and advice. The `type` of a problem is this address."""
    kind = KINDS.get(name)
    if kind is None:
        raise ProblemError("not-found", gettext("there is no problem type %(name)s", name=repr(name)))
    return render_template("kind.html", kind=kind)


@pages.errorhandler(Exception)
def show_error(error: Exception) -> Response | tuple[str, int, dict[str, str]]:
    """A problem as a page, unless the client accepts no page."""
    found = examine(error)
    if request.accept_mimetypes and not request.accept_mimetypes.accept_html:
        return problem(found)
    needed = SCOPES.get(str(found.more.get("scope")))
    # the address may hold a secret: it is not repeated
    page = render_template("error.html", problem=found, needed=needed, back="")
    return page, found.kind.status, found.headers


@pages.app_errorhandler(NotFound)
@pages.app_errorhandler(MethodNotAllowed)
@pages.app_errorhandler(ProblemError)
def show_unrouted(error: Exception) -> Response:
    """The answer for an address without a view: a page for browsers, a problem for programs and all of /v1."""
    wanted, of_pages = request.accept_mimetypes, request.blueprint in {None, pages.name, "trust"}
    if not of_pages or request.path.startswith("/v1/") or wanted["text/html"] <= wanted["application/json"]:
        return problem(examine(error))
    with suppress(ProblemError, LogError):  # no page has such an address, and the visitor stays logged in
        identify_visitor()
    if isinstance(error, NotFound):
        error = ProblemError("not-found", gettext("there is no page at %(path)s", path=request.path))
    page = make_response(show_error(error))
    return page if request.blueprint else set_page_headers(page)  # an address that is none has no blueprint
