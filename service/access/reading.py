"""The store of access, read beside the process that writes it."""

from __future__ import annotations

import threading
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Protocol

from events.databases.files import ReadingRows, reading
from events.errors import LogNewerError
from service.access.chain import NOTHING, Fault, check_follows, judge
from service.access.changes import owner_of
from service.access.file import SqliteStore
from service.access.heads import HeadFile
from service.access.store import Store
from service.access.tables import ACCESS

if TYPE_CHECKING:
    from pathlib import Path


class StoreReader(Store, Protocol):
    """A store that can only be read. For one thread."""

    def changed(self) -> bool:
        """Whether anything may have changed since the last call."""


class SqliteReader(SqliteStore):
    """See `StoreReader`. A replaced file is opened at the next call of `changed`.

    Raises `LogNewerError` for a store of another release, and `FileNotFoundError` if there is none.
    """

    _db: ReadingRows  # type: ignore[assignment]

    def __init__(self, folder: Path) -> None:
        self._path = folder / ACCESS.file
        self._lock = threading.RLock()
        self._heads = HeadFile(folder)
        self._generation, self._looked = 0, inf  # `changed` tells more
        self._seen: tuple[int, int] | None = None
        self._file = 0
        self._open()

    def changed(self) -> bool:
        """Whether anything may have changed since the last call, or the file was replaced."""
        with suppress(FileNotFoundError, LogNewerError):  # which is being made anew: the next look finds it whole
            if self._path.stat().st_ino != self._file:
                old = self._db
                self._open()
                old.close()
        seen, self._seen = self._seen, (self._file, self._db.written_by_others)
        if self._seen != seen and self.fault is None:
            self._head, self.fault = check_follows(self._db, self._head)
        return self._seen != seen

    def _open(self) -> None:
        file = self._path.stat().st_ino
        db = reading(ACCESS, self._path)
        self.owner, self.identity = owner_of(db)
        self._db, self._file = db, file
        self._judge()

    def _judge(self, *, begins: bool = False) -> None:  # noqa: ARG002 - a reader begins nothing
        """Compare the chain with its head. The process that writes compares the rows."""
        self._stamp, head = self._heads.stamp, self._heads.read()
        judged = judge(self._db, head or NOTHING)
        fault = judged.fault
        if fault is None and head is None and judged.last != NOTHING:
            fault = Fault("headless", judged.last.number, 0)
        self._head, self.fault = judged.last, fault


def open_reader(folder: Path, database_url: str) -> StoreReader:
    """The store of access beside the processes that write it.

    Raises `LogNewerError`, `FileNotFoundError`, `LogError`, `sqlite3.Error`.
    """
    if database_url:
        from service.access.database import PostgresReader  # noqa: PLC0415 - its driver takes its time to load

        return PostgresReader(database_url, folder)
    return SqliteReader(folder)
