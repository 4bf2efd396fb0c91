"""All that is held about a person, for that person: what lies beside the games, and in which records they are named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from events.event import optional_timestamp, timestamp
from projections.catalogue import titles_of
from projections.clubs import clubs_in
from service.access.gate import current_principal
from service.api.answers.people import MergeInfo
from service.api.endpoints import archive, context
from service.api.routes.games import believed
from service.api.routes.players import is_listed, person_detail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.access.store import TrailLine

PAGE = 1000
"""Lines of the trail that are read at once."""


class HeldGame(msgspec.Struct, frozen=True):
    """A game in which the person ever sat, with its title and place."""

    game: str
    title: str
    place: str


class HeldPart(msgspec.Struct, frozen=True):
    """A club, tournament or season with the person in it, as `role` says."""

    record: str
    name: str
    role: str


class HeldRole(msgspec.Struct, frozen=True):
    """What the person may do in a game, or on the service where no game stands."""

    game: str | None
    role: str | None
    seats: list[int]
    since: str


class HeldAccess(msgspec.Struct, frozen=True):
    """A session, device or token of the person."""

    id: str
    kind: str
    name: str
    begun: str
    used: str | None
    ends: str | None


class HeldWebhook(msgspec.Struct, frozen=True):
    """An endpoint of the person."""

    id: str
    url: str
    description: str


class HeldLine(msgspec.Struct, frozen=True):
    """A line of the trail that names the person, or that the person caused."""

    number: int
    at: str
    what: str
    by: str
    person: str | None
    game: str | None
    more: dict[str, Any]


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What is held about a person, who goes by `ids`. `names` are those that were entered for each id."""

    person: str
    ids: list[str]
    names: dict[str, str]
    merged: list[MergeInfo]
    listed: bool
    games: list[HeldGame]
    clubs: list[HeldPart]
    tournaments: list[HeldPart]
    seasons: list[HeldPart]
    roles: list[HeldRole]
    access: list[HeldAccess]
    webhooks: list[HeldWebhook]
    trail: list[HeldLine]


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
        games=[HeldGame(game, *text.split("\n", 1)) for game, text in sorted(titles.items())],
        clubs=[HeldPart(*each) for each in _in_clubs(ids)],
        tournaments=[HeldPart(*each) for each in _in_tournaments(ids)],
        seasons=[HeldPart(*each) for each in _in_seasons(ids)],
        roles=[
            HeldRole(each.game or None, each.role, sorted(each.seats), timestamp(each.since))
            for id_ in sorted(ids)
            for each in store.granted(person=id_)
        ],
        access=[
            HeldAccess(
                each.id,
                each.kind,
                each.name,
                timestamp(each.begun),
                optional_timestamp(each.used),
                optional_timestamp(each.ends),
            )
            for each in store.credentials(ids)
        ],
        webhooks=[HeldWebhook(each.id, each.url, each.description) for each in store.webhooks(ids)],
        trail=[_line(each) for each in _trail() if each.person in ids or each.by in ids],
    )


def _in_clubs(ids: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    for club in filter(None, map(archive().clubs.find, believed(clubs_in))):
        for role in {role for player, role in club.members.items() if player in ids}:
            yield club.id, club.name, role


def _in_tournaments(ids: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    for cup in filter(None, map(archive().tournaments.find, believed(clubs_in))):
        if not ids.isdisjoint(cup.organisers):
            yield cup.id, cup.name, "organiser"
        if not ids.isdisjoint(cup.entrants):
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


def _line(line: TrailLine) -> HeldLine:
    return HeldLine(line.number, timestamp(line.at), line.what, line.by, line.person, line.game, dict(line.more))
