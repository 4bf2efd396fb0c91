"""Standbys: copies of the database that follow it. Whole games and long stretches of the feed are read from them.

A standby is never believed. For each page that was read there, the primary gets one question: the hash of the page's
last entry, which all earlier entries depend on, and the last erasure. So a standby that is late, different, promoted,
damaged, or has another log gives no page. It needs no right to identify itself.
"""

from __future__ import annotations

import logging
import threading
import time
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from psycopg_pool import PoolTimeout

from events.canonical import exported
from events.errors import DamagedError, GameUnknownError, LogError
from events.event import SkimmedEntry, StandbyState
from events.postgres.database import Database, name_of
from events.postgres.log import PostgresLog
from events.postgres.reader import PostgresReader
from events.postgres.tables import LANE
from events.postgres.timely import ANSWER_TIMEOUT, TimedConnection
from events.postgres.translation import raising_log_errors
from events.reading import PAGE, RowReader
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from events.event import Event
    from events.rows import Row

MIN_ENTRIES = 64
"""The number of entries that makes a standby worthwhile: it takes a few more questions than the primary alone."""

PAGES = 4 * PAGE
"""Entries of a page at most: the primary is asked a question for each."""

PAGE_TIMEOUT = 0.2
"""Seconds that a standby has for a page, with what it has yet to catch up on; then the primary answers."""

RETRY_AFTER = 0.01
"""Seconds until a late standby is asked again."""

CHECK_INTERVAL = 1.0
"""Seconds between two looks at a standby. After a vain wait nobody waits for it during this time."""

CONNECT = 2
"""Seconds that a connection may take; nobody but those looks wait for it."""

T = TypeVar("T")
PositionedEvent = tuple[int, "Event"]

_LAST_ERASED = "select number, game from kifu.erasure where lane = %(erasures)s order by number desc limit 1"
_ERASED = f"select number, uuid_send(game) from ({_LAST_ERASED}) as erased"
_VOUCH = f"""
    select game.version, entry.hash, erased.number, uuid_send(erased.game) from kifu.game
    left join kifu.event as entry on entry.lane = game.lane and entry.game = game.id and entry.version = %(version)s
    left join lateral ({_LAST_ERASED}) as erased on true where game.lane = %(lane)s and game.id = %(game)s
"""

_FOLLOWS = "select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text"
_LAG = "select pg_wal_lsn_diff(pg_current_wal_lsn(), %s::pg_lsn)::float8"
"""A question that every role may ask. Without a right to `pg_control_system()`, the entries identify a standby."""

OTHER_LOG = "it has another log than the primary, or went another way"

logger = logging.getLogger(__name__)


class _BehindError(Exception):
    """A standby has not replayed this far."""


class _Asked(PostgresReader):
    """A log that also answers SQL statements."""

    def rows(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """The rows of a statement. Raises `LogError`."""
        return self._database.query(statement, values)


def erased_last(log: _Asked) -> Row | None:
    """The last erasure in a log: its number and its game."""
    return next(iter(log.rows(_ERASED, {"erasures": LANE})), None)


def hash_at(log: _Asked, position: int) -> bytes | None:
    """The hash of the entry at a position of the feed, if there is one."""
    return next((hash_ for place, hash_ in log.hashes(position - 1, 1) if place == position), None)


class _Copy(_Asked):
    """The log of a standby. Damage here says nothing about other copies."""

    def __init__(self, url: str) -> None:
        self._database = Database(url, PAGE_TIMEOUT, CHECK_INTERVAL, connect_timeout=str(CONNECT))
        RowReader.__init__(self, self._database.name)
        try:
            self._database.wait(CONNECT)
            with raising_log_errors(self.name), self._database.connection() as connection:
                self._open(connection)
        except BaseException:
            self.close()
            raise


class Standby:
    """One standby of a `primary`. Its own thread checks it once a second. Safe to share between threads."""

    def __init__(self, url: str, primary: _Routed) -> None:
        self._url, self._primary = url, primary
        self.name = name_of(url)
        self._copy: _Copy | None = None
        self._lost: list[_Copy] = []
        self._why: str | None = "it was not looked at yet"
        self._lag: float | None = None
        self._position, self._ahead = 0, False
        self._pages = count(1)
        self._given = 0
        self._hurry_until = 0.0
        self._lock = threading.Lock()
        self._wake, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._watch, name="standby", daemon=True)
        self._thread.start()

    @property
    def state(self) -> StandbyState:
        """Its state."""
        return StandbyState(self.name, self._why, self._lag, self._given)

    @property
    def is_usable(self) -> bool:
        """Whether it can answer now."""
        return self._why is None

    # What is read

    def entries(self, game: str, after: int, until: int) -> tuple[list[Event], int] | None:
        """The first entries `after < version <= until` of a game, and at which version it ends.

        None if the primary has to be asked.
        """

        def look(copy: _Copy) -> tuple[list[Event], int]:
            erased = erased_last(copy)
            wanted = min(until, after + PAGES)
            try:
                found = list(copy.read(game, after, wanted))
            except GameUnknownError:
                raise _BehindError from None
            if not found:
                raise _BehindError
            end = self._confirmed_end(found[-1], erased)
            if found[-1].version < min(end, wanted):
                raise _BehindError
            return found, end

        return self._wait_for(look)

    def feed(self, after: int, size: int) -> list[PositionedEvent] | None:
        """The next `size` entries of the feed; None if only the primary can answer, as for damaged entries."""
        size = min(size, self._position - after)
        if size < MIN_ENTRIES:
            return None

        def look(copy: _Copy) -> list[PositionedEvent] | None:
            erased = erased_last(copy)
            found = list(copy.feed(after, size))
            if [position for position, _ in found] != [*range(after + 1, after + size + 1)]:
                return None
            self._compare(
                bytes.fromhex(found[-1][1].hash), self._primary.ask_primary(lambda log: hash_at(log, after + size))
            )
            if self._primary.ask_primary(erased_last) != erased:
                raise _BehindError
            return found

        return self._wait_for(look)

    def _confirmed_end(self, last: Event, erased: Row | None) -> int:
        """The end of the game, if the primary has this entry and no later erasure.

        Raises `_BehindError`, `LogError`.
        """
        lane = self._primary.lane(last.game)
        where = {"game": last.game, "version": last.version, "lane": lane, "erasures": LANE}
        rows = self._primary.ask_primary(lambda log: log.rows(_VOUCH, where))
        if not rows:
            raise _BehindError
        end, hash_, *truly = rows[0]
        self._compare(bytes.fromhex(last.hash), hash_)
        if (erased or (None, None)) != tuple(truly):
            raise _BehindError
        return int(end)

    def _compare(self, own: bytes, true: bytes | None) -> None:
        """Check that a hash is the primary's. With synchronous commits a standby can be a moment ahead of that."""
        if true is None:
            raise _BehindError
        if own != true:
            raise LogError(OTHER_LOG)

    def _wait_for(self, look: Callable[[_Copy], T | None]) -> T | None:
        """The result of `look` once the standby has replayed this far; None if it takes too long."""
        with TimedConnection.time_limit(PAGE_TIMEOUT) as ends:
            while (copy := self._copy) is not None and self.is_usable:
                try:
                    found = look(copy)
                except _BehindError:
                    if not self._wait_for_replay(ends):
                        return None
                except DamagedError as error:
                    logger.warning("the standby %s: %s", self.name, error)
                    return None
                except _PrimaryError as error:
                    raise error.error from None
                except LogError as error:
                    if isinstance(error.__cause__, PoolTimeout):
                        return None  # all connections are lent
                    self._drop_copy(copy, str(error))
                else:
                    if found is not None:
                        self._given = next(self._pages)
                    return found
        return None

    def _wait_for_replay(self, ends: float) -> bool:
        """Wait for it for a moment. False if the time is over, or others have just waited in vain."""
        now = time.monotonic()
        if now < self._hurry_until:
            return False
        if now + RETRY_AFTER > ends:
            self._hurry_until = now + CHECK_INTERVAL
            return False
        time.sleep(RETRY_AFTER)
        return True

    # How it is looked at

    def close(self) -> None:
        """Close the connections."""
        self._stopped = True
        self._wake.set()
        self._thread.join(PAGE_TIMEOUT)

    def _watch(self) -> None:
        while not self._stopped:
            try:
                self._copy = self._copy or _Copy(self._url)
                self._look(self._copy)
            except (LogError, FileNotFoundError) as error:
                self._drop_copy(self._copy, str(error))
            self._close_lost()
            self._wake.wait(CHECK_INTERVAL)
        self._drop_copy(self._copy, "it was closed")
        self._close_lost()

    def _look(self, copy: _Copy) -> None:
        with TimedConnection.time_limit(CHECK_INTERVAL):
            ((follows, reached),) = copy.rows(_FOLLOWS)
            position = copy.position()
            hash_ = hash_at(copy, position)
        if not follows:
            raise LogError("it follows no primary: it was promoted, or never was a standby")
        ((lag,),) = self._primary.ask_primary(lambda log: log.rows(_LAG, [reached]))
        try:
            if hash_ is not None:
                self._compare(hash_, self._primary.ask_primary(lambda log: hash_at(log, position)))
        except _BehindError:
            if self._ahead:
                raise LogError(OTHER_LOG) from None
            self._ahead = True
        else:
            self._position, self._lag, self._ahead = position, lag, False
            self._set_reason(None)

    def _drop_copy(self, copy: _Copy | None, why: str) -> None:
        """Stop reading from it until it is sound again."""
        with self._lock:
            if copy is not self._copy:
                return  # somebody else has lost it, or there is another one by now
            self._copy = None
            if copy is not None:
                self._lost.append(copy)
        self._lag = None
        if not self._stopped:
            self._set_reason(why)

    def _set_reason(self, why: str | None) -> None:
        with self._lock:
            before, self._why = self._why, why
        if why is None and before is not None:
            logger.info("the standby %s is read from", self.name)
        elif why is not None and (before is None or before != why):
            logger.warning("the standby %s is not read from: %s", self.name, why)

    def _close_lost(self) -> None:
        with self._lock:
            lost, self._lost = self._lost, []
        for copy in lost:
            copy.close()


class _PrimaryError(LogError):
    """The primary itself does not answer."""

    def __init__(self, error: LogError) -> None:
        super().__init__(str(error))
        self.error = error


class _Routed(_Asked):
    """Reads whole games and long stretches of the feed from standbys, as the primary has them, and all else there."""

    standbys: tuple[Standby, ...] = ()

    def __init__(self, url: str, replica_url: str, **more: Any) -> None:
        super().__init__(url, **more)
        self._turns = count()
        try:
            if self._layout.distributed:
                raise LogError(f"{self.name} is a cluster, which has no standbys to read from: name none")
            self.standbys = tuple(Standby(each, self) for each in replica_url.split())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the standbys, and everything else."""
        for standby in self.standbys:
            standby.close()
        super().close()

    @property
    def standby_states(self) -> tuple[StandbyState, ...]:
        """The state of each standby."""
        return tuple(standby.state for standby in self.standbys)

    def ask_primary(self, ask: Callable[[_Routed], T]) -> T:
        """The answer of the primary, with a time limit of its own. Raises `_PrimaryError`."""
        try:
            with TimedConnection.time_limit(ANSWER_TIMEOUT):
                return ask(self)
        except LogError as error:
            raise _PrimaryError(error) from error

    def _standby(self) -> Standby | None:
        """The next standby that can answer, in turn."""
        usable = [standby for standby in self.standbys if standby.is_usable]
        return usable[next(self._turns) % len(usable)] if usable else None

    def read(self, game: str, after: int = 0, until: int | None = None) -> Iterator[Event]:
        """See `events.log.LogReader.read`."""
        self._refuse_damaged(game)
        page = self._page_of(game, max(after, 0), until)
        return super().read(game, after, until) if page is None else self._read_on(game, page, until)

    def lines(self, game: str, until: int, viewpoint: str) -> Iterator[bytes]:
        """See `events.log.LogReader.lines`."""
        return (exported(event, viewpoint) for event in self.read(game, 0, until))

    def _page_of(self, game: str, after: int, until: int | None) -> tuple[list[Event], int] | None:
        last = 2**62 if until is None else until
        standby = self._standby() if last - after >= MIN_ENTRIES and is_uuid(game) else None
        return standby.entries(game, after, last) if standby else None

    def _read_on(self, game: str, page: tuple[list[Event], int] | None, until: int | None) -> Iterator[Event]:
        """Read page after page from the standby, and the rest from the primary."""
        while page is not None:
            events, end = page
            yield from events
            reached = events[-1].version
            if reached >= end or reached == until:
                return
            page = self._page_of(game, reached, until)
        yield from super().read(game, reached, until)

    def feed(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, Event]]:
        """See `events.log.LogReader.feed`."""
        left = 2**62 if limit is None else limit
        while left >= MIN_ENTRIES:
            standby = self._standby()
            page = standby.feed(after, min(PAGES, left)) if standby else None
            if page is None:
                break
            after = page[-1][0]
            for position, event in page:
                damage = self._damage.get(event.game)
                if damage is None or event.version < damage.version:
                    left -= 1
                    yield position, event
        yield from super().feed(after, left)

    def skim(self, after: int = 0, limit: int | None = None) -> Iterator[SkimmedEntry]:
        """See `events.log.LogReader.skim`."""
        for position, event in self.feed(after, limit):
            yield SkimmedEntry(position, event.game, event.type, event.hash)


class RoutedReader(_Routed):
    """A log in PostgreSQL that is read from its standbys, too. `replica_url` names them, with spaces between."""


class RoutedLog(_Routed, PostgresLog):
    """A log in PostgreSQL that can be appended to, and is also read from its standbys."""
