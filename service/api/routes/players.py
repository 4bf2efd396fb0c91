"""Players: people and their names, which can be erased.

The record holds only their ids.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flask import Response

from events.errors import NotSealedError
from events.event import timestamp
from events.people import refuse_lookalike
from service.access.gate import current_principal, current_recorder, gate, missing_scope, require_principal
from service.access.names import name_eraser
from service.access.needs import ERASING, KNOWN, NAMING
from service.access.scopes import HIDDEN
from service.api.answers.people import MergeInfo, Player, PlayerDetail, PlayerList
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.schemas.fields import check_id
from service.api.schemas.people import ListingSchema, NameSchema, PlayersQuery
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
    """Set the name of a person.

    Every game that they sat in shows the name from now on. A merged person goes by the id and the name of the other
    one. The answer has both. Games find people by name, so naming a person who is let in also needs `hidden:read`.
    """
    people = archive().log.people
    kept = people.merges().final_id(check_id(player, "player"))
    refuse_lookalike(body["name"], people.all().values())
    if context().access.credentials(people.merges().ids_of([kept])):
        need_scopes(frozenset({HIDDEN}))
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
    """Show a person: id, name, and merged ids.

    By any of their ids. The name is null if there is none, or if it was erased.
    """
    need_person(player)
    return reply(person_detail(player))


@endpoints.route(
    "DELETE",
    "/v1/players/<player>",
    scope="people:write",
    status=204,
    problems=("player-unknown", "erasing", "rebuilding"),
)
def erase_player(player: str) -> Response:
    """Erase a person's name.

    No trace of it is left in the data folder. The games stay, with a nameless seat. The person's devices, sessions and
    tokens end. Of somebody who was entered several times every name is erased.

    In labels of tokens, links and endpoints of others a `?` stands for the name. The title and the place of a game that
    they sat in are erased if the name is in one of them, which needs `games:erase` there.
    """
    people, access = archive().log.people, context().access
    ids = people.merges().ids_of([player])
    names = people.recorded_names(ids)
    if not people.named_ids(ids):
        raise ProblemError("player-unknown", gettext("no player %(player)s", player=player))
    without_names = name_eraser(names.values(), [name for id_, name in people.all().items() if id_ not in ids])
    _erase_titles([game for game, title in context().titles_of(ids).items() if without_names(title) != title])
    for each in sorted(ids):
        access.forget_names(each, by=current_recorder())
    access.relabel(without_names)
    people.erase(player)
    return Response(status=204)


@endpoints.route(
    "PUT",
    "/v1/players/<player>/listing",
    scope=KNOWN,
    body=ListingSchema(),
    answer=PlayerDetail,
    problems=("bad-json", "bad-request", "player-unknown", "scope-needed", "rebuilding"),
)
def list_player(player: str, body: dict[str, Any]) -> Response:
    """Leave a person out of public tables, or include them again.

    The person may, and `people:write`. Who lacks `people:read` then reads no name in tables, and no rating.
    """
    set_listing(player, listed=body["listed"])
    return reply(person_detail(player))


def set_listing(player: str, *, listed: bool) -> None:
    """Leave a person out of public tables, or include them again. Raises `scope-needed`, `player-unknown`."""
    if not may_set_listing(check_id(player, "player")):
        raise missing_scope(NAMING, require_principal(), None)
    need_person(player)
    if is_listed(player) != listed:
        for each in archive().log.people.merges().ids_of([player]):
            context().access.leave_out(each, out=not listed, by=current_recorder())


def may_set_listing(player: str) -> bool:
    """Whether the caller may set if a person is in public tables."""
    who = current_principal()
    return who is not None and (NAMING in who.service or player in who.people)


def is_listed(player: str) -> bool:
    """Whether a person, by any of their ids, is in public tables."""
    return context().access.left_out().isdisjoint(archive().log.people.merges().ids_of([player]))


def _erase_titles(games: list[str]) -> None:
    """Erase what is written over games, where it can be: nothing of what older releases recorded. Raises `lacking`."""
    for game in games:
        if ERASING not in gate().permissions(require_principal(), game).scopes:
            raise missing_scope(ERASING, require_principal(), game)
    for game in games:
        with suppress(NotSealedError):
            archive().log.erase(game, 1, "text", current_recorder())
            context().forget(game)


def need_person(player: str) -> None:
    """Check that the person exists. Raises `player-unknown`."""
    if not context().is_known_person(check_id(player, "player")):
        raise ProblemError("player-unknown", gettext("no player %(player)s", player=player))


def need_scopes(scopes: Scopes) -> None:
    """Check that the caller has all these scopes on the service. Raises `scope-needed`."""
    who = require_principal()
    if missing := scopes - who.service:
        raise missing_scope(HIDDEN if HIDDEN in missing else min(missing), who, None)


def person_detail(player: str) -> PlayerDetail:
    """A person with their merged ids."""
    people = archive().log.people
    merges = people.merges()
    kept = merges.final_id(player)
    merged = [merge for merge in merges.active() if merges.final_id(merge.person) == kept]
    return PlayerDetail(kept, people.name(kept), merge_infos(merged), is_listed(kept))


def merge_infos(merges: list[Merge]) -> list[MergeInfo]:
    """Merges in the form of the API."""
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
