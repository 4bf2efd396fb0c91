"""The projector: follows the feed and keeps the catalogue and the checkpoints up to date."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from events.errors import LogError
from projections.catalogue import list_folds, list_unreadable
from projections.checkpoints import keep_checkpoint
from projections.errors import ProjectionError
from projections.views import cursor, set_cursor

if TYPE_CHECKING:
    from events.log import Log
    from projections.fold import Fold
    from projections.folds import Folds
    from projections.views import Views

logger = logging.getLogger(__name__)

BATCH = 2000
"""How many events of the feed are taken together: the games among them are listed once each."""

PAUSE = 0.03
"""Seconds between two looks at a busy feed, so that a burst of entries to a game is one row written."""


class Projector:
    """Keeps the read models in `views` true to the log. One a data folder."""

    def __init__(self, log: Log, folds: Folds, views: Views) -> None:
        self._log, self._folds, self._views = log, folds, views
        self._damaged: set[str] = set()
        self._news, self._stop = threading.Event(), threading.Event()
        self._projecting = threading.Lock()
        log.subscribe(lambda _: self._news.set())
        if not self._continues():
            views.install(views.prepare())

    def catch_up(self) -> int:
        """Project everything that the feed holds by now; returns the position reached."""
        with self._projecting:  # whoever folded a game earlier must not write its row later
            return self._catch_up()

    def _catch_up(self) -> int:
        self._mark_damage()
        while True:
            position, hash_ = cursor(self._views.db)
            games: set[str] = set()
            for reached, event in self._log.feed(position, BATCH):
                games.add(event.game)
                position, hash_ = reached, event.hash
            if not games:
                return position
            self._project(games, position, hash_)

    def run(self) -> None:
        """Follow the feed until `stop` is called. What fails is logged and tried again: the log is the truth."""
        while True:
            self._news.clear()
            if self._stop.is_set():
                return
            try:
                self.catch_up()
                self._news.wait(1.0)  # damage that a read comes upon is no news, and marked then
            except Exception:
                logger.exception("the read models could not be brought up to date; trying again")
                self._stop.wait(1.0)
            self._stop.wait(PAUSE)

    def stop(self) -> None:
        """Let `run` come to its end, at once if it is waiting."""
        self._stop.set()
        self._news.set()

    def _continues(self) -> bool:
        """Whether the log still holds what the read models were made of: it may have been restored since."""
        position, hash_ = cursor(self._views.db)
        if position == 0:
            return True
        return any(event.hash == hash_ for _, event in self._log.feed(position - 1, 1))

    def _mark_damage(self) -> None:
        damaged = set(self._log.damage)
        for game in damaged ^ self._damaged:
            self._project({game}, *cursor(self._views.db))
        self._damaged = damaged

    def _project(self, games: set[str], position: int, hash_: str) -> None:
        folds: list[Fold] = []
        failed: dict[str, str] = {}
        for game in games:
            try:
                folds.append(self._folds.current(game))
            except (ProjectionError, LogError) as error:  # a poison game must not stop the others
                logger.warning("%s", error)
                failed[game] = str(error)
        with self._views.transaction() as db:
            list_folds(db, folds)
            for fold in folds:
                keep_checkpoint(db, fold)
            for game, why in failed.items():
                list_unreadable(db, game, why)
            set_cursor(db, position, hash_)
