"""A year in review, from the games that the caller may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from projections.statistics.parts import Parts
from projections.statistics.years import Month, Year, by_month, review_of, year_of
from service.api.endpoints import context
from service.api.routes.clubs import club_seen
from service.api.routes.statistics import selected, sight
from service.api.schemas.people import SelectionQuery
from service.api.tablenames import table_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.statistics.results import Result


class Review(NamedTuple):
    """A year in review: of the person, the names in it by id, and all years with games, the last one first."""

    player: str | None
    year: Year
    names: dict[str, str]
    years: list[int]


def review(asked: dict[str, Any]) -> Review:
    """The review that a loaded `YearQuery` asks for: of the last year with games, if it names none.

    Raises `player-unknown`, `club-unknown`, `RebuildingError`.
    """
    query = SelectionQuery().load({name: asked[name] for name in ("player", "club") if asked[name]})
    if query["player"]:
        games, player = selected(query)
        months, years = {}, _years(by_month(games))
        year = year_of(asked["year"] or max(years, default=1), games, player)
    else:
        months, player = _months(query), None
        years = _years(months)
        year = review_of(asked["year"] or max(years, default=1), months, None)
    people = {each.name for each in year.people} | {each.player for each in year.standings}
    people |= {each.player for each in year.records if each.player}
    names = dict(table_names(people | ({player} if player else set())))
    if query["club"]:
        names[query["club"]] = club_seen(query["club"]).name
    return Review(player, year, names, sorted(years, reverse=True))


def _months(query: dict[str, Any]) -> dict[str, Month]:
    """The sums of each month of everybody, or of a club, which are kept for the next one who asks."""
    seen, club = sight(), club_seen(query["club"]).version if query["club"] else 0

    def count(games: Sequence[Result]) -> tuple[Month, bool]:
        return Month.of(games, None), True

    parts = context().months.get(
        (query["club"], seen.everything, seen.own),
        (seen.known.stamp, club),
        lambda older: (older or Parts[Month]()).following(by_month(selected(query)[0]), count),
    )
    return parts.sums


def _years(months: dict[str, Any]) -> set[int]:
    return {int(name[:4]) for name in months}
