"""The reading half of a log over stored rows, for every database: checks, and the handling of damage."""

from __future__ import annotations

import logging
from collections import deque
from contextlib import suppress
from functools import partial
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from events.canonical import GENESIS
from events.errors import DamagedError, GameUnknownError, LogUnwritableError
from events.event import Head, LogEnd, SkimmedEntry
from events.rows import decode_chain, decode_checked, export_chain, hash_of, uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
    from typing import Self

    from events.components import Components
    from events.entries import CheckedEvent
    from events.event import Appended, Event, NewEvent, StandbyState
    from events.people import People
    from events.rows import ChainMark, Row

PAGE = 256
"""Rows fetched at a time: a stream never keeps a read transaction open while its consumer is busy."""

HASHES = 2000
"""Hashes fetched at a time."""

HASH = 32
"""Bytes of a hash."""

ENDS_KEPT = 65536
"""Ends of chains that a stream of the feed remembers."""

logger = logging.getLogger(__name__)

T = TypeVar("T")


class RowReader:
    """Reads a log: `events.log.LogReader` describes the methods. Safe to share between threads.

    Subclasses find the rows. `name` is the name of the log in messages. A game has a key in its rows: a number, or its
    id.
    """

    people: People
    components: Components

    def __init__(self, name: str) -> None:
        self.name = name
        self._damage: dict[str, DamagedError] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close everything that is open."""
        raise NotImplementedError

    def position(self) -> int:
        """The feed position of the newest event, 0 in an empty log."""
        raise NotImplementedError

    def recent_end(self) -> LogEnd:
        """The end of the log, read each time, because that is quick here. Erasures have no numbers."""
        return LogEnd(self.position())

    def repeated_id(self) -> tuple[str, Sequence[str]] | None:
        """None: in one lane every id is unique."""
        return None

    def erasures(self, after: int = 0) -> list[tuple[int, str]]:  # noqa: ARG002 - other kinds of stores have some
        """Empty: the process that erases informs its own readers."""
        return []

    @property
    def standby_states(self) -> tuple[StandbyState, ...]:
        """Empty: there are no standbys."""
        return ()

    # What a kind of store finds. Raises `LogDamagedError` for what cannot be read, and `DamagedError` where a game is
    # known that this is damage of.

    def _mark(self, game: str) -> ChainMark | None:
        """A lower bound for the end of a game's chain. Read it before the entries: they are never behind it."""
        raise NotImplementedError

    def _key(self, game: str) -> Any:
        """The key of a game, None for an unknown game."""
        raise NotImplementedError

    def _known(self, game: str) -> tuple[ChainMark | None, Any]:
        """The mark and the key of a game. The mark is read first."""
        return self._mark(game), self._key(game)

    def _id(self, key: Any) -> str:
        """The id of the game with that key."""
        raise NotImplementedError

    def _entries(self, game: str, key: Any, after: int, until: int, limit: int) -> list[Row]:
        """The first rows of a game with `after < version <= until`."""
        raise NotImplementedError

    def _ending(self, game: str, key: Any) -> list[Row]:
        """The last two rows of a game, the newest first."""
        raise NotImplementedError

    def _version(self, game: str, key: Any) -> int:
        """The highest version of a game, 0 if it has no entries."""
        raise NotImplementedError

    def _hash(self, game: str, key: Any, version: int) -> str | None:
        """The hash of an entry, as it is stored."""
        raise NotImplementedError

    def _place(self, game: str, key: Any, version: int) -> tuple[int, bytes] | None:
        """The position and the hash of an entry, as they are stored."""
        raise NotImplementedError

    def _page(self, after: int, size: int) -> tuple[list[Row], int]:
        """The next rows of the feed and the position that they reach: `after` itself at the end."""
        raise NotImplementedError

    def _hashes(self, after: int, limit: int) -> list[tuple[int, Any]]:
        """Positions and hashes of the feed, as they are stored."""
        raise NotImplementedError

    def _found(self, event_id: str, game: str) -> Row | None:
        """The row of the event with that id. If several lanes have one, it is that of the game's lane."""
        raise NotImplementedError

    def _games(self) -> Iterator[str]:
        """All games, in the order of their opening. Some have only their marks left."""
        raise NotImplementedError

    # Reading

    @property
    def damage(self) -> Mapping[str, DamagedError]:
        """The damaged games that are known: found at start, or since by a read."""
        return MappingProxyType(self._damage)

    def read(self, game: str, after: int = 0, until: int | None = None) -> Iterator[Event]:
        """Stream the entries `after < version <= until` of a game, each checked against the chain before it."""
        return self._stream(game, after, until, decode_chain)

    def lines(self, game: str, until: int, viewpoint: str) -> Iterator[bytes]:
        """See `events.log.LogReader.lines`."""
        return self._stream(game, 0, until, partial(export_chain, viewpoint))

    def _stream(
        self,
        game: str,
        after: int,
        until: int | None,
        decode: Callable[[list[Row], str, int, str], Generator[T, None, tuple[int, str]]],
    ) -> Iterator[T]:
        """Stream what `decode` makes of the rows of a game. It checks them against the chain before them."""
        self._refuse_damaged(game)
        mark, key = self._known(game)
        if key is None:
            self._refuse_short(game, 0, mark)
            raise GameUnknownError(game)
        return self._pages(game, key, after, until, mark, decode)

    def _pages(
        self,
        game: str,
        key: Any,
        after: int,
        until: int | None,
        mark: ChainMark | None,
        decode: Callable[[list[Row], str, int, str], Generator[T, None, tuple[int, str]]],
    ) -> Iterator[T]:
        last = 2**62 if until is None else until
        version = max(after, 0)
        prev = self._hash(game, key, version) if version > 0 else GENESIS
        if prev is None:
            self._refuse_short(game, version - 1, mark)
            return
        while version < last:
            rows = self._entries(game, key, version, last, PAGE)
            try:
                version, prev = yield from decode(rows, game, version, prev)
            except DamagedError as error:
                raise self._note(error) from error.__cause__
            if len(rows) < PAGE:
                break
        if version < last:
            self._refuse_short(game, version, mark)

    def feed(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, Event]]:
        """Stream `(position, event)` of all games in commit order, after position `after`."""
        ends: dict[Any, tuple[int, str]] = {}
        left = 2**62 if limit is None else limit
        while left > 0:
            rows, end = self._page(after, min(PAGE, left))
            for key, run in groupby(rows, itemgetter(1)):
                for found in self._follow(key, list(run), ends):
                    left -= 1
                    yield found
            if end == after:
                return
            after = end

    def skim(self, after: int = 0, limit: int | None = None) -> Iterator[SkimmedEntry]:
        """Stream the entries of `feed` without contents and without a proof. Unreadable ones are left out."""
        left = 2**62 if limit is None else limit
        while left > 0:
            rows, end = self._page(after, min(PAGE, left))
            for row in rows:
                try:
                    found = SkimmedEntry(row[0], self._id(row[1]), row[4], hash_of(row).hex())
                except (DamagedError, TypeError, AttributeError) as error:
                    logger.warning("%s: the entry at position %d cannot be read: %s", self.name, row[0], error)
                    continue
                left -= 1
                yield found
            if end == after:
                return
            after = end

    def _follow(self, key: Any, rows: list[Row], ends: dict[Any, tuple[int, str]]) -> Iterator[tuple[int, Event]]:
        """The feed's next entries of one game, up to the first damaged one. `ends` remembers those of chains."""
        first: Any = rows[0][2]
        if not (isinstance(key, int | bytes) and isinstance(first, int)):
            logger.warning("%s: the entry at position %d cannot be read", self.name, rows[0][0])
            return
        try:
            game = self._id(key)
            known = self._damage.get(game)
            if known is not None:
                rows = rows[: max(known.version - first, 0)]
            if not rows:
                return
            prev = self._before(game, key, first, ends)
            for row, event in zip(rows, decode_chain(rows, game, first - 1, prev), strict=True):
                yield row[0], event
        except DamagedError as error:
            self._note(error)
            return
        if len(ends) >= ENDS_KEPT:
            ends.clear()
        ends[key] = event.version, event.hash

    def _before(self, game: str, key: Any, version: int, ends: dict[Any, tuple[int, str]]) -> str:
        """The hash of the entry before one of the feed. Raises `DamagedError` if that is missing."""
        end = ends.get(key)
        if end is None:
            prev = self._hash(game, key, version - 1) if version > 1 else GENESIS
        else:
            prev = end[1] if end[0] == version - 1 else None
        if prev is None:
            raise DamagedError(game, version - 1 if end is None else end[0] + 1, "the entry is missing")
        return prev

    def hashes(self, after: int = 0, limit: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Stream `(position, hash)` of all entries in commit order, as they are stored and without a proof."""
        left = 2**62 if limit is None else limit
        while left > 0 and (rows := self._hashes(after, min(HASHES, left))):
            for row in rows:
                if isinstance(row[1], bytes) and len(row[1]) == HASH:
                    yield row
            after, left = rows[-1][0], left - len(rows)

    def position_of(self, game: str, version: int) -> tuple[int, bytes] | None:
        """The position in the feed and the hash of an entry, or None if the game has no such version."""
        self._refuse_damaged(game)
        key = self._key(game)
        if key is None:
            raise GameUnknownError(game)
        return self._place(game, key, version)

    def head(self, game: str) -> Head | None:
        """The newest version of a game, or None for an unknown one. Raises `DamagedError`."""
        last = self._last(game)
        return None if last is None else Head(game, last.version, last.hash)

    def _last(self, game: str) -> Event | None:
        self._refuse_damaged(game)
        mark, key = self._known(game)
        rows = [] if key is None else self._ending(game, key)
        last = self._successor(rows[0], game, rows[1:]) if rows else None
        self._refuse_short(game, last.version if last else 0, mark)
        return last

    def _successor(self, row: Row, game: str, before: Sequence[Row]) -> Event:
        """The event of a row, checked against the row before it. Raises `DamagedError`."""
        try:
            if not before:
                prev = GENESIS
            elif before[0][2] == row[2] - 1:
                prev = hash_of(before[0]).hex()
            else:
                raise DamagedError(game, row[2] - 1, "the entry is missing")
            return decode_checked(row, game, prev)
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

    def find(self, event_id: str, game: str | None = None) -> Event | None:
        """The stored event with this id, if there is one; that of the game's lane first. Raises `DamagedError`."""
        row = self._found(event_id, game or event_id) if is_uuid(event_id) else None
        if row is None:
            return None
        key, version = row[1:3]
        game = self._id(key)
        self._refuse_damaged(game)
        before = self._entries(game, key, version - 2, version - 1, 1)
        if version > 1 and not before:
            raise self._note(DamagedError(game, version - 1, "the entry is missing"))
        return self._successor(row, game, before)

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

    def _refuse_short(self, game: str, version: int, mark: ChainMark | None) -> None:
        """Raise `DamagedError` for a chain that ends at `version`, before its mark."""
        if mark is not None and version < mark.version:
            raise self._note(lost_tail(game, version, mark))

    def _compare(self, mark: ChainMark) -> None:
        """Note the damage if the stored chain does not reach its mark, or has another hash there."""
        game = uuid_text(mark.game)
        with suppress(DamagedError):  # which is noted already
            key = self._key(game)
            last = 0 if key is None else self._version(game, key)
            if last < mark.version:
                self._note(lost_tail(game, last, mark))
            elif key is not None and self._hash(game, key, mark.version) != mark.hash.hex():
                self._note(self._first_damage(game, key, mark.version))

    def _first_damage(self, game: str, key: Any, version: int) -> DamagedError:
        """The break of a chain with a wrong end. Without a break, all of it may have been rewritten."""
        try:
            deque(self._pages(game, key, 0, version, None, decode_chain), maxlen=0)
        except DamagedError as error:
            return error
        return DamagedError(game, 1, f"its chain does not hold the hash that was recorded for version {version}")

    # What writes

    def subscribe(self, listener: Callable[[Sequence[Event]], None]) -> None:
        """Does nothing: this process stores nothing. `wait` reports the entries of other processes."""

    def append(
        self,
        game: str,  # noqa: ARG002
        events: Sequence[NewEvent | CheckedEvent],  # noqa: ARG002
        *,
        expected: int,  # noqa: ARG002
        recorder: str,  # noqa: ARG002
    ) -> Appended:
        """Refused with `LogUnwritableError`, as is everything else that writes."""
        self._refuse_writing()

    def adopt(self, events: Sequence[Event]) -> Appended:  # noqa: ARG002
        """Refused."""
        self._refuse_writing()

    def accept_loss(self, game: str) -> Head | None:  # noqa: ARG002
        """Refused."""
        self._refuse_writing()

    def _refuse_writing(self) -> NoReturn:
        raise LogUnwritableError(f"{self.name} is open for reading only")


def lost_tail(game: str, version: int, mark: ChainMark) -> DamagedError:
    """The fault of a chain that ends at `version`, but once reached its mark."""
    first = version + 1
    gap = f"entry {first} is" if first == mark.version else f"entries {first} to {mark.version} are"
    return DamagedError(game, first, f"{gap} missing at the end")
