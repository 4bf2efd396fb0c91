"""The tables of ratings, statistics and years as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import request
from marshmallow import EXCLUDE

from service.access.needs import SEEN
from service.api.figures_csv import moves_csv, person_csv, ratings_csv, year_csv
from service.api.routes.statistics import move_statistics, ratings, statistics_of
from service.api.routes.years import review
from service.api.schemas.people import RatingsQuery, SelectionQuery, StatisticsQuery, YearQuery
from service.pages.blueprint import page
from service.pages.views.seasons import csv_page

if TYPE_CHECKING:
    from uuid import UUID

    from flask import Response
    from marshmallow import Schema


@page("GET", "/people/table.csv", scope=SEEN)
def save_ratings() -> Response:
    """The ratings of people as CSV."""
    return csv_page(ratings_csv, ratings(_asked(RatingsQuery)["kind"]))


@page("GET", "/people/<uuid:player>/table.csv", scope=SEEN)
def save_person(player: UUID) -> Response:
    """The statistics of a person as CSV."""
    return csv_page(person_csv, statistics_of(str(player), _asked(StatisticsQuery)))


@page("GET", "/statistics/table.csv", scope=SEEN)
def save_statistics() -> Response:
    """Statistics from the moves as CSV."""
    return csv_page(moves_csv, move_statistics(_asked(SelectionQuery)))


@page("GET", "/year/table.csv", scope=SEEN)
def save_year() -> Response:
    """The review of a year as CSV."""
    return csv_page(year_csv, review(_asked(YearQuery)))


def _asked(query: type[Schema]) -> dict[str, Any]:
    loaded: dict[str, Any] = query(unknown=EXCLUDE).load({name: text for name, text in request.args.items() if text})
    return loaded
