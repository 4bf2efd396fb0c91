"""Exports: files of a game, of listed games, or of all games."""

from __future__ import annotations

from flask import render_template, request
from marshmallow import EXCLUDE

from projections.catalogue.lookups import find_game
from service.access.needs import SEEN
from service.api.endpoints import archive
from service.api.offers import offered_files
from service.api.schemas.exchange import ExportedQuery
from service.pages.blueprint import page


@page("GET", "/export", scope=SEEN)
def show_exports() -> str:
    """All export files for some games, each with its use and size."""
    query = ExportedQuery(unknown=EXCLUDE).load({name: text for name, text in request.args.items() if text})
    found = offered_files(query)
    game = find_game(archive().views.db, query["game"]) if query["game"] else None
    return render_template("export.html", found=found, game=game, chosen=any(query.values()))
