"""The registry of the databases beside the log. Work on all of them goes through `DATABASES`.

`kifu verify`, `backup`, `move`, `prepare-database` and the health of the service do. A new store adds its definition.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from events.databases import copying
from events.databases.files import prove
from events.databases.opening import open_database
from events.errors import LogError, MovedError
from events.sqlite import LOG, SqliteReader
from events.sqlite.files import MOVED
from events.stores import read_log
from events.tree.tree import Tree
from projections.archive import VIEWS
from projections.proof import prove_folder
from service.access.chain import NOTHING
from service.access.changes import copy_all
from service.access.file import SqliteStore, contradictions, copy
from service.access.heads import HEAD, HeadFile, signed_head
from service.access.tables import ACCESS
from service.languages import gettext
from service.webhooks.deliveries import WEBHOOKS
from workers.host import host_name
from workers.results import WORK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from events.databases.definition import Definition
    from events.databases.rows import Database
    from service.access.chain import Mark

Place = Path | str
"""A data folder, or the URL of a database."""


class Registered:
    """A small database of a service, described by its `definition`."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition

    def findings(self, folder: Path, database_url: str) -> Iterator[str]:
        """Its faults and its losses."""
        name = self.definition.schema if database_url else self.definition.file
        for finding in self._proved(folder, database_url):
            match self.definition.loss:
                case "remade":
                    yield gettext("%(file)s, made anew at the next start: %(finding)s", file=name, finding=finding)
                case "resent":
                    yield gettext("%(file)s (its messages are sent again): %(finding)s", file=name, finding=finding)
                case "lost":
                    yield gettext("%(file)s (the rest still works): %(finding)s", file=name, finding=finding)
        if lost := self.loss(folder):
            yield lost

    def _proved(self, folder: Path, database_url: str) -> Iterator[str]:
        if database_url:
            from events.databases.shared import prove_shared  # noqa: PLC0415 - its driver takes its time to load

            yield from prove_shared(self.definition, database_url)
        elif (folder / self.definition.file).exists():
            yield from prove(self.definition, folder / self.definition.file)

    def loss(self, folder: Path) -> str | None:
        """The loss that a file set aside stands for, until somebody removes it; None without one."""
        if self.definition.loss != "lost" or not (folder / self.definition.aside_name).exists():
            return None
        return self._told(file=self.definition.file, aside=self.definition.aside_name)

    def _told(self, *, file: str, aside: str) -> str:
        return gettext(
            "%(file)s was damaged and is set aside as %(aside)s; rows that could not be read are lost. "
            "Look through the rest, and remove %(aside)s, or put a backup in its place.",
            file=file,
            aside=aside,
        )

    def back_up(self, source: Path, target: Path) -> None:
        """Copy it to another folder, unless it is there or derived from the log. Raises `LogError`, `OSError`."""
        there, here = source / self.definition.file, target / self.definition.file
        if not self.definition.is_derived and there.exists() and not here.exists():
            self._copy(there, here)

    def _copy(self, source: Path, target: Path) -> None:
        copying.copy(source, target)

    def move(self, source: Place, target: Place) -> None:
        """Copy its rows to a place without any, unless all are derived from the log. Raises `LogError`, `OSError`."""
        if not self.definition.is_derived and not (isinstance(source, Path) and not self._path(source).exists()):
            self._move(source, target)

    def _move(self, source: Place, target: Place) -> None:
        with closing(self._open(source)) as old, closing(self._open(target)) as new:
            copying.transfer(self.definition, old, new)

    def put_aside(self, folder: Path) -> None:
        """Rename the file after a move, so that no process uses it again."""
        if not self.definition.is_derived and (path := self._path(folder)).exists():
            path.rename(path.with_name(path.name + MOVED))

    def prepare(self, database_url: str, role: str) -> None:
        """Make its tables, and grant a role what a service needs. Raises `LogError`."""
        from events.databases.shared import prepare  # noqa: PLC0415 - its driver takes its time to load

        prepare(self.definition, database_url, role)

    def _path(self, folder: Path) -> Path:
        return folder / self.definition.file

    def _open(self, place: Place) -> Database:
        folder, url = (place, "") if isinstance(place, Path) else (Path(), place)
        return open_database(self.definition, folder, url)


class Access(Registered):
    """The database of access. Its chain of changes is moved along, and compared with its heads."""

    def findings(self, folder: Path, database_url: str) -> Iterator[str]:
        """See `Registered.findings`."""
        yield from super().findings(folder, database_url)
        for finding in access_contradictions(folder, database_url or folder / LOG):
            yield gettext("access: %(finding)s (see `kifu access`)", finding=finding)

    def _told(self, *, file: str, aside: str) -> str:
        return gettext(
            "%(file)s was damaged and is set aside as %(aside)s. Tokens and roles in its unreadable part work no "
            "longer. Check who may do what. Then remove %(aside)s, or put a backup in its place.",
            file=file,
            aside=aside,
        )

    def _copy(self, source: Path, target: Path) -> None:
        copy(source, target)

    def move(self, source: Place, target: Place) -> None:
        """See `Registered.move`."""
        if isinstance(source, Path):
            from service.access.database import PostgresStore  # noqa: PLC0415 - its driver takes its time to load

            PostgresStore(str(target), source, host_name(source)).close()  # which takes in what lies in the folder
        elif isinstance(target, Path) and not self._path(target).exists():
            _fetch_access(source, target)


def _fetch_access(url: str, folder: Path) -> None:
    """Make a store of access in a folder from the tables of a database."""
    from service.access.database import rows_of  # noqa: PLC0415 - its driver takes its time to load

    draft = folder / "moving"
    draft.mkdir(exist_ok=True)
    for path in draft.iterdir():
        path.unlink()
    own = SqliteStore(draft)
    with rows_of(url) as rows, closing(own), own._together(keeps=False) as db:
        copy_all(rows, db)
    with closing(SqliteStore(draft)) as own:  # which takes down where its changes end
        if own.stopped:
            raise LogError(f"the tables of access lost changes: {own.stopped}; run `kifu access`")
    HeadFile(folder).put(HeadFile(draft).read() or NOTHING)
    (draft / ACCESS.file).rename(folder / ACCESS.file)
    (draft / HEAD).unlink()
    draft.rmdir()


def signed_access(folder: Path, log: Place) -> Mark:
    """The last change of access that the tree of a folder has signed, if the log can be read. Raises `MovedError`."""
    try:
        with closing(SqliteReader(log) if isinstance(log, Path) else read_log(folder, log)) as reader:
            return signed_head(Tree(folder, reader))
    except MovedError:
        raise
    except LogError:
        return NOTHING


def access_contradictions(folder: Path, log: Place) -> Iterator[str]:
    """The changes that are missing in the store of access, judged by the heads outside of it."""
    signed = signed_access(folder, log)
    if isinstance(log, Path):
        yield from contradictions(folder, signed)
        return
    from service.access.database import contradictions as of_tables  # noqa: PLC0415 - its driver takes its time to load

    yield from of_tables(log, folder, signed)


DATABASES = (Registered(WORK), Access(ACCESS), Registered(WEBHOOKS))
"""Every small database of a service."""


def findings(folder: Path, database_url: str) -> Iterator[str]:
    """The faults of everything beside the log. Read models always lie in the folder, and are made anew there."""
    for finding in prove_folder(folder / VIEWS):
        yield gettext("read models, made anew at the next start: %(finding)s", finding=finding)
    for each in DATABASES:
        yield from each.findings(folder, database_url)


def back_up(source: Path, target: Path) -> None:
    """Copy everything that is not derived from the log to another folder. Raises `LogError`, `OSError`."""
    for each in DATABASES:
        each.back_up(source, target)


def move(source: Place, target: Place) -> None:
    """Move everything that is not derived from the log to another place. Raises `LogError`, `OSError`."""
    for each in DATABASES:
        each.move(source, target)


def left_in(folder: Path) -> bool:
    """Whether a folder still has rows that were not moved with its log."""
    return any((folder / each.definition.file).exists() for each in DATABASES if not each.definition.is_derived)


def put_aside(folder: Path) -> None:
    """Rename the files after a move, so that no process uses them again."""
    for each in DATABASES:
        each.put_aside(folder)


def prepare(database_url: str, role: str) -> None:
    """Make all tables, and grant a role what a service needs. Raises `LogError`."""
    for each in DATABASES:
        each.prepare(database_url, role)


def losses(folder: Path) -> dict[str, str]:
    """The final losses, by file. Each is reported until somebody removes the file that was set aside."""
    return {each.definition.file: lost for each in DATABASES if (lost := each.loss(folder))}
