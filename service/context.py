"""The context: what one running service holds open."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from projections.archive import Archive
from projections.projector import Projector
from workers.jobs import make_snapshot
from workers.monitor import Monitor
from workers.results import Results

if TYPE_CHECKING:
    from service.settings import Settings


class Context:
    """An archive open for recording, the thread that keeps its read models up to date, and what workers derived.

    `monitor` looks at the workers' queue; there is none where no Redis is named.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.archive = Archive(settings.data)
        self.results = Results(settings.data, proved=True, remake=self._snapshot)
        self.monitor = Monitor(self.archive.log, self.results, settings.redis_url) if settings.redis_url else None
        self.projector = Projector(self.archive.log, self.archive.folds, self.archive.views)
        self._thread = threading.Thread(target=self.projector.run, name="projector", daemon=True)
        self._thread.start()

    def settle(self) -> None:
        """Bring the read models up to date now."""
        self.projector.catch_up()

    def _snapshot(self, game: str, version: int) -> None:
        make_snapshot(self.results, self.archive.folds, game, version)

    def close(self) -> None:
        """Stop the projector and close the archive."""
        self.projector.stop()
        self._thread.join()
        if self.monitor:
            self.monitor.close()
        self.results.close()
        self.archive.close()
