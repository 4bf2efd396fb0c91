"""Files: scripts and styles of pages, and the manifest for a phone's home screen."""

from __future__ import annotations

from mimetypes import guess_type

import msgspec
from flask import Response, url_for
from werkzeug.exceptions import NotFound

from service.access.needs import OPEN
from service.api.endpoints import answer_unchanged
from service.languages import gettext, locale
from service.pages import assets
from service.pages.blueprint import YEAR, page
from service.pages.releases import releases

WORKER_POLICY = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

GROUND = "#f6f3ec"
"""The background colour of the light style."""


@page("GET", "/static/<release>/<path:filename>", scope=OPEN)
def static(release: str, filename: str) -> Response:
    """A static file of this release or an earlier one. Its address has the digest of all files, so it never changes."""
    try:
        response = Response(releases().content(release, filename), mimetype=guess_type(filename)[0])
    except FileNotFoundError:
        raise NotFound from None
    response.headers["ETag"] = f'"{release}"'
    response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    answer_unchanged(response)
    return response


@page("GET", "/manifest.webmanifest", scope=OPEN)
def show_manifest() -> Response:
    """The web app manifest, to put Kifu on a home screen."""
    manifest = {
        "id": "/",
        "name": gettext("Kifu 棋譜, the record of a game"),
        "short_name": "Kifu",
        "description": gettext("Keeps the record of tabletop games that are played in person."),
        "lang": locale(),
        "start_url": url_for("pages.list_games"),
        "scope": "/",
        "display": "standalone",
        "theme_color": GROUND,
        "background_color": GROUND,
        "icons": [
            {"src": _icon("icon-192.png"), "sizes": "192x192", "type": "image/png"},
            {"src": _icon("icon-512.png"), "sizes": "512x512", "type": "image/png"},
            {"src": _icon("icon-maskable.png"), "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
            {"src": _icon("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        ],
        "shortcuts": [
            {"name": name, "url": url, "icons": [{"src": _icon("icon-192.png"), "sizes": "192x192"}]}
            for name, url in (
                (gettext("New game"), url_for("pages.list_games", _anchor="opening")),
                (gettext("Last game"), url_for("pages.show_last_game")),
            )
        ],
    }
    answer = Response(msgspec.json.encode(manifest), mimetype="application/manifest+json")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@page("GET", "/worker.js", scope=OPEN)
def show_worker() -> Response:
    """The service worker, which caches recent games. It lies at the root to cover all pages."""
    answer = Response(assets.worker(locale()), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Content-Security-Policy"] = WORKER_POLICY
    return answer


def _icon(name: str) -> str:
    return url_for("pages.static", filename=name)
