"""Roles on the service and in single games, the visibility of games, and the trail of these changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response

from events.event import timestamp
from service.access.gate import current_recorder, gate
from service.access.giving import require_role, require_role_here, require_seats
from service.access.names import names_of
from service.access.needs import SEEN
from service.access.store import SERVICE
from service.api.answers.access import GameVisibility, RoleInfo, RoleList
from service.api.answers.proof import Trail, TrailEntry
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.schemas.access import GameRoleSchema, RoleSchema, TrailQuery, VisibilitySchema
from service.api.schemas.fields import check_id
from service.languages import gettext
from service.languages.plain import translated
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from service.access.store import GrantedRole

endpoints = Endpoints("access")


@endpoints.route("GET", "/v1/roles", scope="admin", answer=RoleList, conditional=True)
def list_roles() -> Response:
    """List the people who have a role on the service.

    The owner, who may do everything, is not listed.
    """
    return _listed(SERVICE)


@endpoints.route(
    "PUT",
    "/v1/roles/<player>",
    scope="admin",
    body=RoleSchema(),
    answer=RoleInfo,
    problems=("bad-json", "bad-request", "scope-needed", "owner-stays", "storage-full"),
)
def give_role(player: str, body: dict[str, Any]) -> Response:
    """Give a person a role on the service, for all games. It replaces the role before.

    `viewer` sees all games; `recorder` records, and sees what is hidden; `referee` corrects others, rules and closes;
    `owner` does everything. Nobody gives a role that may do more than they.
    """
    require_role(body["role"], before=_before(player, SERVICE)[0])
    return _given(player, SERVICE, body["role"], [])


@endpoints.route(
    "DELETE", "/v1/roles/<player>", scope="admin", status=204, problems=("owner-stays", "role-unknown", "storage-full")
)
def remove_role(player: str) -> Response:
    """Take a person's role on the service.

    Their roles in single games stay.
    """
    return _taken(player, SERVICE)


@endpoints.route(
    "GET", "/v1/games/<game>/roles", scope="games:share", answer=RoleList, conditional=True, problems=("game-unknown",)
)
def list_game_roles(game: str) -> Response:
    """List the people with a role or an invited seat in this game.

    Players are not listed only because they sit at the table: they see the game from their seats anyway.
    """
    _need_game(game)
    return _listed(game)


@endpoints.route(
    "PUT",
    "/v1/games/<game>/roles/<player>",
    scope="games:share",
    body=GameRoleSchema(),
    answer=RoleInfo,
    problems=("bad-json", "bad-request", "scope-needed", "owner-stays", "game-unknown", "storage-full"),
)
def give_game_role(game: str, player: str, body: dict[str, Any]) -> Response:
    """Give a person a role in this game, or seats to play. It replaces what was given before.

    A player of a seat sees the game from there, and records what that seat does. Nobody gives a role that may do more
    in the game than they, or a seat if they cannot see what is hidden there.
    """
    _need_game(game)
    seats = archive().folds.fold_until_error(game).seats
    if beyond := [seat for seat in body["seats"] if seat >= seats]:
        why = gettext("the game has seats 0 to %(last)s, not %(seat)s", last=seats - 1, seat=beyond[0])
        raise ProblemError("bad-request", f"seats: {why}", errors=[{"field": "seats", "message": why}])
    role, before = _before(player, game)
    require_role_here(body["role"], before=role)
    require_seats(set(body["seats"]) - before)
    return _given(player, game, body["role"], body["seats"])


@endpoints.route(
    "DELETE",
    "/v1/games/<game>/roles/<player>",
    scope="games:share",
    status=204,
    problems=("game-unknown", "owner-stays", "role-unknown", "storage-full"),
)
def remove_game_role(game: str, player: str) -> Response:
    """Take a person's role and seats in this game.

    A player still sees it from their seat.
    """
    return _taken(player, game)


@endpoints.route(
    "GET",
    "/v1/games/<game>/visibility",
    scope=SEEN,
    answer=GameVisibility,
    conditional=True,
    problems=("game-unknown",),
)
def show_visibility(game: str) -> Response:
    """Say who may see a game.

    `private`: people who have a part in it. `link`: also everybody who knows its address. `public`: everybody, and it
    stands in lists. `since` is null if it was never set.
    """
    _need_game(game)
    shown = context().access.visibility_of(game)
    return reply(GameVisibility(game, gate().level(game), timestamp(shown.since) if shown else None))


@endpoints.route(
    "PUT",
    "/v1/games/<game>/visibility",
    scope="games:share",
    body=VisibilitySchema(),
    answer=GameVisibility,
    problems=("bad-json", "bad-request", "game-unknown", "storage-full"),
)
def set_visibility(game: str, body: dict[str, Any]) -> Response:
    """Say who may see a game.

    They see what the public at the table could see: what is hidden stays hidden.
    """
    _need_game(game)
    gate().show(game, body["visibility"], by=current_recorder())
    context().projector.show()
    return show_visibility(game)


@endpoints.route("GET", "/v1/trail", scope="admin", query=TrailQuery(), answer=Trail, problems=("bad-request",))
def read_trail(query: dict[str, Any]) -> Response:
    """Show the trail: who gave or took away which right, and when.

    From the first line on, or with `order=newest` from the last one back; `after` a line in that order. It holds ids
    alone; `people` are the names of those who have one.
    """
    newest = query["order"] == "newest"
    steps = [
        TrailEntry(
            each.number,
            timestamp(each.at),
            each.by,
            each.what,
            each.person,
            each.game,
            each.credential,
            _translated_details(each.more),
        )
        for each in context().access.trail(query["after"], query["limit"], newest=newest)
    ]
    named = {id_ for each in steps for id_ in (each.by, each.person) if id_}
    following = steps[-1].number if len(steps) == query["limit"] else None
    response = reply(Trail(steps, names_of(context(), named), following))
    if following is not None:
        order = "order=newest&" if newest else ""
        response.headers["Link"] = f'</v1/trail?{order}after={following}&limit={query["limit"]}>; rel="next"'
    return response


def _translated_details(more: Mapping[str, Any]) -> Mapping[str, Any]:
    """The other fields of a trail line, with the reason in the reader's language."""
    return {**more, "why": translated(more["why"])} if "why" in more else more


def _need_game(game: str) -> None:
    """Check that the game exists. Raises `GameUnknownError`."""
    archive().folds.fold_until_error(game)


def _listed(game: str) -> Response:
    found = context().access.granted_roles(game)
    names = names_of(context(), {each.person for each in found})
    return reply(RoleList([_info(each, names) for each in found]))


def _before(player: str, game: str) -> tuple[str | None, frozenset[int]]:
    """The granted role and seats of a person in a game."""
    found = context().access.granted_roles(game, player)
    return (found[0].role, found[0].seats) if found else (None, frozenset())


def _given(player: str, game: str, role: str | None, seats: list[int]) -> Response:
    _refuse_owner(check_id(player, "player"))
    given = context().access.grant(player, game, role, frozenset(seats), by=current_recorder())
    return reply(_info(given, names_of(context(), [player])))


def _taken(player: str, game: str) -> Response:
    _refuse_owner(player)
    if not context().access.withdraw(player, game, by=current_recorder()):
        raise ProblemError("role-unknown", gettext("%(player)s has no role", player=player))
    return Response(status=204)


def _refuse_owner(player: str) -> None:
    if player == context().access.owner:
        raise ProblemError("owner-stays", gettext("the owner may do everything, everywhere"))


def _info(given: GrantedRole, names: dict[str, str]) -> RoleInfo:
    return RoleInfo(
        player=given.person,
        name=names.get(given.person),
        role=given.role,
        seats=sorted(given.seats),
        since=timestamp(given.since),
        by=given.by,
    )
