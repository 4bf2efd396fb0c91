"""The blueprint of all pages, and who is let in to them."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from flask import Blueprint, g, redirect, request

from service.access.gate import admit, current_principal, require_person_of_page
from service.access.needs import OPEN, Need, need_of
from service.access.store import AccessStoppedError
from service.api.addresses import requested_target
from service.pages import assets
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from werkzeug.wrappers import Response as AnyResponse

    from service.access.scopes import Scopes

YEAR = 60 * 60 * 24 * 365
"""Seconds that a browser keeps what does not change: a file of a release, the language that somebody chose."""

FORM = 1 << 14
"""How many bytes a form may have: it comes from anybody."""

pages = Blueprint("pages", "service.pages", template_folder="templates")

NEEDS: dict[str, Need] = {}
"""What every page needs, by its endpoint."""

_LIMITS: dict[str, int | Callable[[], int]] = {}
"""How many bytes the forms of some pages may have, by their endpoint."""

PERSON = "person_of_page"
"""The field of a form with the tag of the person that its page was made for."""

View = TypeVar("View", bound="Callable[..., Any]")


def page(
    method: str, path: str, *, scope: str | Need, limit: int | Callable[[], int] | None = None
) -> Callable[[View], View]:
    """Serve `method` of `path` by the view below. `scope` names what a visitor needs: a scope, or a `Need`.

    `limit` tells how many bytes its form may have, if that is not what any request may have.
    """

    def add(view: View) -> View:
        endpoint = f"{pages.name}.{view.__name__}"
        NEEDS[endpoint] = need_of(scope)
        if limit is not None:
            _LIMITS[endpoint] = limit
        pages.add_url_rule(path, view_func=view, methods=[method])
        return view

    return add


@pages.app_url_defaults
def _of_this_release(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint == "pages.static":
        values.setdefault("release", assets.digest())


@pages.before_request
def _lead_to_lower_case() -> AnyResponse | None:
    """Lead to the one address of a page, which has its ids in lower case: a QR code can have them in capitals."""
    ids = [str(value) for value in (request.view_args or {}).values() if isinstance(value, UUID)]
    if request.method == "POST" or all(each in request.path for each in ids):
        return None
    target = requested_target()
    for each in ids:
        target = re.sub(each, each, target, count=1, flags=re.IGNORECASE)
    return redirect(target, HTTPStatus.PERMANENT_REDIRECT)


@pages.before_request
def _let_in() -> None:
    """Let the visitor in, as far as the page is for them. A session that is over is forgotten, not fatal."""
    endpoint = request.endpoint or ""
    need = NEEDS[endpoint]
    if limit := _LIMITS.get(endpoint):
        request.max_content_length = request.max_form_memory_size = limit() if callable(limit) else limit
    recognise()
    if need is not OPEN:
        game = (request.view_args or {}).get("game")
        admit(need, str(game) if game else None)
        require_person_of_form()


def require_person_of_form() -> None:
    """Refuse a form of a page that was made for somebody else, who was logged in before. Raises `token-unknown`."""
    who = current_principal()
    if request.method == "POST" and who is not None:
        require_person_of_page(who, request.form.get(PERSON))


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
