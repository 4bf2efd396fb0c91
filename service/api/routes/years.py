"""A year in review, from the games that the caller may see."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from projections.statistics.parts import Parts
from projections.statistics.years import KindScores, Month, by_month, review_of, scores_of, year_of
from service.access.needs import SEEN
from service.api.answers.people import YearReview
from service.api.endpoints import Endpoints, context, reply
from service.api.routes.clubs import club_seen
from service.api.routes.statistics import selected, sight
from service.api.schemas.people import SelectionQuery, YearQuery
from service.api.tablenames import table_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask import Response

    from projections.statistics.years import Year

endpoints = Endpoints("years")


@endpoints.route(
    "GET",
    "/v1/statistics/year",
    scope=SEEN,
    query=YearQuery(),
    answer=YearReview,
    conditional=True,
    problems=("bad-request", "player-unknown", "club-unknown", "rebuilding"),
)
def show_year_in_review(query: dict[str, Any]) -> Response:
    """Show a year in review, of a person, a club or everybody.

    From games that the caller may see. `/year.svg` and `/year.png` draw it.
    """
    return reply(review(query))


def review(asked: dict[str, Any]) -> YearReview:
    """The review that a loaded `YearQuery` asks for: of the last year with games, if it names none.

    Raises `player-unknown`, `club-unknown`, `RebuildingError`.
    """
    query = SelectionQuery().load({name: asked[name] for name in ("player", "club") if asked[name]})
    if query["player"]:
        games, player = selected(query)
        years = _years(by_month(games))
        year = year_of(asked["year"] or max(years, default=1), games, player)
    else:
        player = None
        years, year = _of_many(query, asked["year"])
    people = {each.name for each in year.people} | {each.player for each in year.standings}
    people |= {each.player for each in year.records if each.player}
    names = dict(table_names(people | ({player} if player else set())))
    if query["club"]:
        names[query["club"]] = club_seen(query["club"]).name
    return YearReview(player, names, sorted(years, reverse=True), year)


def _of_many(query: dict[str, Any], asked: int | None) -> tuple[set[int], Year]:
    """The years of everybody, or of a club, and the review of one; their sums are kept for the next one who asks.

    The scores are those of all months. All other sums are kept of the months of a year that was asked for.
    """
    seen, club = sight(), club_seen(query["club"]).version if query["club"] else 0
    view, stamp = (query["club"], seen.everything, seen.own), (seen.known.stamp, club)
    months = cache(lambda: by_month(selected(query)[0]))
    scores = context().scores.get(
        view,
        stamp,
        lambda older: (older or Parts[dict[str, KindScores]]()).following(
            months(), lambda games: (scores_of(games, None), True)
        ),
    )
    years = _years(scores.sums)
    year = asked or max(years, default=1)
    own = context().months.get(
        (*view, year),
        stamp,
        lambda older: (older or Parts[Month]()).following(
            {name: games for name, games in months().items() if name[:4] == f"{year:04}"},
            lambda games: (Month.of(games, None), True),
        ),
    )
    return years, review_of(year, scores.sums, own.sums, None)


def _years(months: Iterable[str]) -> set[int]:
    return {int(name[:4]) for name in months}
