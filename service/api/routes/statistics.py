"""Statistics and ratings of people, from the games that the caller may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from projections.catalogue import Query, all_results
from projections.statistics.people import figures
from projections.statistics.results import results
from projections.views import access_cursor, cursor
from service.access.needs import SEEN
from service.api.answers import BrierScore, PersonStatistics, RatingInfo, RatingList, RatingStep
from service.api.endpoints import Endpoints, archive, context, reply
from service.api.routes.games import believed, iso_day, onlooker, still_seen
from service.api.schemas import RatingsQuery, StatisticsQuery, check_id
from service.languages import gettext
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from flask import Response

    from projections.statistics.ratings import Ladder, Rating
    from projections.statistics.results import Result

endpoints = Endpoints("statistics")


@endpoints.route(
    "GET",
    "/v1/players/<player>/statistics",
    scope=SEEN,
    query=StatisticsQuery(),
    answer=PersonStatistics,
    conditional=True,
    problems=("bad-request", "player-unknown", "rebuilding"),
)
def show_statistics(player: str, query: dict[str, Any]) -> Response:
    """Show the statistics of a person, from the games that the caller may see.

    Games with an outcome count, neither forks nor abandoned ones. They are compared with what chance would give. A
    corrected game corrects every figure.
    """
    return reply(statistics_of(player, query))


def statistics_of(player: str, query: dict[str, Any]) -> PersonStatistics:
    """The statistics that a loaded `StatisticsQuery` asks for. Raises `player-unknown`, `RebuildingError`."""
    people = archive().log.people
    kept = people.merges().final_id(check_id(player, "player"))
    games = _seen(people.merges().ids_of([kept]), query["first"], query["last"])
    found = figures(kept, _wanted(games, query))
    if not found.n and not context().knows(kept):
        raise ProblemError("player-unknown", gettext("no player %(player)s", player=player))
    ladder = ladder_of(query["kind"])
    rating = ladder.rating(kept)
    return PersonStatistics(
        kept,
        people.names([kept, *(each.player for each in found.opponents)]),
        found,
        _info(rating) if rating and rating.shown else None,
        [
            RatingStep(step.game, step.played_at, round(step.predicted, 3), step.won, _info(step.rating))
            for step in ladder.history(kept)
        ],
    )


def kinds_seen() -> list[str]:
    """The kinds of games that the caller may see with an outcome, the most played first. Raises `RebuildingError`."""
    return [kind for kind, _ in ladder_of(None).kinds.most_common()]


@endpoints.route(
    "GET",
    "/v1/ratings",
    scope=SEEN,
    query=RatingsQuery(),
    answer=RatingList,
    conditional=True,
    problems=("bad-request", "rebuilding"),
)
def list_ratings(query: dict[str, Any]) -> Response:
    """List the ratings of people, the strongest first, from the games that the caller may see.

    By the model of Plackett and Luce, from all games against each other in the order in which they were played. A
    rating is shown after five games. `brier` says how good the predictions were.
    """
    return reply(ratings(query["kind"]))


def ratings(kind: str | None) -> RatingList:
    """The ratings of everybody, in games of one kind or of all. Raises `RebuildingError`."""
    ladder = ladder_of(kind)
    found, few, brier = ladder.ratings(), ladder.newcomers(), ladder.brier
    names = archive().log.people.names([each.player for each in (*found, *few)])
    return RatingList(
        [_info(each) for each in found],
        [_info(each) for each in few],
        names,
        BrierScore(brier.n, round(brier.score, 4), round(brier.uniform, 4)) if brier else None,
    )


def ladder_of(kind: str | None) -> Ladder:
    """The ladder of the games that the caller may see. Raises `RebuildingError`."""
    merges = archive().log.people.merges().number
    stamp = believed(lambda db: (cursor(db), access_cursor(db), merges))
    return context().ladders.get(
        (kind, onlooker()), stamp, lambda: (each for each in _seen() if kind in (None, each.kind))
    )


def _info(rating: Rating) -> RatingInfo:
    return RatingInfo(rating.player, rating.n, round(rating.points, 2), round(rating.mu, 2), round(rating.sigma, 2))


def _seen(sat: frozenset[str] | None = None, first: date | None = None, last: date | None = None) -> list[Result]:
    """The results of the games that the caller may see, of a person and a time. Raises `RebuildingError`."""
    query = Query(sat=sat, first=iso_day(first), last=iso_day(last), seen_by=onlooker())
    listed = believed(lambda db: list(all_results(db, query)))
    return list(results(still_seen(listed, query), archive().log.people.merges()))


def _wanted(found: Iterable[Result], query: dict[str, Any]) -> Iterator[Result]:
    """The results of a kind and a number of players, as far as these are asked for."""
    players, kind = query["players"], query["kind"]
    for each in found:
        if players in (None, len(each.seats)) and kind in (None, each.kind):
            yield each
