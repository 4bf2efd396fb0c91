"""Share links: one game, shown from one point of view to everybody who has the link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from service.api.answers.access import LinkList, MadeLink
from service.api.answers.games import GameInfo
from service.cli.shell import screen
from service.cli.shell.arguments import Version, game_argument, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.group import Group
from service.cli.shell.references import game_id, matches_id
from service.cli.shell.seats import seat_named
from service.languages import gettext

if TYPE_CHECKING:
    from service.cli.shell.client import Client

NOT_SEATS = ("public", "record")


@click.group(cls=Group)
def links() -> None:
    """Make, list and revoke links that show one game to anyone who has them."""


@links.command("make")
@game_argument
@click.option("--seat", default="public", show_default=True, help="The viewpoint: `public`, `record` (all), or a seat.")
@click.option(
    "--at", type=Version, metavar="VERSION", help="As it stood at this version. If left out, the link follows the game."
)
@click.option("--days", type=click.IntRange(1), default=30, show_default=True, help="The number of days until it ends.")
@click.option("--name", default="", help="What it is for.")
@json_option
@with_client()
def make_link(client: Client, game: str, seat: str, at: int | None, days: int, name: str, as_json: bool) -> None:
    """Create a link to a game, and print it. It is shown only once."""
    game = game_id(client, game)
    if seat not in NOT_SEATS:
        seat = str(seat_named(client.get(f"/v1/games/{game}", GameInfo).seats, seat).seat)
    body = {"seat": seat, "days": days, "name": name} | ({"at": at} if at else {})
    made = client.send("POST", f"/v1/games/{game}/links", MadeLink, body)
    if as_json:
        screen.data(made)
        return
    click.echo(f"{client.where.rstrip('/')}{made.path}" if "://" in client.where else made.path)
    screen.hint(
        gettext(
            "Anyone with this link can see the game until %(ends_at)s. The link is shown only once.",
            ends_at=made.info.ends_at[:10],
        )
    )


@links.command("list")
@game_argument
@json_option
@with_client()
def list_links(client: Client, game: str, as_json: bool) -> None:
    """List the links of a game."""
    path = f"/v1/games/{game_id(client, game)}/links"
    if as_json:
        click.echo(client.fetch(path))
        return
    rows = screen.table("id", "name", "seen from", "at", "opened", "ends")
    for each in client.get(path, LinkList).links:
        seat = each.seat if each.seat in NOT_SEATS else gettext("seat %(int)s", int=int(each.seat) + 1)
        at = str(each.at) if each.at else "–"
        rows.add_row(each.id, each.name or "–", seat, at, str(each.opened), each.ends_at[:10])
    screen.out().print(rows) if rows.row_count else screen.hint(gettext("No link shows this game."))


@links.command("revoke")
@game_argument
@click.argument("named", metavar="ID")
@with_client()
def revoke_link(client: Client, game: str, named: str) -> None:
    """Revoke a link by its id, or four or more characters of its beginning or end."""
    path = f"/v1/games/{game_id(client, game)}/links"
    found = [each for each in client.get(path, LinkList).links if matches_id(each.id, named)]
    if len(found) != 1:
        raise CommandError(
            gettext("%(named)s matches %(found)s links", found=len(found), named=named),
            gettext("`kifu links list` shows all links."),
        )
    client.send("DELETE", f"{path}/{found[0].id}", type(None))
    screen.out().print(gettext("It no longer works."))
