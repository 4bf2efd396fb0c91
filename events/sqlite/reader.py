"""The reading half of the log. It needs no lock and can be opened in any process beside the writing one."""

from __future__ import annotations

import logging
import time
from collections import deque
from contextlib import ExitStack, suppress
from itertools import groupby, takewhile
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from events.canonical import GENESIS
from events.errors import DamagedError, GameUnknownError, LogDamagedError, LogUnwritableError
from events.event import Head
from events.schemas import is_uuid
from events.sqlite.backup import backup
from events.sqlite.components import SqliteComponentsReader
from events.sqlite.heads import Heads, heads_path
from events.sqlite.people import SqlitePeopleReader
from events.sqlite.pool import Pool
from events.sqlite.rows import SELECT, chained, checked, hash_of, uuid_bytes, uuid_text
from events.sqlite.translation import translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Self

    from events.components import Components
    from events.event import Appended, Event, NewEvent
    from events.people import People
    from events.sqlite.heads import Mark
    from events.sqlite.rows import Row

PAGE = 256
"""Rows fetched at a time: a stream never keeps a read transaction open while its consumer is busy."""

HASHES = 2000
"""Hashes fetched at a time."""

HASH = 32
"""Bytes of a hash."""

POLL = 0.005
"""Seconds between two looks of a waiting reader in another process."""

_GAMES_KEPT = 65536

K = TypeVar("K")
V = TypeVar("V")

_ENDS = """
    select number, game.id, version, hash from game left join event on event.game = number
    and version = (select max(version) from event where event.game = number)
    where number > ? order by number limit ?
"""

logger = logging.getLogger(__name__)


class SqliteReader:
    """Reads a log: see `events.log.Log` for what each method promises. Safe to share between threads.

    Raises `FileNotFoundError`, `LogNewerError`, or `LogError` for a file that is no log.
    """

    people: People
    components: Components

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._pool = Pool(self.path)
        self._damage: dict[str, DamagedError] = {}
        self._numbers: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self.people = SqlitePeopleReader(self._pool)
        self.components = SqliteComponentsReader(self._pool)
        with ExitStack() as undo:
            undo.callback(self._pool.close)
            with translated(self.path):
                self._heads = Heads(heads_path(self.path))
            undo.callback(self._heads.close)
            self.warnings = list(self._heads.oddities)
            self._examine({mark.game: mark for mark in self._heads})
            undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._pool.close()
        self._heads.close()

    @property
    def damage(self) -> Mapping[str, DamagedError]:
        """The damaged games that are known: found at start, or since by a read."""
        return MappingProxyType(self._damage)

    def read(self, game: str, after: int = 0, until: int | None = None) -> Iterator[Event]:
        """Stream the entries `after < version <= until` of a game, each checked against the chain before it."""
        self._refuse_damaged(game)
        mark = self._mark(game)
        number = self._number(game)
        if number is None:
            self._refuse_short(game, 0, mark)
            raise GameUnknownError(game)
        return self._read(game, number, after, until, mark)

    def _read(self, game: str, number: int, after: int, until: int | None, mark: Mark | None) -> Iterator[Event]:
        last = 2**62 if until is None else until
        version = max(after, 0)
        prev = self._hash(game, number, version) if version > 0 else GENESIS
        if prev is None:
            self._refuse_short(game, version - 1, mark)
            return
        while version < last:
            rows = self._rows(
                f"{SELECT} where game = ? and version > ? and version <= ? order by version limit ?",
                (number, version, last, PAGE),
                game,
                version + 1,
            )
            try:
                version, prev = yield from chained(rows, game, version, prev)
            except DamagedError as error:
                raise self._note(error) from error.__cause__
            if len(rows) < PAGE:
                break
        if version < last:
            self._refuse_short(game, version, mark)

    def feed(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, Event]]:
        """Stream `(position, event)` of all games in commit order, after position `after`."""
        ends: dict[int, tuple[int, str]] = {}
        left = 2**62 if limit is None else limit
        while left > 0:
            rows, end = self._page(after, min(PAGE, left))
            for number, run in groupby(rows, itemgetter(1)):
                for found in self._follow(number, list(run), ends):
                    left -= 1
                    yield found
            if end == after:
                return
            after = end

    def _page(self, after: int, size: int) -> tuple[list[Row], int]:
        """The next rows of the feed and the position that they reach: `after` itself at the end.

        Positions follow one another without gaps. Where they do not, or end too early, entries were lost, or are
        passed over because the file is damaged: those are looked for one by one, as far as the head file goes.
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
        """The highest position that was ever given, as far as is known."""
        top = self._heads.position
        with suppress(LogDamagedError):
            if not top:  # there is no head file
                top = SqliteReader.position(self)
            while self._query("select 1 from event where seq = ?", (top + 1,)):
                top += 1
        return top

    def _single_rows(self, after: int, end: int) -> list[Row]:
        """The rows after `after` that can be found by themselves; the others are missed by their games."""
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

    def _follow(self, number: Any, rows: list[Row], ends: dict[int, tuple[int, str]]) -> Iterator[tuple[int, Event]]:
        """What the feed has next of one game, as far as it is sound. `ends` keeps where chains were left."""
        first = rows[0][2]
        if not (isinstance(number, int) and isinstance(first, int)):
            logger.warning("%s: the entry at position %d cannot be read", self.path, rows[0][0])
            return
        try:
            game = self._name(number)
            known = self._damage.get(game)
            if known is not None:
                rows = rows[: max(known.version - first, 0)]
            if not rows:
                return
            prev = self._before(game, number, first, ends)
            for row, event in zip(rows, chained(rows, game, first - 1, prev), strict=True):
                yield row[0], event
        except DamagedError as error:
            self._note(error)
            return
        if len(ends) >= _GAMES_KEPT:
            ends.clear()
        ends[number] = event.version, event.hash

    def _before(self, game: str, number: int, version: int, ends: dict[int, tuple[int, str]]) -> str:
        """The hash of the entry before one of the feed. Raises `DamagedError` if that is missing."""
        end = ends.get(number)
        if end is None:
            prev = self._hash(game, number, version - 1) if version > 1 else GENESIS
        else:
            prev = end[1] if end[0] == version - 1 else None
        if prev is None:
            raise DamagedError(game, version - 1 if end is None else end[0] + 1, "the entry is missing")
        return prev

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Stream `(position, hash)` of all entries in commit order, as they are stored: nothing is proved of them."""
        left = 2**62 if limit is None else limit
        sql = "select seq, hash from event where seq > ? order by seq limit ?"
        while left > 0 and (rows := self._query(sql, (after, min(HASHES, left)))):
            for row in rows:
                if isinstance(row[1], bytes) and len(row[1]) == HASH:
                    yield row
            after, left = rows[-1][0], left - len(rows)

    def place(self, game: str, version: int) -> tuple[int, bytes] | None:
        """The position in the feed and the hash of an entry, or None if the game has no such version."""
        self._refuse_damaged(game)
        number = self._number(game)
        if number is None:
            raise GameUnknownError(game)
        sql = "select seq, hash from event where game = ? and version = ?"
        rows = self._rows(sql, (number, version), game, version)
        return rows[0] if rows else None

    def head(self, game: str) -> Head | None:
        """The newest version of a game, or None for an unknown one. Raises `DamagedError`."""
        last = self._last(game)
        return None if last is None else Head(game, last.version, last.hash)

    def _last(self, game: str) -> Event | None:
        self._refuse_damaged(game)
        mark = self._mark(game)
        number = self._number(game)
        sql = f"{SELECT} where game = ? order by version desc limit 2"
        rows = [] if number is None else self._rows(sql, (number,), game, 1)
        last = self._successor(rows[0], game, rows[1:]) if rows else None
        self._refuse_short(game, last.version if last else 0, mark)
        return last

    def _successor(self, row: Row, game: str, before: list[Row]) -> Event:
        """The event of a row, checked against the row before it. Raises `DamagedError`."""
        try:
            if not before:
                prev = GENESIS
            elif before[0][2] == row[2] - 1:
                prev = hash_of(before[0]).hex()
            else:
                raise DamagedError(game, row[2] - 1, "the entry is missing")
            return checked(row, game, prev)
        except DamagedError as error:
            raise self._note(error) from error.__cause__
        except (TypeError, AttributeError) as error:
            raise self._note(DamagedError(game, 1, f"its last entries cannot be read ({error})")) from error

    def heads(self) -> Iterator[Head]:
        """The heads of all sound games, in the order of their opening."""
        for game in self._games():
            try:
                head = self.head(game)
            except DamagedError:
                continue
            if head is not None:
                yield head

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

    def find(self, event_id: str) -> Event | None:
        """The stored event with this id, if there is one. Raises `DamagedError`."""
        if not is_uuid(event_id):
            return None
        rows = self._query(f"{SELECT} where id = ?", (uuid_bytes(event_id),))
        if not rows:
            return None
        (row,) = rows
        number, version, key = row[1:4]
        if not (isinstance(number, int) and isinstance(version, int) and key == uuid_bytes(event_id)):
            raise LogDamagedError(f"{self.path}: the entry with id {event_id} cannot be read")
        game = self._name(number)
        self._refuse_damaged(game)
        before = self._rows(f"{SELECT} where game = ? and version = ?", (number, version - 1), game, version - 1)
        if version > 1 and not before:
            raise self._note(DamagedError(game, version - 1, "the entry is missing"))
        return self._successor(row, game, before)

    def position(self) -> int:
        """The feed position of the newest event, 0 in an empty log."""
        return self._query("select coalesce(max(seq), 0) from event", ())[0][0]  # type: ignore[no-any-return]

    def wait(self, after: int, timeout: float) -> bool:
        """Sleep until the feed goes beyond position `after` or `timeout` seconds have passed; say whether it does."""
        deadline = time.monotonic() + timeout
        seen: object = None
        with self._pool.connection() as connection:
            while True:
                now = connection.execute("pragma data_version").fetchone()
                if now != seen:
                    seen = now
                    if connection.execute("select coalesce(max(seq), 0) from event").fetchone()[0] > after:
                        return True
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                time.sleep(min(POLL, left))

    def backup(self, target: Path, progress: Callable[[int, int], None] | None = None) -> None:
        """Copy the running log to a new database file `target` and prove the copy: every chain, every head."""
        backup(self.path, target, self._damage, progress)

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> None:
        """Nothing is stored here, so there is nothing to be told of; `wait` tells of what others store."""

    def append(self, game: str, events: Sequence[NewEvent], *, expected: int, recorder: str) -> Appended:  # noqa: ARG002
        """Refused with `LogUnwritableError`, as is everything else that writes."""
        raise self._read_only()

    def adopt(self, events: Sequence[Event]) -> Appended:  # noqa: ARG002
        """Refused."""
        raise self._read_only()

    def accept_loss(self, game: str) -> Head | None:  # noqa: ARG002
        """Refused."""
        raise self._read_only()

    def _read_only(self) -> LogUnwritableError:
        return LogUnwritableError(f"{self.path} is open for reading only")

    # Damage

    def _note(self, error: DamagedError) -> DamagedError:
        known = self._damage.get(error.game)
        if known is None or error.version < known.version:
            self._damage[error.game] = error
        return error

    def _refuse_damaged(self, game: str) -> None:
        known = self._damage.get(game)
        if known is not None:
            raise DamagedError(known.game, known.version, known.why)

    def _mark(self, game: str) -> Mark | None:
        """What the head file says of a game. To be asked before the database, which is never behind it."""
        return self._heads.find(uuid_bytes(game)) if is_uuid(game) else None

    def _refuse_short(self, game: str, version: int, mark: Mark | None) -> None:
        """Raise `DamagedError` for a chain that seems to end at `version`, before it is where it was."""
        if mark is not None and version < mark.version:
            raise self._note(_shortened(game, version, mark))

    def _examine(self, marks: Mapping[bytes, Mark]) -> list[str]:
        """Compare the head file with the database; the games that went on after their last mark, as far as is seen."""
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
        """The rows of all games, a page at a time, as far as their numbers, which come first, grow."""
        number = 0
        while rows := self._query(sql, (number, PAGE)):
            for row in rows:
                if row[0] <= number:  # a flipped bit leads astray, and could do so for ever
                    return
                number = row[0]
                yield row

    def _compare(self, mark: Mark) -> None:
        """Note the damage if the stored chain does not reach, or does not hold, what the head file says."""
        game = uuid_text(mark.game)
        with suppress(DamagedError):  # which is noted already
            number = self._number(game)
            last = 0 if number is None else self._version(game, number)
            if last < mark.version:
                self._note(_shortened(game, last, mark))
            elif number is not None and self._hash(game, number, mark.version) != mark.hash.hex():
                self._note(self._first_damage(game, number, mark.version))

    def _version(self, game: str, number: int) -> int:
        rows = self._rows("select coalesce(max(version), 0) from event where game = ?", (number,), game, 1)
        version = rows[0][0]
        return version if isinstance(version, int) else 0

    def _first_damage(self, game: str, number: int, version: int) -> DamagedError:
        """Where a chain that does not end as it should breaks; nowhere means that all of it may have been rewritten."""
        try:
            deque(self._read(game, number, 0, version, None), maxlen=0)
        except DamagedError as error:
            return error
        return DamagedError(game, 1, f"its chain does not hold the hash that was recorded for version {version}")

    # Queries

    def _query(self, sql: str, parameters: tuple[Any, ...]) -> list[Row]:
        with self._pool.connection() as connection:
            return connection.execute(sql, parameters).fetchall()

    def _rows(self, sql: str, parameters: tuple[Any, ...], game: str, version: int) -> list[Row]:
        """Rows of one game. What cannot be read because the file is damaged is damage of this game."""
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

    def _number(self, game: str) -> int | None:
        number = self._numbers.get(game)
        if number is None and is_uuid(game):
            rows = self._rows("select number from game where id = ?", (uuid_bytes(game),), game, 1)
            if rows:
                number = _keep(self._numbers, game, rows[0][0])
        return number

    def _name(self, number: int) -> str:
        """The id of a game. Raises `DamagedError`."""
        return self._names.get(number) or _keep(self._names, number, self._stored_name(number))

    def _stored_name(self, number: int) -> str:
        """The id that the table has for a game or, where nothing else knows a game of that id, its index."""
        name = self._named("select id from game where number = ?", number)
        if name and (self._mark(name) or self._number(name) == number):
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


def _shortened(game: str, version: int, mark: Mark) -> DamagedError:
    """What is wrong with a chain that ends at `version`, and went as far as its mark."""
    first = version + 1
    gap = f"entry {first} is" if first == mark.version else f"entries {first} to {mark.version} are"
    return DamagedError(game, first, f"{gap} missing at the end")
