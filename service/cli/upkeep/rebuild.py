"""The command `kifu rebuild`: read models and the tree made anew from the log."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click
import msgspec

from events.stores import read_log
from events.tree.tree import Tree
from projections.archive import ReadingArchive
from projections.rebuild import rebuild as rebuild_views
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.data_option import data_option
from service.cli.upkeep.database import counted_records, database_of
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from pathlib import Path

    from events.tree.tree import Examination
    from projections.rebuild import Rebuilt


@click.command()
@json_option
@data_option
def rebuild(data: Path, as_json: bool) -> None:
    """Rebuild all read models from the log, check them, and replace the old ones.

    The tree over the log is made again, too, and compared with the signed one. A running service goes on answering.
    """
    database = database_of(data)
    bar, progress = screen.progress_of(gettext("Rebuilding"))
    url = database if isinstance(database, str) else ""
    with ReadingArchive(data, url) as archive, bar:
        total = archive.log.position()
        rebuilt = rebuild_views(
            archive.log, archive.views, lambda done: progress(done, max(done, total)), partial(read_log, data, url)
        )
        tree = Tree(data, archive.log).repair()
    wrong = bool(rebuilt.unreadable) or tree.contradicted is not None
    if as_json:
        screen.data(msgspec.to_builtins(rebuilt) | {"tree": {"others": tree.tiles, "contradicted": tree.contradicted}})
    else:
        _tell_rebuilt(rebuilt, tree)
    if wrong:
        raise click.exceptions.Exit(1)


def _tell_rebuilt(rebuilt: Rebuilt, tree: Examination) -> None:
    for name in tree.tiles:
        screen.out().print(gettext("%(name)s of the tree did not match the log. It was made anew.", name=name))
    if tree.contradicted:
        screen.out().print(gettext("tree: %(contradicted)s", contradicted=tree.contradicted), style="red")
    for game in rebuilt.drifted:
        screen.out().print(gettext("%(game)s was not listed as the log has it; it is now.", game=game))
    for game, why in rebuilt.unreadable.items():
        screen.out().print(f"{game}: {why}", style="red")
    screen.out().print(
        gettext(
            "Rebuilt %(counted)s from %(counted2)s.",
            counted=counted_records(rebuilt.games, rebuilt.clubs),
            counted2=ngettext("%(count)s entry", "%(count)s entries", rebuilt.events),
        )
    )
    if rebuilt.unreadable:
        screen.complain(
            gettext(
                "%(counted)s cannot be read; `kifu verify` says more",
                counted=ngettext("%(count)s game", "%(count)s games", len(rebuilt.unreadable)),
            )
        )
