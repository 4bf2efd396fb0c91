"""People: their ratings, and the statistics of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import Response, redirect, render_template, request, url_for
from marshmallow import EXCLUDE

from games.contract import Title
from games.rulesets import RULESETS
from games.scoresheet.ready import READY
from service.access.needs import KNOWN, NAMING, SEEN
from service.api.routes.held import may_see_held, read_held, shown_records
from service.api.routes.players import is_listed, may_set_listing, set_listing
from service.api.routes.statistics import ratings, statistics_of, visible_kinds
from service.api.schemas.people import ListingSchema, RatingsQuery, StatisticsQuery
from service.drawing.charts import bars, curve
from service.languages import gettext, localized
from service.pages.blueprint import page, service_scopes
from service.pages.templating import called_games

if TYPE_CHECKING:
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse

    from service.api.answers.people import PersonStatistics


_SHEETS = {data["name"]: Title(data["name"], data.get("ja") or data["name"]) for data in READY.values()}
"""The names of ready score sheets, by their English names."""


@page("GET", "/people", scope=SEEN)
def list_people() -> str:
    """The ratings of people, for one kind of game or all."""
    query = RatingsQuery(unknown=EXCLUDE).load(_query())
    kinds = visible_kinds()
    return render_template(
        "people.html",
        found=ratings(query["kind"]),
        kind=query["kind"],
        kinds=kind_names(kinds),
        merges={"people:read", NAMING} <= service_scopes(),
    )


@page("GET", "/people/<uuid:player>", scope=SEEN)
def show_person(player: UUID) -> str:
    """The statistics of a person."""
    query = StatisticsQuery(unknown=EXCLUDE).load(_query())
    found = statistics_of(str(player), query)
    return render_template(
        "person.html",
        found=found,
        figures=found.figures,
        names=found.names,
        query=request.args,
        kinds=kind_names(each.kind for each in found.figures.kinds),
        months=bars([*found.figures.months.values()], gettext("Games by month"), [*found.figures.months]),
        rating=_rating_curve(found),
        listing=may_set_listing(found.player),
        listed=is_listed(found.player),
        sees_held=may_see_held(found.player),
    )


@page("POST", "/people/<uuid:player>", scope=KNOWN)
def change_listing(player: UUID) -> AnyResponse:
    """Hide a person from public tables, or show them again."""
    sent = request.form.get("listed")
    wanted = ListingSchema().load({} if sent is None else {"listed": {"true": True, "false": False}.get(sent, sent)})
    set_listing(str(player), listed=wanted["listed"])
    return redirect(url_for("pages.show_person", player=player), 303)


@page("GET", "/people/<uuid:player>/held", scope=KNOWN)
def show_held(player: UUID) -> str:
    """The stored data about a person, for this person."""
    seen = read_held(str(player))
    called = called_games([each["game"] for each in seen.games])
    return render_template("held.html", held=seen, called=called, shown=shown_records(seen))


@page("GET", "/people/<uuid:player>/held.json", scope=KNOWN)
def save_held(player: UUID) -> Response:
    """The stored data about a person, as JSON."""
    headers = {"Cache-Control": "private, no-store", "Content-Disposition": 'attachment; filename="held.json"'}
    return Response(msgspec.json.encode(read_held(str(player))), content_type="application/json", headers=headers)


def _query() -> dict[str, Any]:
    return {name: text for name, text in request.args.items() if text}


def _rating_curve(found: PersonStatistics) -> str:
    if len(found.history) < 2:
        return ""
    values = [step.rating.mu for step in found.history]
    return curve(values, [step.rating.sigma for step in found.history], gettext("Rating after each game"))


def kind_names(kinds: Any) -> dict[str, str]:
    """The translated names of kinds of games."""
    return {kind: _name(kind) for kind in kinds}


def _name(kind: str) -> str:
    ruleset, _, name = kind.partition("/")
    if name:
        return localized(_SHEETS[name]) if name in _SHEETS else name
    return localized(RULESETS[ruleset].title) if ruleset in RULESETS else ruleset
