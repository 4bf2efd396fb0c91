"""The database of a data folder, and how commands count what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from events.sqlite import LOG, SqliteReader
from events.stores import read_log
from service.cli.shell.failures import CommandError
from service.languages import gettext, ngettext
from service.settings import from_environment

if TYPE_CHECKING:
    from events.log import LogReader


def database_of(path: Path) -> Path | str:
    """The database of a path: a file, that of a folder, or the one in the settings. Raises `CommandError`."""
    if path.is_file():
        return path
    if (path / LOG).exists():
        return path / LOG
    url = from_environment().database_url
    if not url:
        raise CommandError(
            gettext("nothing is recorded in the data folder %(path)s", path=path),
            gettext("Name another one with --data or KIFU_DATA."),
        )
    return url


def open_reader(database: Path | str) -> LogReader:
    """A reader of the log in a file, or behind an address."""
    return read_log(Path(), database) if isinstance(database, str) else SqliteReader(database)


def counted_records(games: int, clubs: int) -> str:
    """The number of games, and of clubs, seasons and tournaments if there are any."""
    found = ngettext("%(count)s game", "%(count)s games", games)
    if not clubs:
        return found
    others = ngettext(
        "%(count)s record of a club, season or tournament",
        "%(count)s records of clubs, seasons and tournaments",
        clubs,
    )
    return gettext("%(games)s and %(clubs)s", games=found, clubs=others)
