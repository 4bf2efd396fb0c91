"""Erasing texts and hidden parts of entries for good. The chain stays valid."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from projections.errors import VersionUnknownError
from service.api.answers.entries import Erasures
from service.api.answers.games import GameInfo
from service.cli.shell import screen
from service.cli.shell.arguments import entry_argument, game_argument, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.references import game_id
from service.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from service.cli.shell.client import Client


@click.command()
@game_argument
@entry_argument
@click.option("--hidden", is_flag=True, help="Erase the hidden facts, not the text.")
@click.option("--reason", default="", help="Why it is erased. The record keeps this.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@with_client()
def erase(client: Client, game: str, entry: int, hidden: bool, reason: str, yes: bool, as_json: bool) -> None:
    """Erase the text of ENTRY of a game for good: a title, a note, a reason.

    Its seal stays, so the chain and every proof hold. A new entry tells that it was erased, who did it, when and why.
    Backups and exports that were made before still have it.
    """
    game = game_id(client, game)
    what = "hidden" if hidden else "text"
    if not yes:
        last = client.get(f"/v1/games/{game}", GameInfo).version
        if entry > last:
            raise VersionUnknownError(game, entry, last)
        click.confirm(
            gettext("Erase the %(name)s of entry %(entry)s for good?", name=gettext(_NAMES[what]), entry=entry),
            abort=True,
            err=True,
        )
    answer = client.send(
        "POST", f"/v1/games/{game}/erasures", Erasures, {"entry": entry, "what": what, "reason": reason}
    )
    if as_json:
        screen.data(answer)
    elif any(each.what == what for each in answer.erased):
        screen.out().print(
            gettext("The %(name)s of entry %(entry)s is erased.", name=gettext(_NAMES[what]), entry=entry)
        )
    else:
        screen.out().print(gettext("Entry %(entry)s has no %(name)s.", entry=entry, name=gettext(_NAMES[what])))


_NAMES = {"text": gettext_noop("text"), "hidden": gettext_noop("hidden part")}
