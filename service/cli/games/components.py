"""Named components: what was entered of a box once, to open many games with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
import msgspec

from service.api.answers.games import StateInfo
from service.api.answers.rulesets import ComponentsInfo, ComponentsList
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.clock import local_day
from service.cli.shell.connection import with_client
from service.cli.shell.failures import CommandError
from service.cli.shell.files import ComponentsFile
from service.cli.shell.group import Group
from service.cli.shell.references import game_id, segment
from service.languages import gettext

if TYPE_CHECKING:
    from service.cli.shell.client import Client

ruleset_argument = click.argument("ruleset", metavar="RULESET")
name_argument = click.argument("name", metavar="NAME")


@click.group(cls=Group)
def components() -> None:
    """List, show, store or remove the components of boxes.

    Components have a NAME that you choose. A game that is opened with --components NAME gets a copy.
    """


@components.command("list")
@ruleset_argument
@json_option
@with_client()
def list_components(client: Client, ruleset: str, as_json: bool) -> None:
    """List the components of RULESET."""
    path = _path(ruleset)
    if as_json:
        click.echo(client.fetch(path))
        return
    rows = screen.table("name", "entered")
    for found in client.get(path, ComponentsList).components:
        rows.add_row(
            found.name, local_day(found.created_at) if found.created_at else gettext("made up, to try things out")
        )
    screen.out().print(rows) if rows.row_count else screen.hint(
        gettext("All boxes are the same, or nobody has entered components yet.")
    )


@components.command("show")
@ruleset_argument
@name_argument
@with_client()
def show_components(client: Client, ruleset: str, name: str) -> None:
    """Print components as JSON."""
    found = client.get(_path(ruleset, name), ComponentsInfo)
    click.echo(msgspec.json.format(msgspec.json.encode(found.data)).decode())


@components.command("put")
@ruleset_argument
@name_argument
@click.argument("file", type=ComponentsFile(), required=False)
@click.option("--game", metavar="GAME", help="Use the components of this game, not a file.")
@click.option("--dry-run", is_flag=True, help="Only check them, and store nothing.")
@json_option
@with_client(makes=True)
def put_components(
    client: Client, ruleset: str, name: str, file: dict[str, Any] | None, game: str | None, dry_run: bool, as_json: bool
) -> None:
    """Keep the components in FILE (TOML or JSON; standard input if none is given) under NAME."""
    if game and file is not None:
        raise click.UsageError(gettext("Name a file or a game, not both."))
    if not game and file is None and sys.stdin.isatty():
        raise click.UsageError(gettext("Name a FILE, or a --game, or give the components on standard input."))
    data = _known_of(client, game) if game else _given(file)
    body = data if isinstance(data, dict) and "data" in data else {"data": data}
    kept = client.send("PUT", _path(ruleset, name), ComponentsInfo, body, dry_run=dry_run)
    if as_json:
        screen.data(kept)
        return
    if dry_run:
        screen.out().print(gettext("Dry run, nothing is stored. %(name)s is valid.", name=kept.name))
        return
    screen.out().print(
        gettext(
            "%(name)s is kept. Open a game with `kifu open %(ruleset)s --components '%(name)s'`.",
            name=kept.name,
            ruleset=ruleset,
        )
    )


@components.command("delete")
@ruleset_argument
@name_argument
@with_client()
def delete_components(client: Client, ruleset: str, name: str) -> None:
    """Remove components; games that were opened with them keep them."""
    client.send("DELETE", _path(ruleset, name), type(None))
    screen.out().print(gettext("%(name)s is removed.", name=name))


def _path(*parts: str) -> str:
    return "/".join(["/v1/components", *map(segment, parts)])


def _known_of(client: Client, game: str) -> object:
    state = client.get(f"/v1/games/{game_id(client, game)}/state", StateInfo).state
    if "components" not in state:
        raise CommandError(gettext("%(game)s has no components", game=game), gettext("Its ruleset has no components."))
    return state["components"]


def _given(file: dict[str, Any] | None) -> object:
    return ComponentsFile().convert("-", None, click.get_current_context()) if file is None else file
