"""The application with an empty POST beside it: the floor for every request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service import app as kifu

if TYPE_CHECKING:
    from flask import Flask

    from service.settings import Settings


def create_app(settings: Settings) -> Flask:
    """The application of these settings, with `/empty`."""
    app = kifu.create_app(settings)

    @app.post("/empty")
    def empty() -> tuple[bytes, int]:
        return b"", 204

    return app
