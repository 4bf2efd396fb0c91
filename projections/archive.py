"""The archive: an open data folder, with its log and everything projected from it.

The log lies in the folder, or in the PostgreSQL database that is named; what is projected always lies in the folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from events.clubs import CLUB_FOUNDED
from events.errors import LogUnwritableError
from events.privacy import keep_private
from events.seasons import SEASON_FOUNDED
from events.stores import open_log, read_log
from events.tournaments import TOURNAMENT_FOUNDED
from projections.clubs import Club, fold_club
from projections.folds import Folds
from projections.founded import BROKEN, FoundedRecords
from projections.seasons import fold_season
from projections.tournaments.record import fold_tournament
from projections.views import Views

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from events.kinds import Kind
    from events.log import Log, LogReader
    from projections.seasons import Season
    from projections.tournaments.record import Tournament

VIEWS = "views"


class ReadingArchive:
    """A data folder's log, states and read models, opened beside a recording process or offline.

    Close it, or use it in a `with`. Raises `FileNotFoundError`, `LogNewerError`.

    >>> from pathlib import Path
    >>> with ReadingArchive(Path("data")) as archive:
    ...     for head in archive.log.heads():
    ...         state = archive.folds.current(head.game).state
    ...         print(head.version, state.totals(), state.to_move())
    5 [0, 0] 1
    """

    log: LogReader

    def __init__(self, folder: Path, database_url: str = "", replica_url: str = "") -> None:
        self.log = read_log(folder, database_url, replica_url)
        self._complete(folder, Views(folder / VIEWS))

    def _complete(self, folder: Path, views: Views) -> None:
        self.folder, self.views = folder, views
        self.folds = Folds(self.log, views)
        self.clubs = FoundedRecords(self.log, CLUB_FOUNDED, fold_club)
        self.tournaments = FoundedRecords(self.log, TOURNAMENT_FOUNDED, fold_tournament)
        self.seasons = FoundedRecords(self.log, SEASON_FOUNDED, fold_season)

    def find_record(self, kind: Kind, record: str) -> Club | Season | Tournament | None:
        """A record that is not a game; None if none of this kind exists, or if it cannot be read."""
        known: dict[Kind, FoundedRecords[Club] | FoundedRecords[Season] | FoundedRecords[Tournament]] = {
            "club": self.clubs,
            "season": self.seasons,
            "tournament": self.tournaments,
        }
        try:
            return known[kind].find(record)
        except BROKEN:
            return None

    def find_club(self, club: str) -> Club | None:
        """A club; None if there is none, or if it cannot be read."""
        found = self.find_record("club", club)
        return found if isinstance(found, Club) else None

    def close(self) -> None:
        """Finish accepted requests and close the files."""
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Archive(ReadingArchive):
    """A data folder opened for recording: by one process at a time.

    Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`, `LogUnreachableError`.
    """

    log: Log

    def __init__(self, folder: Path, database_url: str = "", replica_url: str = "") -> None:
        try:
            keep_private(folder, VIEWS)
        except OSError as error:
            raise LogUnwritableError(f"the data folder {folder} cannot be written: {error.strerror}") from error
        self.log = open_log(folder, database_url, replica_url)
        self._complete(folder, Views(folder / VIEWS, create=True))
