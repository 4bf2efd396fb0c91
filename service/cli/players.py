"""Players: the names of people, which can be erased, and who of them sits where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from service.answers import GameInfo, Player, PlayerList
from service.cli import screen
from service.cli.arguments import game_argument, json_option, reason_option
from service.cli.connection import connected
from service.cli.corrections import because
from service.cli.entries import Pen, writing
from service.cli.failures import CommandError
from service.cli.references import game_id
from service.cli.seats import GUEST, seat_data, seat_named

if TYPE_CHECKING:
    from service.cli.client import Client

player_argument = click.argument("player", metavar="PLAYER")


@click.group()
def players() -> None:
    """List people, name them, or erase their names.

    PLAYER is a person's id, the whole name, or part of it if nobody else has it.
    """


@players.command("list")
@click.argument("query", default="")
@json_option
@connected()
def list_players(client: Client, query: str, as_json: bool) -> None:
    """List people by name; QUERY is part of it."""
    if as_json:
        click.echo(client.fetch("/v1/players", q=query))
        return
    rows = screen.table("id", "name")
    for player in client.get("/v1/players", PlayerList, q=query).players:
        rows.add_row(player.id, player.name)
    screen.out().print(rows) if rows.row_count else screen.hint("Nobody is called so." if query else "No names yet.")


@players.command("name")
@player_argument
@click.argument("name")
@json_option
@connected()
def name_player(client: Client, player: str, name: str, as_json: bool) -> None:
    """Give a person another name."""
    known = find_player(client, player)
    named = client.send("PUT", f"/v1/players/{known.id}", Player, {"name": name})
    if as_json:
        screen.data(named)
    else:
        screen.out().print(f"{known.name} is now called {named.name}.")


@players.command("erase")
@player_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@connected()
def erase_player(client: Client, player: str, yes: bool) -> None:
    """Erase a person's name for good.

    The games stay, with a nameless seat, and their chains still verify.
    """
    known = find_player(client, player)
    if yes and player not in {known.id, known.name}:
        raise CommandError(
            f"{player} is only a part of the name {known.name}", "Give all of it, or the id, with --yes."
        )
    if not yes:
        click.confirm(f"Erase the name {known.name} ({known.id}) for good?", abort=True, err=True)
    client.send("DELETE", f"/v1/players/{known.id}", type(None))
    screen.out().print(f"{known.id} has no name any more.")


@click.command()
@game_argument
@click.argument("seat", metavar="SEAT")
@click.argument("name", metavar="NAME")
@reason_option
@writing
@connected()
def seat(client: Client, game: str, seat: str, name: str, reason: str, pen: Pen) -> None:
    """Let NAME sit in SEAT from here on; ? is a guest.

    SEAT is its number from 1 on, what the ruleset calls it, or who sits there now. `kifu undo` gives it back.
    """
    game = game_id(client, game)
    taken = seat_named(client.get(f"/v1/games/{game}", GameInfo).seats, seat)
    data = {"seat": taken.seat} | seat_data(name) | because(reason)
    pen.write(client, game, "seat.changed", data, lambda _: f"{taken.label.en} is {_whose(name)} seat from here on.")


def _whose(name: str) -> str:
    return "a guest's" if name == GUEST else f"{name}'s"


def find_player(client: Client, text: str) -> Player:
    """The person that `text` means. Raises `CommandError` if it is nobody, or more than one."""
    everybody = client.get("/v1/players", PlayerList).players
    exact = [player for player in everybody if text in {player.id, player.name}]
    found = exact or [player for player in everybody if text.casefold() in player.name.casefold()]
    if not found:
        raise CommandError(f"nobody is called {text}", "`kifu players list` shows those that have a name.")
    if len(found) > 1:
        raise CommandError(
            f"{len(found)} people are meant by {text}",
            "Give an id: " + "; ".join(f"{player.id} {player.name}" for player in found[:5]),
        )
    return found[0]
