"""Clubs: the list of them, and the page of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import redirect, render_template, request, url_for
from uuid_utils import uuid7

from games.rulesets import RULESETS
from projections.catalogue.lookups import find_game
from service.access.gate import current_principal
from service.access.needs import KNOWN, SEEN, Need
from service.api.founded import with_texts
from service.api.routes.clubs import club_info, clubs_seen, history, make_club, record, visible_club
from service.api.routes.games import find_games, read_lists
from service.api.routes.invitations import invitations_to_club, invited_once, withdraw_from_club
from service.api.routes.seasons import seasons_seen
from service.api.routes.tournaments import tournaments_seen
from service.api.schemas.access import ClubInvitationSchema
from service.api.schemas.clubs import ClubSchema
from service.api.schemas.games import GamesQuery
from service.languages import commas, gettext, gettext_noop, localized
from service.pages.blueprint import page, service_scopes
from service.pages.forms import as_shown, changed_values, entry_of, sent_entry
from service.pages.templating import name_of_play, person_name
from service.pages.views.seasons import rule_fields

if TYPE_CHECKING:
    from uuid import UUID

    from werkzeug.wrappers import Response as AnyResponse

    from projections.catalogue.rows import Listed
    from service.api.answers.clubs import ClubEntry, ClubInfo
    from service.api.answers.games import GameListed

SAID = {
    "club.founded": gettext_noop("%(who)s created the club"),
    "club.changed": gettext_noop("Name, description or visibility changed"),
    "club.member_joined": gettext_noop("%(who)s joined (%(role)s)"),
    "club.member_left": gettext_noop("%(who)s left"),
    "club.rules_set": gettext_noop("House rules were set: %(game)s"),
    "club.game_attached": gettext_noop("A game was added: %(game)s"),
    "club.game_detached": gettext_noop("A game was taken out: %(game)s"),
    "club.withdrawn": gettext_noop("Entry %(entry)s was withdrawn"),
    "club.erased": gettext_noop("The text of entry %(entry)s was erased"),
}
"""The sentence for an entry of each type."""

FIELDS = {
    "club.changed": ("name", "description", "public"),
    "club.member_joined": ("name", "player", "role"),
    "club.member_left": ("player",),
    "club.rules_set": ("ruleset", "text"),
    "club.game_attached": ("game",),
    "club.game_detached": ("game",),
    "club.withdrawn": ("entry",),
    "club.erased": ("entry", "reason"),
}
"""The form fields for an entry of each type."""


@page("GET", "/clubs", scope=SEEN)
def list_clubs() -> str:
    """The clubs that the visitor may see."""
    founds = "games:open" in service_scopes()
    return render_template("clubs.html", clubs=clubs_seen(), founds=founds, id=str(uuid7()))


@page("POST", "/clubs", scope=Need("games:open"))
def found_club() -> AnyResponse:
    """Create a club."""
    sent = {name: request.form.get(name, "") for name in ("id", "name", "description")}
    club = make_club(ClubSchema().load(sent | {"public": "public" in request.form}))
    return redirect(url_for("pages.show_club", club=club.club), 303)


@page("GET", "/clubs/<uuid:club>", scope=SEEN)
def show_club(club: UUID) -> str:
    """A club: its members, games, house rules, and history."""
    info, who = club_info(visible_club(str(club))), current_principal()
    past = history(str(club))
    own = who.people if who else frozenset()
    return render_template(
        "club.html",
        club=info,
        entries=past.entries[::-1],
        erasable=with_texts(past.entries),
        called={game: _game_name(game) for game in info.games},
        said={each.version: _said(each, past.names) for each in past.entries},
        offered=_games_to_add(info) if info.organises else [],
        invitations=invitations_to_club(info.club).invitations if info.organises else [],
        rulesets=RULESETS,
        seasons=seasons_seen(info.club),
        tournaments=tournaments_seen(info.club),
        season=rule_fields({}),
        own=own,
        shown=as_shown(name=info.name, description=info.description, public=info.public),
        opens="games:open" in service_scopes() and (info.organises or any(each.player in own for each in info.members)),
        id=lambda: str(uuid7()),
    )


def _said(entry: ClubEntry, names: dict[str, str]) -> str:
    data = entry.data
    ruleset, game = RULESETS.get(data.get("ruleset", "")), data.get("game")
    person = data.get("player") or data.get("founder", "")
    return gettext(
        SAID[entry.type],
        who=person_name(person, names.get(person)),
        role=gettext(data.get("role", "member")),
        game=localized(ruleset.title) if ruleset else _game_name(game) if game else data.get("ruleset", ""),
        entry=data.get("entry", ""),
    )


def _games_to_add(club: ClubInfo) -> list[tuple[str, str]]:
    """Visible games outside the club, the last recorded first, each with its name."""
    found = find_games(GamesQuery().load({"forks": "false"})).games
    return [
        (game.game, " · ".join(filter(None, (_named(game), game.day, _at_table(game)))))
        for game in found
        if game.game not in club.games
    ]


def _at_table(game: GameListed) -> str:
    return commas(seat.name for seat in game.seats if seat.name)


def _game_name(game: str) -> str:
    """The name of a game: what was played, and its title."""
    listed = read_lists(lambda db: find_game(db, game))
    return _named(listed) if listed else gettext("Game")


def _named(game: Listed | GameListed) -> str:
    return " · ".join(filter(None, (name_of_play(game), game.title)))


@page("POST", "/clubs/<uuid:club>", scope=KNOWN)
def change_club(club: UUID) -> AnyResponse:
    """Record an entry from a form of the page."""
    form = request.form
    kind, data = sent_entry(form, FIELDS)
    if kind == "club.changed":
        data |= {"public": "public" in form, "description": form.get("description", "")}
        data = changed_values(form, data)
    if kind == "club.rules_set":
        rules = {each.ruleset: each for each in club_info(visible_club(str(club))).rules}.get(data.get("ruleset", ""))
        data |= {"options": rules.options} if rules and rules.options else {}
    if "entry" in data and data["entry"].isdecimal() and len(data["entry"]) < 8:
        data["entry"] = int(data["entry"])
    if entry := entry_of(form, kind, data):
        record(str(club), entry)
    return redirect(url_for("pages.show_club", club=club), 303)


@page("POST", "/clubs/<uuid:club>/invitations", scope=KNOWN)
def invite_to_club(club: UUID) -> tuple[str, int]:
    """Create an invitation, and show its link, code and QR code. A form that is sent again shows the same one."""
    sent = {name: value for name in ("role", "name") if (value := request.form.get(name, "").strip())}
    made = invited_once(str(club), ClubInvitationSchema().load(sent), request.form.get("id"))
    return render_template("invitation.html", club=visible_club(str(club)), made=made), 201


@page("POST", "/clubs/<uuid:club>/invitations/withdraw", scope=KNOWN)
def withdraw_club_invitation(club: UUID) -> AnyResponse:
    """Withdraw an invitation to a club."""
    withdraw_from_club(str(club), request.form.get("invitation", ""))
    return redirect(url_for("pages.show_club", club=club), 303)
