"""The tree over the log: checkpoints, keys and proofs."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.sqlite import LOG
from events.stores import open_log
from events.tree.tree import restart as begin_anew
from projections.growing import NoticeBoard
from service.api.answers.proof import Consistency
from service.cli.shell import screen
from service.cli.shell.arguments import Version, force_option, game_argument, json_option
from service.cli.shell.connection import with_client
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.cli.shell.files import check_target, save
from service.cli.shell.group import Group
from service.cli.shell.references import game_id
from service.languages import gettext
from service.settings import from_environment

if TYPE_CHECKING:
    from service.cli.shell.client import Client

Size = click.IntRange(0, 2**53)


@click.group(cls=Group)
def tree() -> None:
    """Show what proves the whole log: its checkpoint, its key, and proofs.

    One tree of hashes covers all entries of all games. With a checkpoint and the key you can check later that no
    earlier entry was changed, left out, or put in another order.
    """


@tree.command("checkpoint")
@with_client()
def show_checkpoint(client: Client) -> None:
    """Print the last checkpoint, a signed note: name, number of entries, root hash, signature."""
    click.echo(client.fetch("/v1/tree/checkpoint"), nl=False)


@tree.command("key")
@with_client()
def show_key(client: Client) -> None:
    """Print the key that checkpoints and receipts are verified with: name+id+key.

    Give it to the people who will check this record, before they need it.
    """
    click.echo(client.fetch("/v1/tree/key"), nl=False)


@tree.command("prove")
@game_argument
@click.argument("version", type=Version, metavar="VERSION")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path, allow_dash=True), default=Path("-"))
@force_option
@json_option
@with_client()
def prove(client: Client, game: str, version: int, file: Path, force: bool, as_json: bool) -> None:
    """Write the receipt of an entry to FILE, or print it: the proof that it is in the tree, with the checkpoint.

    `kifu verify EXPORT --receipt FILE` checks it, anywhere and offline.
    """
    if not as_json:
        check_target(file, force=force)
    path = f"/v1/games/{game_id(client, game)}/events/{version}"
    if as_json:
        click.echo(client.fetch(f"{path}/proof"))
        return
    save([client.fetch(f"{path}/receipt")], file)


@tree.command("consistency")
@click.argument("older", type=Size, metavar="M")
@click.argument("newer", type=Size, metavar="N", required=False)
@json_option
@with_client()
def prove_consistency(client: Client, older: int, newer: int | None, as_json: bool) -> None:
    """Prove that the tree of N entries, or of the last checkpoint, begins like the one of M entries.

    The command prints the hashes of the proof (RFC 9162), one on each line.
    """
    query: dict[str, int | None] = {"from": older, "to": newer}
    if as_json:
        click.echo(client.fetch("/v1/tree/consistency", **query))
        return
    proof = client.get("/v1/tree/consistency", Consistency, **query)
    for hash_ in proof.proof:
        click.echo(hash_)
    screen.hint(
        gettext("The tree of %(newer)s entries begins as that of %(older)s.", newer=proof.newer, older=proof.older)
    )


@tree.command("restart")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@data_option
def restart(data: Path, yes: bool, as_json: bool) -> None:
    """Start a new tree over the log as it is now, with a new key.

    Use it when the log differs from the signed one and must go on, such as after a restored backup. The old tree and
    its key are kept aside. Tell everybody who holds a checkpoint of the old tree, and give them the new key.
    """
    settings = from_environment()
    database_url = settings.database_url
    if not (database_url or (data / LOG).exists()):
        raise CommandError(
            gettext("nothing is recorded in the data folder %(data)s", data=data),
            gettext("Name another one with --data or KIFU_DATA."),
        )
    with closing(open_log(data, database_url)) as log:
        if not yes:
            click.confirm(gettext("Start a new tree? It proves nothing about the old one."), abort=True, err=True)
        aside = begin_anew(data, log, settings.tree_key)
        if isinstance(log, NoticeBoard):
            log.post("tree-key", "", instead_of=log.notice("tree-key"))
    if as_json:
        screen.data({"aside": str(aside) if aside else None})
        return
    if aside:
        screen.out().print(gettext("The old tree and its key are in %(aside)s.", aside=aside))
    screen.out().print(gettext("A new tree is started. `kifu tree key` shows its key."))
