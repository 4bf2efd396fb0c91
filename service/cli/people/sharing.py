"""Sharing: who may see a game, and what people may do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from uuid_utils import uuid7

from events.schemas import is_uuid
from service.access.scopes import ROLES
from service.api.answers.access import (
    GameVisibility,
    InvitationInfo,
    InvitationList,
    MadeInvitation,
    RoleInfo,
    RoleList,
)
from service.api.answers.people import Player, PlayerList
from service.api.answers.proof import Trail
from service.cli.people.players import find_player, list_alike, list_merges, merge_player, player_argument, split_player
from service.cli.shell import screen
from service.cli.shell.arguments import game_argument, json_option
from service.cli.shell.connection import phone_base, with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.group import Group
from service.cli.shell.references import game_id, matches_id
from service.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from service.cli.shell.client import Client

MEANING = {
    "private": gettext_noop("Only its players and people with a role may see it."),
    "link": gettext_noop("Anyone with the link may see it, as the public at the table sees it."),
    "public": gettext_noop("Everybody may see it, as the public at the table sees it, and it appears in lists."),
}


@click.command()
@game_argument
@click.argument("visibility", type=click.Choice(list(MEANING)), required=False)
@json_option
@with_client()
def share(client: Client, game: str, visibility: str | None, as_json: bool) -> None:
    """Set who may see a game: `private`, `link` (anyone with the link) or `public`. Without a level, show it."""
    path = f"/v1/games/{game_id(client, game)}/visibility"
    if visibility:
        found = client.send("PUT", path, GameVisibility, {"visibility": visibility})
    else:
        found = client.get(path, GameVisibility)
    screen.data(found) if as_json else screen.out().print(gettext(MEANING[found.visibility]))


@click.group(cls=Group)
def people() -> None:
    """Manage who may do what, on the service or in one game, and who was entered twice; show the trail.

    PLAYER is a person's id, the whole name, or part of it if nobody else has it.
    """


for command in (list_alike, merge_player, split_player, list_merges):
    people.add_command(command)


game_option = click.option("--game", metavar="GAME", help="The game; if left out, the whole service.")


@people.command("roles")
@game_option
@json_option
@with_client()
def list_roles(client: Client, game: str | None, as_json: bool) -> None:
    """List who may do what."""
    path = _path(client, game)
    if as_json:
        click.echo(client.fetch(path))
        return
    rows = screen.table("person", "role", "seats", "since")
    for each in client.get(path, RoleList).roles:
        seats = ", ".join(str(seat + 1) for seat in each.seats)
        rows.add_row(each.name or each.player, gettext(each.role) if each.role else "–", seats or "–", each.since[:10])
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("Only the owner."))


@people.command("let")
@player_argument
@click.argument("role", type=click.Choice(list(ROLES)), required=False)
@game_option
@click.option("--seat", "seats", multiple=True, type=click.IntRange(1), help="A seat to play, from 1 on.")
@json_option
@with_client()
def give_role(
    client: Client, player: str, role: str | None, game: str | None, seats: tuple[int, ...], as_json: bool
) -> None:
    """Give a person a ROLE (viewer, recorder, referee or owner), or a seat of a game."""
    known = find_player(client, player)
    given = _give_role(client, known.id, role, game, seats)
    if as_json:
        screen.data(given)
        return
    where = gettext("in this game") if game else gettext("on the service")
    seated = gettext(" and ").join(gettext("seat %(seat)s", seat=seat + 1) for seat in given.seats)
    what = gettext(" and ").join(
        filter(
            None, (given.role and gettext(given.role), gettext("player of %(seated)s", seated=seated) if seated else "")
        )
    )
    screen.out().print(gettext("%(name)s is %(what)s %(where)s from now on.", name=known.name, what=what, where=where))


@click.command()
@player_argument
@click.argument("role", type=click.Choice(list(ROLES)), required=False)
@game_option
@click.option("--seat", "seats", multiple=True, type=click.IntRange(1), help="A seat to play, from 1 on.")
@json_option
@with_client()
def invite(
    client: Client, player: str, role: str | None, game: str | None, seats: tuple[int, ...], as_json: bool
) -> None:
    """Invite a person: print a link, its QR code and a short code. They log one phone in, within thirty minutes.

    The person also gets the ROLE or the seat that you name. A PLAYER with an unknown name is a new person.
    """
    require_service(client)
    known = _known_or_new(client, player)
    if role or seats:
        _give_role(client, known.id, role, game, seats)
    made = client.send("POST", "/v1/invitations", MadeInvitation, {"player": known.id})
    if as_json:
        screen.data(made)
        return
    print_invitation(client, made)
    screen.hint(
        gettext(
            "It logs one browser in as %(name)s, until %(ends_at)s UTC.", name=known.name, ends_at=made.ends_at[11:16]
        )
    )


def require_service(client: Client) -> None:
    """Check that a phone would find a service. Raises `CommandError`."""
    if "://" not in client.where:
        raise CommandError(gettext("no service is running"), gettext("Start one with `kifu serve`."))


def print_invitation(client: Client, made: MadeInvitation) -> None:
    """Show the link of an invitation, its QR code and its short code."""
    base = phone_base(client, made.base)
    click.echo(f"{base}{made.path}")
    screen.qr(f"{base}{made.path}")
    screen.out().print(gettext("Or type %(code)s at %(base)s/join", code=made.info.code, base=base), soft_wrap=True)


def open_invitation(listed: list[InvitationInfo], named: str, hint: str) -> str:
    """The id of the one listed invitation with this id, or this part of one. Raises `CommandError`."""
    found = [each.id for each in listed if matches_id(each.id, named)]
    if len(found) == 1:
        return found[0]
    why = (
        gettext("%(named)s matches %(found)s invitations", found=len(found), named=named)
        if found
        else gettext("no open invitation has the id %(named)s", named=named)
    )
    raise CommandError(why, hint)


def _known_or_new(client: Client, text: str) -> Player:
    if not client.get("/v1/players", PlayerList, q=text).players and not is_uuid(text):
        return client.send("PUT", f"/v1/players/{uuid7()}", Player, {"name": text})
    return find_player(client, text)


def _give_role(client: Client, player: str, role: str | None, game: str | None, seats: tuple[int, ...]) -> RoleInfo:
    """Raises `CommandError`."""
    if seats and not game:
        raise CommandError(gettext("a seat belongs to a game"), gettext("Name it with --game."))
    if not role and not seats:
        raise CommandError(gettext("a role is missing"), gettext("Give a role, or a seat with --seat."))
    body: dict[str, object] = {"role": role} | ({"seats": [seat - 1 for seat in seats]} if seats else {})
    return client.send("PUT", f"{_path(client, game)}/{player}", RoleInfo, body)


@people.command("forbid")
@player_argument
@game_option
@with_client()
def take_role(client: Client, player: str, game: str | None) -> None:
    """Take away a role or a seat."""
    known = find_player(client, player)
    client.send("DELETE", f"{_path(client, game)}/{known.id}", type(None))
    where = gettext("in this game") if game else gettext("on the service")
    screen.out().print(gettext("%(name)s has no role %(where)s any more.", name=known.name, where=where))


@people.command("invitations")
@json_option
@with_client()
def list_invitations(client: Client, as_json: bool) -> None:
    """List the invitations that are open, with their codes."""
    if as_json:
        click.echo(client.fetch("/v1/invitations"))
        return
    rows = screen.table("id", "person", "seat", "game", "code", "until (UTC)")
    for each in client.get("/v1/invitations", InvitationList).invitations:
        seat = "–" if each.seat is None else str(each.seat + 1)
        rows.add_row(each.id, each.name or each.player, seat, each.game or "–", each.code or "–", each.ends_at[11:16])
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("None."))


@people.command("withdraw")
@click.argument("named", metavar="ID")
@with_client()
def withdraw_invitation(client: Client, named: str) -> None:
    """Withdraw an invitation by its id, or four or more characters of its beginning or end."""
    listed = client.get("/v1/invitations", InvitationList).invitations
    found = open_invitation(listed, named, gettext("`kifu people invitations` shows those that are open."))
    client.send("DELETE", f"/v1/invitations/{found}", type(None))
    screen.out().print(gettext("Its link and its code no longer work."))


@people.command("trail")
@click.option("--after", type=click.IntRange(0), default=0, help="Begin after the line with this number.")
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=200, show_default=True, help="The largest number to list."
)
@json_option
@with_client()
def read_trail(client: Client, after: int, limit: int, as_json: bool) -> None:
    """Show the trail: who gave or took away which right, and when."""
    if as_json:
        click.echo(client.fetch("/v1/trail", after=after, limit=limit))
        return
    trail = client.get("/v1/trail", Trail, after=after, limit=limit)
    rows = screen.table("#", "when", "by", "what", "whom", "game")
    for each in trail.steps:
        by, whom = (trail.people.get(id_ or "", id_ or "–") for id_ in (each.by, each.person))
        rows.add_row(str(each.number), each.at[:16].replace("T", " "), by, each.what, whom, each.game or "–")
    screen.out().print(rows)


def _path(client: Client, game: str | None) -> str:
    return f"/v1/games/{game_id(client, game)}/roles" if game else "/v1/roles"
