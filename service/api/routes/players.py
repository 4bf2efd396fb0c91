"""Players: the people's names, in a table of their own that can be erased, and who of them was entered several times.

The record holds only their ids.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flask import Response

from events.errors import NotSealedError
from events.event import timestamp
from events.people import refuse_lookalike
from service.access.gate import current_recorder, gate, missing_scope, require_principal
from service.access.names import name_eraser
from service.access.needs import ERASING
from service.access.scopes import EVERYTHING, HIDDEN, ROLES
from service.api.answers import MergeInfo, MergeList, Player, PlayerDetail, PlayerList
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.schemas import MergeSchema, NameSchema, PlayersQuery, check_id
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from events.merges import Merge
    from service.access.scopes import Scopes

endpoints = Endpoints("players")

"""What it needs to erase what is written over a game."""


@endpoints.route(
    "GET",
    "/v1/players",
    scope="people:read",
    query=PlayersQuery(),
    answer=PlayerList,
    conditional=True,
    problems=("bad-request",),
)
def list_players(query: dict[str, Any]) -> Response:
    """List people by name.

    People are listed if their name contains `q`, in any case; all are if it is left out. A person who was entered
    several times is found by each of those names, and listed once.
    """
    people = archive().log.people
    found = people.names(people.find(query["q"]))
    return reply(PlayerList([Player(id_, name) for id_, name in sorted(found.items(), key=lambda item: item[1])]))


@endpoints.route(
    "PUT",
    "/v1/players/<player>",
    scope="people:write",
    body=NameSchema(),
    answer=Player,
    problems=("bad-json", "bad-request", "scope-needed"),
)
def name_player(player: str, body: dict[str, Any]) -> Response:
    """Name a person, or name them anew.

    The id is a UUID made by the client. Every game that they sat in shows the name from now on. A merged person goes by
    the id and the name of the other one. The answer has both. Games find people by name, so naming a person who is let
    in also needs `hidden:read`.
    """
    people = archive().log.people
    kept = people.merges().final_id(check_id(player, "player"))
    refuse_lookalike(body["name"], people.all().values())
    if context().access.credentials(people.merges().ids_of([kept])):
        _need_all(frozenset({HIDDEN}))
    people.put(kept, body["name"])
    return reply(Player(kept, body["name"]))


@endpoints.route(
    "GET",
    "/v1/players/<player>",
    scope="people:read",
    answer=PlayerDetail,
    conditional=True,
    problems=("player-unknown", "rebuilding"),
)
def show_player(player: str) -> Response:
    """Show a person: the id and the name that they go by, and what else they were entered as.

    By any of their ids. The name is null if there is none, or none any more.
    """
    _need(player)
    return reply(_detail(player))


@endpoints.route(
    "DELETE",
    "/v1/players/<player>",
    scope="people:write",
    status=204,
    problems=("player-unknown", "erasing", "rebuilding"),
)
def erase_player(player: str) -> Response:
    """Erase a person's name.

    No trace of it is left in the data folder; the games stay, with a nameless seat, and their chains still verify. What
    the person was let in by (devices, sessions, tokens) ends with it. Of somebody who was entered several times this
    erases every name, and ends what any of their ids was let in by.

    In labels of tokens, links and endpoints of others a `?` stands for the name. The title and the place of a game that
    they sat in are erased if the name is in one of them, which needs `games:erase` there.
    """
    people, access = archive().log.people, context().access
    ids = people.merges().ids_of([player])
    names = people.recorded_names(ids)
    if not names:
        raise ProblemError("player-unknown", gettext("no player %(player)s", player=player))
    blotted = name_eraser(names.values(), [name for id_, name in people.all().items() if id_ not in ids])
    _erase_titles([game for game, title in context().titles_of(ids).items() if blotted(title) != title])
    for each in sorted(ids):
        access.forget_names(each, by=current_recorder())
    access.relabel(blotted)
    people.erase(player)
    return Response(status=204)


def _erase_titles(games: list[str]) -> None:
    """Erase what is written over games, where it can be: nothing of what older releases recorded. Raises `lacking`."""
    for game in games:
        if ERASING not in gate().permissions(require_principal(), game).scopes:
            raise missing_scope(ERASING, require_principal(), game)
    for game in games:
        with suppress(NotSealedError):
            archive().log.erase(game, 1, "text", current_recorder())
            context().forget(game)


@endpoints.route("GET", "/v1/merges", scope="people:read", answer=MergeList, conditional=True)
def list_merges() -> Response:
    """List who was entered several times, the oldest merge first.

    As it is now: what was merged and split again stands in the trail.
    """
    people = archive().log.people
    merges = people.merges()
    standing = merges.active()
    return reply(MergeList(_infos(standing), people.recorded_names({merge.kept for merge in standing if merge.kept})))


@endpoints.route(
    "PUT",
    "/v1/players/<player>/merge",
    scope="people:write",
    body=MergeSchema(),
    answer=PlayerDetail,
    problems=(
        "bad-json",
        "bad-request",
        "player-unknown",
        "not-mergeable",
        "owner-stays",
        "rebuilding",
        "scope-needed",
        "storage-full",
    ),
)
def merge_player(player: str, body: dict[str, Any]) -> Response:
    """Merge a person who was entered twice: `player` is the same as `into`, and goes by the name and id of `into` from
    now on.

    Their games, seats and rights are those of one person then; the records keep the ids that they have, and their
    hashes. It is undone by splitting them. Each then sees what the other sees. So if one of them played or is let
    in, it also needs `hidden:read`; if one has a role, `admin` and everything that the role may do.
    """
    into, people = body["into"], archive().log.people
    if player == into:
        why = gettext("somebody else than the player")
        raise ProblemError("bad-request", f"into: {why}", errors=[{"field": "into", "message": why}])
    for each in (player, into):
        _need(each)
    if gone := people.erased([player, into]):
        raise ProblemError(
            "not-mergeable",
            gettext("the name of %(player)s was erased", player=min(gone)),
        )
    if player == context().access.owner:
        raise ProblemError("owner-stays", gettext("the owner must stay: merge the other person into the owner"))
    _need_right(player, into)
    _need_all(_joined(player, into))
    if people.merge(player, into, by=current_recorder()):
        context().access.note_identity(player, "person.merged", by=current_recorder(), into=into)
    return reply(_detail(into))


@endpoints.route(
    "DELETE",
    "/v1/players/<player>/merge",
    scope="people:write",
    status=204,
    problems=("merge-unknown", "scope-needed", "storage-full"),
)
def split_player(player: str) -> Response:
    """Split a person off again from the one that they were merged into.

    They get back everything that was recorded, given and entered under their id, and people who were merged into them
    stay so. Where one of them has a role, it takes `admin`.
    """
    people = archive().log.people
    merge = people.merges().of(player)
    if merge is None:
        raise ProblemError("merge-unknown", gettext("%(player)s was not merged into anybody", player=player))
    _need_right(player)
    if people.split(player, by=current_recorder()):
        context().access.note_identity(player, "person.split", by=current_recorder(), of=merge.kept)
    return Response(status=204)


def _need(player: str) -> None:
    """Make sure that there is such a person. Raises `player-unknown`."""
    if not context().knows(check_id(player, "player")):
        raise ProblemError("player-unknown", gettext("no player %(player)s", player=player))


def _need_right(*players: str) -> None:
    """Check that the caller may merge these people, because they get or lose each other's roles by it.

    Raises `scope-needed`.
    """
    who, access = require_principal(), context().access
    ids = archive().log.people.merges().ids_of(players)
    have_roles = access.owner in ids or any(access.granted(person=each) for each in ids)
    if have_roles and "admin" not in who.service:
        raise missing_scope("admin", who, None)


def _joined(*players: str) -> Scopes:
    """What a merge of these people gives them: the scopes of their roles, and sight of their seats."""
    access, ids = context().access, archive().log.people.merges().ids_of(players)
    if access.owner in ids:
        return EVERYTHING
    roles = [given.role for each in ids for given in access.granted(person=each)]
    found = frozenset[str]().union(*(ROLES[role] for role in roles if role))
    played = any(context().has_played(each) for each in ids)
    return found | {HIDDEN} if played or roles or access.credentials(ids) else found


def _need_all(scopes: Scopes) -> None:
    """Check that the asker has all of these scopes on the service. Raises `scope-needed`."""
    who = require_principal()
    if missing := scopes - who.service:
        raise missing_scope(HIDDEN if HIDDEN in missing else min(missing), who, None)


def _detail(player: str) -> PlayerDetail:
    people = archive().log.people
    merges = people.merges()
    kept = merges.final_id(player)
    merged = [merge for merge in merges.active() if merges.final_id(merge.person) == kept]
    return PlayerDetail(kept, people.name(kept), _infos(merged))


def _infos(merges: list[Merge]) -> list[MergeInfo]:
    names = archive().log.people.recorded_names([merge.person for merge in merges])
    return [
        MergeInfo(
            player=merge.person,
            name=names.get(merge.person),
            into=merge.kept,
            since=timestamp(merge.at),
            by=merge.by,
        )
        for merge in merges
        if merge.kept is not None
    ]
