"""The store of access in SQLite: `access.db` in the data folder. Sound rows of a damaged file stay."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from events.databases import copying
from events.databases.file_database import FileDatabase
from events.databases.files import ReadingRows, is_current, prove, read_only
from events.errors import LogError, LogFullError, LogUnwritableError
from events.sqlite.translation import DRIVER_ERRORS
from service.access.chain import NOTHING, ChainReport, Fault, check_follows, judge
from service.access.changes import compare_rows, names_of_rows, owner_of
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

CHECK_INTERVAL = 0.5
"""Seconds between two looks whether another program has written into the file."""

logger = logging.getLogger(__name__)


class SqliteStore(RowStore):
    """See `service.access.store.Store`. For the processes that serve a data folder; `shared` if they are several.

    Raises `LogNewerError`, `LogError`, `OSError`.
    """

    _db: FileDatabase

    def __init__(self, folder: Path, *, shared: bool = False) -> None:
        self._lock = threading.RLock()
        self._shared, self._foreign = shared, False
        self._generation, self._looked = 0, time.monotonic()
        self._heads = HeadFile(folder)
        self._db = FileDatabase(ACCESS, folder, proved=True)
        try:
            self.owner, self.identity = owner_of(self._db)
            self._judge()
            self._version = self._db.written_by_others
        except BaseException:
            self.close()
            raise

    @property
    def unwritable(self) -> str:
        """See `Store.unwritable`."""
        astray = self._db.replaced_file
        return gettext("%(file)s was removed or replaced while it was open", file=astray) if astray else ""

    @property
    def generation(self) -> int:
        """See `Store.generation`. If another program wrote into the file, its rows are compared with the chain."""
        now = time.monotonic()
        if self._shared:
            self._keep_up()
        if now - self._looked > CHECK_INTERVAL:
            self._looked = now
            with self._lock:
                self._look()
        return self._generation

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # The file

    def _keep_up(self) -> None:
        """Take in what another process of the service has changed. Its links continue the known ones."""
        if self._db.written_by_others == self._version:
            return
        with self._lock:
            self._version, self._foreign = self._db.written_by_others, True
            if self.fault is None:
                self._head, self.fault = check_follows(self._db, self._head)
            self._generation += 1

    def _look(self) -> None:
        """Compare the rows with the chain if anybody else wrote into the file."""
        version = self._db.written_by_others
        if version != self._version or self._foreign:
            self._version, self._foreign = version, False
            if not self._shared:
                logger.warning("another program wrote into %s", self._db.name)
            try:
                self._judge()
            except LogError:
                self.fault = Fault("broken", 0, self._head.number)
            self._generation += 1

    @contextmanager
    def _together(self, *, keeps: bool) -> Iterator[Rows]:
        with self._lock:
            if why := self.unwritable:
                raise StoreUnwritableError(why)
            try:
                with self._db.transaction() as db:
                    yield db
            except LogFullError as error:
                raise StoreFullError(str(error)) from error
            except LogUnwritableError as error:
                raise StoreUnwritableError(str(error)) from error
            finally:
                if not keeps:
                    self._generation += 1

    def _keep_aside(self) -> None:
        self._db.keep_copy()

    def _note_down(self, sql: str, values: Sequence[Any]) -> None:
        with suppress(LogError):  # a full disk keeps nobody out
            self._db.execute(sql, values)


def copy(source: Path, target: Path) -> None:
    """Copy a store, which a service may be writing to, with its head, and prove the copy.

    A store that is not trusted is copied as it is. Raises `OSError`, `LogError`.
    """
    head = HeadFile(source.parent).read()
    copying.copy(source, target)
    for finding in prove(ACCESS, target):
        raise OSError(f"the copy of {source} is not sound: {finding}")
    if head is not None:
        HeadFile(target.parent).put(head)
        judged, _ = _judged(target, head)
        if judged.fault is None:
            HeadFile(target.parent).put(judged.last)


def contradictions(folder: Path, signed: Mark) -> Iterator[str]:
    """The changes that are missing in the store of a folder, by its head, the head in the signed tree, and its rows.

    A store of an older release is not checked.
    """
    kept = HeadFile(folder).read()
    head = max(kept or NOTHING, signed)
    if not (folder / ACCESS.file).exists():
        if head != NOTHING:
            yield str(Fault("behind", 0, head.number))
        return
    try:
        judged, others = _judged(folder / ACCESS.file, head)
    except (*DRIVER_ERRORS, LogError) as error:
        yield str(error)
        return
    if judged.last != NOTHING and judged.fault is None and kept is None:
        judged = judged._replace(fault=Fault("headless", judged.last.number, 0))
    if judged.fault is not None:
        yield str(judged.fault)
    for name in others:
        yield gettext("%(row)s does not match the changes that were made", row=name)


def _judged(path: Path, head: Mark) -> tuple[ChainReport, list[str]]:
    """The report on the chain of a store, and the rows that differ from it.

    Raises `sqlite3.Error`, `LogError`.
    """
    with closing(read_only(path)) as connection:
        connection.execute("begin")
        if connection.execute("select name from sqlite_schema where name = ?", [str(CHAIN)]).fetchone() is None:
            return ChainReport(NOTHING, Fault("behind", 0, head.number) if head.number else None, {}), []
        db = ReadingRows(connection)
        judged = judge(db, head)
        if judged.last == NOTHING or not is_current(ACCESS, connection):  # it is to be begun, or brought up to date
            return judged, []
        found = compare_rows(db, judged, owner_of(db)[0])
        return judged, [*names_of_rows(found.rows), *found.missing]
