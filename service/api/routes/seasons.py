"""Seasons: the table of a club's games by its own rules, with every point explained."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from events.errors import BadEventError
from events.event import NewEvent, timestamp
from events.kinds import ERASURES
from events.schemas import is_uuid
from projections.clubs import clubs_in
from projections.seasons import games_that_count, season_table
from service.access.gate import current_principal, current_recorder, gate
from service.access.needs import KNOWN, SEEN
from service.access.principals import NONE
from service.api import founded
from service.api.answers.clubs import ClubHistory
from service.api.answers.seasons import (
    SeasonBonus,
    SeasonGiven,
    SeasonInfo,
    SeasonLine,
    SeasonList,
    SeasonListed,
    SeasonPlayer,
    SeasonValue,
)
from service.api.endpoints import NDJSON, Endpoints, archive, context, reply
from service.api.routes.clubs import (
    can_organise,
    check_game,
    clubs_among,
    find_club,
    person_of_name,
    visible_club,
)
from service.api.routes.games import read_lists
from service.api.routes.statistics import select_games
from service.api.schemas.clubs import NewClubEntrySchema, SeasonSchema
from service.api.schemas.people import SelectionQuery
from service.api.sums import DIGESTING
from service.api.tablenames import table_names
from service.languages import gettext
from service.problems.kinds import ProblemError
from service.recording.seasons import found_season, record_in_season

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from flask import Response

    from projections.seasons import Season, SeasonGame, SeasonRow
    from projections.statistics.results import Result

endpoints = Endpoints("seasons")

WRITING = (*founded.WRITING, "rebuilding")


@endpoints.route(
    "POST",
    "/v1/seasons",
    scope="games:open",
    body=SeasonSchema(),
    status=201,
    answer=SeasonInfo,
    problems=("club-unknown", *WRITING),
)
def create_season(body: dict[str, Any]) -> Response:
    """Create a season.

    Organisers of the club may. Safe to repeat.
    """
    response = reply(make_season(body), 201)
    response.headers["Location"] = f"/v1/seasons/{body['id']}"
    return response


def make_season(body: dict[str, Any]) -> SeasonInfo:
    """Found the season that a loaded `SeasonSchema` describes."""
    if not can_organise(visible_club(body["club"])):
        raise ProblemError(
            "scope-needed", gettext("only organisers of a club can change its seasons"), scope="games:open"
        )
    data = {name: body[name] for name in ("name", "description", "club", "rules") if body[name]}
    found_season(archive(), body["id"], data, recorder=current_recorder())
    return season_info(season_seen(body["id"]))


@endpoints.route("GET", "/v1/seasons", scope=SEEN, answer=SeasonList, conditional=True, problems=("rebuilding",))
def list_seasons() -> Response:
    """List the seasons of the clubs that you may see.

    The newest comes first.
    """
    return reply(SeasonList(seasons_seen()))


def seasons_seen(club: str | None = None) -> list[SeasonListed]:
    """The seasons that the caller may see, of a club or of all, the newest first. Raises `RebuildingError`."""
    known = archive().seasons
    seasons = [*known.readable(read_lists(clubs_in), lambda each: club in {None, each.club})]
    clubs = clubs_among({each.club for each in seasons})
    return [
        SeasonListed(
            season=each.id,
            name=each.name,
            club=each.club,
            club_name=clubs[each.club].name,
            first=each.rules.first,
            last=each.rules.last,
            founded_at=timestamp(each.founded_at),
            version=each.version,
        )
        for each in sorted(seasons, key=lambda each: (-each.founded_at, each.id))
        if each.club in clubs
    ]


@endpoints.route(
    "GET",
    "/v1/seasons/<season>",
    scope=SEEN,
    answer=SeasonInfo,
    conditional=True,
    problems=("season-unknown", "rebuilding"),
)
def show_season(season: str) -> Response:
    """Show a season: its rules, and its table with the games behind every point.

    The games of the club that you may see count, as they are today. `corrected` says what a game first ended with.
    """
    return reply(season_info(season_seen(season)))


def season_seen(season: str) -> Season:
    """A season, if the caller may see its club. Raises `season-unknown`."""
    found = archive().seasons.find(season) if is_uuid(season) else None
    if found is None or find_club(found.club) is None:
        raise ProblemError("season-unknown", gettext("no season %(season)s", season=season[:80]))
    return found


def season_info(season: Season) -> SeasonInfo:
    """A season as the caller may see it. Raises `RebuildingError`."""
    club, merges = visible_club(season.club), archive().log.people.merges()
    asked = SelectionQuery().load({"club": season.club})
    for name in ("first", "last"):
        asked[name] = date.fromisoformat(day) if (day := getattr(season.rules, name)) else None
    counted = games_that_count(season, select_games(asked)[0])
    rows = season_table(season, counted, merges.final_id, {merges.final_id(player) for player in club.members})
    names, first = table_names([row.player for row in rows]), _first_places(counted)
    who, doors = current_principal(), gate()
    return SeasonInfo(
        season=season.id,
        name=season.name,
        description=season.description,
        club=season.club,
        club_name=club.name,
        rules=msgspec.to_builtins(season.rules),
        founded_at=timestamp(season.founded_at),
        version=season.version,
        organises=can_organise(club),
        games=len(counted),
        left_out={game: reason for game, reason in season.left_out.items() if doors.permissions(who, game) is not NONE},
        table=[_row(season, row, names.get(row.player), first) for row in rows],
    )


def _first_places(counted: Sequence[Result]) -> dict[tuple[str, str], int]:
    """The first places of corrected games, by game and person."""
    digests = context().digests.find({each.game: each.version for each in counted}, DIGESTING)
    found = dict[tuple[str, str], int]()
    for each in counted:
        ranks = digest.first_ranks if (digest := digests.get(each.game)) else None
        if ranks and len(ranks) == len(each.seats):
            for player, before, now in zip(each.seats, ranks, each.ranks, strict=True):
                if player and before != now:
                    found[each.game, player] = 1 + sum(rank < before for rank in ranks)
    return found


def _number(value: Fraction) -> float:
    return round(float(value), 4)


def _row(season: Season, row: SeasonRow, name: str | None, first: Mapping[tuple[str, str], int]) -> SeasonPlayer:
    return SeasonPlayer(
        rank=row.rank,
        player=row.player,
        name=name,
        points=_number(row.points),
        played=len(row.games),
        counted=sum(each.counts for each in row.games),
        games=[_line(each, first.get((each.game, row.player))) for each in row.games],
        given=[SeasonGiven(each.points, each.reason) for each in row.given],
        tie_breaks=[
            SeasonValue(code, _number(value)) for code, value in zip(season.rules.tie_breaks, row.values, strict=True)
        ],
    )


def _line(game: SeasonGame, corrected: int | None) -> SeasonLine:
    return SeasonLine(
        game=game.game,
        day=game.day,
        place=game.place,
        players=game.players,
        points=_number(game.points),
        bonuses=[SeasonBonus(kind, points) for kind, points in game.bonuses],
        total=_number(game.total),
        counts=game.counts,
        corrected=corrected,
    )


@endpoints.route(
    "POST",
    "/v1/seasons/<season>/entries",
    scope=KNOWN,
    body=NewClubEntrySchema(),
    status=201,
    answer=SeasonInfo,
    problems=("season-unknown", "erasing", *WRITING),
)
def record_season_entry(season: str, body: dict[str, Any]) -> Response:
    """Record something in a season: other rules, a game that does not count, points, or a withdrawal of an entry.

    Organisers of the club may. Safe to repeat.
    """
    return reply(record(season, body), 201)


def record(season: str, body: dict[str, Any]) -> SeasonInfo:
    """Record an entry that a loaded `NewClubEntrySchema` describes."""
    club = visible_club(season_seen(season).club)
    if body["type"] == ERASURES["season"]:
        founded.erase(season, club.organisers, body)
        return season_info(season_seen(season))
    if not can_organise(club):
        raise ProblemError(
            "scope-needed", gettext("only organisers of a club can change its seasons"), scope="games:open"
        )
    kind, data = body["type"], body["data"]
    if kind == "season.game_left_out":
        check_game(data)
    if kind == "season.points_given":
        if person_of_name(body["id"], data) is not None:
            raise BadEventError(0, "data.name", "there is no such person")
        _check_person(founded.named(data, "player"))
    new = NewEvent(id=body["id"], type=kind, data=data)
    record_in_season(archive(), season, new, recorder=current_recorder())
    return season_info(season_seen(season))


def _check_person(player: Any) -> None:
    """Check that somebody has this id. Raises `BadEventError`."""
    if not is_uuid(player) or not context().is_known_person(player):
        raise BadEventError(0, "data.player", "there is no such person")


@endpoints.route(
    "GET",
    "/v1/seasons/<season>/entries",
    scope=SEEN,
    answer=ClubHistory,
    conditional=True,
    problems=("season-unknown",),
)
def list_season_entries(season: str) -> Response:
    """List the entries of a season, the oldest first.

    Games that you may not see are left out.
    """
    return reply(history(season_seen(season)))


def history(season: Season) -> ClubHistory:
    """The history of a season, as the caller may know it."""
    return founded.history_of(season.id, season.version, season.withdrawn)


@endpoints.route(
    "GET",
    "/v1/seasons/<season>/export",
    scope=SEEN,
    answer_types=(NDJSON,),
    problems=("season-unknown", "scope-needed"),
)
def export_season(season: str) -> Response:
    """Export a season as NDJSON, one entry per line, as games are.

    For organisers of the club.
    """
    seen = season_seen(season)
    if not can_organise(visible_club(seen.club)):
        raise ProblemError(
            "scope-needed", gettext("only organisers of a club can export its seasons"), scope="games:open"
        )
    return founded.export_of(season, {each.player for each in seen.given.values()})
