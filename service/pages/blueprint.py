"""The blueprint of all pages, and who is let in to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, g, request

from service.access.gate import admit, asker
from service.access.store import AccessStoppedError
from service.access.table import OPEN, PAGES
from service.pages import assets
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from service.access.scopes import Scopes

YEAR = 60 * 60 * 24 * 365
"""Seconds that a browser keeps what does not change: a file of a release, the language that somebody chose."""

FORM = 1 << 14
"""How many bytes a form may have: it comes from anybody."""

pages = Blueprint("pages", "service.pages", template_folder="templates")


@pages.app_url_defaults
def _of_this_release(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint == "pages.static":
        values.setdefault("release", assets.digest())


@pages.before_request
def _let_in() -> None:
    """Let the visitor in, as far as the page is for them. A session that is over is forgotten, not fatal."""
    need = PAGES[(request.endpoint or "").rpartition(".")[2]]
    recognise()
    if need is not OPEN:
        game = (request.view_args or {}).get("game")
        admit(need, str(game) if game else None)


def recognise() -> None:
    """Know who the visitor is. Raises `ProblemError` for what is no session, `LogError`."""
    try:
        asker()
    except ProblemError as error:
        if error.kind.name != "token-unknown":
            raise
        g.asker, g.stale_token = None, True
    except AccessStoppedError:
        g.asker = None  # pages that are the same for everybody are there, too


def service_scopes() -> Scopes:
    """What the visitor may do with the service as a whole."""
    who = asker()
    return who.service if who else frozenset()
