"""The reading half of the log. It needs no lock and can be opened in any process beside the writing one."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack, suppress
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from events.errors import DamagedError, LogDamagedError
from events.reading import PAGE, RowReader
from events.rows import uuid_bytes, uuid_text
from events.schemas import is_uuid
from events.sqlite.backup import backup
from events.sqlite.components import SqliteComponentsReader
from events.sqlite.heads import Heads, heads_path
from events.sqlite.people import SqlitePeopleReader
from events.sqlite.pool import Pool
from events.sqlite.tables import SELECT
from events.sqlite.translation import raising_log_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from events.event import Event
    from events.rows import ChainMark, Row

POLL, LONGEST_POLL = 0.005, 0.1
"""Seconds between two looks of a waiting reader in another process: after news, and when nothing came for long."""

_GAMES_KEPT = 65536

K = TypeVar("K")
V = TypeVar("V")

_ENDS = """
    select number, game.id, version, hash from game left join event on event.game = number
    and version = (select max(version) from event where event.game = number)
    where number > ? order by number limit ?
"""

logger = logging.getLogger(__name__)


class SqliteReader(RowReader):
    """Reads a log in an SQLite database. The key of a game is its number.

    Raises `FileNotFoundError`, `LogNewerError`, or `LogError` for a file that is no log.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        super().__init__(str(path))
        self._pool = Pool(self.path)
        self._pause = POLL
        self._numbers: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self.people = SqlitePeopleReader(self._pool)
        self.components = SqliteComponentsReader(self._pool)
        with ExitStack() as undo:
            undo.callback(self._pool.close)
            with raising_log_errors(self.path):
                self._heads = Heads(heads_path(self.path))
            undo.callback(self._heads.close)
            self.warnings = list(self._heads.problems)
            self._examine({mark.game: mark for mark in self._heads})
            undo.pop_all()

    def close(self) -> None:
        """Close the files."""
        self._pool.close()
        self._heads.close()

    def _page(self, after: int, size: int) -> tuple[list[Row], int]:
        """The next rows of the feed.

        Positions follow one another without gaps. A gap or an early end means lost entries, or entries that a damaged
        file hides. Those are looked for one by one, as far as the head file goes.
        """
        top = self._heads.position  # asked before the database, which is never behind it
        try:
            rows = self._query(f"{SELECT} where seq > ? order by seq limit ?", (after, size))
        except LogDamagedError:
            rows, top = [], top or self._top()
        following = sum(1 for _ in takewhile(lambda place: place[0] == place[1][0], enumerate(rows, after + 1)))
        if following:
            return rows[:following], after + following
        if after < top:
            end = min(after + size, top)
            return self._single_rows(after, end), end
        if rows and not top and rows[0][0] > after:  # no head file says how far entries are missing
            return rows[:1], rows[0][0]
        return [], after

    def _top(self) -> int:
        """The highest known position."""
        top = self._heads.position
        with suppress(LogDamagedError):
            if not top:  # there is no head file
                top = SqliteReader.position(self)
            while self._query("select 1 from event where seq = ?", (top + 1,)):
                top += 1
        return top

    def _single_rows(self, after: int, end: int) -> list[Row]:
        """The rows after `after` that can be found one by one. Missing ones are damage of their games."""
        rows: dict[int, Row] = {}
        for seq in range(after + 1, end + 1):
            with suppress(LogDamagedError):
                rows.update((seq, row) for row in self._query(f"{SELECT} where seq = ?", (seq,)))
        if len(rows) < end - after:
            lost = end - after - len(rows)
            logger.warning("%s: %d entries after position %d cannot be read", self.path, lost, after)
            for mark in self._heads:
                if after < mark.position <= end and mark.position not in rows:
                    self._compare(mark)
        return list(rows.values())

    def position(self) -> int:
        """The feed position of the newest event, 0 in an empty log."""
        return self._query("select coalesce(max(seq), 0) from event", ())[0][0]  # type: ignore[no-any-return]

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until the feed goes beyond position `after` or `timeout` seconds have passed; say whether it does.

        One that has waited before without news goes on as rarely as it looked last.
        """
        deadline = time.monotonic() + timeout
        seen: object = None
        with self._pool.connection() as connection:
            while True:
                now = connection.execute("pragma data_version").fetchone()
                if now != seen:
                    seen = now
                    if connection.execute("select coalesce(max(seq), 0) from event").fetchone()[0] > after:
                        self._pause = POLL
                        return True
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                time.sleep(min(self._pause, left))
                self._pause = min(1.1 * self._pause, LONGEST_POLL)

    def backup(self, target: Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy the running log to a new database file `target` and prove the copy: every chain, every head."""
        backup(self.path, target, self._damage, progress)

    def _mark(self, game: str) -> ChainMark | None:
        return self._heads.find(uuid_bytes(game)) if is_uuid(game) else None

    def _examine(self, marks: Mapping[bytes, ChainMark]) -> list[str]:
        """Compare the head file with the database. Returns the games that go on after their last mark."""
        ahead = []
        left = dict(marks)
        with suppress(LogDamagedError):  # the games that are not reached are looked at one by one
            for key, version, own in self._ends():
                mark = left.pop(key, None)
                if mark is None or (version or 0) > mark.version:
                    ahead.append(uuid_text(key))
                if mark is not None and (version, own) != (mark.version, mark.hash):
                    self._compare(mark)
        for mark in left.values():
            self._compare(mark)
        return ahead

    def _ends(self) -> Iterator[tuple[bytes, int | None, bytes | None]]:
        """Id, last version and last hash of every game, as they are stored."""
        for _, key, version, own in self._by_number(_ENDS):
            if isinstance(key, bytes) and isinstance(version, int | None):
                yield key, version, own

    def _by_number(self, sql: str) -> Iterator[Row]:
        """The rows of all games, page by page, as long as their numbers (the first column) grow."""
        number = 0
        while rows := self._query(sql, (number, PAGE)):
            for row in rows:
                if row[0] <= number:  # a flipped bit leads astray, and could do so for ever
                    return
                number = row[0]
                yield row

    def _version(self, game: str, number: int) -> int:
        rows = self._rows("select coalesce(max(version), 0) from event where game = ?", (number,), game, 1)
        version = rows[0][0]
        return version if isinstance(version, int) else 0

    # Queries

    def _query(self, sql: str, parameters: tuple[Any, ...]) -> list[Row]:
        with self._pool.connection() as connection:
            return connection.execute(sql, parameters).fetchall()

    def _rows(self, sql: str, parameters: tuple[Any, ...], game: str, version: int) -> list[Row]:
        """Rows of one game. If the file cannot be read there, this game is damaged."""
        try:
            return self._query(sql, parameters)
        except LogDamagedError as error:
            raise self._note(DamagedError(game, version, str(error.__cause__))) from error

    def _hash(self, game: str, number: int, version: int) -> str | None:
        rows = self._rows("select hash from event where game = ? and version = ?", (number, version), game, version)
        try:
            return rows[0][0].hex() if rows else None
        except AttributeError as error:
            raise self._note(DamagedError(game, version, "the entry cannot be read")) from error

    def _seq(self, event: Event) -> int:
        """The feed position of a stored event."""
        seq: int = self._query("select seq from event where id = ?", (uuid_bytes(event.id),))[0][0]
        return seq

    def newest_marks(self) -> Iterator[ChainMark]:
        """See `events.log.LogReader.newest_marks`."""
        return iter(self._heads)

    def _games(self) -> Iterator[str]:
        """The games that the database names, and those that only the head file does."""
        named: set[bytes] = set()
        with suppress(LogDamagedError):
            for _, key in self._by_number("select number, id from game where number > ? order by number limit ?"):
                if isinstance(key, bytes):
                    named.add(key)
                    yield uuid_text(key)
        for mark in self._heads:
            if mark.game not in named:
                yield uuid_text(mark.game)

    def _entries(self, game: str, key: int, after: int, until: int, limit: int) -> list[Row]:
        sql = f"{SELECT} where game = ? and version > ? and version <= ? order by version limit ?"
        return self._rows(sql, (key, after, until, limit), game, after + 1)

    def _ending(self, game: str, key: int) -> list[Row]:
        return self._rows(f"{SELECT} where game = ? order by version desc limit 2", (key,), game, 1)

    def _place(self, game: str, key: int, version: int) -> tuple[int, bytes] | None:
        sql = "select seq, hash from event where game = ? and version = ?"
        rows = self._rows(sql, (key, version), game, version)
        return rows[0] if rows else None

    def _hashes(self, after: int, limit: int) -> list[Row]:
        return self._query("select seq, hash from event where seq > ? order by seq limit ?", (after, limit))

    def _found(self, event_id: str, game: str) -> Row | None:  # noqa: ARG002 - there is one lane
        rows = self._query(f"{SELECT} where id = ?", (uuid_bytes(event_id),))
        if not rows:
            return None
        (row,) = rows
        number, version, key = row[1:4]
        if not (isinstance(number, int) and isinstance(version, int) and key == uuid_bytes(event_id)):
            raise LogDamagedError(f"{self.path}: the entry with id {event_id} cannot be read")
        return row

    def _key(self, game: str) -> int | None:
        number = self._numbers.get(game)
        if number is None and is_uuid(game):
            rows = self._rows("select number from game where id = ?", (uuid_bytes(game),), game, 1)
            if rows:
                number = _keep(self._numbers, game, rows[0][0])
        return number

    def _id(self, number: int) -> str:
        """The id of a game. Raises `DamagedError`."""
        return self._names.get(number) or _keep(self._names, number, self._stored_name(number))

    def _stored_name(self, number: int) -> str:
        """The id that the table has for a game or, where nothing else knows a game of that id, its index."""
        name = self._named("select id from game where number = ?", number)
        if name and (self._mark(name) or self._key(name) == number):
            return name
        name = self._named("select id from game indexed by idx_game_id where +number = ?", number)
        if name is None:
            raise DamagedError(f"number {number}", 1, "its name is missing")
        return name

    def _named(self, sql: str, number: int) -> str | None:
        with suppress(LogDamagedError):
            rows = self._query(sql, (number,))
            if rows and isinstance(rows[0][0], bytes):
                return uuid_text(rows[0][0])
        return None


def _keep(known: dict[K, V], key: K, value: V) -> V:
    if len(known) >= _GAMES_KEPT:
        known.clear()
    known[key] = value
    return value
