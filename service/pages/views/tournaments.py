"""Tournaments: the list of them, and the page of each, for organisers and players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, redirect, render_template, request, url_for
from uuid_utils import uuid7

from service.access.gate import current_principal
from service.access.needs import KNOWN, SEEN, Need
from service.api.routes.tournaments import found, record, tournament_info, tournament_seen, tournaments_seen
from service.api.schemas import NewClubEntrySchema, TournamentQuery, TournamentSchema
from service.api.standings import tournament_csv
from service.languages import gettext
from service.languages.tournaments import FORMATS, ROUND_KINDS, TIE_BREAKS
from service.pages.blueprint import page, service_scopes
from service.problems.kinds import ProblemError

if TYPE_CHECKING:
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse


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
    info, who = tournament_info(tournament_seen(str(tournament)), _after()), current_principal()
    return render_template(
        "tournament.html",
        cup=info,
        names={each.player: each.name or gettext("somebody") for each in info.players},
        own=who.people if who else frozenset(),
        formats=FORMATS,
        tie_breaks=TIE_BREAKS,
        kinds=ROUND_KINDS,
        id=lambda: str(uuid7()),
    )


def _after() -> int | None:
    """The round that the address asks for. Raises `bad-request`."""
    asked = {name: request.args[name] for name in ("after",) if name in request.args}
    after: int | None = TournamentQuery().load(asked)["after"]
    return after


@page("GET", "/tournaments/<uuid:tournament>/table.csv", scope=SEEN)
def save_tournament_table(tournament: UUID) -> Response:
    """The table of a tournament as CSV, now or after a round."""
    info = tournament_info(tournament_seen(str(tournament)), _after())
    return Response(tournament_csv(info), content_type="text/csv; charset=utf-8")


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
