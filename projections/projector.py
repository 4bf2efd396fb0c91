"""The projector follows the feed and keeps the catalogue and the checkpoints up to date."""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import time
from typing import TYPE_CHECKING, Protocol

import msgspec

from events.errors import LogBusyError, LogError, LogUnreachableError
from events.kinds import is_of_game
from events.sqlite.translation import is_corruption, is_full
from projections.catalogue.writing import (
    changed_rulesets,
    clear_public,
    games_of,
    list_folds,
    list_unreadable,
    record_rulesets,
    set_public,
)
from projections.checkpoints import STRIDE, drop_checkpoints, next_checkpoint, save_checkpoint
from projections.clubs import list_clubs
from projections.errors import ProjectionError
from projections.proof import prove
from projections.views import (
    access_cursor,
    cursor,
    erasure_cursor,
    set_access_cursor,
    set_cursor,
    set_erasure_cursor,
)
from projections.watching import News

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from events.event import LogEnd
    from events.log import Log
    from projections.fold import Fold
    from projections.folds import Folds
    from projections.sharing import Leader
    from projections.views import Views

LONGEST = 60
"""The most seconds in a `Retry-After`."""

logger = logging.getLogger(__name__)

BATCH = 2000
"""How many events of the feed are taken together: the games among them are listed once each."""

FOLLOW_INTERVAL = 0.25
"""Seconds between two looks at how far the leader has come, and at what was erased."""

IDLE_LOOK = 1.5
"""Seconds between two looks where nothing is heard: damage that a read finds is not news, and is marked then."""

FULL_LOOK = 30.0
"""Seconds after which the feed is read although nothing seems to be new: a database may have been restored."""

LISTS_TOPIC = "lists"
"""The leader's topic about the read models, and the request to rebuild them."""

PAUSE, LONGEST_PAUSE = 0.03, 0.25
"""Seconds between two looks at a busy feed, so that a burst of entries to a game is one row written."""

QUICK, REST = 0.003, 20
"""How many times the seconds beyond `QUICK` that a look took it rests after it, within these limits: requests need the
interpreter."""


class Rebuilding(msgspec.Struct, frozen=True):
    """A rebuild of the read models: how many events of the log, at its length then, are `done`, and `left`.

    `seconds` is the estimated remaining time.
    """

    done: int
    left: int
    seconds: int


class RebuildingError(Exception):
    """The read models are being rebuilt, and cannot be queried yet. `seconds` is the remaining time."""

    def __init__(self, rebuilding: Rebuilding | None) -> None:
        self.seconds = rebuilding.seconds if rebuilding else 1
        share = (
            f"{rebuilding.done} entries are in it again, {rebuilding.left} are not yet"
            if rebuilding
            else "a moment more"
        )
        super().__init__(f"the list of games is being rebuilt from the log: {share}")


class Showing(Protocol):
    """The source of the set of public games."""

    identity: str

    @property
    def generation(self) -> int:
        """A number that changes with each change."""

    def changes(self, after: int, limit: int) -> list[tuple[int, str, bool]]:
        """The changes in this order: number, game, and whether everybody may see it from then on."""


class Projector:
    """Keeps the read models in `views` true to the log and to `showing`. One per process.

    Where several processes have the data folder, its `leader` does, and the others read what is there. What it finds
    when it begins is proved first. Until the read models are as far as the log was then, they are not to be believed:
    `rebuilding` says how far they are. `position` is the place in the feed that they have reached.
    """

    def __init__(
        self, log: Log, folds: Folds, views: Views, showing: Showing | None = None, leader: Leader | None = None
    ) -> None:
        self._log, self._folds, self._views, self._showing = log, folds, views, showing
        self._leader = leader
        self._damaged: set[str] = set()
        self._looked: tuple[LogEnd, int, int] | None = None
        self._looked_at = 0.0
        self._erasure = 0
        self._news, self._stop = News(), threading.Event()
        self._ready = threading.Event()
        self._told: Rebuilding | None = None
        self._doubt: str | None = None
        self._proved, self._waits = False, ""
        self.position = 0
        self._start, self._target, self._since = 0, log.position(), time.monotonic()
        log.subscribe(self._news.note)

    def wake(self) -> None:
        """Look at the feed now, because there is something new."""
        self._news.note()

    def wait(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds for complete read models. True if they are."""
        return self._ready.wait(timeout)

    def reach(self, position: int, timeout: float) -> bool:
        """Wait up to `timeout` seconds until the read models are complete and at `position`. True if they are."""
        deadline = time.monotonic() + timeout
        while not self._ready.is_set() or self.position < position:
            self.wake()
            if time.monotonic() > deadline or self._stop.wait(PAUSE):
                return False
        return True

    @property
    def rebuilding(self) -> Rebuilding | None:
        """The progress of read models that are not reliable yet; None if they are."""
        if self._ready.is_set():
            return None
        if self._told:
            return self._told
        left, taken = max(self._target - self.position, 0), time.monotonic() - self._since
        seconds = taken * left / max(self.position - self._start, 1)
        return Rebuilding(self.position, left, min(max(math.ceil(seconds), 1), LONGEST))

    def doubt(self, why: object) -> None:
        """Request a rebuild of the read models, which a reader found damaged."""
        if self._leader and not self._leader.leads:
            self._leader.request_repair(LISTS_TOPIC)
            return
        self._doubt = str(why)
        self._ready.clear()
        self._tell()
        self._news.set()

    def catch_up(self) -> int:
        """Project everything in the feed. Returns the position reached."""
        with self._views.write_lock.hold():  # an older fold of a game must not overwrite a newer row
            return self._catch_up()

    def show(self) -> None:
        """Apply the current visibility of games, so that the next list has it."""
        with self._views.write_lock.hold():
            self._show()

    def _show(self) -> None:
        """Read models of another or restored store of access begin again."""
        if self._showing is None:
            return
        followed, change = access_cursor(self._views.db)
        if followed != self._showing.identity or (change and not self._showing.changes(change - 1, 1)):
            with self._views.transaction() as db:
                clear_public(db)
                set_access_cursor(db, self._showing.identity, 0)
            change = 0
        while changes := self._showing.changes(change, BATCH):
            with self._views.transaction() as db:
                set_public(db, [(game, shown) for _, game, shown in changes])
                change = changes[-1][0]
                set_access_cursor(db, self._showing.identity, change)

    def _catch_up(self) -> int:
        if self._doubt is not None or not self._proved:
            self._make_sure()
        self._show()
        self._wipe_erased()
        self._mark_damage()
        full = True
        while full:  # what comes meanwhile is for the next look, so that a busy feed ends, too
            position, hash_ = cursor(self._views.db)
            games: set[str] = set()
            clubs: set[str] = set()
            entries = list(self._log.skim(position, BATCH))
            for entry in entries:
                (games if is_of_game(entry.type) else clubs).add(entry.game)  # those not in memory are read, and proved
                position, hash_ = entry.position, entry.hash
            if entries:
                self._project(games, position, hash_, clubs)
            full = len(entries) == BATCH
        if self._doubt is None:
            self._ready.set()
            self._tell()
        return position

    def forget(self, game: str) -> None:
        """Rebuild everything derived from a game, so that no erased part of its record is left.

        Raises `LogBusyError` if a long read still keeps old bytes on disk.
        """
        with self._views.write_lock.hold():
            self._folds.forget(game)
            if not self._rebuild_without({game}):
                raise LogBusyError(
                    "what was erased is gone from the read models, but a read still keeps its bytes on disk"
                )

    def _wipe_erased(self) -> None:
        """Wipe what other processes have erased. A failed wipe is repeated at the next look."""
        self._folds.forget_erased()
        erased = self._log.erasures(erasure_cursor(self._views.db))
        if not erased:
            return
        if self._rebuild_without({game for _, game in erased}):
            with self._views.transaction() as db:
                set_erasure_cursor(db, erased[-1][0])
        else:
            self._looked = None

    def _rebuild_without(self, games: set[str]) -> bool:
        """Rebuild everything that was derived from some games; False if a long read keeps old bytes on disk.

        Nothing is derived from records that are not games.
        """
        games = set(filter(self._may_be_game, games))
        with self._views.transaction() as db:
            for game in games:
                drop_checkpoints(db, game)
        self._project(games, *cursor(self._views.db))
        return self._views.wipe()

    def _may_be_game(self, record: str) -> bool:
        """Whether a record is that of a game, or cannot be read."""
        try:
            first = self._log.find(record, record)
        except LogError:
            return True
        return first is None or is_of_game(first.type)

    def run(self) -> None:
        """Follow the feed until `stop` is called. A failure is logged and tried again: the log is the truth."""
        while True:
            told = self._news.is_set()
            if told:
                self._news.clear()
            if self._stop.is_set():
                return
            try:
                if self._leader is None or self._leader.leads:
                    began = time.monotonic()
                    self._lead(told=told)
                    self._waits = ""
                    self._rest(time.monotonic() - began)
                else:
                    self._follow()
                    self._stop.wait(FOLLOW_INTERVAL if self._ready.is_set() else PAUSE)
            except Exception as error:  # noqa: BLE001 - the log is the truth
                self._tell_failure(error)
                if isinstance(error, sqlite3.DatabaseError) and is_corruption(error):
                    self.doubt(error)
                self._stop.wait(1.0)

    def _rest(self, taken: float) -> None:
        """Wait for news, and then for more of them; `taken` are the seconds of the last look."""
        ended = time.monotonic()
        self._news.wait(IDLE_LOOK)
        rest = min(REST * max(taken - QUICK, 0.0), LONGEST_PAUSE) - (time.monotonic() - ended)
        self._stop.wait(max(rest, PAUSE))

    def _tell_failure(self, error: Exception) -> None:
        away = isinstance(error, LogUnreachableError)
        waits = "the database" if away else "room on the disk" if is_full(error) else ""
        if not waits:
            logger.exception("the read models could not be brought up to date; trying again")
        elif waits != self._waits:
            logger.warning("the read models wait for %s: %s", waits, error)
        self._waits = waits

    def stop(self) -> None:
        """End `run`, at once if it is waiting."""
        self._stop.set()
        self._news.set()

    def _lead(self, *, told: bool) -> None:
        """Project new events, and games that others have reported, again, if this was `told` news or anything moved."""
        if self._leader and self._leader.take_request(LISTS_TOPIC):
            self.doubt("a read came upon damage")
        now, seen = time.monotonic(), self._look()
        if told or self._doubt is not None or seen != self._looked or now - self._looked_at > FULL_LOOK:
            self._looked_at, self._looked = now, seen
            try:
                self.catch_up()
            except BaseException:
                self._looked = None
                raise

    def _look(self) -> tuple[LogEnd, int, int]:
        """The current ends of everything that the read models follow."""
        showing = self._showing.generation if self._showing else 0
        return self._log.recent_end(), showing, len(self._log.damage)

    def _follow(self) -> None:
        """Take over the leader's proof of the read models. Followers need not prove them again."""
        assert self._leader is not None  # noqa: S101 - for the types only
        if (erasure := self._log.recent_end().erasure) != self._erasure:
            self._folds.forget_erased()
            self._erasure = erasure
        told = self._leader.published_facts()
        self.position, _ = cursor(self._views.db)
        self._told = msgspec.convert(told.get(LISTS_TOPIC), Rebuilding | None)
        if LISTS_TOPIC in told and self._told is None:
            self._proved = True
            self._ready.set()
        else:
            self._ready.clear()

    def _tell(self) -> None:
        """Tell followers the position of the read models."""
        if self._leader:
            self._told = None
            self._leader.publish(LISTS_TOPIC, msgspec.to_builtins(self.rebuilding))

    def _make_sure(self) -> None:
        """Prove the read models, and begin with empty ones if they are damaged."""
        why, self._doubt = self._doubt, None
        if why is None:
            why = next(prove(self._views.db), None) or self._missing_entries()
        if why is not None:
            self._views.install(self._views.prepare())
            logger.warning("the read models are made anew: %s", why)
        self._proved = True
        self._list_anew()
        self._start = self.position = cursor(self._views.db)[0]
        self._since = time.monotonic()
        self._target = self._log.position()
        self._tell()

    def _list_anew(self) -> None:
        """List those games again that have a new, missing or changed ruleset since they were listed."""
        changed = changed_rulesets(self._views.db)
        if not changed:
            return  # nothing to note, so a full disk does no harm
        games = games_of(self._views.db, changed)
        for at in range(0, len(games), BATCH):
            self._project(set(games[at : at + BATCH]), *cursor(self._views.db))
        with self._views.transaction() as db:
            record_rulesets(db)

    def _missing_entries(self) -> str | None:
        """Whether the log lacks entries of the read models. It may have been restored since."""
        position, hash_ = cursor(self._views.db)
        if position == 0 or any(entry.hash == hash_ for entry in self._log.skim(position - 1, 1)):
            return None
        return "they are of another log"

    def _mark_damage(self) -> None:
        damaged = set(self._log.damage)
        for game in damaged ^ self._damaged:
            self._project({game}, *cursor(self._views.db))
        self._damaged = damaged

    def _project(self, games: set[str], position: int, hash_: str, clubs: Iterable[str] = ()) -> None:
        folds: list[Fold] = []
        failed: dict[str, str] = {}
        for game in games:
            try:
                fold = self._folds.fold_until_error(game)
                if fold.blocked_by and fold.blocked_by.correctable:
                    raise fold.blocked_by
                if not fold.blocked_by:
                    self._keep_passed(fold)
                folds.append(fold)
            except (ProjectionError, LogError) as error:  # a poison game must not stop the others
                logger.warning("%s", error)
                failed[game] = str(error)
        with self._views.transaction() as db:
            list_folds(db, folds, position)
            list_clubs(db, clubs)
            for fold in folds:
                if not fold.blocked_by and fold.version >= next_checkpoint(db, fold.game, fold.version):
                    save_checkpoint(db, fold)
            for game, why in failed.items():
                list_unreadable(db, game, why, position)
            set_cursor(db, position, hash_)
        self.position = position
        if not self._ready.is_set():
            self._tell()

    def _keep_passed(self, fold: Fold) -> None:
        """Save intermediate checkpoints of a game, if many entries came at once."""
        for passed in self._folds.at_each(fold.game, self._due(fold.game, fold.version)):
            with self._views.transaction() as db:
                save_checkpoint(db, passed)

    def _due(self, game: str, until: int) -> Iterator[int]:
        """The versions well before `until` at which a game is due for a checkpoint; each depends on the one saved."""
        tried = 0
        while (due := max(tried + STRIDE, next_checkpoint(self._views.db, game, until))) <= until - STRIDE:
            tried = due
            yield due
