"""The context: what one running service holds open."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from projections.archive import Archive
from projections.projector import Projector

if TYPE_CHECKING:
    from service.settings import Settings


class Context:
    """An archive open for recording, and the thread that keeps its read models up to date."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.archive = Archive(settings.data)
        self._projector = Projector(self.archive.log, self.archive.folds, self.archive.views)
        self._thread = threading.Thread(target=self._projector.run, name="projector", daemon=True)
        self._thread.start()

    def settle(self) -> None:
        """Bring the read models up to date now."""
        self._projector.catch_up()

    def close(self) -> None:
        """Stop the projector and close the archive."""
        self._projector.stop()
        self._thread.join()
        self.archive.close()
