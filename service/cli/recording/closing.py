"""Closing a complete record, and reopening it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from service.api.answers.games import GameInfo
from service.cli.recording.corrections import reason_data
from service.cli.recording.entries import EntryWriter, with_writer
from service.cli.shell.arguments import game_argument, reason_option
from service.cli.shell.connection import with_client
from service.cli.shell.references import game_id
from service.languages import gettext

if TYPE_CHECKING:
    from service.cli.shell.client import Client

ENDS = ("finished", "adjudicated", "abandoned")


@click.command()
@game_argument
@click.option("--as", "how", type=click.Choice(ENDS), help="How the game ended.  [default: as it stands]")
@reason_option
@with_writer
@with_client()
def close(client: Client, game: str, how: str | None, reason: str, writer: EntryWriter) -> None:
    """Close a game's record: it is complete, and takes notes and claims only.

    A game that ended by the rules is finished. One that a ruling decided is adjudicated. Any other one is abandoned.
    """
    write_closing(client, game_id(client, game), writer, how, reason)


def write_closing(client: Client, game: str, writer: EntryWriter, how: str | None = None, reason: str = "") -> None:
    """Close a game. None means the kind of end that fits its state."""
    status = client.get(f"/v1/games/{game}", GameInfo).status
    data = {"how": how or (status if status in ENDS else "abandoned")} | reason_data(reason)
    writer.write(
        client,
        game,
        "game.closed",
        data,
        lambda closed: gettext("The game is closed: %(data)s.", data=closed.data["how"]),
    )


@click.command()
@game_argument
@click.option("--reason", required=True, help="Why.")
@with_writer
@with_client()
def reopen(client: Client, game: str, reason: str, writer: EntryWriter) -> None:
    """Reopen a closed game, to go on or to correct its record."""
    data = {"reason": reason}
    writer.write(client, game_id(client, game), "game.reopened", data, lambda _: gettext("The game is open again."))
