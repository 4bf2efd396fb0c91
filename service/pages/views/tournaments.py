"""Tournaments: the list of them, and the page of each, for organisers and players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import redirect, render_template, request, url_for
from uuid_utils import uuid7

from service.access.gate import current_principal
from service.access.needs import KNOWN, SEEN, Need
from service.api.routes.tournaments import found, record, tournament_info, tournament_seen, tournaments_seen
from service.api.schemas import NewClubEntrySchema, TournamentQuery, TournamentSchema
from service.languages import gettext, gettext_noop
from service.pages.blueprint import page, service_scopes
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse

    from events.tournaments import Format, TieBreak

FORMATS: dict[Format, str] = {
    "round_robin": gettext_noop("Round robin"),
    "swiss": gettext_noop("Swiss"),
    "knock_out": gettext_noop("Knock-out"),
    "groups": gettext_noop("Groups, then knock-out"),
}
TIE_BREAKS: dict[TieBreak, str] = {
    "direct_encounter": gettext_noop("Direct encounter"),
    "buchholz_cut_1": gettext_noop("Buchholz cut 1"),
    "buchholz_cut_2": gettext_noop("Buchholz cut 2"),
    "buchholz_median": gettext_noop("Median Buchholz"),
    "buchholz": gettext_noop("Buchholz"),
    "sonneborn_berger": gettext_noop("Sonneborn–Berger"),
    "wins": gettext_noop("Wins"),
    "opponents_win_rate": gettext_noop("Win rate of opponents"),
    "score_difference": gettext_noop("Score difference"),
    "score_total": gettext_noop("Sum of scores"),
}
"""The tie-breaks, in the order in which the page takes them."""

KINDS = {
    "bye": gettext_noop("bye"),
    "half": gettext_noop("half-point bye"),
    "zero": gettext_noop("absent"),
    "rest": gettext_noop("rests"),
    "walkover": gettext_noop("walkover"),
    "missed": gettext_noop("missed"),
    "forfeit_win": gettext_noop("won by forfeit"),
    "forfeit_loss": gettext_noop("lost by forfeit"),
}
"""What is said of a round without opponents."""


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
        id=str(uuid7()),
    )


@page("POST", "/tournaments", scope=Need("games:open"))
def found_tournament() -> AnyResponse:
    """Found a tournament."""
    form = request.form
    rules: dict[str, Any] = {name: _whole(form[name]) for name in ("rounds", "at_table") if form.get(name)}
    rules |= {"format": form.get("format", ""), "tie_breaks": form.getlist("tie_breaks")}
    sent = {"id": form.get("id", ""), "name": form.get("name", ""), "public": "public" in form, "rules": rules}
    made = found(TournamentSchema().load(sent))
    return redirect(url_for("pages.show_tournament", tournament=made.tournament), 303)


def _whole(text: str) -> int | str:
    return int(text) if text.isdecimal() and len(text) < 8 else text


@page("GET", "/tournaments/<uuid:tournament>", scope=SEEN)
def show_tournament(tournament: UUID) -> str:
    """A tournament: its rounds and its table, with every tie-break explained."""
    after = TournamentQuery().load({name: request.args[name] for name in ("after",) if name in request.args})["after"]
    info, who = tournament_info(tournament_seen(str(tournament)), after), current_principal()
    return render_template(
        "tournament.html",
        cup=info,
        names={each.player: each.name or gettext("somebody") for each in info.players},
        own=who.people if who else frozenset(),
        formats=FORMATS,
        tie_breaks=TIE_BREAKS,
        kinds=KINDS,
        id=lambda: str(uuid7()),
    )


@page("POST", "/tournaments/<uuid:tournament>", scope=KNOWN)
def change_tournament(tournament: UUID) -> AnyResponse:
    """Record an entry that a form of the page sends."""
    form, kind = request.form, request.form.get("type", "")
    data: dict[str, Any] = {name: form[name] for name in ("name", "player") if form.get(name)}
    if kind == "tournament.result_entered":
        data = {name: _whole(form.get(name, "")) for name in ("round", "table")}
        data["scores"] = [_score(each) for each in form.getlist("score")]
    elif kind not in {"tournament.player_entered", "tournament.player_left", "tournament.round_paired"}:
        raise ProblemError("bad-request", gettext("no such entry"), errors=[{"field": "type", "message": kind[:80]}])
    record(str(tournament), NewClubEntrySchema().load({"id": form.get("id", ""), "type": kind, "data": data}))
    return redirect(url_for("pages.show_tournament", tournament=tournament), 303)


def _score(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
