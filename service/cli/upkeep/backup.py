"""The command `kifu backup`: a proved copy of a data folder."""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from events.errors import LogError
from events.privacy import make_private
from events.sqlite import LOG, SqliteReader
from events.sqlite import backup as copy_log
from service import databases, moving
from service.access.reading import open_reader as open_access
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.cli.upkeep.database import database_of
from service.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@json_option
@data_option
def backup(target: Path, data: Path, as_json: bool) -> None:
    """Copy the log, and who may do what, to a new data folder TARGET, and prove the copy.

    A running service goes on meanwhile. The copy can be served as it is: kifu serve --data TARGET. A log in PostgreSQL
    is copied to a folder as well.
    """
    source = database_of(data)
    bar, progress = screen.progress_of(gettext("Copying"))
    with _new_folder(target):
        if isinstance(source, str):
            refuse_stopped(data, source)
            damaged = 0  # it would have been refused
            with bar:
                moving.back_up(moving.place_of(source), target, progress)
        else:
            damaged = _copy(source, target, bar, progress)
    with SqliteReader(target / LOG) as copy:
        games = sum(1 for _ in copy.heads())
    if as_json:
        screen.data({"folder": str(target), "games": games, "damaged": damaged})
    else:
        screen.out().print(
            gettext(
                "Copied and proved %(counted)s: %(target)s",
                counted=ngettext("%(count)s record", "%(count)s records", games),
                target=target,
            )
        )
    if target.resolve().is_relative_to(data.resolve()):
        screen.warn(
            gettext("The copy is inside the data folder itself. Keep one elsewhere, too: they are lost together.")
        )
    if damaged:
        screen.complain(
            gettext(
                "%(counted)s damaged, in the copy, too; `kifu verify` says more",
                counted=ngettext("%(count)s game is", "%(count)s games are", damaged),
            )
        )
        raise click.exceptions.Exit(1)


@contextmanager
def _new_folder(target: Path) -> Iterator[None]:
    """An empty folder to fill; if that fails, a folder that was made for it is removed."""
    if target.exists() and not target.is_dir():
        raise CommandError(gettext("%(target)s is not a folder", target=target), gettext("Name a new one."))
    if target.exists() and any(target.iterdir()):
        raise CommandError(gettext("%(target)s is not empty", target=target), gettext("Name a new folder."))
    made = not target.exists()
    make_private()
    target.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        if made:
            with suppress(OSError):
                target.rmdir()
        raise


def _copy(source: Path, target: Path, bar: AbstractContextManager[object], progress: Callable[[int, int], None]) -> int:
    """Copy the log, access and webhooks of a folder. Returns the number of damaged games."""
    with SqliteReader(source) as log, bar:
        copy_log(source, target / LOG, log.damage, progress)
        damaged = len(log.damage)
    databases.back_up(source.parent, target)
    return damaged


def refuse_stopped(folder: Path, database: str) -> None:
    """Refuse to copy access from a database that is known to have lost changes. Raises `CommandError`.

    Tables that are missing or cannot be read are named later, when they are copied.
    """
    with suppress(LogError), closing(open_access(folder, database)) as store:
        if why := store.stopped:
            raise CommandError(gettext("access: %(finding)s (see `kifu access`)", finding=why))
