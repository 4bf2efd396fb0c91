"""The blueprint of all pages, and who is let in to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from flask import Blueprint, g, request

from service.access.gate import admit, current_principal
from service.access.needs import OPEN, Need, need_of
from service.access.store import AccessStoppedError
from service.pages import assets
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.access.scopes import Scopes

YEAR = 60 * 60 * 24 * 365
"""Seconds that a browser keeps what does not change: a file of a release, the language that somebody chose."""

FORM = 1 << 14
"""How many bytes a form may have: it comes from anybody."""

pages = Blueprint("pages", "service.pages", template_folder="templates")

NEEDS: dict[str, Need] = {}
"""What every page needs, by its endpoint."""

View = TypeVar("View", bound="Callable[..., Any]")


def page(method: str, path: str, *, scope: str | Need) -> Callable[[View], View]:
    """Serve `method` of `path` by the view below. `scope` names what a visitor needs: a scope, or a `Need`."""

    def add(view: View) -> View:
        NEEDS[f"{pages.name}.{view.__name__}"] = need_of(scope)
        pages.add_url_rule(path, view_func=view, methods=[method])
        return view

    return add


@pages.app_url_defaults
def _of_this_release(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint == "pages.static":
        values.setdefault("release", assets.digest())


@pages.before_request
def _let_in() -> None:
    """Let the visitor in, as far as the page is for them. A session that is over is forgotten, not fatal."""
    need = NEEDS[request.endpoint or ""]
    recognise()
    if need is not OPEN:
        game = (request.view_args or {}).get("game")
        admit(need, str(game) if game else None)


def recognise() -> None:
    """Know who the visitor is. Raises `ProblemError` for what is no session, `LogError`."""
    try:
        current_principal()
    except ProblemError as error:
        if error.kind.name != "token-unknown":
            raise
        g.principal, g.stale_token = None, True
    except AccessStoppedError:
        g.principal = None  # pages that are the same for everybody are there, too


def service_scopes() -> Scopes:
    """What the visitor may do with the service as a whole."""
    who = current_principal()
    return who.service if who else frozenset()
