"""Clubs: creating one, and managing its members, house rules and games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from uuid_utils import uuid7

from service.api.answers.access import InvitationList, MadeInvitation
from service.api.answers.clubs import ClubInfo, ClubList
from service.cli.people.founded import erasing_options, erasure, id_of_record, print_history, save_export
from service.cli.people.players import find_player
from service.cli.people.sharing import open_invitation, print_invitation, require_service
from service.cli.shell import screen
from service.cli.shell.arguments import force_option, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.files import check_target, json_object
from service.cli.shell.group import Creating
from service.cli.shell.references import game_id
from service.languages import gettext

if TYPE_CHECKING:
    from service.cli.shell.client import Client

club_argument = click.argument("club", metavar="CLUB")


@click.group(cls=Creating)
def clubs() -> None:
    """Create clubs, and manage their members, house rules and games.

    CLUB is a club's id, or its name.
    """


def find_club(client: Client, club: str) -> str:
    """The id of the club with this id or name. Raises `CommandError`."""
    found = client.get("/v1/clubs", ClubList).clubs
    unknown, several = gettext("no club %(club)s", club=club), gettext("several clubs have this name")
    return id_of_record(club, [(each.club, each.name) for each in found], [unknown], several)


def _record(client: Client, club: str, kind: str, data: dict[str, Any], *, as_json: bool) -> None:
    body = {"id": str(uuid7()), "type": kind, "data": data}
    _tell(client.send("POST", f"/v1/clubs/{find_club(client, club)}/entries", ClubInfo, body), as_json=as_json)


def _tell(club: ClubInfo, *, as_json: bool) -> None:
    if as_json:
        screen.data(club)
        return
    out = screen.out()
    out.print(f"{club.name}  {club.club}")
    if club.description:
        out.print(club.description)
    rows = screen.table("id", "name", "role")
    for member in club.members:
        rows.add_row(member.player, member.name or "–", gettext(member.role))
    out.print(rows)
    for rules in club.rules:
        out.print(f"{rules.ruleset}: {msgspec.json.encode(rules.options).decode()} {rules.text}".rstrip())
    for game in club.games:
        out.print(game)


@clubs.command("list")
@json_option
@with_client()
def list_clubs(client: Client, as_json: bool) -> None:
    """List the clubs that you may see."""
    if as_json:
        click.echo(client.fetch("/v1/clubs"))
        return
    rows = screen.table("id", "name", "members")
    for each in client.get("/v1/clubs", ClubList).clubs:
        rows.add_row(each.club, each.name, str(each.members))
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("There is no club yet that you may see."))


@clubs.command("create")
@click.argument("name")
@click.option("--description", default="", help="What the club is.")
@click.option("--public", is_flag=True, help="Everybody may see it.")
@json_option
@with_client(makes=True)
def create_club(client: Client, name: str, description: str, public: bool, as_json: bool) -> None:
    """Create a club; you are its first organiser."""
    body = {"id": str(uuid7()), "name": name, "description": description, "public": public}
    _tell(client.send("POST", "/v1/clubs", ClubInfo, body), as_json=as_json)


@clubs.command("show")
@club_argument
@json_option
@with_client()
def show_club(client: Client, club: str, as_json: bool) -> None:
    """Show a club: its members, house rules and games."""
    _tell(client.get(f"/v1/clubs/{find_club(client, club)}", ClubInfo), as_json=as_json)


@clubs.command("rename")
@club_argument
@click.argument("name")
@json_option
@with_client()
def rename_club(client: Client, club: str, name: str, as_json: bool) -> None:
    """Give a club another name."""
    _record(client, club, "club.changed", {"name": name}, as_json=as_json)


@clubs.command("join")
@club_argument
@click.argument("name")
@click.option("--organiser", is_flag=True, help="The person may change the club.")
@json_option
@with_client()
def join_club(client: Client, club: str, name: str, organiser: bool, as_json: bool) -> None:
    """Make a person a member, or give a member the other role."""
    _record(
        client,
        club,
        "club.member_joined",
        {"name": name, "role": "organiser" if organiser else "member"},
        as_json=as_json,
    )


@clubs.command("invite")
@club_argument
@click.argument("name", required=False)
@click.option("--organiser", is_flag=True, help="The person may change the club.")
@json_option
@with_client()
def invite(client: Client, club: str, name: str | None, organiser: bool, as_json: bool) -> None:
    """Invite to a club: print a link, its QR code, and a short code. One person joins by it, within thirty minutes.

    A browser that is logged in joins as its person. Any other one is logged in as a new person, called NAME.
    """
    require_service(client)
    body = {"role": "organiser" if organiser else "member", "name": name}
    made = client.send("POST", _invitations(client, club), MadeInvitation, body)
    if as_json:
        screen.data(made)
        return
    print_invitation(client, made)
    screen.hint(gettext("One person can join with it, until %(ends_at)s UTC.", ends_at=made.ends_at[11:16]))


@clubs.command("invitations")
@club_argument
@json_option
@with_client()
def list_invitations(client: Client, club: str, as_json: bool) -> None:
    """List the invitations to a club that are open, with their codes."""
    path = _invitations(client, club)
    if as_json:
        click.echo(client.fetch(path))
        return
    rows = screen.table("id", "person", "role", "code", "until (UTC)")
    for each in client.get(path, InvitationList).invitations:
        role = gettext(each.role or "member")
        rows.add_row(each.id, each.name or "–", role, each.code or "–", each.ends_at[11:16])
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("None."))


@clubs.command("uninvite")
@club_argument
@click.argument("named", metavar="ID")
@with_client()
def withdraw_invitation(client: Client, club: str, named: str) -> None:
    """Withdraw an invitation to a club by its id, or four or more characters of its beginning or end."""
    path = _invitations(client, club)
    hint = gettext("`kifu clubs invitations` shows those that are open.")
    found = open_invitation(client.get(path, InvitationList).invitations, named, hint)
    client.send("DELETE", f"{path}/{found}", type(None))
    screen.out().print(gettext("Its link and its code no longer work."))


def _invitations(client: Client, club: str) -> str:
    return f"/v1/clubs/{find_club(client, club)}/invitations"


@clubs.command("leave")
@club_argument
@click.argument("player", metavar="PLAYER")
@json_option
@with_client()
def leave_club(client: Client, club: str, player: str, as_json: bool) -> None:
    """Take a member out of a club."""
    _record(client, club, "club.member_left", {"player": find_player(client, player).id}, as_json=as_json)


@clubs.command("rules")
@club_argument
@click.argument("ruleset")
@click.option("--options", default="{}", help="Options as JSON, by name.")
@click.option("--text", default="", help="House rules in words.")
@json_option
@with_client()
def set_rules(client: Client, club: str, ruleset: str, options: str, text: str, as_json: bool) -> None:
    """Set how a club plays a ruleset."""
    given = json_object("--options", options)
    _record(client, club, "club.rules_set", {"ruleset": ruleset, "options": given, "text": text}, as_json=as_json)


@clubs.command("attach")
@club_argument
@click.argument("game", metavar="GAME")
@json_option
@with_client()
def attach_game(client: Client, club: str, game: str, as_json: bool) -> None:
    """Add a game to a club."""
    _record(client, club, "club.game_attached", {"game": game_id(client, game)}, as_json=as_json)


@clubs.command("detach")
@club_argument
@click.argument("game", metavar="GAME")
@json_option
@with_client()
def detach_game(client: Client, club: str, game: str, as_json: bool) -> None:
    """Take a game out of a club."""
    _record(client, club, "club.game_detached", {"game": game_id(client, game)}, as_json=as_json)


@clubs.command("history")
@club_argument
@json_option
@with_client()
def show_history(client: Client, club: str, as_json: bool) -> None:
    """Show the entries of a club. Those that do not count stand in brackets."""
    print_history(client, f"/v1/clubs/{find_club(client, club)}", as_json=as_json)


@clubs.command("undo")
@club_argument
@click.argument("entry", type=click.IntRange(2))
@json_option
@with_client()
def undo_entry(client: Client, club: str, entry: int, as_json: bool) -> None:
    """Withdraw ENTRY of a club. Withdraw the withdrawal to bring the entry back."""
    _record(client, club, "club.withdrawn", {"entry": entry}, as_json=as_json)


@clubs.command("erase")
@club_argument
@erasing_options
@json_option
@with_client()
def erase_text(client: Client, club: str, entry: int, reason: str, yes: bool, as_json: bool) -> None:
    """Erase the texts of ENTRY of a club for good: a name, a description, house rules.

    Their seals stay, so the chain and every proof hold. A new entry tells who erased them, when and why.
    """
    club = find_club(client, club)
    data = erasure(client, f"/v1/clubs/{club}", entry, reason, yes=yes)
    _record(client, club, "club.erased", data, as_json=as_json)


@clubs.command("export")
@club_argument
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), default="-")
@force_option
@with_client()
def export_club(client: Client, club: str, file: Path, force: bool) -> None:
    """Write a club to FILE as NDJSON, or to standard output. `kifu import` takes it in."""
    check_target(file, force=force)
    save_export(client, f"/v1/clubs/{find_club(client, club)}", file)
