"""Players: the people's names, in a table of their own that can be erased. The record holds only their ids."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.access.gate import recorder
from service.answers import Player, PlayerList
from service.endpoints import Endpoints, archive, context, reply
from service.problems import ProblemError
from service.schemas import NameSchema, PlayersQuery, check_id

endpoints = Endpoints("players")


@endpoints.route(
    "GET",
    "/v1/players",
    query=PlayersQuery(),
    answer=PlayerList,
    conditional=True,
    problems=("bad-request",),
)
def list_players(query: dict[str, Any]) -> Response:
    """List people by name.

    Those whose name holds `q`, whatever the case; everybody if it is left out.
    """
    people = archive().log.people
    found = people.names(people.find(query["q"]))
    return reply(PlayerList([Player(id_, name) for id_, name in sorted(found.items(), key=lambda item: item[1])]))


@endpoints.route("PUT", "/v1/players/<player>", body=NameSchema(), answer=Player, problems=("bad-json", "bad-request"))
def name_player(player: str, body: dict[str, Any]) -> Response:
    """Name a person, or name them anew.

    The id is a UUID made by the client. Every game that they sat in shows the name from now on.
    """
    archive().log.people.put(check_id(player, "player"), body["name"])
    return reply(Player(player, body["name"]))


@endpoints.route("DELETE", "/v1/players/<player>", status=204, problems=("player-unknown", "erasing"))
def erase_player(player: str) -> Response:
    """Erase a person's name.

    No trace of it is left in the data folder; the games stay, with a nameless seat, and their chains still verify. What
    the person was let in by (devices, sessions, tokens) ends with it.
    """
    people = archive().log.people
    if people.name(player) is None:
        raise ProblemError("player-unknown", f"no player {player}")
    context().access.forget_names(player, by=recorder())
    people.erase(player)
    return Response(status=204)
