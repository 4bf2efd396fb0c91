"""Tournaments: the list of them, and the page of each, for organisers and players."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from flask import Response, redirect, render_template, request, url_for
from uuid_utils import uuid7

from games.rulesets import RULESETS
from games.scoresheet import SCORESHEET
from games.scoresheet.ready import READY
from service.access.gate import current_principal
from service.access.needs import KNOWN, SEEN, Need
from service.api.founded import with_texts
from service.api.routes.clubs import can_organise, club_info, clubs_seen, find_club
from service.api.routes.games import find_games
from service.api.routes.statistics import visible_kinds
from service.api.routes.tournaments import (
    has_ended,
    history,
    make_tournament,
    propose_round,
    record,
    record_table_game,
    tournament_info,
    tournament_seen,
    tournaments_seen,
)
from service.api.schemas.clubs import TournamentGameSchema, TournamentQuery, TournamentSchema
from service.api.schemas.games import GamesQuery
from service.api.standings import tournament_csv
from service.languages import gettext, gettext_noop, localized
from service.languages.tournaments import FORMATS, ROUND_KINDS, TIE_BREAKS
from service.pages.blueprint import page, service_scopes
from service.pages.forms import SHOWN, as_shown, changed_values, entry_of, sent_entry
from service.pages.templating import name_of_play, person_name
from service.pages.views.people import kind_names
from service.pages.views.seasons import csv_page, point_lists
from service.problems.kinds import bad_field

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from werkzeug.datastructures import MultiDict
    from werkzeug.wrappers import Response as AnyResponse

    from projections.tournaments.record import Tournament
    from service.api.answers.clubs import ClubEntry
    from service.api.answers.tournaments import TournamentInfo, TournamentTable


SAID = {
    "tournament.founded": gettext_noop("%(who)s created the tournament"),
    "tournament.changed": gettext_noop("Name, description or rules changed"),
    "tournament.organiser_named": gettext_noop("Organiser: %(who)s"),
    "tournament.player_entered": gettext_noop("%(who)s entered"),
    "tournament.team_entered": gettext_noop("Team: %(who)s"),
    "tournament.player_left": gettext_noop("%(who)s left"),
    "tournament.bye_asked": gettext_noop("%(who)s does not play in round %(round)s"),
    "tournament.round_paired": gettext_noop("Round %(round)s was paired"),
    "tournament.result_entered": gettext_noop("Round %(round)s, table %(table)s: a result was entered"),
    "tournament.withdrawn": gettext_noop("Entry %(entry)s was withdrawn"),
    "tournament.erased": gettext_noop("The text of entry %(entry)s was erased"),
}
"""The sentence for an entry of each type."""

FIELDS = {
    "tournament.changed": ("name", "rounds", "minutes"),
    "tournament.player_entered": ("name", "player"),
    "tournament.team_entered": ("team", "name"),
    "tournament.player_left": ("player",),
    "tournament.bye_asked": ("player", "round", "kind"),
    "tournament.organiser_named": ("name", "player"),
    "tournament.round_paired": ("round",),
    "tournament.result_entered": ("round", "table", "game"),
    "tournament.withdrawn": ("entry",),
    "tournament.erased": ("entry", "reason"),
}
"""The form fields for an entry of each type."""


@page("GET", "/tournaments", scope=SEEN)
def list_tournaments() -> str:
    """The tournaments that the visitor may see."""
    founds = "games:open" in service_scopes()
    return render_template(
        "tournaments.html",
        tournaments=tournaments_seen(),
        founds=founds,
        formats=FORMATS,
        tie_breaks=TIE_BREAKS,
        clubs=[each for each in clubs_seen() if (club := find_club(each.club)) and can_organise(club)]
        if founds
        else [],
        rulesets=[(name, localized(each.title)) for name, each in RULESETS.items() if name != SCORESHEET.name],
        id=str(uuid7()),
    )


@page("POST", "/tournaments", scope=Need("games:open"))
def found_tournament() -> AnyResponse:
    """Create a tournament."""
    form = request.form
    numbers = ("rounds", "at_table", "minutes", "groups", "qualify", "draw")
    rules: dict[str, Any] = {name: _whole(form[name]) for name in numbers if form.get(name)}
    rules |= {"format": form.get("format", ""), "tie_breaks": [*filter(None, form.getlist("tie_breaks"))]}
    rules |= {"points": point_lists(form.get("points", "")), "third_place": "third_place" in form}
    sent = {"id": form.get("id", ""), "name": form.get("name", ""), "public": "public" in form, "rules": rules}
    sent |= {name: form[name] for name in ("club", "ruleset") if form.get(name)}
    made = make_tournament(TournamentSchema().load(sent))
    return redirect(url_for("pages.show_tournament", tournament=made.tournament), 303)


def _whole(text: str) -> int | str:
    return int(text) if text.isdecimal() and len(text) < 8 else text


@page("GET", "/tournaments/<uuid:tournament>", scope=SEEN)
def show_tournament(tournament: UUID) -> str:
    """A tournament: its rounds and its table, with the tie-breaks explained."""
    seen, who = tournament_seen(str(tournament)), current_principal()
    info, past = tournament_info(seen, _asked_round()), history(seen)
    own = seen.played_as(who.people) if who else frozenset[str]()
    names = _names(info)
    return render_template(
        "tournament.html",
        cup=info,
        names=names,
        organisers={player: person_name(player, past.names.get(player)) for player in info.organisers},
        own=own,
        formats=FORMATS,
        tie_breaks=TIE_BREAKS,
        kinds=ROUND_KINDS,
        entries=past.entries[::-1],
        erasable=with_texts(past.entries),
        said={each.version: _said(each, {**past.names, **names}) for each in past.entries},
        opens="games:open" in service_scopes(),
        playable=[] if info.ruleset else _playable_games(),
        fitting=_matching_games(info, own),
        members=_members(info),
        began=_first_seats(info),
        ended=info.organises and has_ended(seen),
        shown=_shown_settings(info),
        as_table=_as_table,
        proposal=propose_round(seen) if info.organises and "by_hand" in request.args else None,
        id=lambda: str(uuid7()),
    )


@page("GET", "/tournaments/<uuid:tournament>/wall", scope=SEEN)
def show_wall(tournament: UUID) -> str:
    """The last round and the table for a wall screen, which updates by itself."""
    info = tournament_info(tournament_seen(str(tournament)))
    minutes, ends = info.rules.get("minutes", 0), ""
    if minutes and info.rounds and not info.rounds[-1].over:
        ends = (datetime.fromisoformat(info.rounds[-1].paired_at) + timedelta(minutes=minutes)).isoformat()
    return render_template("wall.html", cup=info, names=_names(info), kinds=ROUND_KINDS, ends=ends)


def _shown_settings(info: TournamentInfo) -> str:
    """The current values in the form that changes a tournament."""
    rules = {name: info.rules.get(name, none) for name, none in (("rounds", 0), ("minutes", 0), ("tie_breaks", []))}
    return as_shown(name=info.name, description=info.description, public=info.public, **rules)


def _as_table(table: TournamentTable) -> str:
    """The current values in the forms for the result of a table."""
    return as_shown(players=table.players, places=table.places, scores=table.scores, forfeits=table.forfeits)


def _check_table(tournament: Tournament, form: MultiDict[str, str]) -> None:
    """Raise `bad-request` if a table has changed since the form was shown, unless this result is already recorded."""
    tables = {
        (str(number), str(at)): _as_table(table)
        for number, each in enumerate(tournament_info(tournament, 0).rounds, 1)
        for at, table in enumerate(each.tables, 1)
    }
    found = tables.get((form.get("round", ""), form.get("table", "")))
    recorded = {each for entry in history(tournament).entries for each in (entry.id, entry.data.get("game"))}
    if form.get(SHOWN, found) != found and form.get("id") not in recorded:
        raise bad_field("table", gettext("it has other players or another result by now: open the page again"))


def _names(info: TournamentInfo) -> dict[str, str]:
    return {each.player: each.name or gettext("somebody") for each in info.players}


def _playable_games() -> list[tuple[str, str]]:
    """The games that a table can play: rulesets, and the ready sheets that were played here."""
    rulesets = [(name, localized(each.title)) for name, each in RULESETS.items() if name != SCORESHEET.name]
    templates = {f"{SCORESHEET.name}/{data['name']}": f"{SCORESHEET.name}/{name}" for name, data in READY.items()}
    sheets = [kind for kind in visible_kinds() if kind in templates]
    return rulesets + [(templates[kind], name) for kind, name in kind_names(sheets).items()]


def _matching_games(info: TournamentInfo, own: Collection[str]) -> defaultdict[tuple[int, int], list[tuple[str, str]]]:
    """By round and table: games with the people of a table, if the visitor may enter their results."""
    found = defaultdict[tuple[int, int], list[tuple[str, str]]](list)
    members = {each.player: each.members for each in info.players}
    wanted = {
        (number, at): sorted(member for player in table.players for member in members[player] or [player])
        for number, each in enumerate(info.rounds, 1)
        for at, table in enumerate(each.tables, 1)
        if not table.places and (info.organises or not set(own).isdisjoint(table.players))
    }
    if not wanted:
        return found
    taken = {table.game for each in info.rounds for table in each.tables}
    for game in find_games(GamesQuery().load({"forks": "false"})).games:
        people = sorted(seat.player or "" for seat in game.seats)
        for place in [place for place, players in wanted.items() if players == people and game.game not in taken]:
            found[place].append((game.game, " · ".join(filter(None, (name_of_play(game), game.title, game.day)))))
    return found


def _members(info: TournamentInfo) -> list[tuple[str, str]]:
    """The members of the club who are not in the tournament."""
    club = find_club(info.club) if info.club and info.organises else None
    playing = {player for each in info.players for player in (each.player, *each.members)}
    members = club_info(club).members if club else []
    return [(each.player, each.name or gettext("somebody")) for each in members if each.player not in playing]


def _first_seats(info: TournamentInfo) -> dict[str, tuple[int, int]]:
    """The number of tables where each player had the first seat, and the number of their tables."""
    seats = [table.players for each in info.rounds for table in each.tables]
    return {
        each.player: (
            sum(players[0] == each.player for players in seats),
            sum(each.player in players for players in seats),
        )
        for each in info.players
        if any(each.player in players for players in seats)
    }


def _said(entry: ClubEntry, names: dict[str, str]) -> str:
    data = entry.data
    person = data.get("player") or data.get("team") or data.get("founder", "")
    text = gettext(
        SAID[entry.type],
        who=person_name(person, names.get(person)),
        round=data.get("round", ""),
        table=data.get("table", ""),
        entry=data.get("entry", ""),
    )
    return " · ".join(filter(None, (text, data.get("reason"))))


def _asked_round() -> int | None:
    """The round in the address. Raises `bad-request`."""
    asked = {name: request.args[name] for name in ("after",) if name in request.args}
    after: int | None = TournamentQuery().load(asked)["after"]
    return after


@page("GET", "/tournaments/<uuid:tournament>/table.csv", scope=SEEN)
def save_tournament_table(tournament: UUID) -> Response:
    """The table of a tournament as CSV, current or after a round."""
    return csv_page(tournament_csv, tournament_info(tournament_seen(str(tournament)), _asked_round()))


@page("POST", "/tournaments/<uuid:tournament>", scope=KNOWN)
def change_tournament(tournament: UUID) -> AnyResponse:
    """Record an entry from a form of the page."""
    form = request.form
    kind, data = sent_entry(form, FIELDS)
    data |= {name: _whole(data[name]) for name in ("round", "table", "entry", "rounds", "minutes") if name in data}
    if kind == "tournament.changed":
        data |= {"public": "public" in form, "description": form.get("description", "")}
        if "tie_breaks" in form:
            data["tie_breaks"] = [*filter(None, form.getlist("tie_breaks"))]
        data = changed_values(form, data)
    if kind == "tournament.organiser_named":
        data["organises"] = "remove" not in form
    if kind == "tournament.round_paired" and "player" in form:
        data |= _chosen_tables(form)
    if kind == "tournament.team_entered":
        data["players"] = [name.strip() for name in form.get("players", "").splitlines() if name.strip()]
    if kind == "tournament.result_entered":
        _check_table(tournament_seen(str(tournament)), form)
        data |= {} if "game" in data else _result_in(form)
    if entry := entry_of(form, kind, data):
        record(str(tournament), entry)
    return redirect(url_for("pages.show_tournament", tournament=tournament), 303)


@page("POST", "/tournaments/<uuid:tournament>/games", scope=Need("games:open"))
def open_tournament_game(tournament: UUID) -> AnyResponse:
    """Open the game of a table."""
    form = request.form
    _check_table(tournament_seen(str(tournament)), form)
    ruleset, _, template = form.get("played", "").partition("/")
    sent: dict[str, Any] = {name: _whole(form.get(name, "")) for name in ("round", "table")}
    sent |= {"id": form.get("id", ""), "ruleset": ruleset, "options": {"template": template} if template else {}}
    game = record_table_game(str(tournament), TournamentGameSchema().load(sent))
    return redirect(url_for("pages.show_game", game=game.game), 303)


def _result_in(form: MultiDict[str, str]) -> dict[str, Any]:
    """The result in a form: places if given, otherwise points; and the seats that did not play."""
    found: dict[str, Any] = {"forfeits": [_whole(each) for each in form.getlist("forfeit")]}
    places, scores = form.getlist("place"), form.getlist("score")
    if any(places):
        found["places"] = [_whole(each) for each in places]
    elif any(scores):
        found["scores"] = [_score(each) for each in scores]
    return found


def _chosen_tables(form: MultiDict[str, str]) -> dict[str, Any]:
    """The tables of a round, from the table number of each player. Players without a number have a bye, as proposed."""
    tables, byes = defaultdict[int, list[str]](list), list[dict[str, str]]()
    for player, at, kind in zip(*map(form.getlist, ("player", "at", "kind")), strict=False):
        if not at.strip():
            byes.append({"player": player, "kind": kind or "bye"})
        elif isinstance(number := _whole(at.strip()), int):
            tables[number].append(player)
        else:
            raise bad_field("at", gettext("%(text)s is not the number of a table", text=at))
    for number, players in tables.items():
        if len(players) == 1:
            raise bad_field("at", gettext("table %(table)s has one player", table=number))
    return {"tables": [{"players": players} for _, players in sorted(tables.items())], "byes": byes}


def _score(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
