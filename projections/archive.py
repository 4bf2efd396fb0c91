"""The archive: one data folder, opened: its log and all that is projected from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.sqlite import SqliteLog, SqliteReader

from projections.folds import Folds
from projections.views import Views

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from events.log import Log

LOG = "kifu.db"
VIEWS = "views"


class Archive:
    """A data folder's log, states and read models. Close it, or use it in a `with`."""

    def __init__(self, folder: Path, log: Log, views: Views) -> None:
        self.folder, self.log, self.views = folder, log, views
        self.folds = Folds(log, views)

    @classmethod
    def writing(cls, folder: Path) -> Archive:
        """Open for recording: one process at a time. Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`."""
        return cls(folder, SqliteLog(folder / LOG), Views(folder / VIEWS, create=True))

    @classmethod
    def reading(cls, folder: Path) -> Archive:
        """Open beside a writing process, or offline: nothing can be appended. Raises `LogNewerError`."""
        return cls(folder, SqliteReader(folder / LOG), Views(folder / VIEWS))

    def close(self) -> None:
        """Finish what was accepted and let go of the files."""
        self.log.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
