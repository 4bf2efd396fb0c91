"""The blueprint of all pages, and the permissions that they need."""

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
"""Seconds to cache what does not change: a file of a release, the chosen language."""

FORM = 1 << 14
"""The most bytes of a form. Anybody can send one."""

pages = Blueprint("pages", "service.pages", template_folder="templates")

NEEDS: dict[str, Need] = {}
"""The permission that a page needs, by its endpoint."""

_LIMITS: dict[str, int | Callable[[], int]] = {}
"""The most bytes of larger forms, by their endpoint."""

PERSON = "person_of_page"
"""The form field with the tag of the person that the page was made for."""

View = TypeVar("View", bound="Callable[..., Any]")


def page(
    method: str, path: str, *, scope: str | Need, limit: int | Callable[[], int] | None = None
) -> Callable[[View], View]:
    """Serve a path with the decorated view. `scope` is the permission that a visitor needs: a scope, or a `Need`.

    `limit` is the most bytes of its form, if it differs from the default.
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
def _redirect_to_lower_case() -> AnyResponse | None:
    """Redirect to the canonical address of a page, with ids in lower case. A QR code can have capitals."""
    ids = [str(value) for value in (request.view_args or {}).values() if isinstance(value, UUID)]
    if request.method == "POST" or all(each in request.path for each in ids):
        return None
    target = requested_target()
    for each in ids:
        target = re.sub(each, each, target, count=1, flags=re.IGNORECASE)
    return redirect(target, HTTPStatus.PERMANENT_REDIRECT)


@pages.before_request
def _check_permission() -> None:
    """Check the visitor's permission for the page. An expired session is dropped: its visitor becomes a stranger."""
    endpoint = request.endpoint or ""
    need = NEEDS[endpoint]
    if limit := _LIMITS.get(endpoint):
        request.max_content_length = request.max_form_memory_size = limit() if callable(limit) else limit
    identify_visitor()
    if need is not OPEN:
        game = (request.view_args or {}).get("game")
        admit(need, str(game) if game else None)
        require_person_of_form()


def require_person_of_form() -> None:
    """Refuse a form that was made for the person who was logged in before. Raises `token-unknown`."""
    who = current_principal()
    if request.method == "POST" and who is not None:
        require_person_of_page(who, request.form.get(PERSON))


def identify_visitor() -> None:
    """Identify the visitor. Raises `ProblemError` for an invalid session, `LogError`."""
    try:
        current_principal()
    except ProblemError as error:
        if error.kind.name != "token-unknown":
            raise
        g.principal, g.stale_token = None, True
    except AccessStoppedError:
        g.principal = None  # pages that are the same for everybody are there, too


def service_scopes() -> Scopes:
    """The visitor's scopes on the service as a whole."""
    who = current_principal()
    return who.service if who else frozenset()
