"""Share links: made, listed, revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response
from uuid_utils import uuid7

from events.errors import DamagedError, GameUnknownError
from events.event import now_ms, timestamp
from projections.errors import ProjectionError, VersionUnknownError
from service.access import links, secrets
from service.access.gate import DAY, current_recorder, require_principal
from service.access.store import Link
from service.api.answers.access import LinkInfo, LinkList, MadeLink
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.schemas.access import LinkSchema
from service.api.viewpoints import check_seat, viewpoint_of
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable

endpoints = Endpoints("links")


@endpoints.route("GET", "/v1/links", scope="admin", answer=LinkList, conditional=True)
def list_all_links() -> Response:
    """List the share links of all games, the oldest first.

    Not the links themselves.
    """
    return _listed(None)


@endpoints.route(
    "GET", "/v1/games/<game>/links", scope="games:share", answer=LinkList, conditional=True, problems=("game-unknown",)
)
def list_links(game: str) -> Response:
    """List the share links of a game, the oldest first.

    Not the links themselves.
    """
    archive().folds.fold_until_error(game)
    return _listed(game)


@endpoints.route(
    "POST",
    "/v1/games/<game>/links",
    scope="games:share",
    body=LinkSchema(),
    keyed=True,
    status=201,
    answer=MadeLink,
    problems=("bad-json", "bad-request", "game-unknown", "version-unknown", "storage-full"),
)
def make_link(game: str, body: dict[str, Any]) -> Response:
    """Make a link that shows this game to everybody who has the link.

    From a point of view, live or `at` one version. Only this answer shows it.
    """
    fold, at = archive().folds.fold_until_error(game), body["at"]
    viewpoint = viewpoint_of(body["seat"])
    check_seat(viewpoint, fold)
    if at is not None and at > fold.version:
        raise VersionUnknownError(game, at, fold.version)
    text, now = links.make(), now_ms()
    made = Link(
        id=str(uuid7()),
        game=game,
        viewpoint=body["seat"],
        at=at,
        name=body["name"],
        begun=now,
        maker=current_recorder(),
        ends=now + body["days"] * DAY * 1000,
    )
    context().access.add_link(
        made, secrets.digest(text), by=current_recorder(), using=require_principal().credential.id
    )
    response = reply(MadeLink(f"/s/{text}", link_infos([made])[0]), 201)
    response.headers["Cache-Control"] = "no-store"
    return response


@endpoints.route(
    "DELETE",
    "/v1/games/<game>/links/<link>",
    scope="games:share",
    status=204,
    problems=("game-unknown", "link-unknown", "storage-full"),
)
def revoke_link(game: str, link: str) -> Response:
    """Revoke a share link by its id.

    People who have it read that it does not work any more.
    """
    if not context().access.end_link(game, link, by=current_recorder()):
        raise ProblemError("link-unknown", gettext("no link of this game has the id %(id)s", id=repr(link)))
    return Response(status=204)


def _listed(game: str | None) -> Response:
    now = now_ms()
    found = [link for link in context().access.links(game) if link.is_valid(now)]
    titles = {game: title_of(game) for game in {link.game for link in found}}
    return reply(LinkList(link_infos(found), {game: title for game, title in titles.items() if title}))


def title_of(game: str) -> str | None:
    """The title of a game; None without one, or if the game cannot be read. Its links can still be revoked."""
    try:
        return archive().folds.fold_until_error(game).opened.title
    except (GameUnknownError, DamagedError, ProjectionError):
        return None


def link_infos(found: Iterable[Link]) -> list[LinkInfo]:
    """Share links in the form of the API."""
    return [
        LinkInfo(
            id=link.id,
            game=link.game,
            name=link.name,
            seat=link.viewpoint,
            at=link.at,
            begun_at=timestamp(link.begun),
            ends_at=timestamp(link.ends),
            opened=link.opened,
            by=link.maker,
        )
        for link in found
    ]
