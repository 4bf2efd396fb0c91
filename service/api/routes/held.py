"""All that is held about a person, for that person: what lies beside the games, and in which records they are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.event import optional_timestamp, timestamp
from projections.catalogue import titles_of
from projections.clubs import clubs_in
from service.access.gate import current_principal
from service.access.needs import KNOWN
from service.api.answers.held import Held
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.routes.games import believed
from service.api.routes.players import is_listed, need_person, person_detail
from service.api.schemas.fields import check_id
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Response

    from service.access.store import TrailLine

PAGE = 1000
"""Lines of the trail that are read at once."""


endpoints = Endpoints("held")


@endpoints.route(
    "GET",
    "/v1/players/<player>/held",
    scope=KNOWN,
    answer=Held,
    conditional=True,
    problems=("player-unknown", "scope-needed", "rebuilding"),
)
def show_held(player: str) -> Response:
    """Show what is held about a person, for the person and administrators.

    No app sees it.
    """
    return reply(held(player))


def held(player: str) -> Held:
    """What is held about a person. Raises `player-unknown`, `scope-needed`, `RebuildingError`."""
    if not may_see_held(check_id(player, "player")):
        raise ProblemError("scope-needed", gettext("only this person and administrators may see it"), scope="admin")
    need_person(player)
    return held_about(player)


def may_see_held(player: str) -> bool:
    """Whether the caller may see what is held about a person: the person, by no app, and administrators."""
    who = current_principal()
    if who is None or who.credential.games is not None or who.credential.scopes is not None:
        return False
    return "admin" in who.service or player in who.people


def held_about(player: str) -> Held:
    """What is held about a person. Raises `RebuildingError`."""
    people, store = archive().log.people, context().access
    ids = people.merges().ids_of([people.merges().final_id(player)])
    titles = believed(lambda db: titles_of(db, ids))
    return Held(
        person=people.merges().final_id(player),
        ids=sorted(ids),
        names=people.recorded_names(ids),
        merged=person_detail(player).merged,
        listed=is_listed(player),
        games=[
            dict(zip(("game", "title", "place"), (game, *text.split("\n", 1)), strict=True))
            for game, text in sorted(titles.items())
        ],
        clubs=_parts(_in_clubs(ids)),
        tournaments=_parts(_in_tournaments(ids)),
        seasons=_parts(_in_seasons(ids)),
        roles=[
            {"game": each.game or None, "role": each.role, "seats": sorted(each.seats), "since": timestamp(each.since)}
            for id_ in sorted(ids)
            for each in store.granted(person=id_)
        ],
        access=[
            {
                "id": each.id,
                "kind": each.kind,
                "name": each.name,
                "begun": timestamp(each.begun),
                "used": optional_timestamp(each.used),
                "ends": optional_timestamp(each.ends),
            }
            for each in store.credentials(ids)
        ],
        webhooks=[{"id": each.id, "url": each.url, "description": each.description} for each in store.webhooks(ids)],
        trail=[_line(each) for each in _trail() if each.person in ids or each.by in ids],
    )


def _parts(found: Iterator[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Records with the person in them, as a role says."""
    return [{"record": record, "name": name, "role": role} for record, name, role in found]


def _in_clubs(ids: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    for club in filter(None, map(archive().clubs.find, believed(clubs_in))):
        for role in {role for player, role in club.members.items() if player in ids}:
            yield club.id, club.name, role


def _in_tournaments(ids: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    for cup in filter(None, map(archive().tournaments.find, believed(clubs_in))):
        if not ids.isdisjoint(cup.organisers):
            yield cup.id, cup.name, "organiser"
        if not ids.isdisjoint(cup.players):
            yield cup.id, cup.name, "player"


def _in_seasons(ids: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    for season in filter(None, map(archive().seasons.find, believed(clubs_in))):
        for given in season.given.values():
            if given.player in ids:
                yield season.id, season.name, f"{given.points:+} {given.reason}".strip()


def _trail() -> Iterator[TrailLine]:
    after = 0
    while lines := list(context().access.trail(after, PAGE)):
        yield from lines
        after = lines[-1].number


def _line(line: TrailLine) -> dict[str, Any]:
    told = {"number": line.number, "at": timestamp(line.at), "what": line.what, "by": line.by}
    return told | {"person": line.person, "game": line.game, "more": dict(line.more)}
