"""The log in one SQLite database: append and everything else that writes."""

from __future__ import annotations

import logging
import threading
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from events.canonical import GENESIS, canonical, digest
from events.errors import (
    BadEventError,
    BatchSizeError,
    DamagedError,
    GameUnknownError,
    IdReusedError,
    LogUnwritableError,
    StaleVersionError,
)
from events.event import Appended, Head, NewEvent
from events.schemas import SCHEMAS, is_uuid, upcast
from events.sqlite.backup import backup
from events.sqlite.database import open_writer
from events.sqlite.heads import SIZE, HeadFile, Mark, heads_path, write
from events.sqlite.lock import WriteLock
from events.sqlite.people import SqlitePeople
from events.sqlite.reader import SqliteReader
from events.sqlite.rows import uuid_bytes
from events.sqlite.writer import Chain, Entry, Request, Writer, milliseconds, new_chain

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence

    from events.event import Event

BATCH_LIMIT = 1000
"""The most events in one request."""

MISSED_LIMIT = 1000
"""The most missed events that a stale request is told; the rest can be read."""

RECORDER_LIMIT = 200

logger = logging.getLogger(__name__)


class SqliteLog(SqliteReader):
    """A log that can be appended to: see `events.log.Log`. One process at a time has it open.

    `clock` gives milliseconds since 1970. Raises `LogLockedError`, `LogNewerError`, `LogUnwritableError`,
    `LogFullError`, or `LogError` for a file that is no log.
    """

    def __init__(self, path: Path | str, clock: Callable[[], int] = milliseconds) -> None:
        path = Path(path)
        self._make_folder(path.parent)
        self._lock = WriteLock(path.with_name(path.name + ".lock"))
        try:
            connection = open_writer(path)
            try:
                self._open(path, connection, clock)
            except BaseException:
                connection.close()
                raise
        except BaseException:
            self._lock.release()
            raise

    def _open(self, path: Path, connection: sqlite3.Connection, clock: Callable[[], int]) -> None:
        self._position = 0
        self._listeners: list[Callable[[Sequence[Event]], None]] = []
        self._news = threading.Condition()
        self._waiting = 0
        super().__init__(path)
        heads = HeadFile(heads_path(path))
        try:
            self._writer = Writer(
                connection,
                path,
                heads,
                position=self._position,
                chain=self._chain,
                stored=self._announce,
                clock=clock,
            )
        except BaseException:
            heads.close()
            raise
        self.people = SqlitePeople(self._pool, self._writer)
        for warning in self.warnings:
            logger.warning("%s: %s", path, warning)

    @staticmethod
    def _make_folder(folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogUnwritableError(f"the folder {folder} cannot be made: {error.strerror}") from error

    def close(self) -> None:
        """Finish what was accepted, checkpoint, and let go of the files."""
        super().close()
        self._writer.close()
        self._lock.release()

    # Append

    def append(self, game: str, events: Sequence[NewEvent], *, expected: int, recorder: str) -> Appended:
        """Store 1..n events of `game` after version `expected` (0 opens the game), all of them or none."""
        self._refuse_damaged(game)
        request = Request(game, expected, recorder, _entries(game, events, expected, recorder))
        before: tuple[Event, ...] = ()
        while True:
            self._writer.submit(request)
            if request.error is not None:
                raise request.error
            if request.events is not None:
                return Appended(before + request.events, len(request.events))
            stored = self._stored_front(request, len(before))
            before += stored
            if len(stored) == len(request.entries):
                return Appended(before, 0)
            request = Request(game, expected + len(before), recorder, request.entries[len(stored) :])
            self._refuse_stale(request, expected)

    def adopt(self, events: Sequence[Event]) -> Appended:
        """Store 1..n events of a game that another log recorded, as they are: ids, times, recorders and hashes."""
        game, before = events[0].game, events[0].version - 1
        entries = _adopted(events)
        head = self.head(game)
        here = list(self.read(game, before, events[-1].version)) if head else []
        for stored, event in zip(here, events, strict=False):
            if stored.hash != event.hash:
                raise StaleVersionError(game, stored.version - 1, head.version if head else 0, here)
        if len(here) == len(events):
            return Appended(tuple(events), 0)
        request = Request(game, before + len(here), "", entries[len(here) :])
        self._refuse_stale(request, request.expected)
        if events[len(here)].prev != (head.hash if head else GENESIS):
            raise StaleVersionError(game, request.expected - 1, request.expected, ())
        self._writer.submit(request)
        if request.error is not None:
            raise request.error
        if request.events is None:
            self._stored_front(request, len(here))
            return self.adopt(events)  # somebody else stored some of them meanwhile
        return Appended(tuple(events), len(request.events))

    def _stored_front(self, request: Request, start: int) -> tuple[Event, ...]:
        """The events at the front of a request that are stored where it wants them. Raises `IdReusedError`."""
        found = [self.find(entry.id) for entry in request.entries]
        front: list[Event] = []
        for index, (event, entry) in enumerate(zip(found, request.entries, strict=True)):
            if event is None:
                continue
            if not (len(front) == index and _is_retry(event, request, index)):
                raise IdReusedError(start + index, entry.id, event)
            front.append(event)
        return tuple(front)

    def _refuse_stale(self, request: Request, expected: int) -> None:
        head = self.head(request.game)
        version = head.version if head else 0
        if version != request.expected:
            last = min(version, expected + MISSED_LIMIT)
            missed = tuple(self.read(request.game, expected, last)) if version > expected else ()
            raise StaleVersionError(request.game, expected, version, missed)

    # What the writer asks for and tells

    def _chain(self, game: str) -> Chain:
        last = self._last(game)
        if last is None:
            return new_chain()
        number = self._number(game)
        return Chain(number or 0, last.version, last.hash, last.recorded_at)

    def _announce(self, requests: Sequence[Sequence[Event]]) -> None:
        for listener in self._listeners:
            for events in requests:
                try:
                    listener(events)
                except Exception:
                    logger.exception("%s: a listener failed", self.path)
        if self._waiting:
            with self._news:
                self._news.notify_all()

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> None:
        """Call `listener` with each request's newly stored events, after their commit and before its answer."""
        self._listeners.append(listener)

    # Quick answers from what the writer knows

    def head(self, game: str) -> Head | None:
        """The newest version of a game, or None for an unknown one. Raises `DamagedError`."""
        self._refuse_damaged(game)
        chain = self._writer.chain(game)
        return Head(game, chain.version, chain.hash) if chain else super().head(game)

    def position(self) -> int:
        """The feed position of the newest event, 0 in an empty log."""
        return self._writer.position

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until the feed goes beyond position `after` or `timeout` seconds have passed; say whether it does."""
        with self._news:
            self._waiting += 1
            try:
                return self._news.wait_for(lambda: self._writer.position > after, timeout)
            finally:
                self._waiting -= 1

    def backup(self, target: Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy the running log to a new database file `target` and prove the copy: every chain, every head."""
        backup(self.path, target, self._damage, progress)

    # Heads and damage

    def _examine(self, marks: dict[bytes, Mark]) -> None:
        """Compare the head file with the database, and bring it up to date where a kill left it behind."""
        super()._examine(marks)
        self._position = max((mark.position for mark in marks.values()), default=0)
        path = heads_path(self.path)
        fresh = [mark for game in self._games() if (mark := self._ahead(game, marks.get(uuid_bytes(game))))]
        missing = not path.exists()
        if missing and fresh:
            self.warnings.append(f"{path.name} was missing and is made anew; a lost tail could not have been noticed")
        if missing or fresh or self.warnings or path.stat().st_size > 2 * SIZE * (len(marks) + 512):
            write(path, (marks | {mark.game: mark for mark in fresh}).values())

    def _ahead(self, game: str, mark: Mark | None) -> Mark | None:
        """The mark of a sound game that went on after its last mark was written, else None."""
        version = mark.version if mark else 0
        try:
            last = _last(self.read(game, version))
        except DamagedError:
            return None
        if last is None:
            return None
        return Mark(uuid_bytes(game), last.version, self._seq(last), bytes.fromhex(last.hash))

    def accept_loss(self, game: str) -> Head | None:
        """Take what is left of a game with a missing tail as its record, so that it can be served again."""
        known = self._damage.pop(game, None)
        if known is None:
            return self.head(game)
        try:
            last = _last(self.read(game))
        except GameUnknownError:
            last = None
        version, own = (last.version, last.hash) if last else (0, GENESIS)
        self._writer.forget(game)
        self._writer.mark(Mark(uuid_bytes(game), version, self.position(), bytes.fromhex(own)))
        return Head(game, version, own) if last else None


def _last(events: Iterable[Event]) -> Event | None:
    """The last of a stream, or None."""
    return next(iter(deque(events, maxlen=1)), None)


def _is_retry(event: Event, request: Request, index: int) -> bool:
    """Whether a stored event is what entry `index` of a request asks for, at its place."""
    entry = request.entries[index]
    return (event.game, event.version, event.type, event.happened_at, event.body) == (
        request.game,
        request.expected + index + 1,
        entry.type,
        entry.happened_at,
        entry.body,
    )


def _entries(game: str, events: Sequence[NewEvent], expected: int, recorder: str) -> list[Entry]:
    """The entries of a request in canonical form. Raises `BatchSizeError`, `BadEventError`, `ValueError`."""
    if not 1 <= len(events) <= BATCH_LIMIT:
        raise BatchSizeError(len(events), BATCH_LIMIT)
    if not is_uuid(game):
        raise BadEventError(0, "game", "not a UUID in lower-case canonical form")
    if expected < 0:
        raise ValueError(f"expected version {expected} is negative")
    if len(recorder) > RECORDER_LIMIT or not recorder.isprintable():
        raise ValueError(f"recorder {recorder[:RECORDER_LIMIT]!r} is too long or holds control characters")
    entries: list[Entry] = []
    seen: set[str] = set()
    for index, event in enumerate(events):
        schema, body = SCHEMAS.check(index, event)
        if (event.type == "game.opened") != (expected + index == 0):
            raise BadEventError(index, "type", "game.opened is the first event of a game, and no other one is")
        if event.id in seen:
            raise BadEventError(index, "id", "the same id stands twice in the request")
        seen.add(event.id)
        entries.append(Entry(event.id, event.type, schema, event.happened_at, body))
    return entries


def _adopted(events: Sequence[Event]) -> list[Entry]:
    """Events of another log as entries of a request, each proved to follow from the one before. Raises as above."""
    current = [upcast(event) for event in events]
    new = [NewEvent(id=event.id, type=event.type, data=event.data, happened_at=event.happened_at) for event in current]
    checked = _entries(events[0].game, new, events[0].version - 1, "")
    for index, (before, event) in enumerate(zip((None, *events), events, strict=False)):
        if digest(canonical(event)) != event.hash:
            raise BadEventError(index, "hash", "the event is not what was hashed")
        if before and (event.game, event.version, event.prev) != (before.game, before.version + 1, before.hash):
            raise BadEventError(index, "prev", "the event does not follow from the one before it")
        if before and event.recorded_at < before.recorded_at:
            raise BadEventError(index, "recorded_at", "earlier than the event before it")
        if len(event.recorder) > RECORDER_LIMIT or not event.recorder.isprintable():
            raise BadEventError(index, "recorder", "too long, or with control characters")
    return [
        msgspec.structs.replace(
            entry, schema=event.schema, body=event.body, recorded_at=event.recorded_at, recorder=event.recorder
        )
        for entry, event in zip(checked, events, strict=True)
    ]
