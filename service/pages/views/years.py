"""A year in review: for a person, a club, or everybody here, as one page and one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Response, render_template, request, url_for
from marshmallow import EXCLUDE

from service.access.needs import SEEN
from service.api.routes.years import review
from service.api.schemas.people import YearQuery
from service.drawing import pictures
from service.drawing.charts import bars
from service.languages import gettext, ngettext
from service.pages import cards
from service.pages.blueprint import page
from service.pages.views.people import kind_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.statistics.years import Year

HEADERS = {"Cache-Control": "private, no-cache"}
"""Browsers must not share or reuse a picture unchecked: it shows what its reader may see, as the page does."""


class _Review(NamedTuple):
    """A review with its query, its subject, the names of people, and the available years."""

    asked: dict[str, Any]
    title: str
    year: Year
    names: dict[str, str]
    kinds: dict[str, str]
    years: list[int]

    def period(self) -> dict[str, str]:
        """The first and the last day, in the format of addresses."""
        return {"from": f"{self.year.year:04}-01-01", "to": f"{self.year.year:04}-12-31"}

    def facts(self) -> list[tuple[str, str]]:
        """The facts of the picture: a number, and its meaning."""
        return list(self._facts())[:6]

    def _facts(self) -> Iterator[tuple[str, str]]:
        year = self.year
        one_day = ngettext("game on one day", "games on one day", year.n)
        yield str(year.n), one_day if year.days == 1 else gettext("games on %(days)s days", days=year.days)
        if year.share.n:
            chance = f"{year.share.by_chance:.1f}"
            yield (
                f"{year.share.wins} / {year.share.n}",
                gettext("wins; %(chance)s by chance", chance=chance),
            )
        for each in year.kinds[:1]:
            yield self.kinds[each.name], ngettext("most played: %(count)s time", "most played: %(count)s times", each.n)
        kinds = ngettext("game, %(new)s new", "different games, %(new)s new", year.played, new=year.begun)
        yield str(year.played), kinds
        for person in year.people[:1]:
            yield (
                self.names.get(person.name) or gettext("somebody"),
                ngettext("%(count)s game together", "%(count)s games together", person.n),
            )
        yield str(year.met), ngettext("person at the table", "people at the table", year.met)
        yield f"{year.minutes / 60:.0f}", ngettext("hours in %(count)s game", "hours in %(count)s games", year.n)

    def picture(self) -> str:
        """The picture as SVG."""
        over = gettext("Year in review %(year)s", year=self.year.year)
        return cards.review(over, self.title, self.facts(), self.year.months)


@page("GET", "/year", scope=SEEN)
def show_year() -> str:
    """The review of a year."""
    found = _review()
    months = bars([*found.year.months], gettext("Games by month"), [str(month) for month in range(1, 13)])
    address = found.asked | {"year": found.year.year}
    return render_template(
        "year.html",
        year=found.year,
        review=found,
        months=months,
        picture=url_for("pages.draw_year", **address),
        drawing=url_for("pages.draw_year_as_svg", **address),
        behind=lambda **more: url_for("pages.list_games_behind", **(found.asked | found.period() | more)),
    )


@page("GET", "/year.png", scope=SEEN)
def draw_year() -> Response:
    """The picture of a year in review, as PNG."""
    return Response(pictures.png(_review().picture(), cards.WIDTH), content_type="image/png", headers=HEADERS)


@page("GET", "/year.svg", scope=SEEN)
def draw_year_as_svg() -> Response:
    """The picture of a year in review, as SVG."""
    return Response(_review().picture(), content_type="image/svg+xml; charset=utf-8", headers=HEADERS)


def _review() -> _Review:
    """The review for the request. Raises `bad-request`, `player-unknown`, `club-unknown`."""
    sent = {name: text for name, text in request.args.items() if text}
    query = YearQuery(unknown=EXCLUDE).load(sent)
    asked = {name: query[name] for name in ("player", "club") if query[name]}
    found = review(query)
    player, year, names = found.player, found.figures, found.names
    parts = [names.get(player) or gettext("somebody")] if player else []
    parts += [names[query["club"]]] if query["club"] else []
    moments = [each.kind for each in (year.longest, year.closest) if each]
    kinds = kind_names([*(each.name for each in year.kinds), *(each.kind for each in year.records), *moments])
    return _Review(asked, " · ".join(parts) or gettext("All games"), year, names, kinds, found.years)
