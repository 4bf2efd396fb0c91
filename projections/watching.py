"""News of the log: for the threads that follow it, of what this process stores and of what others do."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from events.errors import LogClosedError, LogError

if TYPE_CHECKING:
    from collections.abc import Callable

    from events.log import LogReader
    from projections.sharing import Leader

NEWS_TIMEOUT = 1.0
"""Seconds that it waits for news, or, when the log does not answer, until it asks again."""

logger = logging.getLogger(__name__)


class News(threading.Event):
    """That something is new in the log. `note` is a listener of the log."""

    def note(self, _: object = None) -> None:
        """Wake who waits for it."""
        if not self.is_set():  # to set it again takes a lock, with every append
            self.set()


class FeedWatcher:
    """Calls `tell` after each advance of the feed by any process, as long as this process is the `leader`.

    The listeners of this process's log do not hear of what other processes store.
    """

    def __init__(self, log: LogReader, tell: Callable[[], None], leader: Leader) -> None:
        self._log, self._tell, self._leader = log, tell, leader
        self._stop = threading.Event()

    def run(self) -> None:
        """Watch until `stop` is called or the log is closed."""
        seen = 0
        while not self._stop.is_set():
            if not self._leader.leads:
                self._stop.wait(NEWS_TIMEOUT)
                continue
            try:
                if self._log.wait(seen, NEWS_TIMEOUT):
                    seen = self._log.position()
                    self._tell()
            except LogClosedError:
                return
            except LogError as error:
                logger.info("%s", error)
                self._stop.wait(NEWS_TIMEOUT)

    def stop(self) -> None:
        """Let `run` come to its end, when it has waited for the last time."""
        self._stop.set()
