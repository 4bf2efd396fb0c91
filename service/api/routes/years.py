"""A year in review, from the games that the caller may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from projections.statistics.years import by_month, year_of
from service.access.needs import SEEN
from service.api.answers.people import YearReview
from service.api.endpoints import Endpoints, context, reply
from service.api.routes.clubs import visible_club
from service.api.routes.statistics import select_games, visible_results
from service.api.schemas.people import SelectionQuery, YearQuery
from service.api.sums import Selection, year_of_many, years_in
from service.api.tablenames import table_names

if TYPE_CHECKING:
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
        games, player = select_games(query)
        years = years_in(by_month(games))
        year = year_of(asked["year"] or max(years, default=1), games, player)
    else:
        player = None
        years, year = _of_many(query, asked["year"])
    people = {each.name for each in year.people} | {each.player for each in year.standings}
    people |= {each.player for each in year.records if each.player}
    names = dict(table_names(people | ({player} if player else set())))
    if query["club"]:
        names[query["club"]] = visible_club(query["club"]).name
    return YearReview(player, names, sorted(years, reverse=True), year)


def _of_many(query: dict[str, Any], asked: int | None) -> tuple[set[int], Year]:
    """The years of everybody, or of a club, and the review of one year."""
    club = query["club"]
    about, version = ((("club", club),), visible_club(club).version) if club else ((), 0)
    return year_of_many(context(), Selection(visible_results(), lambda: select_games(query)[0], about, version), asked)
