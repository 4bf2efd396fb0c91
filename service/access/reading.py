"""The store of access as another process reads it, beside the one that writes it."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from service.access.file import FILE, SqliteStore, reading
from service.access.store import AccessNewerError, Store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class StoreReader(Store, Protocol):
    """A store in which nothing is said anew. For one thread."""

    def changed(self) -> bool:
        """Whether anything may have changed since this was last asked."""

    def tells(self, host: str, told: Mapping[str, int]) -> dict[str, int]:
        """The endpoints that are this host's to tell, with the position in the feed up to which all was told.

        Each has one host: the one that was last asked about it, until that has not called this for a while. `told` says
        how far those have come that this host tells.
        """


class SqliteReader(SqliteStore):
    """See `StoreReader`. A file that was put in the place of this one is looked into once `changed` was asked.

    Raises `AccessNewerError` for a store of another release, and `FileNotFoundError` if there is none.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.RLock()
        self.generation = 0
        self._seen: tuple[int, int] | None = None
        self._file = 0
        self._open()

    def changed(self) -> bool:
        """Whether anything may have changed since this was last asked; a file that was put in its place counts."""
        with suppress(FileNotFoundError, AccessNewerError):  # which is being made anew: the next look finds it whole
            if self._path.stat().st_ino != self._file:
                old = self._db
                self._open()
                old.conn.close()
        ((version,),) = self._db.execute("pragma data_version").fetchall()
        seen, self._seen = self._seen, (self._file, version)
        return self._seen != seen

    def tells(self, host: str, told: Mapping[str, int]) -> dict[str, int]:  # noqa: ARG002 - it is the only one
        """All endpoints: there is one host, which knows for itself how far they were told."""
        return {webhook.id: 0 for webhook in self.webhooks()}

    def _open(self) -> None:
        file = self._path.stat().st_ino
        db = reading(self._path)
        ((self.owner, self.identity),) = db.execute("select owner, identity from house").fetchall()
        self._db, self._file = db, file


def open_reader(folder: Path, database_url: str) -> StoreReader:
    """The store of access beside the processes that write it.

    Raises `AccessNewerError`, `FileNotFoundError`, `LogError`, `sqlite3.Error`.
    """
    if database_url:
        from service.access.database import PostgresReader  # noqa: PLC0415 - its driver takes its time to load

        return PostgresReader(database_url)
    return SqliteReader(folder)
