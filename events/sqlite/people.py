"""The names of people in the log's database."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from events.errors import LogBusyError, LogUnwritableError
from events.merges import Merge
from events.people import KnownPeople, checked_name, name_sum
from events.rows import uuid_bytes, uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from events.sqlite.pool import Pool
    from events.sqlite.writer import LogWriter

ERASED = ""
"""The stored form of an erased name; no name is empty."""

ERASURE_WAIT = 10.0
"""Seconds that an erasure waits for readers."""


_PUT = "on conflict do update set name = excluded.name, checksum = excluded.checksum"

_NAME = "cast(name as blob)"
"""A name as bytes: SQLite gives no row with a damaged text."""


def readable(text: bytes) -> str:
    """A text that may be damaged, with U+FFFD where it is."""
    return text.decode(errors="replace")


class SqlitePeopleReader(KnownPeople):
    """Names, read only: see `events.people.People`."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self._pool = pool

    def recorded_names(self, people: Iterable[str]) -> dict[str, str]:
        """The names that were entered for exactly these ids, before any merge."""
        return {person: name for person, name in self._rows(people) if name != ERASED}

    def _erased(self, people: set[str]) -> set[str]:
        return {person for person, name in self._rows(people) if name == ERASED}

    def _rows(self, people: Iterable[str]) -> list[tuple[str, str]]:
        found, sql = [], f"select {_NAME} from person where id = ?"
        with self._pool.connection() as connection:
            for person in people:
                if is_uuid(person):
                    row = connection.execute(sql, (uuid_bytes(person),)).fetchone()
                    if row:
                        found.append((person, readable(row[0])))
        return found

    def all(self) -> dict[str, str]:
        """Every name, by id, in the order of the names."""
        with self._pool.connection() as connection:
            sql = f"select id, {_NAME} from person where name != ? order by name, id"
            rows: list[Any] = connection.execute(sql, (ERASED,)).fetchall()
        return {uuid_text(key): readable(name) for key, name in rows}

    def all_records(self) -> dict[str, str]:
        """Everything kept about everybody, by id: a name, or nothing if the name was erased."""
        with self._pool.connection() as connection:
            rows: list[Any] = connection.execute(f"select id, {_NAME} from person order by id").fetchall()
        return {uuid_text(key): readable(name) for key, name in rows}

    def unreadable(self) -> list[str]:
        """Those with names that are no UTF-8, or do not fit their checksums."""
        with self._pool.connection() as connection:
            ((made,),) = connection.execute("select sql from sqlite_schema where name = 'person'").fetchall()
            kept = "checksum" if "checksum" in made else "null"  # an older release has none
            rows: list[Any] = connection.execute(f"select id, {_NAME}, {kept} from person order by id").fetchall()
        return [
            uuid_text(key)
            for key, name, kept in rows
            if readable(name).encode() != name or kept not in {None, name_sum(key, name)}
        ]

    def restore(self, kept: Mapping[str, str], merges: Iterable[Merge] = ()) -> None:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError("names cannot be written: the log is open for reading only")

    def _last_merge(self) -> int:
        with self._pool.connection() as connection:
            if not connection.execute("select 1 from sqlite_schema where name = 'merge'").fetchone():
                return 0  # a database that an older release wrote and none has opened for writing since
            ((last,),) = connection.execute("select coalesce(max(number), 0) from merge").fetchall()
        return int(last)

    def merge_records(self) -> list[Merge]:
        """Every record of a merge, in the order of their numbers."""
        with self._pool.connection() as connection:
            rows = connection.execute("select number, person, kept, at, by from merge order by number").fetchall()
        return [Merge(number, uuid_text(one), kept and uuid_text(kept), at, by) for number, one, kept, at, by in rows]

    def put(self, person: str, name: str) -> None:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"the name of {person} cannot be written: the log is open for reading only")

    def erase(self, person: str) -> bool:
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"the name of {person} cannot be erased: the log is open for reading only")

    def merge(self, person: str, kept: str, *, by: str) -> bool:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"{person} cannot be merged: the log is open for reading only")

    def split(self, person: str, *, by: str) -> bool:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError(f"{person} cannot be split: the log is open for reading only")


class SqlitePeople(SqlitePeopleReader):
    """Names, in the hands of the process that writes."""

    def __init__(self, pool: Pool, writer: LogWriter, clock: Callable[[], int]) -> None:
        super().__init__(pool)
        self._writer, self._clock = writer, clock
        self._merging = threading.Lock()

    def put(self, person: str, name: str) -> None:
        """Give a person a name, or another one. Raises `BadNameError`, `LogFullError`."""
        if not is_uuid(person):
            raise ValueError(f"{person!r} is no UUID in lower-case canonical form")
        self.restore({person: checked_name(name)})

    def restore(self, kept: Mapping[str, str], merges: Iterable[Merge] = ()) -> None:
        """Keep what another log has kept. Raises `LogFullError`."""
        for person, name in kept.items():
            self._writer.change(f"insert into person values (?, ?, ?) {_PUT}", _row(person, name))
        for record in merges:
            self._writer.change(
                "insert into merge values (?, ?, ?, ?, ?) on conflict do nothing",
                (
                    *(record.number, uuid_bytes(record.person), record.kept and uuid_bytes(record.kept)),
                    *(record.at, record.by),
                ),
            )

    def erase(self, person: str) -> bool:
        """Remove all names of a person so that no byte is left in any file of the log; False if there was none.

        Raises `LogBusyError` if a long read keeps the old bytes in the write-ahead log. The names are then gone from
        the table, and their bytes go as soon as that read ends.
        """
        ids = [each for each in self.merges().ids_of([person]) if is_uuid(each)]
        gone = bool(self.recorded_names(ids))
        if gone:
            rows = ", ".join(["(?, ?, ?)"] * len(ids))
            values = tuple(value for each in ids for value in _row(each, ERASED))
            self._writer.change(f"insert into person values {rows} {_PUT}", values)
        if ids and not self._writer.truncate_wal(ERASURE_WAIT):
            raise LogBusyError(f"the name of {person} is erased, but a long read still keeps its bytes on disk")
        return gone

    def merge(self, person: str, kept: str, *, by: str) -> bool:
        """Merge a person into another one, whom the log keeps; False if they were merged already.

        Raises `BadMergeError`.
        """
        with self._merging:
            new = self.merges().check(person, kept)
            if new:
                self._record(person, uuid_bytes(kept), by)
        return new

    def split(self, person: str, *, by: str) -> bool:
        """Say that a person is somebody of their own again; False if they are."""
        with self._merging:
            merged = self.merges().of(person) is not None
            if merged:
                self._record(person, None, by)
        return merged

    def _record(self, person: str, kept: bytes | None, by: str) -> None:
        sql = "insert into merge select coalesce(max(number), 0) + 1, ?, ?, ?, ? from merge"
        self._writer.change(sql, (uuid_bytes(person), kept, self._clock(), by))


def _row(person: str, name: str) -> tuple[bytes, str, int]:
    key = uuid_bytes(person)
    return key, name, name_sum(key, name.encode())
