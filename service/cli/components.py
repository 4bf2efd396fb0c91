"""Named components: what was entered of a box once, to open many games with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import click
import msgspec

from service.answers import ComponentsInfo, ComponentsList, StateInfo
from service.cli import screen, wording
from service.cli.arguments import json_option
from service.cli.connection import connected
from service.cli.failures import CommandError
from service.cli.references import game_id

if TYPE_CHECKING:
    from service.cli.client import Client

ruleset_argument = click.argument("ruleset", metavar="RULESET")
name_argument = click.argument("name", metavar="NAME")


@click.group()
def components() -> None:
    """List what was entered of boxes, show it, enter it, or remove it.

    Components are kept under a NAME of your own, and copied into each game that is opened with --components NAME.
    """


@components.command("list")
@ruleset_argument
@json_option
@connected()
def list_components(client: Client, ruleset: str, as_json: bool) -> None:
    """List the components of RULESET."""
    path = _path(ruleset)
    if as_json:
        click.echo(client.fetch(path))
        return
    rows = screen.table("name", "entered")
    for found in client.get(path, ComponentsList).components:
        rows.add_row(found.name, wording.day(found.created_at) if found.created_at else "made up, to try things out")
    screen.out().print(rows) if rows.row_count else screen.hint("Every box is the same, or nobody entered anything.")


@components.command("show")
@ruleset_argument
@name_argument
@connected()
def show_components(client: Client, ruleset: str, name: str) -> None:
    """Print components as JSON."""
    found = client.get(_path(ruleset, name), ComponentsInfo)
    click.echo(msgspec.json.format(msgspec.json.encode(found.data)).decode())


@components.command("put")
@ruleset_argument
@name_argument
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path, allow_dash=True), default="-")
@click.option("--game", metavar="GAME", help="Take what this game knows of its components, in place of a file.")
@connected(makes=True)
def put_components(client: Client, ruleset: str, name: str, file: Path, game: str | None) -> None:
    """Keep the JSON of FILE (standard input if none is given) under NAME."""
    data = _known_of(client, game) if game else _read(file)
    kept = client.send("PUT", _path(ruleset, name), ComponentsInfo, {"data": data})
    screen.out().print(f"{kept.name} is kept. Open a game with `kifu open {ruleset} --components '{kept.name}'`.")


@components.command("delete")
@ruleset_argument
@name_argument
@connected()
def delete_components(client: Client, ruleset: str, name: str) -> None:
    """Remove components; games that were opened with them keep them."""
    client.send("DELETE", _path(ruleset, name), type(None))
    screen.out().print(f"{name} is removed.")


def _path(*parts: str) -> str:
    return "/".join(["/v1/components", *(quote(part, safe="") for part in parts)])


def _known_of(client: Client, game: str) -> object:
    state = client.get(f"/v1/games/{game_id(client, game)}/state", StateInfo).state
    if "components" not in state:
        raise CommandError(f"{game} has no components", "Its ruleset takes none.")
    return state["components"]


def _read(file: Path) -> object:
    text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} is no JSON: {error}", "`kifu components show` prints an example.") from error
