"""The page of a season: its table, its rules, and the forms for organisers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Response, redirect, render_template, request, url_for
from uuid_utils import uuid7

from games.rulesets import RULESETS
from service.access.needs import KNOWN, SEEN, Need
from service.api.founded import with_texts
from service.api.routes.clubs import club_info, visible_club
from service.api.routes.seasons import history, make_season, record, season_info, season_seen
from service.api.routes.statistics import visible_kinds
from service.api.schemas.clubs import SeasonSchema
from service.api.schemas.exchange import StandingsQuery
from service.api.standings import season_csv
from service.exchange.spreadsheets import dialect_of
from service.languages import gettext, gettext_noop, ngettext
from service.languages.seasons import BONUSES, TIE_BREAKS
from service.pages.blueprint import page
from service.pages.forms import as_shown, changed_values, entry_of, sent_entry
from service.pages.templating import called_games
from service.pages.views.people import kind_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from werkzeug.datastructures import MultiDict
    from werkzeug.wrappers import Response as AnyResponse

    from service.api.answers.clubs import ClubEntry
    from service.api.answers.seasons import SeasonInfo

SAID = {
    "season.founded": gettext_noop("The season was created"),
    "season.changed": gettext_noop("Name, description or rules changed"),
    "season.game_left_out": gettext_noop("A game was left out: %(game)s"),
    "season.points_given": gettext_noop("%(who)s: %(points)s points"),
    "season.withdrawn": gettext_noop("Entry %(entry)s was withdrawn"),
    "season.erased": gettext_noop("The text of entry %(entry)s was erased"),
}
"""The sentence for an entry of each type."""

FIELDS = {
    "season.changed": ("name",),
    "season.game_left_out": ("game", "reason"),
    "season.points_given": ("player", "points", "reason"),
    "season.withdrawn": ("entry",),
    "season.erased": ("entry", "reason"),
}
"""The form fields for an entry of each type."""


class RuleFields(NamedTuple):
    """The choices and current values in the form for the rules of a season."""

    rules: dict[str, Any]
    kinds: dict[str, str]
    points: str
    bonus: dict[str, dict[str, Any]]
    bonuses: dict[str, str] = BONUSES
    tie_breaks: dict[str, str] = TIE_BREAKS


def rule_fields(rules: dict[str, Any]) -> RuleFields:
    """The form fields for these rules."""
    kinds = dict.fromkeys([*RULESETS, *visible_kinds(), *filter(None, [rules.get("kind")])])
    points = "; ".join(",".join(map(str, each)) for each in rules.get("points", ()))
    return RuleFields(rules, kind_names(kinds), points, {each["kind"]: each for each in rules.get("bonuses", ())})


@page("POST", "/clubs/<uuid:club>/seasons", scope=Need("games:open"))
def found_season(club: UUID) -> AnyResponse:
    """Create a season of a club."""
    form = request.form
    sent = {"id": form.get("id", ""), "name": form.get("name", ""), "club": str(club), "rules": _rules(form)}
    made = make_season(SeasonSchema().load(sent))
    return redirect(url_for("pages.show_season", season=made.season), 303)


@page("GET", "/seasons/<uuid:season>", scope=SEEN)
def show_season(season: UUID) -> str:
    """A season: its table with the games behind all points, its rules and its history."""
    seen = season_seen(str(season))
    info, past = season_info(seen), history(seen)
    games = {line.game for row in info.table for line in row.games}
    club = club_info(visible_club(info.club)) if info.organises else None
    people = {each.player: each.name for each in club.members} if club else {}
    people |= {row.player: row.name for row in info.table}
    called = called_games(games | info.left_out.keys())
    return render_template(
        "season.html",
        info=info,
        entries=past.entries[::-1],
        erasable=with_texts(past.entries),
        said={each.version: _said(each, past.names, called) for each in past.entries},
        called=called,
        games=[(game, called[game]) for game in sorted(games, key=called.__getitem__)],
        people=[(player, name or gettext("somebody")) for player, name in people.items()],
        rules=[*_rules_in_words(info)],
        season=rule_fields(info.rules),
        shown=as_shown(name=info.name, description=info.description, rules=_form_values(info.rules)),
        id=lambda: str(uuid7()),
    )


@page("GET", "/seasons/<uuid:season>/table.csv", scope=SEEN)
def save_season_table(season: UUID) -> Response:
    """The table of a season as CSV."""
    return csv_page(season_csv, season_info(season_seen(str(season))))


def csv_page(write: Callable[..., str], found: object) -> Response:
    """A table as CSV, in the dialect of the request. Raises `bad-request`."""
    return Response(write(found, **_csv_options()), content_type="text/csv; charset=utf-8")


def _csv_options() -> dict[str, Any]:
    """The CSV options of the request. Raises `bad-request`."""
    query = StandingsQuery()
    asked = query.load({name: request.args[name] for name in query.fields.keys() & request.args.keys()})
    return {"dialect": dialect_of(asked["locale"]), "bom": asked["bom"]}


def _said(entry: ClubEntry, names: dict[str, str], called: dict[str, str]) -> str:
    data = entry.data
    text = gettext(
        SAID[entry.type],
        who=names.get(data.get("player", "")) or gettext("somebody"),
        points=f"{data.get('points', 0):+}",
        game=called.get(data.get("game", ""), gettext("Game")),
        entry=data.get("entry", ""),
    )
    return " · ".join(filter(None, (text, data.get("reason"))))


def _rules_in_words(info: SeasonInfo) -> Iterator[str]:
    """The rules of a season, one sentence each."""
    rules = info.rules
    first, last = rules.get("first"), rules.get("last")
    if first or last:
        yield gettext("Games from %(first)s to %(last)s count.", first=first or "…", last=last or "…")
    if kind := rules.get("kind"):
        yield gettext("Only %(game)s counts.", game=kind_names([kind])[kind])
    yield from _points_in_words(rules)
    yield from _table_in_words(rules)


def _points_in_words(rules: dict[str, Any]) -> Iterator[str]:
    """What a game gives."""
    for points in rules.get("points", ()):
        text = ", ".join(map(str, points))
        yield gettext("With %(players)s players the places give %(points)s points.", players=len(points), points=text)
    if not rules.get("points"):
        yield gettext("A game gives the share of opponents beaten: 1 for the first, 0 for the last.")
    for bonus in rules.get("bonuses", ()):
        what = gettext(BONUSES[bonus["kind"]]) + (f" {bonus.get('at', 0)}" if bonus["kind"] != "played" else "")
        yield gettext("Bonus: %(what)s: %(points)s", what=what, points=f"{bonus['points']:+}")


def _table_in_words(rules: dict[str, Any]) -> Iterator[str]:
    """Which games count in the table, who stands there, and in which order."""
    if best := rules.get("best"):
        yield ngettext(
            "Only the best game of each person counts.", "Only the best %(count)s games of each person count.", best
        )
    if least := rules.get("least"):
        yield ngettext("A rank needs %(count)s game.", "A rank needs %(count)s games.", least)
    if rules.get("members"):
        yield gettext("Only members are in the table")
    if tie_breaks := rules.get("tie_breaks"):
        text = ", ".join(gettext(TIE_BREAKS[name]) for name in tie_breaks)
        yield gettext("Equal points are decided by: %(tie_breaks)s.", tie_breaks=text)


@page("POST", "/seasons/<uuid:season>", scope=KNOWN)
def change_season(season: UUID) -> AnyResponse:
    """Record an entry from a form of the page."""
    form = request.form
    kind, data = sent_entry(form, FIELDS)
    if kind == "season.changed":
        data = changed_values(form, data | {"description": form.get("description", ""), "rules": _rules(form)})
    data |= {name: _whole(data[name]) for name in ("points", "entry") if name in data}
    if entry := entry_of(form, kind, data):
        record(str(season), entry)
    return redirect(url_for("pages.show_season", season=season), 303)


def _rules(form: MultiDict[str, str]) -> dict[str, Any]:
    """The rules in a form. A value that is not a number stays a text, and the service reports its field."""
    rules: dict[str, Any] = {name: form[name] for name in ("first", "last", "kind") if form.get(name)}
    rules |= {name: _whole(form[name]) for name in ("best", "least") if form.get(name)}
    rules["points"] = point_lists(form.get("points", ""))
    rules["bonuses"] = [
        {"kind": kind, "points": _whole(form[f"bonus_{kind}"]), "at": _whole(form.get(f"at_{kind}") or "0")}
        for kind in BONUSES
        if form.get(f"bonus_{kind}")
    ]
    return rules | {"tie_breaks": [*filter(None, form.getlist("tie_breaks"))], "members": "members" in form}


def _form_values(rules: dict[str, Any]) -> dict[str, Any]:
    """The rules in the format of the form."""
    given = {each["kind"]: {"at": 0} | each for each in rules.get("bonuses", ())}
    none = {"points": [], "best": 0, "least": 0, "tie_breaks": [], "members": False}
    return none | rules | {"bonuses": [given[kind] for kind in BONUSES if kind in given]}


def point_lists(text: str) -> list[list[int | str]]:
    """Parse the points of places, one list per number of players, such as `5,3,2,0; 3,1,0`."""
    return [[_whole(each.strip()) for each in part.split(",")] for part in text.split(";") if part.strip()]


def _whole(text: str) -> int | str:
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 16 else text
