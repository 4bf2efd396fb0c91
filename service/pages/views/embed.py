"""A game embedded in other sites: a small page for a frame, and oEmbed for its address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, SubElement, tostring

from flask import Response, make_response, render_template, url_for
from markupsafe import Markup
from marshmallow import ValidationError

from events.errors import GameUnknownError
from games.svg import in_xml
from service.access.gate import current_principal, gate
from service.access.needs import OPEN, SEEN
from service.access.principals import NONE
from service.api import addresses
from service.api.endpoints import archive, read_query, reply, with_etag
from service.api.problems import examine, problem
from service.api.routes.games import game_info
from service.api.routes.rulesets import ruleset_named
from service.api.schemas.games import OEmbedQuery
from service.api.viewpoints import viewpoint_of
from service.drawing import pictures
from service.languages import gettext
from service.pages import cards
from service.pages.blueprint import page
from service.pages.views.game import card_of
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from uuid import UUID

    from service.pages.cards import Card

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors *"
)
"""Headers of the only page that other sites may frame. Its only control is the link to the game."""

WIDTH, HEIGHT = 480, 720
"""The size of the frame in pixels, if the other site sets no limits."""

TALL = 1.2
"""Above this ratio of height to width, a board in a low frame would have too small letters."""

_GAME = re.compile(r"(?:https?://[^/?#]+)?/(?:embed/)?games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?(?:[?#].*)?")
"""The address of a game's page, under any host name of this service."""


@page("GET", "/embed/games/<uuid:game>", scope=SEEN)
def show_embedded(game: UUID) -> Response:
    """The public view of a game, for a frame in another site."""
    fold = archive().folds.current(str(game))
    info = game_info(fold, viewpoint_of("public"))
    ruleset = ruleset_named(info.ruleset)
    board = cards.board(fold, info.seats)
    response = make_response(
        render_template(
            "embed.html",
            game=info,
            name=fold.state.game_name() or ruleset.title,
            description=cards.described(fold, ruleset, info.seats),
            board=Markup(board),  # noqa: S704 - we drew it
            tall=pictures.height_per_width(board) > TALL,
            scores=fold.totals(),
        )
    )
    response.headers["Content-Security-Policy"] = POLICY
    return response


@page("GET", "/oembed", scope=OPEN)
def describe_embedding() -> Response:
    """The data for embedding a game (oEmbed 1.0), by the address of its page: as JSON or as XML.

    Only programs ask, so browsers also get problems as JSON.
    """
    try:
        asked = OEmbedQuery().load(read_query())
        told = _embedding(asked)
    except (ProblemError, ValidationError) as error:
        return problem(examine(error))
    return reply(told) if asked["format"] == "json" else with_etag(_as_xml(told), None)


def _embedding(asked: dict[str, Any]) -> dict[str, Any]:
    """The oEmbed answer for an address. Raises `ProblemError`."""
    found = _GAME.fullmatch(asked["url"])
    card = _card(found[1]) if found else None
    if found is None or card is None:
        raise ProblemError("not-found", gettext("no game that everybody may see has this address"))
    width, height = min(WIDTH, asked["maxwidth"]), min(HEIGHT, asked["maxheight"])
    source = f"{addresses.phone_url()}{url_for('pages.show_embedded', game=found[1])}"
    frame = Markup('<iframe src="{}" width="{}" height="{}" title="{}" style="border:0" loading="lazy"></iframe>')
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Kifu",
        "provider_url": addresses.phone_url(),
        "title": card.title,
        "html": str(frame.format(source, width, height, card.title)),
        "width": width,
        "height": height,
        **_thumbnail(card, asked),
    }


def _thumbnail(card: Card, asked: dict[str, Any]) -> dict[str, Any]:
    """The card, if it fits the limits of the other site: oEmbed forbids a larger one."""
    if card.width > asked["maxwidth"] or card.height > asked["maxheight"]:
        return {}
    return {"thumbnail_url": card.image, "thumbnail_width": card.width, "thumbnail_height": card.height}


def _as_xml(told: dict[str, Any]) -> Response:
    root = Element("oembed")
    for name, value in told.items():
        SubElement(root, name).text = in_xml(str(value))
    content = tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(content, content_type="text/xml; charset=utf-8")


def _card(game: str) -> Card | None:
    """The public card of a game; None if the game is missing or private."""
    if gate().permissions(current_principal(), game) is NONE:
        return None
    try:
        return card_of(archive().folds.current(game), None)
    except GameUnknownError:
        return None
