"""The choice of a language in this browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flask import redirect, request, url_for

from service import languages
from service.access.gate import require_own_origin
from service.access.needs import OPEN
from service.languages import gettext, locales
from service.pages.blueprint import FORM, YEAR, page
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

_LOCAL = re.compile(r"/(?![/\\])[\x21-\x7e]*")
"""A referring address on this service."""


@page("POST", "/language", scope=OPEN, limit=FORM)
def choose_language() -> AnyResponse:
    """Store the chosen language in this browser, and return to the page."""
    require_own_origin()
    chosen, back = (request.form.get(name, "") for name in ("lang", "back"))
    if chosen not in locales():
        raise ProblemError("bad-request", gettext("Kifu has no language %(name)s", name=repr(chosen)))
    response = redirect(back if _LOCAL.fullmatch(back) else url_for("pages.list_games"), 303)
    response.set_cookie(languages.COOKIE, chosen, max_age=YEAR, samesite="Lax", secure=request.is_secure)
    return response
