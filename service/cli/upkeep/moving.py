"""Moving a record between a data folder and a database."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service import moving
from service.cli.shell import screen
from service.cli.shell.arguments import json_option
from service.cli.shell.data_option import data_option
from service.cli.shell.failures import CommandError
from service.cli.upkeep.backup import refuse_stopped
from service.languages import gettext, ngettext
from service.settings import from_environment

if TYPE_CHECKING:
    from events.recording import RowLog
    from service.databases import Place

RETRY_INTERVAL = 0.3
"""Seconds between two attempts to cut over."""


@click.command()
@click.option("--to", "target", required=True, metavar="URL|FOLDER", help="A PostgreSQL database, or a data folder.")
@click.option(
    "--copy",
    "copies",
    is_flag=True,
    help="Only copy, while the service runs. `kifu move` without --copy does the rest.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0),
    default=600.0,
    show_default=True,
    help="Seconds to wait until the service has stopped.",
)
@json_option
@data_option
def move(target: str, copies: bool, patience: float, data: Path, as_json: bool) -> None:
    """Move everything, with names and access, to a database, or from a database to a folder.

    The command moves the data folder or, with KIFU_DATABASE_URL, that database. It copies while the service runs.
    When you stop the service, it copies the rest, compares every entry, and sets the log of the folder aside. If it was
    interrupted, repeat it. To move from a database to a folder, name the data folder of a host: its signed tree is
    moved, too.
    """
    there = moving.place_of(target)
    source = _source(data, there)
    if isinstance(source, str):
        moving.refuse_moved(source, there)
        refuse_stopped(data, source)
        refuse_without_tree(data, source)
    if isinstance(source, Path) and moving.moved_from(source):
        moving.finish(source, there)
        screen.hint(gettext("The move that was interrupted is finished."))
        return
    bar, progress = screen.progress_of(gettext("Copying"))
    with moving.reader_of(source, moved=True) as reader:
        moving.check(reader)
    with moving.target_of(there, source) as log:
        with moving.reader_of(source, moved=True) as reader, bar:
            copied = moving.copy(reader, log, progress)
        if not copies:
            _cut_over(source, there, log, patience)
        position = log.position()
    if not copies:
        if isinstance(there, Path):
            moving.take_tree(data, from_environment().tree_key, there)
        moving.finish(source, there)
    if as_json:
        screen.data({"entries": position, "copied": copied, "moved": not copies})
        return
    _tell_moved(position, copied, there, copies=copies)


def _tell_moved(position: int, copied: int, there: Place, *, copies: bool) -> None:
    """Print how many entries were copied or moved, and the command that comes next."""
    entries = ngettext("%(count)s entry", "%(count)s entries", position)
    if copies:
        screen.out().print(
            gettext(
                "Copied: %(entries)s, %(copied)s of them new. `kifu move` without --copy does the rest.",
                entries=entries,
                copied=copied,
            )
        )
        return
    screen.out().print(gettext("Moved and proved: %(entries)s.", entries=entries))
    if isinstance(there, Path):
        screen.hint(gettext("Serve it without KIFU_DATABASE_URL: kifu serve --data %(there)s", there=there))
    else:
        screen.hint(gettext("Serve it with KIFU_DATABASE_URL set to the database."))


def _source(data: Path, target: Place) -> Place:
    """The source of the move. Raises `CommandError`."""
    url = from_environment().database_url
    if isinstance(target, Path):
        if not url:
            raise CommandError(
                gettext("both are folders"),
                gettext("`kifu backup` copies one; KIFU_DATABASE_URL names a database to move."),
            )
        return moving.place_of(url)
    if moving.moved_from(data) and not moving.is_unfinished(data, str(target)):
        raise CommandError(
            gettext("the log of %(data)s was moved already", data=data), gettext("Serve it with KIFU_DATABASE_URL.")
        )
    return data


def refuse_without_tree(data: Path, database: str) -> None:
    """Check that the tree of a database can be moved, too. Raises `CommandError`, `LogError`."""
    if moving.is_signed(database) and not moving.has_tree(data, from_environment().tree_key):
        raise CommandError(
            gettext("the signed tree of the record is not in %(data)s", data=data),
            gettext("Name the data folder of a host with --data. Or `kifu tree restart` begins another tree."),
        )


def _cut_over(source: Place, there: Place, log: RowLog, patience: float) -> None:
    deadline, told = time.monotonic() + patience, False
    bar, progress = screen.progress_of(gettext("Proving"))
    with bar:
        while True:
            try:
                moving.cut_over(source, there, log, progress)
                return
            except moving.BusyError as error:
                if time.monotonic() > deadline:
                    raise CommandError(
                        gettext("copied, but not switched over: %(error)s", error=error),
                        gettext("Stop the service, and repeat the command."),
                    ) from error
                if not told:
                    screen.hint(gettext("Copied. Now stop the service: the rest follows when it has ended."))
                told = True
            time.sleep(RETRY_INTERVAL)
            with moving.reader_of(source, moved=True) as reader:
                moving.copy(reader, log)
