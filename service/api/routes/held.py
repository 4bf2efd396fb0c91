"""Everything that is held about a person, for that person: data beside the games, and the records that name them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from events.event import optional_timestamp, timestamp
from projections.catalogue.lookups import titles_of
from projections.clubs import clubs_in
from service.access.founded import sees
from service.access.gate import current_principal
from service.access.needs import KNOWN
from service.api.answers.held import PersonData
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.routes.games import read_lists
from service.api.routes.players import is_listed, need_person, person_detail
from service.api.schemas.fields import check_id
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Response

    from events.kinds import Kind
    from projections.clubs import Club
    from projections.founded import FoundedRecords
    from projections.seasons import Season
    from projections.tournaments.record import Tournament
    from service.access.store import TrailLine

R = TypeVar("R", "Club", "Season", "Tournament")

PAGE = 1000
"""Lines of the trail that are read at once."""


endpoints = Endpoints("held")


@endpoints.route(
    "GET",
    "/v1/players/<player>/held",
    scope=KNOWN,
    answer=PersonData,
    conditional=True,
    problems=("player-unknown", "scope-needed", "rebuilding"),
)
def show_held(player: str) -> Response:
    """Show what is held about a person, for the person and administrators.

    No app sees it.
    """
    return reply(read_held(player))


def read_held(player: str) -> PersonData:
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


def held_about(player: str) -> PersonData:
    """What is held about a person. Raises `RebuildingError`."""
    people, store = archive().log.people, context().access
    ids = people.merges().ids_of([people.merges().final_id(player)])
    titles = read_lists(lambda db: titles_of(db, ids))
    return PersonData(
        person=people.merges().final_id(player),
        ids=sorted(ids),
        names=people.recorded_names(ids),
        merged=person_detail(player).merged,
        listed=is_listed(player),
        games=[
            dict(zip(("game", "title", "place"), (game, *text.split("\n", 1)), strict=True))
            for game, text in sorted(titles.items())
        ],
        clubs=_parts(archive().clubs, _in_club, ids),
        tournaments=_parts(archive().tournaments, _in_tournament, ids),
        seasons=_parts(archive().seasons, _in_season, ids),
        roles=[
            {"game": each.game or None, "role": each.role, "seats": sorted(each.seats), "since": timestamp(each.since)}
            for id_ in sorted(ids)
            for each in store.granted_roles(person=id_)
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


def _parts(known: FoundedRecords[R], roles: Callable[[R, frozenset[str]], list[str]], ids: frozenset[str]) -> list[Any]:
    """The records of a kind that name the person, now or in the past, with each role."""
    return [
        {"record": record.id, "name": _name_for(record, known, ids), "role": role}
        for record in known.readable(read_lists(clubs_in), lambda each: not ids.isdisjoint(each.named))
        for role in roles(record, ids)
    ]


def shown_records(told: PersonData) -> set[str]:
    """The clubs, tournaments and seasons in what is held that the caller sees."""
    kinds: tuple[tuple[Kind, list[Any]], ...]
    kinds = (("club", told.clubs), ("season", told.seasons), ("tournament", told.tournaments))
    found = (archive().find_record(kind, each["record"]) for kind, parts in kinds for each in parts)
    return {each.id for each in found if each and sees(current_principal(), each, archive().find_club)}


def _name_for(record: R, known: FoundedRecords[R], ids: frozenset[str]) -> str:
    """The name of a record. If the caller may not see it now, it is the name from the time of the person."""
    if sees(current_principal(), record, archive().find_club):
        return record.name
    return known.as_of(record.id, max(record.named.get(id_, 0) for id_ in ids)).name


def _in_club(club: Club, ids: frozenset[str]) -> list[str]:
    return sorted({role for player, role in club.members.items() if player in ids}) or ["left"]


def _in_tournament(cup: Tournament, ids: frozenset[str]) -> list[str]:
    own = [cup.entrants[entrant] for entrant in cup.played_as(ids)]
    roles = ["organiser"] if not ids.isdisjoint(cup.organisers) else []
    roles += ["player"] if any(entrant.last is None for entrant in own) else []
    return roles or ["left"]


def _in_season(season: Season, ids: frozenset[str]) -> list[str]:
    given = (each for each in season.given.values() if each.player in ids)
    return [f"{each.points:+} {each.reason}".strip() for each in given] or ["withdrawn"]


def _trail() -> Iterator[TrailLine]:
    after = 0
    while lines := list(context().access.trail(after, PAGE)):
        yield from lines
        after = lines[-1].number


def _line(line: TrailLine) -> dict[str, Any]:
    told = {"number": line.number, "at": timestamp(line.at), "what": line.what, "by": line.by}
    return told | {"person": line.person, "game": line.game, "more": dict(line.more)}
