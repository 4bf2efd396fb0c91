"""Forks: what if a game had gone another way."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click
from uuid_utils import uuid7

from projections.comparison import Comparison
from service.api.answers.entries import Forked
from service.api.answers.games import GameInfo
from service.cli.games.games import listing
from service.cli.shell import screen, wording
from service.cli.shell.arguments import Version, game_argument, json_option, seat_option
from service.cli.shell.connection import with_client
from service.cli.shell.patience import with_retries
from service.cli.shell.references import all_games, game_id, short_id
from service.cli.shell.seats import viewpoint
from service.languages import gettext

if TYPE_CHECKING:
    from projections.timeline import Entry
    from service.cli.shell.client import Client


@click.command()
@game_argument
@click.option("--at", type=Version, metavar="VERSION", help="Begin with the record as it was at this version.")
@click.option(
    "--after", type=Version, metavar="ENTRY", help="Begin with the entries up to this one, corrected as they are today."
)
@click.option("--title", default="", help="What the fork is called in lists.")
@json_option
@with_client()
def fork(client: Client, game: str, at: int | None, after: int | None, title: str, as_json: bool) -> None:
    """Ask what if: open a game that begins like GAME, and print its id.

    It begins with all entries of GAME, or with those up to an earlier one. You record it like any other game. GAME does
    not change.
    """
    game = game_id(client, game)
    body = {"id": str(uuid7()), "at": at, "after": after, "title": title}
    asked = {name: value for name, value in body.items() if value is not None}
    forked = with_retries(lambda: client.send("POST", f"/v1/games/{game}/forks", Forked, asked))
    if as_json:
        screen.data(forked)
        return
    click.echo(forked.game)
    screen.hint(
        gettext(
            "Record what could have been with `kifu record %(game)s`, then `kifu compare` it.",
            game=short_id(forked.game),
        )
    )


@click.command()
@game_argument
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="The largest number to list.")
@json_option
@with_client()
def forks(client: Client, game: str, limit: int, as_json: bool) -> None:
    """List the forks of a game, the last recorded first."""
    game = game_id(client, game)
    if as_json:
        click.echo(client.fetch("/v1/games", origin=game, limit=min(limit, 500)))
        return
    found = list(islice(all_games(client, origin=game), limit + 1))
    if not found:
        screen.hint(gettext("It has no forks. `kifu fork` makes one."))
        return
    screen.out().print(listing(found[:limit]))
    if len(found) > limit:
        screen.hint(gettext("There are more. Use --limit %(limit)s.", limit=2 * limit))


@click.command()
@game_argument
@click.argument("other", default="", metavar="[OTHER]")
@seat_option
@json_option
@with_client()
def compare(client: Client, game: str, other: str, seat: str | None, as_json: bool) -> None:
    """Compare a game with OTHER: where they begin to differ, and their results.

    Without OTHER, a fork is compared with its origin.
    """
    game = game_id(client, game)
    query = {"with": game_id(client, other) if other else None, "seat": viewpoint(client, game, seat)}
    path = f"/v1/games/{game}/comparison"
    if as_json:
        click.echo(client.fetch(path, **query))
        return
    found = client.get(path, Comparison, **query)
    infos = [client.get(f"/v1/games/{each}", GameInfo) for each in found.games]
    out = screen.out()
    out.print(gettext("The first %(common)s moves and rulings are the same in both.", common=found.common))
    rows = screen.table("", *(short_id(each) for each in found.games))
    rows.add_row(gettext("title"), *(info.title for info in infos))
    if found.first_difference:
        parted = zip(found.first_difference, infos, strict=True)
        rows.add_row(gettext("then"), *(_next(entry, info) for entry, info in parted))
    rows.add_row(gettext("entries"), *map(str, found.versions))
    rows.add_row(gettext("scores"), *map(wording.points, found.scores))
    rows.add_row(gettext("outcome"), *(wording.status(info) for info in infos))
    out.print(rows)


def _next(entry: Entry | None, info: GameInfo) -> str:
    """The next move in one of the games."""
    if entry is None:
        return gettext("nothing more")
    return f"{entry.version}: {wording.actor(entry, info.seats).plain} {wording.entry_text(entry)}"
