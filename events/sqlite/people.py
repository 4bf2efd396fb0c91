"""The names of people in the log's database."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import msgspec

from events.encoding import readable
from events.errors import LogBusyError, LogUnwritableError
from events.merges import Merge, Merges
from events.people import ERASED, KnownPeople, NameRecord, WritablePeople, name_sum, proved_name, readable_names
from events.rows import uuid_bytes, uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence

    from events.sqlite.pool import Pool
    from events.sqlite.writer import LogWriter

ERASURE_WAIT = 10.0
"""Seconds that an erasure waits for readers."""


_PUT = "on conflict do update set name = excluded.name, checksum = excluded.checksum"

TOGETHER = 500
"""Names that are asked for at a time."""

_NAME = "cast(name as blob)"
"""A name as bytes: SQLite gives no row with a damaged text."""


def checksums_of(connection: sqlite3.Connection, table: str) -> str:
    """The column with the checksums of a table. A release that none has opened the database since had none."""
    ((made,),) = connection.execute("select sql from sqlite_schema where name = ?", (table,)).fetchall()
    return "checksum" if "checksum" in made else "null"


class SqlitePeopleReader(KnownPeople):
    """Names, read only: see `events.people.People`."""

    def __init__(self, pool: Pool) -> None:
        super().__init__()
        self._pool, self._checksum = pool, ""

    def _rows(self, people: Iterable[str]) -> list[Any]:
        keys, found = [uuid_bytes(each) for each in people if is_uuid(each)], list[Any]()
        for begin in range(0, len(keys), TOGETHER):
            asked = keys[begin : begin + TOGETHER]
            found += self._select(f"where id in ({', '.join('?' * len(asked))})", asked)
        return found

    def _select(self, where: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._pool.connection() as connection:
            if self._checksum != "checksum":
                self._checksum = checksums_of(connection, "person")
            return connection.execute(f"select id, {_NAME}, {self._checksum} from person {where}", values).fetchall()

    def all(self) -> dict[str, str]:
        """Every name, by id, in the order of the names. Damaged ones are left out."""
        return dict(readable_names(row for row in self._select("order by name, id") if row[1]))

    def all_records(self) -> list[NameRecord]:
        """All stored rows about people, in the order of the ids."""
        return [NameRecord(uuid_text(key), readable(name), kept) for key, name, kept in self._select("order by id")]

    def unreadable(self) -> list[str]:
        """The ids with names that are not UTF-8, or do not fit their checksums."""
        return [uuid_text(row[0]) for row in self._select("order by id") if proved_name(*row) is None]

    def restore(self, kept: Iterable[NameRecord], merges: Iterable[Merge] = ()) -> None:  # noqa: ARG002
        """Refused: this log is open for reading."""
        raise LogUnwritableError("names cannot be written: the log is open for reading only")

    def _last_merge(self) -> int:
        with self._pool.connection() as connection:
            if not connection.execute("select 1 from sqlite_schema where name = 'merge'").fetchone():
                return 0  # a database that an older release wrote and none has opened for writing since
            ((last,),) = connection.execute("select coalesce(max(number), 0) from merge").fetchall()
        return int(last)

    def merge_records(self) -> list[Merge]:
        """Every record of a merge, also a damaged one, in the order of their numbers."""
        with self._pool.connection() as connection:
            if not connection.execute("select 1 from sqlite_schema where name = 'merge'").fetchone():
                return []
            columns = f"number, person, kept, at, cast(by as blob), {checksums_of(connection, 'merge')}"
            return [merge_of(*row) for row in connection.execute(f"select {columns} from merge order by number")]

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


class SqlitePeople(WritablePeople, SqlitePeopleReader):
    """Names, in the process that writes."""

    def __init__(self, pool: Pool, writer: LogWriter, clock: Callable[[], int]) -> None:
        super().__init__(pool)
        self._writer, self._clock = writer, clock
        self._merging = threading.Lock()

    def restore(self, kept: Iterable[NameRecord], merges: Iterable[Merge] = ()) -> None:
        """Keep what another log has kept. Raises `LogFullError`."""
        for each in kept:
            self._writer.change(f"insert into person values (?, ?, ?) {_PUT}", _row(*each))
        for record in merges:
            self._keep(record)

    def _keep(self, record: Merge) -> bool:
        """Store a record, unless there is one with its number."""
        number, person, kept, at, by, checksum = msgspec.structs.astuple(record.with_checksum())
        row = (number, uuid_bytes(person), kept and uuid_bytes(kept), at, by, checksum)
        return self._writer.change("insert into merge values (?, ?, ?, ?, ?, ?) on conflict do nothing", row) > 0

    def erase(self, person: str) -> bool:
        """Remove all names of a person so that no byte is left in any file of the log; False if there was none.

        Raises `LogBusyError` if a long read keeps the old bytes in the write-ahead log. The names are then gone from
        the table, and their bytes go as soon as that read ends.
        """
        ids = [each for each in self.merges().ids_of([person]) if is_uuid(each)]
        gone = bool(self.named_ids(ids))
        if gone:
            rows = ", ".join(["(?, ?, ?)"] * len(ids))
            values = tuple(value for each in ids for value in _row(each, ERASED))
            self._writer.change(f"insert into person values {rows} {_PUT}", values)
        if ids and not self._writer.truncate_wal(ERASURE_WAIT):
            raise LogBusyError(f"the name of {person} is erased, but a long read still keeps its bytes on disk")
        return gone

    def _record(self, person: str, kept: str | None, by: str, changes: Callable[[Merges], bool]) -> bool:
        """Record a merge if it `changes` what is recorded. If another process was faster, look again."""
        with self._merging:
            while changes(merges := self.merges()):
                if self._keep(Merge(merges.number + 1, person, kept, self._clock(), by)):
                    return True
        return False


def merge_of(number: int, person: bytes, kept: bytes | None, at: int, by: bytes, checksum: int | None = None) -> Merge:
    """The record of a merge that is in a row."""
    return Merge(number, uuid_text(person), uuid_text(kept) if kept else None, at, readable(by), checksum)


def _row(person: str, name: str, checksum: int | None = None) -> tuple[bytes, str, int]:
    key = uuid_bytes(person)
    return key, name, name_sum(key, name.encode()) if checksum is None else checksum
