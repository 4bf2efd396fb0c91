"""Copying the lists of a host for another host of the same database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import click

from events.privacy import keep_private
from events.tree.copying import copy_tree
from projections.archive import VIEWS
from projections.copying import copy_views
from projections.errors import ViewsDamagedError
from projections.views import Views
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.languages import gettext, ngettext


@click.command("copy-lists")
@click.argument("target", type=click.Path(path_type=Path))
@json_option
@data_option
def copy_lists(target: Path, data: Path, as_json: bool) -> None:
    """Copy the read models and the tree of a host to TARGET, the data folder of a new host, and prove the lists.

    A running service goes on meanwhile. The new host reads the log from the place that the copy has reached, and
    rebuilds nothing. You can make TARGET on another machine, and carry it to the new host.
    """
    if target.exists() and not target.is_dir():
        raise CommandError(gettext("%(target)s is not a folder", target=target), gettext("Name a new one."))
    with closing(Views(data / VIEWS)) as source, closing(Views(target / VIEWS)) as there:
        if not source.usable:
            raise CommandError(
                gettext("%(data)s has no lists of this release", data=data),
                gettext("Name the data folder of a host with --data or KIFU_DATA."),
            )
        bar, progress = screen.progress_of(gettext("Copying"))
        try:
            keep_private(target)
            with bar:
                copied = copy_views(source, there, progress)
            tree = copy_tree(data, target)
        except FileExistsError as error:
            raise CommandError(
                gettext("%(target)s has lists already", target=target), gettext("Name a new one.")
            ) from error
        except (OSError, sqlite3.Error, ViewsDamagedError) as error:
            raise CommandError(gettext("the lists cannot be copied: %(error)s", error=error)) from error
    if as_json:
        screen.data({"folder": str(target), "games": copied.games, "position": copied.position, "tree": tree})
        return
    screen.out().print(
        gettext(
            "Copied and proved the lists of %(games)s, up to entry %(position)s of the log: %(target)s",
            games=ngettext("%(count)s game", "%(count)s games", copied.games),
            position=copied.position,
            target=target,
        )
    )
    if tree:
        screen.out().print(gettext("The tree was copied, too, without its key."))
        screen.hint(gettext("Give the new host the key of this one: KIFU_TREE_KEY, or a copy of tree.key."))
    screen.hint(gettext("Start the new host with this folder, on the same database."))
