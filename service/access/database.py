"""The store of access in PostgreSQL, beside the log: one for all hosts.

The statements are those of SQLite, translated to PostgreSQL. Each change locks the row of the table `house`. So changes
come one after the other, and the trail has no gaps.
"""

from __future__ import annotations

import time
from contextlib import closing, contextmanager, nullcontext, suppress
from typing import TYPE_CHECKING, Any

import msgspec

from events.databases.shared import SharedDatabase, check_release
from events.errors import LogError, LogFullError, LogUnwritableError
from service.access.chain import NOTHING, check_follows, judge
from service.access.changes import compare_rows, copy_all, names_of_rows, owner_of
from service.access.file import SqliteStore
from service.access.heads import HeadFile
from service.access.rows import RowStore
from service.access.store import StoreFullError, StoreUnwritableError
from service.access.tables import ACCESS, CHAIN
from service.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from events.databases.rows import Rows
    from service.access.chain import Mark


CHECK_INTERVAL = 0.1
"""Seconds after which it is looked whether another host has changed something."""

MOVED = f"{ACCESS.file}.moved"
"""What a folder's own store is called once all of it is in the database."""

_HOUSE = "house"


class PostgresStore(RowStore):
    """See `service.access.store.Store`. For any number of processes on any number of hosts.

    A folder that has a store of its own brings it in, if it is the first; the owner's token of it is that of `host`
    then. Raises `LogNewerError`, `LogError`.
    """

    def __init__(self, url: str, folder: Path, host: str) -> None:
        self._open(url, folder)
        try:
            self._read_owner()
            if (folder / ACCESS.file).exists():
                self._take_in(folder, host)
                self._read_owner()
            self._judge(begins=True)
        except BaseException:
            self.close()
            raise

    def _open(self, url: str, folder: Path, *, prepared: bool = False) -> None:
        self._heads = HeadFile(folder)
        self._lock = nullcontext()
        self._db = SharedDatabase(ACCESS, url, prepared=prepared)
        self._generation, self._looked = 0, 0.0

    def _read_owner(self) -> None:
        self.owner, self.identity = owner_of(self._db)

    def close(self) -> None:
        """Close the connections."""
        self._db.close()

    @property
    def generation(self) -> int:
        """A number that changes with every change: at once for those here, within `FRESH` seconds for others."""
        now = time.monotonic()
        if now - self._looked > CHECK_INTERVAL:
            ((found,),) = self._db.execute(f"select generation from {_HOUSE}").fetchall()
            if found != self._generation and self.fault is None:
                self._keep_up()
            self._generation, self._looked = max(found, self._generation), now
        return self._generation

    def _keep_up(self) -> None:
        """Note the changes of other hosts, so that this host, too, would notice their loss."""
        before = self._head
        self._head, self.fault = check_follows(self._db, before)
        if self._head != before:
            with suppress(StoreFullError):  # it is taken down with the next change
                self._take_down(self._head)

    @contextmanager
    def _together(self, *, keeps: bool) -> Iterator[Rows]:
        try:
            with self._db.transaction() as db:
                ((generation,),) = db.execute(
                    f"update {_HOUSE} set generation = generation + ? returning generation", [int(not keeps)]
                ).fetchall()
                yield db
            self._generation = max(generation, self._generation)
        except LogFullError as error:
            raise StoreFullError(str(error)) from error
        except LogUnwritableError as error:
            raise StoreUnwritableError(str(error)) from error

    def _note_down(self, statement: str, values: Sequence[Any]) -> None:
        with suppress(LogError):
            self._db.execute(statement, values)

    def _take_in(self, folder: Path, host: str) -> None:
        """Move the rows of a folder's own store into this database. Raises `LogError` if that is too late."""
        own = SqliteStore(folder)
        try:
            with self._change() as db:
                ((identity,),) = db.execute(f"select identity from {_HOUSE}").fetchall()
                if identity != own.identity:
                    if own.stopped:
                        raise LogError(f"{folder / ACCESS.file} lost changes: {own.stopped}; run `kifu access`")
                    if db.execute(f"select number from {CHAIN} limit 1").fetchone():
                        raise LogError(
                            f"{folder / ACCESS.file} defines who may do what, and so does {self._db.name}, which "
                            "others use already; put the file aside, and give what is missing anew"
                        )
                    copy_all(own._db, db)
                    for key in list(self._credentials("where kind = 'own'", [])):
                        self._rewrite(db, msgspec.structs.replace(key, name=host))
        finally:
            own.close()
        (folder / ACCESS.file).rename(folder / MOVED)


class PostgresReader(PostgresStore):
    """See `service.access.reading.StoreReader`. Raises `LogNewerError`, `LogError`."""

    def __init__(self, url: str, folder: Path) -> None:
        check_release(ACCESS, url)
        self._open(url, folder, prepared=True)
        self._seen = 0
        try:
            self._read_owner()
            self._judge()
        except BaseException:
            self.close()
            raise

    def _judge(self, *, begins: bool = False) -> None:  # noqa: ARG002 - a reader begins nothing
        """Compare the chain with the head of this host. Processes that write compare the rows."""
        self._stamp = self._heads.stamp
        judged = judge(self._db, self._heads.read() or NOTHING)
        self._head, self.fault = judged.last, judged.fault

    def changed(self) -> bool:
        """Whether anything may have changed since the last call, on any host."""
        self._looked = 0.0
        seen, self._seen = self._seen, self.generation
        return self._seen != seen


@contextmanager
def rows_of(url: str) -> Iterator[Rows]:
    """The rows of a store from one snapshot, for reading.

    Raises `LogError` if there is none, or one of another release.
    """
    check_release(ACCESS, url)
    with closing(SharedDatabase(ACCESS, url, prepared=True)) as database, database.consistent_read() as db:
        yield db


def contradictions(url: str, folder: Path, signed: Mark) -> Iterator[str]:
    """The changes that are missing in the tables, by the heads that this host knows, and by their rows.

    Raises `LogError`.
    """
    with rows_of(url) as db:
        judged = judge(db, max(HeadFile(folder).read() or NOTHING, signed))
        found = compare_rows(db, judged, owner_of(db)[0])
    if judged.fault is not None:
        yield str(judged.fault)
    if judged.last != NOTHING:
        for name in [*names_of_rows(found.rows), *found.missing]:
            yield gettext("%(row)s does not match the changes that were made", row=name)
