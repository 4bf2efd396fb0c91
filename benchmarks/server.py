"""The application with two more routes: an empty POST, as the floor, and an append without access control."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from flask import g

from service import app as kifu
from service.access.needs import OPEN
from service.access.principals import ALL
from service.api.endpoints import _checked
from service.api.routes import entries

if TYPE_CHECKING:
    from flask import Response

    from service.api.endpoints import StoredAnswer
    from service.app import Application
    from service.settings import Settings

UNGATED = "/ungated"
"""The prefix of an append's path without access control: the owner records."""


def create_app(settings: Settings) -> Application:
    """The application of these settings, with `/empty` and the ungated append."""
    app = kifu.create_app(settings)
    owner = app.gate.principal_of(app.context.owner_token, session=False, guards=False)
    described = next(each for each in entries.endpoints.described if each.name == "record_entries")
    append = _checked(entries.record_entries, msgspec.structs.replace(described, need=OPEN))

    @app.site.post("/empty")
    def empty() -> tuple[bytes, int]:
        return b"", 204

    @app.site.post(f"{UNGATED}/v1/games/<game>/events")
    def ungated(game: str) -> Response | StoredAnswer:
        g.principal, g.permissions = owner, ALL
        return append(game=game)

    return app
