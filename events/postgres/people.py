"""The names of people in the log's database."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from events.merges import Merge, Merges
from events.people import ERASED, NameRecord, WritablePeople, name_sum, proved_name, readable_names
from events.postgres.database import storable_text
from events.postgres.timely import without_time_limit
from events.postgres.translation import raising_log_errors
from events.rows import uuid_bytes, uuid_text
from events.schemas import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from psycopg import Connection

    from events.postgres.database import Database
    from events.rows import Row

_LOCK = 0x4B494601
"""The advisory lock of merges: a merge depends on those before it."""

NOBODY = str(UUID(int=0))
"""Stands in a damaged record for an id that is none."""

_ROWS = "select uuid_send(id), convert_to(name, 'UTF8'), checksum from kifu.person"

_INSERT = "insert into kifu.merge (number, person, kept, at, by, checksum)"

RECORDS = "select number, uuid_send(person), uuid_send(kept), at, by, checksum from kifu.merge order by number"


class PostgresPeople(WritablePeople):
    """Names by player id: see `events.people.People`."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        super().__init__()
        self._database, self._clock = database, clock

    def _rows(self, people: Iterable[str]) -> list[Row]:
        known = [person for person in people if is_uuid(person)]
        return self._database.query(f"{_ROWS} where id = any(%s::uuid[])", (known,)) if known else []

    def all(self) -> dict[str, str]:
        """Every name, by id, in the order of the names. Damaged ones are left out."""
        rows = self._database.query(f"{_ROWS} where name != %s order by name, id", (ERASED,))
        return dict(readable_names(rows))

    def all_records(self) -> list[NameRecord]:
        """All stored rows about people, in the order of the ids."""
        rows = self._database.query("select uuid_send(id), name, checksum from kifu.person order by id")
        return [NameRecord(uuid_text(key), name, kept) for key, name, kept in rows]

    def restore(self, kept: Iterable[NameRecord], merges: Iterable[Merge] = ()) -> None:
        """Keep what another log has kept. A damaged id that is none is left out. Raises `LogFullError`."""
        self._put(record for record in kept if is_uuid(record.person))
        for record in merges:
            sql = f"{_INSERT} values (%s, %s, %s, %s, %s, %s) on conflict (number) do nothing"
            self._database.change(sql, _row_of(record))

    def erase(self, person: str) -> bool:
        """Remove all names of a person; False if there was none.

        Ask the server to vacuum. The bytes in its write-ahead log and backups go when these go.
        """
        ids = [each for each in self.merges().ids_of([person]) if is_uuid(each)]
        gone = bool(self.named_ids(ids))
        if gone:
            self._put(NameRecord(each, ERASED) for each in ids)
        if ids:
            with without_time_limit():
                self._database.change("vacuum kifu.person")
        return gone

    def _put(self, records: Iterable[NameRecord]) -> None:
        """Store records. A record without a checksum gets one."""
        rows = [
            (person, storable_text(name), name_sum(uuid_bytes(person), name.encode()) if kept is None else kept)
            for person, name, kept in records
        ]
        if rows:
            self._database.change(
                "insert into kifu.person (id, name, checksum)"
                " select * from unnest(%s::uuid[], %s::text[], %s::bigint[])"
                " on conflict (id) do update set name = excluded.name, checksum = excluded.checksum",
                tuple(map(list, zip(*rows, strict=True))),
            )

    def unreadable(self) -> list[str]:
        """The ids with names that do not fit their checksums."""
        rows = self._database.query(f"{_ROWS} order by id")
        return [uuid_text(row[0]) for row in rows if proved_name(*row) is None]

    def _last_merge(self) -> int:
        ((last,),) = self._database.query("select coalesce(max(number), 0) from kifu.merge")
        return int(last)

    def merge_records(self) -> list[Merge]:
        """Every record of a merge, also a damaged one, in the order of their numbers."""
        return records_of(self._database.query(RECORDS))

    def _record(self, person: str, kept: str | None, by: str, changes: Callable[[Merges], bool]) -> bool:
        """Record a merge if it `changes` what is recorded. One process at a time reads and writes."""

        def work(connection: Connection[Row]) -> bool:
            with connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
                merges = Merges(records_of(connection.execute(RECORDS).fetchall()))
                changed = changes(merges)
                if changed:
                    record = Merge(merges.number + 1, person, kept, self._clock(), by)
                    connection.execute(f"{_INSERT} values (%s, %s, %s, %s, %s, %s)", _row_of(record))
            return changed

        with raising_log_errors(self._database.name):
            return self._database.retry_once(work)


def records_of(rows: list[Row]) -> list[Merge]:
    """The records of merges in rows of `RECORDS`."""
    return [
        Merge(number, uuid_text(one), kept and uuid_text(kept), at, by, checksum)
        for number, one, kept, at, by, checksum in rows
    ]


def _row_of(record: Merge) -> tuple[object, ...]:
    """The row of a record. A damaged one can have invalid ids, and characters that PostgreSQL refuses."""
    number, person, kept, at, by, checksum = msgspec.structs.astuple(record.with_checksum())
    known = [each if each is None or is_uuid(each) else NOBODY for each in (person, kept)]
    return number, *known, at, storable_text(by), checksum
