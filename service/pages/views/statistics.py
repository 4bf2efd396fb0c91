"""Statistics from the moves, and the games behind each figure."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from flask import render_template, request, url_for
from marshmallow import EXCLUDE

from games.contract import Title
from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from service.access.needs import SEEN
from service.api.routes.statistics import games_behind, move_statistics, visible_kinds
from service.api.schemas.people import BehindQuery, SelectionQuery
from service.api.tablenames import table_names
from service.drawing.charts import bars
from service.languages import gettext, locale, localized
from service.languages.sentences import with_translated_terms
from service.pages.blueprint import page
from service.pages.views.people import kind_names

if TYPE_CHECKING:
    from markupsafe import Markup

    from projections.statistics.moves import GameFigure, KindMoves, LuckFigure


@page("GET", "/statistics", scope=SEEN)
def show_statistics() -> str:
    """Statistics from the moves: for a person, two people, a kind of game, a place, a club, or all games."""
    asked = _asked()
    found = move_statistics(SelectionQuery(unknown=EXCLUDE).load(asked))
    return render_template(
        "statistics.html",
        found=found,
        asked=asked,
        title=_title(asked, found.names),
        kinds=kind_names(visible_kinds()),
        called=_subject,
        outcome=_outcome_text,
        points=_points,
        spread=_spread,
        score_class=_score_range,
        behind=lambda kind, about="", **more: url_for(
            "pages.list_games_behind", **_query_of({**asked, "kind": kind, "about": about, **more})
        ),
    )


def _points(kind: KindMoves) -> Markup:
    names = [_subject(kind.kind, each.about) for each in kind.points]
    return bars([abs(each.mean) for each in kind.points], gettext("Points by category"), names)


def _spread(kind: KindMoves) -> Markup:
    names = [_score_range(low, high) for low, high, _ in kind.distribution]
    return bars([scores for *_, scores in kind.distribution], gettext("Distribution of scores"), names)


def _score_range(low: object, high: object) -> str:
    """A range of scores in words."""
    return f"{low}" if low == high else f"{low} … {high}"


@page("GET", "/statistics/games", scope=SEEN)
def list_games_behind() -> str:
    """The games behind a figure, the last played first."""
    asked = _asked()
    found = games_behind(BehindQuery(unknown=EXCLUDE).load(asked))
    kind, about = asked.get("kind", ""), asked.pop("about", "")
    asked.pop("cursor", None)
    following = {"about": about, "cursor": found.next} if found.next else None
    return render_template(
        "behind.html",
        found=found,
        what=_subject(kind, about) if about else "",
        back=url_for("pages.show_statistics", **_query_of(asked)),
        following=url_for("pages.list_games_behind", **_query_of(asked | following)) if following else None,
        kinds=kind_names([kind]) if kind else {},
    )


def _asked() -> dict[str, str]:
    return {name: text for name, text in request.args.items() if text}


def _query_of(asked: dict[str, Any]) -> dict[str, Any]:
    """A query for an address, without empty values."""
    return {name: value for name, value in asked.items() if value}


def _title(asked: dict[str, str], names: dict[str, str]) -> str:
    people = [names.get(asked[name]) or gettext("somebody") for name in ("player", "with") if name in asked]
    club = names.get(asked["club"]) if "club" in asked else None
    kind = kind_names([asked["kind"]])[asked["kind"]] if "kind" in asked else None
    parts = [gettext(" and ").join(people), club, asked.get("place"), kind]
    return " · ".join(filter(None, parts)) or gettext("All games")


def _subject(kind: str, about: str) -> str:
    """The subject of a figure in words."""
    what, _, name = about.partition(":")
    ruleset = kind.partition("/")[0]
    known = RULESETS.get(ruleset)
    if what == "luck":
        return localized(known.chance_kinds[name]) if known and name in known.chance_kinds else name
    if what == "points" and (number := re.fullmatch("round-([0-9]+)", name)):
        return gettext("Round %(number)s", number=number[1])
    given = {"bonus": gettext("bonus"), "penalty": gettext("penalty"), "ruling": gettext("ruling")}
    if what == "points" and name in given:
        return given[name]
    if what == "points":
        column = _column_names().get((kind, name))
        return localized(column) if column else with_translated_terms(name.replace("_", " "), locale(), ruleset)
    if what == "scores":
        return f"{gettext('Points')} {_score_range(*name.split(':'))}"
    if what in {"variant", "variant-won"}:
        return name or gettext("the usual options")
    others = {"before": gettext("before"), "behind": gettext("behind"), "level": gettext("level")}
    others |= {"met": gettext("Against others"), "beside": gettext("On the same side")}
    others |= {"beside-won": f"{gettext('On the same side')} ({gettext('Wins')})"}
    if what in others:
        return f"{others[what]}: {table_names([name]).get(name) or gettext('somebody')}"
    if what in {"seat", "seat-won"}:
        return gettext("Seat %(seat)s", seat=int(name) + 1 if name.isdecimal() and len(name) < 3 else name)
    plain = {"timed": gettext("Turns"), "corrected": gettext("Corrections"), "won": gettext("Wins")}
    plain |= {"together": gettext("Won together"), "together-won": gettext("Won together")}
    plain |= {"against": gettext("Against others"), "streak-won": gettext("Streaks"), "streak-lost": gettext("Streaks")}
    return plain.get(what, name)


@cache
def _column_names() -> dict[tuple[str, str], Title]:
    """The names of ready sheets' columns, by kind of game and id. For a repeated id, the first name."""
    sheets = [(f"{SCORESHEET.name}/{sheet['name']}", column) for sheet in READY.values() for column in sheet["columns"]]
    plain = [(kind, column, column.get("name") or column["id"].replace("_", " ")) for kind, column in sheets]
    return {(kind, column["id"]): Title(name, column.get("ja") or name) for kind, column, name in reversed(plain)}


def _outcome_text(kind: str, figure: LuckFigure | GameFigure) -> str:
    """An outcome of chance in words; for all outcomes together, their total."""
    outcome = getattr(figure, "outcome", None)
    if outcome is None:
        return gettext("what it brought")
    return with_translated_terms(outcome, locale(), kind.partition("/")[0])
