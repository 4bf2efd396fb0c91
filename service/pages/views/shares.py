"""Share links: a live game, or one moment of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, after_this_request, g, render_template, url_for

from service.access import links
from service.access.gate import gate
from service.access.needs import OPEN
from service.access.principals import permissions_of_link, viewpoint_of_link
from service.api.endpoints import archive, read_query
from service.api.routes.games import game_info
from service.api.routes.rulesets import ruleset_named
from service.api.routes.streams import end_for_good, follow
from service.api.schemas.entries import FollowAllQuery
from service.drawing import pictures
from service.languages import gettext
from service.pages.blueprint import page
from service.pages.cards import game_title
from service.pages.views.game import card_of, draw, show, show_big
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from service.access.store import Link


@page("GET", "/s/<code>", scope=OPEN)
def show_shared(code: str) -> str:
    """A game by a share link, live or at one moment."""
    link = _opened(code)
    if link.at is None:
        return show(link.game, share=code)
    fold = archive().folds.at(link.game, link.at)
    return render_template(
        "moment.html",
        game=game_info(fold, viewpoint_of_link(link)),
        ruleset=ruleset_named(fold.opened.ruleset),
        scores=fold.totals(),
        version=link.at,
        share=code,
        card=card_of(fold, code),
        called=game_title(fold, ruleset_named(fold.opened.ruleset)),
    )


@page("GET", "/s/<code>/board.svg", scope=OPEN)
def draw_shared(code: str) -> Response:
    """The board at the moment of a share link."""
    g.secret_address = True
    link = links.find(gate(), code)
    folds = archive().folds
    fold = folds.current(link.game) if link.at is None else folds.at(link.game, link.at)
    picture = pictures.translated_picture(fold.state.view(viewpoint_of_link(link)))
    return Response(
        picture, content_type="image/svg+xml; charset=utf-8", headers={"Cache-Control": "private, no-cache"}
    )


@page("GET", "/s/<code>/scoreboard", scope=OPEN)
def show_shared_scoreboard(code: str) -> str:
    """A game on a big screen, by a share link."""
    link = _opened(code)
    if link.at is not None:
        raise ProblemError("not-found", gettext("this link shows one fixed moment, so there is nothing to follow"))
    return show_big(link.game, viewpoint_of_link(link), url_for("pages.show_shared", code=code), share=code)


@page("GET", "/s/<code>/card.png", scope=OPEN)
def draw_shared_card(code: str) -> Response:
    """The card of a share link."""
    g.secret_address = True
    link = links.find(gate(), code)
    folds = archive().folds
    return draw(folds.current(link.game) if link.at is None else folds.at(link.game, link.at))


@page("GET", "/s/<code>/stream", scope=OPEN)
def follow_shared(code: str) -> Response:
    """The stream of a game with a live share link. Streams of pages cannot send the link in a header."""
    after_this_request(end_for_good)
    g.shared = True
    link = links.find(gate(), code)
    if link.at is not None:
        raise ProblemError("not-found", gettext("this link shows one fixed moment, so there is nothing to follow"))
    g.permissions, g.link = permissions_of_link(link), link
    return follow(link.game, FollowAllQuery().load(read_query()) | {"seat": None})


def _opened(code: str) -> Link:
    """The share link of this page. Raises the errors of `links.find`."""
    g.secret_address = True
    link = links.find(gate(), code)
    gate().store.note_opened(link.id)
    g.permissions = permissions_of_link(link)
    return link
