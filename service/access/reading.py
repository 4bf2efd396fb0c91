"""The store of access as another process reads it, beside the one that writes it."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlite_utils import Database

from service.access.sqlite import FILE, SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


class StoreReader(SqliteStore):
    """A store that nothing can be changed in. For one thread.

    Raises `sqlite3.OperationalError` if there is none.
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
        file = self._file
        with suppress(FileNotFoundError):  # which is being set aside: the next look finds the new one
            file = self._path.stat().st_ino
        if file != self._file:
            self.close()
            self._open()
        ((version,),) = self._db.execute("pragma data_version").fetchall()
        seen, self._seen = self._seen, (self._file, version)
        return self._seen != seen

    def _open(self) -> None:
        self._file = self._path.stat().st_ino
        address = f"{self._path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=5, isolation_level=None, check_same_thread=False)
        self._db = Database(connection)
        ((self.owner, self.identity),) = self._db.execute("select owner, identity from house").fetchall()
